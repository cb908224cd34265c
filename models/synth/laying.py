"""From a position to cards on a table, laid by its plan as people lay it: mirrored, fanned, squeezed and crooked.

The same card of the same pile always lies in the same way under one seed, so that the pictures of one game show cards
that stay where they are.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.registry import rules_of
from kibitz.models.synth.manner import Manner
from kibitz.models.synth.placement import PAPER, PlacedCard
from kibitz.models.synth.spec import TableSpec
from kibitz.models.synth.spots import Rooms, Spots, spots_of

SHOWN_OF_WASTE = 3
WASTE_STEP = 0.26
"""Card widths from one card of a fanned waste to the next."""


@dataclass(frozen=True, slots=True)
class Hand:
    """How crooked one person lays.

    Attributes:
        crook: standard deviation of a card's turn, degrees.
        jitter: of its place, millimetres.
        bent: share of cards that are not flat.
        seed: of this table.
    """

    crook: float = 1.5
    jitter: float = 1.2
    bent: float = 0.0
    seed: int = 0

    def stream(self, *words: object) -> np.random.Generator:
        """Random numbers that belong to these words alone."""
        return np.random.default_rng([self.seed, zlib.crc32(" ".join(map(str, words)).encode())])


@dataclass(frozen=True, slots=True)
class Laying:
    """One person's table of one patience.

    Attributes:
        manner: which variation of the plan.
        hand: how crooked.
        card: width and height of a card, millimetres.
        rooms: most cards that each pile holds in the course of the pictures.
        spots: where the first card of each pile lies, millimetres.
    """

    manner: Manner
    hand: Hand
    card: tuple[float, float]
    rooms: Rooms
    spots: Spots = field(default_factory=dict)

    @staticmethod
    def of(positions: Sequence[Position], manner: Manner, hand: Hand, card: tuple[float, float]) -> Laying:
        """The places for all these positions of one game.

        Args:
            positions: whatever will be shown.
            manner: which variation of the plan.
            hand: how crooked.
            card: width and height of a card, millimetres.
        """
        rooms: Rooms = {}
        for position in positions:
            for name, cards in position.all_piles():
                rooms[name] = max(rooms.get(name, 0), len(cards))
        near = spots_of(rules_of(positions[0]), manner, rooms)
        spots = {name: (x * card[0], y * card[1]) for name, (x, y) in near.items()}
        return Laying(manner, hand, card, rooms, spots)

    def lay(self, position: Position) -> tuple[PlacedCard, ...]:
        """All cards of a position, in drawing order.

        Args:
            position: all cards known.
        """
        cards: list[PlacedCard] = []
        set_aside: list[str] = []
        for name, pile in position.all_piles():
            texts = [str(pile_card) for pile_card in pile]
            if name.kind is PileKind.ASIDE:
                set_aside += [text[0] + text[1].lower() for text in texts]
            elif texts:
                cards += self._pile(name, texts)
        aside = PileId.of(PileKind.ASIDE, 0)
        return tuple(cards + self._pile(aside, set_aside) if set_aside and aside in self.spots else cards)

    def _pile(self, name: PileId, texts: list[str]) -> list[PlacedCard]:
        """One pile, bottom first."""
        hand, (width, height) = self.hand, self.card
        own = hand.stream("pile", name)
        lean = float(own.normal(0, hand.crook * 0.6)) + self._slope()
        x, y = np.asarray(self.spots[name]) + own.normal(0, hand.jitter, 2)
        drift = own.normal(0, hand.jitter * 0.25, 2)
        spread = self.manner.spread(name)
        turn = spread.turn if self._longest() <= 6 else 0.0
        squeeze = min(1.0, spread.reach / max(1e-6, spread.most_step() * (self.rooms.get(name, 1) - 1) or 1e-6))
        out: list[PlacedCard] = []
        for order, text in enumerate(texts):
            rng = hand.stream("card", name, order, text)
            dx, dy = rng.normal(0, hand.jitter * 0.35, 2)
            angle = lean + float(rng.normal(0, hand.crook * 0.5))
            if turn:
                theta = np.radians(turn * (order - 1.5))
                radius = spread.face[0] * width / np.radians(turn)
                px, py = radius * (np.sin(theta) + np.sin(np.radians(1.5 * turn))), radius * (1 - np.cos(theta))
                angle += turn * (order - 1.5)
            else:
                px, py = 0.0, 0.0
            shift = self._shown(name, order, len(texts))
            place = (float(x + dx + px + shift), float(y + dy + py))
            out.append(PlacedCard(text, str(name), order, *place, PAPER * (order + 1), angle, self._bend(rng)))
            if turn:
                continue
            step = spread.face if out[-1].face_up else spread.back
            moves = step != (0.0, 0.0)
            stretch = float(rng.normal(1, 0.06)) * squeeze
            x, y = x + step[0] * width * stretch + drift[0] * moves, y + step[1] * height * stretch
        return out

    def _longest(self) -> int:
        return max((count for name, count in self.rooms.items() if name.kind is PileKind.TABLEAU), default=0)

    def _slope(self) -> float:
        return float(self.hand.stream("slope").normal(0, self.hand.crook * 0.3))

    def _shown(self, name: PileId, order: int, count: int) -> float:
        """How far a card of a fanned waste is moved aside."""
        if name.kind is not PileKind.WASTE or not self.manner.waste_fanned:
            return 0.0
        shown = min(SHOWN_OF_WASTE, count)
        way = -1 if self.manner.mirrored else 1
        return way * WASTE_STEP * self.card[0] * max(0, order - (count - shown))

    def _bend(self, rng: np.random.Generator) -> tuple[float, float, float]:
        if rng.random() >= self.hand.bent:
            return (0.0, 0.0, 0.0)
        return (float(rng.normal(0, 2.0)), float(rng.normal(0, 1.2)), float(max(0.0, rng.normal(-2, 3))))

    def ground(self) -> np.ndarray:
        """(N, 3) the corners of a card at every place, empty ones too."""
        half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * self.card
        points = [np.asarray(spot) + half for spot in self.spots.values()]
        flat = np.concatenate(points)
        return np.concatenate([flat, np.zeros((len(flat), 1))], axis=1)


def sight_of(position: Position, manner: Manner) -> dict[str, list[str]]:
    """What a camera can see of every pile, by its long name: labels, `##` for a card face down.

    Of a squared pile that is the last card, of a fanned waste the last three.

    Args:
        position: all cards known.
        manner: how it is laid.
    """
    squared = rules_of(position).squared
    sight: dict[str, list[str]] = {}
    for name, pile in position.all_piles():
        texts = [str(pile_card) if pile_card.face_up else "##" for pile_card in pile]
        if name.kind is PileKind.ASIDE:
            if texts:
                sight["aside/0"] = ["##"]
            continue
        if name.kind is PileKind.WASTE and manner.waste_fanned:
            texts = texts[-SHOWN_OF_WASTE:]
        elif name.kind in squared and not (name.kind is PileKind.RESERVE and manner.reserve_fanned):
            texts = texts[-1:]
        sight[str(name)] = texts
    return sight


def spec_of(card_height: float, hand: Hand, game: str) -> TableSpec:
    """The part of a table that the painter asks for."""
    from kibitz.models.synth.spec import Kind

    return TableSpec(Kind(game), card_height=card_height, crook=hand.crook, jitter=hand.jitter, bent=hand.bent)


Sight = Mapping[str, Sequence[str]]
