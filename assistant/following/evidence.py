"""How well a position explains a reading: the cost of each pile, in units of natural log likelihood."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine.cards import CARDS, Card, PileCard
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.vision.types import Layout, PlacedCard

MISSED = 4.0
"""A card that should be seen and is not: covered by a hand, or overlooked."""
ADDED, ADDED_FAINTLY = 4.0, 1.5
"""A card that is seen and should not be there; the second where nothing was read on it."""
MISREAD = 5.0
"""The most that a wrong label costs: networks do err surely, but once in some thousand cards."""
UNREAD, READ = 0.7, 0.3
"""Cost of a card that shows no label, and the least sum of labels that says anything."""
NEW = 0.03
"""Cost of a card that was not known before and now is."""
COUNT, MOST_COUNT, NONE_LEFT = 0.25, 0.75, 1.0
"""Face-down cards are counted badly: cost of each too many or too few, the most of it, and of none against some."""
LIKELY, SURE = 0.4, 0.9
SLACK = 0.3
"""What a pile may cost without meaning anything: labels are never quite certain."""


@dataclass(frozen=True, slots=True)
class SeenPile:
    """One pile of the reading.

    Attributes:
        faces: (52,) label probabilities of each face-up card, from the covered to the free end.
        downs: face-down cards beneath.
    """

    faces: tuple[npt.NDArray[np.float32], ...]
    downs: int

    def face(self, from_end: int) -> npt.NDArray[np.float32] | None:
        """Labels of the face-up card so far from the free end, or None."""
        return self.faces[-1 - from_end] if from_end < len(self.faces) else None


NOTHING = SeenPile((), 0)


class Evidence:
    """A reading, ready to be compared with many positions."""

    def __init__(self, rules: Rules, layout: Layout, believed: Position) -> None:
        """Takes the layout apart.

        Args:
            rules: of the patience.
            layout: the cards at their places.
            believed: the position before; its known cards cannot turn up anew.
        """
        self._squared = rules.squared
        self.piles = {name: _seen(cards) for name, cards in layout.piles.items()}
        known = Counter(card.index for card in believed.cards())
        self.fresh = np.asarray([known[k] < rules.decks for k in range(len(CARDS))], np.float32)
        self._costs: dict[tuple[PileId, int], tuple[Pile, float]] = {}

    def cost(self, name: PileId, pile: Pile) -> float:
        """How badly a pile with these cards explains what is seen there."""
        key = (name, id(pile))
        if key not in self._costs:
            value = max(0.0, self._whole_cost(name, pile) - SLACK)
            self._costs[key] = (pile, value)  # the pile is kept, so that its id stays its own
        return self._costs[key][1]

    def _whole_cost(self, name: PileId, pile: Pile) -> float:
        seen = self.piles.get(name)
        if seen is None:  # no place on the table: cards that were set aside
            return 0.0
        return self._squared_cost(name, pile, seen) if name.kind in self._squared else self._spread_cost(pile, seen)

    def costs(self, position: Position) -> dict[PileId, float]:
        """The cost of every pile, of the position and of the table."""
        costs = {name: self.cost(name, pile) for name, pile in position.all_piles()}
        costs |= {name: self.cost(name, ()) for name in self.piles if name not in costs}
        return costs

    def is_bare(self, name: PileId) -> bool:
        """Whether nothing is seen at a pile's place."""
        seen = self.piles.get(name, NOTHING)
        return not seen.faces and not seen.downs

    def sure_faces(self, name: PileId) -> Pile:
        """The face-up cards that are seen in a pile; none where one of them is doubtful."""
        faces = self.piles.get(name, NOTHING).faces
        if any(float(face.max()) < SURE for face in faces):
            return ()
        return tuple(PileCard.of(CARDS[int(face.argmax())], True) for face in faces)

    def fresh_labels(self, most: int = 4) -> tuple[Card, ...]:
        """Cards that are seen somewhere, likelier than not, and were not known before."""
        found = [
            CARDS[int(face.argmax())]
            for pile in self.piles.values()
            for face in pile.faces
            if float(face.max()) >= LIKELY and self.fresh[int(face.argmax())]
        ]
        return tuple(dict.fromkeys(found))[:most]

    def new_card(self, name: PileId, length: int, index: int) -> tuple[tuple[Card, float], ...]:
        """What a card not known before may be by what is seen at its place: cards with chances, likeliest first.

        Args:
            name: of its pile.
            length: cards that lie there now.
            index: its place.
        """
        face = self.piles.get(name, NOTHING).face(length - 1 - index) if index < length else None
        if face is None or float(face.sum()) < READ:
            return ()
        weights = face * self.fresh
        total = float(weights.sum())
        if total < 0.05:
            return ()
        order = np.argsort(-weights, kind="stable")[:4]
        return tuple((CARDS[int(k)], float(weights[k]) / total) for k in order if weights[k] > 0.02 * total)

    def _label_cost(self, card: Card | None, face: npt.NDArray[np.float32]) -> float:
        if float(face.sum()) < READ:
            return UNREAD
        if card is None:
            return NEW - math.log(max(float((face * self.fresh).sum()), math.exp(NEW - ADDED)))
        return -math.log(max(float(face[card.index]), math.exp(-MISREAD)))

    def _squared_cost(self, name: PileId, pile: Pile, seen: SeenPile) -> float:
        """Of a squared pile only the last card is seen."""
        if not pile:
            return (ADDED if seen.faces or name.kind is not PileKind.STOCK else ADDED_FAINTLY) * bool(
                seen.faces or seen.downs
            )
        if pile[-1].face_up:
            if seen.faces:
                return self._label_cost(pile[-1].card, seen.faces[-1])
            return MISSED if not seen.downs else ADDED
        if seen.faces:
            return ADDED
        return 0.0 if seen.downs else ADDED_FAINTLY

    def _spread_cost(self, pile: Pile, seen: SeenPile) -> float:
        """Of a column or a fan all face-up cards are seen: the cheapest way to align both."""
        faces = [card.card for card in pile if card.face_up]
        table = self._aligned(faces, seen)
        return table[-1] + _count_cost(len(pile) - len(faces), seen.downs, bool(faces or seen.faces))

    def _aligned(self, faces: Sequence[Card | None], seen: SeenPile) -> list[float]:
        """Last row of the edit distance between expected and seen faces."""
        extra = [ADDED if float(face.sum()) >= READ else ADDED_FAINTLY for face in seen.faces]
        row = [0.0]
        for cost in extra:
            row.append(row[-1] + cost)
        for card in faces:
            last, row = row, [row[0] + MISSED]
            for k, face in enumerate(seen.faces):
                row.append(min(last[k] + self._label_cost(card, face), last[k + 1] + MISSED, row[k] + extra[k]))
        return row


def _count_cost(expected: int, seen: int, shows_faces: bool) -> float:
    if bool(expected) != bool(seen):
        return NONE_LEFT if shows_faces else MISSED
    return min(COUNT * abs(expected - seen), MOST_COUNT)


def _seen(cards: Iterable[PlacedCard]) -> SeenPile:
    faces = tuple(
        placed.card.labels if placed.card is not None else np.zeros(len(CARDS), np.float32)
        for placed in cards
        if placed.face_up
    )
    return SeenPile(faces, sum(1 for placed in cards if not placed.face_up))


def seen_card(seen: SeenPile) -> PileCard | None:
    """The free end of a pile as a card; None for an empty place."""
    if seen.faces:
        face = seen.faces[-1]
        return PileCard.of(CARDS[int(face.argmax())] if float(face.max()) >= 0.5 else None, True)
    return PileCard.of(None, False) if seen.downs else None
