"""The clock of one piece of advice: deadline, counts and cancelling in one place."""

from __future__ import annotations

import time
from collections.abc import Callable

from kibitz.engine.search.values import Limit

__all__ = ["Clock"]

TIMED = 50  # a limit in seconds alone lets a search grow to so many times its fixed count


class Clock:
    """Counts down one `Limit`. `expired` is asked before every step that takes longer than a few milliseconds."""

    def __init__(self, limit: Limit, share: float = 1.0, now: Callable[[], float] = time.perf_counter) -> None:
        """Start the clock.

        Args:
            limit: What is allowed.
            share: Part of the seconds that this clock may use.
            now: The time in seconds; tests hand in their own.
        """
        self.limit = limit
        self._now = now
        self._start = now()
        self._end = None if limit.seconds is None else self._start + limit.seconds * share

    @property
    def expired(self) -> bool:
        """Whether time is over or the caller has cancelled."""
        if self._end is not None and self._now() >= self._end:
            return True
        return self.limit.cancel is not None and self.limit.cancel()

    @property
    def left(self) -> float | None:
        """Seconds left; None without a deadline."""
        return None if self._end is None else max(0.0, self._end - self._now())

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return self._now() - self._start

    def nodes(self, default: int) -> int:
        """Positions one search may look at."""
        return self.limit.nodes if self.limit.nodes is not None else default

    def solver_nodes(self, default: int) -> int:
        """Steps a complete search may make; where only time is limited, as many as the time allows."""
        only_time = self.limit.nodes is None and self.limit.seconds is not None
        return default * TIMED if only_time else self.nodes(default)

    def samples(self, default: int) -> int:
        """Searches of sampled worlds that may be made."""
        return self.limit.samples if self.limit.samples is not None else default
