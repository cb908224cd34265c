"""What a player sees of a table, and how what was seen comes into a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kibitz.engine.cards import PileCard
from kibitz.engine.observation import Observation, Sighting, observe
from kibitz.engine.piles import PileId, PileKind, Slot
from kibitz.engine.position import Position

__all__ = ["Sight"]

SQUARED = frozenset({PileKind.STOCK, PileKind.WASTE, PileKind.FOUNDATIONS, PileKind.RESERVE, PileKind.BASES})


class Sight:
    """The part of `Rules` that knows which cards lie in sight."""

    @property
    def squared(self) -> frozenset[PileKind]:
        """Kinds of piles of which only the last card is seen."""
        return SQUARED

    def observe(self, position: Position, observation: Observation | Iterable[Sighting]) -> Position:
        """Return the position with the cards seen filled in. What then is due (an ace) is pending.

        Raises:
            ObservationError: It contradicts what is known.
        """
        sightings = observation.sightings if isinstance(observation, Observation) else observation
        return observe(position, sightings)

    def visible(self, position: Position) -> tuple[Slot, ...]:
        """Return the places of all cards whose faces a player sees on the table."""
        return tuple(Slot(name, index) for name, index, _ in self._faces(position))

    def unread(self, position: Position) -> tuple[Slot, ...]:
        """Return the places of cards that can be seen and whose faces are not known yet."""
        return tuple([Slot(name, index) for name, index, pile_card in self._faces(position) if pile_card.card is None])

    def _faces(self, position: Position) -> Iterator[tuple[PileId, int, PileCard]]:
        """Yield the cards whose faces a player sees, with their places."""
        for name, pile in position.all_piles():
            first = len(pile) - 1 if name.kind in self.squared and pile else 0
            for index in range(first, len(pile)):
                if pile[index].face_up:
                    yield name, index, pile[index]

    def conceal(self, position: Position) -> Position:
        """Return a known deal as a player sees it who has seen nothing before."""
        shown = frozenset(self.visible(position))
        for name, pile in position.all_piles():
            if name.kind is PileKind.FOUNDATIONS:
                continue
            cards = tuple(c if Slot(name, i) in shown else PileCard.of(None, c.face_up) for i, c in enumerate(pile))
            position = position.replace_pile(name, cards)
        return position

    def reveal(self, view: Position, truth: Position) -> Position:
        """Return the view with every visible unknown card filled in from the true position of the same shape."""
        for slot in self.unread(view):
            true = truth.pile(slot.pile)[slot.index]
            view = view.replace_slot(slot, true.card, true.face_up)
        return view
