"""The window's picture: all games drawn, all sizes, large and normal, and nothing drawn twice."""

from typing import Any

import numpy as np
import pytest
from assistant_tables import MIDGAME

from kibitz.assistant.live import view as module
from kibitz.assistant.live.board import HIGH_CONTRAST, PLAIN, Board, BoardScene
from kibitz.assistant.live.view import Marked, Scene, View
from kibitz.assistant.overlay import Drawing, Mark
from kibitz.assistant.speech import Line
from kibitz.assistant.window_canvas import Ink, parts, width_of, wrapped
from kibitz.assistant.words import words
from kibitz.engine import Move, PileId, Position, get_rules
from kibitz.engine.registry import game_classes

TABLE = Position.parse(MIDGAME)
PLAN = get_rules("klondike").plan()
PHOTO = np.full((450, 800, 3), (10, 100, 10), np.uint8)
MARK = Mark(np.asarray([[100, 100], [180, 100], [180, 210], [100, 210]], np.float32), "7♥")


def share(picture: Any, colour: tuple[int, int, int]) -> float:
    return float((picture == colour).all(axis=2).mean())


@pytest.mark.parametrize("name", sorted(game_classes()))
def test_every_patience_is_drawn_inside_its_room(name: str) -> None:
    rules = get_rules(name)
    picture = Board(words("ru"), rules.plan()).draw(BoardScene(rules.settle(rules.deal(1))), (620, 460))
    assert picture.shape == (460, 620, 3)
    assert share(picture, PLAIN.card) > 0.05
    edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert (edge == PLAIN.felt).all()


def test_a_move_and_piles_that_differ_are_marked() -> None:
    board = Board(words("en"), PLAN, HIGH_CONTRAST)
    plain = board.draw(BoardScene(TABLE), (600, 400))
    moved = board.draw(BoardScene(TABLE, Move.parse("T3-F1")), (600, 400))
    wrong = board.draw(BoardScene(TABLE, None, frozenset({PileId.parse("T3")})), (600, 400))
    assert share(plain, HIGH_CONTRAST.chosen) == 0
    assert share(moved, HIGH_CONTRAST.chosen) > 0.002
    assert share(wrong, HIGH_CONTRAST.wrong) > 0.002


def scene(**changes: Any) -> Scene:
    values: dict[str, Any] = {
        "live": PHOTO,
        "marked": Marked(PHOTO, Drawing([MARK])),
        "as_marked": True,
        "board": BoardScene(TABLE),
        "lines": (Line("Переложите семёрку червей на восьмёрку пик.", headline=True), Line("Осторожно.", alert=True)),
        "status": "Думаю…",
        "keys": words("ru").text("watch-keys"),
    }
    return Scene(**{**values, **changes})


SIZES = [(800, 600), (1280, 720), (1920, 1080), (3840, 2160), (600, 900)]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_all_sizes(size: tuple[int, int], large: bool) -> None:
    picture = View(words("ru"), PLAN, large).compose(scene(), size)
    assert picture.shape == (size[1], size[0], 3)
    assert share(picture, (10, 100, 10)) > 0.05  # the live table
    assert share(picture, (HIGH_CONTRAST if large else PLAIN).card) > 0.003  # the drawn cards
    sentences = picture[round(size[1] * 0.2) : round(size[1] * 0.9), : round(size[0] * 0.62)]
    assert (sentences.min(axis=2) > 200).sum() > 250  # white letters


def test_marks_lie_on_the_live_picture_only_while_it_is_as_it_was_read() -> None:
    drawn = View(words("en"), PLAN)
    with_marks = drawn.compose(scene(), (1280, 720)).copy()
    without = drawn.compose(scene(as_marked=False), (1280, 720)).copy()
    live = np.s_[4:400, 4:780]
    assert (with_marks[live] != without[live]).any(axis=2).mean() > 0.005
    inset = np.s_[420:, 830:]
    assert (with_marks[inset] == without[inset]).all()


def test_what_did_not_change_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    real, board = module.draw, module.Board.draw
    monkeypatch.setattr(module, "draw", lambda *given: calls.append("marks") or real(*given))
    monkeypatch.setattr(module.Board, "draw", lambda *given: calls.append("board") or board(*given))
    drawn, one = View(words("en"), PLAN), scene()
    for _ in range(3):
        drawn.compose(one, (1280, 720))
    assert sorted(calls) == ["board", "marks", "marks"]
    drawn.prepare(one.marked)  # type: ignore[arg-type]
    drawn.compose(scene(marked=one.marked, status="Reading…"), (1280, 720))
    assert sorted(calls) == ["board", "marks", "marks"]
    drawn.large = True
    drawn.compose(one, (1280, 720))
    assert calls.count("board") == 2


def test_before_the_first_picture_there_is_a_window_too() -> None:
    picture = View(words("en"), PLAN).compose(Scene(None, status="Opening the camera…"), (800, 600))
    assert share(picture, (60, 60, 60)) > 0.2


def test_text_is_wrapped_and_red_signs_are_red() -> None:
    ink = Ink(20, (255, 255, 255))
    rows = wrapped("one two three four five six seven", 120, ink)
    assert len(rows) > 1
    assert all(width_of(row, ink) <= 120 for row in rows)
    assert wrapped("", 100, ink) == []
    assert parts("10♥ 7♠") == [("10", False), ("♥", True), (" 7♠", False)]
