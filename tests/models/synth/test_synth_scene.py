"""A seed and a spec give one picture, and the truth is where the print is."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.engine.cards import LABELS
from kibitz.models.synth.camera import aim
from kibitz.models.synth.scene import render_scene
from kibitz.models.synth.spec import (
    SCORE_SEED,
    CameraSpec,
    DeckChoice,
    Kind,
    LightSpec,
    PhotoSpec,
    SceneSpec,
    SpecError,
    TableSpec,
    random_spec,
    score_specs,
)  # fmt: skip
from kibitz.vision.symbols import SYMBOLS

PLAIN = DeckChoice("plain")
CLEAN = PhotoSpec(paper=(250, 250, 250), veil=0, contrast=0, defocus=0, noise=0, sharpen=0, jpeg=100, vignette=0)
EVEN = LightSpec(gradient=0, contact=0.2)
FLAT = TableSpec(Kind.KLONDIKE, crook=0, jitter=0, bent=0, drawn_top=True)
ABOVE = CameraSpec(800, 600, tilt=0, fill=0.9)
DEAL = (
    ("stock", ("As", "4d")),
    ("waste", ("7H",)),
    ("foundations/0", ("AC", "2C")),
    ("tableau/0", ("KD", "QC", "JD")),
    ("tableau/1", ("5s", "6h", "9S")),
)
SCENE = SceneSpec(FLAT, ABOVE, EVEN, CLEAN, PLAIN, position=DEAL)


@pytest.fixture(scope="module")
def scene():
    return render_scene(5, SCENE)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not():
    spec = random_spec(np.random.default_rng(3), PLAIN)
    spec = replace(spec, camera=replace(spec.camera, width=320, height=240))
    first, again, other = (render_scene(seed, spec).picture for seed in (7, 7, 8))
    assert first.shape == (240, 320, 3)
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()


def test_layout_is_the_position_that_was_asked_for(scene):
    assert scene.layout["game"] == "klondike"
    assert scene.layout["stock"] == ["back", "back"]
    assert scene.layout["waste"] == ["7H"]
    assert scene.layout["foundations"] == ["2C"]
    assert scene.layout["tableau"] == [["KD", "QC", "JD"], ["back", "back", "9S"]]
    assert scene.piles["tableau"][1] == [
        {"label": None, "face_up": False}, {"label": None, "face_up": False}, {"label": "9S", "face_up": True},
    ]  # fmt: skip


def test_covered_cards_show_as_much_as_the_step_leaves(scene):
    cards = {LABELS[card.label]: card for card in scene.cards}
    assert cards["JD"].visible > 0.98
    assert cards["QC"].visible == pytest.approx(FLAT.step, abs=0.03)
    assert cards["6H"].visible == pytest.approx(FLAT.back_step, abs=0.03)
    assert not cards["6H"].face_up
    assert cards["AC"].visible < 0.05  # under the two of clubs
    assert (cards["QC"].pile, cards["QC"].order) == ("tableau/0", 1)


def test_index_quads_lie_on_dark_print_and_face_the_reader(scene):
    whole = [index for index in scene.indices if index.visible > 0.95]
    # Two of every uncovered card, and the upper one of each covered card in the columns.
    assert Counter(LABELS[index.label] for index in whole) == {"7H": 2, "2C": 2, "JD": 2, "9S": 2, "KD": 1, "QC": 1}
    target = np.array([[0, 0], [39, 0], [39, 63], [0, 63]], np.float32)
    for index in whole:
        crop = cv2.warpPerspective(scene.picture, cv2.getPerspectiveTransform(index.quad, target), (40, 64))
        inked = crop.min(axis=2) < 150
        assert 0.15 < inked.mean() < 0.8
        assert inked[:6].any()
        assert inked[-6:].any()
        assert (
            SYMBOLS[index.symbol]
            == {"7H": "7", "2C": "2", "JD": "J", "9S": "9", "KD": "K", "QC": "Q"}[LABELS[index.label]]
        )
        assert index.suit == index.label // 13


def test_hidden_index_is_said_to_be_hidden(scene):
    bottom = [index for index in scene.indices if LABELS[index.label] == "KD"]
    assert sorted(round(index.visible) for index in bottom) == [0, 1]


def test_opposite_camera_turns_the_cards_round():
    turned = render_scene(5, replace(SCENE, camera=replace(ABOVE, azimuth=180)))
    jack = next(card for card in turned.cards if card.label == LABELS.index("JD"))
    assert jack.corners[0, 1] > jack.corners[3, 1]
    assert jack.corners[0, 0] > jack.corners[1, 0]


def test_lens_moves_points_and_back():
    points = np.array([[x, y, 0.0] for x in (-200, 200) for y in (-150, 150)])
    camera = aim(CameraSpec(640, 480, barrel=0.12, fill=0.9), points, (640, 480))
    seen = camera.project(points)
    assert np.abs(camera.undistort(camera.distort(seen)) - seen).max() < 0.01
    span = seen.max(axis=0) - seen.min(axis=0)
    assert max(span / [640, 480]) == pytest.approx(0.9, abs=0.01)


def test_card_cut_by_the_edge_is_partly_visible():
    cut = render_scene(2, replace(SCENE, camera=replace(ABOVE, fill=1.4)))
    outside = [c for c in cut.cards if (c.corners.min() < -20 or (c.corners.max(axis=0) > [820, 620]).any())]
    assert outside
    assert all(card.visible < 0.98 for card in outside)


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_table_renders(kind):
    spec = SceneSpec(
        TableSpec(kind, count=5, progress=0.6, clutter=1, hands=1), CameraSpec(320, 240, tilt=30), deck=PLAIN
    )
    scene = render_scene(1, spec)
    assert scene.picture.shape == (240, 320, 3)
    assert all(0 <= card.visible <= 1 for card in scene.cards)
    assert bool(scene.cards) == (kind is not Kind.EMPTY)
    assert scene.layout["game"] == kind.value


def test_scoring_set_is_frozen_and_uses_only_kept_out_decks():
    pairs = score_specs(12)
    assert pairs == score_specs(12)
    assert [seed for seed, _ in pairs] == list(range(SCORE_SEED, SCORE_SEED + 12))
    assert all(spec.held_out for _, spec in pairs)
    assert {spec.table.kind for _, spec in pairs} == set(list(Kind)[:6])


def test_impossible_spec_is_refused():
    with pytest.raises(SpecError, match="tilt"):
        CameraSpec(tilt=80)
    with pytest.raises(SpecError, match="card height"):
        TableSpec(card_height=5)
