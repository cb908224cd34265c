"""The second look: doubtful indices beside well-read cards are put straight, the print of cards is left alone."""

import numpy as np

from kibitz.vision import geometry
from kibitz.vision.alphabet import NAMES, Settlement
from kibitz.vision.cards import SeenCard
from kibitz.vision.classifier import IndexReading
from kibitz.vision.rectify import TableFrame
from kibitz.vision.second_look import FirstLook, read_again
from kibitz.vision.symbols import NOT_AN_INDEX, SYMBOLS
from kibitz.vision.types import N_SYMBOLS, ByteArray, FloatArray, IndexDetections, IndexReadings

PICTURE = np.zeros((400, 400, 3), np.uint8)
LATIN = Settlement(np.asarray([name == "latin" for name in NAMES], np.float32))
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
CARD = np.asarray([[100, 100], [200, 100], [200, 240], [100, 240]], np.float32)
EIGHT = np.asarray([[106, 106], [121, 106], [121, 136], [106, 136]], np.float32)
COVERED = np.asarray([[106, 76], [121, 76], [121, 106], [106, 106]], np.float32)
"""Where the index of the card beneath lies, 30 px above that of the card upon it, which covers its suit."""


def turned_by(quad: FloatArray, degrees: float, size: float = 1.0) -> FloatArray:
    angle = np.radians(degrees)
    matrix = size * np.asarray([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = quad.mean(axis=0)
    return np.asarray((quad - middle) @ matrix.T + middle, np.float32)


def readings_of(rows: list[tuple[str, tuple[int, ...], float]]) -> IndexReadings:
    """For each index its symbol, its possible suits, and how surely it is an index."""
    symbols, suits = np.zeros((len(rows), N_SYMBOLS), np.float32), np.zeros((len(rows), 4), np.float32)
    for k, (symbol, possible, surely) in enumerate(rows):
        symbols[k, SYMBOLS.index(symbol)], symbols[k, NOT_AN_INDEX] = surely, 1 - surely
        suits[k, list(possible)] = 1 / len(possible)
    return IndexReadings(symbols, suits)


class NearTheTruth:
    """Reads a black jack with a covered suit, the surer the nearer a quad comes to where it is printed."""

    def __init__(self, truth: FloatArray) -> None:
        self._truth = truth

    def read(self, picture: ByteArray, quads: FloatArray) -> IndexReading:
        rows = [("J", (CLUBS, SPADES), max(0.0, geometry.iou(quad, self._truth))) for quad in quads]
        return IndexReading(quads, readings_of(rows), np.zeros(len(quads), np.bool_))

    def glance(self, picture: ByteArray, quads: FloatArray) -> IndexReadings:
        return self.read(picture, quads).readings


def first_look(quads: list[FloatArray], rows: list[tuple[str, tuple[int, ...], float]]) -> FirstLook:
    """A well-read eight of hearts whose index is row 0, and doubtful detections."""
    labels = np.zeros(52, np.float32)
    labels[HEARTS * 13 + 7] = 0.99
    card = SeenCard(CARD, True, labels, 0.95, (0,), read=0.95)
    found = IndexDetections(np.stack([EIGHT, *quads]), np.asarray([0.8, *[0.36] * len(quads)], np.float32))
    return FirstLook(found, readings_of([("8", (HEARTS,), 0.99), *rows]), TableFrame.identity(), LATIN, 30.0, [card])


def test_an_index_found_askew_is_read_upright() -> None:
    look = first_look([turned_by(COVERED, 25, 0.8)], [("J", (CLUBS, SPADES), 0.3)])
    found, readings = read_again(PICTURE, look, NearTheTruth(COVERED))
    assert geometry.iou(found.quads[1], COVERED) > 0.75
    assert readings.symbols[1, SYMBOLS.index("J")] > 0.75
    np.testing.assert_allclose(readings.suits[1], [0.5, 0, 0, 0.5])
    assert found.scores[1] == np.float32(0.6)  # the root of 0.36: two witnesses
    np.testing.assert_array_equal(found.quads[0], EIGHT)


def test_two_detections_of_one_index_become_one() -> None:
    look = first_look(
        [turned_by(COVERED, 25, 0.8), turned_by(COVERED, -20, 0.9)],
        [("J", (CLUBS, SPADES), 0.3), ("J", (CLUBS, SPADES), 0.2)],
    )
    found, readings = read_again(PICTURE, look, NearTheTruth(COVERED))
    assert len(found) == len(readings) == 2


def test_the_print_of_a_well_read_card_is_left_alone() -> None:
    pip = turned_by(np.asarray([[140, 160], [155, 160], [155, 190], [140, 190]], np.float32), 20)
    look = first_look([pip], [("J", (CLUBS, SPADES), 0.3)])
    found, _ = read_again(PICTURE, look, NearTheTruth(pip))
    np.testing.assert_array_equal(found.quads, look.found.quads)
    np.testing.assert_array_equal(found.scores, look.found.scores)


def test_what_stays_unclear_stays_as_it_was() -> None:
    look = first_look([turned_by(COVERED, 25, 0.8)], [("J", (CLUBS, SPADES), 0.3)])
    nothing_there = np.asarray([[300, 300], [315, 300], [315, 330], [300, 330]], np.float32)
    found, readings = read_again(PICTURE, look, NearTheTruth(nothing_there))
    np.testing.assert_array_equal(found.quads, look.found.quads)
    np.testing.assert_array_equal(readings.symbols, look.readings.symbols)


def test_without_a_well_read_card_there_is_nothing_to_go_by() -> None:
    look = first_look([turned_by(COVERED, 25)], [("J", (CLUBS, SPADES), 0.3)])
    alone = FirstLook(look.found, look.readings, look.plane, look.letters, look.unit, [])
    found, readings = read_again(PICTURE, alone, NearTheTruth(COVERED))
    assert found is look.found
    assert readings is look.readings
