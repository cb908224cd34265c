"""What each kind of move does to the piles, one physical step at a time and without asking whether it is legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kibitz.engine.cards import TURNED_DOWN, TURNED_UP
from kibitz.engine.errors import IllegalMoveError
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position

__all__ = ["STEPS", "dealt", "ends", "turn_all"]


_FOUNDATIONS, _AUXILIARY = PileKind.FOUNDATIONS, PileKind.AUXILIARY


def ends(move: Move) -> tuple[PileId, PileId]:
    """Return source and target of a move that must have both.

    Raises:
        IllegalMoveError: It lacks one.
    """
    if move.source is None or move.target is None:
        raise IllegalMoveError(f"expected a move with source and target, got {move}")
    return move.source, move.target


def turn_all(pile: Pile, face_up: bool) -> Pile:
    """Return the pile turned over as a whole: the last card becomes the first."""
    turned = TURNED_UP if face_up else TURNED_DOWN
    return tuple([turned[pile_card.code] for pile_card in reversed(pile)])


def dealt(position: Position, count: int) -> tuple[Pile, Pile]:
    """Return the stock without its next cards, and these cards face up in the order they are turned."""
    keep = len(position.stock) - count
    return position.stock[:keep], turn_all(position.stock[keep:], True)


def _transfer(position: Position, move: Move) -> Position:
    source, target = ends(move)
    taken = position.pile(source)
    end = len(taken) - move.depth
    start = end - move.count
    moved = taken[start:end]
    if move.count > 1 and target.kind is _FOUNDATIONS:
        moved = moved[::-1]  # A tail goes up card by card, the free card first.
    return position.replace_piles((source, taken[:start] + taken[end:]), (target, position.pile(target) + moved))


def _draw(position: Position, move: Move) -> Position:
    stock, cards = dealt(position, move.count)
    if move.target is not None and move.target.kind is _AUXILIARY:
        return position.replace(stock=stock, auxiliary=position.auxiliary + cards)
    return position.replace(stock=stock, waste=position.waste + cards)


def _turnover(position: Position, move: Move) -> Position:
    stock = turn_all(position.waste, False)
    return position.replace(stock=stock, waste=(), turnovers=position.turnovers + 1)


def _flip(position: Position, move: Move) -> Position:
    if move.source is None:
        raise IllegalMoveError(f"expected the pile whose card is turned, got {move}")
    pile = position.pile(move.source)
    return position.replace_pile(move.source, (*pile[:-1], pile[-1].turned(True)))


def _deal(position: Position, move: Move) -> Position:
    _, target = ends(move)
    stock, cards = dealt(position, move.count)
    return position.replace(stock=stock).replace_pile(target, position.pile(target) + cards)


def _cover(position: Position, move: Move) -> Position:
    _, first = ends(move)
    stock, cards = dealt(position, move.count)
    position = position.replace(stock=stock)
    for name, card in zip((first, *move.others), cards, strict=False):
        position = position.replace_pile(name, (*position.pile(name), card))
    return position


def _remove(position: Position, move: Move) -> Position:
    if move.source is None:
        raise IllegalMoveError(f"expected the pile whose cards leave the table, got {move}")
    pile = position.pile(move.source)
    position = position.replace_pile(move.source, pile[: -move.count])
    return position.replace(aside=(*position.aside, pile[-move.count :]))


def _set_aside(position: Position, move: Move) -> Position:
    cards = tuple(pile_card.turned(False) for pile_card in position.auxiliary)
    return position.replace(auxiliary=(), aside=(*position.aside, cards))


def _redeal(position: Position, move: Move) -> Position:
    raise NotImplementedError("every patience with a redeal says how it is done")


STEPS: Mapping[MoveKind, Callable[[Position, Move], Position]] = {
    MoveKind.MOVE: _transfer,
    MoveKind.DRAW: _draw,
    MoveKind.TURNOVER: _turnover,
    MoveKind.REDEAL: _redeal,
    MoveKind.FLIP: _flip,
    MoveKind.DEAL: _deal,
    MoveKind.COVER: _cover,
    MoveKind.REMOVE: _remove,
    MoveKind.ASIDE: _set_aside,
}
"""The step of each kind of move."""
