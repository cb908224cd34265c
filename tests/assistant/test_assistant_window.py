"""A real window on a (virtual) screen: it shows, tells its size and keys, and its screen may be taken away."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kibitz.assistant.window import NoScreen, Window, open_screen


def until(true: Callable[[], Any], seconds: float = 30) -> bool:
    """Whether it comes true in that time."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.01)
    return bool(true())


def test_a_window_shows_pictures_and_never_waits(display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", display)
    window = Window("test", (640, 480))
    try:
        assert window.alive
        picture = np.full((480, 640, 3), 90, np.uint8)
        start = time.monotonic()
        for _ in range(200):  # more than the window can show: those that come too early are left out
            window.show(picture)
        assert time.monotonic() - start < 5
        assert until(lambda: window.show(picture) or window.shown >= 3)
        assert window.shown < 200
        assert window.key(1) == ""
        assert min(window.size) >= 360
        window.full(True)
        assert until(lambda: window.show(picture) or window.shown >= 6)
    finally:
        window.close()
    assert not window.alive


if sys.platform.startswith("linux"):

    def test_a_screen_that_is_taken_away_ends_only_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
        server = shutil.which("Xvfb")
        assert server, "the window tests need Xvfb: sudo apt-get install xvfb"
        reading, writing = os.pipe()
        command = [server, "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"]
        with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as process:
            os.close(writing)
            with os.fdopen(reading) as stream:
                monkeypatch.setenv("DISPLAY", f":{stream.readline().strip()}")
            window = Window("test", (640, 480))
            picture = np.full((480, 640, 3), 90, np.uint8)
            assert until(lambda: window.show(picture) or window.shown >= 2)
            process.terminate()
        assert until(lambda: window.show(picture) or not window.alive)
        assert window.key(1) == ""  # not Escape: nobody has closed it
        window.close()
        assert open_screen("test") is None

    def test_without_a_screen_there_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("DISPLAY", raising=False)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        assert open_screen("test") is None


def test_no_screen_is_a_screen_too() -> None:
    screen = NoScreen("a")
    screen.show(np.zeros((10, 10, 3), np.uint8))
    assert (screen.key(1), screen.key(1), screen.size, screen.alive) == ("a", "", None, True)
