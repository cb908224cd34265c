"""Where the cards of a scene lie: from piles of card texts to placed cards in drawing order."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from kibitz.models.synth.piles import NO_CARDS, Piles
from kibitz.models.synth.spec import Kind, TableSpec

PAPER = 0.31
"""Thickness of a card in millimetres."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """One physical card on the table. Angles in degrees, clockwise as the player sees it; lengths in millimetres."""

    text: str
    pile: str
    order: int
    x: float
    y: float
    z: float
    angle: float
    bend: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Rise at the short ends, at the long edges, and at one corner."""

    @property
    def face_up(self) -> bool:
        """Whether the face shows."""
        return self.text[-1].isupper() or self.text in NO_CARDS


@dataclass(frozen=True, slots=True)
class Spread:
    """How one pile lies: its first card, the step to the next for face-up and face-down cards, and the turn a card."""

    x: float
    y: float
    step: tuple[float, float] = (0.0, 0.0)
    back_step: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    angle: float = 0.0
    pivot: float = 0.0
    """Distance below the card's middle about which a held fan turns."""


class Placer:
    """Lays piles, one after the other."""

    def __init__(self, spec: TableSpec, width: float, rng: np.random.Generator) -> None:
        """Cards are `width` x `spec.card_height` millimetres."""
        self.spec, self.width, self.height, self.rng = spec, width, spec.card_height, rng
        self.cards: list[PlacedCard] = []
        self.slope = float(rng.normal(0, spec.crook * 0.3))

    def bend(self) -> tuple[float, float, float]:
        """Mostly flat; else a curl of some millimetres."""
        if self.rng.random() > self.spec.bent:
            return (0.0, 0.0, 0.0)
        ends, edges = self.rng.normal(0, 2.0), self.rng.normal(0, 1.2)
        return (float(ends), float(edges), float(max(0.0, self.rng.normal(-2, 3))))

    def pile(self, name: str, texts: list[str], spread: Spread) -> None:
        """Lay a pile bottom first, as unevenly as people do."""
        rng, spec = self.rng, self.spec
        lean = float(rng.normal(0, spec.crook * 0.6)) + spread.angle + self.slope
        drift = rng.normal(0, spec.jitter * 0.25, 2)
        x, y = np.array([spread.x, spread.y]) + rng.normal(0, spec.jitter, 2)
        for order, text in enumerate(texts):
            turned = lean + spread.turn * (order - (len(texts) - 1) / 2) + float(rng.normal(0, spec.crook * 0.5))
            own = np.array([x, y]) + rng.normal(0, spec.jitter * 0.35, 2)
            if spread.pivot:
                angle = np.radians(turned)
                own += spread.pivot * np.array([np.sin(angle), 1 - np.cos(angle)])
            card = PlacedCard(text, name, order, float(own[0]), float(own[1]), PAPER * (order + 1), turned, self.bend())
            self.cards.append(card)
            step = spread.step if card.face_up else spread.back_step
            x, y = x + step[0] + drift[0] * (step != (0.0, 0.0)), y + step[1] * float(rng.normal(1, 0.06))

    def grid(self, column: float, row: float) -> tuple[float, float]:
        """Middle of the card at a place of the layout."""
        x = column * (self.width + self.spec.gap)
        return (-x if self.spec.mirrored else x, row * (self.height + self.spec.gap))

    def down(self, column: float, row: float) -> Spread:
        """A column towards the player."""
        x, y = self.grid(column, row)
        return Spread(x, y, (0, self.spec.step * self.height), (0, self.spec.back_step * self.height))

    def squared(self, column: float, row: float) -> Spread:
        """A pile with all cards on one place."""
        return Spread(*self.grid(column, row))

    def right(self, column: float, row: float, turn: float = 0.0) -> Spread:
        """A row or fan to the right; fans in games show the left edge of every card."""
        x, y = self.grid(column, row)
        step = max(self.spec.step * self.height * 0.62, 0.14 * self.width)
        return Spread(x, y, (step, 0), (step * 0.4, 0), turn)


def _klondike(placer: Placer, piles: Piles) -> None:
    fan = placer.rng.random() < 0.35
    placer.pile("stock", piles["stock"], placer.squared(0, 0))
    waste = piles["waste"]
    placer.pile("waste", waste, placer.squared(1, 0)) if not fan else _fanned_waste(placer, waste, 1)
    for number in range(4):
        placer.pile(f"foundations/{number}", piles[f"foundations/{number}"], placer.squared(3 + number, 0))
    for number in range(7):
        placer.pile(f"tableau/{number}", piles[f"tableau/{number}"], placer.down(number, 1.15))


def _fanned_waste(placer: Placer, waste: list[str], column: float) -> None:
    """The last three cards of the waste side by side, the rest squared."""
    x, y = placer.grid(column, 0)
    start = len(placer.cards)
    placer.pile("waste", waste, Spread(x, y))
    step = placer.width * 0.24 * (-1 if placer.spec.mirrored else 1)
    shown = min(3, len(waste))
    for index in range(shown):
        card = placer.cards[start + len(waste) - shown + index]
        moved = {f: getattr(card, f) for f in ("text", "pile", "order", "y", "z", "angle", "bend")}
        placer.cards[start + len(waste) - shown + index] = PlacedCard(x=card.x + step * index, **moved)


def _canfield(placer: Placer, piles: Piles) -> None:
    placer.pile("reserve", piles["reserve"], placer.squared(0, 1.1))
    placer.pile("stock", piles["stock"], placer.squared(0, 0))
    placer.pile("waste", piles["waste"], placer.squared(1, 0))
    for number in range(4):
        placer.pile(f"foundations/{number}", piles[f"foundations/{number}"], placer.squared(2.3 + number, 0))
        placer.pile(f"tableau/{number}", piles[f"tableau/{number}"], placer.down(2.3 + number, 1.15))


def _columns(placer: Placer, piles: Piles) -> None:
    for name, texts in piles.items():
        if not name.startswith("tableau/"):
            continue
        number = int(name.split("/")[1])
        placer.pile(name, texts, placer.down(number, 0))


def _walter(placer: Placer, piles: Piles) -> None:
    wide = placer.right(0, 0).step[0] * 3 / placer.width
    turn = float(placer.rng.choice([0, 3, 7]))
    for number in range(4):
        placer.pile(f"bases/{number}", piles[f"bases/{number}"], placer.squared((wide + 1) * 1.1 * number, 0))
    for number in range(13):
        column, row = number % 5, number // 5
        placer.pile(
            f"tableau/{number}",
            piles[f"tableau/{number}"],
            placer.right(column * (wide + 1.05), 1.1 + row * 1.05, turn),
        )


def _nineteenth(placer: Placer, piles: Piles) -> None:
    wide = placer.right(0, 0).step[0] * 2 / placer.width
    turn = float(placer.rng.choice([0, 4, 8]))
    columns = int(placer.rng.choice([5, 6]))
    for number in range(8):
        placer.pile(f"foundations/{number}", piles[f"foundations/{number}"], placer.squared(number * 1.15, 0))
    for number in range(18):
        column, row = number % columns, number // columns
        name = f"tableau/{number}"
        placer.pile(name, piles[name], placer.right(column * (wide + 1.05), 1.1 + row * 1.05, turn))
    rows = 1.1 + (18 + columns - 1) // columns * 1.05
    placer.pile("stock", piles["stock"], placer.squared(0, rows))
    placer.pile("aside/0", piles["aside/0"], placer.squared(1.2, rows))
    placer.pile("auxiliary", piles["auxiliary"], placer.right(2.5, rows, turn))


def _eleven(placer: Placer, piles: Piles) -> None:
    for number in range(12):
        placer.pile(f"tableau/{number}", piles[f"tableau/{number}"], placer.squared(number % 4, number // 4))
    placer.pile("stock", piles["stock"], placer.squared(4.3, 1))


def _grid(placer: Placer, piles: Piles) -> None:
    columns = int(placer.rng.integers(4, 12))
    landscape = 90.0 if placer.rng.random() < 0.15 else 0.0
    for number, (name, texts) in enumerate(piles.items()):
        x, y = placer.grid(number % columns, number // columns)
        if landscape:
            x, y = x * placer.height / placer.width, y * placer.width / placer.height
        placer.pile(name, texts, Spread(x, y, angle=landscape))


def _fans(placer: Placer, piles: Piles) -> None:
    """Held or laid fans of five to thirteen cards, each anywhere and any way up."""
    rng = placer.rng
    for number, (name, texts) in enumerate(piles.items()):
        reach = 2.6 * placer.height
        x, y = (number % 2) * reach + rng.normal(0, 12), (number // 2) * reach * 0.8 + rng.normal(0, 12)
        angle = float(rng.normal(0, 12) if rng.random() < 0.5 else rng.uniform(0, 360))
        if rng.random() < 0.25:
            step = rng.uniform(0.17, 0.5) * placer.width
            turned = np.radians(angle)
            way = (float(step * np.cos(turned)), float(step * np.sin(turned)))
            placer.pile(name, texts, Spread(x, y, way, way, angle=angle))
        else:
            turn = float(rng.uniform(6, 24) if len(texts) < 8 else rng.uniform(6, 14))
            pivot = placer.height * float(rng.uniform(0.55, 1.6))
            placer.pile(name, texts, Spread(x, y, turn=turn, angle=angle, pivot=pivot))


def _loose(placer: Placer, piles: Piles) -> None:
    """Cards anywhere; chaos overlaps, scattered mostly does not, pairs touch."""
    rng, kind = placer.rng, placer.spec.kind
    tight = {Kind.CHAOS: 0.55, Kind.SCATTERED: 1.35, Kind.PAIRS: 0.8, Kind.SINGLE: 1.0}.get(kind, 1.0)
    count = len(piles)
    side = placer.height * tight * max(1.0, count**0.5)
    taken: list[np.ndarray] = []
    for name, texts in piles.items():
        spots = rng.uniform(-0.5, 0.5, (12, 2)) * side * np.array([1.3, 0.8])
        near = [min((float(np.hypot(*(spot - t))) for t in taken), default=1e9) for spot in spots]
        spot = spots[int(np.argmax(near))] if kind is not Kind.CHAOS else spots[0]
        taken.append(spot)
        steep = rng.uniform(0, 360) if rng.random() < 0.45 else rng.normal(0, 12)
        start = len(placer.cards)
        placer.pile(name, texts, Spread(float(spot[0]), float(spot[1]), angle=float(steep)))
        under = sum(float(np.hypot(c.x - spot[0], c.y - spot[1])) < placer.height * 0.8 for c in placer.cards[:start])
        for index in range(start, len(placer.cards)):
            card = placer.cards[index]
            placer.cards[index] = PlacedCard(
                card.text, card.pile, card.order, card.x, card.y, card.z + PAPER * min(under, 6), card.angle, card.bend
            )


_LAYERS = {
    Kind.KLONDIKE: _klondike, Kind.CANFIELD: _canfield, Kind.MRS_MOP: _columns, Kind.WALTER: _walter,
    Kind.NINETEENTH_FAN: _nineteenth, Kind.ELEVEN_POINTS: _eleven, Kind.GRID: _grid, Kind.FANS: _fans,
    Kind.SCATTERED: _loose, Kind.SINGLE: _loose, Kind.PAIRS: _loose, Kind.CHAOS: _loose, Kind.EMPTY: _loose,
}  # fmt: skip


def place(spec: TableSpec, piles: Piles, width: float, rng: np.random.Generator) -> tuple[PlacedCard, ...]:
    """All cards of the piles on the table, in drawing order (a later card lies over an earlier one)."""
    placer = Placer(spec, width, rng)
    _LAYERS[spec.kind](placer, defaultdict(list, piles))
    return tuple(placer.cards)
