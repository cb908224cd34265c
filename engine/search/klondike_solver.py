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
from kibitz.engine.search.klondike_bridge import KlondikeState, from_position, to_moves
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.resumable import Resumable
from kibitz.engine.search.table import new_table

__all__ = ["Outcome", "Solution", "new_work", "solve", "solve_position"]

NO_TABLE_BITS = 1  # the driver of the search brings its own table


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
    work = new_work(NO_TABLE_BITS)
    search = Resumable(lambda table, most: kk.search(state.world, work._replace(table=table), most, 0), work.ctl)
    outcome = search.run(limit, clock)
    path = work.frames[1 : int(work.ctl[kp.DEPTH]) + 1, 2] if outcome is Outcome.WON else ()
    return Solution(outcome, tuple(int(move) for move in path), search.nodes)


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
