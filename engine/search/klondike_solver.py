"""Klondike by the common rules: solves what is known, and weighs the irreversible steps where cards are hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.moves import Move
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import klondike_hidden as kh
from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import Ints, scaled
from kibitz.engine.search.klondike_bridge import NO_CARD, UNKNOWN, KlondikeState, from_position, to_moves
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.table import new_table, rehash

__all__ = ["Outcome", "Solution", "Weighed", "solve", "solve_position", "weigh"]

FIRST_TABLE_BITS = 14
MOST_TABLE_BITS = 26
SLICE = scaled(20_000)  # kernel moves between two looks at the clock: about ten milliseconds
MOVES_A_DEPTH = 60


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of a complete search."""

    outcome: Outcome
    path: tuple[int, ...]
    """Kernel moves of the win."""
    nodes: int
    """Kernel moves made."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """One irreversible step with what sampled worlds say of it."""

    path: tuple[int, ...]
    tried: int
    won: int

    @property
    def chance(self) -> float:
        """Share of the worlds won."""
        return self.won / self.tried if self.tried else 0.0


@dataclass(slots=True)
class _Workspace:
    ctl: Ints
    frames: Ints
    moves: Ints
    table: Ints


def _workspace(bits: int) -> _Workspace:
    ctl = np.zeros(kk.CTL_SIZE, dtype=np.int64)
    ctl[kk.DEPTH] = -1
    return _Workspace(
        ctl,
        np.zeros((kk.MAX_DEPTH, 4), dtype=np.int64),
        np.zeros(kk.MAX_DEPTH * MOVES_A_DEPTH, dtype=np.int64),
        new_table(bits),
    )


def solve(state: KlondikeState, clock: Clock, limit: int) -> Solution:
    """Search a completely known state to the end or to the limit; the state's arrays are used up."""
    work = _workspace(FIRST_TABLE_BITS)
    column = state.pile_of()
    status = kk.RUNNING
    while status in (kk.RUNNING, kk.TABLE_FULL):
        left = limit - int(work.ctl[kk.NODES])
        if left <= 0 or clock.expired:
            break
        if status == kk.TABLE_FULL:
            bits = int(work.table.shape[0]).bit_length() + 1
            if bits > MOST_TABLE_BITS:
                break
            larger = new_table(bits)
            rehash(work.table, larger)
            work.table = larger
        status = kk.search(
            state.st,
            state.hid,
            state.hcnt,
            column,
            state.deck,
            work.ctl,
            work.frames,
            work.moves,
            work.table,
            min(left, SLICE),
            0,
        )
    nodes = int(work.ctl[kk.NODES])
    if status == kk.WON:
        depth = int(work.ctl[kk.DEPTH])
        return Solution(Outcome.WON, tuple(int(move) for move in work.frames[1 : depth + 1, 2]), nodes)
    proven = status == kk.EXHAUSTED and not work.ctl[kk.CUT]
    return Solution(Outcome.LOST if proven else Outcome.UNDECIDED, (), nodes)


def solve_position(
    rules: Rules, position: Position, clock: Clock, limit: int
) -> tuple[Solution, tuple[Move, ...]] | None:
    """Solve a position with all cards known; the solution and the win as moves; None where the kernel cannot play."""
    state = from_position(rules, position)
    if state is None or state.n_pool:
        return None
    solution = solve(state, clock, limit)
    line = to_moves(rules, position, solution.path)[0] if solution.outcome is Outcome.WON else ()
    return solution, line


def candidates(state: KlondikeState) -> list[tuple[int, ...]]:
    """Return the paths to every irreversible step that needs only known cards."""
    work = _workspace(FIRST_TABLE_BITS)
    leaves = np.zeros((kh.MAX_LEAVES, kh.MAX_PATH + 2), dtype=np.int64)
    known = state.copy()
    known.deck[known.deck == UNKNOWN] = NO_CARD
    known.hid[known.hid == UNKNOWN] = NO_CARD
    column = known.pile_of()
    count = kh.list_leaves(
        known.st, known.hid, known.hcnt, column, known.deck, work.frames, work.moves, work.table, 0, leaves
    )
    return [tuple(int(move) for move in leaves[i, 1 : leaves[i, 0] + 1]) for i in range(count)]


def weigh(
    state: KlondikeState, paths: Sequence[tuple[int, ...]], clock: Clock, samples: int, nodes: int, seed: int
) -> list[Weighed]:
    """Try the paths on sampled worlds; best first."""
    work = _workspace(FIRST_TABLE_BITS + 2)
    leaves = np.zeros((len(paths), kh.MAX_PATH + 2), dtype=np.int64)
    for i, path in enumerate(paths):
        leaves[i, 0] = len(path)
        leaves[i, 1 : len(path) + 1] = path
    settings = np.zeros(kh.SETTINGS_SIZE, dtype=np.int64)
    settings[kh.PULLS], settings[kh.NODE_LIMIT], settings[kh.SEED], settings[kh.BATCH] = 1, nodes, seed, 10
    stats = np.zeros((len(paths), 2), dtype=np.int64)
    best = 0
    for _ in range(max(1, samples // 10)):
        if clock.expired:
            break
        best = kh.choose(
            state.st, state.hid, state.hcnt, state.deck, state.pool, state.n_pool, leaves, len(paths), settings,
            work.frames, work.moves, work.table, work.ctl, stats,
        )  # fmt: skip
    weighed = [Weighed(tuple(path), int(stats[i, 0]), int(stats[i, 1])) for i, path in enumerate(paths)]
    rest = sorted((i for i in range(len(paths)) if i != best), key=lambda i: (-weighed[i].chance, i))
    return [weighed[i] for i in (best, *rest)]
