"""The drawing: pixels that a person can check, in both alphabets."""

from pathlib import Path

import numpy as np
import pytest

from kibitz.assistant.overlay import (
    ARROW,
    INK,
    RED,
    Drawing,
    Mark,
    OverlayError,
    Style,
    draw,
    panel,
    save,
    text_width,
)
from kibitz.assistant.speech import Line

TABLE = np.full((600, 800, 3), (60, 95, 40), np.uint8)
CARD = np.array([[100, 100], [220, 100], [220, 270], [100, 270]], np.float32)
OTHER = CARD + np.array([300, 150], np.float32)


def pixels(picture: np.ndarray, colour: tuple[int, int, int]) -> int:  # type: ignore[type-arg]
    return int((picture == np.array(colour, np.uint8)).all(axis=2).sum())


def test_nothing_to_draw_leaves_the_picture_as_it_is() -> None:
    assert np.array_equal(draw(TABLE, Drawing()), TABLE)


def test_the_input_is_not_painted_on() -> None:
    before = TABLE.copy()
    draw(TABLE, Drawing([Mark(CARD, "7♥")], [(CARD, OTHER)], [OTHER], [Line("x")]))
    assert np.array_equal(before, TABLE)


def test_sure_and_unsure_cards_differ_in_colour_and_in_style() -> None:
    sure = draw(TABLE, Drawing([Mark(CARD)]))
    unsure = draw(TABLE, Drawing([Mark(CARD, "", Style.UNSURE)]))
    assert pixels(sure, Style.SURE.colour) > 500
    assert pixels(sure, Style.UNSURE.colour) == 0
    assert pixels(unsure, Style.UNSURE.colour) > 300
    left_edge = np.array([(row == np.array(Style.UNSURE.colour)).all(axis=1).any() for row in unsure[120:250, 96:105]])
    changes = int((left_edge[1:] != left_edge[:-1]).sum())
    assert changes >= 6, "an unsure outline is dashed"
    solid = np.array([(row == np.array(Style.SURE.colour)).all(axis=1).any() for row in sure[120:250, 96:105]])
    assert solid.all()


def test_an_unsure_name_has_a_question_mark() -> None:
    plain = draw(TABLE, Drawing([Mark(CARD, "7♥")]))
    doubtful = draw(TABLE, Drawing([Mark(CARD, "7♥", Style.UNSURE)]))
    assert pixels(doubtful, INK) > pixels(plain, INK)


def test_the_arrow_goes_from_card_to_target() -> None:
    drawn = draw(TABLE, Drawing(arrows=[(CARD, OTHER)]))
    ys, xs = np.nonzero((drawn == np.array(ARROW, np.uint8)).all(axis=2))
    assert xs.min() < 175
    assert abs(xs.max() - OTHER[:, 0].mean()) < 12
    assert abs(ys.max() - OTHER[:, 1].mean()) < 25


def test_a_card_hides_the_outline_of_the_one_below() -> None:
    upper = CARD + np.array([0, 40], np.float32)
    drawn = draw(TABLE, Drawing([Mark(CARD, "", Style.UNSURE), Mark(upper)]))
    inside = drawn[200:300, 110:210]
    assert pixels(inside, Style.UNSURE.colour) == 0


def test_the_panel_is_below_and_hides_nothing() -> None:
    drawn = draw(TABLE, Drawing(lines=[Line("Переложите семёрку червей", headline=True)]))
    assert drawn.shape[0] > TABLE.shape[0]
    assert np.array_equal(drawn[:600], TABLE)


@pytest.mark.parametrize("letter", "ЖЁДПЩ♥♣♦♠")
def test_cyrillic_letters_and_suit_signs_are_drawn(letter: str) -> None:
    """A letter that the font lacks is drawn as a question mark."""
    drawn, question = panel(400, [Line(letter)]), panel(400, [Line("?")])
    assert drawn.shape == question.shape
    assert not np.array_equal(drawn, question)
    assert int((drawn.max(axis=2) > 120).sum()) > 20


def test_red_suits_are_red() -> None:
    assert pixels(panel(400, [Line("♥♦", headline=True)]), RED) > 50
    assert pixels(panel(400, [Line("♣♠", headline=True)]), RED) == 0


def test_long_sentences_are_wrapped() -> None:
    short, long = panel(500, [Line("слово")]), panel(500, [Line("слово " * 40)])
    assert long.shape[0] > 3 * short.shape[0] / 1.5
    border = long[:, -8:]
    assert np.array_equal(border, np.full_like(border, INK))


def test_names_near_the_edge_stay_in_the_picture() -> None:
    drawn = draw(TABLE, Drawing([Mark(CARD - np.array([190, 120], np.float32), "10♥")]))
    assert pixels(drawn, INK) > 100


def test_widths_add_up() -> None:
    assert text_width("", 20) == 0
    assert text_width("Семёрка червей", 20) > text_width("Семёрка", 20) > 0


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(OverlayError, match="cannot be written"):
        save(tmp_path / "no" / "such" / "out.jpg", TABLE)
    save(tmp_path / "out.png", TABLE)
    assert (tmp_path / "out.png").stat().st_size > 100
