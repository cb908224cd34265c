"""Canfield: a reserve of thirteen, foundations from any rank, four columns that wrap round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from kibitz.engine.building import ALTERNATING_WRAP, Unit, faces_of, free_card, up_moves
from kibitz.engine.cards import OPEN_CODES, Card, PileCard
from kibitz.engine.moves import Move
from kibitz.engine.options import Option, OptionValue
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, face_down_problems, size_problems
from kibitz.engine.stock_rules import STOCK, WASTE, StockRules
from kibitz.engine.table_plan import Faces, Group, Spread, TablePlan, foundation_groups, line

__all__ = ["Canfield"]

COLUMNS = 4
RESERVE_CARDS = 13
STOCK_CARDS = 34
RESERVE = PileId.of(PileKind.RESERVE)
_TABLEAU = PileKind.TABLEAU


class Canfield(StockRules):
    """Canfield as the text has it; `canfield-common` is what most programs play."""

    name = "canfield"
    columns = tuple(PileId.of(PileKind.TABLEAU, index) for index in range(COLUMNS))
    building = ALTERNATING_WRAP
    declared = (
        *StockRules.shared,
        Option("fill", "manual", ("manual", "auto"), "Whether an empty column is filled from the reserve at once."),
        Option("after_reserve", "waste", ("waste", "any"), "What an empty column takes when the reserve is gone."),
        Option("past_base", True, (True, False), "Whether a column goes on downwards on a card of the base rank."),
        Option("reserve_known", False, (False, True), "Whether the player knows the covered cards of the reserve."),
        Option(
            "auto_base", False, (False, True), "Whether cards of the base rank from columns and reserve go up at once."
        ),
    )
    presets: ClassVar[Mapping[str, Mapping[str, OptionValue]]] = {
        "canfield-common": {"move_part": True, "fill": "auto", "after_reserve": "any", "past_base": False}
    }

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set the options; those not given have their defaults."""
        super().__init__(options)
        self.auto_fill = self._word("fill") == "auto"
        self.any_after_reserve = self._word("after_reserve") == "any"
        self.auto_base = self._flag("auto_base")
        self.past_base = self._flag("past_base")

    @property
    def shape(self) -> Mapping[PileKind, int]:
        """Four columns, four foundations, reserve, stock and waste."""
        return {**super().shape, PileKind.RESERVE: 1}

    @property
    def squared(self) -> frozenset[PileKind]:
        """The reserve too, unless its cards are known."""
        return super().squared - {PileKind.RESERVE} if self._flag("reserve_known") else super().squared

    def base_of(self, position: Position) -> int | None:
        """Return the rank on which the foundations start, or None while nothing tells it."""
        return position.base_rank

    def seated(self, position: Position) -> Position:
        """Work the base rank out from the first cards of the foundations if they agree."""
        firsts = {pile[0].card.rank for pile in position.foundations if pile and pile[0].card is not None}
        if position.base_rank is None and len(firsts) == 1:
            return position.replace(base_rank=firsts.pop())
        return position

    def deal_cards(self, pack: Sequence[Card]) -> Position:
        """Count off the reserve and turn it over; then a foundation, four columns and the stock."""
        base, columns, stock = pack[13], pack[14:18], pack[18:]
        return self._empty().replace(
            reserve=tuple(PileCard.of(card) for card in reversed(pack[:RESERVE_CARDS])),
            foundations=((PileCard.of(base),), (), (), ()),
            base_rank=base.rank,
            tableau=tuple((PileCard.of(card),) for card in columns),
            stock=tuple(PileCard.of(card, False) for card in reversed(stock)),
        )

    def pending(self, position: Position) -> tuple[Move, ...]:
        """Empty columns to be filled and cards of the base rank to go up, where the options want it at once."""
        due: list[Move] = []
        if self.auto_base:
            sources = (*zip(self.columns, position.tableau, strict=False), (RESERVE, position.reserve))
            bases = [(name, pile) for name, pile in sources if _is_base(position, pile[-1:])]
            due += up_moves(position.foundations, bases, position.base_rank)
        if self.auto_fill and position.reserve:
            cards = faces_of(position.reserve[-1:])
            columns = zip(self.columns, position.tableau, strict=False)
            due += [Move.of(RESERVE, name, cards) for name, pile in columns if not pile]
        return tuple(due)

    def _moves(self, position: Position) -> Iterable[Move]:
        moves = super()._moves(position)
        if self.past_base:
            return moves
        base = position.base_rank
        return [
            move
            for move in moves
            if move.onto is None or move.onto.rank != base or move.target is None or move.target.kind is not _TABLEAU
        ]

    def _loose(self, position: Position) -> list[tuple[PileId, Pile]]:
        """Return reserve and waste."""
        return [(RESERVE, position.reserve), (WASTE, position.waste)]

    def _must_stay(self, position: Position, cards: Pile) -> bool:
        """Tell whether the last card of a foundation is a card of the base rank that must go up at once."""
        return self.auto_base and _is_base(position, cards)

    def _units_into_spaces(self, position: Position, units: list[Unit], singles: list[Unit]) -> list[Unit]:
        """Return the reserve's top card while there is one, then the waste's and what `after_reserve` says."""
        reserve, waste = singles[:2]
        takes = [reserve if position.reserve else waste]
        if self.any_after_reserve and not position.reserve:
            takes += units + self._ends(position, units)
        return [unit for unit in takes if unit[1] and unit[1][0].code < OPEN_CODES]

    def complete(self, position: Position) -> Position:
        """Fill in foundations below their first card, then the reserve as in the deal, then the stock."""
        position = self.with_foundations(self.seated(position))
        hidden = min(len(self.pack) - len(position), RESERVE_CARDS - len(position.reserve))
        if position.reserve and hidden > 0:
            position = position.replace(reserve=(PileCard.of(None),) * hidden + position.reserve)
        return super().complete(position)

    def _own_problems(self, position: Position) -> Iterable[Problem]:
        """Yield face-down cards in the columns, and more cards in reserve or stock than the deal gives."""
        return (
            *face_down_problems(position),
            *size_problems((RESERVE,), RESERVE_CARDS, len(position.reserve)),
            *size_problems((STOCK, WASTE), STOCK_CARDS, len(position.stock) + len(position.waste)),
        )

    def plan(self) -> TablePlan:
        """Reserve left, four columns, foundations above them, stock and waste."""
        return TablePlan(
            self.name, self._groups(0, False), variations=tuple(self._groups(*form) for form in _FORMS[1:])
        )

    def _groups(self, foundations: int, fanned: bool) -> tuple[Group, ...]:
        """One way to lay the piles: where the foundations lie, and whether the reserve is spread."""
        columns = line(PileKind.TABLEAU, COLUMNS, (2.9 if fanned else 2.3, 1.25))
        stock, waste, reserve = ((0.0, 0.0), (1.15, 0.0), (0.0, 1.25)) if fanned else _LEFT
        up = foundation_groups((2.9 if fanned else 2.3, 0.0), (7.4, 0.0), (2.5, 3.75))
        return (
            Group("stock", line(PileKind.STOCK, 1, stock), Spread.SQUARED, Faces.DOWN),
            Group("waste", line(PileKind.WASTE, 1, waste), Spread.RIGHT),
            Group("reserve", line(PileKind.RESERVE, 1, reserve), Spread.DOWN if fanned else Spread.SQUARED, Faces.UP),
            up[foundations],
            Group("tableau", columns, Spread.DOWN, Faces.UP, most=26),
        )


_LEFT = ((0.0, 1.25), (0.0, 2.5), (0.0, 0.0))
"""Where stock, waste and the squared reserve lie."""
_FORMS = tuple((foundations, fanned) for fanned in (False, True) for foundations in range(4))
"""The ways to lay the piles, the commonest first."""


def _is_base(position: Position, cards: Pile) -> bool:
    """Tell whether the first of the cards is open and of the rank on which the foundations start."""
    card = free_card(cards[:1])
    return card is not None and card.rank == position.base_rank
