"""From photos of cards laid out in order to the prints of a deck: which index on them belongs to which card.

What is printed is not known yet, so only places count: an index belongs to the outline it lies in, outlines stand in
rows, and rows are read as text is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.cards import LABELS, RANKS, SUITS
from kibitz.vision import geometry
from kibitz.vision.classifier import CROP, MARGIN, jittered
from kibitz.vision.enrolment import EnrolmentError, Prints
from kibitz.vision.types import ByteArray, CardOutlines, FloatArray, Frame, IndexDetections

NO_CARD = -1
"""Label of a joker: what is printed on it is learned as being none of the cards."""
LEAST_HEIGHT = 18.0
"""Pixels of an index, below which its print is not worth learning."""
LEAST_OUTLINE = 0.3
ROW_GAP = 0.5
"""Card heights between the middles of neighbouring rows, at least."""
EDGE, ASIDE = 0.33, 0.2
"""An index lies so near an end, in card heights, and so far from the middle line, in card widths."""
REACH = 0.62
"""And so far from the middle at most, as outlines are rough."""
USUAL = 0.2
"""All indices of a deck lie at one place of their cards, to this."""
PIECES = 4
"""Pieces beside the indices, and as many of the middle, of each card that are learned as being no index."""


@dataclass(frozen=True, slots=True)
class LaidCard:
    """One card of a photo: its middle, the indices that it shows (N, 4, 2), and its outline (4, 2)."""

    middle: FloatArray
    quads: FloatArray
    outline: FloatArray


def parse_order(text: str | None) -> tuple[int, ...]:
    """The labels of the cards in the order they lie: "AC 2C 3C", runs as "AC-KC", X a joker; None = all 52 by suits.

    Raises:
        EnrolmentError: a word is no card, or a card is named twice.
    """
    if text is None:
        return tuple(range(len(LABELS)))
    order: list[int] = []
    for word in re.split(r"[\s,;]+", text.strip()):
        order += _run(word.upper().replace("10", "T"))
    for label in order:
        if label != NO_CARD and order.count(label) > 1:
            name = LABELS[label]
            raise EnrolmentError(
                "card-twice", f"expected every card once, got {name} twice; correct --cards", card=name
            )
    known = [label for label in order if label != NO_CARD]
    if len({label % 13 for label in known}) < 2 or len({label // 13 for label in known}) < 2:
        text = f"expected at least two ranks and two suits, got {len(order)} cards; lay out more of the deck"
        raise EnrolmentError("too-few-cards", text, count=len(order))
    return tuple(order)


def _run(word: str) -> list[int]:
    if word in ("X", "JOKER"):
        return [NO_CARD]
    first, dash, last = word.partition("-")
    ends = [first, last] if dash else [first]
    if any(end not in LABELS for end in ends) or (dash and first[1] != last[1]):
        text = f"expected a card such as TS, a run such as AC-KC or X for a joker, got {word!r}"
        text += f"; ranks {RANKS}, suits {SUITS}"
        raise EnrolmentError("no-card", text, word=word)
    low, high = LABELS.index(first), LABELS.index(ends[-1])
    return list(range(low, high + 1)) if low <= high else list(range(low, high - 1, -1))


def laid_rows(frame: Frame, found: IndexDetections, outlines: CardOutlines) -> list[list[LaidCard]]:
    """The rows of cards on a photo, from the top, each from the left.

    Raises:
        EnrolmentError: there are no cards, they lie sideways, or they are too small.
    """
    faces = outlines.take((outlines.scores >= LEAST_OUTLINE) & (outlines.face_up >= 0.5))
    cards = _cards(found, faces) if len(faces) and len(found) else []
    if not cards:
        text = f"expected cards with an index in their corners on {frame.name}, found none; lay them side by side"
        raise EnrolmentError("no-cards", text, image=frame.name)
    tall = float(np.median([geometry.heights(card.quads).max() for card in cards]))
    if tall < LEAST_HEIGHT:
        text = f"expected indices of {LEAST_HEIGHT:.0f} pixels at least on {frame.name}, got {tall:.0f}; go nearer"
        raise EnrolmentError("too-small", text, image=frame.name, has=round(tall), needs=round(LEAST_HEIGHT))
    return _rows(frame, cards, float(np.median(geometry.heights(faces.quads))))


def _cards(found: IndexDetections, faces: CardOutlines) -> list[LaidCard]:
    """Each outline with the indices near its ends; of one that shows none nothing can be learned."""
    middles = geometry.centres(found.quads)
    # Where each index lies on each card, as shares of its width and height from its middle.
    spots = np.stack([_on_card(middles, quad) for quad in faces.quads])
    owner = np.abs(spots).max(axis=2).argmin(axis=0)
    own = np.abs(spots[owner, np.arange(len(middles))])
    outer = (own < REACH).all(axis=1) & (own[:, 1] > 0.5 - EDGE) & (own[:, 0] > ASIDE)
    if not outer.any():
        return []
    odd = np.abs(own - np.median(own[outer], axis=0)).max(axis=1)
    cards = []
    for number, quad in enumerate(faces.quads):
        corners: dict[tuple[bool, bool], int] = {}
        for row in sorted(np.flatnonzero(outer & (odd < USUAL) & (owner == number)).tolist(), key=lambda k: -odd[k]):
            x, y = spots[number, row]
            corners[bool(x > 0), bool(y > 0)] = row  # the last, at the most usual place, stays
        rows = sorted(corners.values())
        centre, down = quad.mean(axis=0), geometry.down_vectors(quad[None])[0]
        down = down / max(1e-6, float(np.linalg.norm(down)))
        upright = [_towards(found.quads[row], centre, down) for row in rows]
        quads = [index for index in upright if index is not None]
        if quads:
            cards.append(LaidCard(centre, np.stack(quads), quad))
    return cards


def _on_card(points: FloatArray, quad: FloatArray) -> FloatArray:
    right, down = geometry.right_vectors(quad[None])[0], geometry.down_vectors(quad[None])[0]
    axes = np.stack([right / max(1e-6, float(right @ right)), down / max(1e-6, float(down @ down))], axis=1)
    return np.asarray((points - quad.mean(axis=0)) @ axes, np.float32)


def _towards(index: FloatArray, centre: FloatArray, down: FloatArray) -> FloatArray | None:
    """The index turned so that it reads along the card towards its middle; None where it lies across the card."""
    own = geometry.down_vectors(index[None])[0]
    inwards = float((centre - index.mean(axis=0)) @ down)
    along = float(own @ down) / max(1e-6, float(np.linalg.norm(own)))
    if abs(along) < 0.8:
        return None
    # Of a print it has never seen the detector does not know which end is up.
    return index if along * inwards > 0 else geometry.turned(index[None])[0]


def _rows(frame: Frame, cards: list[LaidCard], height: float) -> list[list[LaidCard]]:
    right = np.concatenate([geometry.right_vectors(card.quads) for card in cards])
    doubled = np.exp(2j * np.arctan2(right[:, 1], right[:, 0])).sum()
    angle = float(np.angle(doubled) / 2)  # half a turn does not matter
    if abs(np.degrees(angle)) > 60:
        text = f"expected upright cards on {frame.name}, but they lie sideways; turn the camera or the picture"
        raise EnrolmentError("sideways", text, image=frame.name)
    axes = np.asarray([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    places = np.stack([axes @ card.middle for card in cards])
    order = np.argsort(places[:, 1])
    breaks = np.flatnonzero(np.diff(places[order, 1]) > ROW_GAP * height) + 1
    rows = np.split(order, breaks)
    return [[cards[k] for k in sorted(row.tolist(), key=lambda k: float(places[k, 0]))] for row in rows]


def matched(order: Sequence[int], photos: Sequence[tuple[str, list[list[LaidCard]]]]) -> list[list[int]]:
    """The labels of each photo's cards: the order goes on from photo to photo, or each photo shows it all.

    Raises:
        EnrolmentError: the numbers of cards do not fit; the message tells what was found in which row.
    """
    counts = [sum(map(len, rows)) for _, rows in photos]
    if all(count == len(order) for count in counts):
        return [list(order) for _ in photos]
    if sum(counts) == len(order):
        ends = np.cumsum(counts).tolist()
        return [list(order[end - count : end]) for count, end in zip(counts, ends, strict=True)]
    seen = "; ".join(f"{name}: {' + '.join(str(len(row)) for row in rows)}" for name, rows in photos)
    text = f"expected {len(order)} cards in all or on each photo, found {seen} (row by row)"
    text += "; lay them side by side in rows without touching, all in the picture, or tell the cards with --cards"
    raise EnrolmentError("count", text, needs=len(order), seen=seen)


def prints_of(frame: Frame, cards: Sequence[LaidCard], labels: Sequence[int]) -> Prints:
    """The prints of one photo; pieces beside the indices show what is none."""
    quads = np.concatenate([card.quads for card in cards])
    owners = np.repeat(np.asarray(labels, np.int64), [len(card.quads) for card in cards])
    rng = np.random.default_rng(len(quads))
    others = np.concatenate([_pieces(card, rng) for card in cards])
    prints, card = cut(frame.picture, quads), owners != NO_CARD
    return Prints(prints[card], owners[card], np.concatenate([cut(frame.picture, others), prints[~card]]))


def cut(picture: ByteArray, quads: FloatArray) -> ByteArray:
    """(N, 64, 40, 3) straightened indices as the classifier wants them."""
    return geometry.straighten(picture, geometry.enlarged(quads, MARGIN), CROP)


def _pieces(card: LaidCard, rng: np.random.Generator) -> FloatArray:
    """(2 * PIECES, 4, 2) quads of the card's own indices moved a little aside, and anywhere on the card."""
    pieces, origin, sides = [], card.outline[0], (card.outline[1] - card.outline[0], card.outline[3] - card.outline[0])
    for number in range(2 * PIECES):
        quad = card.quads[number % len(card.quads)][None]
        size, turn = float(np.exp(rng.normal(0, 0.2))), float(rng.normal(0, 0.3))
        if number % 2:
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.55, 1.6)
            moved = jittered(quad, (far * np.cos(way), far * np.sin(way), size, turn))
        else:
            spot = origin + rng.uniform(0.28, 0.72) * sides[0] + rng.uniform(0.1, 0.9) * sides[1]
            moved = jittered(quad - quad.mean(axis=1, keepdims=True) + spot, (0.0, 0.0, size, turn))
        pieces.append(moved[0])
    return np.stack(pieces)
