"""Groups of indices and coarse outlines become the physical cards of the table.

The outlines confirm cards whose index was read, and give what indices cannot: face-down cards, and face-up cards whose
index is hidden. Indices that would lie *through* another card (court art, pips) are taken out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kibitz.vision import geometry
from kibitz.vision.deck_geometry import DeckGeometry, IndexPoses
from kibitz.vision.grouping import CardGroup, fuse
from kibitz.vision.matching import cheapest
from kibitz.vision.types import CardOutlines, FloatArray

LEAST_EVIDENCE = 0.35
"""Below this a lone detection is nothing, unless an outline confirms it."""
LEAST_READ = 0.35
"""The same for its evidence times the probability of its rank and ink."""
LEAST_CONFIRMED, LEAST_CONFIRMED_READ = 0.15, 0.1
"""What an outline confirms needs only so much of both."""
ONE_CARD, SURELY = 0.1, 0.8
"""With one deck: outlines that share so much and surely say the same are one card."""
FARTHEST_ENDS = 2.2
"""Heights of a card, as far as it is known, between the corners of both ends of one card."""
MATCH = 0.45
"""Least overlap (IoU) of a card's outline from its indices and one of the coarse network."""
SAME_CARD = 0.85
"""A back that shares more than this with a known card is that card again; the next one in a column shares less."""
CLEAR = 0.7
"""A card with such a label that no other card has is kept although its outline contradicts another's."""
FACE_UP_ALONE = 0.85
"""Least score of a face-up outline without any index to be reported as an unread card."""
FACE_DOWN = 0.35
"""Least score of the outline of a face-down card."""
OTHER_SIZE = 2.0
"""An outline with so many times the area of the cards that were read, or so small a part of it, is none."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A physical card before it has got its label.

    Attributes:
        corners: (4, 2) outline in the straightened plane.
        face_up: which side is seen.
        labels: (52,) fused label probabilities, zero for cards without an index.
        evidence: probability that there is such a card.
        members: rows of its indices.
        covered: True if another card lies on it.
        read: the most that one of its indices alone gives to a rank, times its evidence.
    """

    corners: FloatArray
    face_up: bool
    labels: FloatArray
    evidence: float
    members: tuple[int, ...] = ()
    covered: bool = False
    read: float = 0.0


def collect(indices: IndexPoses, groups: list[CardGroup], deck: DeckGeometry, outlines: CardOutlines) -> list[SeenCard]:
    """All cards of the table; `outlines` are in the straightened plane."""
    matched = _match(groups, deck, indices.unit, outlines)
    groups, matched = _believable(groups, matched)
    groups, matched = _consistent(indices, groups, matched, deck)
    cards = []
    for g, o in zip(groups, matched, strict=True):
        corners = _joined(g, deck, indices.unit, outlines, o)
        rows = list(g.members)
        ranks = indices.labels[rows].reshape(len(rows), 4, 13).sum(axis=1).max(axis=1)
        read = float((ranks * indices.evidence[rows]).max())
        cards.append(SeenCard(corners, True, g.labels, g.evidence, g.members, read=read))
    cards += _without_index(cards, outlines, {o for o in matched if o >= 0})
    return [replace(card, covered=_is_covered(k, cards, indices)) for k, card in enumerate(cards)]


def without_twins(cards: list[SeenCard]) -> list[SeenCard]:
    """Cards of one deck, of which none lies on its own double: two outlines with the same label there are one card."""
    kept: list[SeenCard] = []
    for card in sorted(cards, key=lambda card: -len(card.members)):
        label = int(card.labels.argmax())
        twin = next((k for k, other in enumerate(kept) if _is_twin(card, other, label)), None)
        if twin is None:
            kept.append(card)
        else:
            other = kept[twin]
            labels = fuse(np.stack([other.labels, card.labels]))
            evidence = 1 - (1 - other.evidence) * (1 - card.evidence)
            members, read = (*other.members, *card.members), max(other.read, card.read)
            kept[twin] = replace(other, labels=labels, evidence=evidence, members=members, read=read)
    return kept


def _is_twin(card: SeenCard, other: SeenCard, label: int) -> bool:
    surely = min(float(card.labels[label]), float(other.labels[label])) >= SURELY
    if not surely or int(other.labels.argmax()) != label:
        return False
    return geometry.iou(card.corners, other.corners) >= ONE_CARD or _are_ends(card.corners, other.corners)


def _are_ends(first: FloatArray, second: FloatArray) -> bool:
    """Whether two outlines read in opposite directions towards each other: both ends of a card larger than thought."""
    down = geometry.down_vectors(np.stack([first, second]))
    height = float(np.linalg.norm(down, axis=1).mean())
    down = down / np.maximum(np.linalg.norm(down, axis=1, keepdims=True), 1e-6)
    way = second[0] - first[0]
    along = (float(way @ down[0]), float(-way @ down[1]))
    opposite = float(down[0] @ down[1]) < -0.9
    return opposite and min(along) > 0.5 * height and float(np.linalg.norm(way)) < FARTHEST_ENDS * height


def _match(groups: list[CardGroup], deck: DeckGeometry, unit: float, outlines: CardOutlines) -> list[int]:
    """For each group the row of its outline, or -1."""
    if not groups or not len(outlines):
        return [-1] * len(groups)
    quads = np.stack([g.outline(deck, unit) for g in groups])
    middles, others = geometry.centres(quads), geometry.centres(outlines.quads)
    reach = 0.75 * deck.height * unit
    near = np.linalg.norm(middles[:, None] - others[None], axis=2) < reach
    value = np.zeros(near.shape)
    for i, j in np.argwhere(near):
        common = geometry.iou(quads[i], outlines.quads[j])
        value[i, j] = common * (0.3 + 0.7 * float(outlines.face_up[j])) if common >= MATCH else 0
    # One more column for each group, worth nothing, so that it may stay without an outline.
    columns = cheapest(-np.concatenate([value, np.zeros((len(groups), len(groups)))], axis=1))
    return [int(j) if j < len(outlines) and value[i, j] > 0 else -1 for i, j in enumerate(columns)]


def _believable(groups: list[CardGroup], matched: list[int]) -> tuple[list[CardGroup], list[int]]:
    """Leaves out lone weak detections that nothing confirms: print on books and newspapers."""

    def believable(g: CardGroup, outline: int) -> bool:
        # Where the next card covers the suit, rank and ink are all there is to read.
        alike = float(_of_one_ink(g.labels).max())
        if outline >= 0:
            return g.evidence >= LEAST_CONFIRMED and g.evidence * alike >= LEAST_CONFIRMED_READ
        return g.evidence >= LEAST_EVIDENCE and (len(g.members) > 1 or g.evidence * alike >= LEAST_READ)

    keep = [k for k, g in enumerate(groups) if believable(g, matched[k])]
    return [groups[k] for k in keep], [matched[k] for k in keep]


def _of_one_ink(labels: FloatArray) -> FloatArray:
    """(26,) probability of each rank in black and in red."""
    suits = labels.reshape(4, 13)
    return np.concatenate([suits[0] + suits[3], suits[1] + suits[2]])


def _consistent(
    indices: IndexPoses, groups: list[CardGroup], matched: list[int], deck: DeckGeometry
) -> tuple[list[CardGroup], list[int]]:
    """Takes out the weaker of two cards that would each lie upon the other, unless nothing else speaks against it.

    What is to go are pips and court art taken for an index; a bent card in a fan only seems to lie so.
    """
    claimed = Counter(int(g.labels.argmax()) for g in groups)
    clear = [float(g.labels.max()) >= CLEAR and claimed[int(g.labels.argmax())] == 1 for g in groups]
    quads = [g.outline(deck, indices.unit) for g in groups]
    inner = [_shows_in(indices, groups, quads, k, 0.5 * indices.unit) for k in range(len(groups))]
    strength = [
        (g.opposite or len(g.members) > 1, matched[k] >= 0, g.evidence * float(g.labels.max()))
        for k, g in enumerate(groups)
    ]
    gone: set[int] = set()
    for k in sorted((k for k in range(len(groups)) if not clear[k]), key=lambda k: strength[k]):
        rivals = {other for other in inner[k] if k in inner[other]} - gone
        if any(strength[other] > strength[k] for other in rivals):
            gone.add(k)
    keep = [k for k in range(len(groups)) if k not in gone]
    return [groups[k] for k in keep], [matched[k] for k in keep]


def _shows_in(indices: IndexPoses, groups: list[CardGroup], quads: list[FloatArray], k: int, margin: float) -> set[int]:
    """Groups whose outline holds an index of group k well inside: there, k lies above them."""
    points = indices.points[list(groups[k].members)]
    return {
        other
        for other in range(len(groups))
        if other != k and bool(geometry.inside(points, quads[other], margin).any())
    }


def _joined(g: CardGroup, deck: DeckGeometry, unit: float, outlines: CardOutlines, row: int) -> FloatArray:
    """The card's corners: from its indices, tempered by the coarse outline where the indices fix only one end."""
    own = g.outline(deck, unit)
    if row < 0 or (g.opposite and deck.pairs):
        return own
    other = outlines.quads[row]
    turned = geometry.turned(other[None])[0]
    nearer = min((other, turned), key=lambda quad: float(np.abs(quad - own).sum()))
    return np.asarray((own + nearer) / 2, np.float32)


def _without_index(cards: list[SeenCard], outlines: CardOutlines, used: set[int]) -> list[SeenCard]:
    """Cards that only the coarse network saw: face-down ones, and face-up ones with a hidden index."""
    found: list[SeenCard] = []
    nothing = np.zeros(52, np.float32)
    for row in np.flatnonzero(_of_card_size(cards, outlines)):
        face_up, score = float(outlines.face_up[row]) >= 0.5, float(outlines.scores[row])
        if row in used or score < (FACE_UP_ALONE if face_up else FACE_DOWN):
            continue
        quad = outlines.quads[row]
        limit = MATCH if face_up else SAME_CARD
        if all(geometry.iou(quad, card.corners) < limit for card in cards):
            found.append(SeenCard(quad, face_up, nothing, score))
    return found


def _of_card_size(cards: list[SeenCard], outlines: CardOutlines) -> npt.NDArray[np.bool_]:
    """Which outlines are about as large as the cards that were read: a pip is not, nor is the whole table."""
    if not cards or not len(outlines):
        return np.ones(len(outlines), np.bool_)
    usual = float(np.median(geometry.areas(np.stack([card.corners for card in cards]))))
    share = np.abs(geometry.areas(outlines.quads) / usual)
    return np.asarray((share > 1 / OTHER_SIZE) & (share < OTHER_SIZE), np.bool_)


def _is_covered(k: int, cards: list[SeenCard], indices: IndexPoses) -> bool:
    """Whether another card lies upon card k: its index shows inside k, or it hides the end of k that shows no index."""
    own = cards[k]
    for other in cards:
        if other is own or geometry.overlap(own.corners, other.corners) < 0.04 * _area(own.corners):
            continue
        if other.members:
            points = indices.points[list(other.members)]
            if bool(geometry.inside(points, own.corners, 0.3 * indices.unit).any()):
                return True
        if own.members and _hides_end(own, other, indices):
            return True
    return False


def _hides_end(own: SeenCard, other: SeenCard, indices: IndexPoses) -> bool:
    """Whether `own` shows indices at one end only and `other` lies over the other end, where one should be seen."""
    points = indices.points[list(own.members)]
    middle = own.corners.mean(axis=0)
    down = geometry.down_vectors(own.corners[None])[0]
    along = (points - middle) @ down
    if bool((along > 0).any()) and bool((along < 0).any()):
        return False
    mirrored = 2 * middle - points
    return bool(geometry.inside(mirrored, other.corners, 0).any())


def _area(quad: FloatArray) -> float:
    return abs(float(geometry.areas(quad[None])[0]))
