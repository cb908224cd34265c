"""The staged camera by a clock set by hand, and the figures of the bench on imaginary tables."""

from pathlib import Path

import cv2
import pytest
from assistant_tables import MIDGAME, lay
from live_fakes import scene

from kibitz.assistant.context import context
from kibitz.assistant.live.measuring import Figures, Staging, measure_live, measure_memory
from kibitz.assistant.live.staging import StagedCamera, with_hand
from kibitz.assistant.live.stillness import State, Stillness
from kibitz.engine import Position


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "one.jpg", tmp_path / "two.jpg"]
    for path, card_at in zip(paths, (60, 300), strict=True):
        cv2.imwrite(str(path), cv2.resize(scene(card_at), (500, 400)))
    return paths


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_staged_camera_shows_still_tables_with_an_arm_between_them(pictures: list[Path]) -> None:
    clock = Clock()
    camera, stillness = StagedCamera(pictures, 3, clock), Stillness(0.6)
    states, looks = [], []
    while not camera.over:
        picture = camera.get(0)
        if picture is not None:
            glance = stillness.see(picture, clock.now)
            states.append(glance.state)
            if glance.state is State.CHANGED:
                stillness.looked()
                looks.append(round(clock.now, 1))
        clock.now += 0.05
    assert len(looks) == 3
    for number, moment in enumerate(looks):
        assert camera.settled[number] == pytest.approx(0.8 + 4.8 * number, abs=0.1)
        assert moment - camera.settled[number] == pytest.approx(0.6, abs=0.15)
    assert State.MOVING in states[20:]


def test_the_pace_of_the_camera(pictures: list[Path]) -> None:
    clock = Clock()
    camera = StagedCamera(pictures, 1, clock)
    camera.pace(5)
    came = 0
    for _ in range(100):
        came += camera.get(0) is not None
        clock.now += 0.02
    assert came == 10


def test_an_arm_comes_in_and_goes() -> None:
    table = scene(60)
    assert (with_hand(table, 0) == table).all()
    assert (with_hand(table, 0.5) != table).any(axis=2).mean() == pytest.approx(0.7 / 7, abs=0.02)


def test_figures() -> None:
    figures = Figures([1.0, 2.0, 3.0, 10.0], frames=60, busy=4.0)
    assert (figures.median, figures.slow, figures.rate) == (2.5, 10.0, 15.0)
    assert (Figures().median, Figures().slow, Figures().rate) == (0, 0, 0)


def test_every_staged_table_gets_its_hint(pictures: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    reader = lay(Position.parse(MIDGAME)).reader()
    figures = measure_live(context(None, None, None), reader, pictures, Staging(1, 0.5))
    assert len(figures.hints) == 1
    assert 0.5 < figures.hints[0] < 4.5
    assert figures.calm is not None


def test_memory_is_noted_every_ten_minutes(pictures: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.assistant.live.measuring.TICK_SECONDS", 1.5)
    reader = lay(Position.parse(MIDGAME)).reader()
    told: list[float] = []
    figures = measure_memory(context(None, None, None), reader, pictures, 1 / 6, lambda at, size: told.append(at))
    assert told == [10]
    assert figures.memory[0] > 30
