"""Walter within one attempt: quick looks by beams, then a complete search as long as the limit allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.search import walter_beam as wb
from kibitz.engine.search import walter_kernel as wk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import Ints, scaled
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.table import new_table, rehash
from kibitz.engine.search.walter_dead import BASES, FANS

__all__ = ["DeadEnd", "WalterSolution", "beam", "complete", "solve_walter"]

FIRST_LOOK = scaled(60_000, 400)  # moves of the complete search before the beams
WIDTHS = (scaled(100, 4), scaled(1000, 20))
STEPS = 6  # steps kept for one position of a beam
SLICE = scaled(40_000, 400)
TABLE_BITS, MOST_TABLE_BITS = 14, 26


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """Where nothing can be placed any more."""

    placed: int
    """Cards on the base piles."""
    path: tuple[int, ...]
    """Kernel moves to it."""


@dataclass(frozen=True, slots=True)
class WalterSolution:
    """What is known of one attempt."""

    outcome: Outcome
    path: tuple[int, ...]
    """Kernel moves of a win."""
    ends: tuple[DeadEnd, ...]
    """Dead ends, most cards first."""
    nodes: int
    """Moves and steps made."""


class _Search:
    """The complete search, which can be gone on with."""

    def __init__(self, fans: Sequence[int], bases: Sequence[int]) -> None:
        self.fans, self.bases = np.array(fans, dtype=np.int64), np.array(bases, dtype=np.int64)
        self.left = np.zeros(14, dtype=np.int64)
        for fan in fans:
            while fan:
                self.left[fan & 15] += 1
                fan >>= 4
        self.ctl, self.frames, self.moves = wk.empty_workspace()
        self.table: Ints = new_table(TABLE_BITS)
        self.status = wk.RUNNING

    @property
    def nodes(self) -> int:
        return int(self.ctl[wk.NODES])

    def run(self, limit: int, clock: Clock) -> None:
        """Go on until so many moves have been made in all."""
        while self.status in (wk.RUNNING, wk.TABLE_FULL) and self.nodes < limit and not clock.expired:
            if self.status == wk.TABLE_FULL:
                bits = self.table.shape[0].bit_length() + 1
                if bits > MOST_TABLE_BITS:
                    return
                larger = new_table(bits)
                rehash(self.table, larger)
                self.table = larger
            most = min(SLICE, limit - self.nodes)
            self.status = wk.search(
                self.fans, self.bases, self.left, self.ctl, self.frames, self.moves, self.table, most
            )

    def solution(self) -> WalterSolution:
        """Return what the search has found."""
        if self.status == wk.WON:
            path = tuple(int(move) for move in self.frames[1 : int(self.ctl[wk.DEPTH]) + 1, 2])
            return WalterSolution(Outcome.WON, path, (), self.nodes)
        proven = self.status == wk.EXHAUSTED and not self.ctl[wk.CUT]
        return WalterSolution(Outcome.LOST if proven else Outcome.UNDECIDED, (), (), self.nodes)


def complete(fans: Sequence[int], bases: Sequence[int], clock: Clock, limit: int) -> WalterSolution:
    """Run the complete search alone; it collects no dead ends."""
    search = _Search(fans, bases)
    search.run(limit, clock)
    return search.solution()


def solve_walter(fans: Sequence[int], bases: Sequence[int], clock: Clock, limit: int, seed: int = 0) -> WalterSolution:
    """Search one attempt: most wins are found at once or by beams, a loss is proven by the complete search."""
    search = _Search(fans, bases)
    search.run(min(FIRST_LOOK, limit), clock)
    found = search.solution()
    spent = search.nodes
    ends: dict[int, DeadEnd] = {}
    if found.outcome is not Outcome.WON:
        for number, width in enumerate(WIDTHS):
            look = beam(fans, bases, width, seed + number, clock)
            spent += look.nodes
            ends |= {end.placed: end for end in look.ends}
            if look.outcome is Outcome.WON:
                return WalterSolution(Outcome.WON, look.path, (), spent)
            if found.outcome is Outcome.LOST or spent >= limit or clock.expired:
                break
        search.run(limit - spent + search.nodes, clock)
        found = search.solution()
    ordered = tuple(ends[placed] for placed in sorted(ends, reverse=True))
    return WalterSolution(found.outcome, found.path, ordered, spent + search.nodes)


def beam(fans: Sequence[int], bases: Sequence[int], width: int, seed: int, clock: Clock) -> WalterSolution:
    """Search by layers of at most `width` positions; proves nothing, but finds wins and good dead ends."""
    now, then = _empty_layer(width), _empty_layer(width)
    now[0][0], now[1][0] = fans, bases
    found = np.zeros((width * STEPS + wb.ROOM, wb.FOUND), dtype=np.int64)
    local, table = new_table(wb.LOCAL_BITS), new_table((width * 2).bit_length() + 1)
    dead = np.zeros(1, dtype=np.int64)
    noise = (seed * 0x9E3779B1) & 0x7FFFFFFF
    traces: list[Ints] = []
    ends: list[DeadEnd] = []
    count, nodes, start = 1, 0, sum(bases)
    while count and not clock.expired:
        if start + len(traces) == wb.CARDS:
            return WalterSolution(Outcome.WON, _path(traces, 0), (), nodes)
        end = wb.layer_steps(*now, count, found, local, dead)
        if dead[0] >= 0:
            ends.append(DeadEnd(start + len(traces), _path(traces, int(dead[0]))))
        nodes += end
        trace = np.zeros((width, 2), dtype=np.int64)
        count = wb.next_layer(*now, found, end, noise, table, *then, trace)
        traces.append(trace)
        now, then = then, now
    return WalterSolution(Outcome.UNDECIDED, (), tuple(reversed(ends)), nodes)


def _empty_layer(width: int) -> tuple[Ints, Ints]:
    return np.zeros((width, FANS), dtype=np.int64), np.zeros((width, BASES), dtype=np.int64)


def _path(traces: Sequence[Ints], row: int) -> tuple[int, ...]:
    """Return the kernel moves to a position of the last layer."""
    packed = []
    for trace in reversed(traces):
        packed.append(int(trace[row, 1]))
        row = int(trace[row, 0])
    path: list[int] = []
    for step in reversed(packed):
        while step >> 8:
            path.append(wk.TRANSFER | (step & 255))
            step >>= 8
        path.append(step - 1)
    return tuple(path)
