"""Walter, one attempt with every card seen: complete depth-first search over ranks (see `walter_beam` for quick wins).

A fan is one number with a rank in every four bits, the free card in the highest ones used; fans are interchangeable,
so the key adds up one random number for each. A base pile is the number of its cards: its next rank follows from it.

Moves: a free card to a base pile (code fan << 4 | base), or onto a free card of the same rank in an incomplete fan
(code 1024 | fan << 4 | target). What is left out, and why nothing is lost:
* equal fans are tried once;
* the last card of a fan is never transferred: it is free where it lies;
* what can be done without a transfer is done before it: after one, only the card that it laid bare is placed (or cards
  are transferred further), so these positions have keys of their own;
* when a rank is wanted by as many base piles as it has cards left, its free card goes up at once: each of those cards
  will go to one of those piles, so none of them has anything to wait for;
* positions that are lost even in an easier game (`walter_dead`).

Each frame keeps (next move, end of moves, move made, undo, key before).
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.table import contains, insert, zobrist
from kibitz.engine.search.walter_dead import BASES, FANS, WANTED, hopeless, top_shift

MAX_DEPTH = 400
MOVES = 220  # more moves than one position has
TRANSFER = 1024
# control vector
DEPTH, NODES, ENTRIES, CUT, SUM = 0, 1, 2, 3, 4
CTL_SIZE = 8
RUNNING, WON, EXHAUSTED, TABLE_FULL = 0, 1, 2, 3

_FAN_Z = zobrist(20262, 1 << 16) >> 2
_BASE_Z = zobrist(20263, 1 << 16)
_ONLY_Z = zobrist(20266, 1 << 12)
_MASK = (1 << 62) - 1


@kernel
def root_sum(fans: Ints) -> int:
    """Sum of the random numbers of the fans."""
    total = 0
    for fan in range(FANS):
        total = (total + _FAN_Z[fans[fan]]) & _MASK
    return total


@kernel
def key_of(total: int, bases: Ints) -> int:
    """Key of a position."""
    return total ^ _BASE_Z[bases[0] | bases[1] << 4 | bases[2] << 8 | bases[3] << 12]


@kernel
def generate(fans: Ints, bases: Ints, left: Ints, only: int, out: Ints, start: int) -> int:
    """Write the moves worth trying to out[start:]; give the end. Cards are placed from fan `only`, if it is not -1."""
    end = start
    for fan in range(FANS):
        code = fans[fan]
        if code == 0 or (only >= 0 and fan != only):
            continue
        twin = False
        for other in range(fan):
            twin = twin or fans[other] == code
        if twin and only < 0:
            continue
        rank = code >> top_shift(code)
        first = end
        for base in range(BASES):
            if WANTED[base, bases[base]] == rank:
                out[end] = fan << 4 | base
                end += 1
        if end > first and end - first == left[rank]:
            for i in range(end - first):
                out[start + i] = out[first + i]
            return start + end - first
    plays = end
    for fan in range(FANS):
        code = fans[fan]
        if code < 16:
            continue
        rank = code >> top_shift(code)
        for target in range(FANS):
            onto = fans[target]
            if target == fan or onto == 0 or onto >> 12 or onto >> top_shift(onto) != rank:
                continue
            twin = False
            for at in range(plays, end):
                twin = twin or (fans[(out[at] >> 4) & 15] == code and fans[out[at] & 15] == onto)
            if not twin:
                out[end] = TRANSFER | fan << 4 | target
                end += 1
    return end


@kernel
def make(fans: Ints, bases: Ints, left: Ints, total: int, move: int) -> int:
    """Carry out a move; gives the new sum."""
    fan = (move >> 4) & 15
    code = fans[fan]
    shift = top_shift(code)
    rank = code >> shift
    fans[fan] = code & ((1 << shift) - 1)
    total += _FAN_Z[fans[fan]] - _FAN_Z[code]
    if move & TRANSFER:
        target = move & 15
        onto = fans[target]
        fans[target] = onto | rank << (top_shift(onto) + 4)
        total += _FAN_Z[fans[target]] - _FAN_Z[onto]
    else:
        bases[move & 15] += 1
        left[rank] -= 1
    return total & _MASK


@kernel
def unmake(fans: Ints, bases: Ints, left: Ints, move: int, code: int) -> None:
    """Take a move back; `code` is the source fan before it."""
    fans[(move >> 4) & 15] = code
    if move & TRANSFER:
        onto = fans[move & 15]
        fans[move & 15] = onto & ((1 << top_shift(onto)) - 1)
    else:
        bases[move & 15] -= 1
        left[code >> top_shift(code)] += 1


@kernel
def search(fans: Ints, bases: Ints, left: Ints, ctl: Ints, frames: Ints, moves: Ints, table: Ints, limit: int) -> int:
    """Go on with the search for at most `limit` moves; the line is frames[1 : depth + 1, 2]."""
    depth = ctl[DEPTH]
    nodes = 0
    room = table.shape[0] // 2 - ctl[ENTRIES]
    if depth < 0:
        ctl[SUM] = root_sum(fans)
        frames[0, 4] = key_of(ctl[SUM], bases)
        insert(table, frames[0, 4])
        depth = 0
        frames[0, 0] = 0
        frames[0, 1] = generate(fans, bases, left, -1, moves, 0)
    total = ctl[SUM]
    status = RUNNING
    while True:
        if frames[depth, 0] == frames[depth, 1]:
            if depth == 0:
                status = EXHAUSTED
                break
            unmake(fans, bases, left, frames[depth, 2], frames[depth, 3])
            total = frames[depth, 4]
            depth -= 1
            continue
        if nodes >= limit:
            break
        if room <= 0:
            status = TABLE_FULL
            break
        move = moves[frames[depth, 0]]
        frames[depth, 0] += 1
        code = fans[(move >> 4) & 15]
        before = total
        total = make(fans, bases, left, total, move)
        nodes += 1
        only = (move >> 4) & 15 if move & TRANSFER else -1
        key = key_of(total, bases)
        if only >= 0:
            if contains(table, key):
                key = frames[0, 4]
            else:
                key ^= _ONLY_Z[fans[only]]
        if not insert(table, key):
            unmake(fans, bases, left, move, code)
            total = before
            continue
        room -= 1
        ctl[ENTRIES] += 1
        depth += 1
        frames[depth, 2] = move
        frames[depth, 3] = code
        frames[depth, 4] = before
        if bases[0] + bases[1] + bases[2] + bases[3] == 52:
            status = WON
            break
        start = frames[depth - 1, 1]
        frames[depth, 0] = start
        frames[depth, 1] = start
        if depth == MAX_DEPTH - 1 or start > moves.shape[0] - MOVES:
            ctl[CUT] = 1
        elif only < 0 and hopeless(fans, bases):
            continue
        else:
            frames[depth, 1] = generate(fans, bases, left, only, moves, start)
    ctl[DEPTH] = depth
    ctl[NODES] += nodes
    ctl[SUM] = total
    return status


def empty_workspace() -> tuple[Ints, Ints, Ints]:
    """Control vector, frames and move buffer of a new search."""
    ctl = np.zeros(CTL_SIZE, dtype=np.int64)
    ctl[DEPTH] = -1
    frames = np.zeros((MAX_DEPTH, 5), dtype=np.int64)
    return ctl, frames, np.zeros(MAX_DEPTH * 64, dtype=np.int64)
