"""An odd deck from photo to reading: nothing is read rightly before it was learned, nearly all afterwards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kibitz.engine.cards import LABELS
from kibitz.models.odd_decks import FIGURES, OddDeckError, odd_deck
from kibitz.models.registry import model_paths
from kibitz.models.synth.plain_deck import plain_deck
from kibitz.vision.detectors import DetectorOptions
from kibitz.vision.enrol import learn
from kibitz.vision.enrolment import EnrolmentError
from kibitz.vision.enrolment_file import save
from kibitz.vision.enrolment_photos import parse_order
from kibitz.vision.pipeline import Reader
from kibitz.vision.types import Frame

ORDER = "AC-7C AD-7D"


def _photo(labels: list[int], light: float = 1.0) -> Frame:
    """The cards of the strokes deck, seven in a row."""
    deck = odd_deck("strokes", plain_deck())
    picture = np.full((60 + 540 * -(-len(labels) // 7), 60 + 400 * 7, 3), (60, 90, 40), np.uint8)
    for number, label in enumerate(labels):
        face = deck.face(label)
        assert face is not None
        x, y = 40 + 400 * (number % 7), 40 + 540 * (number // 7)
        place = picture[y : y + 504, x : x + 360]
        place[:] = np.where(face.alpha[..., None] > 127, face.image, place)
    return Frame(np.asarray(picture * light, np.uint8), name="photo")


def test_every_kind_prints_other_indices_on_every_card() -> None:
    plain = plain_deck()
    for name in FIGURES:
        deck = odd_deck(name, plain)
        changed = sum(not np.array_equal(a.image, b.image) for a, b in zip(deck.faces, plain.faces, strict=True))
        assert changed == 52
    with pytest.raises(OddDeckError, match="strokes"):
        odd_deck("none", plain)


def test_a_learned_deck_is_read(tmp_path: Path) -> None:
    paths, order = model_paths(), parse_order(ORDER)
    found = learn(paths, [_photo(list(order))], order, threads=1)
    assert found.cards == 14
    assert found.known < 0.3
    save(tmp_path / "odd.npz", found.deck)
    shuffled = np.random.default_rng(3).permutation(order).tolist()
    table = _photo(shuffled, light=0.7)
    options = DetectorOptions(threads=1)
    after = Reader(replace(paths, deck=tmp_path / "odd.npz"), options).read(table)
    assert {card.label for card in after.cards if not card.unsure} == {LABELS[label] for label in order}
    before = Reader(paths, options).read(table)
    right = {card.label for card in before.cards if not card.unsure} & {LABELS[label] for label in order}
    assert len(right) < 7
    # Where another network learned it, the deck is learned again from its prints.
    save(tmp_path / "old.npz", replace(found.deck, network="another"))
    again = Reader(replace(paths, deck=tmp_path / "old.npz"), options).read(table)
    assert [card.label for card in again.cards] == [card.label for card in after.cards]


def test_another_number_of_cards_than_told_is_an_error() -> None:
    order = parse_order(ORDER)
    with pytest.raises(EnrolmentError, match=r"expected 14 cards.*photo: 7 \(row by row\)"):
        learn(model_paths(), [_photo(list(order)[:7])], order, threads=1)
