"""What one look at the table means in the game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kibitz.engine.cards import Card, PileCard
from kibitz.engine.moves import Move
from kibitz.engine.piles import PileId, Slot
from kibitz.engine.position import Position


class OutcomeKind(StrEnum):
    """What a look gave."""

    STARTED = "started"
    """The first table was taken."""
    UNCHANGED = "unchanged"
    """The table is as it was."""
    FOLLOWED = "followed"
    """Legal moves explain what is new."""
    UNDONE = "undone"
    """Moves were taken back."""
    UNSETTLED = "unsettled"
    """Something is on the way; look again."""
    QUESTION = "question"
    """Followed, but one card must be asked for."""
    ILLEGAL = "illegal"
    """A move that the rules do not allow."""
    OUT_OF_STEP = "out_of_step"
    """Nothing explains the table; no advice until table and game agree."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A pile that is not as it was expected: the first card that differs."""

    pile: PileId
    seen: PileCard | None
    expected: PileCard | None


@dataclass(frozen=True, slots=True)
class CardQuestion:
    """A card that must be asked for, and what it can be, likeliest first."""

    slot: Slot
    choices: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The meaning of a look.

    Attributes:
        kind: what happened.
        position: the table that is believed now.
        moves: those that explain it; of an illegal change the move as it was made.
        confidence: 0..1, against the next best explanation.
        question: about one card.
        differences: pile by pile, where table and game disagree.
        put_back: after an illegal move, what restores the table.
        texts: what else must be told about the first table.
    """

    kind: OutcomeKind
    position: Position
    moves: tuple[Move, ...] = ()
    confidence: float = 1.0
    question: CardQuestion | None = None
    differences: tuple[Difference, ...] = ()
    put_back: tuple[Move, ...] = ()
    texts: tuple[str, ...] = ()
