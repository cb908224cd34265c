"""`kibitz watch` as it is typed: a recorded table, in a window on a (virtual) screen and without one."""

import json
from pathlib import Path

import cv2
import pytest
from assistant_tables import lay
from live_fakes import SIZE, scene

from kibitz.assistant import cli
from kibitz.assistant.session import last_table
from kibitz.assistant.window import Picture, Window
from kibitz.engine import Position


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """Still table, a hand, another still table: four seconds."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE)
    assert writer.isOpened()
    for picture, count in ((scene(60), 15), (scene(60, hand=True), 6), (scene(300), 20)):
        for _ in range(count):
            writer.write(picture)
    writer.release()
    return path


def run_watch(monkeypatch: pytest.MonkeyPatch, midgame: Position, *words_given: str) -> int:
    reader = lay(midgame).reader()
    monkeypatch.setattr("kibitz.assistant.commands_watch.make_reader", lambda *given, **named: reader)
    monkeypatch.setattr("sys.argv", ["kibitz", "watch", "--silent", *words_given])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


def test_the_command_without_a_screen_writes_and_records(
    recording: Path,
    midgame: Position,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    without_a_screen(monkeypatch)
    folder = tmp_path / "record"
    given = ("--camera", str(recording), "--fast")
    assert run_watch(monkeypatch, midgame, *given, "--record", str(folder), "--lang", "ru") == 0
    out, err = capsys.readouterr()
    assert "нет экрана" in err
    assert "Запись кончилась" in err
    lines = out.splitlines()
    assert lines[0] == "Вижу весь стол: Клондайк."
    assert any(line.startswith(("Переложите", "Положите", "Откройте")) for line in lines[1:])
    log = [json.loads(line) for line in (folder / "looks.jsonl").read_text(encoding="utf-8").splitlines()]
    looks = [line for line in log if "image" in line]
    assert len(looks) == 2
    assert all((folder / look["image"]).exists() for look in looks)
    assert last_table("klondike") == Position.parse(looks[-1]["position"])
    assert run_watch(monkeypatch, midgame, *given, "--resume") == 0
    assert "Going on with the saved game." in capsys.readouterr().err


def test_a_window_shows_the_advice(
    recording: Path, midgame: Position, display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", display)
    shown: list[tuple[int, int]] = []
    real = Window.show

    def show(self: Window, picture: Picture) -> None:
        shown.append((picture.shape[1], picture.shape[0]))
        real(self, picture)

    monkeypatch.setattr(Window, "show", show)
    assert run_watch(monkeypatch, midgame, "--camera", str(recording)) == 0
    assert len(shown) > 10


@pytest.mark.parametrize("source", ["no-such-file.mkv", "no such camera"])
def test_a_camera_that_is_not_there_is_told(
    source: str, midgame: Position, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_a_screen(monkeypatch)
    assert run_watch(monkeypatch, midgame, "--camera", source) == 1
    assert f"The camera {source} does not open." in capsys.readouterr().err


def test_settings_of_the_command_line_are_checked(
    midgame: Position, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_watch(monkeypatch, midgame, "--hints", "never") == 2
    assert "hints: expected one of always, pause, asked, got 'never'" in capsys.readouterr().err


def test_cameras_and_voices_are_listed(
    midgame: Position, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kibitz.vision.camera_devices.list_cameras", lambda: ())
    assert run_watch(monkeypatch, midgame, "--list", "--lang", "ru") == 0
    out = capsys.readouterr().out
    assert "Система не называет ни одной камеры." in out
    assert "Голоса: " in out
