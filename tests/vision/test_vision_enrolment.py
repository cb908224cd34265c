"""Learning a deck: the order told, cards found on photos, the learned layer, and its file."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.engine.cards import LABELS
from kibitz.vision.enrolment import EnrolmentError, Heads, Prints, fit, try_out
from kibitz.vision.enrolment_file import LearnedDeck, load, save
from kibitz.vision.enrolment_photos import NO_CARD, LaidCard, laid_rows, matched, parse_order, prints_of
from kibitz.vision.errors import DetectorError
from kibitz.vision.features import with_features
from kibitz.vision.symbols import NOT_AN_INDEX
from kibitz.vision.types import CardOutlines, Frame, IndexDetections, IndexReadings


def _names(order: tuple[int, ...]) -> list[str]:
    return ["X" if label == NO_CARD else LABELS[label] for label in order]


def test_order_is_told_card_by_card_or_in_runs() -> None:
    assert _names(parse_order("AC 10d, KS-JS;x")) == ["AC", "TD", "KS", "QS", "JS", "X"]
    assert parse_order(None) == tuple(range(52))


@pytest.mark.parametrize(
    ("text", "kind"),
    [("AC 1D", "no-card"), ("AC-KD", "no-card"), ("AC 2D AC", "card-twice"), ("AC-KC", "too-few-cards")],
)
def test_wrong_orders_are_named(text: str, kind: str) -> None:
    with pytest.raises(EnrolmentError) as caught:
        parse_order(text)
    assert caught.value.kind == kind


def _photo(columns: int, rows: int, index: tuple[float, float] = (12, 30)) -> tuple[IndexDetections, CardOutlines]:
    """Cards of 100 x 140 pixels, 110 and 160 apart; an index at the upper left and upside down at the lower right."""
    quads, outlines = [], []
    width, height = index
    for row in range(rows):
        for column in range(columns):
            x, y = 20 + 110 * column, 20 + 160 * row
            outlines.append([[x, y], [x + 100, y], [x + 100, y + 140], [x, y + 140]])
            first = np.asarray([[0, 0], [width, 0], [width, height], [0, height]]) + np.asarray([x + 5, y + 6])
            quads += [first, np.asarray([2 * x + 100, 2 * y + 140]) - first]
    found = IndexDetections(np.asarray(quads, np.float32), np.full(len(quads), 0.9, np.float32))
    count = len(outlines)
    faces = CardOutlines(np.asarray(outlines, np.float32), np.full(count, 0.9, np.float32), np.ones(count, np.float32))
    order = np.random.default_rng(1).permutation(count)
    return found, faces.take(order)


FRAME = Frame(np.full((700, 700, 3), 200, np.uint8), name="photo.jpg")


def test_cards_are_found_row_by_row_whatever_the_order_of_detection() -> None:
    rows = laid_rows(FRAME, *_photo(4, 3))
    assert [[card.middle.round().tolist() for card in row] for row in rows] == [
        [[70 + 110 * c, 90 + 160 * r] for c in range(4)] for r in range(3)
    ]
    assert {len(card.quads) for row in rows for card in row} == {2}


def test_an_index_that_was_found_the_wrong_way_up_is_turned() -> None:
    found, faces = _photo(2, 1)
    wrong = IndexDetections(np.roll(found.quads, 2, axis=1), found.scores)
    right = laid_rows(FRAME, found, faces)[0][0].quads
    assert np.allclose(laid_rows(FRAME, wrong, faces)[0][0].quads, right)


def test_a_sign_in_the_middle_of_a_card_is_no_index() -> None:
    found, faces = _photo(3, 1)
    sign = np.asarray([[[60, 80], [72, 80], [72, 110], [60, 110]]], np.float32)
    more = IndexDetections(np.concatenate([found.quads, sign]), np.append(found.scores, np.float32(1)))
    assert [len(card.quads) for card in laid_rows(FRAME, more, faces)[0]] == [2, 2, 2]


def test_photos_that_cannot_be_used_are_told_apart() -> None:
    for photo, kind in (
        ((IndexDetections.empty(), CardOutlines.empty()), "no-cards"),
        (_photo(3, 2, index=(5, 12)), "too-small"),
    ):
        with pytest.raises(EnrolmentError) as caught:
            laid_rows(FRAME, *photo)
        assert caught.value.kind == kind
    found, faces = _photo(2, 2)
    aside = np.asarray([[0, 1], [-1, 0]], np.float32)
    turned = IndexDetections(np.asarray(found.quads @ aside + [0, 700], np.float32), found.scores)
    lying = CardOutlines(np.asarray(faces.quads @ aside + [0, 700], np.float32), faces.scores, faces.face_up)
    with pytest.raises(EnrolmentError) as caught:
        laid_rows(FRAME, turned, lying)
    assert caught.value.kind == "sideways"


def test_the_order_goes_on_from_photo_to_photo_or_is_the_same_on_each() -> None:
    rows = laid_rows(FRAME, *_photo(3, 1))
    assert matched([1, 2, 3, 4, 5, 6], [("a", rows), ("b", rows)]) == [[1, 2, 3], [4, 5, 6]]
    assert matched([1, 2, 3], [("a", rows), ("b", rows)]) == [[1, 2, 3], [1, 2, 3]]
    with pytest.raises(EnrolmentError, match=r"expected 5 cards.*a: 3; b: 3 \(row by row\)"):
        matched([1, 2, 3, 4, 5], [("a", rows), ("b", rows)])


def test_a_joker_is_learned_as_being_no_card() -> None:
    quads = np.asarray([[[5, 6], [17, 6], [17, 36], [5, 36]]], np.float32)
    outline = np.asarray([[0, 0], [100, 0], [100, 140], [0, 140]], np.float32)
    cards = [LaidCard(np.asarray([50, 70], np.float32), quads, outline)] * 2
    prints = prints_of(FRAME, cards, [7, NO_CARD])
    assert prints.labels.tolist() == [7]
    assert len(prints.others) == 2 * 8 + 1


def _drawn() -> Prints:
    """Eight cards of two suits and four ranks, each printed twice: bars for the rank, a black or red spot below."""
    crops, labels = [], []
    for suit in (1, 3):
        for rank in range(4):
            crop = np.full((64, 40, 3), 235, np.uint8)
            for bar in range(rank + 1):
                cv2.line(crop, (8 + 7 * bar, 10), (8 + 7 * bar, 30), (0, 0, 0), 3)
            cv2.circle(crop, (20, 46), 9, (30, 30, 200) if suit == 1 else (0, 0, 0), -1)
            crops += [crop, np.clip(crop.astype(int) - 15, 0, 255).astype(np.uint8)]
            labels += [13 * suit + rank] * 2
    others = np.full((6, 64, 40, 3), 235, np.uint8)
    return Prints(np.stack(crops), np.asarray(labels, np.int64), others)


def _thumbnails(crops: np.ndarray) -> np.ndarray:
    return np.stack([cv2.resize(crop, (10, 16), interpolation=cv2.INTER_AREA).ravel() for crop in crops]) / np.float32(
        255
    )


def test_the_layer_tells_prints_apart_and_what_is_upside_down() -> None:
    prints = _drawn()
    heads = fit(prints, _thumbnails)
    own = IndexReadings(np.full((16, 24), 1 / 24, np.float32), np.full((16, 4), 0.25, np.float32))
    read = heads.readings(_thumbnails(prints.crops), own)
    assert (read.symbols.argmax(axis=1) == prints.labels % 13).all()
    assert (read.suits.argmax(axis=1) == prints.labels // 13).all()
    over = heads.readings(_thumbnails(prints.crops[:, ::-1, ::-1]), own)
    assert (over.symbols.argmax(axis=1) == NOT_AN_INDEX).all()
    absent = np.delete(np.arange(13), range(4))
    assert float(read.symbols[:, absent].max()) == 0.0  # ranks that nobody laid out are never read


def test_the_trial_asks_only_for_prints_that_were_set_aside() -> None:
    trial = try_out(_drawn(), _thumbnails)
    assert trial.total == 16
    assert trial.right >= 14
    once = _drawn()
    assert try_out(once.take(np.arange(16) % 2 == 0), _thumbnails).total == 0


def test_a_deck_comes_back_from_its_file(tmp_path: Path) -> None:
    prints = _drawn()
    deck = LearnedDeck(prints, Heads(np.ones((481, 27), np.float32), np.ones((481, 4), np.float32)), "abc")
    save(tmp_path / "new" / "mine.npz", deck)
    again = load(tmp_path / "new" / "mine.npz")
    assert again.network == "abc"
    assert again.heads.temperatures == deck.heads.temperatures
    assert (again.prints.crops == prints.crops).all()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["mine.npz"]


def test_damaged_and_missing_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(EnrolmentError, match="found none; learn it with kibitz enrol"):
        load(tmp_path / "none.npz")
    prints = _drawn()
    path = tmp_path / "mine.npz"
    save(path, LearnedDeck(prints, Heads(np.ones((481, 27), np.float32), np.ones((481, 4), np.float32)), "abc"))
    whole = path.read_bytes()
    for damage in (whole[:2000], b"hello", whole[:300] + b"\0" * 40 + whole[340:]):
        path.write_bytes(damage)
        with pytest.raises(EnrolmentError) as caught:
            load(path)
        assert caught.value.kind == "damaged"
    broken = Heads(np.full((481, 27), np.nan, np.float32), np.ones((481, 4), np.float32))
    save(path, LearnedDeck(prints, broken, "abc"))
    with pytest.raises(EnrolmentError, match="numbers that are none"):
        load(path)


def test_only_a_classifier_has_features() -> None:
    with pytest.raises(DetectorError, match="none of our classifiers"):
        with_features(b"")
    with pytest.raises(DetectorError):
        with_features(b"\xff\xff\xff")
