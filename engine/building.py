"""How piles are built: which card goes on which, what is a run, how foundations rise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kibitz.engine.cards import CARDS, KING, Card, PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, ProblemKind, known

__all__ = [
    "ALTERNATING",
    "ALTERNATING_WRAP",
    "ANY_SUIT",
    "SAME_SUIT",
    "Build",
    "Landings",
    "foundation_below",
    "foundation_for",
    "foundation_problems",
    "foundations_want",
    "free_card",
    "is_whole",
    "landings",
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
    """By card index: the indices of the cards on which it may lie."""
    takes: tuple[tuple[int, ...], ...]
    """By card index: the indices of the cards that it takes."""

    @staticmethod
    def of(rule: Rule) -> Build:
        """Work a rule out."""
        onto = tuple(frozenset(under.index for under in CARDS if rule(card, under)) for card in CARDS)
        takes = tuple(tuple(card.index for card in CARDS if under.index in onto[card.index]) for under in CARDS)
        return Build(onto, takes)

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

Landings = Mapping[int, Sequence[tuple[PileId, Card]]]
"""By card index: the piles on which the card may be laid, with their free cards."""


def landings(columns: Iterable[tuple[PileId, Pile]], build: Build) -> Landings:
    """Return where each card may be laid on the free cards of these columns."""
    found: dict[int, list[tuple[PileId, Card]]] = {}
    for name, pile in columns:
        card = pile[-1].card if pile and pile[-1].face_up else None
        if card is not None:
            for index in build.takes[card.index]:
                found.setdefault(index, []).append((name, card))
    return found


def rank_after(rank: int) -> int:
    """Return the rank that follows, an ace after a king."""
    return rank % KING + 1


def free_card(pile: Pile) -> Card | None:
    """Return the card at the free end if it lies face up and is known."""
    return pile[-1].card if pile and pile[-1].face_up else None


def run_start(pile: Pile, build: Build) -> int:
    """Return where the run of known open cards at the free end starts (the pile's length if there is none)."""
    start = len(pile)
    above: Card | None = None
    for pile_card in reversed(pile):
        card = pile_card.card
        if card is None or not pile_card.face_up or (above is not None and card.index not in build.onto[above.index]):
            break
        above = card
        start -= 1
    return start


def is_whole(pile: Pile, start: int) -> bool:
    """Tell whether the run from there holds every face-up card of the pile."""
    return start < len(pile) and (start == 0 or not pile[start - 1].face_up)


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
    started = base is None
    for index, pile in enumerate(foundations):
        name = PileId.of(PileKind.FOUNDATIONS, index)
        if not pile:
            if base is not None and not started:
                started = True
                wanted.update({suit * KING + base - 1: name for suit in range(4)})
        elif (top := pile[-1].card) is not None and (rank := rank_after(top.rank)) != base:
            wanted.setdefault(top.suit * KING + rank - 1, name)
    return wanted


def up_moves(position: Position, sources: Iterable[tuple[PileId, Pile]], base: int | None) -> Iterator[Move]:
    """Yield the moves of free cards of these piles to foundations that start on the base rank."""
    wanted = foundations_want(position.foundations, base)
    for name, pile in sources:
        card = free_card(pile)
        if card is not None and card.index in wanted:
            target = wanted[card.index]
            yield Move(MoveKind.MOVE, name, target, cards=(card,), onto=free_card(position.pile(target)))


def foundation_for(foundations: tuple[Pile, ...], card: Card, base: int | None) -> PileId | None:
    """Return the foundation on which the card may go now, if there is one."""
    return foundations_want(foundations, base).get(card.index)


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
