"""Every exception that Kibitz raises on purpose.

All of them derive from `KibitzError`, so a caller can catch coarse or fine. A message says what was expected,
what came instead and, where it helps, what to do. An impossible *table* is not an exception: see
`kibitz.engine.problems`.
"""

from __future__ import annotations

__all__ = [
    "BeliefError",
    "IllegalMoveError",
    "KibitzError",
    "NotationError",
    "ObservationError",
    "OptionError",
    "RecordError",
    "UnknownGameError",
    "ValueRangeError",
]

_LONGEST_QUOTE = 60


class KibitzError(Exception):
    """Base of all errors that Kibitz raises on purpose."""


class ValueRangeError(KibitzError, ValueError):
    """A value object was built from values that it cannot have (a rank of 14, a count of 0)."""


class NotationError(KibitzError, ValueError):
    """A text, a JSON value or a file is not in the form that was expected."""

    def __init__(self, expected: str, got: object, where: str = "") -> None:
        """Remember what was expected and what came.

        Args:
            expected: What would have been accepted, in words.
            got: What came; quoted and shortened in the message.
            where: The place in the input, if known, such as "tableau 3".
        """
        place = f"{where}: " if where else ""
        super().__init__(f"{place}expected {expected}, got {quote(got)}")
        self.expected = expected
        self.got = got
        self.where = where


class OptionError(KibitzError, ValueError):
    """An option of a patience does not exist or cannot have the value given."""


class UnknownGameError(KibitzError, LookupError):
    """No patience of that name is known."""


class IllegalMoveError(KibitzError, ValueError):
    """A move is not legal in the position."""


class ObservationError(KibitzError, ValueError):
    """An observation contradicts what the position already knows."""


class BeliefError(KibitzError, ValueError):
    """The cards not yet seen cannot fill the places not yet seen."""


class RecordError(KibitzError, ValueError):
    """A recorded game cannot be read or replayed."""


def quote(value: object) -> str:
    """Return the value as it goes into a message: its repr, cut to a readable length."""
    text = repr(value if not isinstance(value, (str, bytes)) else value[: _LONGEST_QUOTE + 1])
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
