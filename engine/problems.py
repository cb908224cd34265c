"""What is wrong with a table, as flags with the cards and piles concerned, never as an exception."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntFlag
from itertools import pairwise

from kibitz.engine.cards import CARDS, Card
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position

__all__ = [
    "Problem",
    "ProblemKind",
    "count_problems",
    "face_down_problems",
    "face_problems",
    "hidden_above_open",
    "known",
    "size_problems",
    "status_of",
    "unexpected_piles",
]


class ProblemKind(IntFlag):
    """Kinds of problems; their union is the status of a position."""

    NONE = 0
    DUPLICATE = 1
    """A card is there more often than the packs hold it."""
    TOO_MANY_CARDS = 2
    """More cards than the packs hold."""
    TOO_FEW_CARDS = 4
    """Fewer cards than must be on the table."""
    IMPOSSIBLE_RUN = 8
    """Neighbouring cards of a pile that the rules never put together."""
    FOUNDATION_GAP = 16
    """A foundation or base pile that does not go up one by one from its first card."""
    BAD_COUNT = 32
    """A pile has a number of cards that it cannot have."""
    MUST_BE_EMPTY = 64
    """A pile that must be empty holds cards."""
    FACE_DOWN = 128
    """A card lies face down where all cards lie face up."""
    FACE_UP = 256
    """A card lies face up where all cards lie face down."""
    HIDDEN_ABOVE_OPEN = 512
    """A face-down card lies on a face-up one."""
    WRONG_BASE = 1024
    """A foundation or base pile starts with a card on which it cannot start."""

    @property
    def code(self) -> str:
        """The kind's name in JSON and messages, such as `impossible-run`."""
        return (self.name or "none").lower().replace("_", "-")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a table."""

    kind: ProblemKind
    """What is wrong."""
    cards: tuple[Card, ...] = ()
    """The cards concerned, as far as their faces are known."""
    piles: tuple[PileId, ...] = ()
    """The piles concerned."""
    expected: int | None = None
    """A number that would be right, for counts."""
    got: int | None = None
    """The number found, for counts."""


def status_of(problems: Iterable[Problem]) -> ProblemKind:
    """Return the union of the kinds of problems."""
    status = ProblemKind.NONE
    for problem in problems:
        status |= problem.kind
    return status


def known(pile: Pile) -> tuple[Card, ...]:
    """Return the cards of a pile whose faces are known."""
    return tuple(pile_card.card for pile_card in pile if pile_card.card is not None)


def count_problems(position: Position, decks: int, expected: int) -> Iterator[Problem]:
    """Yield duplicates, and too many or too few cards; where every card on the table is known, the missing ones too.

    Args:
        position: The table.
        decks: How many packs the patience is played with.
        expected: How many cards must be on the table.
    """
    piles_of: dict[Card, list[PileId]] = {}
    for name, pile in position.all_piles():
        for card in known(pile):
            piles_of.setdefault(card, []).append(name)
    counts = Counter({card: len(piles) for card, piles in piles_of.items()})
    for card in CARDS:
        if counts[card] > decks:
            piles = tuple(dict.fromkeys(piles_of[card]))
            yield Problem(ProblemKind.DUPLICATE, (card,), piles, decks, counts[card])
    total = len(position)
    if total > expected:
        yield Problem(ProblemKind.TOO_MANY_CARDS, expected=expected, got=total)
    elif total < expected:
        every_face = sum(counts.values()) == total and expected == len(CARDS) * decks
        missing = tuple(card for card in CARDS for _ in range(decks - counts[card])) if every_face else ()
        yield Problem(ProblemKind.TOO_FEW_CARDS, missing, (), expected, total)


def face_problems(position: Position) -> Iterator[Problem]:
    """Yield cards lying with the wrong side up, in every patience alike."""
    for name, pile in position.all_piles():
        if name.kind is PileKind.STOCK:
            wrong = [pile_card for pile_card in pile if pile_card.face_up]
            kind = ProblemKind.FACE_UP
        elif name.kind in (PileKind.TABLEAU, PileKind.ASIDE):
            continue
        else:
            wrong = [pile_card for pile_card in pile if not pile_card.face_up]
            kind = ProblemKind.FACE_DOWN
        if wrong:
            yield Problem(kind, known(tuple(wrong)), (name,))


def face_down_problems(position: Position) -> Iterator[Problem]:
    """Yield columns that hold a face-down card although all their cards lie open."""
    for index, pile in enumerate(position.tableau):
        if wrong := tuple(pile_card for pile_card in pile if not pile_card.face_up):
            yield Problem(ProblemKind.FACE_DOWN, known(wrong), (PileId.of(PileKind.TABLEAU, index),))


def hidden_above_open(position: Position) -> Iterator[Problem]:
    """Yield columns where a face-down card lies on a face-up one."""
    for index, pile in enumerate(position.tableau):
        for lower, upper in pairwise(pile):
            if lower.face_up and not upper.face_up:
                name = PileId.of(PileKind.TABLEAU, index)
                yield Problem(ProblemKind.HIDDEN_ABOVE_OPEN, known((lower, upper)), (name,))


def unexpected_piles(position: Position, used: Iterable[PileKind]) -> Iterator[Problem]:
    """Yield piles with cards that the patience does not have."""
    allowed = frozenset(used)
    for name, pile in position.all_piles():
        if pile and name.kind not in allowed:
            yield Problem(ProblemKind.MUST_BE_EMPTY, known(pile), (name,))


def size_problems(piles: tuple[PileId, ...], most: int, got: int) -> Iterator[Problem]:
    """Yield that piles hold more cards than they can."""
    if got > most:
        yield Problem(ProblemKind.BAD_COUNT, (), piles, most, got)
