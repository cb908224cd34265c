"""Which indices belong to one physical card: by where they sit and which way they read, then by what they say.

Every index proposes the card it would belong to; indices whose proposals coincide are witnesses of one card. Grouping
goes by geometry first, so the two eights of spades of a two-deck table stay two cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from kibitz.vision.deck_geometry import PARALLEL, DeckGeometry, IndexPoses
from kibitz.vision.types import FloatArray

SPREAD = 0.11
"""Standard deviation of the proposals of one card's middle, card widths."""
FARTHEST = 3.2
"""Proposals farther apart than this many standard deviations are different cards."""
STRANGE = 0.004
"""Similarity credited to contradictory readings: only a near perfect fit joins them, and the card becomes unsure."""
LEAST_SCORE = -6.0
LOOSER, SURELY = 2.0, 0.8
"""How much farther apart proposals may lie where both indices give one label at least this probability."""
WITNESS_FLOOR = 0.003
"""Probability that one witness leaves to any label, so that one misreading cannot rule out the truth."""


@dataclass(frozen=True, slots=True)
class CardGroup:
    """One card with at least one index, in the straightened plane.

    Attributes:
        members: rows of the indices.
        middle: (2,) of the card.
        down: (2,) unit vector along the card's long side, away from the top in the reading direction.
        labels: (52,) fused label probabilities.
        evidence: probability that there is a card.
        opposite: True if indices at opposite ends were seen, which fixes the outline well.
    """

    members: tuple[int, ...]
    middle: FloatArray
    down: FloatArray
    labels: FloatArray
    evidence: float
    opposite: bool

    def outline(self, deck: DeckGeometry, unit: float) -> FloatArray:
        """(4, 2) corners in the straightened plane, TL TR BR BL."""
        down = self.down * deck.height * unit / 2
        right = np.asarray([self.down[1], -self.down[0]], np.float32) * deck.width * unit / 2
        corners = [self.middle - right - down, self.middle + right - down]
        corners += [self.middle + right + down, self.middle - right + down]
        return np.asarray(corners, np.float32)


def proposals(indices: IndexPoses, deck: DeckGeometry) -> FloatArray:
    """(N, S, 2) middles of the cards that each index may belong to: as their left index, and as their right one."""
    sides = (1.0, -1.0) if deck.four else (1.0,)
    step = [s * deck.across / 2 * indices.right + deck.along / 2 * indices.down for s in sides]
    return np.asarray(indices.points[:, None] + indices.unit * np.stack(step, axis=1), np.float32)


def group(indices: IndexPoses, deck: DeckGeometry) -> list[list[CardGroup]]:
    """The cards of the table that show at least one index; each as the cards it may be, the best fit first.

    Where a deck has an index in every corner and only one side of a card is seen, it may lie to either side of it:
    `kibitz.vision.sides` settles which.
    """
    n = len(indices)
    middles = proposals(indices, deck)
    spread = SPREAD * deck.width * indices.unit * (1.0 if deck.pairs else 2.0)
    owner: list[list[int]] = [[i] for i in range(n)]
    _join(
        indices, middles, owner, (spread, 4 if deck.four else 2), sorted(_pairs(indices, middles, spread), reverse=True)
    )
    # Cards of a fan are bent and lie askew: indices that surely say the same may fit less well.
    same = [pair for pair in _pairs(indices, middles, LOOSER * spread) if _say_the_same(indices, *pair[1:])]
    _join(indices, middles, owner, (LOOSER * spread, 4 if deck.four else 2), sorted(same, reverse=True))
    joints = {tuple(members) for members in owner}
    return [_cards(indices, deck, middles, members, LOOSER * spread) for members in sorted(joints)]


def _join(
    indices: IndexPoses,
    middles: FloatArray,
    owner: list[list[int]],
    limits: tuple[float, int],
    pairs: list[tuple[float, int, int]],
) -> None:
    """Joins the indices of pairs, best first, while all of a card's indices fit together."""
    spread, most = limits
    for _, i, j in pairs:
        joint = sorted({*owner[i], *owner[j]})
        if owner[i] is owner[j] or len(joint) > most or not _sides(indices, middles, joint, spread):
            continue
        for k in joint:
            owner[k] = joint


def _say_the_same(indices: IndexPoses, i: int, j: int) -> bool:
    """Whether both readings are sure of one label."""
    label = int(indices.labels[i].argmax())
    return min(float(indices.labels[i, label]), float(indices.labels[j, label])) > SURELY


def _pairs(indices: IndexPoses, middles: FloatArray, spread: float) -> list[tuple[float, int, int]]:
    """Score and rows of all pairs that may be one card."""
    if len(indices) < 2:
        return []
    gaps = np.linalg.norm(middles[:, None, :, None] - middles[None, :, None, :], axis=-1).min(axis=(2, 3))
    pairs = []
    for i, j in np.argwhere(np.triu(gaps < FARTHEST * spread, 1)):
        turn = indices.turn(int(i), int(j))
        turn = min(turn, np.pi - turn)
        if turn > PARALLEL:
            continue
        fit = float(gaps[i, j] / spread) ** 2 / 2 + (turn / (PARALLEL / 2)) ** 2 / 2
        score = float(np.log(indices.alike(int(i), int(j)) + STRANGE)) - fit
        if score > LEAST_SCORE:
            pairs.append((score, int(i), int(j)))
    return pairs


def _sides(
    indices: IndexPoses, middles: FloatArray, members: list[int] | tuple[int, ...], spread: float
) -> list[tuple[int, ...]]:
    """For each member whether it is a left or a right index, so that all agree on a middle: every way, best first."""
    found: list[tuple[float, tuple[int, ...]]] = []
    for sides in product(range(middles.shape[1]), repeat=len(members)):
        chosen = middles[list(members), list(sides)]
        width = max((float(np.linalg.norm(a - b)) for a, b in combinations(chosen, 2)), default=0.0)
        corners = {_corner(indices, members[0], k, side) for k, side in zip(members, sides, strict=True)}
        if len(corners) == len(members) and width < FARTHEST * spread:
            found.append((width, sides))
    return [sides for _, sides in sorted(found)]


def _corner(indices: IndexPoses, first: int, k: int, side: int) -> tuple[bool, bool]:
    """Which corner of the card an index sits in, as the first index reads: (upper, left)."""
    upright = bool(indices.right[first] @ indices.right[k] > 0)
    return upright, (side == 0) == upright


def _cards(
    indices: IndexPoses, deck: DeckGeometry, middles: FloatArray, members: tuple[int, ...], spread: float
) -> list[CardGroup]:
    """The cards that a group of indices may be: one, or two on either side of the side that is seen."""
    ways = _sides(indices, middles, members, spread) or [(0,) * len(members)]
    mirrored = tuple(1 - side for side in ways[0])
    # Another way with the same indices in other corners of nearly the same card would only be a worse fit.
    chosen = [ways[0], *(way for way in ways[1:] if way == mirrored)]
    return [_card(indices, deck, middles[list(members), list(sides)], (members, sides)) for sides in chosen]


def _card(
    indices: IndexPoses, deck: DeckGeometry, middles: FloatArray, of: tuple[tuple[int, ...], tuple[int, ...]]
) -> CardGroup:
    members, sides = of
    rows = list(members)
    lead = max(rows, key=lambda k: float(indices.evidence[k]))
    corners = [_corner(indices, lead, k, side) for k, side in zip(rows, sides, strict=True)]
    opposite = len({upper for upper, _ in corners}) == 2
    down = _direction(indices, deck, rows, corners) if opposite else indices.down[rows].mean(axis=0)
    down = np.asarray(down / max(float(np.linalg.norm(down)), 1e-9), np.float32)
    evidence = 1 - float(np.prod(1 - indices.evidence[rows]))
    middle = np.asarray(middles.mean(axis=0), np.float32)
    return CardGroup(members, middle, down, fuse(indices.labels[rows]), evidence, opposite)


def _direction(
    indices: IndexPoses, deck: DeckGeometry, rows: list[int], corners: list[tuple[bool, bool]]
) -> FloatArray:
    """The card's down vector from where its indices lie: truer than their own directions, as the lever is longer."""
    place = [
        complex(-deck.across if left else deck.across, -deck.along if upper else deck.along) for upper, left in corners
    ]
    spot = [complex(*indices.points[k]) for k in rows]
    turn = sum((spot[b] - spot[a]) * (place[b] - place[a]).conjugate() for a, b in combinations(range(len(rows)), 2))
    down = turn * 1j
    return np.asarray([down.real, down.imag], np.float32)


def fuse(labels: FloatArray) -> FloatArray:
    """(52,) distribution of a card from the (K, 52) distributions of its indices, taken as independent witnesses."""
    rest = np.clip(1 - labels.sum(axis=1, keepdims=True), 0, 1)
    full = np.concatenate([labels, rest], axis=1) + WITNESS_FLOOR
    # One witness keeps its own word; the floor only matters where witnesses differ.
    if len(labels) == 1:
        return np.asarray(labels[0] / max(1.0, float(labels[0].sum())), np.float32)
    power = np.log(full / full.sum(axis=1, keepdims=True)).sum(axis=0)
    weights = np.exp(power - power.max())
    return np.asarray((weights / weights.sum())[:-1], np.float32)
