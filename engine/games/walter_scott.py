"""Walter Scott: Walter's base piles, one stock run through once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from kibitz.engine.cards import Card, PileCard, Suit
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.options import Option, OptionValue
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import (
    Problem,
    ProblemKind,
    count_problems,
    face_problems,
    size_problems,
    unexpected_piles,
)
from kibitz.engine.rules import Rules
from kibitz.engine.table_plan import Faces, Group, Spread, TablePlan, line
from kibitz.engine.walter_piles import BASES, base_moves, base_problems, complete_bases

__all__ = ["WalterScott"]

STOCK_CARDS = 48
BASE_CARDS = tuple(Card(rank, suit) for rank, suit in zip(range(1, BASES + 1), Suit, strict=True))
STOCK = PileId.of(PileKind.STOCK)
WASTE = PileId.of(PileKind.WASTE)


class WalterScott(Rules):
    """Walter Scott. It practically never comes out."""

    name = "walter-scott"
    scored = "bases"
    declared = (
        Option("waste_rebare", False, (False, True), "Whether a waste card bared again may be played."),
        Option("stock_face_up", False, (False, True), "Whether the next stock card is seen and may be played."),
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set the options; those not given have their defaults."""
        super().__init__(options)
        self.waste_rebare = self._flag("waste_rebare")
        self.stock_face_up = self._flag("stock_face_up")

    @property
    def shape(self) -> Mapping[PileKind, int]:
        """Four base piles, stock and waste."""
        return {PileKind.STOCK: 1, PileKind.WASTE: 1, PileKind.BASES: BASES}

    def deal_cards(self, pack: Sequence[Card]) -> Position:
        """Take out four cards as bases; the rest is the stock.

        Always the same four, for taking those that come first would leave the other cards of their ranks late.
        """
        rest = [card for card in pack if card not in BASE_CARDS]
        bases = tuple((PileCard.of(card),) for card in BASE_CARDS)
        stock = tuple(PileCard.of(card, self.stock_face_up) for card in reversed(rest))
        return self._empty().replace(bases=bases, stock=stock)

    def pending(self, position: Position) -> tuple[Move, ...]:
        """Return nothing: no move is forced."""
        return ()

    def _moves(self, position: Position) -> Iterator[Move]:
        if position.waste and not position.waste_dead:
            yield from base_moves(position, ((WASTE, position.waste),))
        if self.stock_face_up:
            yield from base_moves(position, ((STOCK, position.stock),))
        if position.stock:
            yield Move(MoveKind.DRAW, STOCK, WASTE, cards=(position.stock[-1].card,))

    def act(self, position: Position, move: Move) -> Position:
        """Carry the move out; the waste card then bared is dead unless `waste_rebare` says otherwise."""
        after = super().act(position, move)
        if move.source == WASTE:
            return after.replace(waste_dead=bool(after.waste) and not self.waste_rebare)
        return after.replace(waste_dead=False) if move.target == WASTE else after

    def is_won(self, position: Position) -> bool:
        """Tell whether every card lies on the base piles."""
        return sum(map(len, position.bases)) == len(self.pack)

    def score(self, position: Position) -> int:
        """Return the cards on the base piles."""
        return sum(map(len, position.bases))

    def complete(self, position: Position) -> Position:
        """Fill in the base piles below the card seen, and the stock if one is seen."""
        position = complete_bases(position, self.pack)
        missing = len(self.pack) - len(position)
        if missing > 0 and position.stock:
            return position.replace(stock=(PileCard.of(None, self.stock_face_up),) * missing + position.stock)
        return position

    def problems(self, position: Position) -> tuple[Problem, ...]:
        """Return everything that is wrong with the table."""
        faces = (
            problem
            for problem in face_problems(position)
            if not (self.stock_face_up and problem.kind is ProblemKind.FACE_UP)
        )
        left = len(position.stock) + len(position.waste)
        return tuple(
            chain(
                count_problems(position, self.decks, len(self.pack)),
                faces,
                size_problems((STOCK, WASTE), STOCK_CARDS, left),
                base_problems(position),
                unexpected_piles(position, self.shape),
            )
        )

    def plan(self) -> TablePlan:
        """Four base piles above stock and waste."""
        faces = Faces.UP if self.stock_face_up else Faces.DOWN
        return TablePlan(
            self.name,
            (
                Group("bases", line(PileKind.BASES, BASES), Spread.SQUARED),
                Group("stock", line(PileKind.STOCK, 1, (0.6, 1.25)), Spread.SQUARED, faces),
                Group("waste", line(PileKind.WASTE, 1, (2.0, 1.25)), Spread.SQUARED),
            ),
        )
