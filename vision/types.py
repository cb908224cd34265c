"""The values that pass between the stages of reading a table.

Conventions, everywhere: pictures are (H, W, 3) uint8 BGR; points are (x, y) in pixels of the picture as displayed
(EXIF turned), float32; the four corners of an object run from its own top left in its reading direction, clockwise:
TL, TR, BR, BL. Labels are numbered suit * 13 + rank - 1 with suits C D H S, as `kibitz.engine.cards.LABELS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine.cards import LABELS
from kibitz.engine.piles import PileId
from kibitz.vision.errors import ShapeError
from kibitz.vision.symbols import SYMBOLS

FloatArray = npt.NDArray[np.float32]
ByteArray = npt.NDArray[np.uint8]

N_LABELS = 52
LEAST_GUESS = 0.2
"""A card of which no label is at least so probable is an unknown card."""
N_SYMBOLS = len(SYMBOLS) + 1
"""Printed symbols and "not an index"."""


def check_shape(name: str, array: npt.NDArray[Any], shape: tuple[int | None, ...]) -> None:
    """Checks an array's shape; None stands for any length.

    Raises:
        ShapeError: the shape differs.
    """
    fits = array.ndim == len(shape) and all(w is None or w == g for w, g in zip(shape, array.shape, strict=False))
    if not fits:
        want = "(" + ", ".join("any" if w is None else str(w) for w in shape) + ")"
        raise ShapeError(f"expected {name} of shape {want}, got {array.shape}; pass one row per object")


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture to be read.

    Attributes:
        picture: (H, W, 3) uint8 BGR.
        scale: pixels of the displayed picture per pixel of `picture` (above 1 when a big file was shrunk); results are
            given in pixels of the displayed picture.
        name: where it came from, for messages.
    """

    picture: ByteArray
    scale: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        check_shape("picture", self.picture, (None, None, 3))
        if self.picture.dtype != np.uint8:
            raise ShapeError(f"expected a picture of uint8, got {self.picture.dtype}; convert it first")
        if not self.scale > 0:
            raise ShapeError(f"expected a positive scale, got {self.scale}; 1 means not shrunk")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the displayed picture, pixels."""
        height, width = self.picture.shape[:2]
        return round(width * self.scale), round(height * self.scale)


@dataclass(frozen=True, slots=True)
class IndexDetections:
    """Corner indices found on one picture.

    Attributes:
        quads: (N, 4, 2) float32, tight around rank and suit.
        scores: (N,) float32 in 0..1.
    """

    quads: FloatArray
    scores: FloatArray

    def __post_init__(self) -> None:
        check_shape("quads", self.quads, (None, 4, 2))
        check_shape("scores", self.scores, (len(self.quads),))

    def __len__(self) -> int:
        return len(self.quads)

    def take(self, rows: npt.NDArray[Any]) -> IndexDetections:
        """The chosen rows (numbers or a mask), in their order."""
        return IndexDetections(self.quads[rows], self.scores[rows])

    @staticmethod
    def empty() -> IndexDetections:
        """No index at all."""
        return IndexDetections(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))


@dataclass(frozen=True, slots=True)
class CardOutlines:
    """Whole cards found by the coarse network.

    Attributes:
        quads: (M, 4, 2) float32, full outlines, also where other cards cover them; may leave the picture.
        scores: (M,) float32 in 0..1.
        face_up: (M,) float32, probability that the card lies face up.
    """

    quads: FloatArray
    scores: FloatArray
    face_up: FloatArray

    def __post_init__(self) -> None:
        check_shape("quads", self.quads, (None, 4, 2))
        check_shape("scores", self.scores, (len(self.quads),))
        check_shape("face_up", self.face_up, (len(self.quads),))

    def __len__(self) -> int:
        return len(self.quads)

    def take(self, rows: npt.NDArray[Any]) -> CardOutlines:
        """The chosen rows (numbers or a mask), in their order."""
        return CardOutlines(self.quads[rows], self.scores[rows], self.face_up[rows])

    @staticmethod
    def empty() -> CardOutlines:
        """No card at all."""
        zero = np.zeros(0, np.float32)
        return CardOutlines(np.zeros((0, 4, 2), np.float32), zero, zero)


@dataclass(frozen=True, slots=True)
class IndexReadings:
    """What is printed in each detected index.

    Attributes:
        symbols: (N, 24) float32 probabilities of the printed symbols, the last column "not an index".
        suits: (N, 4) float32 probabilities, C D H S.
    """

    symbols: FloatArray
    suits: FloatArray

    def __post_init__(self) -> None:
        check_shape("symbols", self.symbols, (None, N_SYMBOLS))
        check_shape("suits", self.suits, (len(self.symbols), 4))

    def __len__(self) -> int:
        return len(self.symbols)

    def take(self, rows: npt.NDArray[Any]) -> IndexReadings:
        """The chosen rows (numbers or a mask), in their order."""
        return IndexReadings(self.symbols[rows], self.suits[rows])


@dataclass(frozen=True, slots=True)
class TableCard:
    """One physical card on the table.

    Attributes:
        id: number in its reading, from 0.
        face_up: which side is seen.
        labels: (52,) float32 probabilities; the sum is at most 1, the rest is "none of them". All zero face down.
        confidence: of the label given (face up) or of being a face-down card, 0..1.
        unsure: True if the label is doubtful; then it is not an answer but the first of the alternatives.
        corners: (4, 2) float32, the card's full outline, or None where it is not known.
        covered: True if another card lies on part of it.
        indices: rows of the reading's index detections that belong to it.
    """

    id: int
    face_up: bool
    labels: FloatArray
    confidence: float
    unsure: bool = False
    corners: FloatArray | None = None
    covered: bool = False
    indices: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_shape("labels", self.labels, (N_LABELS,))
        if self.corners is not None:
            check_shape("corners", self.corners, (4, 2))
        if float(self.labels.min()) < 0 or float(self.labels.sum()) > 1.001:
            raise ShapeError(f"expected probabilities with a sum of at most 1, got a sum of {self.labels.sum():.3f}")

    @property
    def label(self) -> str | None:
        """The likeliest label, "TS"; None for a face-down card and where no guess is worth telling."""
        best = int(self.labels.argmax())
        return LABELS[best] if self.face_up and self.labels[best] >= LEAST_GUESS else None

    def alternatives(self, most: int = 3, least: float = 0.01) -> tuple[tuple[str, float], ...]:
        """Up to `most` labels with a probability of at least `least`, likeliest first."""
        order = np.argsort(-self.labels, kind="stable")[:most]
        return tuple((LABELS[int(i)], float(self.labels[i])) for i in order if self.labels[i] >= least)


class ReadingProblemKind(StrEnum):
    """What is odd about a whole picture."""

    NOTHING_FOUND = "nothing_found"
    TOO_FAR = "too_far"
    BLURRED = "blurred"
    TOO_DARK = "too_dark"
    SAME_CARD_TWICE = "same_card_twice"
    MORE_THAN_A_PACK = "more_than_a_pack"


@dataclass(frozen=True, slots=True)
class ReadingProblem:
    """One thing that is odd about a picture; the words are the assistant's.

    Attributes:
        kind: what it is.
        cards: ids of the cards concerned.
        values: figures for the message, e.g. {"has": 9.5, "needs": 14.0} (pixels of index height), {"label": "TS"}.
    """

    kind: ReadingProblemKind
    cards: tuple[int, ...] = ()
    values: Mapping[str, float | str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class TableReading:
    """All that was read from one picture.

    Attributes:
        size: width and height of the displayed picture, pixels.
        cards: one entry for each physical card, `cards[i].id == i`.
        problems: what is odd about the picture as a whole.
        alphabet: the letter set that explains the table best.
        alphabet_share: probability of that letter set.
        decks: packs that were assumed.
        index_height: median height of an index, pixels of the displayed picture; 0 if none was found.
        detections: the raw indices, in pixels of the displayed picture.
        readings: what was read in them.
        seconds: wall time of each stage.
        faint: outlines of what may be cards, too faint to count as such by themselves and without any index, in pixels
            of the displayed picture.
    """

    size: tuple[int, int]
    cards: tuple[TableCard, ...]
    problems: tuple[ReadingProblem, ...] = ()
    alphabet: str = "latin"
    alphabet_share: float = 1.0
    decks: int = 1
    index_height: float = 0.0
    detections: IndexDetections = field(default_factory=IndexDetections.empty)
    readings: IndexReadings | None = None
    seconds: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    faint: CardOutlines = field(default_factory=CardOutlines.empty)


class QuestionKind(StrEnum):
    """What the layout cannot tell by itself."""

    WHICH_CARD = "which_card"
    HOW_MANY_HIDDEN = "how_many_hidden"
    WHICH_PLACE = "which_place"
    WHICH_SIDE = "which_side"


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask the player; the words are the assistant's.

    Attributes:
        kind: what is asked.
        card: id of the card concerned, or None.
        pile: the pile concerned, or None.
        choices: possible answers, likeliest first (labels, counts or pile texts).
    """

    kind: QuestionKind
    card: int | None = None
    pile: PileId | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """One card of a pile of a `Layout`.

    Attributes:
        card: the card seen, or None for a face-down card that was only counted by its edge.
        face_up: which side is seen.
        corners: (4, 2) float32 outline or the best guess of it, or None.
    """

    card: TableCard | None
    face_up: bool
    corners: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The cards of a table put to the places of a plan.

    Attributes:
        game: of the plan.
        piles: every pile of the plan, from the covered end to the free end; empty ones too.
        strays: cards that fit to no place.
        questions: what the picture does not tell.
        spots: (4, 2) float32 outline of a card at the first place of every pile, in the picture: where an arrow to an
            empty place ends.
        quality: 0..1, how well the plan fits; below 0.5 it is most likely another patience or a heap of cards.
        mirrored: True if the groups lie in the opposite order.
        counted: for every pile that may hide some, the probability that its face-down cards are counted right.
        inferred: piles whose number of face-down cards follows from the deal and the other columns, not from sight.
        cost: of the fit; the less, the likelier among the ways to lay the same cards.
        turned: True if the player was taken to sit at the far side of the picture.
    """

    game: str
    piles: Mapping[PileId, tuple[PlacedCard, ...]]
    strays: tuple[TableCard, ...] = ()
    questions: tuple[Question, ...] = ()
    spots: Mapping[PileId, FloatArray] = field(default_factory=lambda: MappingProxyType({}))
    quality: float = 1.0
    mirrored: bool = False
    counted: Mapping[PileId, float] = field(default_factory=lambda: MappingProxyType({}))
    inferred: frozenset[PileId] = frozenset()
    cost: float = 0.0
    turned: bool = False


@dataclass(frozen=True, slots=True)
class ModelPaths:
    """Where the networks are, and the figures of the manifest that belong to them.

    Attributes:
        index: index detector, .onnx (or .pt with the detector `ultralytics`).
        classify: index classifier, .onnx.
        cards: coarse network for card outlines and backs, .onnx; None = do without.
        strips: counter of face-down cards in a column, .onnx; None = do without.
        detector: name of the detector backend, a file of `kibitz.vision.detectors`.
        index_threshold: least score of an index.
        cards_threshold: least score of an outline.
        symbol_temperature: the symbol logits are divided by it.
        suit_temperature: the suit logits are divided by it.
        strips_temperature: the logits of a column's count are divided by it.
        deck: file of a deck that `kibitz enrol` learned, or None for any deck.
    """

    index: Path
    classify: Path
    cards: Path | None = None
    strips: Path | None = None
    detector: str = "onnx"
    index_threshold: float = 0.25
    cards_threshold: float = 0.35
    symbol_temperature: float = 1.0
    suit_temperature: float = 1.0
    strips_temperature: float = 1.0
    deck: Path | None = None
