"""The one entry to reading a picture: `Reader(paths).read(frame, decks) -> TableReading`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.engine.cards import LABELS
from kibitz.vision import (
    alphabet,
    assignment,
    cards,
    deck_geometry,
    detectors,
    geometry,
    grouping,
    quality,
    rectify,
    second_look,
    sides,
)
from kibitz.vision.classifier import Classifier
from kibitz.vision.detectors import Detector, DetectorOptions
from kibitz.vision.outlines import OutlineFinder
from kibitz.vision.strips import StripCounter
from kibitz.vision.symbols import NOT_AN_INDEX
from kibitz.vision.types import (
    ByteArray,
    CardOutlines,
    FloatArray,
    Frame,
    IndexDetections,
    IndexReadings,
    ModelPaths,
    ReadingProblem,
    ReadingProblemKind,
    TableCard,
    TableReading,
)

Decks = int | Literal["auto"]
TWICE = 0.95
"""With `decks="auto"`: a label on two cards that are both at least this sure means two decks."""
ONE_WITNESS = 0.45
"""At least one index of a sure card gives its rank so much; doubtful ones that agree may all be print of a book."""
FAINT_OVERLAP = 0.25
"""A faint outline that shares so much with a card is that card's, or its pile's."""
CLEARLY_READ = 0.97
"""A symbol and suit read with this probability are evidence of its own that there is an index."""
LOOKS = 2
"""Times that doubtful indices are read once more; a card found at the first time may explain another at the second."""
NO_INDEX = 0.95
"""Detections that the classifier rejects as surely as this are left out before grouping."""


class OutlineSource(Protocol):
    """Finds whole cards; `OutlineFinder` is the real one."""

    def find(self, frame: Frame) -> CardOutlines:
        """Outlines in pixels of the frame's picture."""
        ...


class BackCounter(Protocol):
    """Counts strips of backs; `StripCounter` is the real one."""

    def count(self, picture: ByteArray, areas: FloatArray) -> FloatArray:
        """(N, MOST + 1) probabilities of the number of backs in each quad (4, 2) of the picture."""
        ...


class Reader:
    """Reads the cards of a picture. Loading is done once; `read` may be called for every frame."""

    def __init__(self, paths: ModelPaths, options: DetectorOptions | None = None) -> None:
        """Loads the networks.

        Raises:
            DetectorError: a network or a backend cannot be loaded.
        """
        options = options or DetectorOptions()
        finder = OutlineFinder.load(paths, options.threads)
        strips = StripCounter.load(paths, options.threads)
        self._set(detectors.load(paths, options), Classifier.load(paths, options.threads), finder, strips)
        self._least_outline = paths.cards_threshold

    @classmethod
    def of_parts(
        cls,
        detector: Detector,
        reader: second_look.Reads,
        outlines: OutlineSource | None = None,
        strips: BackCounter | None = None,
    ) -> Reader:
        """A reader made of given parts, for tests and other networks."""
        self = cls.__new__(cls)
        self._set(detector, reader, outlines, strips)
        return self

    def look(self, frame: Frame) -> Callable[[FloatArray], FloatArray] | None:
        """Counts face-down cards in quads of the displayed picture, for `layout.fit`; None without such a network."""
        strips = self._strips
        if strips is None:
            return None
        return lambda areas: strips.count(frame.picture, np.asarray(areas / frame.scale, np.float32))

    def _set(
        self, detector: Detector, reader: second_look.Reads, outlines: OutlineSource | None, strips: BackCounter | None
    ) -> None:
        self._detector, self._reader, self._outlines, self._strips = detector, reader, outlines, strips
        self._least_outline = 0.0

    def read(self, frame: Frame, decks: Decks = 1) -> TableReading:
        """All cards of a picture; a bad picture gives problems, not an exception.

        Args:
            frame: the picture.
            decks: packs on the table, which limits how often a card may occur; "auto" finds out.
        """
        clock = _Clock()
        with clock.stage("outlines"):
            every = self._outlines.find(frame) if self._outlines else CardOutlines.empty()
            outlines = every.take(every.scores >= self._least_outline)
        with clock.stage("detect"):
            found = self._detector.detect(frame)
        with clock.stage("classify"):
            reading = self._reader.read(frame.picture, found.quads)
        with clock.stage("group"):
            scene = _grouped(frame, IndexDetections(reading.quads, found.scores), reading.readings, outlines)
        with clock.stage("second look"):
            for _ in range(LOOKS):
                found, readings = second_look.read_again(frame.picture, scene.look, self._reader)
                if found is scene.look.found:
                    break
                scene = _grouped(frame, found, readings, outlines)
        plane, seen, settlement = scene.look.plane, scene.cards, scene.look.letters
        found, readings = scene.look.found.take(scene.rows), scene.look.readings.take(scene.rows)
        with clock.stage("assign"):
            count = _count_decks(seen) if decks == "auto" else decks
            seen = cards.without_twins(seen) if count == 1 else seen
            table, problems = _labelled(seen, count, plane, frame.scale)
        with clock.stage("judge"):
            tall = float(np.median(geometry.heights(found.quads))) if len(found) else 0.0
            doubtful = sum(card.unsure for card in table)
            problems = quality.judge(frame.picture, tall, len(table), doubtful) + problems
        return TableReading(
            frame.size,
            tuple(table),
            tuple(problems),
            settlement.name,
            settlement.share,
            count,
            tall * frame.scale,
            IndexDetections(found.quads * np.float32(frame.scale), found.scores),
            readings,
            MappingProxyType(clock.seconds),
            _faint(every, table, frame.scale),
        )


def _faint(outlines: CardOutlines, table: list[TableCard], scale: float) -> CardOutlines:
    """The outlines that none of the cards explains, in pixels of the displayed picture."""
    quads = np.asarray(outlines.quads * np.float32(scale), np.float32)
    shown = [card.corners for card in table if card.corners is not None]
    alone = [all(geometry.iou(quad, corners) < FAINT_OVERLAP for corners in shown) for quad in quads]
    rows = np.asarray(alone, np.bool_)
    return CardOutlines(quads[rows], outlines.scores[rows], outlines.face_up[rows])


def _evidence(found: IndexDetections, readings: IndexReadings) -> FloatArray:
    """(N,) probability that there is an index: the detector's score, raised where a clear label is read."""
    evidence = found.scores * (1 - readings.symbols[:, NOT_AN_INDEX])
    symbols = readings.symbols[:, :NOT_AN_INDEX]
    clear = symbols.max(axis=1, initial=0) * readings.suits.max(axis=1, initial=0) >= CLEARLY_READ
    return np.asarray(np.where(clear, np.sqrt(evidence), evidence), np.float32)


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class _Scene:
    """The table after its detections have been grouped.

    `rows` are the detections that are no clear rejects; the members of `cards` count among these only.
    """

    look: second_look.FirstLook
    rows: npt.NDArray[np.intp]
    cards: list[cards.SeenCard]


def _grouped(frame: Frame, found: IndexDetections, readings: IndexReadings, outlines: CardOutlines) -> _Scene:
    """The letter set, the plane of the table and its physical cards."""
    rows = np.flatnonzero(readings.symbols[:, NOT_AN_INDEX] < NO_INDEX)
    kept = readings.take(rows)
    settlement = alphabet.settle(kept)
    labels = alphabet.label_probabilities(kept, settlement)
    evidence = _evidence(found.take(rows), kept)
    plane, unit, seen = _seen_cards(frame, found.quads[rows], labels, evidence, outlines)
    of_all = [replace(card, members=tuple(int(rows[m]) for m in card.members)) for card in seen]
    return _Scene(second_look.FirstLook(found, readings, plane, settlement, unit, of_all), rows, seen)


def _seen_cards(
    frame: Frame, quads: FloatArray, labels: FloatArray, evidence: FloatArray, outlines: CardOutlines
) -> tuple[rectify.TableFrame, float, list[cards.SeenCard]]:
    """The plane of the table, the height of an index in it, and its physical cards."""
    height, width = frame.picture.shape[:2]
    clear = outlines.scores >= cards.FACE_DOWN
    plane = rectify.fit_table((width, height), quads[evidence >= cards.LEAST_EVIDENCE], outlines.quads[clear])
    flat = CardOutlines(plane.flat(outlines.quads), outlines.scores, outlines.face_up)
    indices = deck_geometry.poses(plane, quads, labels, evidence)
    deck = deck_geometry.learn(indices, flat.quads[clear & (outlines.face_up >= 0.5)])
    edge = np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    faces = flat.quads[clear & (outlines.face_up >= 0.5)]
    groups = sides.settle(grouping.group(indices, deck), indices, deck, faces, plane.flat(edge))
    return plane, indices.unit, cards.collect(indices, groups, deck, flat)


def _count_decks(seen: list[cards.SeenCard]) -> int:
    """Two where at least two labels (or a third of all) are surely seen twice, else one."""
    sure = Counter(int(card.labels.argmax()) for card in seen if float(card.labels.max()) >= TWICE)
    twice = sum(1 for count in sure.values() if count > 1)
    return 2 if twice >= 2 or sum(sure.values()) > len(LABELS) else 1


def _labelled(
    seen: list[cards.SeenCard], decks: int, plane: rectify.TableFrame, scale: float
) -> tuple[list[TableCard], list[ReadingProblem]]:
    """The cards with their labels under the limit of `decks` a label, and what is odd about them."""
    rows = [k for k, card in enumerate(seen) if card.members]
    stack = np.stack([seen[k].labels for k in rows]) if rows else np.zeros((0, 52), np.float32)
    given = assignment.assign(stack, decks)
    at = {k: n for n, k in enumerate(rows)}
    table = []
    for k, card in enumerate(seen):
        corners = np.asarray(plane.back(card.corners) * scale, np.float32)
        labels, confidence, unsure = card.labels, card.evidence, card.face_up
        if k in at:
            labels = given.labels_probability[at[k]]
            unsure = bool(given.unsure[at[k]] | (card.read < ONE_WITNESS and given.labels[at[k]] >= 0))
            confidence = float(labels.max())
        labels = np.asarray(labels / max(1.0, float(labels.sum())), np.float32)
        table.append(TableCard(k, card.face_up, labels, confidence, unsure, corners, card.covered, card.members))
    return table, _oddities(given, rows, table, decks)


def _oddities(given: assignment.Assigned, rows: list[int], table: list[TableCard], decks: int) -> list[ReadingProblem]:
    problems = []
    for first, second in given.contested:
        label = LABELS[int(given.labels[first])]
        values: dict[str, float | str] = {"label": label, "has": decks + 1.0, "needs": float(decks)}
        kind = ReadingProblemKind.SAME_CARD_TWICE
        problems.append(ReadingProblem(kind, (rows[first], rows[second]), MappingProxyType(values)))
    if len(table) > 52 * decks:
        values = {"has": float(len(table)), "needs": 52.0 * decks}
        problems.append(ReadingProblem(ReadingProblemKind.MORE_THAN_A_PACK, values=MappingProxyType(values)))
    return problems
