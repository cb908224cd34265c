"""Klondike: seven columns, a stock turned by threes, kings into spaces."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from kibitz.engine.building import ALTERNATING, Unit, up_moves
from kibitz.engine.cards import ACE, CARDS, KING, OPEN_CODES, PILE_CARDS, Card, PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.options import Option, OptionValue
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, hidden_above_open, size_problems
from kibitz.engine.stock_rules import STOCK, WASTE, StockRules
from kibitz.engine.table_plan import Faces, Group, Spread, TablePlan, foundation_groups, line

__all__ = ["Klondike"]

COLUMNS = 7
STOCK_CARDS = 24


class Klondike(StockRules):
    """Klondike as the text has it; `klondike-common` is what most programs play."""

    name = "klondike"
    columns = tuple(PileId.of(PileKind.TABLEAU, index) for index in range(COLUMNS))
    building = ALTERNATING
    declared = (
        *StockRules.shared,
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
        self.kings_only = self._flag("kings_only")
        self.space_end_card = self._flag("space_end_card")
        self.auto_aces = self._flag("auto_aces")
        self._due_codes = _FACE_DOWN | _OPEN_ACES if self.auto_aces else _FACE_DOWN

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
        due = [
            (name, pile)
            for name, pile in zip(self.columns, position.tableau, strict=False)
            if pile and pile[-1].code in self._due_codes
        ]
        waste = position.waste
        if self.auto_aces and waste and waste[-1].code in _OPEN_ACES:
            due.append((WASTE, waste))
        if not due:
            return ()
        flips = [Move(MoveKind.FLIP, name, cards=(pile[-1].card,)) for name, pile in due if not pile[-1].face_up]
        return (*flips, *up_moves(position.foundations, due, ACE))

    def _must_stay(self, position: Position, cards: Pile) -> bool:
        """Tell whether the last card of a foundation is an ace that must go up at once."""
        return self.auto_aces and bool(cards) and cards[0].code in _OPEN_ACES

    def _units_into_spaces(self, position: Position, units: list[Unit], singles: list[Unit]) -> list[Unit]:
        """Return kings, and once all kings are placed every open card that is not inside a sequence."""
        takes: Container[int] = _OPEN_KINGS
        if not self.kings_only and kings_placed(position):
            takes = _OPEN
            if self.space_end_card:
                units = units + self._ends(position, units)
        return [unit for unit in units + singles if unit[1] and unit[1][0].code in takes]

    def _own_problems(self, position: Position) -> Iterable[Problem]:
        """Yield face-down cards on open ones, and more hidden cards in columns or stock than the deal gives."""
        return (*hidden_above_open(position), *_size_problems(position))

    def plan(self) -> TablePlan:
        """Stock, waste and foundations in a row above the seven columns."""
        columns = line(PileKind.TABLEAU, COLUMNS, (0.0, 1.25))
        stock = Group("stock", line(PileKind.STOCK, 1), Spread.SQUARED, Faces.DOWN)
        waste = Group("waste", line(PileKind.WASTE, 1, (1.15, 0.0)), Spread.RIGHT)
        tableau = Group("tableau", columns, Spread.DOWN, Faces.MIXED, most=19, dealt_down=tuple(range(COLUMNS)))
        above = foundation_groups((3.45, 0.0), (8.2, 0.0))
        return TablePlan(
            self.name,
            (stock, waste, above[0], tableau),
            variations=tuple((stock, waste, tableau, other) for other in above[1:]),
        )


def kings_placed(position: Position) -> bool:
    """Tell whether no king needs a place any more: each is the open bottom card of a column or on a foundation."""
    bottoms = {pile[0].code for pile in position.tableau if pile}
    tops = {pile[-1].code for pile in position.foundations if pile}
    return (bottoms | tops) >= _OPEN_KINGS


_FACE_DOWN = frozenset(pile_card.code for pile_card in PILE_CARDS if not pile_card.face_up)
_OPEN_ACES = frozenset(card.index for card in CARDS if card.rank == ACE)
_OPEN_KINGS = frozenset(card.index for card in CARDS if card.rank == KING)
_OPEN = range(OPEN_CODES)
"""Codes of pile cards."""


def _size_problems(position: Position) -> Iterator[Problem]:
    """Yield more face-down cards in the columns, or more cards in stock and waste, than the deal gives."""
    columns = zip(Klondike.columns, position.tableau, strict=False)
    hidden = [(sum(not pile_card.face_up for pile_card in pile), name) for name, pile in columns]
    for most, (count, name) in zip(range(COLUMNS - 1, -1, -1), sorted(hidden, reverse=True), strict=False):
        yield from size_problems((name,), most, count)
    yield from size_problems((STOCK, WASTE), STOCK_CARDS, len(position.stock) + len(position.waste))
