"""Decoding, matching, calibration: small cases with known answers."""

import numpy as np
import pytest

from kibitz.models.samples import QuadPicture
from kibitz.models.scoring import Found, QuadTally, best_temperature, calibration, decode, softmax


def quad(x: float, y: float, width: float = 20, height: float = 30) -> np.ndarray:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def picture(*quads: np.ndarray, ignore: tuple[tuple[float, ...], ...] = ()) -> QuadPicture:
    stacked = np.array(quads, np.float32).reshape(-1, 4, 2)
    boxes = np.concatenate([stacked.min(1), stacked.max(1)], 1)
    zeros = np.zeros(len(quads), np.int64)
    silent = np.array(ignore, np.float32).reshape(-1, 4)
    return QuadPicture(np.zeros((8, 8, 3), np.uint8), stacked, boxes, zeros, silent)


def found(*quads: np.ndarray, scores: tuple[float, ...]) -> Found:
    return Found(np.array(quads, np.float32), np.array(scores, np.float32), np.zeros(len(quads), np.int64))


def test_decode_keeps_the_better_of_two_boxes_on_one_place() -> None:
    column = np.concatenate([[30, 40, 20, 30], [0.9], quad(20, 25).ravel()])
    weaker = np.concatenate([[31, 41, 20, 30], [0.6], quad(21, 26).ravel()])
    nothing = np.concatenate([[200, 40, 20, 30], [0.1], quad(190, 25).ravel()])
    got = decode(np.stack([column, weaker, nothing], 1), 1, 0.3)
    assert got.scores.tolist() == [pytest.approx(0.9)]
    assert got.quads[0].tolist() == quad(20, 25).tolist()


def test_recall_and_precision_are_counts() -> None:
    tally = QuadTally()
    tally.add(found(quad(10, 10), quad(100, 100), scores=(0.9, 0.8)), picture(quad(11, 10), quad(50, 50)))
    assert tally.figures((0.5,)) == {
        "recall@0.5": 0.5,
        "precision@0.5": 0.5,
        "corner_error": pytest.approx(1 / 30, abs=1e-3),
        "corner_error_95": pytest.approx(1 / 30, abs=1e-3),
    }


def test_upside_down_is_wrong_for_an_index_and_right_for_a_card() -> None:
    turned = np.roll(quad(10, 10), 2, axis=0)
    for half_turn, recall in ((False, 0.0), (True, 1.0)):
        tally = QuadTally(half_turn)
        tally.add(found(turned, scores=(0.9,)), picture(quad(10, 10)))
        assert tally.figures((0.5,))["recall@0.5"] == recall


def test_finds_in_ignored_regions_do_not_count() -> None:
    tally = QuadTally()
    tally.add(found(quad(10, 10), scores=(0.9,)), picture(ignore=((0, 0, 50, 50),)))
    assert tally.scores == []


def test_one_truth_is_found_once() -> None:
    tally = QuadTally()
    tally.add(found(quad(10, 10), quad(11, 10), scores=(0.9, 0.8)), picture(quad(10, 10)))
    assert tally.right == [True, False]


def test_calibration_counts_by_confidence() -> None:
    rows = calibration(np.array([0.95, 0.91, 0.15], np.float32), np.array([True, False, True]))
    assert rows == [(pytest.approx(0.15), 1.0, 1), (pytest.approx(0.93), 0.5, 2)]


def test_temperature_of_logits_that_are_twice_too_sure_is_two() -> None:
    rng = np.random.default_rng(0)
    honest = rng.normal(0, 2, (4000, 4)).astype(np.float32)
    truth = np.array([rng.choice(4, p=row / row.sum()) for row in softmax(honest).astype(np.float64)])
    assert best_temperature(honest * 2, truth) == pytest.approx(2.0, rel=0.1)
