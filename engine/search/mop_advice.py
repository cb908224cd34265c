"""Advice for Mrs Mop: beams of growing width until one reaches the end; the plan is then followed, not made anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import mop_kernel as mk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import HAVE_NUMBA, Ints
from kibitz.engine.search.judge import reason_of, step
from kibitz.engine.search.layers import way_back
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.table import new_table, rehash
from kibitz.engine.search.values import Advice, Reason, Verdict

__all__ = ["BeamResult", "advise_mop", "columns_of", "solve_mop", "to_moves"]

FIRST_WIDTHS = (300, 1000, 3000) if HAVE_NUMBA else (12, 24)
"""Beams until one wins."""
WIDER = (3000,) if HAVE_NUMBA else ()
"""Beams that look for a shorter way once one is known (ten thousand save one move more, for four seconds)."""
LAST_TRIES = (3000, 10_000) if HAVE_NUMBA else ()
"""Beams with other luck where none has won."""
CHILDREN_A_LAYER = 10  # children of a position, about
SPEED = 2_000_000  # children in a second, about
LAYERS = 400  # more moves than any plan worth following
CHILDREN = 60  # most children kept for one position of the beam
RUNS = 8
CHILDREN_LOOKED_AT = 30_000_000
MOST_PROVEN = 20_000  # positions looked at to prove a loss


@dataclass(frozen=True, slots=True)
class BeamResult:
    """What the beams found."""

    outcome: Outcome
    path: tuple[int, ...]
    """The win, or the way to the most promising position met."""
    nodes: int
    """Children looked at."""


@dataclass(frozen=True, slots=True)
class _Style:
    """How one beam looks."""

    width: int
    noise: int
    """Its luck."""
    most: int = LAYERS
    """No way of more moves is of interest."""
    every: int = 0
    """Whether nothing is left out but moves that change nothing."""


def solve_mop(columns: Sequence[Sequence[int]], runs: int, clock: Clock, limit: int, seed: int = 0) -> BeamResult:
    """Try beams of growing width until one wins or the limit is reached, and wider ones for a shorter way.

    Args:
        columns: The cards of every column, covered end first.
        runs: Runs that have left the table.
        clock: Ends the search.
        limit: Children to be looked at, about.
        seed: Starts the luck.
    """
    best = BeamResult(Outcome.UNDECIDED, (), 0)
    nodes = 0
    waiting = [*FIRST_WIDTHS, *LAST_TRIES]
    number = 0
    while waiting:
        width = waiting.pop(0)
        won = best.outcome is Outcome.WON
        most = len(best.path) - 1 if won else LAYERS
        likely = width * CHILDREN_A_LAYER * min(most, 120)
        if number and (nodes + likely > limit or (won and clock.left is not None and clock.left * SPEED < likely)):
            break
        style = _Style(width, ((seed * 31 + number) * 2654435761) & 0x7FFFFFFF, most)
        result = _run(columns, runs, style, clock, limit - nodes)
        number += 1
        nodes += result.nodes
        if result.outcome is Outcome.LOST:
            return BeamResult(*_proven(columns, runs, clock), nodes)
        if result.outcome is Outcome.WON or not best.path:
            best = result
        if not won and best.outcome is Outcome.WON:
            waiting = [wider for wider in WIDER if wider > width]
        if clock.expired:
            break
    return BeamResult(best.outcome, best.path, nodes)


def _proven(columns: Sequence[Sequence[int]], runs: int, clock: Clock) -> tuple[Outcome, tuple[int, ...]]:
    """Look at every position that can be reached, for a beam left some kinds of moves out; few are left by then."""
    start = (tuple(sorted(tuple(column) for column in columns)), runs)
    been, waiting = {start}, [start]
    while waiting:
        here, done = waiting.pop()
        if done == RUNS or len(been) > MOST_PROVEN or clock.expired:
            return Outcome.UNDECIDED, ()
        for after in _after(here, done):
            if after not in been:
                been.add(after)
                waiting.append(after)
    return Outcome.LOST, ()


Columns = tuple[tuple[int, ...], ...]


def _after(columns: Columns, runs: int) -> Iterator[tuple[Columns, int]]:
    """Yield the positions after every move but those of a whole column into an empty one."""
    for source, column in enumerate(columns):
        for start in range(len(column) - 1, -1, -1):
            if start + 1 < len(column) and (column[start + 1] != column[start] - 1 or column[start] % 13 == 0):
                break
            for target, onto in enumerate(columns):
                fits = onto[-1] % 13 == column[start] % 13 + 1 if onto else start > 0
                if target == source or not fits:
                    continue
                grown = onto + column[start:]
                full = grown[-13:] == tuple(range(grown[-1] + 12, grown[-1] - 1, -1)) and grown[-1] % 13 == 0
                changed = list(columns)
                changed[source], changed[target] = column[:start], grown[:-13] if full else grown
                yield tuple(sorted(changed)), runs + full


def _run(columns: Sequence[Sequence[int]], runs: int, style: _Style, clock: Clock, limit: int) -> BeamResult:
    """Run one beam. LOST means that it has seen all there is, but for the moves that it leaves out."""
    now, then = mk.empty_beam(style.width), mk.empty_beam(style.width)
    for index, column in enumerate(columns):
        now[0][0, index, : len(column)] = column
        now[1][0, index] = len(column)
    now[2][0, mk.RUNS] = runs
    mk.evaluate(now[0][0], now[1][0], now[2][0])
    return _layers(now, then, style, clock, limit)


Beam = tuple[mk.Bytes, Ints, Ints]


def _layers(now: Beam, then: Beam, style: _Style, clock: Clock, limit: int) -> BeamResult:
    width = style.width
    found = np.zeros((width * CHILDREN + mk.ROOM, mk.FOUND), dtype=np.int64)
    table, entries = new_table(16), 0
    traces: list[Ints] = []
    count, nodes, complete = 1, 0, True
    best_cost, best_at = int(now[2][0, mk.COST]), (0, 0)
    while count and len(traces) < style.most and nodes < limit and not clock.expired:
        end = mk.children(*now, count, style.noise, style.every, found)
        nodes += end
        if (entries + width) * 2 > table.shape[0]:
            larger = new_table(table.shape[0].bit_length() + 1)
            rehash(table, larger)
            table = larger
        trace = np.zeros((width, 2), dtype=np.int64)
        count = mk.next_layer(*now, *then, found, end, style.noise, table, trace)
        entries += count
        complete = complete and count < width and end < width * CHILDREN
        traces.append(trace[:count].copy())
        now, then = then, now
        won = np.nonzero(now[2][:count, mk.RUNS] == RUNS)[0]
        if len(won):
            return BeamResult(Outcome.WON, way_back(traces, int(won[0])), nodes)
        if count and int(now[2][:count, mk.COST].min()) < best_cost:
            best_cost = int(now[2][:count, mk.COST].min())
            best_at = (len(traces), int(now[2][:count, mk.COST].argmin()))
    path = way_back(traces[: best_at[0]], best_at[1]) if best_at[0] else ()
    lost = complete and not count
    return BeamResult(Outcome.LOST if lost else Outcome.UNDECIDED, () if lost else path, nodes)


def columns_of(position: Position) -> list[list[int]]:
    """Return the columns as the kernel has them; all cards must be known."""
    return [[card.card.index for card in pile if card.card is not None] for pile in position.tableau]


def to_moves(rules: Rules, position: Position, path: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves at the table for kernel moves from this position."""
    line = []
    for code in path:
        source, target = PileId.of(PileKind.TABLEAU, code >> 12), PileId.of(PileKind.TABLEAU, code >> 8 & 15)
        wanted = Move(MoveKind.MOVE, source, target, code & 255)
        legal = rules.legal_moves(position)
        line.append(legal[legal.index(wanted)])
        position = step(rules, position, wanted)
    return tuple(line)


def advise_mop(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice, or None where a card is not known or the table is not in order."""
    if position.unknown() or rules.problems(position):
        return None
    limit = clock.solver_nodes(CHILDREN_LOOKED_AT)
    result = solve_mop(columns_of(position), len(position.aside), clock, limit, clock.limit.seed)
    if result.outcome is Outcome.LOST:
        return Advice(None, Reason.NOTHING_LEFT, (), 0.0, 0.0, verdict=Verdict.LOST, loses=True)
    if not result.path:
        return None
    line = to_moves(rules, position, result.path)
    if result.outcome is Outcome.WON:
        return Advice(line[0], Reason.WINS, line, 1.0, 0.0)
    return Advice(line[0], reason_of(rules, position, line), line, verdict=Verdict.NO_WIN_FOUND)
