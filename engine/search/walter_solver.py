"""Walter within one attempt: quick looks by beams, then a complete search as long as the limit allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.search import walter_beam as wb
from kibitz.engine.search import walter_kernel as wk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import Ints, scaled
from kibitz.engine.search.layers import way_back
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.resumable import Resumable
from kibitz.engine.search.table import new_table
from kibitz.engine.search.walter_dead import BASES, FANS

__all__ = ["DeadEnd", "WalterSolution", "beam", "complete", "solve_walter"]

FIRST_LOOK = scaled(60_000, 400)  # moves of the complete search before the beams
WIDTHS = (scaled(100, 4), scaled(1000, 20))
STEPS = 6  # steps kept for one position of a beam


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


class _Search(Resumable):
    """The complete search."""

    def __init__(self, fans: Sequence[int], bases: Sequence[int]) -> None:
        at, piles = np.array(fans, dtype=np.int64), np.array(bases, dtype=np.int64)
        left = np.zeros(14, dtype=np.int64)
        for fan in fans:
            while fan:
                left[fan & 15] += 1
                fan >>= 4
        self.ctl, self.frames, moves = wk.empty_workspace()
        super().__init__(
            lambda table, most: wk.search(at, piles, left, self.ctl, self.frames, moves, table, most), self.ctl
        )

    def solution(self) -> WalterSolution:
        """Return what the search has found."""
        depth = int(self.ctl[wk.DEPTH]) if self.outcome is Outcome.WON else 0
        return WalterSolution(self.outcome, tuple(int(move) for move in self.frames[1 : depth + 1, 2]), (), self.nodes)


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
    path: list[int] = []
    for step in way_back(traces, row):
        while step >> 8:
            path.append(wk.TRANSFER | (step & 255))
            step >>= 8
        path.append(step - 1)
    return tuple(path)
