"""A short camera chain for training pictures: light, colour, blur, noise, sharpening, JPEG. Geometry is left alone."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

ByteArray = NDArray[np.uint8]


def photograph(rng: np.random.Generator, canvas: ByteArray, most_blur: float) -> ByteArray:
    """The canvas as a camera of random quality would give it; `most_blur` is the largest Gaussian sigma in px."""
    picture = _light(rng, canvas.astype(np.float32))
    picture = _colour(rng, picture)
    if rng.random() < 0.7:
        picture = blur(rng, picture, most_blur)
    if rng.random() < 0.15:
        picture = _resample(rng, picture)
    picture = _noise(rng, picture)
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 2.0))
        picture = picture + (picture - soft) * rng.uniform(0.3, 1.6)
    result = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        coded = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 96))])[1]
        result = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return result


def _light(rng: np.random.Generator, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Uneven light, soft shadows and a gloss spot."""
    rows, columns = picture.shape[:2]
    if rng.random() < 0.7:
        coarse = (1 + rng.normal(0, 0.16, (3, 3))).astype(np.float32)
        if rng.random() < 0.3:
            coarse = (1 + rng.normal(0, 0.25, (6, 6))).astype(np.float32)
        field = cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_CUBIC)
        picture = picture * np.clip(field, 0.25, 1.8)[..., None]
    if rng.random() < 0.15:
        spot = np.zeros((rows, columns), np.float32)
        middle = tuple(int(v) for v in rng.uniform(0, min(rows, columns), 2))
        axes = tuple(int(v) for v in rng.uniform(10, 0.35 * columns, 2))
        cv2.ellipse(spot, middle, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), rng.uniform(6, 25)) * rng.uniform(40, 230)
        picture = picture + spot[..., None]
    return picture


def _colour(rng: np.random.Generator, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """White balance, exposure, gamma, contrast, saturation."""
    warm = rng.normal(0, 0.12)
    gains = np.array([1 - warm, 1 + rng.normal(0, 0.04), 1 + warm], np.float32) * np.float32(
        np.exp(rng.normal(-0.08, 0.28))
    )
    picture = np.clip(picture * gains, 0, 330)
    if rng.random() < 0.5:
        picture = 255 * np.power(np.clip(picture, 0, 255) / 255, np.float32(np.exp(rng.normal(0, 0.3))))
    if rng.random() < 0.4:
        grey = picture.mean(2, keepdims=True)
        picture = grey + (picture - grey) * np.float32(rng.uniform(0.35, 1.6))
    if rng.random() < 0.3:
        picture = (picture - 128) * np.float32(rng.uniform(0.5, 1.2)) + 128 + np.float32(rng.normal(0, 14))
    return picture.astype(np.float32)


def blur(rng: np.random.Generator, picture: NDArray[np.float32], most: float) -> NDArray[np.float32]:
    """Out of focus, moved, or twice exposed."""
    kind = rng.random()
    if kind < 0.65:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.25, most)), np.float32)
    size = int(rng.integers(1, max(2, round(3 * most)) + 1))
    kernel = np.zeros((2 * size + 1, 2 * size + 1), np.float32)
    angle = rng.uniform(0, np.pi)
    way = np.array([np.cos(angle), np.sin(angle)]) * size / 2
    a, b = np.round(size - way).astype(int), np.round(size + way).astype(int)
    if kind < 0.9:
        cv2.line(kernel, tuple(a.tolist()), tuple(b.tolist()), 1.0, 1, cv2.LINE_AA)
    else:
        kernel[a[1], a[0]] += 1
        kernel[b[1], b[0]] += rng.uniform(0.3, 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)


def _resample(rng: np.random.Generator, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Smaller and back: a video frame that was scaled up."""
    rows, columns = picture.shape[:2]
    small = cv2.resize(picture, None, fx=(f := rng.uniform(0.45, 0.9)), fy=f, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)


def _noise(rng: np.random.Generator, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Sensor noise, sometimes blotchy as after a denoiser."""
    level = abs(rng.normal(0, 6)) if rng.random() < 0.8 else rng.uniform(5, 20)
    noise = rng.standard_normal(picture.shape, np.float32) * np.float32(level)
    if rng.random() < 0.3:
        noise = cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.5, 1.2)) * np.float32(1.6)
    return np.asarray(picture + noise, np.float32)
