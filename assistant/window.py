"""The window: shows a picture and hands back the keys that were pressed. Knows whether there is a screen at all.

The window lives in a process of its own. A screen that goes away (a cable, a remote session, a compositor that dies)
ends every process that has a window on it; so it ends only that one, and the watching goes on. Pictures go through a
file in shared memory; a picture that comes before the last one is on the screen is left out, and nobody waits.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
LEAST, MOST = (480, 360), (3840, 2160)
"""Sizes of the picture that a window shows."""
USUAL = (1280, 800)
START_SECONDS = 15.0
NO_KEY = ""
ESCAPE = "\x1b"
SPECIAL = {27: ESCAPE, 0xFF1B: ESCAPE, 0x1000000: ESCAPE}
FUNCTIONS = 0xFE00
"""Codes from here on are keys without a letter: Shift, arrows, F1 (X11), and all of Qt's own."""
# X11 gives Cyrillic letters as 0x6a0-0x6ff, whose last byte is the letter in KOI8-R.
CYRILLIC = range(0x6A0, 0x700)
RUSSIAN_KEYS = dict(zip("йцукенгшщзхъфывапролджэячсмитьбю.ё", "qwertyuiop[]asdfghjkl;'zxcvbnm,./`", strict=True))


class Screen(Protocol):
    """Something that shows pictures and takes keys."""

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height that a picture should have; None where any will do."""

    @property
    def alive(self) -> bool:
        """Whether it can still show something."""

    def show(self, picture: Picture) -> None:
        """Shows a (H, W, 3) BGR picture."""

    def key(self, milliseconds: int) -> str:
        """The key pressed meanwhile, as a letter; empty for none, ESCAPE when the window was closed."""

    def full(self, wanted: bool) -> None:
        """Fills the whole screen, or no longer."""

    def close(self) -> None:
        """Takes the window away."""


class Window:
    """A window on the screen, in a process of its own."""

    def __init__(self, title: str, size: tuple[int, int] = USUAL) -> None:
        """Opens it.

        Raises:
            OSError: there is no screen for it.
        """
        self._size = size
        self._keys: queue.Queue[str] = queue.Queue()
        self._free, self._ready = threading.Event(), threading.Event()
        self._closed = False
        self.shown = 0
        handle, name = tempfile.mkstemp(prefix="kibitz-window-")
        self._file = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.truncate(MOST[0] * MOST[1] * 3)
        self._pixels = np.memmap(self._file, np.uint8, "r+")
        command = [sys.executable, "-m", "kibitz.assistant.window_child", name, title, str(size[0]), str(size[1])]
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        )
        self._thread = threading.Thread(target=self._listen, name="kibitz-window", daemon=True)
        self._thread.start()
        if not self._ready.wait(START_SECONDS) or not self.alive:
            self.close()
            raise OSError("no window can be opened")

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def alive(self) -> bool:
        return self._child.poll() is None and self._thread.is_alive()

    def show(self, picture: Picture) -> None:
        if not self._free.is_set() or picture.size > self._pixels.size:
            return
        self._free.clear()
        height, width = picture.shape[:2]
        self._pixels[: picture.size].reshape(picture.shape)[:] = picture
        self._tell(f"show {width} {height}")

    def key(self, milliseconds: int) -> str:
        with contextlib.suppress(queue.Empty):
            return self._keys.get(timeout=milliseconds / 1000)
        return ESCAPE if self._closed else NO_KEY

    def full(self, wanted: bool) -> None:
        self._tell(f"full {int(wanted)}")

    def close(self) -> None:
        self._tell("quit")
        with contextlib.suppress(OSError):
            if self._child.stdin is not None:
                self._child.stdin.close()
        try:
            self._child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._thread.join(timeout=2)
        if self._child.stdout is not None:
            self._child.stdout.close()
        with contextlib.suppress(OSError):  # Windows keeps a file that is mapped; its own cleaning takes it later
            self._file.unlink(missing_ok=True)

    def _tell(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # the process is gone: `alive` says so
            if self._child.stdin is not None:
                self._child.stdin.write(text + "\n")
                self._child.stdin.flush()

    def _listen(self) -> None:
        """What the window's process says, until it ends."""
        assert self._child.stdout is not None
        for line in self._child.stdout:
            word, *numbers = line.split()
            if word == "key":
                self._keys.put(key_text(int(numbers[0])))
            elif word == "size":
                self._size = _fitting(int(numbers[0]), int(numbers[1]))
            elif word == "closed":
                self._closed = True
            if word in ("ready", "shown"):
                self.shown += word == "shown"
                self._free.set()
                self._ready.set()
        self._ready.set()


def _fitting(width: int, height: int) -> tuple[int, int]:
    """A size near that of the window in which there is room for what must be seen."""
    return min(max(width, LEAST[0]), MOST[0]), min(max(height, LEAST[1]), MOST[1])


def key_text(code: int) -> str:
    """The key of a code, as the letter of a Latin keyboard; a Russian layout's letters lie on the same keys."""
    if code in SPECIAL:
        return SPECIAL[code]
    if code >= FUNCTIONS:
        return NO_KEY
    letter = bytes([code & 0xFF]).decode("koi8-r") if code in CYRILLIC else chr(code)
    letter = letter.lower()
    return RUSSIAN_KEYS.get(letter, letter) if letter.isprintable() else NO_KEY


class NoScreen:
    """Where there is no screen: takes the pictures and shows nothing. Also the fake for tests, with keys to come."""

    def __init__(self, keys: str = "", size: tuple[int, int] | None = None) -> None:
        self.shown: Picture | None = None
        self.size = size
        self.alive = True
        self.filled = False
        self._keys = list(keys)

    def show(self, picture: Picture) -> None:
        self.shown = picture

    def key(self, milliseconds: int) -> str:
        return self._keys.pop(0) if self._keys else NO_KEY

    def full(self, wanted: bool) -> None:
        self.filled = wanted

    def close(self) -> None:
        return None


def has_screen() -> bool:
    """Whether a window can be opened; asked in a child process, because Qt ends a process that has no screen."""
    if not sys.platform.startswith("linux"):
        return True
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    code = "import cv2; cv2.namedWindow('kibitz'); cv2.destroyAllWindows()"
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=15, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def open_screen(title: str, size: tuple[int, int] = USUAL) -> Window | None:
    """A window, or None where there is no screen."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return None
    try:
        return Window(title, size)
    except OSError:
        return None


def scaled(picture: Picture, size: tuple[int, int]) -> Picture:
    """The picture at another size (width, height), quickly."""
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
