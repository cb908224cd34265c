"""Small scenes: deterministic, with truth that fits the picture."""

from dataclasses import dataclass

import numpy as np
import pytest

from kibitz.models.minis import MiniSpec, mini_scene, visible_share


@dataclass(frozen=True)
class ToyMark:
    quad: np.ndarray
    symbol: int
    suit: int


@dataclass(frozen=True)
class ToyFace:
    image: np.ndarray
    alpha: np.ndarray
    marks: tuple[ToyMark, ...]


@dataclass(frozen=True)
class ToyDeck:
    faces: tuple[ToyFace, ...]
    extras: tuple[ToyFace, ...]
    backs: tuple[tuple[np.ndarray, np.ndarray], ...]


def deck() -> ToyDeck:
    """One white card with a pure blue index, one grey back."""
    image = np.full((140, 100, 3), 255, np.uint8)
    image[8:36, 6:24] = (255, 0, 0)
    quad = np.array([[0.06, 8 / 140], [0.24, 8 / 140], [0.24, 36 / 140], [0.06, 36 / 140]], np.float32)
    alpha = np.full((140, 100), 255, np.uint8)
    face = ToyFace(image, alpha, (ToyMark(quad, 4, 1),))
    return ToyDeck((face,), (), ((np.full((140, 100, 3), 90, np.uint8), alpha),))


BACKGROUND = np.full((320, 320, 3), 60, np.uint8)


def test_one_seed_gives_one_picture() -> None:
    first, second = (mini_scene(np.random.default_rng(7), deck(), BACKGROUND) for _ in range(2))
    assert (first.picture == second.picture).all()
    assert (first.quads == second.quads).all()


def test_clearly_seen_indices_are_where_the_ink_is() -> None:
    checked = 0
    for seed in range(60):
        scene = mini_scene(np.random.default_rng(seed), deck(), BACKGROUND)
        for quad, visible in zip(scene.quads, scene.visible, strict=True):
            x, y = quad.mean(0).round().astype(int)
            if visible > 0.99 and 0 <= x < 320 and 0 <= y < 320:
                blue, _, red = scene.picture[y, x].astype(int)
                checked += int(blue > red)
                assert blue >= red - 12, (seed, quad)  # the lens may leave it nearly grey
    assert checked > 60


def test_face_down_cards_have_no_index() -> None:
    scene = mini_scene(np.random.default_rng(3), deck(), BACKGROUND, MiniSpec(back_share=1.0))
    assert len(scene.quads) == 0
    assert not scene.face_up.any()


@pytest.mark.parametrize(("x", "share"), [(0, 1.0), (5, 0.5), (10, 0.0), (-100, 0.0)])
def test_visible_share_counts_the_owners_pixels(x: float, share: float) -> None:
    owner = np.full((40, 40), -1, np.int16)
    owner[:, :10] = 2
    quad = np.array([[x, 5], [x + 9.9, 5], [x + 9.9, 15], [x, 15]], np.float32)
    assert visible_share(owner, 2, quad) == pytest.approx(share, abs=0.1)
