"""Mrs Mop: one layer of a beam search over positions with thirteen open columns.

A card is suit * 13 + rank0. A beam is a set of parallel arrays with one row a position:
cards (n, 13, MOST) the columns, covered end first; height (n, 13); prefix (n, 13, MOST) a hash of the column up to each
card; meta (n, 4): cost, sum of the columns' hashes (so the order of columns does not count), runs off, empty columns.
A move is source << 12 | target << 8 | number of cards.

The cost counts neighbours that are not of one suit and one apart, more if they are out of order, most if a higher card
lies on a lower one; empty columns, kings at the bottom and finished runs lower it.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.table import insert, zobrist

COLUMNS = 13
MOST = 60  # more cards than a column holds in any sensible play
COST, HASH, RUNS, EMPTY = 0, 1, 2, 3
META = 4
RUN_BONUS, EMPTY_BONUS, KING_BONUS = 30, 8, 6
_MASK = (1 << 62) - 1
_CARD_Z = zobrist(20264, 52) >> 2


@kernel
def extend(code: int, card: int) -> int:
    """Hash of a column with one more card on it; an empty column is 0."""
    return ((code ^ (code >> 29)) * 0x2545F4914F6CDD1D + _CARD_Z[card]) & _MASK


@kernel
def pair_cost(below: int, card: int) -> int:
    """Cost of a card lying on another one."""
    if below == card + 1 and card % 13 != 12:
        return 0
    low, high = card % 13, below % 13
    cost = 10
    if high != low + 1:
        cost += 3
    if low > high:
        cost += 6
    return cost


@kernel
def seat_cost(cards: Ints, height: int) -> int:
    """Cost of the card at that height: on its neighbour, or at the bottom of its column."""
    if height == 0:
        return -KING_BONUS if cards[0] % 13 == 12 else 0
    return pair_cost(cards[height - 1], cards[height])


@kernel
def run_length(cards: Ints, height: int) -> int:
    """Cards of one suit in order at the end of a column."""
    if height == 0:
        return 0
    length = 1
    while length < height:
        card = cards[height - length]
        if card % 13 == 12 or cards[height - length - 1] != card + 1:
            break
        length += 1
    return length


@kernel
def evaluate(cards: Ints, height: Ints, prefix: Ints, meta: Ints) -> None:
    """Fill in the hashes and the cost of one position given by its columns; meta[RUNS] stays."""
    cost, total, empty = 0, 0, 0
    for column in range(COLUMNS):
        code = 0
        for i in range(height[column]):
            code = extend(code, cards[column, i])
            prefix[column, i] = code
            cost += seat_cost(cards[column], i)
        if height[column] == 0:
            empty += 1
        total = (total + code) & _MASK
    meta[COST] = cost - RUN_BONUS * meta[RUNS] - EMPTY_BONUS * min(empty, 3)
    meta[HASH] = total
    meta[EMPTY] = empty


@kernel
def column_code(prefix: Ints, height: int) -> int:
    """Hash of a column cut to that height."""
    return prefix[height - 1] if height > 0 else 0


@kernel
def children(cards: Ints, height: Ints, prefix: Ints, meta: Ints, count: int, noise: int, every: int, out: Ints) -> int:
    """Write (cost with noise, parent, move, hash) of the moves of every position; give their number.

    Part of a run only goes where it joins its suit, unless `every` is 1: then nothing legal is left out but the
    moves that change nothing.
    """
    end = 0
    most = out.shape[0]
    for row in range(count):
        blank = -1
        for column in range(COLUMNS):
            if height[row, column] == 0 and blank < 0:
                blank = column
        for source in range(COLUMNS):
            high = height[row, source]
            length = run_length(cards[row, source], high)
            for number in range(length, 0, -1):
                base = high - number
                head = cards[row, source, base]
                away = -seat_cost(cards[row, source], base)
                rest = column_code(prefix[row, source], base)
                for target in range(COLUMNS):
                    there = height[row, target]
                    if target == source or there + number > MOST or end == most:
                        continue
                    empty = meta[row, EMPTY]
                    if there == 0:
                        if target != blank or base == 0 or (number != length and not every):
                            continue
                        cost = away - (KING_BONUS if head % 13 == 12 else 0)
                        empty -= 1
                        joins = False
                    else:
                        top = cards[row, target, there - 1]
                        joins = top == head + 1 and head % 13 != 12
                        if top % 13 != head % 13 + 1 or (number != length and not joins and not every):
                            continue
                        cost = away + pair_cost(top, head)
                    if base == 0:
                        empty += 1
                    code = column_code(prefix[row, target], there)
                    before = code
                    run = run_length(cards[row, target], there) + number if joins else 0
                    if run == 13:
                        left = there - (13 - number)
                        cost -= RUN_BONUS + seat_cost(cards[row, target], left)
                        code = column_code(prefix[row, target], left)
                        if left == 0:
                            empty += 1
                    else:
                        for i in range(number):
                            code = extend(code, cards[row, source, base + i])
                    total = (meta[row, HASH] - before + code + rest - column_code(prefix[row, source], high)) & _MASK
                    cost += EMPTY_BONUS * (min(meta[row, EMPTY], 3) - min(empty, 3))
                    luck = ((total ^ (total >> 17) ^ noise) & 0xFFFF) * 5 >> 16
                    out[end, 0] = meta[row, COST] + cost + luck
                    out[end, 1] = row
                    out[end, 2] = source << 12 | target << 8 | number
                    out[end, 3] = total
                    end += 1
    return end


@kernel
def carry_out(cards: Ints, height: Ints, move: int) -> int:
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
    old: Ints,
    old_height: Ints,
    old_meta: Ints,
    new: Ints,
    new_height: Ints,
    new_prefix: Ints,
    new_meta: Ints,
    found: Ints,
    order: Ints,
    table: Ints,
    trace: Ints,
) -> int:
    """Build the next beam from the cheapest children not met before; trace gets (parent, move). Gives its size."""
    width = new.shape[0]
    count = 0
    for at in range(order.shape[0]):
        child = order[at]
        if count == width:
            break
        if not insert(table, found[child, 3]):
            continue
        row = found[child, 1]
        new[count] = old[row]
        new_height[count] = old_height[row]
        new_meta[count, RUNS] = old_meta[row, RUNS] + carry_out(new[count], new_height[count], found[child, 2])
        evaluate(new[count], new_height[count], new_prefix[count], new_meta[count])
        trace[count, 0] = row
        trace[count, 1] = found[child, 2]
        count += 1
    return count


def empty_beam(width: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Arrays of a beam of that width: cards, height, prefix, meta."""
    return (
        np.zeros((width, COLUMNS, MOST), dtype=np.int64),
        np.zeros((width, COLUMNS), dtype=np.int64),
        np.zeros((width, COLUMNS, MOST), dtype=np.int64),
        np.zeros((width, META), dtype=np.int64),
    )
