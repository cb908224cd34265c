"""Decks: the built-in one, the cache format, finding indices, restyling, backs, table tops and things."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.models.synth.backs import draw_back
from kibitz.models.synth.clutter import clutter
from kibitz.models.synth.cut import corner_radius, outline, rounded, trim
from kibitz.models.synth.decks import (
    HELD_OUT_DECKS,
    ByteArray,
    Deck,
    DeckError,
    Face,
    IndexMark,
    deck_names,
    held_out,
    load_deck,
    save_deck,
    shrink,
)
from kibitz.models.synth.locate import find_indices
from kibitz.models.synth.pips import drawn_pips
from kibitz.models.synth.plain_deck import plain_deck
from kibitz.models.synth.restyle import restyle
from kibitz.models.synth.sources import LETTERS, SOURCES, printed_symbol
from kibitz.models.synth.textures import table_top
from kibitz.vision.symbols import ALPHABETS, SYMBOLS


@lru_cache(maxsize=32)
def styled(seed: int) -> Deck:
    """The built-in deck with the indices of this seed."""
    return restyle(plain_deck(), np.random.default_rng(seed))


def ink_share(face: Face, mark: IndexMark) -> tuple[float, float]:
    """Share of inked pixels inside the quad, and on its border line (the margin, which must be paper)."""
    height, width = face.image.shape[:2]
    inked = np.abs(face.image.astype(int) - face.image[2, width // 2].astype(int)).max(axis=2) > 60
    x0, y0 = np.round(mark.quad.min(axis=0) * (width, height)).astype(int).clip(0)
    x1, y1 = np.round(mark.quad.max(axis=0) * (width, height)).astype(int)
    inside = inked[y0:y1, x0:x1]
    border = np.concatenate([inside[0], inside[-1], inside[:, 0], inside[:, -1]])
    return float(inside.mean()), float(border.mean())


def upright(face: Face, mark: IndexMark) -> ByteArray:
    """The index cut out in its reading direction."""
    size = np.array(face.image.shape[1::-1], np.float32)
    target = np.array([[0, 0], [40, 0], [40, 64], [0, 64]], np.float32)
    matrix = cv2.getPerspectiveTransform((mark.quad * size - 0.5).astype(np.float32), target - 0.5)
    return np.asarray(cv2.warpPerspective(face.image, matrix, (40, 64)), np.uint8)


def test_the_built_in_deck_needs_no_cache(tmp_path: Path) -> None:
    assert deck_names(tmp_path) == ("plain",)
    deck = load_deck(tmp_path, "plain")
    assert [face.label for face in deck.faces] == list(range(52))
    assert {len(face.marks) for face in deck.faces} == {2}


def test_a_missing_deck_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="gather"):
        load_deck(tmp_path, "no-such-deck")


def test_a_deck_comes_back_from_the_cache_as_it_was(tmp_path: Path) -> None:
    deck = replace(plain_deck(), name="copy")
    save_deck(tmp_path / "decks" / "copy.npz", deck)
    again = load_deck(tmp_path, "copy")
    assert deck_names(tmp_path) == ("plain", "copy")
    assert again.licence == deck.licence
    assert not again.held_out
    for old, new in zip(deck.faces, again.faces, strict=True):
        assert np.array_equal(old.image, new.image)
        assert np.array_equal(old.alpha, new.alpha)
        assert old.label == new.label
        for one, two in zip(old.marks, new.marks, strict=True):
            assert (one.symbol, one.suit) == (two.symbol, two.suit)
            np.testing.assert_allclose(one.quad, two.quad, atol=1e-4)


def test_marks_check_themselves() -> None:
    with pytest.raises(DeckError, match="suit"):
        IndexMark(np.zeros((4, 2), np.float32), 0, 4)
    with pytest.raises(DeckError, match="shape"):
        IndexMark(np.zeros((4, 3), np.float32), 0, 0)


def test_held_out_decks_are_marked() -> None:
    assert len(HELD_OUT_DECKS) >= 5
    assert held_out("ar-slavic_costumes")
    assert held_out("heldout-000")
    assert not held_out("rs-000")
    assert not held_out("plain")
    known = {source.name: source for source in SOURCES}
    alphabets = [known[name].alphabet for name in HELD_OUT_DECKS]
    assert {"cyrillic", "german", "latin"} <= set(alphabets)


def test_the_letters_mean_their_ranks() -> None:
    for alphabet, letters in LETTERS.items():
        assert [ALPHABETS[alphabet][letter] for letter in letters] == [1, 11, 12, 13]
    assert SYMBOLS[printed_symbol("cyrillic", 12)] == "Д"
    assert SYMBOLS[printed_symbol("french", 13)] == "R"
    assert SYMBOLS[printed_symbol("german", 10)] == "10"


def test_indices_are_found_from_the_pictures_alone() -> None:
    """The finder must come within a few pixels of what the built-in deck knows it drew."""
    deck = plain_deck()
    found = find_indices({face.label: face.image for face in deck.faces if face.label is not None}, corners=2)
    assert sorted(found) == list(range(52))
    for face in deck.faces:
        assert face.label is not None
        for quad, mark in zip(found[face.label], face.marks, strict=True):
            assert np.abs(quad - mark.quad).max() < 0.02, face.label


def test_the_built_in_marks_land_on_ink() -> None:
    for face in plain_deck().faces:
        for mark in face.marks:
            inside, outside = ink_share(face, mark)
            assert inside > 0.2, face.label
            assert outside < 0.04, face.label


@pytest.mark.parametrize("seed", range(8))
def test_restyled_marks_land_on_ink(seed: int) -> None:
    deck = styled(seed)
    assert [face.label for face in deck.faces] == list(range(52))
    for face in deck.faces:
        assert face.label is not None
        for mark in face.marks:
            inside, outside = ink_share(face, mark)
            assert inside > 0.08, (seed, face.label, inside)
            assert outside < 0.04, (seed, face.label, outside)
            assert mark.suit == face.label // 13
            assert ALPHABETS[deck.alphabet][SYMBOLS[mark.symbol]] == face.label % 13 + 1
            assert mark.quad.min() > -0.02
            assert mark.quad.max() < 1.02


@pytest.mark.parametrize("seed", range(4))
def test_every_corner_shows_the_same_index_in_reading_direction(seed: int) -> None:
    deck = styled(seed)
    for label in (6, 22, 35, 51):
        face = deck.face(label)
        assert face is not None
        views = [upright(face, mark).astype(int) for mark in face.marks]
        assert len(views) in (2, 4)
        for view in views[1:]:
            assert np.abs(view - views[0]).mean() < 12
        turned = views[0][::-1, ::-1]
        assert np.abs(turned - views[0]).mean() > 12


def test_restyling_is_repeatable_and_varied() -> None:
    one, two = styled(5), restyle(plain_deck(), np.random.default_rng(5))
    assert all(np.array_equal(a.image, b.image) for a, b in zip(one.faces, two.faces, strict=True))
    decks = [styled(seed) for seed in range(16)]
    assert len({deck.alphabet for deck in decks}) >= 4
    assert {len(deck.faces[0].marks) for deck in decks} == {2, 4}
    heights = [float(np.ptp(deck.faces[0].marks[0].quad[:, 1])) for deck in decks]
    assert min(heights) < 0.15
    assert max(heights) > 0.25


def test_index_free_faces_are_no_cards() -> None:
    decks = [styled(seed) for seed in range(4)]
    extras = [extra for deck in decks for extra in deck.extras]
    assert len(extras) > 4
    assert all(extra.label is None and not extra.marks for extra in extras)


def test_outlines_are_cut_off_and_corners_rounded() -> None:
    card = np.full((700, 500, 4), 255, np.uint8)
    cv2.rectangle(card, (0, 0), (499, 699), (0, 0, 0, 255), 9)
    cv2.circle(card, (250, 350), 60, (0, 0, 200, 255), -1)
    assert outline(card) == pytest.approx(5 / 500, abs=0.004)
    image, alpha = trim([card])[0]
    assert image[3:-3, 0].min() > 240
    assert image[0, 3:-3].min() > 240
    assert alpha[0, 0] < 30
    assert alpha[350, 0] > 200
    assert corner_radius(rounded(700, 500, 40)) == pytest.approx(40, abs=4)


def test_shrunk_decks_keep_their_marks() -> None:
    small: Deck = shrink(plain_deck(), 200)
    assert small.faces[0].image.shape[0] == 200
    assert small.faces[0].marks == plain_deck().faces[0].marks


def test_backs_tops_and_things_need_no_cache() -> None:
    rng = np.random.default_rng(3)
    for _ in range(8):
        image, alpha = draw_back(rng, (490, 350), drawn_pips())
        assert image.shape == (490, 350, 3)
        assert alpha.shape == (490, 350)
        assert image.std() > 0
        assert table_top(rng, (120, 200), None).shape == (120, 200, 3)
        thing = clutter(rng, None)
        assert thing.shape[2] == 4
        assert (thing[..., 3] > 128).mean() > 0.01
    again = [table_top(np.random.default_rng(9), (60, 80), None) for _ in range(2)]
    assert np.array_equal(again[0], again[1])
