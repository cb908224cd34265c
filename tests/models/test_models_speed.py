"""Timing: sizes, stages, what is compared."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.engine.registry import get_rules
from kibitz.models.speed import fitted, measure, plain_detector, table
from kibitz.vision.errors import DetectorError
from kibitz.vision.fakes import FakeTable, LaidCard
from kibitz.vision.types import Frame


def test_a_picture_is_brought_to_a_size_without_being_stretched() -> None:
    picture = np.zeros((50, 100, 3), np.uint8)
    picture[:, 50:] = 255
    wide = fitted(picture, (200, 200))
    assert wide.shape == (200, 200, 3)
    assert wide[100, 20].tolist() == [0, 0, 0]
    assert wide[5, 180].tolist() == [255, 255, 255]  # the edge drawn out


def test_every_stage_of_every_reader_is_timed_in_turn(tmp_path: Path) -> None:
    image = tmp_path / "table.png"
    cv2.imwrite(str(image), np.full((360, 640, 3), 90, np.uint8))
    reader = FakeTable([LaidCard("7H", 200, 150), LaidCard("KS", 300, 150)]).reader()
    looked: list[Frame] = []
    rows = list(
        measure(image, [(640, 360)], {"fake": (reader, get_rules("klondike").plan())}, {"other": looked.append}, 3)
    )
    assert [(row.who, row.cards, row.rounds) for row in rows] == [("fake", 2, 3), ("other", None, 3)]
    assert {"decode", "index", "classify", "cards", "assignment", "read", "layout", "all"} <= set(rows[0].milliseconds)
    parts = [value for stage, value in rows[0].milliseconds.items() if stage not in ("read", "all")]
    assert sum(parts) == pytest.approx(rows[0].milliseconds["all"], rel=0.5, abs=1)
    assert len(looked) == 4  # the first round does not count
    assert rows[0].least <= rows[0].milliseconds["read"]
    text = list(table(rows))
    assert len(text) == 4
    assert text[2].startswith("| 640x360 | fake | 2 |")
    assert {line.count("|") for line in text} == {text[0].count("|")}


def test_a_plain_detector_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(DetectorError, match=r"none\.pt does not exist"):
        plain_detector(tmp_path / "none.pt", 1)
