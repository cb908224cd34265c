"""Quadrilaterals, their directions and overlaps. All points are (x, y) in pixels, y down, unless said otherwise."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from kibitz.vision.types import ByteArray, FloatArray

Floats = npt.NDArray[np.floating[Any]]


def centres(quads: Floats) -> FloatArray:
    """(N, 2) mean corner of each of the (N, 4, 2) quads."""
    return np.asarray(quads.mean(axis=1), np.float32).reshape(-1, 2)


def down_vectors(quads: Floats) -> FloatArray:
    """(N, 2) from the middle of the top edge to the middle of the bottom edge; its length is the height."""
    down: FloatArray = np.asarray((quads[:, 3] + quads[:, 2] - quads[:, 0] - quads[:, 1]) / 2, np.float32)
    return down


def right_vectors(quads: Floats) -> FloatArray:
    """(N, 2) from the middle of the left edge to the middle of the right edge; its length is the width."""
    right: FloatArray = np.asarray((quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 2, np.float32)
    return right


def heights(quads: Floats) -> FloatArray:
    """(N,) lengths of the down vectors, pixels."""
    return np.asarray(np.linalg.norm(down_vectors(quads), axis=1), np.float32)


def widths(quads: Floats) -> FloatArray:
    """(N,) lengths of the right vectors, pixels."""
    return np.asarray(np.linalg.norm(right_vectors(quads), axis=1), np.float32)


def areas(quads: Floats) -> FloatArray:
    """(N,) areas by the shoelace formula, square pixels; negative if the corners run anticlockwise on the screen."""
    x, y = quads[..., 0], quads[..., 1]
    nx, ny = np.roll(x, -1, axis=-1), np.roll(y, -1, axis=-1)
    return np.asarray((x * ny - nx * y).sum(axis=-1) / 2, np.float32)


def turned(quads: Floats) -> FloatArray:
    """The same quads read upside down: TL becomes BR."""
    return np.asarray(quads[:, [2, 3, 0, 1]], np.float32)


def enlarged(quads: Floats, share: float) -> FloatArray:
    """Each quad made larger by `share` of its size on each side (0.15 = 1.3 times as wide and high)."""
    middle = quads.mean(axis=1, keepdims=True)
    return np.asarray(middle + (quads - middle) * (1 + 2 * share), np.float32)


def moved(points: Floats, matrix: Floats) -> FloatArray:
    """(..., 2) points put through a (3, 3) homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    out = np.c_[flat, np.ones(len(flat))] @ np.asarray(matrix, np.float64).T
    return np.asarray((out[:, :2] / out[:, 2:]).reshape(points.shape), np.float32)


def inside(points: Floats, quad: Floats, margin: float = 0.0) -> npt.NDArray[np.bool_]:
    """(N,) whether each of the (N, 2) points lies in a convex quad, at least `margin` pixels from its edges.

    A negative margin counts points that lie outside by as much.
    """
    start, end = quad, np.roll(quad, -1, axis=0)
    edge = end - start
    length = np.maximum(np.linalg.norm(edge, axis=1), 1e-6)
    sign = 1.0 if float(areas(quad[None])[0]) >= 0 else -1.0
    offset = points[:, None, :] - start[None]
    distance = sign * (edge[None, :, 0] * offset[..., 1] - edge[None, :, 1] * offset[..., 0]) / length
    return np.asarray((distance >= margin).all(axis=1))


def overlap(first: Floats, second: Floats) -> float:
    """Common area of two convex quads, square pixels.

    Clips edge by edge; OpenCV's intersectConvexConvex loses quads whose edges nearly coincide, as stacked cards' do.
    """
    subject = [(float(x), float(y)) for x, y in first]
    clip = [(float(x), float(y)) for x, y in second]
    sign = 1.0 if float(areas(np.asarray(second)[None])[0]) >= 0 else -1.0
    for k in range(len(clip)):
        (ax, ay), (bx, by) = clip[k - 1], clip[k]
        ex, ey = bx - ax, by - ay
        sides = [sign * (ex * (y - ay) - ey * (x - ax)) for x, y in subject]
        kept: list[tuple[float, float]] = []
        for n in range(len(subject)):
            (px, py), (qx, qy), p, q = subject[n - 1], subject[n], sides[n - 1], sides[n]
            if (p < 0) != (q < 0):
                t = p / (p - q)
                kept.append((px + t * (qx - px), py + t * (qy - py)))
            if q >= 0:
                kept.append((qx, qy))
        subject = kept
        if len(subject) < 3:
            return 0.0
    total = sum(subject[n - 1][0] * subject[n][1] - subject[n][0] * subject[n - 1][1] for n in range(len(subject)))
    return abs(total) / 2


def iou(first: Floats, second: Floats) -> float:
    """Intersection over union of two convex quads, 0..1."""
    common = overlap(first, second)
    union = abs(float(areas(first[None])[0])) + abs(float(areas(second[None])[0])) - common
    return common / union if union > 0 else 0.0


def suppress(quads: Floats, scores: Floats, most: float, contained: float = 1.0) -> npt.NDArray[np.intp]:
    """Rows that are kept, best first, so that no two kept quads overlap too much (oriented NMS).

    Args:
        quads: (N, 4, 2).
        scores: (N,).
        most: largest allowed intersection over union.
        contained: largest allowed intersection over the smaller of the two areas.
    """
    order = _distinct(quads, np.argsort(-np.asarray(scores), kind="stable"))
    low, high = quads.min(axis=1), quads.max(axis=1)
    size = np.abs(areas(quads))
    kept: list[int] = []
    for row in order:
        rivals = [k for k in kept if bool((low[k] < high[row]).all() and (low[row] < high[k]).all())]
        if all(_apart(quads, size, (k, int(row)), (most, contained)) for k in rivals):
            kept.append(int(row))
    return np.asarray(kept, np.intp)


def _distinct(quads: Floats, order: npt.NDArray[np.intp], most: float = 0.8) -> npt.NDArray[np.intp]:
    """The order without rows whose upright box nearly equals that of a better one: a cheap first sieve."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    size = (high - low).prod(axis=1)
    left, kept = order, []
    while len(left):
        best, left = left[0], left[1:]
        kept.append(int(best))
        common = np.clip(np.minimum(high[best], high[left]) - np.maximum(low[best], low[left]), 0, None).prod(axis=1)
        left = left[common <= most * (size[best] + size[left] - common)]
    return np.asarray(kept, np.intp)


def _apart(quads: Floats, size: FloatArray, pair: tuple[int, int], limits: tuple[float, float]) -> bool:
    common = overlap(quads[pair[0]], quads[pair[1]])
    a, b = float(size[pair[0]]), float(size[pair[1]])
    union, smaller = a + b - common, min(a, b)
    return common <= limits[0] * union and common <= limits[1] * max(smaller, 1e-6)


def is_proper(quads: Floats, least_area: float = 9.0) -> npt.NDArray[np.bool_]:
    """(N,) whether each quad is convex, turns clockwise and has at least `least_area` square pixels."""
    edge = np.roll(quads, -1, axis=1) - quads
    after = np.roll(edge, -1, axis=1)
    turn = edge[..., 0] * after[..., 1] - edge[..., 1] * after[..., 0]
    return np.asarray((turn > 0).all(axis=1) & (areas(quads) >= least_area))


def straighten(picture: ByteArray, quads: Floats, size: tuple[int, int]) -> ByteArray:
    """(N, height, width, 3) upright crops of the quads; `size` = (width, height) in pixels.

    Big quads are taken from a shrunk copy, so that fine print is averaged and not sampled.
    """
    width, height = size
    target = np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    levels = [picture]
    crops = np.zeros((len(quads), height, width, 3), np.uint8)
    for i, quad in enumerate(np.asarray(quads, np.float32)):
        shrink = float(heights(quad[None])[0]) / height
        level = 0 if shrink < 1.7 else min(int(np.log2(shrink / 0.85)), 5)
        while len(levels) <= level:
            levels.append(np.asarray(cv2.pyrDown(levels[-1]), np.uint8))
        matrix = cv2.getPerspectiveTransform(np.asarray(quad / 2**level, np.float32), target)
        flags, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
        crops[i] = cv2.warpPerspective(levels[level], matrix, (width, height), flags=flags, borderMode=border)
    return crops
