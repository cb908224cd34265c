"""Picture files of any usual kind as frames, EXIF-turned and of a sensible size."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np

from kibitz.vision.errors import PictureError, PictureErrorKind
from kibitz.vision.types import ByteArray, Frame

MOST_PIXELS = 13_000_000
"""Bigger pictures are shrunk to this: an index of such a picture is far larger than the networks need."""
LEAST_SIDE = 48
"""Pixels; on less than this not even one card can be read."""

_MAGIC = (
    b"\xff\xd8\xff", b"\x89PNG", b"RIFF", b"BM", b"II*\x00", b"MM\x00*", b"GIF8", b"\x00\x00\x00\x0cjP", b"P5", b"P6",
)  # fmt: skip


def read_picture(path: str | Path) -> Frame:
    """Reads a picture file: JPEG (CMYK too), PNG (16 bit too), WebP, TIFF, BMP and what else OpenCV knows.

    Raises:
        PictureError: the file is missing, is a directory, cannot be opened, is no picture, is cut off, or too small.
    """
    return decode_picture(_file_bytes(Path(path)), str(path))


def decode_picture(data: bytes, name: str = "picture") -> Frame:
    """The same for the bytes of a file; `name` is used in messages.

    Raises:
        PictureError: the bytes are no picture, cut off, or the picture is too small or too large.
    """
    picture = _decode(data, name)
    if picture is None:
        if data.startswith(_MAGIC):
            text = f"expected a whole picture, but {name} is cut off or damaged ({len(data)} bytes); copy it again"
            raise PictureError(PictureErrorKind.TRUNCATED, text)
        text = f"expected a picture, but {name} is none that is known; use JPEG, PNG, WebP, TIFF or BMP"
        raise PictureError(PictureErrorKind.NOT_A_PICTURE, text)
    return frame_of(picture, name)


def frame_of(picture: ByteArray, name: str = "") -> Frame:
    """A frame of a decoded (H, W, 3) BGR picture, shrunk if it is very big.

    Raises:
        PictureError: the picture is too small.
    """
    height, width = picture.shape[:2]
    if min(height, width) < LEAST_SIDE:
        text = f"expected at least {LEAST_SIDE} pixels on each side, but {name} is {width}x{height}; take a bigger one"
        raise PictureError(PictureErrorKind.TOO_SMALL, text)
    if height * width <= MOST_PIXELS:
        return Frame(np.ascontiguousarray(picture), 1.0, name)
    scale = math.sqrt(height * width / MOST_PIXELS)
    size = round(width / scale), round(height / scale)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return Frame(np.asarray(small, np.uint8), width / size[0], name)


def _file_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise PictureError(PictureErrorKind.NOT_FOUND, f"expected a picture file, but {path} does not exist") from None
    except IsADirectoryError:
        text = f"expected a picture file, but {path} is a directory; name the pictures in it"
        raise PictureError(PictureErrorKind.DIRECTORY, text) from None
    except OSError as error:
        if path.is_dir():
            text = f"expected a picture file, but {path} is a directory; name the pictures in it"
            raise PictureError(PictureErrorKind.DIRECTORY, text) from None
        text = f"expected a picture file, but {path} cannot be opened: {error.strerror or error}"
        raise PictureError(PictureErrorKind.UNREADABLE, text) from error


def _decode(data: bytes, name: str) -> ByteArray | None:
    if not data:
        return None
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        if "pixels" in str(error).lower():
            text = f"expected a picture of at most 1 gigapixel, but {name} is larger; shrink it first"
            raise PictureError(PictureErrorKind.TOO_LARGE, text) from None
        return None
    finally:
        cv2.utils.logging.setLogLevel(level)
    return None if picture is None else np.asarray(picture, np.uint8)
