"""How many face-down cards lie under the face-up ones of a column: by the coarse outlines and by the room they take."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kibitz.vision.chains import Chain
from kibitz.vision.types import PlacedCard, TableCard

CROOKED = 0.12
"""Card heights by which a column may begin lower than its row without anything under it."""
LOOSE = 0.5
"""Card heights by which the outline of a half covered back may be off: a face-up card this near says better where
its row begins."""
STEP = 0.2
"""Card heights between two face-down cards as most players lay them."""
WIDEST = 0.3
"""Card heights between two cards of a column, above which one between them may have been overlooked."""


class Counter:
    """Counts the face-down cards of the columns of one group."""

    def __init__(self, chains: Sequence[Chain], cards: Sequence[TableCard]) -> None:
        """Finds where the row of these columns begins."""
        self._cards = cards
        begins = [float(chain.start[1]) for chain in chains]
        clear = [y for y, chain in zip(begins, chains, strict=True) if cards[chain.cards[0]].face_up]
        level = min(begins, default=0.0)
        self._level = min((y for y in clear if y - level < LOOSE), default=level)

    def count(self, chain: Chain) -> tuple[list[PlacedCard], bool]:
        """The face-down cards at the covered end of a chain, and whether their number is clear.

        Returns:
            The cards seen, filled up with cards that nobody saw but for which the row leaves room; such a guess is
            never clear, and where the column begins with its row, nothing is guessed.
        """
        backs = [
            PlacedCard(self._cards[k], False, self._cards[k].corners) for k in chain.cards[: self._first_up(chain)]
        ]
        if len(backs) == len(chain):
            return backs, len(backs) <= 1
        ys = [self._level, *(float(y) for y in chain.points[: len(backs) + 1, 1])]
        if ys[1] - ys[0] <= CROOKED and all(below - above <= WIDEST for above, below in pairwise(ys[1:])):
            return backs, True
        guess = max(1, len(backs), round((ys[-1] - ys[0]) / STEP))
        return [*backs, *[PlacedCard(None, False, None)] * (guess - len(backs))], False

    def _first_up(self, chain: Chain) -> int:
        return next((n for n, k in enumerate(chain.cards) if self._cards[k].face_up), len(chain))


def with_backs(pile: tuple[PlacedCard, ...], backs: list[PlacedCard]) -> tuple[PlacedCard, ...]:
    """The pile with these face-down cards at its covered end instead of those it had there."""
    first = next((k for k, placed in enumerate(pile) if placed.face_up), len(pile))
    return (*backs, *pile[first:])
