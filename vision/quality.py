"""Whether a picture is good enough to be read, in the words of what to change: light, focus, distance."""

from __future__ import annotations

from types import MappingProxyType

import cv2
import numpy as np

from kibitz.vision.types import ByteArray, ReadingProblem, ReadingProblemKind

NEEDED_HEIGHT = 14.0
"""Pixels of an index below which reading becomes unreliable."""
DARK = 28.0
"""Brightness (0..255) below which even the lighter parts of a picture are too dark."""
BLURRED = 0.012
"""Least share of the brightness range that neighbouring pixels differ by along the sharpest edges."""
SIDE = 960


def judge(picture: ByteArray, index_height: float, found: int, doubtful: int) -> list[ReadingProblem]:
    """What is wrong with a picture as such.

    Args:
        picture: (H, W, 3) BGR.
        index_height: median height of the indices found, pixels of `picture`; 0 if there are none.
        found: number of cards read.
        doubtful: how many of them are unsure.
    """
    problems: list[ReadingProblem] = []
    light, sharpness = brightness(picture), sharpest(picture)
    if found == 0:
        problems.append(ReadingProblem(ReadingProblemKind.NOTHING_FOUND))
    if light < DARK:
        problems.append(_problem(ReadingProblemKind.TOO_DARK, light, DARK))
    if 0 < index_height < NEEDED_HEIGHT:
        problems.append(_problem(ReadingProblemKind.TOO_FAR, index_height, NEEDED_HEIGHT))
    elif sharpness < BLURRED and (found == 0 or doubtful > 0.2 * found):
        problems.append(_problem(ReadingProblemKind.BLURRED, sharpness, BLURRED))
    return problems


def _problem(kind: ReadingProblemKind, has: float, needs: float) -> ReadingProblem:
    return ReadingProblem(kind, values=MappingProxyType({"has": round(has, 3), "needs": needs}))


def brightness(picture: ByteArray) -> float:
    """95th percentile of the grey value, 0..255: white cards make it high in any usable light."""
    return float(np.percentile(_grey(picture), 95))


def sharpest(picture: ByteArray) -> float:
    """How steep the steepest hundredth of all edges is: share of the brightness range per two pixels, 0..1."""
    grey = cv2.GaussianBlur(_grey(picture), (3, 3), 0).astype(np.float32)
    low, high = np.percentile(grey, [1, 99])
    if high - low < 8:
        return 0.0
    fine = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    return float(np.percentile(fine, 99.5) / (high - low) / 4)


def _grey(picture: ByteArray) -> ByteArray:
    scale = SIDE / max(picture.shape[:2])
    if scale < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
