"""How piles are built: which card goes on which, what is a run, how foundations rise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kibitz.engine.cards import CARDS, KING, OPEN_CODES, PILE_CARDS, Card, PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import MOST_PILES, Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, ProblemKind, known

__all__ = [
    "ALTERNATING",
    "ALTERNATING_WRAP",
    "ANY_SUIT",
    "SAME_SUIT",
    "Build",
    "Landings",
    "Unit",
    "faces_of",
    "foundation_below",
    "foundation_problems",
    "foundations_want",
    "free_card",
    "only_changes_place",
    "rank_after",
    "run_problems",
    "run_start",
    "up_moves",
]

Rule = Callable[[Card, Card], bool]
"""Tells whether the first card may lie on the second one."""


@dataclass(frozen=True)
class Build:
    """A building rule worked out for all cards, so that play only looks it up."""

    onto: tuple[frozenset[int], ...]
    """By code of a card in a pile: the codes of the cards on which it may lie, none for a card that is not open."""

    @staticmethod
    def of(rule: Rule) -> Build:
        """Work a rule out."""
        open_cards = tuple(frozenset(under.index for under in CARDS if rule(card, under)) for card in CARDS)
        return Build(open_cards + (frozenset(),) * (len(PILE_CARDS) - len(CARDS)))

    def fits(self, card: Card, under: Card) -> bool:
        """Tell whether the first card may lie on the second one."""
        return under.index in self.onto[card.index]


ALTERNATING = Build.of(lambda card, under: card.rank + 1 == under.rank and card.is_red != under.is_red)
"""Down by one in alternating colours: red 6 on black 7."""
ALTERNATING_WRAP = Build.of(lambda card, under: card.rank % KING + 1 == under.rank and card.is_red != under.is_red)
"""The same, and a king on an ace."""
ANY_SUIT = Build.of(lambda card, under: card.rank + 1 == under.rank)
"""Down by one, whatever the suit."""
SAME_SUIT = Build.of(lambda card, under: card.rank + 1 == under.rank and card.suit == under.suit)
"""Down by one in suit."""

Unit = tuple[PileId, Pile]
"""Cards that are moved together, with the pile in which they lie at the free end."""


class Landings:
    """Where cards may be laid in one position: the free cards of its columns, and its empty columns."""

    __slots__ = ("_codes", "_free", "_onto", "spaces")

    def __init__(self, columns: Iterable[tuple[PileId, Pile]], build: Build) -> None:
        """Look at the free ends of these columns."""
        spaces: list[PileId] = []
        free: list[tuple[PileId, PileCard]] = []
        for name, pile in columns:
            if pile:
                free.append((name, pile[-1]))
            else:
                spaces.append(name)
        self.spaces = spaces
        """The columns without cards."""
        self._free = free
        self._codes = {pile_card.code for _, pile_card in free}
        self._onto = build.onto

    def of(self, pile_card: PileCard) -> Sequence[tuple[PileId, Card | None]]:
        """Return the columns that take the card, with their free cards; none for a card that is not known and open."""
        onto = self._onto[pile_card.code]
        return (
            [] if self._codes.isdisjoint(onto) else [(name, one.card) for name, one in self._free if one.code in onto]
        )

    def moves(self, units: Iterable[Unit]) -> list[Move]:
        """Return the moves of these cards onto the columns that take the first of them."""
        movable = [unit for unit in units if unit[1] and not self._codes.isdisjoint(self._onto[unit[1][0].code])]
        return [
            Move.of(source, target, faces_of(cards), onto)
            for source, cards in movable
            for target, onto in self.of(cards[0])
            if target is not source
        ]


def faces_of(cards: Iterable[PileCard]) -> tuple[Card | None, ...]:
    """Return which cards these are, as far as that is known."""
    return tuple([pile_card.card for pile_card in cards])


_FOUNDATIONS = tuple(PileId.of(PileKind.FOUNDATIONS, index) for index in range(MOST_PILES))
_FOLLOWERS = tuple(CARDS[card.index + 1 - KING * (card.rank == KING)] for card in CARDS)
"""By card index: the next card of the suit, the ace after the king."""
_OF_RANK = tuple(tuple(card.index for card in CARDS if card.rank == rank) for rank in range(KING + 1))
"""By rank: the indices of its four cards."""


def rank_after(rank: int) -> int:
    """Return the rank that follows, an ace after a king."""
    return rank % KING + 1


def free_card(pile: Pile) -> Card | None:
    """Return the card at the free end if it lies face up and is known."""
    return pile[-1].card if pile and pile[-1].face_up else None


def run_start(pile: Pile, build: Build) -> int:
    """Return where the run of known open cards at the free end starts (the pile's length if there is none)."""
    start = len(pile) - 1
    if start < 0 or pile[start].code >= OPEN_CODES:
        return len(pile)
    onto = build.onto[pile[start].code]
    while start > 0 and (below := pile[start - 1].code) in onto:  # No card lies on one that is not open.
        onto = build.onto[below]
        start -= 1
    return start


def only_changes_place(position: Position, move: Move) -> bool:
    """Tell whether a move takes a whole column into an empty one: nothing changes but their order."""
    if move.kind is not MoveKind.MOVE or move.source is None or move.target is None:
        return False
    if move.source.kind is not PileKind.TABLEAU or move.target.kind is not PileKind.TABLEAU:
        return False
    return not position.pile(move.target) and move.count == len(position.pile(move.source))


def foundations_want(foundations: tuple[Pile, ...], base: int | None) -> dict[int, PileId]:
    """Return the cards that may go up now, by index, with their foundations.

    A card of the base rank goes to the first empty foundation, any other one to the pile of its suit.

    Args:
        foundations: The foundation piles, in any order of suits.
        base: Rank on which foundations start; None if no card fixes it yet.
    """
    wanted: dict[int, PileId] = {}
    empty: PileId | None = None
    for name, pile in zip(_FOUNDATIONS, foundations, strict=False):
        if not pile:
            empty = empty or name
        elif (top := pile[-1].card) is not None and (follower := _FOLLOWERS[top.index]).rank != base:
            wanted.setdefault(follower.index, name)
    if empty is not None and base is not None:
        wanted.update(dict.fromkeys(_OF_RANK[base], empty))
    return wanted


def up_moves(foundations: tuple[Pile, ...], sources: Iterable[tuple[PileId, Pile]], base: int | None) -> list[Move]:
    """Return the moves of free cards of these piles to foundations that start on the base rank."""
    wanted = foundations_want(foundations, base)
    rising = [(name, pile[-1]) for name, pile in sources if pile and pile[-1].code in wanted]
    return [_up_move(foundations, name, pile_card, wanted[pile_card.code]) for name, pile_card in rising]


def _up_move(foundations: tuple[Pile, ...], source: PileId, pile_card: PileCard, target: PileId) -> Move:
    under = foundations[target.index]
    return Move.of(source, target, (pile_card.card,), under[-1].card if under else None)


def foundation_below(pile: Pile, base: int | None) -> Pile:
    """Return the foundation with the cards filled in that must lie under its first known card."""
    first = pile[0].card if pile else None
    if first is None or base is None:
        return pile
    below = []
    rank = base
    while rank != first.rank:
        below.append(PileCard.of(CARDS[first.suit * KING + rank - 1]))
        rank = rank_after(rank)
    return (*below, *pile)


def run_problems(pile: Pile, name: PileId, build: Build) -> Iterator[Problem]:
    """Yield the neighbours among a pile's open cards that cannot lie on each other."""
    for lower, upper in pairwise(pile):
        if not (lower.face_up and upper.face_up) or lower.card is None or upper.card is None:
            continue
        if not build.fits(upper.card, lower.card):
            yield Problem(ProblemKind.IMPOSSIBLE_RUN, (lower.card, upper.card), (name,))


def foundation_problems(position: Position, base: int | None) -> Iterator[Problem]:
    """Yield foundations that start wrong or do not rise one by one in suit."""
    for index, pile in enumerate(position.foundations):
        name = PileId.of(PileKind.FOUNDATIONS, index)
        cards = known(pile)
        if len(cards) < len(pile) or not cards:
            continue
        if base is not None and cards[0].rank != base:
            yield Problem(ProblemKind.WRONG_BASE, (cards[0],), (name,), base, cards[0].rank)
        for lower, upper in pairwise(cards):
            if upper.suit != lower.suit or upper.rank != rank_after(lower.rank) or upper.rank == base:
                yield Problem(ProblemKind.FOUNDATION_GAP, (lower, upper), (name,))
