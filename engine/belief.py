"""What the unknown places of a table can hold, and complete tables drawn from that."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kibitz.engine.cards import CARDS, Card, PileCard
from kibitz.engine.errors import BeliefError
from kibitz.engine.piles import Slot
from kibitz.engine.position import Position

__all__ = ["Belief", "SoftSlot"]

_MOST_TRIES = 10_000
"""How often doubtful readings are drawn again before they are called contradictory."""


@dataclass(frozen=True, slots=True)
class SoftSlot:
    """A face-up card that was read doubtfully: what it can be, with probabilities."""

    slot: Slot
    """Where it lies."""
    candidates: tuple[tuple[Card, float], ...]
    """Cards with their weights; the weights need not sum to 1."""

    def __post_init__(self) -> None:
        """Check the weights."""
        if not self.candidates or any(not weight > 0 for _, weight in self.candidates):
            raise BeliefError(f"expected candidates with weights above 0 for {self.slot}, got {self.candidates!r}")


@dataclass(frozen=True, slots=True)
class Belief:
    """What is known of a table: the position as seen, the cards not seen, and doubtful readings.

    Every arrangement of the unseen cards on the unknown places is equally likely, as long as play does not depend on
    hidden cards; doubtful readings weigh in with their probabilities, and no card is used more often than it exists.
    """

    position: Position
    """The table as seen; doubtful cards are left unknown here."""
    slots: tuple[Slot, ...]
    """Unknown places without any reading."""
    unseen: tuple[Card, ...]
    """Cards not seen at a sure place, in label order; doubtful places take their cards from these too."""
    soft: tuple[SoftSlot, ...] = ()
    """Doubtful places."""

    @staticmethod
    def from_position(position: Position, soft: Sequence[SoftSlot] = ()) -> Belief:
        """Return what the position leaves open.

        Args:
            position: The table as seen, with all cards counted (see `Rules.complete`).
            soft: Doubtful places; what the position says of them is put aside.

        Raises:
            BeliefError: More places are unknown than cards unseen, or a card is there too often.
        """
        from kibitz.engine.registry import rules_of

        for one in soft:
            pile = position.pile(one.slot.pile)
            if one.slot.index >= len(pile):
                raise BeliefError(f"expected a card at {one.slot}, got a pile of {len(pile)}")
            position = position.replace_slot(one.slot, None, pile[one.slot.index].face_up)
        doubtful = {one.slot for one in soft}
        if len(doubtful) != len(soft):
            raise BeliefError("expected each doubtful place once, got one twice")
        slots = tuple(slot for slot in position.unknown() if slot not in doubtful)
        left = Counter(rules_of(position).pack)
        left.subtract(position.cards())
        if doubled := [str(card) for card in CARDS if left[card] < 0]:
            raise BeliefError(f"expected every card once a pack, got more of {', '.join(doubled)}; see problems()")
        unseen = tuple(card for card in CARDS for _ in range(left[card]))
        if len(unseen) < len(slots) + len(soft):
            raise BeliefError(
                f"expected at most {len(unseen)} unknown places for the cards not seen, got {len(slots) + len(soft)}"
            )
        return Belief(position, slots, unseen, tuple(soft))

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left open."""
        return not self.slots and not self.soft

    def candidates(self, slot: Slot) -> Mapping[Card, float]:
        """Return what a place can hold, with probabilities that sum to 1 (doubtful places taken one by one).

        Raises:
            BeliefError: The place is not unknown.
        """
        for one in self.soft:
            if one.slot == slot:
                weights = {card: weight for card, weight in one.candidates if card in self.unseen}
                total = sum(weights.values())
                return {card: weight / total for card, weight in weights.items()}
        if slot not in self.slots:
            raise BeliefError(f"expected an unknown place, got {slot}")
        expected = Counter[Card](self.unseen)
        chances = {card: float(count) for card, count in expected.items()}
        for one in self.soft:
            for card, chance in self.candidates(one.slot).items():
                chances[card] -= chance
        total = sum(max(chance, 0.0) for chance in chances.values())
        return {card: chance / total for card, chance in chances.items() if chance > 0}

    def sample(self, rng: random.Random) -> Position:
        """Return a complete table that fits everything known, all of them equally likely but for doubtful readings.

        Raises:
            BeliefError: The doubtful readings contradict each other.
        """
        left = list(self.unseen)
        chosen = self._draw_soft(rng)
        for card in chosen:
            left.remove(card)
        rng.shuffle(left)
        places = [*zip((one.slot for one in self.soft), chosen, strict=True), *zip(self.slots, left, strict=False)]
        return _filled(self.position, places)

    def _draw_soft(self, rng: random.Random) -> list[Card]:
        """Draw one card for each doubtful place, all together again until no card is used too often."""
        available = Counter(self.unseen)
        for _ in range(_MOST_TRIES):
            chosen = [
                rng.choices([card for card, _ in one.candidates], [weight for _, weight in one.candidates])[0]
                for one in self.soft
            ]
            if all(count <= available[card] for card, count in Counter(chosen).items()):
                return chosen
        places = ", ".join(str(one.slot) for one in self.soft)
        raise BeliefError(f"expected doubtful readings that can be true together, got contradictory ones at {places}")


def _filled(position: Position, places: Sequence[tuple[Slot, Card]]) -> Position:
    by_pile: dict[object, list[tuple[int, Card]]] = {}
    for slot, card in places:
        by_pile.setdefault(slot.pile, []).append((slot.index, card))
    for name, pile in position.all_piles():
        if name in by_pile:
            cards = list(pile)
            for index, card in by_pile[name]:
                cards[index] = PileCard.of(card, cards[index].face_up)
            position = position.replace_pile(name, tuple(cards))
    return position
