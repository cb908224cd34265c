"""What a camera does to the light: lens, blur, noise, tone curve, noise reduction, sharpening and JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.synth.camera import Camera
from kibitz.models.synth.spec import CameraSpec, PhotoSpec

ByteArray = NDArray[np.uint8]
FloatArray = NDArray[np.float32]

GAMMA = 2.2
_LINEAR = (np.arange(256, dtype=np.float32) / 255.0) ** GAMMA
_STEPS = 4096


def to_linear(picture: ByteArray) -> FloatArray:
    """Light of a displayed picture, 0..1."""
    return np.asarray(cv2.LUT(picture, _LINEAR), dtype=np.float32)


def through_lens(light: FloatArray, camera: Camera, fringe: float) -> FloatArray:
    """Bend the drawn frame as the lens does; red and blue a little apart at the edges."""
    height, width = light.shape[:2]
    if not camera.barrel and not fringe:
        return light
    step = 16
    xs = np.arange(0, width + step, step, dtype=np.float64)
    ys = np.arange(0, height + step, step, dtype=np.float64)
    coarse = np.stack(np.meshgrid(xs, ys), axis=-1)
    moved = camera.undistort(coarse) - coarse
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float32)
    size = (len(xs) * step, len(ys) * step)
    shift = cv2.warpAffine(
        moved.astype(np.float32), np.array([[1 / step, 0, 0], [0, 1 / step, 0]]), size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )[:height, :width]  # fmt: skip
    where = (grid + shift).astype(np.float32)
    if not fringe:
        return cv2.remap(light, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    centre = np.array([width - 1, height - 1], dtype=np.float32) / 2
    scale = 2 * fringe / np.hypot(width, height)
    planes = []
    for channel, sign in enumerate((1.0, 0.0, -1.0)):
        apart = (where + (where - centre) * np.float32(scale * sign)).astype(np.float32)
        plane = np.ascontiguousarray(light[..., channel])
        planes.append(cv2.remap(plane, apart, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))  # type: ignore[call-overload]
    return np.asarray(cv2.merge(planes), np.float32)


def _blurred(light: FloatArray, spec: PhotoSpec, rng: np.random.Generator) -> FloatArray:
    if spec.defocus > 0.25:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), spec.defocus), np.float32)
    angle = rng.uniform(0, np.pi)
    if spec.motion > 1:
        size = int(spec.motion) | 1
        kernel = np.zeros((size, size), np.float32)
        reach = np.array([np.cos(angle), np.sin(angle)]) * (size // 2)
        ends = [(round(size // 2 + sign * reach[0]), round(size // 2 + sign * reach[1])) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], (1.0,), 1, cv2.LINE_8)
        light = np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), np.float32)
    if spec.double > 0:
        way = np.array([np.cos(angle + 0.3), np.sin(angle + 0.3)]) * spec.double
        moved = cv2.warpAffine(
            light, np.array([[1, 0, way[0]], [0, 1, way[1]]]), light.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
        )
        part = float(rng.uniform(0.3, 0.6))
        light = np.asarray(cv2.addWeighted(light, 1 - part, moved, part, 0), np.float32)
    return light


def _noise(shape: tuple[int, int], grain: float, rng: np.random.Generator) -> FloatArray:
    """Sensor noise of three channels: a repeated tile is cheap, and its repeats are far apart."""
    height, width = shape
    tile = rng.standard_normal((min(height, 512) + 31, min(width, 512) + 37, 3), dtype=np.float32)
    if grain > 0:
        tile = cv2.GaussianBlur(tile, (0, 0), grain) * (1 + 2.2 * grain)
    return np.tile(tile, (height // tile.shape[0] + 1, width // tile.shape[1] + 1, 1))[:height, :width]


def _tone(spec: PhotoSpec) -> ByteArray:
    """Table from linear light (0..1 in `_STEPS`) to a displayed byte."""
    display = np.linspace(0, 1, _STEPS) ** (1 / GAMMA)
    curve = display + spec.contrast * 0.5 * (display - 0.5) * (1 - np.abs(2 * display - 1)) * 1.2
    return np.clip(np.round(curve * 255), 0, 255).astype(np.uint8)


def _colours(spec: PhotoSpec) -> FloatArray:
    """Matrix that pulls colours together (or apart), in linear light."""
    grey = np.array([0.11, 0.59, 0.30], np.float32)
    return (spec.saturation * np.eye(3, dtype=np.float32) + (1 - spec.saturation) * grey[None, :]).astype(np.float32)


def expose(light: FloatArray, spec: PhotoSpec, rng: np.random.Generator) -> ByteArray:
    """The developed picture of linear light in which white paper in the middle of the table is 1."""
    height, width = light.shape[:2]
    light = _blurred(light, spec, rng)
    if abs(spec.saturation - 1) > 0.03:
        light = np.asarray(cv2.transform(light, _colours(spec)), np.float32)
    gain = (np.array(spec.paper) / 255.0) ** GAMMA
    light = light * ((1 - spec.veil) * gain).astype(np.float32) + np.float32(spec.veil * float(gain.mean()) * 0.6)
    if spec.vignette:
        ys = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        xs = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
        light *= (1 - spec.vignette * 0.5 * (xs * xs + ys * ys) / 1.0)[..., None].astype(np.float32)
    if spec.noise > 0.002:
        grain = float(rng.choice([0.0, 0.6, 1.0]))
        amount = np.sqrt(np.maximum(light, 0) * np.float32(spec.noise**2 * 0.6) + np.float32(spec.noise**2 * 0.01))
        light = light + amount * _noise((height, width), grain, rng)
    index = np.clip(light * (_STEPS - 1), 0, _STEPS - 1).astype(np.uint16)
    return np.take(_tone(spec), index)


def finish(picture: ByteArray, spec: PhotoSpec, camera: CameraSpec) -> ByteArray:
    """Noise reduction, enlarging, sharpening and JPEG, as the camera's own software does them."""
    if spec.smear > 0:
        soft = cv2.bilateralFilter(picture, 5, 18 + 40 * spec.smear, 2.0)
        picture = cv2.addWeighted(picture, 1 - 0.9 * spec.smear, soft, 0.9 * spec.smear, 0).astype(np.uint8)
        ycc = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
        chroma = cv2.blur(ycc, (5, 5))
        ycc[..., 1:] = chroma[..., 1:]
        picture = cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR).astype(np.uint8)
    if picture.shape[1::-1] != (camera.width, camera.height):
        picture = cv2.resize(picture, (camera.width, camera.height), interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    if spec.sharpen > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = cv2.addWeighted(picture, 1 + spec.sharpen, soft, -spec.sharpen, 0).astype(np.uint8)
    if spec.jpeg < 100:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, spec.jpeg])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return picture
