"""Truth files of real photos, and the reliability table made from them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from kibitz.models.photos import Photo, PhotosError, load_photos, visible_cards
from kibitz.models.reliability import Answer, judged, report


def test_several_corners_of_one_card_are_one_card() -> None:
    truth = {
        "cards": [{"label": "KS", "kind": "index"}, {"label": "KS", "kind": "index"}, {"label": "back", "kind": "back"}]
    }
    assert visible_cards(truth) == (Counter({"KS": 1}), True)


def test_cards_of_a_layout_are_counted_wherever_they_lie() -> None:
    layout = {"waste": ["4S"], "foundations": ["AD", "blank"], "tableau": [["back", "8D"], None, ["TS", "JOKER"]]}
    assert visible_cards({"layout": layout}) == (Counter(["4S", "AD", "8D", "TS"]), True)
    assert visible_cards({"layout": {**layout, "faces_unsure": True}})[1] is False


def _folder(tmp_path: Path) -> Path:
    for name, label in (("one__a", "QH"), ("one__b", "9?"), ("two__c", "AC")):
        (tmp_path / f"{name}.jpg").write_bytes(b"")
        truth = {"cards": [{"label": label, "kind": "card"}]}
        (tmp_path / f"{name}.json").write_text(json.dumps(truth))
    (tmp_path / "two__without_truth.jpg").write_bytes(b"")
    return tmp_path


def test_photos_are_chosen_by_their_source(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    assert [photo.path.stem for photo in load_photos(folder)] == ["one__a", "one__b", "two__c"]
    assert [photo.group for photo in load_photos(folder, without=("one",))] == ["two"]
    with pytest.raises(PhotosError, match="none that are asked for"):
        load_photos(folder, groups=("three",))
    with pytest.raises(PhotosError, match="does not contain"):
        load_photos(folder / "missing")


def test_of_two_that_claim_one_card_the_surer_is_right() -> None:
    photo = Photo(Path("x.jpg"), "x", Counter(["QH", "2C"]), True)
    answers = list(judged(photo, [("QH", 0.9, False), ("QH", 0.99, False), ("3D", 0.4, True)]))
    assert [(one.confidence, one.right) for one in answers] == [(0.99, True), (0.9, False), (0.4, False)]
    ranks = Photo(Path("x.jpg"), "x", Counter(["Q?"]), True)
    assert [one.right for one in judged(ranks, [("QS", 0.8, False)])] == [True]


def test_the_table_has_ten_bins_and_counts_what_was_given_as_sure() -> None:
    found = [Answer("a", "QH", 0.995, False, True)] * 99 + [Answer("b", "2C", 0.992, False, False)]
    found += [Answer("b", "3C", 0.55, True, True), Answer("b", "4C", 0.58, True, False)]
    lines = list(report(found))
    assert "2 photos with complete truth, 102 reported" in lines[0]
    assert len([line for line in lines if line.startswith("| 0.")]) == 10
    assert "| 0.5 to 0.6 | 2 | 0.565 | 50.00 % [9.5, 90.5] (1/2) |" in lines
    assert "Given with at least 0.99: 100 cards, wrong 1.00 % [0.2, 5.4] (1/100)." in lines
    assert lines[-1] == "- b: 2C, 0.9920"
