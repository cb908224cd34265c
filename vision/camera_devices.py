"""Opening cameras, addresses and video files: names, sizes, and exposure and white balance that stay as they are."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from kibitz.engine.errors import KibitzError
from kibitz.vision.types import ByteArray

OPEN_MILLISECONDS, READ_MILLISECONDS = 5000, 3000
DEVICES = Path("/sys/class/video4linux")
TRIED = 6
"""So many camera numbers are tried where the system does not list its cameras."""
TURNS = {0: None, 90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
WHAT = "a camera number or name, an address, a video file or a folder of pictures"


class CameraError(KibitzError):
    """A camera, address, video file or folder cannot be opened or set."""


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`; tests hand in their own."""

    def grab(self) -> bool:
        """Takes the next frame, not decoded yet; False if there is none."""

    def retrieve(self) -> tuple[bool, Any]:
        """Whether the frame taken could be decoded, and the frame."""

    def get(self, prop: int, /) -> float:
        """A property."""

    def set(self, prop: int, value: float, /) -> bool:
        """Sets a property; False where the driver does not."""

    def release(self) -> None:
        """Frees the device."""


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """How a source is opened and its pictures turned.

    Attributes:
        size: width and height asked of a camera; it takes the nearest that it has.
        mirror: swap left and right: for cameras that deliver a mirror image.
        turn: degrees clockwise: 0, 90, 180 or 270.
        rate: so many pictures a second of a camera are decoded at most: decoding them all costs a quarter of a core.
        retry_seconds: between two tries to open a lost camera again.
        still_seconds: how long each picture of a folder lies on the table.
    """

    size: tuple[int, int] = (1920, 1080)
    mirror: bool = False
    turn: int = 0
    rate: float = 15.0
    retry_seconds: float = 1.0
    still_seconds: float = 1.0

    def __post_init__(self) -> None:
        if self.turn not in TURNS:
            raise CameraError(f"expected a turn of {', '.join(map(str, TURNS))} degrees, got {self.turn}")
        if min(self.size) < 1 or not self.rate > 0:
            raise CameraError(f"expected a size such as 1920x1080, got {self.size[0]}x{self.size[1]}")

    def turned(self, picture: Any) -> ByteArray:
        """The picture as the player wants to see it."""
        code = TURNS[self.turn]
        if code is not None:
            picture = cv2.rotate(picture, code)
        return np.asarray(cv2.flip(picture, 1) if self.mirror else picture, np.uint8)


@dataclass(frozen=True, slots=True)
class CameraName:
    """One camera of this machine."""

    number: int
    name: str


def list_cameras(devices: Path = DEVICES) -> tuple[CameraName, ...]:
    """The cameras of this machine; where the system tells no names, numbers that open."""
    if devices.is_dir():
        return _named(devices)
    if sys.platform.startswith("linux"):
        return ()
    return tuple(CameraName(number, f"camera {number}") for number in range(TRIED) if _opens(number))


def camera_number(name: str, devices: Path = DEVICES) -> int | None:
    """The number of the first camera whose name holds these words, in any case; None if there is none."""
    wanted = name.casefold()
    return next((one.number for one in list_cameras(devices) if wanted in one.name.casefold()), None)


def _named(devices: Path) -> tuple[CameraName, ...]:
    found = []
    for folder in devices.glob("video*"):
        number = folder.name.removeprefix("video")
        try:
            # One camera has several devices; pictures come from its first.
            first = not (folder / "index").exists() or (folder / "index").read_text().strip() == "0"
            if number.isdigit() and first:
                found.append(CameraName(int(number), (folder / "name").read_text(encoding="utf-8").strip()))
        except OSError:  # unplugged while we look
            continue
    return tuple(sorted(found, key=lambda one: one.number))


def _opens(number: int) -> bool:
    with _Quiet():
        capture = cv2.VideoCapture(number)
        opened = capture.isOpened()
        capture.release()
    return bool(opened)


def is_live(source: str) -> bool:
    """Whether a source goes on by itself: a camera or an address, no file or folder."""
    return "://" in source or source.isdigit() or not (Path(source).exists() or _looks_like_a_path(source))


def _looks_like_a_path(source: str) -> bool:
    return bool(Path(source).suffix) or os.sep in source or "/" in source


def open_capture(source: str, options: CameraOptions | None = None) -> Capture:
    """Opens a camera by its number or name, an address (http, rtsp), or a video file.

    Raises:
        CameraError: it does not open.
    """
    options = options or CameraOptions()
    with _Quiet():
        capture = _open(source, options)
    if not capture.isOpened():
        raise CameraError(f"expected {WHAT}, but {source} does not open")
    return capture


def _open(source: str, options: CameraOptions) -> cv2.VideoCapture:
    if "://" in source:
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MILLISECONDS]
        limits += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MILLISECONDS]
        return cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
    if Path(source).is_file():
        return cv2.VideoCapture(source)
    if not is_live(source):
        raise CameraError(f"expected {WHAT}, but {source} does not exist")
    number = int(source) if source.isdigit() else camera_number(source)
    if number is None:
        known = "; ".join(f"{one.number} {one.name}" for one in list_cameras()) or "none"
        raise CameraError(f"expected {WHAT}, but there is no {source}; cameras here: {known}")
    capture = cv2.VideoCapture(number)
    # Without MJPG many webcams give big pictures only five times a second.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, options.size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, options.size[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def lock_picture(capture: Capture) -> bool:
    """Keeps exposure, white balance and focus as they are now, so that a hand does not change the light of the table.

    Returns:
        Whether the driver took at least the exposure or the white balance.
    """
    exposure = capture.get(cv2.CAP_PROP_EXPOSURE)
    # The drivers' words for "by hand": 1 with Video4Linux and AVFoundation, 0.25 with DirectShow.
    by_hand = 0.25 if sys.platform == "win32" else 1.0
    fixed = bool(capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, by_hand))
    if fixed and exposure:
        capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
    balanced = bool(capture.set(cv2.CAP_PROP_AUTO_WB, 0))
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
    return fixed or balanced


class _Quiet:
    """Keeps OpenCV from writing about cameras that are not there."""

    def __enter__(self) -> None:
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        self._level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

    def __exit__(self, *error: object) -> None:
        cv2.utils.logging.setLogLevel(self._level)
