"""The four base piles of Walter and Walter Scott: each goes up by the rank of its base."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kibitz.engine.building import free_card
from kibitz.engine.cards import CARDS, KING, Card, PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, ProblemKind, known

__all__ = ["BASES", "base_moves", "base_order", "base_problems", "complete_bases", "named_by_rank", "wanted_rank"]

BASES = 4
_BASE = tuple(PileId.of(PileKind.BASES, index) for index in range(BASES))


def base_order(base: int) -> tuple[int, ...]:
    """Return the ranks of the pile on that base, first to last: 2 4 6 8 10 Q A 3 5 7 9 J K for base 2."""
    return tuple((base * step - 1) % KING + 1 for step in range(1, KING + 1))


def wanted_rank(pile: Pile, base: int) -> int | None:
    """Return the rank that the pile takes next; None if it is closed by a king or its top is not known."""
    if not pile:
        return base
    top = pile[-1].card
    if top is None or top.rank == KING:
        return None
    return (top.rank + base - 1) % KING + 1


def base_moves(position: Position, sources: Iterable[tuple[PileId, Pile]]) -> Iterator[Move]:
    """Yield the moves of free cards of these piles to the base piles that want them."""
    wanted = [(wanted_rank(pile, base), name) for base, (name, pile) in _numbered(position)]
    for source, pile in sources:
        card = free_card(pile)
        for rank, target in wanted if card is not None else ():
            if card is not None and rank == card.rank:
                onto = free_card(position.pile(target))
                yield Move(MoveKind.MOVE, source, target, cards=(card,), onto=onto)


def base_problems(position: Position) -> Iterator[Problem]:
    """Yield base piles that start with another rank than their own or do not follow their order."""
    for base, (name, pile) in _numbered(position):
        cards = known(pile)
        if len(cards) < len(pile) or not cards:
            continue
        if cards[0].rank != base:
            yield Problem(ProblemKind.WRONG_BASE, (cards[0],), (name,), base, cards[0].rank)
        for index in range(1, len(cards)):
            if wanted_rank(pile[:index], base) != cards[index].rank:
                yield Problem(ProblemKind.FOUNDATION_GAP, (cards[index - 1], cards[index]), (name,))


def complete_bases(position: Position, pack: Iterable[Card]) -> Position:
    """Return the position with the cards filled in that lie under the single card seen of each base pile.

    Their ranks follow from the order; any unseen cards of these ranks will do, for suits play no part here.
    """
    left = Counter(pack)
    left.subtract(position.cards())
    for base, (name, pile) in _numbered(position):
        top = pile[0].card if pile else None
        if top is None:
            continue
        order = base_order(base)
        below = []
        for rank in order[: order.index(top.rank)]:
            choices = [card for card in CARDS if card.rank == rank and left[card] > 0]
            card = choices[0] if choices else None
            if card is not None:
                left[card] -= 1
            below.append(PileCard.of(card))
        position = position.replace_pile(name, (*below, *pile))
    return position


def _numbered(position: Position) -> Iterator[tuple[int, tuple[PileId, Pile]]]:
    return enumerate(zip(_BASE, position.bases, strict=False), 1)


def named_by_rank(problems: Iterable[Problem], position: Position) -> Iterator[Problem]:
    """Yield the problems with every card that may be the missing one: under a base's top only the rank is known."""
    under = {card for pile in position.bases for card in known(pile[:-1])}
    for problem in problems:
        if problem.kind is ProblemKind.TOO_FEW_CARDS and problem.cards:
            ranks = {card.rank for card in problem.cards}
            doubtful = {card for card in under if card.rank in ranks}
            problem = replace(problem, cards=tuple(card for card in CARDS if card in {*problem.cards, *doubtful}))
        yield problem
