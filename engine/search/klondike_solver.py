"""Klondike with all cards known: complete searches, and what they found as moves at the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.engine.moves import Move
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search import klondike_parts as kp
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import Ints, scaled
from kibitz.engine.search.klondike_bridge import KlondikeState, from_position, to_moves
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.table import new_table, rehash

__all__ = ["Outcome", "Solution", "new_work", "solve", "solve_position"]

FIRST_TABLE_BITS = 14
MOST_TABLE_BITS = 25  # 256 MiB, beside half of that while it grows
PIECE = scaled(1 << 16, 1 << 12)  # slots moved to a larger table between two looks at the clock
SLICE = scaled(20_000)  # kernel moves between two looks at the clock: about ten milliseconds


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of a complete search."""

    outcome: Outcome
    path: tuple[int, ...]
    """Kernel moves of the win."""
    nodes: int
    """Kernel moves made."""


def new_work(bits: int) -> kp.Work:
    """Return the arrays for a search with a table of 2**bits slots."""
    ctl = np.zeros(kp.CTL_SIZE, dtype=np.int64)
    ctl[kp.DEPTH] = -1
    frames = np.zeros((kp.MAX_DEPTH, 4), dtype=np.int64)
    return kp.Work(ctl, frames, np.zeros(kp.MAX_DEPTH * kp.MOVES_A_DEPTH, dtype=np.int64), new_table(bits))


def solve(state: KlondikeState, clock: Clock, limit: int) -> Solution:
    """Search a completely known state to the end or to the limit; the state's arrays are used up."""
    work = new_work(FIRST_TABLE_BITS)
    status = kp.RUNNING
    while status in (kp.RUNNING, kp.TABLE_FULL):
        left = limit - int(work.ctl[kp.NODES])
        if left <= 0 or clock.expired:
            break
        if status == kp.TABLE_FULL:
            bits = int(work.table.shape[0]).bit_length() + 1
            if bits > MOST_TABLE_BITS:
                break
            larger = _moved(work.table, bits, clock)
            if larger is None:
                break
            work = work._replace(table=larger)
        status = kk.search(state.world, work, min(left, SLICE), 0)
    nodes = int(work.ctl[kp.NODES])
    if status == kp.WON:
        depth = int(work.ctl[kp.DEPTH])
        return Solution(Outcome.WON, tuple(int(move) for move in work.frames[1 : depth + 1, 2]), nodes)
    proven = status == kp.EXHAUSTED and not work.ctl[kp.CUT]
    return Solution(Outcome.LOST if proven else Outcome.UNDECIDED, (), nodes)


def _moved(table: Ints, bits: int, clock: Clock) -> Ints | None:
    """Return the table with room for more; None if time ran out over it."""
    larger = new_table(bits)
    for start in range(0, len(table), PIECE):
        if clock.expired:
            return None
        rehash(table[start : start + PIECE], larger)
    return larger


def solve_position(
    rules: Rules, position: Position, clock: Clock, limit: int
) -> tuple[Solution, tuple[Move, ...]] | None:
    """Solve a position with all cards known; the solution and the win as moves; None where the kernel cannot play."""
    state = from_position(rules, position)
    if state is None or state.unseen:
        return None
    solution = solve(state, clock, limit)
    line = to_moves(rules, position, solution.path)[0] if solution.outcome is Outcome.WON else ()
    return solution, line
