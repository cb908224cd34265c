"""What moved between two pictures of one table: blocks that changed, hands, and a camera or table that was nudged.

All pictures are (H, W, 3) uint8 BGR. Homographies map pixels of the earlier picture to pixels of the later one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from kibitz.vision.errors import ShapeError
from kibitz.vision.types import ByteArray, FloatArray, check_shape

Small = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

SIDE = 160
"""Pixels of the longer side of the small grey pictures in which change is looked for."""
STEP = 18.0
"""Grey values by which a block must differ to have changed."""
TRACKED_SIDE = 640
"""Pixels of the longer side of the pictures in which a nudge is looked for."""
FEATURES = 1200
LEAST_AGREEING, LEAST_SHARE = 24, 0.35
"""So many features, and so large a part of those that find a partner, must agree on one movement."""
RANSAC_PIXELS = 2.5
LEAST_CORRELATION = 0.25
"""Response of the phase correlation from which a plain shift is believed."""
REFINING = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 15, 1e-4)
UNLIKE = 25.0
"""Grey values: where the pictures differ by more after the rough movement, cards were moved; refining leaves it out."""
MOST_SCALE, MOST_BEND = 1.35, 4e-4
"""A nudge changes the scale by less than this, and its perspective terms (per pixel at TRACKED_SIDE) stay below."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """How the whole table has moved in the picture.

    Attributes:
        matrix: (3, 3) homography, earlier pixels -> later pixels.
        size: width and height of the pictures.
        agreeing: features that moved so; 0 for a shift found by correlation.
    """

    matrix: Matrix
    size: tuple[int, int]
    agreeing: int = 0

    def __post_init__(self) -> None:
        check_shape("matrix", self.matrix, (3, 3))
        if not np.isfinite(self.matrix).all() or abs(float(np.linalg.det(self.matrix))) < 1e-9:
            raise ShapeError("expected a homography that can be turned round, got a singular matrix")

    @property
    def pixels(self) -> float:
        """The farthest way that a corner of the picture has moved."""
        width, height = self.size
        corners = np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        return float(np.linalg.norm(self.moved(corners) - corners, axis=1).max())

    def moved(self, points: FloatArray) -> FloatArray:
        """(N, 2) points of the earlier picture, in the later one."""
        return np.asarray(cv2.perspectiveTransform(points.reshape(1, -1, 2).astype(np.float64), self.matrix)[0], "f4")

    def warped(self, picture: ByteArray) -> ByteArray:
        """The earlier picture as the later camera would have seen it; what was out of sight is black."""
        return np.asarray(cv2.warpPerspective(picture, self.matrix, self.size, flags=cv2.INTER_LINEAR), np.uint8)

    def then(self, later: Nudge) -> Nudge:
        """This nudge and then another one."""
        return Nudge(later.matrix @ self.matrix, later.size, min(self.agreeing, later.agreeing))

    @staticmethod
    def none(size: tuple[int, int]) -> Nudge:
        """Nothing has moved."""
        return Nudge(np.eye(3), size)


def small(picture: ByteArray) -> Small:
    """A grey picture of about 160 pixels, each the mean of a block: cheap, and blind to the camera's noise."""
    height, width = picture.shape[:2]
    block = max(1, max(height, width) // SIDE)
    size = (width // block, height // block)
    cut = picture[: size[1] * block, : size[0] * block, 1]
    return np.asarray(cv2.resize(np.ascontiguousarray(cut), size, interpolation=cv2.INTER_AREA), np.float32)


def changed(a: Small, b: Small) -> Mask:
    """Which blocks differ; a change of the light as a whole does not count."""
    if a.shape != b.shape:
        return np.ones(b.shape, np.bool_)
    difference = b - a
    return np.asarray(np.abs(difference - np.median(difference)) > STEP, np.bool_)


def changed_share(a: Small, b: Small) -> float:
    """Share of the blocks that differ."""
    return float(changed(a, b).mean())


def changed_besides(earlier: ByteArray, later: ByteArray, nudge: Nudge) -> Mask:
    """Which blocks of the later picture differ from the earlier one after the whole table has moved."""
    seen = nudge.warped(np.full((*earlier.shape[:2], 3), 255, np.uint8))
    overlap = small(seen) > 250
    difference = changed(small(nudge.warped(earlier)), small(later)) & overlap
    # A seam of half a pixel along the cards' edges is no change; a card is many blocks wide.
    opened = cv2.morphologyEx(difference.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(opened > 0, np.bool_)


def reaching_in(mask: Mask) -> float:
    """Share of the picture taken by the largest changed area that comes in over an edge: an arm, a sleeve."""
    if not mask.any():
        return 0.0
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    touching = [k for k in range(1, count) if int((edge == k).sum()) >= 3]
    return max((float(stats[k, cv2.CC_STAT_AREA]) / mask.size for k in touching), default=0.0)


def register(earlier: ByteArray, later: ByteArray) -> Nudge | None:
    """How the camera or the table has moved between two pictures of a still table.

    Cards that were moved, turned or covered meanwhile do no harm as long as most of the picture is the same.

    Returns:
        The movement, or None if the pictures have no movement in common.
    """
    if earlier.shape != later.shape:
        return None
    height, width = later.shape[:2]
    scale = min(1.0, TRACKED_SIDE / max(height, width))
    a, b = _grey(earlier, scale), _grey(later, scale)
    found = _by_features(a, b) or _by_correlation(a, b)
    if found is None:
        return None
    matrix, agreeing = _refined(a, b, found[0]), found[1]
    up = np.diag([1 / scale, 1 / scale, 1.0])
    return Nudge(up @ matrix @ np.linalg.inv(up), (width, height), agreeing)


def _grey(picture: ByteArray, scale: float) -> ByteArray:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8)


def _by_features(a: ByteArray, b: ByteArray) -> tuple[Matrix, int] | None:
    orb = cv2.ORB.create(FEATURES, fastThreshold=10)
    (points_a, words_a), (points_b, words_b) = orb.detectAndCompute(a, None), orb.detectAndCompute(b, None)
    if words_a is None or words_b is None or min(len(words_a), len(words_b)) < LEAST_AGREEING:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(words_a, words_b)
    if len(pairs) < LEAST_AGREEING:
        return None
    start = np.asarray([points_a[pair.queryIdx].pt for pair in pairs], np.float32)
    end = np.asarray([points_b[pair.trainIdx].pt for pair in pairs], np.float32)
    matrix, kept = cv2.findHomography(start, end, cv2.USAC_MAGSAC, RANSAC_PIXELS, maxIters=3000, confidence=0.999)
    if matrix is None or kept is None:
        return None
    agreeing = int(kept.sum())
    exact = np.asarray(matrix, np.float64)
    enough = agreeing >= max(LEAST_AGREEING, LEAST_SHARE * len(pairs))
    return (exact, agreeing) if enough and _likely(exact) else None


def _by_correlation(a: ByteArray, b: ByteArray) -> tuple[Matrix, int] | None:
    """A plain shift, for tables on which there is too little to hold on to."""
    window = cv2.createHanningWindow((a.shape[1], a.shape[0]), cv2.CV_32F)
    (x, y), response = cv2.phaseCorrelate(a.astype(np.float32), b.astype(np.float32), window)
    if response < LEAST_CORRELATION or max(abs(x), abs(y)) > TRACKED_SIDE / 4:
        return None
    return np.asarray([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64), 0


def _refined(a: ByteArray, b: ByteArray, matrix: Matrix) -> Matrix:
    """The movement to a fraction of a pixel, by the grey values of everything that is the same in both pictures."""
    size = (a.shape[1], a.shape[0])
    covered = cv2.erode(cv2.warpPerspective(np.full_like(a, 255), matrix, size), np.ones((9, 9), np.uint8))
    difference = cv2.warpPerspective(a, matrix, size).astype(np.float32) - b
    like = cv2.blur(np.abs(difference - np.median(difference)), (15, 15)) < UNLIKE
    mask = np.asarray(like & (covered > 0), np.uint8) * np.uint8(255)
    start = np.linalg.inv(matrix)
    try:
        _, back = cv2.findTransformECC(
            b, a, (start / start[2, 2]).astype("f4"), cv2.MOTION_HOMOGRAPHY, REFINING, mask, 5
        )
    except cv2.error:  # it does not converge on pictures without texture
        return matrix
    refined = np.asarray(np.linalg.inv(np.asarray(back, np.float64)), np.float64)
    refined /= refined[2, 2]
    return refined if _likely(refined) else matrix


def _likely(matrix: npt.NDArray[np.float64]) -> bool:
    """Whether somebody may have nudged a camera or a table so: no mirror image, no crushing."""
    scales = np.linalg.svd(matrix[:2, :2], compute_uv=False)
    upright = float(np.linalg.det(matrix[:2, :2])) > 0
    kept = scales[0] < MOST_SCALE and scales[1] > 1 / MOST_SCALE
    return bool(upright and kept and np.abs(matrix[2, :2]).max() < MOST_BEND)
