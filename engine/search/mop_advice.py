"""Advice for Mrs Mop: beams of growing width until one reaches the end; the plan is then followed, not made anew."""

from __future__ import annotations

from collections.abc import Sequence
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
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.table import new_table, rehash
from kibitz.engine.search.values import Advice, Reason, Verdict

__all__ = ["BeamResult", "advise_mop", "beam", "columns_of", "solve_mop", "to_moves"]

WIDTHS = (100, 300, 300, 1000, 3000) if HAVE_NUMBA else (12, 24)
LAYERS = 400  # more moves than any plan worth following
CHILDREN = 60  # most children kept for one position of the beam
RUNS = 8


@dataclass(frozen=True, slots=True)
class BeamResult:
    """What the beams found."""

    outcome: Outcome
    path: tuple[int, ...]
    """The win, or the way to the most promising position met."""
    nodes: int
    """Children looked at."""


def solve_mop(columns: Sequence[Sequence[int]], runs: int, clock: Clock, limit: int, seed: int = 0) -> BeamResult:
    """Try beams of growing width until one wins or the limit (in children looked at) is reached."""
    best = BeamResult(Outcome.UNDECIDED, (), 0)
    nodes = 0
    for number, width in enumerate(WIDTHS):
        result = beam(columns, runs, width, (seed * 31 + number) * 2654435761, clock, limit - nodes)
        nodes += result.nodes
        if result.outcome is not Outcome.UNDECIDED or not best.path:
            best = result
        if result.outcome is not Outcome.UNDECIDED or nodes >= limit or clock.expired:
            break
    return BeamResult(best.outcome, best.path, nodes)


def beam(columns: Sequence[Sequence[int]], runs: int, width: int, noise: int, clock: Clock, limit: int) -> BeamResult:
    """Run one beam. It proves a loss only if neither a position nor a kind of move was ever left out."""
    result = _run(columns, runs, width, noise, clock, limit, every=0)
    if result.outcome is not Outcome.LOST:
        return result
    again = _run(columns, runs, width, noise, clock, limit, every=1)
    return BeamResult(again.outcome, again.path, result.nodes + again.nodes)


def _run(
    columns: Sequence[Sequence[int]], runs: int, width: int, noise: int, clock: Clock, limit: int, *, every: int
) -> BeamResult:
    now, then = mk.empty_beam(width), mk.empty_beam(width)
    for index, column in enumerate(columns):
        now[0][0, index, : len(column)] = column
        now[1][0, index] = len(column)
    now[3][0, mk.RUNS] = runs
    with np.errstate(over="ignore"):
        mk.evaluate(now[0][0], now[1][0], now[2][0], now[3][0])
        return _layers(now, then, (noise & 0x7FFFFFFF, every), clock, limit)


Beam = tuple[Ints, Ints, Ints, Ints]


def _layers(now: Beam, then: Beam, style: tuple[int, int], clock: Clock, limit: int) -> BeamResult:
    width = now[0].shape[0]
    found = np.zeros((width * CHILDREN, 4), dtype=np.int64)
    table, entries = new_table(16), 0
    traces: list[Ints] = []
    count, nodes, complete = 1, 0, True
    best_cost, best_at = int(now[3][0, mk.COST]), (0, 0)
    while count and len(traces) < LAYERS and nodes < limit and not clock.expired:
        end = mk.children(now[0], now[1], now[2], now[3], count, *style, found)
        nodes += end
        if (entries + width) * 2 > table.shape[0]:
            larger = new_table(table.shape[0].bit_length() + 1)
            rehash(table, larger)
            table = larger
        order = np.argsort(found[:end, 0], kind="stable")
        trace = np.zeros((width, 2), dtype=np.int64)
        count = mk.next_layer(now[0], now[1], now[3], then[0], then[1], then[2], then[3], found, order, table, trace)
        entries += count
        complete = complete and count < width and end < found.shape[0]
        traces.append(trace[:count].copy())
        now, then = then, now
        won = np.nonzero(now[3][:count, mk.RUNS] == RUNS)[0]
        if len(won):
            return BeamResult(Outcome.WON, _path(traces, int(won[0])), nodes)
        if count and int(now[3][:count, mk.COST].min()) < best_cost:
            best_cost = int(now[3][:count, mk.COST].min())
            best_at = (len(traces), int(now[3][:count, mk.COST].argmin()))
    path = _path(traces[: best_at[0]], best_at[1]) if best_at[0] else ()
    lost = complete and not count
    return BeamResult(Outcome.LOST if lost else Outcome.UNDECIDED, () if lost else path, nodes)


def _path(traces: Sequence[Ints], row: int) -> tuple[int, ...]:
    moves = []
    for trace in reversed(traces):
        moves.append(int(trace[row, 1]))
        row = int(trace[row, 0])
    return tuple(reversed(moves))


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
    limit = clock.nodes(30_000_000)
    result = solve_mop(columns_of(position), len(position.aside), clock, limit, clock.limit.seed)
    if result.outcome is Outcome.LOST:
        return Advice(None, Reason.NOTHING_LEFT, (), 0.0, 0.0, verdict=Verdict.LOST, loses=True)
    if not result.path:
        return None
    line = to_moves(rules, position, result.path)
    if result.outcome is Outcome.WON:
        return Advice(line[0], Reason.WINS, line, 1.0, 0.0)
    return Advice(line[0], reason_of(rules, position, line), line, verdict=Verdict.NO_WIN_FOUND)
