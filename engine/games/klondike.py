"""Klondike: seven columns, a stock turned by threes, kings into spaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from kibitz.engine.building import (
    ALTERNATING,
    Landings,
    foundation_problems,
    free_card,
    is_whole,
    landings,
    only_changes_place,
    run_problems,
    run_start,
    up_moves,
)
from kibitz.engine.cards import ACE, KING, Card, PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.options import Option, OptionValue
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import (
    Problem,
    count_problems,
    face_problems,
    hidden_above_open,
    size_problems,
    unexpected_piles,
)
from kibitz.engine.stock_rules import STOCK, WASTE, StockRules
from kibitz.engine.table_plan import Faces, Group, Spread, TablePlan, line

__all__ = ["Klondike"]

COLUMNS = 7
STOCK_CARDS = 24
_COLUMN = tuple(PileId.of(PileKind.TABLEAU, index) for index in range(COLUMNS))


class Klondike(StockRules):
    """Klondike as the text has it; `klondike-common` is what most programs play."""

    name = "klondike"
    declared = (
        Option("draw", 3, (3, 1), "How many cards are turned from the stock at once."),
        Option("turnovers", None, (None, 3, 2, 0), "How often the waste may be turned over (null: always).", 0, 99),
        Option("move_part", False, (False, True), "Whether a part of a sequence may be moved."),
        Option("foundation_back", False, (False, True), "Whether a card may come back from a foundation."),
        Option("kings_only", False, (False, True), "Whether spaces take only kings even when all kings have places."),
        Option("space_end_card", True, (True, False), "Whether then a column's last card alone may go into a space."),
        Option("auto_aces", True, (True, False), "Whether every free ace goes up at once."),
    )
    presets: ClassVar[Mapping[str, Mapping[str, OptionValue]]] = {
        "klondike-common": {"move_part": True, "foundation_back": True, "kings_only": True, "auto_aces": False}
    }

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set the options; those not given have their defaults."""
        super().__init__(options)
        self.move_part = self._flag("move_part")
        self.foundation_back = self._flag("foundation_back")
        self.kings_only = self._flag("kings_only")
        self.space_end_card = self._flag("space_end_card")
        self.auto_aces = self._flag("auto_aces")

    @property
    def shape(self) -> Mapping[PileKind, int]:
        """Seven columns, four foundations, stock and waste."""
        return {PileKind.STOCK: 1, PileKind.WASTE: 1, PileKind.FOUNDATIONS: 4, PileKind.TABLEAU: COLUMNS}

    def deal_cards(self, pack: Sequence[Card]) -> Position:
        """Deal row by row, the first card of each row face up, and the rest to the stock."""
        cards = iter(pack)
        columns: list[list[PileCard]] = [[] for _ in range(COLUMNS)]
        for row in range(COLUMNS):
            for column in range(row, COLUMNS):
                columns[column].append(PileCard.of(next(cards), column == row))
        stock = tuple(PileCard.of(card, False) for card in reversed(list(cards)))
        return self._empty().replace(tableau=tuple(map(tuple, columns)), stock=stock)

    def pending(self, position: Position) -> tuple[Move, ...]:
        """Bared face-down cards to be turned, free aces to go up."""
        due = []
        aces = []
        for name, pile in (*zip(_COLUMN, position.tableau, strict=False), (WASTE, position.waste)):
            if not pile:
                continue
            last = pile[-1]
            if not last.face_up and name is not WASTE:
                due.append(Move(MoveKind.FLIP, name, cards=(last.card,)))
            elif self.auto_aces and last.card is not None and last.card.rank == ACE:
                aces.append((name, pile))
        return (*due, *up_moves(position, aces, ACE)) if due or aces else ()

    def _moves(self, position: Position) -> Iterator[Move]:
        columns = list(zip(_COLUMN, position.tableau, strict=False))
        yield from up_moves(position, (*columns, (WASTE, position.waste)), ACE)
        table = _Table(landings(columns, ALTERNATING), [name for name, pile in columns if not pile])
        table.relaxed = bool(table.spaces) and not self.kings_only and kings_placed(position)
        moves: list[Move] = []
        for name, pile in columns:
            starts = self._starts(pile)
            for start in starts:
                table.place(moves, name, pile[start:])
            if table.relaxed and self.space_end_card and len(pile) - 1 not in starts and free_card(pile) is not None:
                table.place_in_spaces(moves, name, pile[-1:])
        if free_card(position.waste) is not None:
            table.place(moves, WASTE, position.waste[-1:])
        if self.foundation_back:
            for name, pile in self._back(position):
                table.place(moves, name, pile[-1:])
        yield from moves
        yield from self._stock_moves(position)

    def _starts(self, pile: Pile) -> Sequence[int]:
        """Return where the sequences start that may be moved from a column."""
        start = run_start(pile, ALTERNATING)
        if self.move_part:
            return range(start, len(pile))
        return (start,) if is_whole(pile, start) else ()

    def _back(self, position: Position) -> Iterator[tuple[PileId, Pile]]:
        """Yield the foundations whose last card may come back (an ace that must go up at once may not)."""
        for index, pile in enumerate(position.foundations):
            card = free_card(pile)
            if card is not None and not (self.auto_aces and card.rank == ACE):
                yield PileId.of(PileKind.FOUNDATIONS, index), pile

    def is_idle(self, position: Position, move: Move) -> bool:
        """Tell whether a whole column only changes its place."""
        return only_changes_place(position, move)

    def problems(self, position: Position) -> tuple[Problem, ...]:
        """Return everything that is wrong with the table."""
        runs = (
            problem
            for name, pile in zip(_COLUMN, position.tableau, strict=False)
            for problem in run_problems(pile, name, ALTERNATING)
        )
        return tuple(
            chain(
                count_problems(position, self.decks, len(self.pack)),
                face_problems(position),
                hidden_above_open(position),
                runs,
                foundation_problems(position, ACE),
                _size_problems(position),
                unexpected_piles(position, self.shape),
            )
        )

    def plan(self) -> TablePlan:
        """Stock, waste and foundations in a row above the seven columns."""
        return TablePlan(
            self.name,
            (
                Group("stock", line(PileKind.STOCK, 1), Spread.SQUARED, Faces.DOWN),
                Group("waste", line(PileKind.WASTE, 1, (1.15, 0.0)), Spread.RIGHT),
                Group("foundations", line(PileKind.FOUNDATIONS, 4, (3.45, 0.0)), alike=True),
                Group("tableau", line(PileKind.TABLEAU, COLUMNS, (0.0, 1.25)), Spread.DOWN, Faces.MIXED, most=19),
            ),
        )


def kings_placed(position: Position) -> bool:
    """Tell whether no king needs a place any more: each is the open bottom card of a column or on a foundation."""
    placed = [pile[0] for pile in position.tableau if pile] + [pile[-1] for pile in position.foundations if pile]
    kings = {pile_card.card for pile_card in placed if pile_card.face_up and pile_card.card is not None}
    return sum(card.rank == KING for card in kings) == 4


@dataclass(slots=True)
class _Table:
    """Where cards may be laid in one position."""

    landings: Landings
    spaces: Sequence[PileId]
    relaxed: bool = False
    """Whether spaces take any card, not only kings."""

    def place(self, moves: list[Move], name: PileId, cards: Pile) -> None:
        """Add the moves of these cards as a unit onto fitting columns and into spaces that take them."""
        head = cards[0].card
        if head is None:
            return
        if landing := self.landings.get(head.index):
            faces = tuple([pile_card.card for pile_card in cards])
            for target, onto in landing:
                moves.append(Move(MoveKind.MOVE, name, target, len(faces), cards=faces, onto=onto))
        if self.spaces and (self.relaxed or head.rank == KING):
            self.place_in_spaces(moves, name, cards)

    def place_in_spaces(self, moves: list[Move], name: PileId, cards: Pile) -> None:
        """Add the moves of these cards as a unit into every space."""
        faces = tuple([pile_card.card for pile_card in cards])
        for target in self.spaces:
            moves.append(Move(MoveKind.MOVE, name, target, len(faces), cards=faces))


def _size_problems(position: Position) -> Iterator[Problem]:
    """Yield more face-down cards in the columns, or more cards in stock and waste, than the deal gives."""
    columns = zip(_COLUMN, position.tableau, strict=False)
    hidden = [(sum(not pile_card.face_up for pile_card in pile), name) for name, pile in columns]
    for most, (count, name) in zip(range(COLUMNS - 1, -1, -1), sorted(hidden, reverse=True), strict=False):
        yield from size_problems((name,), most, count)
    yield from size_problems((STOCK, WASTE), STOCK_CARDS, len(position.stock) + len(position.waste))
