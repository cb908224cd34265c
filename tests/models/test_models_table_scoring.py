"""Scores of tables, their intervals, and runs that go on where they were stopped."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from kibitz.engine.cards import LABELS
from kibitz.models.held_out import DECKS, report, table_names
from kibitz.models.shares import ResultsError, gathered, share_text, wilson
from kibitz.models.table_scoring import TableScore, score
from kibitz.vision.types import TableCard, TableReading


def _card(number: int, label: str, unsure: bool = False) -> TableCard:
    labels = np.zeros(52, np.float32)
    labels[LABELS.index(label)] = 0.9
    return TableCard(number, True, labels, 0.9, unsure)


def test_found_doubted_and_wrong_are_told_apart() -> None:
    cards = [_card(0, "QH"), _card(1, "2C", unsure=True), _card(2, "9D"), _card(3, "4S")]
    got = score(TableReading((640, 480), tuple(cards)), Counter(["QH", "2C", "3C"]), Counter(["4S"]))
    assert (got.wanted, got.found, got.doubted, got.wrong, got.sure, got.unsure) == (3, 1, 1, 1, 3, 1)
    assert not got.exact
    assert not got.honest


def test_a_card_of_two_packs_may_be_there_twice() -> None:
    reading = TableReading((640, 480), (_card(0, "QH"), _card(1, "QH"), _card(2, "QH")))
    got = score(reading, Counter(["QH", "QH"]))
    assert (got.found, got.wrong) == (2, 1)


def test_a_table_is_honest_when_what_is_missing_was_doubted() -> None:
    assert TableScore(10, 9, 1, 0, 9, 1).honest
    assert not TableScore(10, 9, 0, 0, 9, 0).honest
    assert TableScore(10, 10, 0, 0, 10, 0).exact


def test_intervals_are_wilsons() -> None:
    low, high = wilson(9, 10)
    assert (round(low, 3), round(high, 3)) == (0.596, 0.982)
    assert wilson(0, 0) == (0.0, 1.0)
    assert share_text(0, 50) == "0.00 % [0.0, 7.1] (0/50)"


def test_a_run_goes_on_with_what_is_in_its_file(tmp_path: Path) -> None:
    path, made = tmp_path / "new" / "results.jsonl", []

    def make(name: str) -> dict[str, int]:
        made.append(name)
        return {"size": len(name)}

    assert list(gathered(path, ["a", "bb"], make)) == [("a", {"size": 1}), ("bb", {"size": 2})]
    assert list(gathered(path, ["bb", "ccc"], make))[1] == ("ccc", {"size": 3})
    assert made == ["a", "bb", "ccc"]
    path.write_text("hello\n")
    with pytest.raises(ResultsError, match="hello"):
        list(gathered(path, ["a"], make))


def test_names_go_through_all_patiences_and_decks() -> None:
    names = table_names(6 * len(DECKS))
    assert len({name.split(" ", 1)[1] for name in names}) == 6 * len(DECKS)
    rows = list(report([(name, TableScore(10, 10, 0, 0, 10, 0, 20.0)) for name in names]))
    assert "| 18 to 24 px | 36 | 100.00 % [98.9, 100.0] (360/360) |" in "\n".join(rows)
