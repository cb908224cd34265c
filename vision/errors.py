"""What can go wrong with a picture file or a network, as narrow exceptions.

A *bad table* on a good picture is never an exception: it is a `ReadingProblem` in the reading.
"""

from __future__ import annotations

from enum import StrEnum

from kibitz.engine.errors import KibitzError


class PictureErrorKind(StrEnum):
    """Why a picture file cannot be used."""

    NOT_FOUND = "not_found"
    DIRECTORY = "directory"
    UNREADABLE = "unreadable"
    NOT_A_PICTURE = "not_a_picture"
    TRUNCATED = "truncated"
    TOO_SMALL = "too_small"
    TOO_LARGE = "too_large"


class PictureError(KibitzError):
    """A picture file cannot be used; `kind` says why in one word, the text in one line."""

    def __init__(self, kind: PictureErrorKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class DetectorError(KibitzError):
    """A detector backend or a network file cannot be used."""


class ShapeError(KibitzError):
    """An array does not have the shape that a value of this package needs."""
