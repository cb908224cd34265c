"""The coarse network: outlines of whole cards, face up and face down, from a small picture of the whole table."""

from __future__ import annotations

import cv2
import numpy as np

from kibitz.vision import geometry
from kibitz.vision.session import Network, decode, round_up, to_input
from kibitz.vision.types import CardOutlines, Frame, ModelPaths

SIDE = 640
"""Long side of the network's input, pixels."""
FAINT = 0.1
"""Outlines down to this score are given too: a lone pile of backs often gets no more; its place may vouch for it."""
SAME = 0.55
"""Outlines of one kind that share more than this are one card; neighbours in a column share less."""


class OutlineFinder:
    """Finds cards as wholes."""

    def __init__(self, network: Network, threshold: float) -> None:
        """Keeps the network and the least score of a card."""
        self._network, self._threshold = network, threshold

    @staticmethod
    def load(paths: ModelPaths, threads: int = 2) -> OutlineFinder | None:
        """The finder of `paths.cards`, or None where there is no such network."""
        least = min(FAINT, paths.cards_threshold)
        return OutlineFinder(Network(paths.cards, threads), least) if paths.cards else None

    def find(self, frame: Frame) -> CardOutlines:
        """The outlines in pixels of `frame.picture`, best first."""
        height, width = frame.picture.shape[:2]
        scale = SIDE / max(height, width)
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        size = max(1, round(width * scale)), max(1, round(height * scale))
        view = np.asarray(cv2.resize(frame.picture, size, interpolation=way), np.uint8)
        batch = to_input(view, (round_up(size[1]), round_up(size[0])))
        quads, scores = decode(self._network.run(batch)[0], 2, self._threshold)
        quads = np.asarray(quads / np.asarray([size[0] / width, size[1] / height], np.float32), np.float32)
        best = scores.max(axis=1)
        face_up = np.asarray(scores[:, 0] / np.maximum(scores.sum(axis=1), 1e-6), np.float32)
        found = CardOutlines(quads, best, face_up).take(geometry.is_proper(quads, 64.0))
        return found.take(geometry.suppress(found.quads, found.scores, SAME))
