"""Mrs Mop: one layer of a beam search over positions with thirteen open columns.

A card is suit * 13 + rank0. A beam is a set of parallel arrays with one row a position: cards (n, 13, MOST) int8 the
columns, covered end first; height (n, 13); meta (n, 4): cost, hash, runs off, empty columns.
A move is source << 12 | target << 8 | number of cards.

The hash adds one random number for each card and what it lies on, so the order of columns does not count and a move
changes one term. Two positions with equal hashes may differ (there are two cards of each kind), which costs a beam
little; nothing is proven from hashes.

The cost counts neighbours that are not of one suit and one apart, more if a higher card lies on a lower one; empty
columns, kings at the bottom and finished runs lower it. Every such pair takes at least one move, so cheap positions
are near their end too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.layers import cheapest_first, luck
from kibitz.engine.search.table import insert, zobrist

Bytes = NDArray[np.int8]

COLUMNS = 13
MOST = 64  # more cards than a column holds in any sensible play
COST, HASH, RUNS, EMPTY = 0, 1, 2, 3
META = 4
RUN_BONUS, EMPTY_BONUS, KING_BONUS = 30, 8, 6
FLOOR = 52  # what the first card of a column lies on
FOUND = 4  # columns of the array of children: cost with luck, parent, move, hash
ROOM = 2400  # more children than one position has
_MASK = (1 << 62) - 1
_PAIR_Z = zobrist(20264, 53 * 52) >> 2


@kernel
def pair_cost(below: int, card: int) -> int:
    """Cost of a card lying on another one."""
    if below == card + 1 and card % 13 != 12:
        return 0
    return 14 if card % 13 > below % 13 else 10


@kernel
def below_of(column: Bytes, height: int) -> int:
    """What the card at that height lies on: a card or the floor."""
    return FLOOR if height == 0 else int(column[height - 1])


@kernel
def seat_cost(column: Bytes, height: int) -> int:
    """Cost of the card at that height: on its neighbour, or at the bottom of its column."""
    if height == 0:
        return -KING_BONUS if column[0] % 13 == 12 else 0
    return pair_cost(int(column[height - 1]), int(column[height]))


@kernel
def seat_code(column: Bytes, height: int) -> int:
    """The card's term of the hash at that height."""
    return _PAIR_Z[below_of(column, height) * 52 + int(column[height])]


@kernel
def run_length(column: Bytes, height: int) -> int:
    """Cards of one suit in order at the end of a column."""
    if height == 0:
        return 0
    length = 1
    while length < height:
        card = int(column[height - length])
        if card % 13 == 12 or column[height - length - 1] != card + 1:
            break
        length += 1
    return length


@kernel
def evaluate(cards: Bytes, height: Ints, meta: Ints) -> None:
    """Fill in the hash and the cost of one position given by its columns; meta[RUNS] stays."""
    cost, total, empty = 0, 0, 0
    for column in range(COLUMNS):
        for i in range(height[column]):
            total = (total + seat_code(cards[column], i)) & _MASK
            cost += seat_cost(cards[column], i)
        if height[column] == 0:
            empty += 1
    meta[COST] = cost - RUN_BONUS * meta[RUNS] - EMPTY_BONUS * min(empty, 3)
    meta[HASH] = total
    meta[EMPTY] = empty


@kernel
def finished(source: Bytes, base: int, number: int, target: Bytes, there: int) -> int:
    """What leaves the hash when `number` cards complete a run on the target: the terms of twelve cards."""
    left = 0
    for i in range(there - (13 - number), there):
        left = (left + seat_code(target, i)) & _MASK
    for i in range(base + 1, base + number):
        left = (left + seat_code(source, i)) & _MASK
    return left


@kernel
def children(cards: Bytes, height: Ints, meta: Ints, count: int, noise: int, every: int, out: Ints) -> int:
    """Write (cost with luck, parent, move, hash) of the moves of every position; give their number.

    Part of a run only goes where it joins its suit, unless `every` is 1: then nothing legal is left out but the
    moves that change nothing.
    """
    end = 0
    most = out.shape[0] - ROOM
    lengths = np.zeros(COLUMNS, dtype=np.int64)
    for row in range(count):
        if end > most:
            break
        blank = -1
        for column in range(COLUMNS):
            lengths[column] = run_length(cards[row, column], height[row, column])
            if height[row, column] == 0 and blank < 0:
                blank = column
        empty = meta[row, EMPTY]
        for source in range(COLUMNS):
            high = height[row, source]
            for number in range(lengths[source], 0, -1):
                base = high - number
                head = int(cards[row, source, base])
                whole = number == lengths[source]
                away = -seat_cost(cards[row, source], base)
                code = -seat_code(cards[row, source], base)
                for target in range(COLUMNS):
                    there = height[row, target]
                    if target == source or there + number > MOST:
                        continue
                    cost = meta[row, COST] + away
                    total = meta[row, HASH] + code
                    after = empty + (base == 0)
                    if there == 0:
                        if target != blank or base == 0 or not (whole or every):
                            continue
                        if head % 13 == 12:
                            cost -= KING_BONUS
                        after -= 1
                        total += _PAIR_Z[FLOOR * 52 + head]
                    else:
                        top = int(cards[row, target, there - 1])
                        if top % 13 != head % 13 + 1:
                            continue
                        joins = top == head + 1
                        if not (whole or joins or every):
                            continue
                        if joins and lengths[target] + number == 13:
                            left = there - (13 - number)
                            cost -= RUN_BONUS + seat_cost(cards[row, target], left)
                            total -= finished(cards[row, source], base, number, cards[row, target], there)
                            if left == 0:
                                after += 1
                        else:
                            cost += pair_cost(top, head)
                            total += _PAIR_Z[top * 52 + head]
                    total &= _MASK
                    cost += EMPTY_BONUS * (min(empty, 3) - min(after, 3))
                    out[end, 0] = cost + luck(total, noise)
                    out[end, 1] = row
                    out[end, 2] = source << 12 | target << 8 | number
                    out[end, 3] = total
                    end += 1
    return end


@kernel
def carry_out(cards: Bytes, height: Ints, move: int) -> int:
    """Make a move in the columns of one position; 1 if it finished a run, which then leaves the table."""
    source, target, number = move >> 12, (move >> 8) & 15, move & 255
    base, there = height[source] - number, height[target]
    for i in range(number):
        cards[target, there + i] = cards[source, base + i]
    height[source] = base
    height[target] = there + number
    if run_length(cards[target], height[target]) == 13:
        height[target] -= 13
        return 1
    return 0


@kernel
def next_layer(
    old: Bytes,
    old_height: Ints,
    old_meta: Ints,
    new: Bytes,
    new_height: Ints,
    new_meta: Ints,
    found: Ints,
    end: int,
    noise: int,
    table: Ints,
    trace: Ints,
) -> int:
    """Build the next beam from the cheapest children not met before; trace gets (parent, move). Gives its size."""
    width = new.shape[0]
    order = cheapest_first(found, end)
    count = 0
    for at in range(end):
        child = order[at]
        if count == width:
            break
        if not insert(table, found[child, 3]):
            continue
        row, move = found[child, 1], found[child, 2]
        for column in range(COLUMNS):
            new_height[count, column] = old_height[row, column]
            for i in range(old_height[row, column]):
                new[count, column, i] = old[row, column, i]
        new_meta[count, RUNS] = old_meta[row, RUNS] + carry_out(new[count], new_height[count], move)
        new_meta[count, HASH] = found[child, 3]
        new_meta[count, COST] = found[child, 0] - luck(found[child, 3], noise)
        empty = 0
        for column in range(COLUMNS):
            empty += new_height[count, column] == 0
        new_meta[count, EMPTY] = empty
        trace[count, 0] = row
        trace[count, 1] = move
        count += 1
    return count


def empty_beam(width: int) -> tuple[Bytes, Ints, Ints]:
    """Arrays of a beam of that width: cards, height, meta."""
    return (
        np.zeros((width, COLUMNS, MOST), dtype=np.int8),
        np.zeros((width, COLUMNS), dtype=np.int64),
        np.zeros((width, META), dtype=np.int64),
    )
