"""Doubtful indices beside well-read cards, read once more where an index of this deck would lie.

In tight columns the next card covers the suit, or half the rank. The detector then often finds the rest askew or too
small, and the classifier sees a wrong crop. But the column's other cards tell how large an index is and which way it
lies; read upright, what is left of the rank is clear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kibitz.vision import alphabet, geometry
from kibitz.vision.cards import SeenCard
from kibitz.vision.classifier import IndexReading, jittered
from kibitz.vision.rectify import TableFrame
from kibitz.vision.types import ByteArray, FloatArray, IndexDetections, IndexReadings


class Reads(Protocol):
    """Reads straightened indices, as `kibitz.vision.classifier.Classifier` does."""

    def read(self, picture: ByteArray, quads: FloatArray) -> IndexReading:
        """Symbols and suits of each quad, and the quads turned upright."""
        ...

    def glance(self, picture: ByteArray, quads: FloatArray) -> IndexReadings:
        """Symbols and suits of each quad as it lies, quickly."""
        ...


WELL_READ = 0.8
"""Least evidence and label of a card by which others are straightened."""
LEAST_VALUE = 0.6
"""Least probability of rank and ink that a second reading must show."""
ASKEW = np.radians(50)
"""A detection turned farther than this against the cards around is something else."""
NEAR = 1.0
"""Heights of a card from the middle of the well-read card to the doubtful index."""
APART = 0.5
"""Index heights within which two detections are one index."""
BORDER = 0.8
"""Index heights inside a well-read card beyond which a detection is that card's own print and no index beneath it."""
ANCHORS = ((0.0, 0.0), (-0.5, -0.5), (0.5, -0.5))
"""Points that the straightened index keeps, in shares of its size: its middle, its upper left and right corners."""
THERE, TOUCH = 0.5, 0.3
"""Least evidence of a card that may cover another's suit sign, and index heights around it within which it may."""
SUIT = 0.8
"""How far down an index its suit sign lies, as a share of its height."""
SAME_COLOUR, SAME_SHARE = 24, 0.9
"""Levels (of 255) within which two pixels have one colour, and the share of an index that must have its neighbour's."""
SHIFTS = ((0.0, 0.0), (0.2, 0.0), (-0.2, 0.0), (0.0, 0.12), (0.0, -0.12), (0.2, -0.12), (-0.2, -0.12))
"""Moves of the best of them, in shares of its width and height, of which the clearest counts; so many times over."""
ROUNDS = 2
HOPELESS = 0.15
"""Places that show less than this at a glance are left."""

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What is known before the second look.

    Attributes:
        found: all detections, also those that the classifier took for none.
        readings: of the detections.
        plane: of the table.
        letters: the deck's letter set.
        unit: height of an index in the plane.
        cards: found so far; their members are rows of `found`.
    """

    found: IndexDetections
    readings: IndexReadings
    plane: TableFrame
    letters: alphabet.Settlement
    unit: float
    cards: Sequence[SeenCard]


def read_again(picture: ByteArray, look: FirstLook, reader: Reads) -> tuple[IndexDetections, IndexReadings]:
    """The detections and readings with those that became clear put straight, doubles taken out.

    Args:
        picture: (H, W, 3) BGR.
        look: the first one.
        reader: the classifier.
    """
    strong = [c for c in look.cards if c.members and min(c.evidence, float(c.labels.max())) >= WELL_READ]
    sure = np.asarray(sorted({row for card in strong for row in card.members}), np.intp)
    rows, quads = _straight(look, strong, sure) if strong else (sure, np.zeros((0, 4, 2), np.float32))
    if not len(quads):
        return look.found, look.readings
    letters = look.letters
    # Glances find the place; only what may come of it is read with care.
    both = np.concatenate([quads, geometry.turned(quads.reshape(-1, 4, 2)).reshape(quads.shape)], axis=1)
    placed, value = _best(reader, picture, both, letters)
    hopeful = value >= HOPELESS
    rows, placed = rows[hopeful], placed[hopeful]
    for _ in range(ROUNDS if len(rows) else 0):
        shifted = np.stack([jittered(placed, (*shift, 1.0, 0.0)) for shift in SHIFTS], axis=1)
        placed, _ = _best(reader, picture, shifted, letters)
    if not len(rows):
        return look.found, look.readings
    again = reader.read(picture, placed)
    # Rank and ink are enough where the card above covers the suit and on the same paper; elsewhere the suit counts too.
    covered = _suit_covered(look, again.quads) | _same_paper(picture, again.quads, look.found.quads[sure])
    value = _value(again.readings, letters)
    value = np.where(covered, value, value * again.readings.suits.max(axis=1))
    clear = np.flatnonzero((value >= LEAST_VALUE) & (value > _value(look.readings.take(rows), letters)))
    if not len(clear):
        return look.found, look.readings
    clear = clear[np.argsort(-value[clear], kind="stable")]
    again = IndexReading(again.quads[clear], again.readings.take(clear), again.turned[clear])
    return _replaced(look, sure, rows[clear], again)


def _suit_covered(look: FirstLook, quads: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether another card reaches over the place of the suit sign of each quad."""
    flat = look.plane.flat(quads)
    signs = ((1 - SUIT) * (flat[:, 0] + flat[:, 1]) + SUIT * (flat[:, 2] + flat[:, 3])) / 2
    over = [
        geometry.inside(signs, card.corners, -TOUCH * look.unit)
        for card in look.cards
        if card.members and card.evidence >= THERE
    ]
    return np.asarray(np.any(over, axis=0), np.bool_)


def _same_paper(picture: ByteArray, quads: FloatArray, indices: FloatArray) -> npt.NDArray[np.bool_]:
    """Which quads show only colours of the nearest well-read index: print beside the cards mostly has others."""
    gaps = geometry.centres(quads)[:, None] - geometry.centres(indices)[None]
    nearest = np.linalg.norm(gaps, axis=2).argmin(axis=1)
    crops, papers = (
        geometry.straighten(picture, part, (8, 12)).reshape(len(part), -1, 3).astype(np.int16)
        for part in (quads, indices)
    )
    apart = np.abs(crops[:, :, None] - papers[nearest][:, None]).max(axis=3).min(axis=2)
    return np.asarray((apart <= SAME_COLOUR).mean(axis=1) >= SAME_SHARE, np.bool_)


def _best(
    reader: Reads, picture: ByteArray, tried: FloatArray, letters: alphabet.Settlement
) -> tuple[FloatArray, FloatArray]:
    """The clearest (N, 4, 2) of the (N, W, 4, 2) ways to place each index, and what it shows (N,)."""
    count, ways = tried.shape[:2]
    value = _value(reader.glance(picture, tried.reshape(-1, 4, 2)), letters).reshape(count, ways)
    best = value.argmax(axis=1)
    return tried[np.arange(count), best], value[np.arange(count), best]


def _straight(look: FirstLook, strong: Sequence[SeenCard], sure: Rows) -> tuple[Rows, FloatArray]:
    """Rows that peek out beside a strong card, and (N, A, 4, 2) upright quads for each in the picture."""
    flat = look.plane.flat(look.found.quads)
    wide, tall = float(np.median(geometry.widths(flat[sure]))), float(np.median(geometry.heights(flat[sure])))
    middles = np.stack([card.corners.mean(axis=0) for card in strong])
    downs = np.stack([geometry.down_vectors(card.corners[None])[0] for card in strong])
    points, ways = geometry.centres(flat), geometry.down_vectors(flat)
    rows, quads = [], []
    for row in np.setdiff1d(np.arange(len(flat)), sure):
        point = points[row]
        if any(geometry.inside(point[None], card.corners, BORDER * look.unit)[0] for card in strong):
            continue
        near = int(np.linalg.norm(middles - point, axis=1).argmin())
        height = float(np.linalg.norm(downs[near]))
        down = downs[near] / max(height, 1e-6)
        along = float(ways[row] @ down) / max(float(np.linalg.norm(ways[row])), 1e-6)
        if np.linalg.norm(middles[near] - point) > NEAR * height or abs(along) < np.cos(ASKEW):
            continue
        rows.append(row)
        quads.append(_upright(flat[row], down if along > 0 else -down, (wide, tall)))
    if not rows:
        return np.zeros(0, np.intp), np.zeros((0, len(ANCHORS), 4, 2), np.float32)
    return np.asarray(rows, np.intp), look.plane.back(np.stack(quads))


def _upright(quad: FloatArray, down: FloatArray, size: tuple[float, float]) -> FloatArray:
    """(A, 4, 2) quads of the given size and direction, one for each point of the detection that is kept."""
    right = np.asarray([down[1], -down[0]]) * size[0]
    down = down * size[1]
    kept = [quad.mean(axis=0), quad[0], quad[1]]
    corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    return np.asarray(
        [
            [point + (x - ax) * right + (y - ay) * down for x, y in corners]
            for point, (ax, ay) in zip(kept, ANCHORS, strict=True)
        ],
        np.float32,
    )


def _value(readings: IndexReadings, letters: alphabet.Settlement) -> FloatArray:
    """(N,) probability of the likeliest rank in the likelier ink: all that a covered suit leaves."""
    labels = alphabet.label_probabilities(readings, letters).reshape(-1, 4, 13)
    inks = np.stack([labels[:, 0] + labels[:, 3], labels[:, 1] + labels[:, 2]], axis=1)
    return np.asarray(inks.max(axis=(1, 2)), np.float32)


def _replaced(look: FirstLook, sure: Rows, rows: Rows, again: IndexReading) -> tuple[IndexDetections, IndexReadings]:
    """All detections, `rows` (clearest first) in their new place; of two that came to lie on one index one stays."""
    quads, scores = look.found.quads.copy(), look.found.scores.copy()
    symbols, suits = look.readings.symbols.copy(), look.readings.suits.copy()
    taken = list(geometry.centres(look.plane.flat(quads[sure])))
    gone = []
    for k, row in enumerate(rows):
        middle = geometry.centres(look.plane.flat(again.quads[[k]]))[0]
        if any(np.linalg.norm(middle - point) < APART * look.unit for point in taken):
            gone.append(row)
            continue
        taken.append(middle)
        quads[row], symbols[row], suits[row] = again.quads[k], again.readings.symbols[k], again.readings.suits[k]
        # The detector saw it askew; that it is clear just where an index must lie is a second witness.
        scores[row] = np.sqrt(scores[row])
    keep = np.setdiff1d(np.arange(len(quads)), np.asarray(gone, np.intp))
    return IndexDetections(quads, scores).take(keep), IndexReadings(symbols, suits).take(keep)
