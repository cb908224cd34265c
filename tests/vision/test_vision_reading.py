"""Reading imaginary tables: grouping, limits and letters, with the truth known."""

import numpy as np
import pytest

from kibitz.vision.fakes import FakeTable, LaidCard
from kibitz.vision.types import ReadingProblemKind, TableReading

COLUMN = [LaidCard("KS", 100, 100), LaidCard("QH", 100, 125), LaidCard("JC", 100, 150)]
ROW = [LaidCard(label, 70 + 75 * k, 420) for k, label in enumerate(("4D", "TC", "AS", "8H", "QD"))]
ROWS = [*COLUMN, *ROW]


def camera(turn: float = 0.0, tilt: float = 0.0) -> np.ndarray:
    """Two pixels a millimetre about the middle of an 800 x 600 mm table, turned clockwise and tilted backwards."""
    angle = np.radians(turn)
    middle = np.asarray([[1, 0, -250], [0, 1, -280], [0, 0, 1.0]])
    spin = np.asarray([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    lean = np.asarray([[1, 0, 0], [0, np.cos(np.radians(tilt)), 0], [0, -np.sin(np.radians(tilt)) / 900, 1]])
    back = np.asarray([[1.7, 0, 800], [0, 1.7, 800], [0, 0, 1.0]])
    return np.asarray(back @ lean @ spin @ middle)


def read(table: FakeTable, decks: int | str = 1) -> TableReading:
    return table.reader().read(table.frame(), decks)  # type: ignore[arg-type]


def labels(reading: TableReading) -> list[str]:
    return sorted(card.label or "##" for card in reading.cards if not card.unsure)


@pytest.mark.parametrize("turn", [0, 17, 90, 180, 270])
@pytest.mark.parametrize("tilt", [0, 35])
@pytest.mark.parametrize("four", [False, True])
def test_every_card_is_reported_once_from_any_side(turn: float, tilt: float, four: bool) -> None:
    table = FakeTable(ROWS, camera(turn, tilt), (1600, 1600), four, noise=1.0)
    reading = read(table)
    assert labels(reading) == sorted(card.label for card in ROWS if card.label)
    assert not reading.problems
    by_label = {card.label: card for card in reading.cards}
    assert [by_label[card.label].covered for card in COLUMN] == [True, True, False]
    truth = table.camera @ [*np.asarray([100, 150]), 1]
    assert by_label["JC"].corners is not None
    assert by_label["JC"].corners.mean(axis=0) == pytest.approx(truth[:2] / truth[2], abs=6)


def test_outlines_are_found_without_the_coarse_network() -> None:
    table = FakeTable(ROWS, camera(10, 20), (1600, 1600), with_outlines=False)
    reading = read(table)
    assert labels(reading) == sorted(card.label for card in ROWS if card.label)
    corners = {card.label: card.corners for card in reading.cards}
    truth = [table.camera @ [x, y, 1] for x, y in ROW[1].outline()]
    assert corners["TC"] == pytest.approx(np.asarray([point[:2] / point[2] for point in truth]), abs=18)


def test_two_decks_keep_their_twins_apart() -> None:
    twins = [LaidCard("8S", 60 + 80 * k, 100) for k in range(2)] + [LaidCard("KD", 60 + 80 * k, 250) for k in range(2)]
    reading = read(FakeTable(twins), 2)
    assert labels(reading) == ["8S", "8S", "KD", "KD"]
    assert read(FakeTable(twins), "auto").decks == 2
    assert read(FakeTable(ROWS, camera(), (1600, 1600)), "auto").decks == 1


def test_the_same_card_twice_in_one_deck_is_told_and_not_guessed() -> None:
    reading = read(FakeTable([LaidCard("8S", 60, 100), LaidCard("8S", 140, 100), LaidCard("KD", 220, 100)]))
    assert labels(reading) == ["KD"]
    twice = [problem for problem in reading.problems if problem.kind is ReadingProblemKind.SAME_CARD_TWICE]
    assert [problem.values["label"] for problem in twice] == ["8S"]


def test_a_doubtful_card_is_settled_by_its_rival_or_marked() -> None:
    likes = [LaidCard("8S", 60, 100), LaidCard("8C", 140, 100, like="8S")]
    assert labels(read(FakeTable(likes))) == ["8C", "8S"]
    alone = read(FakeTable(likes[1:]))
    assert labels(alone) == []
    assert {label for label, _ in alone.cards[0].alternatives()} >= {"8C", "8S"}


def test_the_letters_of_the_whole_table_decide() -> None:
    cards = [LaidCard(label, 60 + 70 * k, 100) for k, label in enumerate(("JD", "QS", "KH", "AC", "2D"))]
    for name in ("latin", "cyrillic", "german", "french", "dutch", "italian"):
        reading = read(FakeTable(cards, alphabet=name))
        assert labels(reading) == ["2D", "AC", "JD", "KH", "QS"], name


def test_an_ambiguous_letter_alone_is_not_guessed() -> None:
    reading = read(FakeTable([LaidCard("JC", 100, 100)], alphabet="french"))
    assert labels(reading) == []
    assert {label for label, _ in reading.cards[0].alternatives()} == {"JC", "QC"}


def test_face_down_cards_come_from_the_outlines() -> None:
    table = FakeTable([LaidCard(None, 100, 100), LaidCard(None, 100, 112), LaidCard("5D", 100, 124)])
    reading = read(table)
    assert [(card.label, card.face_up) for card in reading.cards] == [("5D", True), (None, False), (None, False)]


def test_an_empty_table_is_a_problem_not_an_error() -> None:
    reading = read(FakeTable([]))
    assert [problem.kind for problem in reading.problems] == [ReadingProblemKind.NOTHING_FOUND]
    assert reading.cards == ()


def test_small_indices_say_how_many_pixels_are_missing() -> None:
    reading = read(FakeTable(ROWS, np.diag([0.5, 0.5, 1.0])))
    problem = next(p for p in reading.problems if p.kind is ReadingProblemKind.TOO_FAR)
    assert problem.values == {"has": 7.5, "needs": 14.0}
