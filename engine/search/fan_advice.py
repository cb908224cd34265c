"""Advice for the Nineteenth Fan: the line of moves to the best arrangement of the open fans, then a triple is drawn.

What comes from the stock is not known, so a line ends where a fan is emptied and new cards fill its place. When no line
improves the fans, three cards are drawn; when the stock is gone, as many cards as possible go up before the redeal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import fan_kernel as fk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import HAVE_NUMBA, Ints
from kibitz.engine.search.judge import reason_of, step
from kibitz.engine.search.layers import way_back
from kibitz.engine.search.table import new_table
from kibitz.engine.search.values import Advice, Reason, Verdict

__all__ = ["advise_fan", "arrays", "best_line", "to_moves"]

WIDTH = 100 if HAVE_NUMBA else 3
WIDE = 1200 if HAVE_NUMBA else 4  # for the last chances: before the redeal and after it
LAYERS = 40 if HAVE_NUMBA else 10
CHILDREN = 40  # most children kept for one position
TABLE_BITS = 16
CARDS = 104
MOST_TRIALS = 200  # ways to use a triple that are compared
_PLAYABLE = {"fan_build": "any", "auto_foundation": True, "empty_place": "none"}

Row = tuple[fk.Bytes, Ints, Ints, Ints]


@dataclass(frozen=True, slots=True)
class Found:
    """The best arrangement that a search has met."""

    path: tuple[int, ...]
    """Kernel moves to it."""
    gain: int
    """By how much its value is higher than that of the start."""
    up: int
    """Cards on the foundations there."""


def advise_fan(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice; None where only the plain adviser can help."""
    if any(rules.options[name] != value for name, value in _PLAYABLE.items()) or rules.problems(position):
        return None
    if rules.unread(position) or rules.pending(position) or max(map(len, position.tableau)) > fk.MOST - 3:
        return None
    if position.auxiliary:
        return _advise_trial(rules, position, clock)
    start = arrays(position)
    legal = rules.legal_moves(position)
    draw = next((move for move in legal if move.kind is MoveKind.DRAW), None)
    redeal = next((move for move in legal if move.kind is MoveKind.REDEAL), None)
    found = best_line(start, style_of(position, last=redeal is not None), clock, WIDTH if draw else WIDE)
    if found.path:
        line = to_moves(rules, position, found.path)
        if found.up == CARDS:
            return Advice(line[0], Reason.WINS, line, 1.0, 0.0)
        return Advice(line[0], reason_of(rules, position, line), line)
    if draw is not None:
        return Advice(draw, Reason.LOOKS_AT_STOCK, (draw,))
    if redeal is not None:
        return Advice(redeal, Reason.REDEALS, (redeal,))
    return Advice(None, Reason.NOTHING_LEFT, verdict=Verdict.CYCLING if position.unknown() else Verdict.NO_WIN_FOUND)


def _advise_trial(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the way to use the three cards that leaves the fans best, or the only move where they cannot be used."""
    legal = rules.legal_moves(position)
    if len(legal) == 1:
        return Advice(legal[0], reason_of(rules, position, legal), legal)
    best: tuple[int, tuple[Move, ...]] | None = None
    for number, (line, after) in enumerate(_used(rules, position, ())):
        value = int(arrays(after)[3][0, fk.VALUE])
        if best is None or value > best[0]:
            best = value, line
        if number == MOST_TRIALS or clock.expired:
            break
    if best is None:
        return None
    return Advice(best[1][0], reason_of(rules, position, best[1]), best[1])


def _used(rules: Rules, position: Position, line: tuple[Move, ...]) -> Iterator[tuple[tuple[Move, ...], Position]]:
    """Yield every way to use the trial cards, with the position then."""
    if not position.auxiliary:
        yield line, position
        return
    for move in rules.legal_moves(position):
        yield from _used(rules, step(rules, position, move), (*line, move))


def style_of(position: Position, *, last: bool = False) -> Ints:
    """Return what counts: cards still to come, draws still to come; with `last` little but the cards that go up."""
    stock = len(position.stock)
    return np.array([stock, position.attempt == 1 and stock > 0, 0, last], dtype=np.int64)


def arrays(position: Position) -> Row:
    """Return the position as a beam of one row; a fan with cards not known yet counts as emptied."""
    fans, size, ups, meta = fk.empty_beam(1)
    for index, pile in enumerate(position.tableau):
        codes = [card.card.index for card in pile if card.card is not None]
        if len(codes) < len(pile):
            continue
        fans[0, index, : len(codes)] = codes
        size[0, index] = len(codes)
    for pile in position.foundations:
        if pile and pile[0].card is not None:
            first = pile[0].card.suit * 2
            heights = sorted((len(pile), int(ups[0, first])), reverse=True)
            ups[0, first], ups[0, first + 1] = heights[0], max(heights[1], int(ups[0, first + 1]))
    fk.evaluate(fans[0], size[0], ups[0], style_of(position), meta[0])
    return fans, size, ups, meta


def best_line(start: Row, style: Ints, clock: Clock, width: int) -> Found:
    """Search by layers; the best arrangement met, or an empty path where nothing is better than the start."""
    now, then = fk.empty_beam(width), fk.empty_beam(width)
    now[0][0], now[1][0], now[2][0] = start[0][0], start[1][0], start[2][0]
    fk.evaluate(now[0][0], now[1][0], now[2][0], style, now[3][0])
    now[3][0, fk.EMPTIED] = 0  # places without cards that were there before bring nothing new
    first = _worth(now, 1, style)[0]
    best, at = int(first), (0, 0)
    up = int(now[2][0].sum())
    found = np.zeros((width * CHILDREN, fk.FOUND), dtype=np.int64)
    table = new_table(TABLE_BITS)
    traces: list[Ints] = []
    count = 1
    while count and len(traces) < LAYERS and up < CARDS and not clock.expired:
        end = fk.children(*now, count, style, found)
        trace = np.zeros((width, 2), dtype=np.int64)
        count = fk.next_layer(now[0], now[1], now[2], *then, found, end, style, table, trace)
        traces.append(trace)
        now, then = then, now
        worth = _worth(now, count, style)
        if count and int(worth.max()) > best:
            row = int(worth.argmax())
            best, at, up = int(worth[row]), (len(traces), row), int(now[2][row].sum())
    return Found(way_back(traces[: at[0]], at[1]), best - int(first), up)


def _worth(beam: Row, count: int, style: Ints) -> Ints:
    """Return what the positions are worth at the end of a line: all of their value, or only the cards gone up."""
    if style[fk.COUNT_ONLY]:
        worth: Ints = beam[2][:count].sum(axis=1)
        return worth
    return beam[3][:count, fk.VALUE]


def to_moves(rules: Rules, position: Position, path: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves at the table for kernel moves from this position."""
    line = []
    for code in path:
        wanted = Move(MoveKind.MOVE, PileId.of(PileKind.TABLEAU, code >> 8), PileId.of(PileKind.TABLEAU, code & 255))
        legal = rules.legal_moves(position)
        line.append(legal[legal.index(wanted)])
        position = step(rules, position, wanted)
    return tuple(line)
