"""From the piles that a camera sees to a position of a patience, with what stays doubtful."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kibitz.engine.belief import Belief, SoftSlot
from kibitz.engine.cards import LABELS, Card, PileCard
from kibitz.engine.errors import BeliefError, KibitzError
from kibitz.engine.piles import PileId, Slot
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules

if TYPE_CHECKING:
    from kibitz.vision.types import Layout, PlacedCard, Question, TableCard, TableReading

LEAST_CHANCE = 0.02
"""A label less likely than this is no candidate for a doubtful card."""


class AnswerError(KibitzError):
    """An answer to a question cannot be understood or fits nothing on the table."""


@dataclass(frozen=True, slots=True)
class Table:
    """A position with its ties to the picture.

    Attributes:
        position: doubtful cards are ``??`` in it.
        soft: the doubtful cards with what they can be.
        seen: the card of the picture at a place of the position.
    """

    position: Position
    soft: tuple[SoftSlot, ...]
    seen: Mapping[Slot, PlacedCard]

    def belief(self) -> Belief | None:
        """What can lie where; None when the cards contradict each other."""
        try:
            return Belief.from_position(self.position, self.soft)
        except BeliefError:
            return None

    def slot_of(self, card: int) -> Slot | None:
        """Where a card of the picture lies in the position."""
        for slot, placed in self.seen.items():
            if placed.card is not None and placed.card.id == card:
                return slot
        return None


def table_of(layout: Layout, rules: Rules) -> Table:
    """The position that a layout shows, completed by what must lie unseen in its squared piles.

    Args:
        layout: every pile of the plan with its cards.
        rules: of the patience that is played.
    """
    piles = {name: tuple(_pile_card(placed) for placed in cards) for name, cards in layout.piles.items()}
    position = rules.complete(rules.build(piles))
    seen: dict[Slot, PlacedCard] = {}
    soft: list[SoftSlot] = []
    for name, cards in layout.piles.items():
        first = len(position.pile(name)) - len(cards)
        for offset, placed in enumerate(cards):
            slot = Slot(name, first + offset)
            seen[slot] = placed
            if (
                placed.face_up
                and placed.card is not None
                and placed.card.unsure
                and (found := _candidates(placed.card))
            ):
                soft.append(SoftSlot(slot, found))
    return Table(position, tuple(soft), seen)


def _pile_card(placed: PlacedCard) -> PileCard:
    card = placed.card
    if not placed.face_up:
        return PileCard.of(None, False)
    if card is None or card.unsure or card.label is None:
        return PileCard.of(None, True)
    return PileCard.of(Card.parse(card.label), True)


def _candidates(card: TableCard) -> tuple[tuple[Card, float], ...]:
    return tuple((Card.parse(label), chance) for label, chance in card.alternatives(6, LEAST_CHANCE))


_SIDES = ("side=near", "side=far")
_ANSWER = re.compile(r"\s*(?P<what>[0-9]+|[A-Z][0-9]{0,2}(?:\.[0-9]{1,2})?)\s*=\s*(?P<value>\S+)\s*")


@dataclass(frozen=True, slots=True)
class Answers:
    """What the player has answered.

    Attributes:
        cards: label by the card's id in the picture.
        places: label by place (`T3.5`).
        hidden: count of face-down cards by pile (`T3`).
        side: "near" or "far" edge of the picture where the player sits, or None.
    """

    cards: Mapping[int, str]
    places: Mapping[Slot, str]
    hidden: Mapping[PileId, int]
    side: str | None = None

    @staticmethod
    def parse(texts: Sequence[str]) -> Answers:
        """The answers written as `12=7H` (card 12 is the seven of hearts), `T3.5=7H` or `T3=4` (four face down).

        Raises:
            AnswerError: a text is none of these.
        """
        cards: dict[int, str] = {}
        places: dict[Slot, str] = {}
        hidden: dict[PileId, int] = {}
        sides = [text.strip().lower().removeprefix("side=") for text in texts if text.strip().lower() in _SIDES]
        for text in texts:
            if text.strip().lower() in _SIDES:
                continue
            match = _ANSWER.fullmatch(text)
            what, value = (match["what"], match["value"].upper()) if match else ("", "")
            if what.isdigit() and value in LABELS:
                cards[int(what)] = value
            elif "." in what and value in LABELS:
                places[_slot(what)] = value
            elif what and "." not in what and not what.isdigit() and value.isdigit() and int(value) < 53:
                hidden[_pile(what)] = int(value)
            else:
                forms = "12=7H (card 12), T3.5=7H (place), T3=4 (cards face down) or side=far"
                raise AnswerError(f"expected an answer such as {forms}, got '{text}'")
        return Answers(cards, places, hidden, sides[-1] if sides else None)


def _slot(text: str) -> Slot:
    try:
        return Slot.parse(text)
    except KibitzError as error:
        raise AnswerError(f"answer: {error}") from error


def _pile(text: str) -> PileId:
    try:
        return PileId.parse(text)
    except KibitzError as error:
        raise AnswerError(f"answer: {error}") from error


def answered_reading(reading: TableReading, answers: Answers) -> TableReading:
    """The reading with the cards named that the player named by their number.

    Raises:
        AnswerError: there is no such card on the picture.
    """
    cards = list(reading.cards)
    for number, label in answers.cards.items():
        if number >= len(cards):
            raise AnswerError(f"expected the number of a card from 0 to {len(cards) - 1}, got {number}={label}")
        cards[number] = named(cards[number], label)
    return replace(reading, cards=tuple(cards))


def named(card: TableCard, label: str) -> TableCard:
    """A card of a picture, known for sure."""
    import numpy as np

    labels = np.zeros(len(LABELS), np.float32)
    labels[LABELS.index(label)] = 1.0
    return replace(card, labels=labels, face_up=True, unsure=False, confidence=1.0)


def answered_layout(layout: Layout, answers: Answers) -> Layout:
    """The layout with the face-down cards counted as the player counted them.

    Raises:
        AnswerError: the patience has no such pile.
    """
    from kibitz.vision.types import PlacedCard as Placed

    piles = dict(layout.piles)
    for name, count in answers.hidden.items():
        if name not in piles:
            raise AnswerError(f"expected a pile of {layout.game}, got {name.short}={count}")
        down = [placed for placed in piles[name] if not placed.face_up]
        up = [placed for placed in piles[name] if placed.face_up]
        down = down[-count:] if 0 < count < len(down) else down[:count]
        missing = [Placed(None, False)] * (count - len(down))
        piles[name] = (*missing, *down, *up)
    asked = tuple(
        question for question in layout.questions if not (counts(question) and question.pile in answers.hidden)
    )
    counted = {name: chance for name, chance in layout.counted.items() if name not in answers.hidden}
    return replace(layout, piles=piles, questions=asked, counted=counted)


def counts(question: Question) -> bool:
    """Whether it asks for a number of face-down cards."""
    return question.kind.value == "how_many_hidden"


def answered_table(table: Table, answers: Answers) -> Table:
    """The table with the cards named that the player named by their place.

    Raises:
        AnswerError: there is no card at such a place.
    """
    position = table.position
    for slot, label in answers.places.items():
        kinds = position.of_kind(slot.pile.kind)
        pile = kinds[slot.pile.index] if slot.pile.index < len(kinds) else ()
        if slot.index >= len(pile):
            raise AnswerError(
                f"expected a place with a card, got {slot}={label}; {slot.pile.short} has {len(pile)} cards"
            )
        position = position.replace_slot(slot, Card.parse(label), pile[slot.index].face_up)
    soft = tuple(one for one in table.soft if one.slot not in answers.places)
    return Table(position, soft, table.seen)
