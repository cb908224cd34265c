"""Walter, one attempt with every card seen: depth-first search over ranks.

A fan is one number with a rank in every four bits, the free card in the highest ones used; fans are interchangeable,
so the key adds up one random number for each. A base pile is the number of its cards: its next rank follows from it.

Moves: a free card to a base pile (code fan << 4 | base), or onto a free card of the same rank in an incomplete fan
(code 1024 | fan << 4 | target). Equal fans are tried once, and the last card of a rank goes up as soon as it can: no
other card of its rank is left that could lie down on it.

Each frame keeps (next move, end of moves, move made, undo, key before). Dead ends are kept by the number of cards
placed, as places where one may deal again.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.random_kernel import next_random
from kibitz.engine.search.table import insert, zobrist

FANS, BASES = 13, 4
MAX_DEPTH = 160
TRANSFER = 1024
# control vector
DEPTH, NODES, ENTRIES, SUM, RANDOM = 0, 1, 2, 3, 4
CTL_SIZE = 8
RUNNING, WON, EXHAUSTED, TABLE_FULL = 0, 1, 2, 3

_FAN_Z = zobrist(20262, 1 << 16) >> 2
_BASE_Z = zobrist(20263, 1 << 16)
_MASK = (1 << 62) - 1


@kernel
def top_shift(fan: int) -> int:
    """Bits below the free card of a fan that is not empty."""
    if fan >> 12:
        return 12
    if fan >> 8:
        return 8
    if fan >> 4:
        return 4
    return 0


@kernel
def wanted(base: int, count: int) -> int:
    """The rank that base pile 0..3 takes next; 0 when it is closed."""
    if count == 13:
        return 0
    rank = ((count + 1) * (base + 1)) % 13
    return rank if rank else 13


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
def generate(fans: Ints, bases: Ints, left: Ints, out: Ints, start: int) -> int:
    """Write the moves worth trying to out[start:]; give the end."""
    end = start
    for fan in range(FANS):
        code = fans[fan]
        if code == 0:
            continue
        twin = False
        for other in range(fan):
            twin = twin or fans[other] == code
        if twin:
            continue
        rank = code >> top_shift(code)
        for base in range(BASES):
            if wanted(base, bases[base]) == rank:
                out[end] = fan << 4 | base
                end += 1
                if left[rank] == 1:
                    out[start] = fan << 4 | base
                    return start + 1
    plays = end
    for fan in range(FANS):
        code = fans[fan]
        if code == 0:
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
def mix_moves(moves: Ints, start: int, end: int, rng: Ints) -> None:
    """Put the moves into a random order."""
    for i in range(end - 1, start, -1):
        j = start + next_random(rng) % (i - start + 1)
        moves[i], moves[j] = moves[j], moves[i]


@kernel
def search(
    fans: Ints, bases: Ints, left: Ints, ctl: Ints, frames: Ints, moves: Ints, table: Ints, ends: Ints, limit: int
) -> int:
    """Go on with the search for at most `limit` moves; the line is frames[1 : depth + 1, 2].

    ends: a row for each number of cards placed: length and moves of a way to a dead end with that many.
    With ctl[RANDOM] not 0 (the state of the random numbers) the order of moves is random.
    """
    depth = ctl[DEPTH]
    nodes = 0
    room = table.shape[0] // 2 - ctl[ENTRIES]
    if depth < 0:
        ctl[SUM] = root_sum(fans)
        insert(table, key_of(ctl[SUM], bases))
        depth = 0
        frames[0, 0] = 0
        frames[0, 1] = generate(fans, bases, left, moves, 0)
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
        if not insert(table, key_of(total, bases)):
            unmake(fans, bases, left, move, code)
            total = before
            continue
        room -= 1
        ctl[ENTRIES] += 1
        depth += 1
        frames[depth, 2] = move
        frames[depth, 3] = code
        frames[depth, 4] = before
        placed = bases[0] + bases[1] + bases[2] + bases[3]
        if placed == 52:
            status = WON
            break
        start = frames[depth - 1, 1]
        end = generate(fans, bases, left, moves, start)
        frames[depth, 0] = start
        frames[depth, 1] = end
        if end == start and ends[placed, 0] == 0:
            ends[placed, 0] = depth
            for i in range(depth):
                ends[placed, i + 1] = frames[i + 1, 2]
        if ctl[RANDOM] != 0:
            rng = ctl[RANDOM : RANDOM + 1]
            mix_moves(moves, start, end, rng)
    ctl[DEPTH] = depth
    ctl[NODES] += nodes
    ctl[SUM] = total
    return status


def empty_workspace() -> tuple[Ints, Ints, Ints, Ints]:
    """Control vector, frames, move buffer and dead ends of a new search."""
    ctl = np.zeros(CTL_SIZE, dtype=np.int64)
    ctl[DEPTH] = -1
    frames = np.zeros((MAX_DEPTH, 5), dtype=np.int64)
    return ctl, frames, np.zeros(MAX_DEPTH * 64, dtype=np.int64), np.zeros((53, MAX_DEPTH + 1), dtype=np.int64)
