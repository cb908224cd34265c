"""What a player or a camera saw: the faces of cards at places of the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kibitz.engine.cards import Card
from kibitz.engine.errors import NotationError, ObservationError
from kibitz.engine.piles import Slot
from kibitz.engine.position import Position

__all__ = ["Observation", "Sighting"]


@dataclass(frozen=True, slots=True)
class Sighting:
    """One card seen at one place. Text `T3.5=TS`."""

    slot: Slot
    """Where."""
    card: Card
    """Which card."""

    @staticmethod
    def parse(text: str) -> Sighting:
        """Return the sighting written as `T3.5=TS`.

        Raises:
            NotationError: The text is none.
        """
        place, sign, card = text.partition("=") if isinstance(text, str) else ("", "", "")
        if not sign:
            raise NotationError("a card at a place such as T3.5=TS", text)
        return Sighting(Slot.parse(place), Card.parse(card))

    def __str__(self) -> str:
        """Return the text form."""
        return f"{self.slot}={self.card}"


@dataclass(frozen=True, slots=True)
class Observation:
    """Several cards seen at once. Text: sightings separated by blanks."""

    sightings: tuple[Sighting, ...]
    """What was seen."""

    @staticmethod
    def of(*pairs: tuple[Slot, Card]) -> Observation:
        """Return the observation of these cards at these places."""
        return Observation(tuple(Sighting(slot, card) for slot, card in pairs))

    @staticmethod
    def parse(text: str) -> Observation:
        """Return the observation written as sightings separated by blanks.

        Raises:
            NotationError: The text is none.
        """
        if not isinstance(text, str):
            raise NotationError("cards at places such as T3.5=TS", text)
        return Observation(tuple(Sighting.parse(part) for part in text.split()))

    def __str__(self) -> str:
        """Return the text form."""
        return " ".join(map(str, self.sightings))


def observe(position: Position, sightings: Iterable[Sighting]) -> Position:
    """Return the position with the faces seen filled in; which side is up stays as it is.

    Raises:
        ObservationError: There is no card at the place, or another one is known to be there.
    """
    for sighting in sightings:
        slot = sighting.slot
        piles = position.of_kind(slot.pile.kind)
        pile = piles[slot.pile.index] if slot.pile.index < len(piles) else ()
        if slot.index >= len(pile):
            raise ObservationError(
                f"expected a card at {slot}, got a pile of {len(pile)}; {sighting} cannot be seen there"
            )
        before = pile[slot.index]
        if before.card is not None and before.card != sighting.card:
            raise ObservationError(
                f"expected {before.card} at {slot}, which was seen before, got {sighting.card}; "
                "correct the position first if it was misread"
            )
        position = position.replace_slot(slot, sighting.card, before.face_up)
    return position
