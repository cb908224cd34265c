"""The nineteenth fan: three cards on trial that are all used at once or all set aside, and what fans can still do."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from kibitz.engine.building import Build, Landings, faces_of, foundations_want
from kibitz.engine.cards import ACE, KING
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position

__all__ = ["Trial", "fans_can_progress"]

AUXILIARY = PileId.of(PileKind.AUXILIARY)
Spaces = Mapping[int, tuple[tuple[PileId, None], ...]]
"""By card index: the empty places that take the card, with the card on which it lands there: none."""
MOST_STATES = 2_000
"""So many arrangements of the fans are looked at before the answer is that it is not known."""


@dataclass(frozen=True)
class Trial:
    """Which placements of the trial cards are legal."""

    build: Build
    """How fans are built."""
    any_order: bool
    """Whether any of the cards may be played, not only the last."""
    spaces: Callable[[Position], Spaces]
    """Which cards, by index, may go to which empty places."""
    between: Callable[[Position], Iterator[Move]]
    """What may be moved between the placements."""
    after: Callable[[Position, Move], Position]
    """The position after a move and its consequences."""
    most: int
    """So many positions are looked at before the trial cards count as unusable."""

    def moves(self, position: Position) -> tuple[Move, ...]:
        """Return the moves after which all trial cards can still be used; setting them aside where there is none.

        While a trial card is not read yet, there is no move.
        """
        if any(pile_card.card is None for pile_card in position.auxiliary):
            return ()
        steps = (*self.placements(position), *self.between(position))
        good = tuple(move for move in steps if self.can_use_all(self.after(position, move)))
        return good or (self.set_aside(position),)

    def placements(self, position: Position) -> Iterator[Move]:
        """Yield the ways to play one of the trial cards, whether or not the others can follow."""
        cards = position.auxiliary
        wanted = foundations_want(position.foundations, ACE)
        columns = [(PileId.of(PileKind.TABLEAU, index), pile) for index, pile in enumerate(position.tableau)]
        landings = Landings(columns, self.build)
        spaces = self.spaces(position)
        for depth in range(len(cards) if self.any_order else 1):
            card = cards[-1 - depth]
            targets = [*landings.of(card), *spaces.get(card.code, ())]
            if card.code in wanted:
                foundation = wanted[card.code]
                up = position.pile(foundation)
                targets.insert(0, (foundation, up[-1].card if up else None))
            for target, onto in targets:
                yield Move(MoveKind.MOVE, AUXILIARY, target, depth=depth, cards=(card.card,), onto=onto)

    def can_use_all(self, position: Position) -> bool:
        """Tell whether every trial card left can be used, one after the other."""
        if not position.auxiliary:
            return True
        been = {_state(position)}
        waiting = deque([position])
        while waiting and len(been) < self.most:
            here = waiting.popleft()
            for move in (*self.placements(here), *self.between(here)):
                after = self.after(here, move)
                if not after.auxiliary:
                    return True
                if (state := _state(after)) not in been:
                    been.add(state)
                    waiting.append(after)
        return False

    def set_aside(self, position: Position) -> Move:
        """Return the move that sets the trial cards aside."""
        cards = faces_of(position.auxiliary)
        target = PileId.of(PileKind.ASIDE, len(position.aside))
        return Move(MoveKind.ASIDE, AUXILIARY, target, len(cards), cards=cards)


def _state(position: Position) -> tuple[Pile, tuple[Pile, ...], tuple[Pile, ...]]:
    return position.auxiliary, position.tableau, position.foundations


def fans_can_progress(position: Position, build: Build) -> bool | None:
    """Tell whether a chain of moves between fans brings a card to a foundation or empties a fan.

    Returns:
        True or False if that is certain, None if the search gave up.
    """
    wanted = foundations_want(position.foundations, ACE)
    start = tuple(sorted(_codes(pile) for pile in position.tableau if pile))
    been = {start}
    waiting = deque([start])
    while waiting:
        if len(been) > MOST_STATES:
            return None
        fans = waiting.popleft()  # Short chains first: they are the likelier ones.
        free = [fan[-1] for fan in fans]
        if any(code in wanted for code in free):
            return True
        for source, card in enumerate(free):
            if card >= 4 * KING:
                continue
            for target in range(len(fans)):
                if free[target] in build.onto[card]:
                    if len(fans[source]) == 1:
                        return True
                    after = list(fans)
                    after[source] = fans[source][:-1]
                    after[target] = fans[target] + bytes([card])
                    state = tuple(sorted(after))
                    if state not in been:
                        been.add(state)
                        waiting.append(state)
    return False


def _codes(pile: Pile) -> bytes:
    return bytes([pile_card.code for pile_card in pile])
