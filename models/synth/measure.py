"""Measures the truth of a drawn scene: where everything is, and how much of it is seen."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.cards import LABELS
from kibitz.models.synth.canvas import CORNERS, OUTSIDE, Canvas, on_table
from kibitz.models.synth.painter import Painter
from kibitz.models.synth.piles import NO_CARDS
from kibitz.models.synth.placement import PlacedCard
from kibitz.models.synth.truth import CardTruth, IndexTruth

FloatArray = NDArray[np.floating]
RANK_PART = 0.56
"""The rank's share of an index's height."""


def _seen(owner: NDArray[np.int16], polygon: FloatArray, number: int) -> tuple[float, FloatArray]:
    """Share of a polygon (pixels) that this card owns, and the box (x1 y1 x2 y2) of that share."""
    nothing = np.zeros(4)
    low, high = np.floor(polygon.min(axis=0)).astype(int), np.ceil(polygon.max(axis=0)).astype(int) + 1
    size = high - low
    height, width = owner.shape
    x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])
    if x1 <= x0 or y1 <= y0 or (size > 20000).any():
        return 0.0, nothing
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round((polygon - low) * 16).astype(np.int32), (1,), cv2.LINE_8, 4)
    total = cv2.countNonZero(mask)
    part = mask[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]]
    owned = ((owner[y0:y1, x0:x1] == number) & (part > 0)).view(np.uint8)
    seen = cv2.countNonZero(owned)
    if not seen or not total:
        return 0.0, nothing
    x, y, w, h = cv2.boundingRect(owned)
    return min(1.0, seen / total), np.array([x0 + x, y0 + y, x0 + x + w, y0 + y + h], dtype=np.float64)


def measure(
    painter: Painter, cards: tuple[PlacedCard, ...], scale: float
) -> tuple[tuple[CardTruth, ...], tuple[IndexTruth, ...]]:
    """Cards and indices in pixels of the finished picture, which is `scale` times the drawn frame."""
    canvas, camera = painter.canvas, painter.canvas.camera
    card_list, index_list = [], []

    def final(points: FloatArray) -> NDArray[np.float32]:
        return ((camera.distort(points) + 0.5) * scale - 0.5).astype(np.float32)

    for number, card in enumerate(cards):
        corners = camera.project(on_table(card, painter.size, CORNERS))
        label = None if card.text in NO_CARDS else LABELS.index(card.text[0] + card.text[1].upper())
        seen, box = _seen(canvas.owner, corners, number)
        ends = final(box.reshape(2, 2) - 0.5).ravel() if seen else box.astype(np.float32)
        card_list.append(CardTruth(number, final(corners), card.face_up, label, seen, ends, card.pile, card.order))
        face = painter.sheets[number].face
        if not card.face_up or label is None or face is None:
            continue
        aspect = np.array([1.0, painter.size[0] / painter.size[1]])
        for mark in face.marks:
            where = mark.quad.astype(np.float64) + painter.shifts[number] * aspect
            quad = camera.project(on_table(card, painter.size, where))
            split = quad[[0, 1]] + (quad[[3, 2]] - quad[[0, 1]]) * RANK_PART
            parts = [_seen(canvas.owner, p, number)[0] for p in (
                quad, np.stack([quad[0], quad[1], split[1], split[0]]), np.stack([split[0], split[1], quad[2], quad[3]])
            )]  # fmt: skip
            index_list.append(IndexTruth(final(quad), mark.symbol, mark.suit, label, number, *parts))
    return tuple(card_list), tuple(index_list)


def mark_outside(canvas: Canvas) -> None:
    """Pixels that the lens bends out of the picture are not visible."""
    camera = canvas.camera
    if not camera.barrel:
        return
    width, height = camera.size
    t = np.linspace(0, 1, 40)[:-1]
    border = np.concatenate(
        [
            np.stack([t * (width - 1), t * 0], 1),
            np.stack([t * 0 + width - 1, t * (height - 1)], 1),
            np.stack([(1 - t) * (width - 1), t * 0 + height - 1], 1),
            np.stack([t * 0, (1 - t) * (height - 1)], 1),
        ]
    )
    inside = np.zeros(canvas.owner.shape, np.uint8)
    cv2.fillPoly(inside, [np.round(camera.undistort(border)).astype(np.int32)], (1,))
    canvas.owner[inside == 0] = OUTSIDE
