"""Counts the face-down cards of a column from the strips of their backs, with a small network.

Only a strip of each face-down card is seen, often without a border and with a print that repeats: outlines of whole
cards do not tell how many there are. Looked at straight, from the first face-up card upwards, the edges do.
"""

from __future__ import annotations

import cv2
import numpy as np

from kibitz.vision.session import Network
from kibitz.vision.types import ByteArray, FloatArray, ModelPaths

MOST = 7
"""Counts up to here are told apart; the last answer means "so many or more"."""
ABOVE, BELOW = 2.3, 0.2
"""Card heights of the crop above and below the upper edge of the anchor card."""
ACROSS = 1.3
"""Card widths of the crop."""
CROP_HEIGHT, CROP_WIDTH = 208, 64
"""Pixels of the network's input."""


class StripCounter:
    """Counts backs above an anchor card, the first face-up card of a column."""

    def __init__(self, network: Network, temperature: float) -> None:
        """Keeps the network and what its logits are divided by."""
        self._network, self._temperature = network, temperature

    @staticmethod
    def load(paths: ModelPaths, threads: int = 2) -> StripCounter | None:
        """The counter of `paths.strips`, or None where there is no such network."""
        return StripCounter(Network(paths.strips, threads), paths.strips_temperature) if paths.strips else None

    def count(self, picture: ByteArray, areas: FloatArray) -> FloatArray:
        """Probabilities of 0, 1, ... MOST face-down cards.

        Args:
            picture: (H, W, 3) BGR.
            areas: (N, 4, 2) crop corners in pixels, from the column's far left, clockwise: `ABOVE` + `BELOW` card
                heights long and `ACROSS` card widths wide around the anchor card's upper edge.

        Returns:
            (N, MOST + 1), each row summing to 1.
        """
        if not len(areas):
            return np.zeros((0, MOST + 1), np.float32)
        crops = np.stack([upright(picture, area) for area in areas])
        batch = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)
        logits = self._network.run(batch)[0] / self._temperature
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


def upright(picture: ByteArray, area: FloatArray) -> ByteArray:
    """(CROP_HEIGHT, CROP_WIDTH, 3): a quad of the picture, area-shrunk where it is larger than the crop."""
    target = np.asarray([[0, 0], [CROP_WIDTH, 0], [CROP_WIDTH, CROP_HEIGHT], [0, CROP_HEIGHT]], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(np.asarray(area, np.float32), target), np.float64)
    tall = float(np.linalg.norm(area[3] - area[0]) + np.linalg.norm(area[2] - area[1])) / 2
    factor = max(1, round(tall / CROP_HEIGHT))  # warpPerspective cannot average: warp large, then shrink
    size = (CROP_WIDTH * factor, CROP_HEIGHT * factor)
    big = np.diag([factor, factor, 1.0]) @ matrix
    crop = cv2.warpPerspective(picture, big, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if factor > 1:
        crop = cv2.resize(crop, (CROP_WIDTH, CROP_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)
