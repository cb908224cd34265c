"""Eleven Points: pairs that add up to eleven are covered from the stock. The rules are reconstructed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import ClassVar

from kibitz.engine.building import free_card
from kibitz.engine.cards import JACK, KING, QUEEN, Card, PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.options import Option, OptionValue
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, count_problems, face_down_problems, face_problems, unexpected_piles
from kibitz.engine.rules import Rules
from kibitz.engine.steps import dealt
from kibitz.engine.table_plan import Arrangement, Faces, Group, Place, Spread, TablePlan, grid

__all__ = ["COURT_RULES", "ElevenPoints", "court_groups"]

POINTS = 11
STOCK = PileId.of(PileKind.STOCK)

COURT_RULES: Mapping[str, tuple[tuple[int, Callable[[tuple[int, ...]], bool]], ...]] = {
    "cover": (),
    "trio": ((3, lambda ranks: sorted(ranks) == [JACK, QUEEN, KING]),),
    "any3": ((3, lambda ranks: True),),
    "pair_any": ((2, lambda ranks: True),),
    "pair_equal": ((2, lambda ranks: ranks[0] == ranks[1]),),
    "king_alone": ((1, lambda ranks: ranks == (KING,)), (2, lambda ranks: sorted(ranks) == [JACK, QUEEN])),
}
"""Which groups of free courts may be covered together, by the value of `courts`; `cover` takes each one at once."""


class ElevenPoints(Rules):
    """Eleven Points, a game of pure chance: the order of play cannot change the result."""

    name = "eleven-points"
    scored = "dealt"
    declared = (
        Option("places", 12, (12, 10, 9), "How many cards are laid out.", 7, 16),
        Option("courts", "cover", tuple(COURT_RULES), "What is done with jacks, queens and kings."),
        Option("fill", "cover", ("cover", "discard"), "Whether new cards are laid on the old ones or replace them."),
    )
    presets: ClassVar[Mapping[str, Mapping[str, OptionValue]]] = {
        "eleven-10": {"places": 10},
        "elevens": {"places": 9, "courts": "trio"},
    }
    forced_first = True

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set the options; those not given have their defaults."""
        super().__init__(options)
        self.places = self._number("places")
        self.courts = self._word("courts")
        self.discard = self._word("fill") == "discard"

    @property
    def shape(self) -> Mapping[PileKind, int]:
        """The places, the stock, and with `fill=discard` what was taken off."""
        return {PileKind.STOCK: 1, PileKind.TABLEAU: self.places, PileKind.ASIDE: 0}

    @property
    def squared(self) -> frozenset[PileKind]:
        """The places too: new cards cover the old ones."""
        return super().squared | {PileKind.TABLEAU, PileKind.ASIDE}

    def deal_cards(self, pack: Sequence[Card]) -> Position:
        """Lay out the places, the rest is the stock."""
        places = tuple((PileCard.of(card),) for card in pack[: self.places])
        stock = tuple(PileCard.of(card, False) for card in reversed(pack[self.places :]))
        return self._empty().replace(tableau=places, stock=stock)

    def pending(self, position: Position) -> tuple[Move, ...]:
        """Return the free courts to be covered, where each is covered at once."""
        if self.courts != "cover" or not position.stock:
            return ()
        return tuple(self._cover(position, ((name, card),)) for name, card in _free(position) if card.rank >= JACK)

    def _moves(self, position: Position) -> Iterator[Move]:
        if not position.stock:
            return
        free = _free(position)
        for pair in combinations([place for place in free if place[1].rank < JACK], 2):
            if pair[0][1].rank + pair[1][1].rank == POINTS:
                yield self._cover(position, pair)
        for group in court_groups(self.courts, [place for place in free if place[1].rank >= JACK]):
            yield self._cover(position, group)

    def _cover(self, position: Position, group: Sequence[tuple[PileId, Card]]) -> Move:
        """Return the move that covers these free cards, as far as the stock lasts."""
        first, *others = (name for name, _ in group)
        count = min(len(group), len(position.stock))
        cards = tuple(card for _, card in group)
        return Move(MoveKind.COVER, STOCK, first, count, tuple(others), cards=cards)

    def act(self, position: Position, move: Move) -> Position:
        """Carry the move out; with `fill=discard` the covered cards are taken off first."""
        if not self.discard or move.kind is not MoveKind.COVER or move.target is None:
            return super().act(position, move)
        stock, cards = dealt(position, move.count)
        names = (move.target, *move.others)
        taken = tuple(position.pile(name)[-1] for name in names)
        position = position.replace(stock=stock, aside=(*position.aside, taken))
        for index, name in enumerate(names):
            position = position.replace_pile(name, (*position.pile(name)[:-1], *cards[index : index + 1]))
        return position

    def is_won(self, position: Position) -> bool:
        """Tell whether the stock is dealt out."""
        return not position.stock

    def score(self, position: Position) -> int:
        """Return how many cards have been dealt."""
        return len(self.pack) - len(position.stock)

    def key(self, position: Position) -> tuple[object, ...]:
        """Return a value equal for positions of equal play: what is free, and the stock."""
        tops = sorted(pile[-1].code for pile in position.tableau if pile)
        return (tuple(tops), tuple(pile_card.code for pile_card in position.stock))

    def complete(self, position: Position) -> Position:
        """Count the cards not seen into the stock, if one is seen."""
        missing = len(self.pack) - len(position)
        if missing > 0 and position.stock:
            return position.replace(stock=(PileCard.of(None, False),) * missing + position.stock)
        return position

    def problems(self, position: Position) -> tuple[Problem, ...]:
        """Return everything that is wrong with the table."""
        return tuple(
            chain(
                count_problems(position, self.decks, len(self.pack)),
                face_problems(position),
                face_down_problems(position),
                unexpected_piles(position, self.shape),
            )
        )

    def plan(self) -> TablePlan:
        """Three rows of places (two for ten and for seven or eight), the stock beside them."""
        rows = 3 if self.places > 10 or self.places == 9 else 2
        columns = -(-self.places // rows)
        places = grid(PileKind.TABLEAU, self.places, columns)
        stock = (Place(STOCK, columns * 1.15 + 0.6, 0.0),)
        return TablePlan(
            self.name,
            (
                Group("tableau", places, Spread.SQUARED, Faces.UP, Arrangement.GRID, alike=True),
                Group("stock", stock, Spread.SQUARED, Faces.DOWN),
            ),
        )


def court_groups(courts: str, free: Sequence[tuple[PileId, Card]]) -> Iterator[tuple[tuple[PileId, Card], ...]]:
    """Yield the groups of free courts that may be covered together under that value of `courts`."""
    for size, fits in COURT_RULES[courts]:
        for group in combinations(free, size):
            if fits(tuple(card.rank for _, card in group)):
                yield group


def _free(position: Position) -> list[tuple[PileId, Card]]:
    """Return the free cards with their places."""
    piles = ((PileId.of(PileKind.TABLEAU, index), pile) for index, pile in enumerate(position.tableau))
    return [(name, card) for name, pile in piles if (card := free_card(pile)) is not None]
