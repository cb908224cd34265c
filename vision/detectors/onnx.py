"""The index detector on ONNX Runtime, at scales that suit the size of the indices.

The network reads indices best when they are about 34 pixels high. How large they are is not known beforehand, so the
picture is first looked at small; the median height found says at which scale to look again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np

from kibitz.vision import geometry
from kibitz.vision.detectors import DetectorOptions
from kibitz.vision.session import Network, Runner, decode, round_up, to_input
from kibitz.vision.types import ByteArray, FloatArray, Frame, IndexDetections, ModelPaths

BEST_HEIGHT = 34.0
"""Pixels of an index in the network's input at which it reads best."""
NEAR_SCALE = 1.25
"""A look at a scale nearer than this to another brings nothing."""
FEW = 4
"""Fewer indices than this say nothing about the right scale."""
LARGEST_SCALE = 2.5
MOST_PIXELS = 7_000_000
"""A look is never larger than this."""
TILE = 1280
"""Bigger inputs are cut into tiles of this side, so that memory stays bounded."""
TILE_MARGIN = 128
FIRST_SIDE = 960
"""Long side of the first look, pixels."""
OTHER_SIZES = (2.0, 0.4)
"""Where the first look finds few indices, it is followed by looks this much larger and smaller."""
SAME = 0.45
"""Two quads that share more than this of the smaller one are the same index."""


def load(paths: ModelPaths, options: DetectorOptions) -> OnnxDetector:
    """The detector of `paths.index`."""
    return OnnxDetector(Network(paths.index, options.threads), paths.index_threshold, options.scales)


class OnnxDetector:
    """Runs the network at the scales needed and joins what they find."""

    def __init__(self, network: Runner, threshold: float, scales: tuple[float, ...] = ()) -> None:
        """Keeps the network; fixed `scales` switch the search for the right one off."""
        self._network, self._threshold, self._scales = network, threshold, scales

    def detect(self, frame: Frame) -> IndexDetections:
        """The indices, in pixels of `frame.picture`, best first."""
        picture = frame.picture
        if self._scales:
            return _join([self._look(picture, scale) for scale in self._scales])
        scales = [min(1.0, FIRST_SIDE / max(picture.shape[:2]))]
        looks = [self._look(picture, scales[0])]
        if len(looks[0]) < FEW:
            # few: far cards, or one card that fills the picture with indices larger than the network knows
            scales += [factor * scales[0] for factor in OTHER_SIZES]
            looks += [self._look(picture, scale) for scale in scales[1:]]
        for _ in range(2):
            missing = _missing_scales(_join(looks), scales, picture)
            if not missing:
                break
            scales += missing
            looks += [self._look(picture, scale) for scale in missing]
        return _join([_weighted(look, scale) for look, scale in zip(looks, scales, strict=True)])

    def _look(self, picture: ByteArray, scale: float) -> IndexDetections:
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        view = picture if scale == 1 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way)
        quads, scores = [], []
        for left, top, tile in _tiles(np.asarray(view, np.uint8)):
            size = round_up(tile.shape[0]), round_up(tile.shape[1])
            part, score = decode(self._network.run(to_input(tile, size))[0], 1, self._threshold)
            quads.append(part + np.asarray([left, top], np.float32))
            scores.append(score[:, 0])
        step = np.asarray([picture.shape[1] / view.shape[1], picture.shape[0] / view.shape[0]], np.float32)
        return _clean(np.concatenate(quads) * step, np.concatenate(scores), 16 / scale**2)


def _missing_scales(found: IndexDetections, seen: list[float], picture: ByteArray) -> list[float]:
    """Scales that bring the indices found to the best height, if no scale looked at did."""
    if not len(found):
        return []
    tall = geometry.heights(found.quads)
    wanted = [BEST_HEIGHT / float(np.median(tall))]
    small, large = np.percentile(tall, [10, 90])
    if large > 1.9 * small:
        wanted += [BEST_HEIGHT / float(small), BEST_HEIGHT / float(large)]
    most = min(LARGEST_SCALE, math.sqrt(MOST_PIXELS / (picture.shape[0] * picture.shape[1])))
    missing: list[float] = []
    for scale in wanted:
        scale = min(scale, most)
        if all(abs(math.log(scale / other)) > math.log(NEAR_SCALE) for other in seen + missing):
            missing.append(scale)
    return missing


def _weighted(found: IndexDetections, scale: float) -> IndexDetections:
    """Scores of indices far from the best height count less when the same index was found at two scales."""
    away = np.abs(np.log(np.maximum(geometry.heights(found.quads), 1) * scale / BEST_HEIGHT))
    weight = np.exp(-0.25 * np.maximum(away - 0.3, 0))
    return IndexDetections(found.quads, np.asarray(found.scores * weight, np.float32))


def _tiles(view: ByteArray) -> Iterator[tuple[int, int, ByteArray]]:
    """Left, top and picture of overlapping tiles; a single one where the view is small enough."""
    height, width = view.shape[:2]
    if max(height, width) <= 2 * TILE and height * width <= 2 * TILE * TILE:
        yield 0, 0, view
        return
    for top in _starts(height):
        for left in _starts(width):
            yield left, top, view[top : top + TILE, left : left + TILE]


def _starts(length: int) -> list[int]:
    count = max(1, math.ceil((length - TILE_MARGIN) / (TILE - TILE_MARGIN)))
    last = max(length - TILE, 0)
    return sorted({round(last * i / max(count - 1, 1)) for i in range(count)})


def _clean(quads: FloatArray, scores: FloatArray, least_area: float) -> IndexDetections:
    proper = geometry.is_proper(quads, least_area)
    quads, scores = quads[proper], scores[proper]
    return IndexDetections(quads, scores).take(geometry.suppress(quads, scores, SAME, 0.7))


def _join(looks: list[IndexDetections]) -> IndexDetections:
    quads = np.concatenate([look.quads for look in looks])
    scores = np.concatenate([look.scores for look in looks])
    return IndexDetections(quads, scores).take(geometry.suppress(quads, scores, SAME, 0.6))
