"""Truth of one rendered picture in plain arrays, and the cutting of training pieces from it. numpy and cv2 only.

Corner order everywhere: the object's own top left, then clockwise (TL, TR, BR, BL); pixels (x, y) of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.vision.symbols import NOT_AN_INDEX

FloatArray = NDArray[np.float32]
ByteArray = NDArray[np.uint8]
IntArray = NDArray[np.int64]

TILE = 320  # px, side of a detector tile
GREY = (114, 114, 114)  # beyond the picture; a mirrored border would show indices that nobody labelled
COARSE = 640  # px, long side of a coarse picture
PATCH_HEIGHT, PATCH_WIDTH = 96, 64  # stored around an index: the crop of 64x40 is cut out of it while training
PATCH_MARGIN = 0.475  # of the quad's size on each side: room to shift, turn and shrink the 15 % crop
MIN_VISIBLE_INDEX = 0.6  # an index of which over 40 % is hidden is a region to ignore
MIN_INDEX_HEIGHT = 9.0  # px; smaller ones are regions to ignore
MIN_VISIBLE_CARD = 0.06  # share of a card that must be seen for the coarse network to be asked for it


@dataclass(frozen=True, slots=True)
class Truth:
    """A picture and what is on it.

    Shapes: picture (H, W, 3) BGR; for printed indices quads (N, 4, 2), symbols, suits (below -1: covered, only the rank
    is seen, see `covered_suit`) and visible (N,); the symbol NOT_AN_INDEX marks corners of jokers. For cards outlines
    (M, 4, 2), boxes (M, 4) x1 y1 x2 y2 of the visible part, face_up and card_visible (M,).
    """

    picture: ByteArray
    quads: FloatArray
    symbols: IntArray
    suits: IntArray
    visible: FloatArray
    outlines: FloatArray
    boxes: FloatArray
    face_up: NDArray[np.bool_]
    card_visible: FloatArray

    def __post_init__(self) -> None:
        count, cards = len(self.quads), len(self.outlines)
        assert self.quads.shape == (count, 4, 2), self.quads.shape
        assert len(self.symbols) == len(self.suits) == len(self.visible) == count
        assert self.outlines.shape == (cards, 4, 2), self.outlines.shape
        assert len(self.boxes) == len(self.face_up) == len(self.card_visible) == cards


@dataclass(frozen=True, slots=True)
class QuadPicture:
    """A training picture of a detector: quads, classes, boxes for the assignment, regions nobody is asked about."""

    picture: ByteArray  # (h, w, 3) BGR
    quads: FloatArray  # (N, 4, 2)
    boxes: FloatArray  # (N, 4)
    classes: IntArray  # (N,)
    ignore: FloatArray  # (K, 4)


@dataclass(frozen=True, slots=True)
class ColumnCrop:
    """One training piece.

    Attributes:
        picture: (208, 64, 3) BGR, as `vision.strips` cuts it.
        count: face-down cards above the anchor card, 7 = that many or more.
        edges: (7,) y of their upper edges in the crop, px, far end first; nan where there is none.
    """

    picture: ByteArray
    count: int
    edges: FloatArray


def covered_suit(suit: int) -> int:
    """What stands for a suit whose sign is hidden while the rank is seen: below -1, and the suit can be had back."""
    return -2 - suit


def bounds(quads: FloatArray) -> FloatArray:
    """(N, 4) x1 y1 x2 y2 of (N, 4, 2) quads."""
    if len(quads) == 0:
        return np.zeros((0, 4), np.float32)
    return np.concatenate([quads.min(1), quads.max(1)], 1).astype(np.float32)


def quad_heights(quads: FloatArray) -> FloatArray:
    """(N,) mean length of the two upright sides, px."""
    left = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    right = np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)
    return ((left + right) / 2).astype(np.float32)


def warp_points(matrix: NDArray[np.floating], points: FloatArray) -> FloatArray:
    """Applies a 3x3 homography to (..., 2) points."""
    flat = np.concatenate([points.reshape(-1, 2), np.ones((points.size // 2, 1))], 1) @ np.asarray(matrix, float).T
    return (flat[:, :2] / flat[:, 2:]).reshape(points.shape).astype(np.float32)


def index_tile(truth: Truth, corner: tuple[float, float], scale: float, side: int = TILE) -> QuadPicture:
    """Cuts the square whose top left is `corner` (px of the picture) after scaling the picture by `scale`.

    Indices that are mostly hidden, cut by the tile's edge, or tiny become ignore regions.
    """
    matrix = np.array([[scale, 0, -corner[0] * scale], [0, scale, -corner[1] * scale], [0, 0, 1]], np.float64)
    picture = shrink_into(truth.picture, matrix, (side, side))
    quads = warp_points(matrix, truth.quads) if len(truth.quads) else truth.quads
    boxes = bounds(quads)
    area = np.maximum((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), 1e-3)
    inside = np.clip(np.minimum(boxes[:, 2:], side) - np.maximum(boxes[:, :2], 0), 0, None).prod(1) / area
    real = truth.symbols != NOT_AN_INDEX
    seen = (truth.visible >= MIN_VISIBLE_INDEX) | (truth.suits < 0)
    clear = real & seen & (inside >= 0.85) & (quad_heights(quads) >= MIN_INDEX_HEIGHT)
    shown = real & (inside > 0.02) & (truth.visible > 0.03)
    doubtful = shown & ~clear
    return QuadPicture(picture, quads[clear], boxes[clear], np.zeros(int(clear.sum()), np.int64), boxes[doubtful])


def coarse_picture(truth: Truth, side: int = COARSE) -> QuadPicture:
    """The whole picture letterboxed into a square; classes 0 face up, 1 back; nearly hidden cards are ignored."""
    height, width = truth.picture.shape[:2]
    scale = side / max(height, width)
    matrix = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1]], np.float64)
    picture = shrink_into(truth.picture, matrix, (side, side))
    outlines = warp_points(matrix, truth.outlines) if len(truth.outlines) else truth.outlines
    boxes = (truth.boxes * scale).astype(np.float32)
    size = np.maximum((boxes[:, 2:] - boxes[:, :2]), 0).min(1) if len(boxes) else np.zeros(0, np.float32)
    clear = (truth.card_visible >= MIN_VISIBLE_CARD) & (size >= 3.0)
    doubtful = (truth.card_visible > 0.0) & ~clear
    classes = np.where(truth.face_up[clear], 0, 1).astype(np.int64)
    return QuadPicture(picture, outlines[clear], boxes[clear], classes, boxes[doubtful])


def shrink_into(picture: ByteArray, matrix: NDArray[np.float64], size: tuple[int, int]) -> ByteArray:
    """warpAffine that first area-shrinks when the matrix shrinks, so that thin print does not alias."""
    scale = float(np.hypot(matrix[0, 0], matrix[1, 0]))
    source = picture
    if scale < 0.75:
        source = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        real = np.diag([picture.shape[1] / source.shape[1], picture.shape[0] / source.shape[0], 1.0])
        matrix = matrix @ real
    warped = cv2.warpAffine(source, matrix[:2], size, flags=cv2.INTER_LINEAR, borderValue=GREY)
    return np.asarray(warped, np.uint8)


def patch_matrix(quad: FloatArray, height: int = PATCH_HEIGHT, width: int = PATCH_WIDTH) -> NDArray[np.float64]:
    """Homography from the picture to the upright patch around a quad, PATCH_MARGIN wide on each side."""
    share = PATCH_MARGIN / (1 + 2 * PATCH_MARGIN)
    inner = np.array([[share, share], [1 - share, share], [1 - share, 1 - share], [share, 1 - share]], np.float32)
    return np.asarray(
        cv2.getPerspectiveTransform(quad.astype(np.float32), inner * np.array([width, height], np.float32)), np.float64
    )


def index_patch(picture: ByteArray, quad: FloatArray) -> ByteArray:
    """(96, 64, 3) upright surroundings of an index, at the sharpness the picture has."""
    matrix = patch_matrix(quad)
    tall = float(quad_heights(quad[None])[0]) * (1 + 2 * PATCH_MARGIN)
    flags = cv2.INTER_LINEAR if tall < 1.6 * PATCH_HEIGHT else cv2.INTER_AREA
    if flags == cv2.INTER_AREA:  # warpPerspective cannot average: warp large, then shrink
        factor = int(np.ceil(tall / PATCH_HEIGHT))
        big = np.diag([factor, factor, 1.0]) @ matrix
        size = (PATCH_WIDTH * factor, PATCH_HEIGHT * factor)
        large = cv2.warpPerspective(picture, big, size, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.resize(large, (PATCH_WIDTH, PATCH_HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(
        cv2.warpPerspective(picture, matrix, (PATCH_WIDTH, PATCH_HEIGHT), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
