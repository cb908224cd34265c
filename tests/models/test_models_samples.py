"""Cutting training pieces out of a picture with truth, checked on numbers that can be followed by hand."""

import numpy as np
import pytest

from kibitz.models.augment import cut_crop, move
from kibitz.models.dataset import false_patches, true_patches
from kibitz.models.samples import (
    QuadPicture,
    Truth,
    bounds,
    coarse_picture,
    covered_suit,
    index_patch,
    index_tile,
    quad_heights,
    warp_points,
)
from kibitz.vision.symbols import NOT_AN_INDEX


def quad(x: float, y: float, width: float, height: float) -> np.ndarray:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def truth(quads: list[np.ndarray], visible: list[float], size: tuple[int, int] = (400, 800)) -> Truth:
    picture = np.full((*size, 3), 200, np.uint8)
    for one in quads:
        x, y = one[0].astype(int)
        picture[y : y + 10, x : x + 10] = (0, 0, 255)  # red in the top left of every index
    count = len(quads)
    return Truth(
        picture,
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.full(count, 3, np.int64),
        np.full(count, 2, np.int64),
        np.array(visible, np.float32),
        np.array([quad(100, 50, 50, 70), quad(200, 50, 50, 70)], np.float32),
        np.array([[100, 50, 150, 120], [200, 50, 250, 52]], np.float32),
        np.array([True, False]),
        np.array([1.0, 0.03], np.float32),
    )


def test_bounds_of_a_turned_square() -> None:
    diamond = np.array([[[5, 0], [10, 5], [5, 10], [0, 5]]], np.float32)
    assert bounds(diamond).tolist() == [[0, 0, 10, 10]]


def test_height_is_along_the_reading_direction() -> None:
    assert quad_heights(np.array([quad(0, 0, 20, 34)])).tolist() == [34]
    lying = np.roll(quad(0, 0, 34, 20), 1, axis=0)  # its top is the picture's left side
    assert quad_heights(lying[None]).tolist() == [34]


def test_warp_points_divides_by_the_third_coordinate() -> None:
    matrix = np.array([[1, 0, 2], [0, 1, 4], [0, 0, 2.0]])
    assert warp_points(matrix, np.array([[2.0, 2.0]], np.float32)).tolist() == [[2, 3]]


def test_tile_moves_and_scales_the_truth() -> None:
    tile = index_tile(truth([quad(100, 60, 20, 30)], [1.0]), (80, 40), 2.0)
    assert tile.picture.shape == (320, 320, 3)
    assert tile.quads[0].tolist() == [[40, 40], [80, 40], [80, 100], [40, 100]]
    assert tile.picture[45, 45].tolist() == [0, 0, 255]


@pytest.mark.parametrize(
    ("where", "visible"),
    [((100, 60, 20, 30), 0.5), ((305, 60, 20, 30), 1.0), ((100, 60, 5, 8), 1.0)],
    ids=["hidden", "cut", "tiny"],
)
def test_doubtful_indices_are_ignored_not_wanted(where: tuple[int, int, int, int], visible: float) -> None:
    tile = index_tile(truth([quad(*where)], [visible]), (0, 0), 1.0)
    assert len(tile.quads) == 0
    assert len(tile.ignore) == 1


def test_coarse_picture_halves_an_800_wide_table_to_640_and_ignores_nearly_hidden_cards() -> None:
    coarse = coarse_picture(truth([], []))
    assert coarse.quads[0].tolist() == quad(80, 40, 40, 56).tolist()
    assert coarse.classes.tolist() == [0]
    assert coarse.ignore.tolist() == [pytest.approx([160, 40, 200, 41.6])]
    assert coarse.picture[600, 10].tolist() == [114, 114, 114]


def test_a_patch_stands_upright_also_for_an_index_that_lies() -> None:
    lying = np.roll(quad(100, 60, 45, 30), -1, axis=0)  # top left in the picture's top right
    scene = truth([], [])
    scene.picture[60:75, 130:145] = (255, 0, 0)
    crop = cut_crop(index_patch(scene.picture, lying), None)
    assert crop.shape == (64, 40, 3)
    assert crop[10, 8].tolist() == [255, 0, 0]
    assert crop[50, 30].tolist() == [200, 200, 200]


def test_a_quarter_turn_turns_picture_and_truth_alike() -> None:
    scene = truth([quad(100, 60, 20, 30)], [1.0])
    tile = index_tile(scene, (0, 0), 1.0)
    for seed in range(8):
        moved = move(tile, np.random.default_rng(seed), (1.0, 1.0001), 0.85)
        top_left = moved.quads[0][0]
        inside = moved.quads[0].mean(0) * 0.3 + top_left * 0.7
        x, y = inside.round().astype(int)
        assert moved.picture[y, x].tolist() == [0, 0, 255], seed


def test_what_leaves_the_square_becomes_a_region_to_ignore() -> None:
    one = QuadPicture(
        np.zeros((320, 320, 3), np.uint8),
        quad(0, 0, 20, 30)[None],
        np.array([[0, 0, 20, 30]], np.float32),
        np.zeros(1, np.int64),
        np.zeros((0, 4), np.float32),
    )
    moved = [move(one, np.random.default_rng(seed), (1.3, 1.3001), 0.85) for seed in range(12)]
    assert any(len(m.quads) == 0 and len(m.ignore) == 1 for m in moved)


def test_only_clear_indices_are_positive_patches() -> None:
    rng = np.random.default_rng(0)
    scene = truth([quad(100, 60, 20, 30), quad(200, 60, 20, 30), quad(300, 60, 20, 30)], [1.0, 0.6, 0.1])
    labels = sorted({symbol for _ in range(10) for _, symbol, _, _ in true_patches(scene, 9, rng)})
    assert labels == [3, 23]


def test_false_patches_stay_away_from_indices() -> None:
    scene = truth([quad(300, 150, 40, 60)], [1.0])
    patches = list(false_patches(scene, 200, np.random.default_rng(1)))
    assert len(patches) > 50
    assert {symbol for _, symbol, _, _ in patches} == {23}


def test_a_hidden_index_right_under_a_seen_one_is_no_negative() -> None:
    scene = truth([quad(100, 60, 20, 30), quad(101, 60, 20, 30)], [1.0, 0.0])
    rng = np.random.default_rng(0)
    assert {symbol for _ in range(20) for _, symbol, _, _ in true_patches(scene, 9, rng)} == {3}


def test_a_rank_whose_suit_is_covered_is_wanted_and_a_jokers_corner_is_not() -> None:
    made = truth([quad(100, 100, 20, 34), quad(200, 100, 20, 34), quad(300, 100, 20, 34)], [0.55, 0.55, 1.0])
    made.suits[0], made.symbols[2], made.suits[2] = covered_suit(1), NOT_AN_INDEX, -1
    tile = index_tile(made, (50, 50), 1.0)
    assert tile.boxes.tolist() == [[50, 50, 70, 84]]  # only the first: its rank is seen whole
    assert tile.ignore.tolist() == [[150, 50, 170, 84]]  # half covered, nobody knows; the joker is plain background
    patches = list(true_patches(made, 9, np.random.default_rng(0)))
    assert sorted((symbol, suit) for _, symbol, suit, _ in patches) == [(3, -3), (NOT_AN_INDEX, -1)]
    assert [-2 - covered_suit(suit) for suit in range(4)] == [0, 1, 2, 3]
