"""How many face-down cards lie under the face-up ones of a column: by the coarse outlines and by their edges."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.vision.chains import Chain, PlayerFrame
from kibitz.vision.types import Frame, PlacedCard, TableCard


class Counter:
    """Counts face-down cards on one picture."""

    def __init__(self, player: PlayerFrame, frame: Frame | None, cards: Sequence[TableCard]) -> None:
        """Keeps the picture; without one only the coarse outlines count."""
        self._player, self._frame, self._cards = player, frame, cards

    def count(self, chain: Chain) -> tuple[list[PlacedCard], bool]:
        """The face-down cards at the covered end of a chain, and whether their number is clear."""
        backs = []
        for k in chain.cards:
            if self._cards[k].face_up:
                break
            backs.append(PlacedCard(self._cards[k], False, self._cards[k].corners))
        return backs, True


def with_backs(pile: tuple[PlacedCard, ...], backs: list[PlacedCard]) -> tuple[PlacedCard, ...]:
    """The pile with these face-down cards at its covered end instead of those it had there."""
    first = next((k for k, placed in enumerate(pile) if placed.face_up), len(pile))
    return (*backs, *pile[first:])
