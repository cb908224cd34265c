"""Depth-first searches of all kernels are driven alike: slices between looks at the clock, a table that grows."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import Ints, scaled
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.table import new_table, rehash

__all__ = ["Resumable"]

FIRST_TABLE_BITS = 14
MOST_TABLE_BITS = 25  # 256 MiB, beside half of that while it grows
PIECE = scaled(1 << 18, 1 << 12)  # slots moved to a larger table between two looks at the clock
SLICE = scaled(20_000)  # kernel moves between two looks at the clock: about ten milliseconds
NODES, CUT = 1, 3  # places in the control vector, the same in every kernel
RUNNING, WON, EXHAUSTED, TABLE_FULL = 0, 1, 2, 3  # what a kernel's search says


class Resumable:
    """One depth-first search that can be gone on with."""

    def __init__(self, search: Callable[[Ints, int], int], ctl: Ints) -> None:
        """Prepare the search.

        Args:
            search: Goes on for at most so many moves with that table and says how it stands.
            ctl: Its control vector.
        """
        self._search, self._ctl = search, ctl
        self._table = new_table(FIRST_TABLE_BITS)
        self._status = RUNNING

    @property
    def nodes(self) -> int:
        """Kernel moves made so far."""
        return int(self._ctl[NODES])

    @property
    def outcome(self) -> Outcome:
        """What is known; a loss only if nothing was cut off."""
        if self._status == WON:
            return Outcome.WON
        return Outcome.LOST if self._status == EXHAUSTED and not self._ctl[CUT] else Outcome.UNDECIDED

    def run(self, limit: int, clock: Clock) -> Outcome:
        """Go on until so many moves have been made in all, or time or memory is over."""
        while self._status in (RUNNING, TABLE_FULL) and self.nodes < limit and not clock.expired:
            if self._status == TABLE_FULL:
                bits = self._table.shape[0].bit_length() + 1
                if bits > MOST_TABLE_BITS:
                    break
                larger = _moved(self._table, bits, clock)
                if larger is None:
                    break
                self._table = larger
            self._status = self._search(self._table, min(SLICE, limit - self.nodes))
        return self.outcome


def _moved(table: Ints, bits: int, clock: Clock) -> Ints | None:
    """Return the table with room for more; None if time ran out over it."""
    larger = new_table(bits)
    for start in range(0, len(table), PIECE):
        if clock.expired:
            return None
        rehash(table[start : start + PIECE], larger)
    return larger
