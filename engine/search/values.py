"""What the adviser takes and gives: limits, advice, reasons and verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from kibitz.engine.cards import Card
from kibitz.engine.errors import ValueRangeError
from kibitz.engine.moves import Move
from kibitz.engine.piles import Slot

__all__ = ["Advice", "Limit", "Question", "RankedMove", "Reason", "Verdict"]


class Reason(StrEnum):
    """Why a move is proposed. The words for it are the assistant's."""

    DUE = "due"
    """A consequence of an earlier move that is still to be carried out."""
    WINS = "wins"
    """The first step of a line that wins for certain."""
    REVEALS_CARD = "reveals-card"
    """It turns up a card that nobody has seen."""
    LEADS_TO_REVEAL = "leads-to-reveal"
    """The line that it starts turns up a card."""
    ACE_UP = "ace-up"
    """Aces first: they start the foundations."""
    TO_FOUNDATION = "to-foundation"
    """A card goes to where it must go in the end."""
    LEADS_TO_FOUNDATION = "leads-to-foundation"
    """The line that it starts brings a card to a foundation."""
    FREES_ACE = "frees-ace"
    """An ace can be taken afterwards."""
    FREES_NEEDED = "frees-needed"
    """A card that a foundation waits for can be taken afterwards."""
    EMPTIES_COLUMN = "empties-column"
    """A place becomes empty."""
    KING_TO_PLACE = "king-to-place"
    """A king gets one of the few places for kings."""
    KEEPS_PLACE = "keeps-place"
    """Other moves would fill a place that is better kept."""
    FROM_RESERVE = "from-reserve"
    """The reserve becomes smaller."""
    FROM_STOCK = "from-stock"
    """A card of the stock finds a place."""
    BUILDS_RUN = "builds-run"
    """Cards come into order."""
    COMPLETES_RUN = "completes-run"
    """A run becomes complete and leaves the table."""
    AVOIDS_DEAD_END = "avoids-dead-end"
    """The other moves lose for certain."""
    LOOKS_AT_STOCK = "looks-at-stock"
    """Nothing better is known before the next cards of the stock are seen."""
    SETS_ASIDE = "sets-aside"
    """The three cards of the nineteenth fan cannot all be used."""
    REDEALS = "redeals"
    """Nothing is left in this deal."""
    ANY_MOVE = "any-move"
    """All moves are equally good (Eleven Points)."""
    NOTHING_LEFT = "nothing-left"
    """There is nothing left to do."""


class Verdict(StrEnum):
    """How the position stands, as far as is known."""

    OPEN = "open"
    """Play goes on."""
    WON = "won"
    """The patience has come out."""
    LOST = "lost"
    """Proven: no play at all can win."""
    NO_WIN_FOUND = "no win found"
    """The search ended at its limit without a win, and all cards were known."""
    CYCLING = "cycling"
    """Only moves in a circle are left."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How long the adviser may think. What is None does not limit; without any limit fixed counts are used.

    With counts alone the same seed gives the same answer on every machine; with `seconds` it depends on its speed.
    """

    seconds: float | None = None
    """Time by the wall clock."""
    nodes: int | None = None
    """Positions that one search may look at."""
    samples: int | None = None
    """Sampled worlds times candidates."""
    seed: int = 0
    """Starts the random numbers."""
    cancel: Callable[[], bool] | None = field(default=None, compare=False)
    """Asked often; as soon as it says True the best answer so far is given."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name, value in (("seconds", self.seconds), ("nodes", self.nodes), ("samples", self.samples)):
            if value is not None and not value > 0:
                raise ValueRangeError(f"expected {name} above 0 or None, got {value!r}")


@dataclass(frozen=True, slots=True)
class RankedMove:
    """One move with what is known about it."""

    move: Move
    """The move."""
    reason: Reason
    """Why one might make it."""
    win_chance: float | None = None
    """Chance that the patience comes out after it, where it was estimated."""
    error: float | None = None
    """Standard error of the chance; 0 where it is exact."""
    loses: bool = False
    """It loses for certain."""
    line: tuple[Move, ...] = ()
    """The move and what follows it up to the next unknown card."""


@dataclass(frozen=True, slots=True)
class Question:
    """The one doubtful card on which the advice depends."""

    slot: Slot
    """Where it lies."""
    choices: tuple[Card, ...]
    """What it can be, likeliest first."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do in a position."""

    move: Move | None
    """The best move; None where there is nothing to do or a question must be answered first."""
    reason: Reason
    """Why."""
    line: tuple[Move, ...] = ()
    """The move and what is planned after it, up to the next unknown card or to the win."""
    win_chance: float | None = None
    """Chance that the patience comes out with this move, where it was estimated."""
    error: float | None = None
    """Standard error of the chance; 0 where it is exact."""
    alternatives: tuple[RankedMove, ...] = ()
    """Other moves, best first."""
    verdict: Verdict = Verdict.OPEN
    """How the position stands."""
    loses: bool = False
    """The position is lost for certain, whatever is played."""
    question: Question | None = None
    """What must be known before advice can be given."""
    idle: bool = False
    """No progress is in sight: the move only tries another arrangement, and no arrangement is advised twice."""

    def __post_init__(self) -> None:
        """Check that line and move agree."""
        if self.line and self.line[0] != self.move:
            raise ValueRangeError(f"expected a line that starts with {self.move}, got {self.line[0]}")
