"""What Klondike and Canfield share: columns in alternating colours, a stock, a waste and four foundations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import ClassVar

from kibitz.engine.building import (
    Build,
    Landings,
    Unit,
    faces_of,
    foundation_below,
    foundation_problems,
    only_changes_place,
    run_problems,
    run_start,
    up_moves,
)
from kibitz.engine.cards import PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.options import Option, OptionValue
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, count_problems, face_problems, unexpected_piles
from kibitz.engine.rules import Rules, is_stock_move

__all__ = ["FOUNDATIONS", "STOCK", "WASTE", "StockRules"]

STOCK = PileId.of(PileKind.STOCK)
WASTE = PileId.of(PileKind.WASTE)
FOUNDATIONS = tuple(PileId.of(PileKind.FOUNDATIONS, index) for index in range(4))

_DRAW = MoveKind.DRAW


class StockRules(Rules):
    """Base of the patiences that turn cards from a stock onto a waste and may turn the waste over."""

    columns: ClassVar[tuple[PileId, ...]]
    """The names of the columns."""
    building: ClassVar[Build]
    """How the columns are built."""
    shared: ClassVar[tuple[Option, ...]] = (
        Option("draw", 3, (3, 1), "How many cards are turned from the stock at once."),
        Option("turnovers", None, (None, 3, 2, 0), "How often the waste may be turned over (null: always).", 0, 99),
        Option("move_part", False, (False, True), "Whether a part of a sequence may be moved."),
        Option("foundation_back", False, (False, True), "Whether a card may come back from a foundation."),
    )
    """The options that they share."""

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set the options; those not given have their defaults."""
        super().__init__(options)
        self.draw = self._number("draw")
        """How many cards are turned at once."""
        self.turnovers = self._limit("turnovers")
        """How often the waste may be turned over; None = without limit."""
        self.move_part = self._flag("move_part")
        self.foundation_back = self._flag("foundation_back")

    @property
    def shape(self) -> Mapping[PileKind, int]:
        """Columns, four foundations, stock and waste."""
        return {
            PileKind.STOCK: 1,
            PileKind.WASTE: 1,
            PileKind.FOUNDATIONS: len(FOUNDATIONS),
            PileKind.TABLEAU: len(self.columns),
        }

    def base_of(self, position: Position) -> int | None:
        """Return the rank on which the foundations start, or None while nothing tells it."""
        return 1

    # Moves.

    def _moves(self, position: Position) -> Iterable[Move]:
        columns = list(zip(self.columns, position.tableau, strict=False))
        loose = self._loose(position)
        moves = up_moves(position.foundations, columns + loose, self.base_of(position))
        units = self._units(columns)
        singles = [(name, pile[-1:]) for name, pile in loose]
        if self.foundation_back:
            singles += self._back(position)
        landings = Landings(columns, self.building)
        moves += landings.moves(units + singles)
        if landings.spaces:
            units = self._units_into_spaces(position, units, singles)
            moves += [Move.of(name, space, faces_of(cards)) for name, cards in units for space in landings.spaces]
        self._add_stock_move(moves, position)
        return moves

    def _loose(self, position: Position) -> list[tuple[PileId, Pile]]:
        """Return the piles beside the columns whose last cards may be played."""
        return [(WASTE, position.waste)]

    def _units(self, columns: Iterable[tuple[PileId, Pile]]) -> list[Unit]:
        """Return the sequences that may be moved from the columns: whole ones, or with `move_part` also their ends."""
        units: list[Unit] = []
        build, move_part = self.building, self.move_part
        for name, pile in columns:
            start = run_start(pile, build)
            if move_part:
                units += [(name, pile[begin:]) for begin in range(start, len(pile))]
            elif start == 0 or not pile[start - 1].face_up:
                units.append((name, pile[start:]))  # No card at all where the last one lies face down.
        return units

    def _back(self, position: Position) -> list[Unit]:
        """Return the cards that may come back from the foundations."""
        piles = zip(FOUNDATIONS, position.foundations, strict=False)
        return [(name, pile[-1:]) for name, pile in piles if not self._must_stay(position, pile[-1:])]

    def _must_stay(self, position: Position, cards: Pile) -> bool:
        """Tell whether the last card of a foundation would have to go up again at once."""
        return False

    @abstractmethod
    def _units_into_spaces(self, position: Position, units: list[Unit], singles: list[Unit]) -> list[Unit]:
        """Return what may go into empty columns.

        Args:
            position: The table.
            units: The sequences that may be moved from the columns.
            singles: The last cards of the other piles, some perhaps of no card.
        """

    def _ends(self, position: Position, units: list[Unit]) -> list[Unit]:
        """Return the last cards of the columns that are not among the units yet."""
        ends = [(name, pile[-1:]) for name, pile in zip(self.columns, position.tableau, strict=False) if pile]
        return [end for end in ends if end not in units]

    def _add_stock_move(self, moves: list[Move], position: Position) -> None:
        if position.stock:
            cards = faces_of(position.stock[: -self.draw - 1 : -1])
            moves.append(Move.of(STOCK, WASTE, cards, kind=_DRAW))
        elif position.waste and (self.turnovers is None or position.turnovers < self.turnovers):
            moves.append(Move(MoveKind.TURNOVER, WASTE, STOCK, len(position.waste)))

    def is_idle(self, position: Position, move: Move) -> bool:
        """Tell whether a whole column only changes its place."""
        return only_changes_place(position, move)

    # Judging positions.

    def is_won(self, position: Position) -> bool:
        """Tell whether the whole pack lies on the piles up."""
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

    def _key_counters(self, position: Position) -> tuple[object, ...]:
        return (position.base_rank, None if self.turnovers is None else position.turnovers)

    def problems(self, position: Position) -> tuple[Problem, ...]:
        """Return everything that is wrong with the table."""
        runs = (
            run_problems(pile, name, self.building) for name, pile in zip(self.columns, position.tableau, strict=False)
        )
        return tuple(
            chain(
                count_problems(position, self.decks, len(self.pack)),
                face_problems(position),
                chain.from_iterable(runs),
                foundation_problems(position, self.base_of(position)),
                self._own_problems(position),
                unexpected_piles(position, self.shape),
            )
        )

    @abstractmethod
    def _own_problems(self, position: Position) -> Iterable[Problem]:
        """Yield what is wrong in this patience only."""

    # Tables read from pictures.

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
