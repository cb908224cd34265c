"""The window: shows a picture and hands back the key that was pressed. Knows whether there is a screen at all."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
WIDEST, HIGHEST = 1280, 860
NO_KEY = ""
ESCAPE = "\x1b"


class Screen(Protocol):
    """Something that shows pictures and takes keys."""

    def show(self, picture: Picture) -> None:
        """Shows a (H, W, 3) BGR picture."""

    def key(self, milliseconds: int) -> str:
        """The key pressed meanwhile, as a letter; empty for none, ESCAPE when the window was closed."""

    def close(self) -> None:
        """Takes the window away."""


class Window:
    """A window on the screen."""

    def __init__(self, title: str) -> None:
        self._title, self._size = title, (0, 0)
        os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")  # else Qt tells of fonts that nobody needs
        # Not WINDOW_GUI_NORMAL: without its tool bar OpenCV 5's Qt window often stays black once it was resized.
        cv2.namedWindow(title, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO)

    def show(self, picture: Picture) -> None:
        height, width = picture.shape[:2]
        if (width, height) != self._size:
            self._size = (width, height)
            scale = min(WIDEST / width, HIGHEST / height, 1.0)
            cv2.resizeWindow(self._title, round(width * scale), round(height * scale))
        cv2.imshow(self._title, picture)

    def key(self, milliseconds: int) -> str:
        code = cv2.waitKey(max(1, milliseconds)) & 0xFF
        if self._size != (0, 0) and cv2.getWindowProperty(self._title, cv2.WND_PROP_VISIBLE) < 1:
            return ESCAPE
        return NO_KEY if code == 0xFF else chr(code).lower()

    def close(self) -> None:
        cv2.destroyAllWindows()
        cv2.waitKey(1)


class NoScreen:
    """Where there is no screen: takes the pictures and shows nothing. Also the fake for tests, with keys to come."""

    def __init__(self, keys: str = "") -> None:
        self.shown: Picture | None = None
        self._keys = list(keys)

    def show(self, picture: Picture) -> None:
        self.shown = picture

    def key(self, milliseconds: int) -> str:
        return self._keys.pop(0) if self._keys else NO_KEY

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
