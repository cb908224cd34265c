"""Nudges of known size on a rendered table, changes besides them, and hands that reach in."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.vision import tracking
from kibitz.vision.errors import ShapeError
from kibitz.vision.tracking import Nudge, changed_besides, changed_share, reaching_in, register, small
from kibitz.vision.types import ByteArray, FloatArray

PICTURES = Path(__file__).parents[2] / "fixtures" / "images"
RNG = np.random.default_rng(4)


@pytest.fixture(scope="module")
def table() -> ByteArray:
    picture = cv2.imread(str(PICTURES / "klondike_midgame.jpg"))
    assert picture is not None
    return np.asarray(picture, np.uint8)


def nudge_of(picture: ByteArray, turn: float, x: float, y: float, scale: float = 1.0) -> np.ndarray:  # type: ignore[type-arg]
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, scale)
    matrix[:, 2] += [x, y]
    return np.vstack([matrix, [0, 0, 1]])


def seen(picture: ByteArray, matrix: np.ndarray, light: float = 1.0) -> ByteArray:  # type: ignore[type-arg]
    """The picture after a nudge, in another light, with the camera's noise."""
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REFLECT)
    return np.clip(moved * light + RNG.normal(0, 3, moved.shape), 0, 255).astype(np.uint8)


def corners(picture: ByteArray) -> FloatArray:
    height, width = picture.shape[:2]
    return np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


KNOWN = [(0, 3, 2, 1.0), (0, 25, -14, 1.0), (2, 10, 5, 1.0), (-5, 40, 30, 1.0), (10, -60, 20, 1.05), (20, 0, 0, 1.0)]


@pytest.mark.parametrize(("turn", "x", "y", "scale"), KNOWN)
def test_a_nudge_of_known_size_is_found(table: ByteArray, turn: float, x: float, y: float, scale: float) -> None:
    """A card has been laid down meanwhile and a lamp is weaker: the movement is still right to a pixel or so."""
    matrix = nudge_of(table, turn, x, y, scale)
    later = seen(table, matrix, light=0.9)
    later[300:420, 500:590] = 240
    found = register(table, later)
    assert found is not None
    truth = cv2.perspectiveTransform(corners(table)[None].astype(np.float64), matrix)[0]
    assert np.linalg.norm(found.moved(corners(table)) - truth, axis=1).max() < 1.5
    assert found.pixels == pytest.approx(np.linalg.norm(truth - corners(table), axis=1).max(), abs=1.5)


def test_what_changed_besides_a_nudge(table: ByteArray) -> None:
    matrix = nudge_of(table, 3, 30, -20)
    only_nudged = seen(table, matrix)
    found = register(table, only_nudged)
    assert found is not None
    assert changed_share(small(table), small(only_nudged)) > 0.1
    assert changed_besides(table, only_nudged, found).mean() < 0.001
    moved = only_nudged.copy()
    moved[600:750, 300:410] = 245
    found = register(table, moved)
    assert found is not None
    mask = changed_besides(table, moved, found)
    assert 0.005 < mask.mean() < 0.03
    rows, columns = np.nonzero(mask)
    block = 1600 // 160
    assert (rows.min() * block, rows.max() * block) == (pytest.approx(600, abs=20), pytest.approx(750, abs=20))
    assert (columns.min() * block, columns.max() * block) == (pytest.approx(300, abs=20), pytest.approx(410, abs=20))


def test_the_same_picture_has_not_moved(table: ByteArray) -> None:
    found = register(table, seen(table, np.eye(3)))
    assert found is not None
    assert found.pixels < 0.5
    assert Nudge.none((1600, 900)).pixels == 0


def test_other_tables_have_no_movement_in_common(table: ByteArray) -> None:
    other = cv2.imread(str(PICTURES / "scattered.jpg"))
    assert other is not None
    resized = np.asarray(cv2.resize(other, (table.shape[1], table.shape[0])), np.uint8)
    assert register(table, resized) is None
    assert register(table, table[:, ::-1].copy()) is None
    assert register(table, table[:450]) is None


def test_a_bare_table_with_one_card_moves_by_correlation() -> None:
    first = np.full((480, 640, 3), (60, 95, 40), np.uint8)
    cv2.rectangle(first, (300, 200), (360, 285), (240, 240, 240), -1)
    second = np.roll(first, (9, 14), axis=(0, 1))
    found = register(first, second)
    assert found is not None
    assert found.moved(np.asarray([[300, 200]], np.float32))[0] == pytest.approx([314, 209], abs=1.0)


def test_two_nudges_one_after_the_other() -> None:
    first, second = Nudge(np.asarray([[1, 0, 5], [0, 1, 0], [0, 0, 1.0]]), (100, 80)), Nudge.none((100, 80))
    assert first.then(first).moved(np.asarray([[10, 10]], np.float32)).tolist() == [[20, 10]]
    assert first.then(second).pixels == 5
    with pytest.raises(ShapeError, match="turned round"):
        Nudge(np.zeros((3, 3)), (100, 80))


def test_an_arm_reaches_in_and_a_card_in_the_middle_does_not() -> None:
    mask = np.zeros((90, 160), np.bool_)
    mask[40:52, 60:70] = True
    assert reaching_in(mask) == 0
    mask[30:90, 100:120] = True
    assert reaching_in(mask) == pytest.approx(60 * 20 / (90 * 160), abs=0.01)
    assert reaching_in(np.zeros((90, 160), np.bool_)) == 0


def test_noise_and_light_are_no_change_and_a_card_is(table: ByteArray) -> None:
    plain = small(table)
    assert plain.shape == (90, 160)
    assert changed_share(plain, small(seen(table, np.eye(3)))) == 0
    brighter = np.clip(table.astype(np.int16) + 12, 0, 255).astype(np.uint8)
    assert changed_share(plain, small(brighter)) < 0.002
    laid = table.copy()
    laid[600:720, 700:790] = 245
    assert changed_share(plain, small(laid)) > 0.003
    assert changed_share(plain, plain[:45]) == 1.0
    assert tracking.STEP > 3
