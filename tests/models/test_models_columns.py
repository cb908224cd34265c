"""Rendered columns for the strip counter: as many edges as told, at the places told."""

from dataclasses import dataclass

import numpy as np
import pytest

from kibitz.models.columns import TOP_SIDE, column_crop
from kibitz.models.samples import ColumnCrop
from kibitz.models.shards import load_columns, save_columns
from kibitz.vision.strips import CROP_HEIGHT, CROP_WIDTH, MOST

TOP = np.full((TOP_SIDE, TOP_SIDE, 3), 60, np.uint8)
MASK = np.full((140, 100), 255, np.uint8)


@dataclass(frozen=True)
class ToyFace:
    image: np.ndarray
    alpha: np.ndarray
    marks: tuple[()] = ()


@dataclass(frozen=True)
class ToyDeck:
    faces: tuple[ToyFace, ...]
    extras: tuple[ToyFace, ...] = ()
    backs: tuple[tuple[np.ndarray, np.ndarray], ...] = ()


def striped() -> tuple[np.ndarray, np.ndarray]:
    """A black back with a white band along its upper edge (and, being a back, along its lower one)."""
    back = np.zeros((140, 100, 3), np.uint8)
    back[:8] = back[-8:] = 255
    return back, MASK


def crop(seed: int) -> ColumnCrop:
    white = ToyFace(np.full((140, 100, 3), 255, np.uint8), MASK)
    return column_crop(np.random.default_rng(seed), ToyDeck((white,)), striped(), TOP)


def test_one_seed_gives_one_crop() -> None:
    first, second = crop(3), crop(3)
    assert (first.picture == second.picture).all()
    assert first.count == second.count


def test_every_number_comes_and_has_so_many_edges() -> None:
    crops = [crop(seed) for seed in range(80)]
    assert {one.count for one in crops} == set(range(MOST + 1))
    for one in crops:
        assert one.picture.shape == (CROP_HEIGHT, CROP_WIDTH, 3)
        ys = one.edges[~np.isnan(one.edges)]
        assert len(ys) == one.count
        assert (np.diff(ys) > 0).all()  # far end first
        assert ((ys > -10) & (ys < CROP_HEIGHT)).all()


def test_the_bands_are_where_the_edges_are_told() -> None:
    """Just below a told edge lies the white band, half a step further the black of the back."""
    brighter = 0
    for seed in range(40):
        one = crop(seed)
        steps = np.diff([*one.edges[: one.count], CROP_HEIGHT - 17])  # there the anchor card begins, more or less
        for y, step in zip(one.edges[: one.count], steps, strict=True):
            if y < 4 or step < 12 or y + step > CROP_HEIGHT - 1:
                continue
            middle = one.picture[:, 20:44].mean(axis=(1, 2))
            brighter += 1 if middle[int(y) : int(y) + 4].max() > middle[int(y + step * 0.6)] else -1
    assert brighter > 50


def test_shards_give_back_what_was_saved(tmp_path) -> None:
    crops = [crop(seed) for seed in range(3)]
    save_columns(tmp_path / "columns-1.npz", crops)
    loaded = load_columns(tmp_path / "columns-1.npz")
    assert [one.count for one in loaded] == [one.count for one in crops]
    for one, other in zip(loaded, crops, strict=True):
        assert one.edges == pytest.approx(other.edges, nan_ok=True)
        assert np.abs(one.picture.astype(int) - other.picture).mean() < 6  # stored as JPEG
