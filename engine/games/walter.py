"""Walter: thirteen fans of four, four base piles that go up by ones, twos, threes and fours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from kibitz.engine.building import free_card
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
from kibitz.engine.rules import Rules
from kibitz.engine.table_plan import Arrangement, Faces, Group, Spread, Steps, TablePlan, grid, line, upright
from kibitz.engine.walter_piles import BASES, base_moves, base_problems, complete_bases, named_by_rank

__all__ = ["Walter"]

FANS = 13
FAN_CARDS = 4
_FAN = tuple(PileId.of(PileKind.TABLEAU, index) for index in range(FANS))


class Walter(Rules):
    """Walter: suits play no part; what cannot be placed is shuffled and dealt again, twice."""

    name = "walter"
    scored = "bases"
    declared = (
        Option("attempts", 3, (3,), "How many deals there are in all.", 1, 99),
        Option("redeal_when", "stuck", ("stuck", "any"), "Whether one may deal again only when nothing can be placed."),
        Option("display", "fan", ("fan", "stack"), "Whether every card of a fan is seen or only its top."),
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set the options; those not given have their defaults."""
        super().__init__(options)
        self.attempts = self._number("attempts")
        self.redeal_when = self._word("redeal_when")
        self.stack = self._word("display") == "stack"

    @property
    def shape(self) -> Mapping[PileKind, int]:
        """Thirteen fans and four base places."""
        return {PileKind.TABLEAU: FANS, PileKind.BASES: BASES}

    @property
    def squared(self) -> frozenset[PileKind]:
        """The fans too, if they lie as stacks."""
        return super().squared | {PileKind.TABLEAU} if self.stack else super().squared

    def deal_cards(self, pack: Sequence[Card]) -> Position:
        """Deal fans of four."""
        return self._empty().replace(tableau=_fans([PileCard.of(card) for card in pack]))

    def pending(self, position: Position) -> tuple[Move, ...]:
        """Return nothing: no move is forced."""
        return ()

    def _moves(self, position: Position) -> Iterator[Move]:
        ups = list(base_moves(position, zip(_FAN, position.tableau, strict=False)))
        yield from ups
        yield from transfers(position)
        left = sum(map(len, position.tableau))
        if left and position.attempt < self.attempts and self._may_redeal(position, bool(ups)):
            yield Move(MoveKind.REDEAL, count=left)

    def _may_redeal(self, position: Position, can_move_up: bool) -> bool:
        return self.redeal_when == "any" or not (can_move_up or self.can_place(position))

    def act(self, position: Position, move: Move) -> Position:
        """Carry the move out; a redeal leaves all cards of the fans unknown."""
        if move.kind is not MoveKind.REDEAL:
            return super().act(position, move)
        cards = [PileCard.of(None)] * sum(map(len, position.tableau))
        return position.replace(tableau=_fans(cards), attempt=position.attempt + 1)

    def can_place(self, position: Position) -> bool:
        """Tell whether a chain of transfers, perhaps none, brings a card to a base pile or bares an unknown one."""
        been = {self.key(position)}
        waiting = [position]
        while waiting:
            here = waiting.pop()
            if any(base_moves(here, zip(_FAN, here.tableau, strict=False))) or self.unread(here):
                return True
            for move in transfers(here):
                after = self.act(here, move)
                if (key := self.key(after)) not in been:
                    been.add(key)
                    waiting.append(after)
        return False

    def is_won(self, position: Position) -> bool:
        """Tell whether every card lies on the base piles."""
        return sum(map(len, position.bases)) == len(self.pack)

    def is_lost(self, position: Position) -> bool:
        """Tell whether no card can be placed in the last attempt."""
        return not self.is_won(position) and position.attempt >= self.attempts and not self.can_place(position)

    def score(self, position: Position) -> int:
        """Return the cards on the base piles."""
        return sum(map(len, position.bases))

    def key(self, position: Position) -> tuple[object, ...]:
        """Return a value equal for positions of equal play: ranks only, fans in any order."""
        tops = tuple(_ranks(pile[-1:]) for pile in position.bases)
        return (tops, tuple(sorted(map(_ranks, position.tableau))), position.attempt)

    def complete(self, position: Position) -> Position:
        """Fill in the base piles below the card seen."""
        return complete_bases(position, self.pack)

    def problems(self, position: Position) -> tuple[Problem, ...]:
        """Return everything that is wrong with the table."""
        sizes = (
            size_problems((name,), FAN_CARDS, len(pile)) for name, pile in zip(_FAN, position.tableau, strict=False)
        )
        return tuple(
            chain(
                named_by_rank(count_problems(position, self.decks, len(self.pack)), position),
                face_problems(position),
                face_down_problems(position),
                chain.from_iterable(sizes),
                base_problems(position),
                unexpected_piles(position, self.shape),
            )
        )

    def plan(self) -> TablePlan:
        """Four base places above the fans."""
        spread = Spread.SQUARED if self.stack else Spread.FAN
        fans = grid(PileKind.TABLEAU, FANS, 5, (0.0, 1.4), Steps(2.4, 1.3))
        tableau = Group("tableau", fans, spread, Faces.UP, Arrangement.GRID, alike=True, most=FAN_CARDS)
        wide = Steps(1.35)
        above, below = (line(PileKind.BASES, BASES, (2.0, y), wide) for y in (0.0, 5.3))
        beside = Group("bases", upright(PileKind.BASES, BASES, (-1.6, 1.4)), arrangement=Arrangement.UPRIGHT)
        return TablePlan(
            self.name,
            (Group("bases", above), tableau),
            variations=((tableau, Group("bases", below)), (beside, tableau)),
        )


def transfers(position: Position) -> Iterator[Move]:
    """Yield the moves of a free card onto another incomplete fan with a free card of the same rank."""
    fans = list(zip(_FAN, position.tableau, strict=False))
    free = [(name, card) for name, pile in fans if (card := free_card(pile)) is not None]
    takers = [(name, card) for name, card in free if len(position.tableau[name.index]) < FAN_CARDS]
    for target, onto in takers:
        for source, card in free:
            if source is not target and card.rank == onto.rank:
                yield Move(MoveKind.MOVE, source, target, cards=(card,), onto=onto)


def _fans(cards: Sequence[PileCard]) -> tuple[Pile, ...]:
    return tuple(tuple(cards[FAN_CARDS * fan : FAN_CARDS * (fan + 1)]) for fan in range(FANS))


def _ranks(pile: Pile) -> bytes:
    return bytes([pile_card.card.rank if pile_card.card else 0 for pile_card in pile])
