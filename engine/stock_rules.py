"""What Klondike and Canfield share: a stock run through by a waste, and four foundations."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.engine.building import foundation_below
from kibitz.engine.cards import PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules, is_stock_move

__all__ = ["STOCK", "WASTE", "StockRules"]

STOCK = PileId.of(PileKind.STOCK)
WASTE = PileId.of(PileKind.WASTE)


class StockRules(Rules):
    """Base of the patiences that turn cards from a stock onto a waste and may turn the waste over."""

    @property
    def draw(self) -> int:
        """How many cards are turned at once."""
        return self._number("draw")

    @property
    def turnovers(self) -> int | None:
        """How often the waste may be turned over; None = without limit."""
        return self._limit("turnovers")

    def base_of(self, position: Position) -> int | None:
        """Return the rank on which the foundations start, or None while nothing tells it."""
        return 1

    def is_won(self, position: Position) -> bool:
        """Tell whether the whole pack lies on the foundations."""
        return sum(map(len, position.foundations)) == len(self.pack)

    def is_lost(self, position: Position) -> bool:
        """Tell whether nothing can be moved, or a full run through the stock offers nothing to move."""
        return not self.is_won(position) and self._only_stock_moves_left(position)

    def _only_stock_moves_left(self, position: Position) -> bool:
        been = set()
        while True:
            moves = [m for m in self.legal_moves(position) if not self.is_idle(position, m)]
            if not moves:
                return True
            if not all(map(is_stock_move, moves)):
                return False
            position = self.act(position, moves[0])
            if position.waste and position.waste[-1].card is None:
                return False
            place = (len(position.stock), position.turnovers if self.turnovers is not None else 0)
            if place in been:
                return True
            been.add(place)

    def _stock_moves(self, position: Position) -> Iterator[Move]:
        if position.stock:
            cards = tuple(pile_card.card for pile_card in reversed(position.stock[-self.draw :]))
            yield Move(MoveKind.DRAW, STOCK, WASTE, len(cards), cards=cards)
        elif position.waste and (self.turnovers is None or position.turnovers < self.turnovers):
            yield Move(MoveKind.TURNOVER, WASTE, STOCK, len(position.waste))

    def complete(self, position: Position) -> Position:
        """Return a position read from a picture with the cards filled in that must lie in its squared piles.

        Foundations are filled in below their first card; cards missing from the pack are put, unseen, into the stock
        where a stock or a waste is seen: a squared pile of backs is overlooked more often than it has run out.
        """
        position = self.with_foundations(position)
        missing = len(self.pack) - len(position)
        if missing > 0 and (position.stock or position.waste):
            unseen = (PileCard.of(None, False),) * missing
            return position.replace(stock=unseen + position.stock)
        return position

    def with_foundations(self, position: Position) -> Position:
        """Return the position with its foundations filled in below their first card."""
        base = self.base_of(position)
        return position.replace(foundations=tuple(foundation_below(pile, base) for pile in position.foundations))

    def _key_counters(self, position: Position) -> tuple[object, ...]:
        return (position.base_rank, None if self.turnovers is None else position.turnovers)
