"""Light changes made to stored pieces each time they are shown: quarter turns, scale, shift, colour, patch to crop."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.nets import CROP_HEIGHT, CROP_WIDTH
from kibitz.models.samples import (
    PATCH_HEIGHT,
    PATCH_MARGIN,
    PATCH_WIDTH,
    ByteArray,
    FloatArray,
    QuadPicture,
    bounds,
    warp_points,
)

CROP_MARGIN = 0.15  # of the quad on each side, as the classifier's input is defined
QUARTER_TURNS = (0, 90, 180, 270)


def move(one: QuadPicture, rng: np.random.Generator, scales: tuple[float, float], least_inside: float) -> QuadPicture:
    """Turns by a quarter, scales and shifts a picture in its square; what leaves it becomes a region to ignore."""
    side = one.picture.shape[0]
    angle = np.radians(float(rng.choice(QUARTER_TURNS)))
    scale = float(np.exp(rng.uniform(*np.log(scales))))
    c, s = scale * np.cos(angle), scale * np.sin(angle)
    middle = np.array([side / 2, side / 2])
    slack = abs(1 - scale) * side / 2
    target = middle + rng.uniform(-slack, slack, 2)
    linear = np.array([[c, -s], [s, c]])
    matrix = np.eye(3)
    matrix[:2, :2], matrix[:2, 2] = linear, target - linear @ middle
    mode = cv2.BORDER_CONSTANT
    picture = cv2.warpAffine(one.picture, matrix[:2], (side, side), borderMode=mode, borderValue=(114, 114, 114))
    quads = warp_points(matrix, one.quads) if len(one.quads) else one.quads
    boxes, ignore = move_boxes(matrix, one.boxes), move_boxes(matrix, one.ignore)
    area = np.maximum((boxes[:, 2:] - boxes[:, :2]).prod(1), 1e-3)
    cut = np.clip(boxes, 0, side)
    inside = np.clip(cut[:, 2:] - cut[:, :2], 0, None).prod(1) / area
    keep = inside >= least_inside
    return QuadPicture(
        np.asarray(picture, np.uint8),
        quads[keep],
        cut[keep],
        one.classes[keep],
        np.concatenate([ignore, cut[~keep & (inside > 0.02)]]),
    )


def move_boxes(matrix: NDArray[np.float64], boxes: FloatArray) -> FloatArray:
    """Boxes (N, 4) under a map that turns by quarters."""
    if len(boxes) == 0:
        return boxes.reshape(-1, 4)
    corners = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
    return bounds(warp_points(matrix, corners))


def recolour(pictures: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """(N, H, W, 3) 0..1: a little gain per channel, brightness, gamma-like bend; some pictures turn grey."""
    count = len(pictures)
    gain = np.exp(rng.normal(0, 0.07, (count, 1, 1, 3)) + rng.normal(0, 0.15, (count, 1, 1, 1))).astype(np.float32)
    lift = rng.normal(0, 0.03, (count, 1, 1, 1)).astype(np.float32)
    changed = pictures * gain + lift
    changed += rng.normal(0, 0.15, (count, 1, 1, 1)).astype(np.float32) * changed * (1 - changed)
    return np.clip(changed, 0, 1).astype(np.float32)


def cut_crop(patch: ByteArray, rng: np.random.Generator | None, hard: float = 1.0) -> ByteArray:
    """The (64, 40, 3) crop out of a patch: exactly (no rng), or as a detector with some error would cut it."""
    share = (PATCH_MARGIN - CROP_MARGIN) / (1 + 2 * PATCH_MARGIN)
    box = np.array([[share, share], [1 - share, share], [1 - share, 1 - share], [share, 1 - share]])
    if rng is not None:
        middle = np.array([0.5, 0.5])
        angle = np.radians(rng.normal(0, 5.0 * hard))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        shape = np.array([1.0, PATCH_HEIGHT / PATCH_WIDTH])  # turning is done in square units
        zoom = np.exp(rng.normal(0, 0.07 * hard, 2))
        box = ((box - middle) * zoom * shape) @ turn / shape + middle + rng.normal(0, 0.028 * hard, 2)
        box = box + rng.normal(0, 0.012 * hard, (4, 2))
    source = (box * [PATCH_WIDTH, PATCH_HEIGHT]).astype(np.float32)
    target = np.array([[0, 0], [CROP_WIDTH, 0], [CROP_WIDTH, CROP_HEIGHT], [0, CROP_HEIGHT]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    return np.asarray(
        cv2.warpPerspective(patch, matrix, (CROP_WIDTH, CROP_HEIGHT), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def soften(crop: ByteArray, rng: np.random.Generator) -> ByteArray:
    """Sometimes makes a crop as small, blurred or noisy as one from far away."""
    kind = rng.random()
    if kind < 0.3:
        tall = int(np.exp(rng.uniform(np.log(11), np.log(48))))
        small = cv2.resize(crop, (max(6, tall * 5 // 8), tall), interpolation=cv2.INTER_AREA)
        crop = np.asarray(cv2.resize(small, (CROP_WIDTH, CROP_HEIGHT), interpolation=cv2.INTER_LINEAR), np.uint8)
    elif kind < 0.45:
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.5, 2.2)), np.uint8)
    elif kind < 0.52:
        size = int(rng.integers(2, 9))
        line = np.zeros((size, size), np.float32)
        ends = ((0, int(rng.integers(size))), (size - 1, int(rng.integers(size))))
        cv2.line(line, *ends, 1.0)
        line = line.T if rng.random() < 0.5 else line
        crop = np.asarray(cv2.filter2D(crop, -1, line / line.sum()), np.uint8)
    if rng.random() < 0.25:
        noise = rng.standard_normal(crop.shape, np.float32) * np.float32(abs(rng.normal(0, 9)))
        crop = np.clip(crop + noise, 0, 255).astype(np.uint8)
    return crop
