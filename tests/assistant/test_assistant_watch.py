"""`kibitz watch` on a recorded table, in a window on a (virtual) screen and without one."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from assistant_tables import lay

from kibitz.assistant import app, cli
from kibitz.assistant.app import Outlets, Watcher
from kibitz.assistant.check import Checked, Checker
from kibitz.assistant.live.stillness import Stillness
from kibitz.assistant.session import last_table
from kibitz.assistant.voice import CaptionSpeaker
from kibitz.assistant.window import NoScreen
from kibitz.assistant.words import words
from kibitz.engine import Position, get_rules
from kibitz.engine.search import Limit
from kibitz.vision.types import Frame

SIZE = (480, 360)


def scene(card_at: int, hand: bool = False) -> np.ndarray:  # type: ignore[type-arg]
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 95, 40), np.uint8)
    cv2.rectangle(picture, (card_at, 120), (card_at + 60, 205), (240, 240, 240), -1)
    if hand:
        cv2.circle(picture, (240, 200), 110, (120, 150, 200), -1)
    return picture


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """Still table, a hand, another still table: four seconds, lossless."""
    path = tmp_path / "table.mkv"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"FFV1"), 20, SIZE)
    assert writer.isOpened()
    for picture, count in ((scene(60), 30), (scene(60, hand=True), 12), (scene(300), 40)):
        for _ in range(count):
            writer.write(picture)
    writer.release()
    return path


@pytest.fixture
def checker() -> Checker:
    return Checker(get_rules("klondike"), words("ru"), Limit(nodes=500, samples=4))


class Scripted:
    """Frames for the watcher without any camera, twenty a second by a clock of its own."""

    def __init__(self, pictures: Iterator[np.ndarray]) -> None:  # type: ignore[type-arg]
        self._pictures = pictures
        self.ended = False
        self.now = 0.0

    def clock(self) -> float:
        return self.now

    def get(self, seconds: float) -> np.ndarray | None:  # type: ignore[type-arg]
        time.sleep(0.01)
        self.now += 0.05
        picture = next(self._pictures, None)
        self.ended = picture is None
        return picture


def watcher(
    checker: Checker, midgame: Position, frames: Scripted, keys: str = ""
) -> tuple[Watcher, list[str], list[str], list[Checked]]:
    told: list[str] = []
    said: list[str] = []
    kept: list[Checked] = []
    reader = lay(midgame).reader()
    outlets = Outlets(
        NoScreen(keys), CaptionSpeaker(said.append), told.append, lambda frame, checked: kept.append(checked)
    )
    made = Watcher(words("ru"), lambda frame: checker.look(reader, frame), outlets, Stillness(0.5), frames.clock)
    return made, told, said, kept


def repeated(*parts: tuple[np.ndarray, int]) -> Iterator[np.ndarray]:  # type: ignore[type-arg]
    for picture, count in parts:
        for _ in range(count):
            yield picture


def test_every_still_table_is_looked_at_once_and_the_same_advice_is_said_once(
    checker: Checker, midgame: Position
) -> None:
    frames = Scripted(repeated((scene(60), 200), (scene(60, hand=True), 5), (scene(300), 200)))
    made, told, said, kept = watcher(checker, midgame, frames)
    made.run(frames)
    assert made.looks == 2
    assert len(kept) == 2
    assert len(said) == 1
    assert said == [" ".join(told)]
    assert told[0].startswith(("Переложите", "Положите", "Откройте"))


def test_keys_look_now_mute_and_quit(checker: Checker, midgame: Position) -> None:
    frames = Scripted(repeated((scene(60), 10_000)))
    made, told, said, _ = watcher(checker, midgame, frames, keys="s " + "\0" * 300 + "q")
    made.run(frames)
    assert told[0] == "Голос выключен."
    assert said == []
    assert made.looks >= 1


def test_a_picture_that_fails_is_told_and_the_loop_goes_on(midgame: Position) -> None:
    from kibitz.engine import KibitzError

    def broken(frame: Frame) -> Checked:
        raise KibitzError("the networks are gone")

    told: list[str] = []
    outlets = Outlets(NoScreen(), CaptionSpeaker(told.append), told.append)
    Watcher(words("en"), broken, outlets, Stillness(0.1)).run(Scripted(repeated((scene(60), 60))))
    assert "kibitz: the networks are gone" in told


def run_watch(monkeypatch: pytest.MonkeyPatch, midgame: Position, *words_given: str) -> int:
    reader = lay(midgame).reader()
    monkeypatch.setattr("kibitz.assistant.commands_watch.make_reader", lambda *given: reader)
    monkeypatch.setattr("sys.argv", ["kibitz", "watch", "--silent", *words_given])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_the_command_without_a_screen_writes_and_records(
    recording: Path,
    midgame: Position,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    folder = tmp_path / "record"
    assert run_watch(monkeypatch, midgame, "--camera", str(recording), "--record", str(folder), "--lang", "ru") == 0
    out, err = capsys.readouterr()
    assert "нет экрана" in err
    assert "Запись кончилась" in err
    assert out.splitlines()[0].startswith(("Переложите", "Положите", "Откройте"))
    looks = [json.loads(line) for line in (folder / "looks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(looks) == 2
    assert all((folder / look["image"]).exists() for look in looks)
    assert last_table("klondike") == Position.parse(looks[-1]["position"])
    assert run_watch(monkeypatch, midgame, "--camera", str(recording), "--resume") == 0
    assert "Going on with the saved game." in capsys.readouterr().err


def test_a_window_shows_the_advice(
    recording: Path, midgame: Position, display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", display)
    from kibitz.assistant.window import Window

    shown: list[tuple[int, int]] = []
    real = Window.show

    def show(self: Window, picture: app.Picture) -> None:
        shown.append((picture.shape[1], picture.shape[0]))
        real(self, picture)

    monkeypatch.setattr(Window, "show", show)
    assert run_watch(monkeypatch, midgame, "--camera", str(recording)) == 0
    assert shown
    assert all(width == SIZE[0] and height > SIZE[1] for width, height in shown)
