"""What the live loop needs of a follower: the interface between seeing the table and knowing the game."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from kibitz.engine.belief import Belief
    from kibitz.engine.cards import Card, PileCard
    from kibitz.engine.moves import Move
    from kibitz.engine.piles import PileId, Slot
    from kibitz.engine.position import Position
    from kibitz.vision.types import Layout


class Differs(Protocol):
    """A place of the table that is not as it was expected."""

    @property
    def pile(self) -> PileId:
        """Where."""

    @property
    def seen(self) -> PileCard | None:
        """What lies there; None for nothing."""

    @property
    def expected(self) -> PileCard | None:
        """What should lie there; None for nothing."""


class Asks(Protocol):
    """A question about one card."""

    @property
    def slot(self) -> Slot:
        """Where it lies."""

    @property
    def choices(self) -> tuple[Card, ...]:
        """What it can be, likeliest first."""


class Outcome(Protocol):
    """What a look at the table means in the game."""

    @property
    def kind(self) -> StrEnum:
        """started, unchanged, followed, undone, unsettled, question, illegal or out_of_step."""

    @property
    def position(self) -> Position:
        """The position that is believed after the look."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that explain it."""

    @property
    def question(self) -> Asks | None:
        """What must be asked."""

    @property
    def differences(self) -> Sequence[Differs]:
        """What is seen and what was expected."""

    @property
    def put_back(self) -> Sequence[Any]:
        """After an illegal move: moves (or differences) that restore the table."""


class Follows(Protocol):
    """Knows the game so far."""

    @property
    def position(self) -> Position | None:
        """The position that is believed; None before the first."""

    @property
    def belief(self) -> Belief | None:
        """What else may lie where."""

    def look(self, layout: Layout, others: Sequence[Layout] = (), /) -> Outcome:
        """Takes what is seen; `others` are further ways to lay the same cards."""

    def take_as_is(self) -> Outcome:
        """Believes the table as it was seen last."""

    def undo(self) -> Outcome:
        """Forgets the last move."""

    def answer(self, question: Any, choice: Any, /) -> Outcome:
        """Takes the player's answer."""

    def correct(self, pile: PileId, index: int, card: Card, /) -> Outcome:
        """Takes the player's word for a card."""
