"""Cameras, addresses, video files and folders of pictures as iterators of shots.

All sources behave alike: a lost one says so, a live one is opened again until it comes back, and what cannot be read
is told and left out. A file or folder gives every picture, as fast as they are taken.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import cv2

from kibitz.vision.camera_devices import (
    WHAT,
    CameraError,
    CameraOptions,
    Capture,
    is_live,
    lock_picture,
    open_capture,
)
from kibitz.vision.errors import PictureError
from kibitz.vision.picture import read_picture
from kibitz.vision.types import ByteArray

USUAL_RATE, MOST_RATE = 25.0, 120.0
PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})


class SourceEvent(StrEnum):
    """What happens to a source."""

    LOST = "lost"
    BACK = "back"
    SKIPPED = "skipped"
    ENDED = "ended"


Tell = Callable[[SourceEvent, str], None]
Open = Callable[[str, CameraOptions], Capture]


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of a source.

    Attributes:
        picture: (H, W, 3) uint8 BGR.
        seconds: when it was taken, by the source's own clock.
    """

    picture: ByteArray
    seconds: float


def silent(event: SourceEvent, name: str) -> None:
    """Tells nobody."""


class Source:
    """An iterator of shots."""

    def __init__(self, name: str, options: CameraOptions, tell: Tell) -> None:
        """Sets what is common.

        Args:
            name: what the player called it.
            options: size, mirror, turn.
            tell: is told what happens to it, in the thread that iterates.
        """
        self.name, self._options, self._tell = name, options, tell
        self._closing = threading.Event()

    def __iter__(self) -> Iterator[Shot]:
        """The shots; see the class."""
        raise NotImplementedError

    def close(self) -> None:
        """Makes the iterator end soon."""
        self._closing.set()

    def lock(self) -> None:
        """Asks for exposure and white balance to stay as they are; files have none."""
        return

    def pace(self, rate: float) -> None:
        """So many pictures a second are enough now; a file gives all of them."""
        return


class LiveSource(Source):
    """A camera or an address: goes on until it is closed, whatever happens to the device."""

    def __init__(self, name: str, options: CameraOptions, tell: Tell, opened: Open = open_capture) -> None:
        """Opens it.

        Raises:
            CameraError: it does not open.
        """
        super().__init__(name, options, tell)
        self._open = opened
        self._capture: Capture | None = opened(name, options)
        self._locking, self._due, self._rate = False, 0.0, options.rate
        self.locked: bool | None = None

    def __iter__(self) -> Iterator[Shot]:
        while not self._closing.is_set():
            if self._capture is None and not self._reopened():
                continue
            good, picture = self._read()
            if picture is not None:
                yield Shot(self._options.turned(picture), time.monotonic())
            elif not good and not self._closing.is_set():
                self._release()
                self._tell(SourceEvent.LOST, self.name)
        self._release()

    def lock(self) -> None:
        """Exposure and white balance stay as they are from the next picture on."""
        self._locking = True

    def pace(self, rate: float) -> None:
        """Decodes so many pictures a second from now on; never more than the options allow."""
        self._rate = min(rate, self._options.rate)

    def _read(self) -> tuple[bool, Any]:
        """Whether the camera is there, and its next picture or None if that came too early to be decoded."""
        assert self._capture is not None
        if self._locking and self.locked is None:
            self.locked = lock_picture(self._capture)
        if not self._capture.grab():
            return False, None
        now = time.monotonic()
        if now < self._due:
            return True, None
        period = 1 / self._rate
        self._due = (max(self._due, now - period) if self._due else now) + period
        return self._capture.retrieve()

    def _reopened(self) -> bool:
        if self._closing.wait(self._options.retry_seconds):
            return False
        try:
            self._capture = self._open(self.name, self._options)
        except CameraError:
            return False
        self._locking, self.locked = False, None
        self._tell(SourceEvent.BACK, self.name)
        return True

    def _release(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class FileSource(Source):
    """A video file: every frame, with its time in the film."""

    def __init__(self, name: str, options: CameraOptions, tell: Tell) -> None:
        """Opens it.

        Raises:
            CameraError: it does not open.
        """
        super().__init__(name, options, tell)
        self._capture = open_capture(name, options)
        rate = self._capture.get(cv2.CAP_PROP_FPS) or USUAL_RATE
        self._rate = min(max(rate, 1.0), MOST_RATE)

    def __iter__(self) -> Iterator[Shot]:
        number = 0
        while not self._closing.is_set():
            if not self._capture.grab():
                break
            _, picture = self._capture.retrieve()
            yield Shot(self._options.turned(picture), number / self._rate)
            number += 1
        self._capture.release()
        self._tell(SourceEvent.ENDED, self.name)


class FolderSource(Source):
    """A folder of pictures, in the order of the numbers in their names; each lies still for a while."""

    def __init__(self, name: str, options: CameraOptions, tell: Tell) -> None:
        """Lists them.

        Raises:
            CameraError: there are none.
        """
        super().__init__(name, options, tell)
        self._paths = sorted((path for path in Path(name).iterdir() if path.suffix.lower() in PICTURES), key=_natural)
        if not self._paths:
            raise CameraError(f"expected {WHAT}, but there are no pictures in {name}")

    def __iter__(self) -> Iterator[Shot]:
        seconds = 0.0
        for path in self._paths:
            if self._closing.is_set():
                break
            try:
                picture = self._options.turned(read_picture(path).picture)
            except PictureError:
                self._tell(SourceEvent.SKIPPED, str(path))
                continue
            # It is seen when it comes and once more at the end of its time: that is what "still" means.
            yield Shot(picture, seconds)
            seconds += self._options.still_seconds
            yield Shot(picture, seconds - 1e-3)
        self._tell(SourceEvent.ENDED, self.name)


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.name) if part]


def open_source(name: str, options: CameraOptions | None = None, tell: Tell = silent) -> Source:
    """The source of that name: camera number or name, address, video file or folder of pictures.

    Raises:
        CameraError: it does not open.
    """
    options = options or CameraOptions()
    if is_live(name):
        return LiveSource(name, options, tell)
    return FolderSource(name, options, tell) if Path(name).is_dir() else FileSource(name, options, tell)
