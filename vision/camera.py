"""A camera, address, video file or folder, read in a thread that keeps only the newest picture.

A slow reader of a camera falls behind by seconds, because the driver queues frames: `NewestFrame` empties the queue in
a thread. A file or folder is played at its own speed, so that it behaves like a camera.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from types import TracebackType

from kibitz.vision.camera_devices import READ_MILLISECONDS, CameraError, CameraOptions, is_live
from kibitz.vision.camera_sources import (
    FileSource,
    FolderSource,
    LiveSource,
    Shot,
    Source,
    SourceEvent,
    Tell,
    open_source,
    silent,
)
from kibitz.vision.types import ByteArray

__all__ = [
    "CameraError",
    "CameraOptions",
    "FileSource",
    "FolderSource",
    "LiveSource",
    "NewestFrame",
    "Shot",
    "Source",
    "SourceEvent",
    "is_live",
    "open_source",
]


class NewestFrame:
    """Reads a source in a thread and keeps only the newest frame."""

    def __init__(self, source: str | Source, options: CameraOptions | None = None, tell: Tell = silent) -> None:
        """Opens the source and starts reading.

        Args:
            source: its name, or a source that is open already (with its own options and `tell`).
            options: size, mirror, turn.
            tell: is told when it is lost and when it is back, in the reading thread.

        Raises:
            CameraError: it does not open.
        """
        self.source = source if isinstance(source, Source) else open_source(source, options, tell)
        self._live = isinstance(self.source, LiveSource)
        self._fresh = threading.Condition()
        self._frame: ByteArray | None = None
        self._number, self._taken = 0, 0
        self._ended = False
        self._closing = threading.Event()
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

    def lock(self) -> None:
        """Asks for exposure and white balance to stay as they are, where the driver allows it."""
        self.source.lock()

    def pace(self, rate: float) -> None:
        """So many pictures a second of a camera are enough now: decoding the others would be a waste."""
        self.source.pace(rate)

    def __iter__(self) -> Iterator[ByteArray]:
        """Frames until the source ends; those that came while the last one was worked on are left out."""
        while not self.ended or self._number > self._taken:
            if (frame := self.get(READ_MILLISECONDS / 1000)) is not None:
                yield frame

    def close(self) -> None:
        """Stops reading and frees the camera."""
        self._closing.set()
        self.source.close()
        self._thread.join(timeout=READ_MILLISECONDS / 1000 + 1)

    def __enter__(self) -> NewestFrame:
        """The source itself, already reading."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Closes the source."""
        self.close()

    def _work(self) -> None:
        start = time.monotonic()
        for shot in self.source:
            if not self._live and self._closing.wait(max(0.0, start + shot.seconds - time.monotonic())):
                break
            with self._fresh:
                self._frame, self._number = shot.picture, self._number + 1
                self._fresh.notify_all()
            if self._closing.is_set():
                break
        with self._fresh:
            self._ended = True
            self._fresh.notify_all()
