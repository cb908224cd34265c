"""To which side of its indices a card lies, where both are possible: settled over the whole table.

On decks with an index in every corner an index at the left looks like one at the right. Of a card in a fan or a column
only one side is seen, so that its own indices do not tell. What tells is the rest: a corner of which no index is seen
must lie under another card, and two cards cannot each lie upon the other. The clearest case is settled first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.vision import geometry
from kibitz.vision.deck_geometry import DeckGeometry, IndexPoses
from kibitz.vision.grouping import CardGroup
from kibitz.vision.types import FloatArray

UNEXPLAINED = 1.0
"""Cost of a corner without an index that nothing covers: indices are overlooked now and then."""
IMPOSSIBLE = 2.5
"""Cost of another card that would lie both above and below."""
OUTLINE = 1.5
"""Worth of an outline of the coarse network just there."""
MARGIN = 0.35
"""Index heights that a point must lie inside a card to be on it."""


def settle(
    options: Sequence[Sequence[CardGroup]],
    indices: IndexPoses,
    deck: DeckGeometry,
    outlines: FloatArray,
    picture: FloatArray,
) -> list[CardGroup]:
    """One of the possible cards for each group of indices.

    Args:
        options: for each group the cards it may be, the best fit first.
        indices: of the table.
        deck: sizes of its cards.
        outlines: (M, 4, 2) of face-up cards that the coarse network found, in the straightened plane.
        picture: (4, 2) corners of the picture in the straightened plane.
    """
    if all(len(own) == 1 for own in options):
        return [own[0] for own in options]
    flat = [card for own in options for card in own]
    owner = np.asarray([g for g, own in enumerate(options) for _ in own])
    relation = _Relation(flat, owner, indices, deck, picture)
    worth = np.asarray([_outline_worth(quad, outlines) for quad in relation.quads])
    chosen: dict[int, int] = {g: int(np.flatnonzero(owner == g)[0]) for g, own in enumerate(options) if len(own) == 1}
    while len(chosen) < len(options):
        known = np.asarray(sorted(chosen.values()), np.intp)
        cost = relation.cost(known) - OUTLINE * worth
        open_groups = [g for g in range(len(options)) if g not in chosen]
        ranked = {g: sorted(np.flatnonzero(owner == g), key=lambda a: float(cost[a])) for g in open_groups}
        clearest = max(open_groups, key=lambda g: float(cost[ranked[g][1]] - cost[ranked[g][0]]))
        chosen[clearest] = int(ranked[clearest][0])
    return [flat[chosen[g]] for g in range(len(options))]


class _Relation:
    """What all possible cards would do to each other."""

    def __init__(
        self,
        cards: Sequence[CardGroup],
        owner: npt.NDArray[np.intp],
        indices: IndexPoses,
        deck: DeckGeometry,
        picture: FloatArray,
    ) -> None:
        self.quads = [card.outline(deck, indices.unit) for card in cards]
        n, margin = len(cards), MARGIN * indices.unit
        own = [indices.points[list(card.members)] for card in cards]
        other = owner[:, None] != owner[None]
        # on[a, b]: an index of a lies inside the outline of b, so that a is the upper one
        on = np.asarray(
            [[bool(geometry.inside(own[a], self.quads[b], margin).any()) for b in range(n)] for a in range(n)]
        )
        on &= other
        self._conflict = on & on.T
        self._bare: list[npt.NDArray[np.bool_]] = []  # for each card (C, n): missing corner c is not under card b
        for a, card in enumerate(cards):
            corners = _missing(card, own[a], deck, indices.unit)
            corners = corners[geometry.inside(corners, picture)] if len(corners) else corners
            under = [geometry.inside(corners, self.quads[b], 0.0) & (other[a, b] and not on[a, b]) for b in range(n)]
            self._bare.append(~np.stack(under, axis=1) if len(corners) else np.ones((0, n), np.bool_))

    def cost(self, known: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        """(n,) how badly each card fits to the cards that are settled."""
        bare = np.asarray([float(rows[:, known].all(axis=1).sum()) for rows in self._bare])
        return np.asarray(UNEXPLAINED * bare + IMPOSSIBLE * self._conflict[:, known].sum(axis=1), np.float64)


def _missing(card: CardGroup, seen: FloatArray, deck: DeckGeometry, unit: float) -> FloatArray:
    """(C, 2) where the card's indices should be of which none was seen."""
    right = np.asarray([card.down[1], -card.down[0]])
    across, along = right * deck.across * unit / 2, card.down * deck.along * unit / 2
    corners = np.asarray([card.middle + sx * across + sy * along for sx in (-1, 1) for sy in (-1, 1)], np.float32)
    gaps = np.linalg.norm(corners[:, None] - seen[None], axis=2).min(axis=1)
    return np.asarray(corners[gaps > 0.8 * unit], np.float32)


def _outline_worth(quad: FloatArray, outlines: FloatArray) -> float:
    """0..1: how well the best of the outlines fits."""
    middle, size = quad.mean(axis=0), float(np.linalg.norm(quad[2] - quad[0]))
    near = [other for other in outlines if float(np.linalg.norm(other.mean(axis=0) - middle)) < 0.4 * size]
    best = max((geometry.iou(quad, other) for other in near), default=0.0)
    return max(0.0, (best - 0.5) / 0.5)
