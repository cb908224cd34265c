"""Canfield: a reserve of thirteen, foundations from any rank, four columns that wrap round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import ClassVar

from kibitz.engine.building import (
    ALTERNATING_WRAP,
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
from kibitz.engine.cards import Card, PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.options import Option, OptionValue
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import (
    Problem,
    count_problems,
    face_down_problems,
    face_problems,
    size_problems,
    unexpected_piles,
)
from kibitz.engine.stock_rules import STOCK, WASTE, StockRules
from kibitz.engine.table_plan import Faces, Group, Spread, TablePlan, line

__all__ = ["Canfield"]

COLUMNS = 4
RESERVE_CARDS = 13
STOCK_CARDS = 34
RESERVE = PileId.of(PileKind.RESERVE)
_COLUMN = tuple(PileId.of(PileKind.TABLEAU, index) for index in range(COLUMNS))


class Canfield(StockRules):
    """Canfield as the text has it; `canfield-common` is what most programs play."""

    name = "canfield"
    declared = (
        Option("draw", 3, (3, 1), "How many cards are turned from the stock at once."),
        Option("turnovers", None, (None, 3, 2, 0), "How often the waste may be turned over (null: always).", 0, 99),
        Option("foundation_back", False, (False, True), "Whether a foundation's last card may return to a column."),
        Option("move_part", False, (False, True), "Whether a part of a sequence may be moved."),
        Option("fill", "manual", ("manual", "auto"), "Whether an empty column is filled from the reserve at once."),
        Option("after_reserve", "waste", ("waste", "any"), "What an empty column takes when the reserve is gone."),
        Option("reserve_known", False, (False, True), "Whether the player knows the covered cards of the reserve."),
        Option(
            "auto_base", False, (False, True), "Whether cards of the base rank from columns and reserve go up at once."
        ),
    )
    presets: ClassVar[Mapping[str, Mapping[str, OptionValue]]] = {
        "canfield-common": {"move_part": True, "fill": "auto", "after_reserve": "any"}
    }

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set the options; those not given have their defaults."""
        super().__init__(options)
        self.move_part = self._flag("move_part")
        self.foundation_back = self._flag("foundation_back")
        self.auto_fill = self._word("fill") == "auto"
        self.any_after_reserve = self._word("after_reserve") == "any"
        self.auto_base = self._flag("auto_base")

    @property
    def shape(self) -> Mapping[PileKind, int]:
        """Four columns, four foundations, reserve, stock and waste."""
        return {
            PileKind.STOCK: 1,
            PileKind.WASTE: 1,
            PileKind.FOUNDATIONS: 4,
            PileKind.TABLEAU: COLUMNS,
            PileKind.RESERVE: 1,
        }

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
            sources = [*zip(_COLUMN, position.tableau, strict=False), (RESERVE, position.reserve)]
            bases = [
                (name, pile)
                for name, pile in sources
                if (card := free_card(pile)) is not None and card.rank == position.base_rank
            ]
            due += up_moves(position, bases, position.base_rank)
        if self.auto_fill and position.reserve:
            for name, pile in zip(_COLUMN, position.tableau, strict=False):
                if not pile:
                    due.append(Move(MoveKind.MOVE, RESERVE, name, cards=(position.reserve[-1].card,)))
        return tuple(due)

    def _moves(self, position: Position) -> Iterator[Move]:
        columns = list(zip(_COLUMN, position.tableau, strict=False))
        free = ((RESERVE, position.reserve), (WASTE, position.waste))
        yield from up_moves(position, (*columns, *free), position.base_rank)
        landing = landings(columns, ALTERNATING_WRAP)
        for name, pile in columns:
            for start in self._starts(pile):
                yield from _onto(landing, name, pile[start:])
        for name, pile in free:
            if pile:
                yield from _onto(landing, name, pile[-1:])
        if self.foundation_back:
            for index, pile in enumerate(position.foundations):
                card = free_card(pile)
                if card is not None and not (self.auto_base and card.rank == position.base_rank):
                    yield from _onto(landing, PileId.of(PileKind.FOUNDATIONS, index), pile[-1:])
        yield from self._space_moves(position, [name for name, pile in columns if not pile])
        yield from self._stock_moves(position)

    def _starts(self, pile: Pile) -> Sequence[int]:
        """Return where the sequences start that may be moved from a column."""
        start = run_start(pile, ALTERNATING_WRAP)
        if self.move_part:
            return range(start, len(pile))
        return (start,) if is_whole(pile, start) else ()

    def _space_moves(self, position: Position, spaces: Sequence[PileId]) -> Iterator[Move]:
        """Yield what may go into empty columns: from the reserve while it lasts, then as `after_reserve` says."""
        sources: list[tuple[PileId, Pile]] = []
        if position.reserve:
            sources.append((RESERVE, position.reserve[-1:]))
        elif spaces:
            sources.append((WASTE, position.waste[-1:]))
            for name, pile in zip(_COLUMN, position.tableau, strict=False) if self.any_after_reserve else ():
                starts = sorted({*self._starts(pile), len(pile) - 1} if free_card(pile) else ())
                sources += [(name, pile[start:]) for start in starts]
        for name, cards in sources:
            if free_card(cards) is not None:
                faces = tuple(pile_card.card for pile_card in cards)
                for target in spaces:
                    yield Move(MoveKind.MOVE, name, target, len(cards), cards=faces)

    def is_idle(self, position: Position, move: Move) -> bool:
        """Tell whether a whole column only changes its place."""
        return only_changes_place(position, move)

    def complete(self, position: Position) -> Position:
        """Fill in foundations below their first card, then the reserve as in the deal, then the stock."""
        position = self.with_foundations(self.seated(position))
        hidden = min(len(self.pack) - len(position), RESERVE_CARDS - len(position.reserve))
        if position.reserve and hidden > 0:
            position = position.replace(reserve=(PileCard.of(None),) * hidden + position.reserve)
        return super().complete(position)

    def problems(self, position: Position) -> tuple[Problem, ...]:
        """Return everything that is wrong with the table."""
        runs = (
            problem
            for name, pile in zip(_COLUMN, position.tableau, strict=False)
            for problem in run_problems(pile, name, ALTERNATING_WRAP)
        )
        return tuple(
            chain(
                count_problems(position, self.decks, len(self.pack)),
                face_problems(position),
                face_down_problems(position),
                runs,
                foundation_problems(position, position.base_rank),
                _size_problems(position),
                unexpected_piles(position, self.shape),
            )
        )

    def plan(self) -> TablePlan:
        """Reserve left, four columns, foundations above them, stock and waste."""
        return TablePlan(
            self.name,
            (
                Group("stock", line(PileKind.STOCK, 1, (0.0, 1.25)), Spread.SQUARED, Faces.DOWN),
                Group("waste", line(PileKind.WASTE, 1, (0.0, 2.5)), Spread.RIGHT),
                Group("reserve", line(PileKind.RESERVE, 1), Spread.SQUARED, Faces.UP),
                Group("foundations", line(PileKind.FOUNDATIONS, 4, (2.3, 0.0)), alike=True),
                Group("tableau", line(PileKind.TABLEAU, COLUMNS, (2.3, 1.25)), Spread.DOWN, Faces.UP, most=26),
            ),
        )


def _onto(landing: Landings, name: PileId, cards: Pile) -> Iterator[Move]:
    head = cards[0].card
    if head is not None:
        faces = tuple(pile_card.card for pile_card in cards)
        for target, onto in landing.get(head.index, ()):
            if target is not name:
                yield Move(MoveKind.MOVE, name, target, len(cards), cards=faces, onto=onto)


def _size_problems(position: Position) -> Iterator[Problem]:
    """Yield more cards in the reserve, or in stock and waste, than the deal gives."""
    yield from size_problems((RESERVE,), RESERVE_CARDS, len(position.reserve))
    yield from size_problems((STOCK, WASTE), STOCK_CARDS, len(position.stock) + len(position.waste))
