"""Shared by the assistant's tests: an imaginary Klondike, a screen, and settings that do not come from this machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.engine import Position

sys.path.insert(0, str(Path(__file__).parent))

from assistant_tables import MIDGAME


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings file and no saved game of this machine takes part, and nothing compiles in the background."""
    monkeypatch.setenv("KIBITZ_NO_COMPILE", "1")
    monkeypatch.setenv("KIBITZ_CONFIG", str(tmp_path / "no-such" / "config.toml"))
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))


@pytest.fixture
def midgame() -> Position:
    """A Klondike in the middle of a game, as a player sees it."""
    return Position.parse(MIDGAME)


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A screen for windows: the one that is there, or a virtual one."""
    if not sys.platform.startswith("linux") or os.environ.get("DISPLAY"):
        yield os.environ.get("DISPLAY", "")
        return
    server = shutil.which("Xvfb")
    assert server, "the window tests need a screen or Xvfb: sudo apt-get install xvfb"
    reading, writing = os.pipe()
    # Without -noreset the server starts over whenever its last window closes, and who connects just then is refused.
    command = [server, "-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as process:
        os.close(writing)
        with os.fdopen(reading) as stream:
            number = stream.readline().strip()
        yield f":{number}"
        process.terminate()
