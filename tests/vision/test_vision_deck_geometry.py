"""The sizes of a deck: weak detections in court art do not set them."""

import numpy as np

from kibitz.vision import deck_geometry
from kibitz.vision.rectify import TableFrame
from kibitz.vision.types import FloatArray

KING = 12


def upright(x: float, y: float, height: float, down: int = 1) -> FloatArray:
    """An index with its middle at a point; down = -1 stands on its head."""
    w, h = height / 4 * down, height / 2 * down
    return np.asarray([[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]], np.float32)


def king_and_court_art() -> deck_geometry.IndexPoses:
    """Two clear indices 80 high at opposite corners of a king, and twenty small weak ones between, all alike."""
    quads = [upright(150, 200, 80), upright(450, 640, 80, -1)]
    quads += [upright(260 + 3 * k, 400 + 2 * k, 25, 1 if k % 2 else -1) for k in range(20)]
    labels = np.full((22, 52), 0.002, np.float32)
    labels[:2] = 0
    labels[:2, KING] = 0.99
    evidence = np.asarray([0.85, 0.84, *[0.12] * 20], np.float32)
    return deck_geometry.poses(TableFrame.identity(), np.stack(quads), labels, evidence)


def test_the_unit_is_the_height_of_clear_indices() -> None:
    assert king_and_court_art().unit == 80


def test_only_pairs_that_clearly_say_the_same_tell_the_distances() -> None:
    deck = deck_geometry.learn(king_and_court_art(), np.zeros((0, 4, 2), np.float32))
    assert deck.pairs == 1
    assert (round(deck.across, 2), round(deck.along, 2)) == (300 / 80, 440 / 80)
