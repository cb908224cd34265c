"""A camera that is made of pictures: tables that lie still, and a hand that comes between them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from kibitz.vision.picture import decode_picture
from kibitz.vision.types import ByteArray

STILL_SECONDS, HAND_SECONDS = 4.0, 0.8
SKIN = (120, 150, 200)


class StagedCamera:
    """Shows one table after the other in real time; every frame is decoded anew, as a camera's is."""

    def __init__(
        self,
        pictures: Sequence[Path],
        looks: int,
        clock: Callable[[], float] = time.monotonic,
        still_seconds: float = STILL_SECONDS,
    ) -> None:
        """Starts with the first table.

        Args:
            pictures: files of tables that follow each other, again and again.
            looks: how many tables are shown; the last one stays.
            clock: seconds, steady.
            still_seconds: how long each table lies still.
        """
        self._coded = [path.read_bytes() for path in pictures]
        self._looks, self._clock = looks, clock
        self._still = still_seconds
        self._start, self._due, self._rate = clock(), clock(), 15.0
        self.settled: dict[int, float] = {}
        self.ended = False

    @property
    def table(self) -> int:
        """Number of the table that is shown."""
        return min(int((self._clock() - self._start) / (self._still + HAND_SECONDS)), self._looks - 1)

    @property
    def over(self) -> bool:
        """Whether the last table has lain for its time."""
        return self._clock() - self._start >= self._looks * (self._still + HAND_SECONDS)

    def now(self) -> float:
        return self._clock()

    def get(self, seconds: float) -> ByteArray | None:
        left = self._due - self._clock()
        if left > 0:
            time.sleep(min(left, seconds))
            if left > seconds:
                return None
        now = self._clock()
        self._due = max(self._due + 1 / self._rate, now)
        return self._frame(now)

    def pace(self, rate: float) -> None:
        self._rate = min(rate, 15.0)

    def lock(self) -> None:
        return None

    def close(self) -> None:
        self.ended = True

    def _frame(self, now: float) -> ByteArray:
        table = self.table
        picture = decode_picture(self._coded[table % len(self._coded)]).picture
        since = now - self._start - table * (self._still + HAND_SECONDS)
        if since < HAND_SECONDS and table == self._next_table(now):
            return with_hand(picture, since / HAND_SECONDS)
        self.settled.setdefault(table, now)
        return picture

    def _next_table(self, now: float) -> int:
        return int((now - self._start) / (self._still + HAND_SECONDS))


def with_hand(picture: ByteArray, share: float) -> ByteArray:
    """The picture with an arm that comes in from below and goes again; share 0..1 of the way."""
    height, width = picture.shape[:2]
    reach = round(height * 0.7 * (1 - abs(2 * share - 1)))
    left = round(width * (0.3 + 0.3 * share))
    seen = picture.copy()
    seen[height - reach :, left : left + width // 7] = np.asarray(SKIN, np.uint8)
    return seen
