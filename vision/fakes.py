"""A table of imaginary cards with perfect truth: detector, classifier and coarse network in one, for tests.

Cards are laid in millimetres on a plane that the player sees with x to the right and y towards himself, later cards
upon earlier ones. A camera matrix says where the plane appears in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kibitz.engine.cards import LABELS, RANKS
from kibitz.vision import geometry
from kibitz.vision.classifier import IndexReading
from kibitz.vision.detectors.fake import FakeDetector
from kibitz.vision.pipeline import Reader
from kibitz.vision.strips import MOST
from kibitz.vision.symbols import ALPHABETS, SYMBOLS
from kibitz.vision.types import (
    N_SYMBOLS,
    ByteArray,
    CardOutlines,
    FloatArray,
    Frame,
    IndexDetections,
    IndexReadings,
)

WIDTH, HEIGHT = 63.0, 88.0
"""Millimetres of a card."""
INDEX_MIDDLE, INDEX_SIZE = (5.5, 10.0), (5.0, 15.0)
"""Millimetres: middle of an index from the card's corner, and its size."""
SURE = 0.995


@dataclass(frozen=True, slots=True)
class LaidCard:
    """One imaginary card.

    Attributes:
        label: "TS", or None for a face-down card.
        x: middle, millimetres to the player's right.
        y: middle, millimetres towards the player.
        turn: degrees clockwise.
        like: another label that the classifier finds as likely as the true one, or None.
    """

    label: str | None
    x: float
    y: float
    turn: float = 0.0
    like: str | None = None

    def outline(self) -> FloatArray:
        """(4, 2) corners in millimetres."""
        return self._place(np.asarray([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]))

    def indices(self, four: bool) -> list[FloatArray]:
        """(4, 2) quads of its indices in millimetres."""
        if self.label is None:
            return []
        (x, y), (w, h) = INDEX_MIDDLE, np.asarray(INDEX_SIZE) / 2
        first = np.asarray([[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]])
        beside = first + np.asarray([WIDTH - 2 * x, 0])
        quads = [first, *([beside] if four else [])]
        quads += [np.asarray([WIDTH, HEIGHT]) - quad for quad in quads]
        return [self._place(quad) for quad in quads]

    def _place(self, points: npt.NDArray[np.float64]) -> FloatArray:
        angle = np.radians(self.turn)
        matrix = np.asarray([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray((points - [WIDTH / 2, HEIGHT / 2]) @ matrix.T + [self.x, self.y], np.float32)


@dataclass(slots=True)
class FakeTable:
    """Imaginary cards under an imaginary camera.

    Attributes:
        cards: in the order in which they were laid.
        camera: (3, 3) millimetres -> pixels.
        size: width and height of the picture.
        four: True for a deck with an index in every corner.
        alphabet: letter set that is printed.
        noise: standard deviation of every detected corner, pixels.
        with_outlines: False = there is no coarse network.
    """

    cards: Sequence[LaidCard]
    camera: npt.NDArray[np.float64] = field(default_factory=lambda: np.diag([2.0, 2.0, 1.0]))
    size: tuple[int, int] = (1600, 1200)
    four: bool = False
    alphabet: str = "latin"
    noise: float = 0.0
    with_outlines: bool = True
    _printed: list[tuple[FloatArray, LaidCard]] = field(default_factory=list)

    def reader(self) -> Reader:
        """A reader that sees this table whatever picture it is given."""
        return Reader.of_parts(FakeDetector(self.detections()), self, self if self.with_outlines else None, self)

    def frame(self) -> Frame:
        """A picture of the right size with light and dark in it."""
        picture = np.full((self.size[1], self.size[0], 3), 90, np.uint8)
        picture[::4, ::2] = 250
        return Frame(picture)

    def detections(self) -> IndexDetections:
        """All indices in sight."""
        self._printed, quads = [], []
        rng = np.random.default_rng(1)
        outlines = [card.outline() for card in self.cards]
        for k, card in enumerate(self.cards):
            for quad in card.indices(self.four):
                if any(geometry.inside(quad.mean(axis=0)[None], later)[0] for later in outlines[k + 1 :]):
                    continue
                seen = geometry.moved(quad, self.camera)
                seen = np.asarray(seen + rng.normal(0, self.noise, seen.shape), np.float32)
                if bool((seen >= 0).all() and (seen < self.size).all()):
                    quads.append(seen)
                    self._printed.append((seen, card))
        stacked = np.stack(quads) if quads else np.zeros((0, 4, 2), np.float32)
        return IndexDetections(stacked, np.full(len(quads), 0.9, np.float32))

    def read(self, picture: ByteArray, quads: FloatArray) -> IndexReading:
        """What is printed in each quad, as the classifier would say it."""
        symbols = np.zeros((len(quads), N_SYMBOLS), np.float32)
        suits = np.full((len(quads), 4), 0.001, np.float32)
        for row, quad in enumerate(quads):
            card = min(self._printed, key=lambda printed: float(np.abs(printed[0] - quad).sum()))[1]
            labels = [card.label or LABELS[0], *([card.like] if card.like else [])]
            for label in labels:
                symbols[row, self._symbol(label)] += SURE / len(labels)
                suits[row, "CDHS".index(label[1])] += SURE / len(labels)
        symbols += (1 - symbols.sum(axis=1, keepdims=True)) / N_SYMBOLS
        suits /= suits.sum(axis=1, keepdims=True)
        return IndexReading(quads, IndexReadings(symbols, suits), np.zeros(len(quads), np.bool_))

    def glance(self, picture: ByteArray, quads: FloatArray) -> IndexReadings:
        """The same without turning anything."""
        return self.read(picture, quads).readings

    def find(self, frame: Frame) -> CardOutlines:
        """Outlines of all cards of which at least a twentieth is in sight."""
        outlines = [card.outline() for card in self.cards]
        shown = [k for k in range(len(outlines)) if _share_seen(outlines[k], outlines[k + 1 :]) >= 0.05]
        quads = [geometry.moved(outlines[k], self.camera) for k in shown]
        face_up = [0.98 if self.cards[k].label else 0.02 for k in shown]
        stacked = np.stack(quads) if quads else np.zeros((0, 4, 2), np.float32)
        return CardOutlines(stacked, np.full(len(quads), 0.9, np.float32), np.asarray(face_up, np.float32))

    def count(self, picture: ByteArray, areas: FloatArray) -> FloatArray:
        """The number of backs whose far edge lies in each area, surely."""
        tops = [geometry.moved(card.outline(), self.camera)[:2].mean(axis=0) for card in self.cards if not card.label]
        points = np.asarray(tops, np.float32).reshape(-1, 2)
        chances = np.zeros((len(areas), MOST + 1), np.float32)
        for row, area in zip(chances, areas, strict=True):
            row[min(int(geometry.inside(points, area).sum()), MOST)] = 1
        return chances

    def _symbol(self, label: str) -> int:
        rank = RANKS.index(label[0]) + 1
        meanings = ALPHABETS[self.alphabet]
        return SYMBOLS.index(next(symbol for symbol, meant in meanings.items() if meant == rank))


def _share_seen(outline: FloatArray, later: list[FloatArray]) -> float:
    """Share of a grid of points on a card that no later card hides."""
    steps = (np.arange(12) + 0.5) / 12
    right, down = outline[1] - outline[0], outline[3] - outline[0]
    points = outline[0] + steps[:, None, None] * right + steps[None, :, None] * down
    points = np.asarray(points.reshape(-1, 2), np.float32)
    hidden = np.zeros(len(points), np.bool_)
    for quad in later:
        hidden |= geometry.inside(points, quad)
    return float(1 - hidden.mean())
