"""Cameras, addresses and video files as iterators of frames, and a thread that keeps only the newest one.

A slow reader of a camera falls behind by seconds, because the driver queues frames: `NewestFrame` empties the queue in
a thread. A file is played at its own speed, so that it behaves like a camera.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import cv2
import numpy as np

from kibitz.engine.errors import KibitzError
from kibitz.vision.types import ByteArray

OPEN_MILLISECONDS, READ_MILLISECONDS = 5000, 3000
USUAL_RATE = 25.0


class CameraError(KibitzError):
    """A camera, address or video file cannot be opened."""


def open_capture(source: str) -> cv2.VideoCapture:
    """Opens a camera by its number, an address (http, rtsp), or a video file.

    Raises:
        CameraError: it does not open.
    """
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    try:
        if source.isdigit():
            capture = cv2.VideoCapture(int(source))
        elif "://" in source:
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MILLISECONDS]
            limits += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MILLISECONDS]
            capture = cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
        else:
            if not Path(source).is_file():
                raise CameraError(f"expected a camera number, an address or a video file, but {source} does not exist")
            capture = cv2.VideoCapture(source)
    finally:
        cv2.utils.logging.setLogLevel(level)
    if not capture.isOpened():
        raise CameraError(f"expected a camera number, an address or a video file, but {source} does not open")
    return capture


def is_live(source: str) -> bool:
    """Whether a source goes on by itself: a camera or an address, no file."""
    return source.isdigit() or "://" in source


class NewestFrame:
    """Reads a source in a thread and keeps only the newest frame."""

    def __init__(self, source: str) -> None:
        """Opens the source and starts reading.

        Raises:
            CameraError: it does not open.
        """
        self._capture = open_capture(source)
        rate = self._capture.get(cv2.CAP_PROP_FPS) or USUAL_RATE
        self._pause = 0.0 if is_live(source) else 1.0 / min(max(rate, 1.0), 120.0)
        self._fresh = threading.Condition()
        self._frame: ByteArray | None = None
        self._number, self._taken = 0, 0
        self._ended, self._closing = False, False
        self._thread = threading.Thread(target=self._work, name="kibitz-camera", daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether the source gives no more frames."""
        with self._fresh:
            return self._ended

    def get(self, seconds: float) -> ByteArray | None:
        """The newest (H, W, 3) BGR frame not taken yet; None if none comes in that time or the source has ended."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._number > self._taken or self._ended, seconds)
            if self._number == self._taken:
                return None
            self._taken = self._number
            return self._frame

    def __iter__(self) -> Iterator[ByteArray]:
        """Frames until the source ends; those that came while the last one was worked on are left out."""
        while (frame := self.get(READ_MILLISECONDS / 1000)) is not None:
            yield frame

    def close(self) -> None:
        """Stops reading and frees the camera."""
        self._closing = True
        self._thread.join(timeout=READ_MILLISECONDS / 1000 + 1)
        if not self._thread.is_alive():
            self._capture.release()

    def __enter__(self) -> NewestFrame:
        """The source itself, already reading."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Closes the source."""
        self.close()

    def _work(self) -> None:
        due = time.monotonic()
        while not self._closing:
            good, frame = self._capture.read()
            if not good:
                break
            with self._fresh:
                self._frame, self._number = np.asarray(frame, np.uint8), self._number + 1
                self._fresh.notify_all()
            if self._pause:
                due += self._pause
                time.sleep(max(0.0, due - time.monotonic()))
        with self._fresh:
            self._ended = True
            self._fresh.notify_all()
