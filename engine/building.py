"""How piles are built: which card goes on which, what is a run, how foundations rise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from kibitz.engine.cards import CARDS, KING, Card, PileCard
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, ProblemKind, known

__all__ = [
    "Fits",
    "alternating",
    "alternating_wrap",
    "any_suit",
    "foundation_below",
    "foundation_for",
    "foundation_problems",
    "rank_after",
    "run_problems",
    "run_start",
    "same_suit",
]

Fits = Callable[[Card, Card], bool]
"""Tells whether the first card may lie on the second one."""


def _table(rule: Fits) -> tuple[frozenset[int], ...]:
    return tuple(frozenset(onto.index for onto in CARDS if rule(card, onto)) for card in CARDS)


_ALTERNATING = _table(lambda card, onto: card.rank + 1 == onto.rank and card.is_red != onto.is_red)
_ALTERNATING_WRAP = _table(lambda card, onto: card.rank % KING + 1 == onto.rank and card.is_red != onto.is_red)


def alternating(card: Card, onto: Card) -> bool:
    """Down by one in alternating colours: red 6 on black 7."""
    return onto.index in _ALTERNATING[card.index]


def alternating_wrap(card: Card, onto: Card) -> bool:
    """Down by one in alternating colours, a king on an ace too."""
    return onto.index in _ALTERNATING_WRAP[card.index]


def any_suit(card: Card, onto: Card) -> bool:
    """Down by one, whatever the suit."""
    return card.rank + 1 == onto.rank


def same_suit(card: Card, onto: Card) -> bool:
    """Down by one in suit."""
    return card.rank + 1 == onto.rank and card.suit == onto.suit


def rank_after(rank: int) -> int:
    """Return the rank that follows, an ace after a king."""
    return rank % KING + 1


def free_card(pile: Pile) -> Card | None:
    """Return the card at the free end if it lies face up and is known."""
    return pile[-1].card if pile and pile[-1].face_up else None


def run_start(pile: Pile, fits: Fits) -> int:
    """Return where the run of known open cards at the free end starts (the pile's length if there is none)."""
    start = len(pile)
    above: Card | None = None
    while start:
        pile_card = pile[start - 1]
        card = pile_card.card
        if card is None or not pile_card.face_up or (above is not None and not fits(above, card)):
            break
        above = card
        start -= 1
    return start


def is_whole(pile: Pile, start: int) -> bool:
    """Tell whether the run from there holds every face-up card of the pile."""
    return start < len(pile) and (start == 0 or not pile[start - 1].face_up)


def foundation_for(foundations: tuple[Pile, ...], card: Card, base: int | None) -> PileId | None:
    """Return the foundation on which the card may go now: its suit's, or the first empty one for the base rank.

    Args:
        foundations: The foundation piles, in any order of suits.
        card: The card that is to go up.
        base: Rank on which foundations start; None if no card fixes it yet.
    """
    if card.rank == base:
        for index, pile in enumerate(foundations):
            if not pile:
                return PileId.of(PileKind.FOUNDATIONS, index)
        return None
    for index, pile in enumerate(foundations):
        if pile:
            top = pile[-1].card
            if top is not None and top.suit == card.suit and rank_after(top.rank) == card.rank:
                return PileId.of(PileKind.FOUNDATIONS, index)
    return None


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


def run_problems(pile: Pile, name: PileId, fits: Fits) -> Iterator[Problem]:
    """Yield the neighbours among a pile's open cards that cannot lie on each other."""
    for lower, upper in pairwise(pile):
        if not (lower.face_up and upper.face_up) or lower.card is None or upper.card is None:
            continue
        if not fits(upper.card, lower.card):
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
