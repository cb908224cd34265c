"""The Nineteenth Fan: two packs, eighteen fans of three, and a trial fan of three cards from the stock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from kibitz.engine.building import (
    ALTERNATING,
    ANY_SUIT,
    SAME_SUIT,
    Landings,
    faces_of,
    foundation_below,
    foundation_problems,
    only_changes_place,
    up_moves,
)
from kibitz.engine.cards import ACE, CARDS, KING, Card, PileCard
from kibitz.engine.fan_trial import Spaces, Trial, fans_can_progress
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.options import Option, OptionValue
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import (
    Problem,
    ProblemKind,
    count_problems,
    face_down_problems,
    face_problems,
    known,
    size_problems,
    unexpected_piles,
)
from kibitz.engine.rules import Rules
from kibitz.engine.table_plan import Arrangement, Faces, Group, Place, Spread, Steps, TablePlan, grid, line, upright

__all__ = ["NineteenthFan"]

FANS = 18
FAN_CARDS = 3
FOUNDATIONS = 8
STOCK_CARDS = 50
FULL_TRIAL, SHORT_TRIAL = 5_000, 60
"""Positions looked at to see whether trial cards can be used; the short one where anything may be moved between."""
STOCK = PileId.of(PileKind.STOCK)
AUXILIARY = PileId.of(PileKind.AUXILIARY)
_FAN = tuple(PileId.of(PileKind.TABLEAU, index) for index in range(FANS))
_BUILDS = {"any": ANY_SUIT, "suit": SAME_SUIT, "alternate": ALTERNATING}


class NineteenthFan(Rules):
    """The Nineteenth Fan. Set-aside triples lie in `aside`, the trial fan in `auxiliary`."""

    name = "nineteenth-fan"
    decks = 2
    forced_first = True
    declared = (
        Option("fan_build", "any", ("any", "suit", "alternate"), "Which suits may lie on each other in a fan."),
        Option("auto_foundation", True, (True, False), "Whether every card that can go up goes up at once."),
        Option("aux_order", "right", ("right", "any"), "Whether only the last card of the trial fan may be played."),
        Option("aux_between", "foundation", ("foundation", "none", "any"), "What may be moved during the trial."),
        Option("draw_when", "any", ("any", "stuck"), "Whether one may draw only when the fans offer nothing."),
        Option("memory", True, (True, False), "Whether set-aside cards are remembered."),
        Option("redeals", 1, (1, 0), "How often the rest is shuffled and dealt again.", 0, 9),
        Option("empty_place", "none", ("none", "king", "any"), "What an empty place takes when the stock is gone."),
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set the options; those not given have their defaults."""
        super().__init__(options)
        self.fan_build = _BUILDS[self._word("fan_build")]
        self.auto_foundation = self._flag("auto_foundation")
        self.aux_between = self._word("aux_between")
        self.draw_when = self._word("draw_when")
        self.memory = self._flag("memory")
        self.redeals = self._number("redeals")
        self.empty_place = self._word("empty_place")
        any_order = self._word("aux_order") == "any"
        most = SHORT_TRIAL if self.aux_between == "any" else FULL_TRIAL
        self.trial = Trial(self.fan_build, any_order, self._spaces, self._between, self._after_step, most)

    @property
    def shape(self) -> Mapping[PileKind, int]:
        """Eighteen fans, eight foundations, stock, trial fan; set-aside triples as they come."""
        return {
            PileKind.STOCK: 1,
            PileKind.FOUNDATIONS: FOUNDATIONS,
            PileKind.TABLEAU: FANS,
            PileKind.AUXILIARY: 1,
            PileKind.ASIDE: 0,
        }

    def deal_cards(self, pack: Sequence[Card]) -> Position:
        """Deal eighteen fans of three; the rest is the stock."""
        cut = FANS * FAN_CARDS
        stock = tuple(PileCard.of(card, False) for card in reversed(pack[cut:]))
        return self._empty().replace(tableau=_fans([PileCard.of(card) for card in pack[:cut]]), stock=stock)

    # Moves.

    def pending(self, position: Position) -> tuple[Move, ...]:
        """Free aces (and what else must go up) to the foundations, then emptied fans to be dealt."""
        if position.auxiliary and self.aux_between == "none":
            return ()
        due = [move for move in self._ups(position) if self.auto_foundation or move.cards[0] in _ACES]
        if not due and position.stock and not position.auxiliary:
            count = min(FAN_CARDS, len(position.stock))
            cards = faces_of(reversed(position.stock[-count:]))
            for name, pile in zip(_FAN, position.tableau, strict=False):
                if not pile:
                    return (Move(MoveKind.DEAL, STOCK, name, count, cards=cards),)
        return tuple(due)

    def _ups(self, position: Position) -> list[Move]:
        return up_moves(position.foundations, zip(_FAN, position.tableau, strict=False), ACE)

    def _moves(self, position: Position) -> Iterator[Move]:
        if position.auxiliary:
            yield from self.trial.moves(position)
            return
        yield from self._tails_up(position)
        yield from self._fan_moves(position)
        if position.stock and position.attempt == 1 and self._may_draw(position):
            cards = faces_of(reversed(position.stock[-FAN_CARDS:]))
            yield Move(MoveKind.DRAW, STOCK, AUXILIARY, len(cards), cards=cards)
        left = sum(map(len, (*position.tableau, *position.aside)))
        if left and not position.stock and position.attempt <= self.redeals:
            yield Move(MoveKind.REDEAL, count=left)

    def _may_draw(self, position: Position) -> bool:
        return self.draw_when == "any" or fans_can_progress(position, self.fan_build) is not True

    def _tails_up(self, position: Position) -> Iterator[Move]:
        """Yield the moves of one or more cards of a fan to a foundation, the free card first."""
        for move in self._ups(position):
            assert move.source is not None
            pile = position.pile(move.source)
            cards = [move.cards[0]]
            yield move
            for pile_card in reversed(pile[:-1]):
                card, above = pile_card.card, cards[0]
                if card is None or above is None or not SAME_SUIT.fits(above, card):
                    break
                cards.insert(0, card)
                yield Move(move.kind, move.source, move.target, len(cards), cards=tuple(cards), onto=move.onto)

    def _fan_moves(self, position: Position) -> Iterator[Move]:
        fans = list(zip(_FAN, position.tableau, strict=False))
        landings = Landings(fans, self.fan_build)
        spaces = self._spaces(position)
        for name, pile in fans:
            if pile:
                card = pile[-1]
                for target, onto in (*landings.of(card), *spaces.get(card.code, ())):
                    yield Move.of(name, target, (card.card,), onto)

    def _spaces(self, position: Position) -> Spaces:
        """Return which cards, by index, may go to which empty places once the stock is gone."""
        if self.empty_place == "none" or position.stock:
            return {}
        spaces = tuple((name, None) for name, pile in zip(_FAN, position.tableau, strict=False) if not pile)
        return {card.index: spaces for card in CARDS if self.empty_place == "any" or card.rank == KING}

    def _between(self, position: Position) -> Iterator[Move]:
        """Yield what may be moved while cards are on trial."""
        if self.aux_between != "none":
            yield from self._ups(position)
        if self.aux_between == "any":
            yield from self._fan_moves(position)

    def _after_step(self, position: Position, move: Move) -> Position:
        after = self.act(position, move)
        return self.settle(after) if after.auxiliary else after

    def act(self, position: Position, move: Move) -> Position:
        """Carry the move out; a redeal leaves all cards that take part unknown."""
        if move.kind is MoveKind.REDEAL:
            left = sum(map(len, (*position.tableau, *position.aside)))
            cut = min(left, FANS * FAN_CARDS)
            stock = (PileCard.of(None, False),) * (left - cut)
            fans = _fans([PileCard.of(None)] * cut)
            return position.replace(tableau=fans, stock=stock, aside=(), attempt=position.attempt + 1)
        after = super().act(position, move)
        if move.kind is MoveKind.ASIDE and not self.memory:
            forgotten = (PileCard.of(None, False),) * len(after.aside[-1])
            return after.replace(aside=(*after.aside[:-1], forgotten))
        return after

    def is_idle(self, position: Position, move: Move) -> bool:
        """Tell whether a whole fan only changes its place."""
        return only_changes_place(position, move)

    # Judging positions.

    def is_won(self, position: Position) -> bool:
        """Tell whether both packs lie on the foundations."""
        return sum(map(len, position.foundations)) == len(self.pack)

    def is_lost(self, position: Position) -> bool:
        """Tell whether the fans are certainly stuck with nothing left to draw or to deal."""
        if self.is_won(position) or self.unread(position):
            return False
        moves = self.legal_moves(position)
        if any(move.kind is not MoveKind.MOVE or move.source == AUXILIARY for move in moves):
            return False
        return not moves or fans_can_progress(position, self.fan_build) is False

    def complete(self, position: Position) -> Position:
        """Fill in the foundations, and count the cards not seen into the stock or else into what is set aside."""
        piles = tuple(foundation_below(pile, ACE) for pile in position.foundations)
        position = position.replace(foundations=piles)
        unseen = (PileCard.of(None, False),) * max(0, len(self.pack) - len(position))
        if unseen and position.stock:
            return position.replace(stock=unseen + position.stock)
        if unseen and position.aside:
            return position.replace(aside=(*position.aside[:-1], position.aside[-1] + unseen))
        return position

    def problems(self, position: Position) -> tuple[Problem, ...]:
        """Return everything that is wrong with the table."""
        return tuple(
            chain(
                count_problems(position, self.decks, len(self.pack)),
                face_problems(position),
                face_down_problems(position),
                foundation_problems(position, ACE),
                size_problems((STOCK,), STOCK_CARDS, len(position.stock)),
                size_problems((AUXILIARY,), FAN_CARDS, len(position.auxiliary)),
                _late_problems(position),
                unexpected_piles(position, self.shape),
            )
        )

    def plan(self) -> TablePlan:
        """Foundations, stock and trial fan above three rows of six fans, set-aside cards beside the stock."""
        above, below = line(PileKind.FOUNDATIONS, FOUNDATIONS), line(PileKind.FOUNDATIONS, FOUNDATIONS, (0.0, 5.3))
        row = (Group("foundations", above, alike=True), *self._rest(5.3))
        mirrored = (*self._rest(0.0), Group("foundations", below, alike=True))
        half = FOUNDATIONS // 2
        beside = (
            Group("foundations", upright(PileKind.FOUNDATIONS, half, (-2.6, 1.4)), arrangement=UPRIGHT, alike=True),
            Group(
                "foundations-2",
                upright(PileKind.FOUNDATIONS, half, (-1.4, 1.4), first=half),
                arrangement=UPRIGHT,
                alike=True,
            ),
            *self._rest(5.3),
        )
        return TablePlan(self.name, row, decks=self.decks, variations=(mirrored, beside))

    def _rest(self, trial: float) -> tuple[Group, ...]:
        """Everything but the foundations; `trial` is how far from the far row the trial fan lies."""
        fans = grid(PileKind.TABLEAU, FANS, 6, (0.0, 1.4), Steps(2.2, 1.3))
        return (
            Group("stock", (Place(STOCK, 9.8, 0.0),), Spread.SQUARED, Faces.DOWN),
            Group("aside", line(PileKind.ASIDE, 1, (11.0, 0.0)), Spread.SQUARED, Faces.DOWN),
            Group("tableau", fans, Spread.FAN, Faces.UP, Arrangement.GRID, alike=True),
            Group("auxiliary", (Place(AUXILIARY, 5.5, trial),), Spread.FAN, Faces.UP, rare=True, most=FAN_CARDS),
        )


UPRIGHT = Arrangement.UPRIGHT
_ACES = frozenset(card for card in CARDS if card.rank == ACE)


def _fans(cards: Sequence[PileCard]) -> tuple[Pile, ...]:
    return tuple(tuple(cards[FAN_CARDS * fan : FAN_CARDS * (fan + 1)]) for fan in range(FANS))


def _late_problems(position: Position) -> Iterator[Problem]:
    """Yield a trial fan or set-aside cards after the redeal, when there are none any more."""
    if position.attempt == 1:
        return
    if position.auxiliary:
        yield Problem(ProblemKind.MUST_BE_EMPTY, known(position.auxiliary), (AUXILIARY,))
    for index, pile in enumerate(position.aside):
        if pile:
            yield Problem(ProblemKind.MUST_BE_EMPTY, known(pile), (PileId.of(PileKind.ASIDE, index),))
