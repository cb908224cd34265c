"""Finds the corner indices of a whole deck by comparing its cards.

The rank symbol is the ink that the four suits of one rank share near the corner; the suit pip is the ink that the
thirteen ranks of one suit share there. Everything else (big pips, courts, frames) differs from card to card.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from kibitz.models.synth.cut import paper_colour
from kibitz.models.synth.decks import ByteArray, FloatArray

Mask = npt.NDArray[np.bool_]
Box = tuple[float, float, float, float]  # x0 y0 x1 y1 in pixels

ZONE = (0.40, 0.50)  # share of width and height searched for an index
MARGIN = 0.04  # of the index height, on every side
_SMALLEST = 0.00012  # of the card: less ink than this is dirt


@dataclass(frozen=True, slots=True)
class Corner:
    """Where to look: the index at the left or the right, on the upright or the turned card."""

    turned: bool
    right: bool

    def view(self, mask: Mask) -> Mask:
        """The mask seen so that the index is at the top left."""
        mask = mask[::-1, ::-1] if self.turned else mask
        return mask[:, ::-1] if self.right else mask

    def quad(self, box: Box, size: tuple[int, int]) -> FloatArray:
        """The box found in `view` as a quad in card coordinates, in reading order."""
        height, width = size
        x0, y0, x1, y1 = box
        if self.right:
            x0, x1 = width - x1, width - x0
        quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32) / np.array([width, height], np.float32)
        return (1 - quad if self.turned else quad).astype(np.float32)


_DIAGONAL = (Corner(False, False), Corner(True, False))
CORNERS: dict[int, tuple[Corner, ...]] = {2: _DIAGONAL, 4: (*_DIAGONAL, Corner(False, True), Corner(True, True))}


def ink(picture: ByteArray, threshold: int = 64) -> Mask:
    """Where something is printed on the paper."""
    paper = paper_colour(picture).astype(np.int16)
    return np.asarray(np.abs(picture.astype(np.int16) - paper).max(axis=2) > threshold)


def find_indices(
    faces: Mapping[int, ByteArray], corners: int, courts_apart: bool = False
) -> dict[int, list[FloatArray]]:
    """Quads by label; cards whose index was not found in every corner are missing.

    ``courts_apart``: courts have pips of another size. It must be asked for, because the three courts of a suit share
    more than their index.
    """
    groups = (range(10), range(10, 13)) if courts_apart else (range(13),)
    size = _common_size(faces)
    masks = {label: _fit(ink(picture), size) for label, picture in faces.items()}
    found: dict[int, list[FloatArray]] = {label: [] for label in faces}
    for corner in CORNERS[corners]:
        views = {label: np.ascontiguousarray(_zone(corner.view(mask))) for label, mask in masks.items()}
        for label, box in _find_corner(views, groups).items():
            found[label].append(corner.quad(_grow(box), size))
    return {label: _mirrored(quads) for label, quads in found.items() if len(quads) == corners}


def _mirrored(quads: list[FloatArray]) -> list[FloatArray]:
    """Cards look the same turned by half: where two opposite quads differ much, the larger one found both parts."""
    result = list(quads)
    for one in range(0, len(quads), 2):
        heights = [float(abs(quads[place][3, 1] - quads[place][0, 1])) for place in (one, one + 1)]
        if min(heights) < 0.9 * max(heights):
            larger = one + int(np.argmax(heights))
            result[one], result[one + 1] = quads[larger], (1 - quads[larger]).astype(np.float32)
            if larger == one + 1:
                result[one], result[one + 1] = result[one + 1], result[one]
    return result


def _common_size(faces: Mapping[int, ByteArray]) -> tuple[int, int]:
    heights, widths = zip(*(picture.shape[:2] for picture in faces.values()), strict=True)
    return int(np.median(heights)), int(np.median(widths))


def _fit(mask: Mask, size: tuple[int, int]) -> Mask:
    if mask.shape == size:
        return mask
    return np.asarray(cv2.resize(mask.astype(np.uint8), size[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _zone(mask: Mask) -> Mask:
    return mask[: int(mask.shape[0] * ZONE[1]), : int(mask.shape[1] * ZONE[0])]


def _find_corner(views: Mapping[int, Mask], groups: tuple[range, ...]) -> dict[int, Box]:
    ranks = {rank: [views[label] for label in views if label % 13 == rank] for rank in range(13)}
    rank_boxes = {rank: _rank_box(group, digits=2 if rank == 9 else 1) for rank, group in ranks.items() if group}
    result = {}
    for group in groups:
        known = [box for rank in group if (box := rank_boxes.get(rank)) is not None]
        for suit in range(4):
            masks = [views[label] for label in views if label // 13 == suit and label % 13 in group]
            if not known or not masks:
                continue
            x0, y0, x1, y1 = (float(v) for v in np.median(np.array(known), axis=0))
            pip_box = _pip_box(masks, (x0, y0, x1, y1))
            for label in views:
                rank_box = rank_boxes.get(label % 13)
                if label // 13 == suit and label % 13 in group and rank_box is not None and pip_box is not None:
                    result[label] = _refine(views[label], _join(rank_box, pip_box))
    return result


def _components(mask: Mask) -> list[tuple[Box, float]]:
    """Boxes and areas of connected ink that does not run out of the zone."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    height, width = mask.shape
    card = height * width / (ZONE[0] * ZONE[1])
    out = []
    for x, y, w, h, area in stats[1:]:
        whole = x + w < width - 1 and y + h < height - 1 and x > 0 and y > 0
        if whole and area > _SMALLEST * card:
            out.append(((float(x), float(y), float(x + w), float(y + h)), float(area)))
    return out


def _rank_box(group: list[Mask], digits: int) -> Box | None:
    parts = _components(np.logical_and.reduce(group))
    if not parts:
        return None
    first = min(parts, key=lambda part: part[0][0] + part[0][1])[0]
    box = first
    for other, _ in sorted(parts):
        if digits == 2 and other is not first and _same_line(box, other):
            box = _join(box, other)
    return box


def _same_line(box: Box, other: Box) -> bool:
    """The second digit of a ten."""
    height = box[3] - box[1]
    shared = min(box[3], other[3]) - max(box[1], other[1])
    gap = max(other[0] - box[2], box[0] - other[2])
    similar = 0.75 < (other[3] - other[1]) / height < 1.33
    return shared > 0.8 * min(height, other[3] - other[1]) and gap < 0.3 * height and similar


def _pip_box(group: list[Mask], rank_box: Box) -> Box | None:
    shared = np.mean(np.stack(group), axis=0) > 0.85
    width, height = rank_box[2] - rank_box[0], rank_box[3] - rank_box[1]
    x, y = (rank_box[0] + rank_box[2]) / 2, rank_box[3]
    parts = [  # strokes that many figures share lie inside the rank's box; a pip is below or beside it
        box
        for box, _ in _components(shared)
        if (box[1] > rank_box[3] - 0.1 * height or box[0] > rank_box[2] - 0.1 * width)
        and box[3] - box[1] > 0.2 * height
    ]
    if not parts:
        return None
    return min(parts, key=lambda box: np.hypot((box[0] + box[2]) / 2 - x, box[1] - y))


def _join(one: Box, two: Box) -> Box:
    return min(one[0], two[0]), min(one[1], two[1]), max(one[2], two[2]), max(one[3], two[3])


def _refine(view: Mask, box: Box) -> Box:
    """The same box around this card's own ink, which may be a pixel or two larger than the shared ink."""
    reach = 0.06 * (box[3] - box[1])
    outer = (box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach)
    parts = [
        part
        for part, _ in _components(view)
        if part[0] >= outer[0] and part[1] >= outer[1] and part[2] <= outer[2] and part[3] <= outer[3]
    ]
    result = box
    for part in parts:
        result = _join(result, part)
    return result


def _grow(box: Box) -> Box:
    margin = MARGIN * (box[3] - box[1])
    return box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin
