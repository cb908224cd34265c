"""The shipped pictures and their truth belong together."""

import json
from pathlib import Path

import cv2
import pytest

from kibitz.models.synth.fixtures import LARGEST, specs

IMAGES = Path(__file__).parents[3] / "fixtures" / "images"


@pytest.mark.parametrize("name", sorted(specs()))
def test_picture_and_truth_agree(name):
    picture = cv2.imread(str(IMAGES / f"{name}.jpg"))
    truth = json.loads((IMAGES / f"{name}.json").read_text(encoding="utf-8"))
    assert list(picture.shape[1::-1]) == truth["size"]
    assert (IMAGES / f"{name}.jpg").stat().st_size <= LARGEST
    seed, spec = specs()[name]
    assert truth["seed"] == seed
    assert truth["layout"]["game"] == spec.table.kind.value
    if spec.position:
        assert len(truth["cards"]) == sum(len(cards) for _, cards in spec.position)


def test_unsettled_table_has_a_bared_card_face_down():
    truth = json.loads((IMAGES / "klondike_unsettled.json").read_text(encoding="utf-8"))
    assert any(column and column[-1] == "back" for column in truth["layout"]["tableau"])


def test_no_cards_means_no_cards():
    assert json.loads((IMAGES / "no_cards.json").read_text(encoding="utf-8"))["cards"] == []
