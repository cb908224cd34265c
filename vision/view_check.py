"""Whether the camera stands well: cards that are cut off by the picture's edge, and light mirrored on cards."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np

from kibitz.vision.types import ByteArray, Frame, TableCard, TableReading

OUTSIDE = 0.06
"""A card is cut off when it reaches so far out of the picture, in card widths: outlines are not exact."""
BLINDING = 250
"""Grey value (0..255, of the darkest colour) that print cannot have in a usable light."""
PAPER = 236
"""Cards whose paper is as bright as this are simply well lit."""
SPOT = 0.03
"""Share of a card that a mirrored lamp covers at least."""
SIDE = 1600
"""Pixels of the longer side in which mirrored light is looked for."""


def cut_off(reading: TableReading) -> Counter[str]:
    """How many cards each edge of the picture cuts off: left, right, top, bottom."""
    width, height = reading.size
    found: Counter[str] = Counter()
    for card in reading.cards:
        if card.corners is None:
            continue
        far = OUTSIDE * float(np.linalg.norm(card.corners[1] - card.corners[0]))
        (left, top), (right, bottom) = card.corners.min(axis=0), card.corners.max(axis=0)
        over = {"left": -left, "top": -top, "right": right - width, "bottom": bottom - height}
        side = max(over, key=lambda name: over[name])
        if over[side] > far:
            found[side] += 1
    return found


def glaring(frame: Frame, reading: TableReading) -> tuple[int, ...]:
    """Ids of the cards with a lamp mirrored on them."""
    scale = min(1.0, SIDE / max(frame.picture.shape[:2]))
    picture = frame.picture
    if scale < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    darkest = np.asarray(picture.min(axis=2), np.uint8)
    return tuple(card.id for card in reading.cards if _glares(darkest, card, scale / frame.scale))


def _glares(darkest: ByteArray, card: TableCard, scale: float) -> bool:
    if card.corners is None or card.covered:
        return False
    corners = np.round(card.corners * scale).astype(np.int32)
    x, y, width, height = cv2.boundingRect(corners)
    x0, y0, x1, y1 = max(0, x), max(0, y), min(darkest.shape[1], x + width), min(darkest.shape[0], y + height)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return False
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [corners - np.asarray([x0, y0], np.int32)], 255)
    values = darkest[y0:y1, x0:x1][mask > 0]
    if not len(values):
        return False
    blinding = float((values >= BLINDING).mean())
    return blinding >= SPOT and float(np.median(values)) < PAPER
