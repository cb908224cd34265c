"""The Nineteenth Fan: one layer of a beam search over the open fans (any suit on any, everything up that can go up).

A card is suit * 13 + rank0. A beam is a set of parallel arrays with one row a position: fans (n, 18, MOST) int8,
covered end first; size (n, 18); ups (n, 8) the heights of the foundations, suit * 2 + (0 the higher, 1 the lower one);
meta (n, 3): value, hash, whether a fan has been emptied and new cards come to its place.
A move is source << 8 | target, one card; whatever can go up afterwards goes up with it.

The hash adds one random number for each card and what it lies on, so the order of fans does not count. A position's
value counts cards gone up, cards that lie on others needed sooner, fans that new cards fill, and, while triples are
still to be drawn, how many ranks find a place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.layers import cheapest_first, luck
from kibitz.engine.search.table import insert, zobrist

Bytes = NDArray[np.int8]

FANS, FOUNDATIONS, MOST = 18, 8, 24
VALUE, HASH, EMPTIED = 0, 1, 2
META = 3
FOUND = 4  # columns of the array of children: cost with luck, parent, move, hash
UP_VALUE, NEW_FAN_VALUE, LANDING_VALUE = 12, 30, 3
# style of a search: what the value counts
STOCK, DRAWS, NOISE, COUNT_ONLY = 0, 1, 2, 3
STYLE_SIZE = 4
FLOOR = 52
_MASK = (1 << 62) - 1
_PAIR_Z = zobrist(20268, 53 * 52) >> 2


@kernel
def goes_up(ups: Ints, card: int) -> int:
    """The foundation that wants the card, or -1."""
    first = card // 13 * 2
    if ups[first] == card % 13:
        return first
    if ups[first + 1] == card % 13:
        return first + 1
    return -1


@kernel
def settle(fans: Bytes, size: Ints, ups: Ints) -> None:
    """Bring up whatever can go up, always from the first such fan (it matters where both cards of a kind are free)."""
    fan = 0
    while fan < FANS:
        place = goes_up(ups, int(fans[fan, size[fan] - 1])) if size[fan] > 0 else -1
        if place < 0:
            fan += 1
            continue
        size[fan] -= 1
        first = place & ~1
        if ups[first] == ups[place]:
            place = first
        ups[place] += 1
        fan = 0


@kernel
def need(ups: Ints, card: int) -> int:
    """How many cards its foundations still take before this one."""
    first = card // 13 * 2
    rank = card % 13
    if ups[first] <= rank:
        return rank - ups[first]
    return rank - ups[first + 1] + 2


@kernel
def fan_cost(fan: Bytes, size: int, ups: Ints) -> int:
    """How badly the cards of a fan lie: a card under one that is needed later waits for it."""
    cost = 0
    latest = -1
    for i in range(size - 1, -1, -1):
        here = need(ups, int(fan[i]))
        if here < latest:
            cost += 2 + min(latest - here, 6)
        latest = max(latest, here)
    return cost


@kernel
def landings(fans: Bytes, size: Ints, ups: Ints) -> int:
    """How many of the 52 cards could be used at once, in quarters of a rank."""
    tops = 0
    for fan in range(FANS):
        if size[fan] > 0:
            tops |= 1 << int(fans[fan, size[fan] - 1]) % 13  # shifting by a byte would give a byte
    count = 0
    for rank in range(13):
        if rank < 12 and (tops >> (rank + 1)) & 1:
            count += 4
        else:
            for suit in range(4):
                count += ups[suit * 2] == rank or ups[suit * 2 + 1] == rank
    return count


@kernel
def evaluate(fans: Bytes, size: Ints, ups: Ints, style: Ints, meta: Ints) -> None:
    """Fill in value, hash and whether a fan was emptied."""
    value = 0
    total = 0
    emptied = 0
    for place in range(FOUNDATIONS):
        value += ups[place]
    value *= UP_VALUE
    for fan in range(FANS):
        if size[fan] == 0:
            emptied += 1
        for i in range(size[fan]):
            below = FLOOR if i == 0 else int(fans[fan, i - 1])
            total = (total + _PAIR_Z[below * 52 + int(fans[fan, i])]) & _MASK
        value -= fan_cost(fans[fan], size[fan], ups)
    meta[EMPTIED] = 0
    if style[STOCK] > 0:
        meta[EMPTIED] = emptied
        value += NEW_FAN_VALUE * emptied
    if style[DRAWS]:
        value += LANDING_VALUE * landings(fans, size, ups) // 4
    meta[VALUE] = value
    meta[HASH] = total


@kernel
def apply(fans: Bytes, size: Ints, ups: Ints, move: int) -> None:
    """Make a move and what follows from it."""
    source, target = move >> 8, move & 255
    size[source] -= 1
    fans[target, size[target]] = fans[source, size[source]]
    size[target] += 1
    settle(fans, size, ups)


@kernel
def children(fans: Bytes, size: Ints, ups: Ints, meta: Ints, count: int, style: Ints, out: Ints) -> int:
    """Write (cost with luck, parent, move, hash) of the moves of every position without an emptied fan."""
    fans2, size2, ups2 = np.empty_like(fans[0]), np.empty_like(size[0]), np.empty_like(ups[0])
    meta2 = np.zeros(META, dtype=np.int64)
    end = 0
    for row in range(count):
        if meta[row, EMPTIED]:
            continue
        for source in range(FANS):
            high = size[row, source]
            if high == 0:
                continue
            card = fans[row, source, high - 1]
            for target in range(FANS):
                there = size[row, target]
                if there == 0 or target == source or there == MOST or end == out.shape[0]:
                    continue
                if card % 13 == 12 or fans[row, target, there - 1] % 13 != card % 13 + 1:
                    continue
                fans2[:] = fans[row]
                size2[:] = size[row]
                ups2[:] = ups[row]
                move = source << 8 | target
                apply(fans2, size2, ups2, move)
                evaluate(fans2, size2, ups2, style, meta2)
                out[end, 0] = luck(meta2[HASH], style[NOISE]) - meta2[VALUE]
                out[end, 1] = row
                out[end, 2] = move
                out[end, 3] = meta2[HASH]
                end += 1
    return end


@kernel
def next_layer(
    fans: Bytes,
    size: Ints,
    ups: Ints,
    new_fans: Bytes,
    new_size: Ints,
    new_ups: Ints,
    new_meta: Ints,
    found: Ints,
    end: int,
    style: Ints,
    table: Ints,
    trace: Ints,
) -> int:
    """Build the next beam from the best children not met before; trace gets (parent, move). Gives its size."""
    order = cheapest_first(found, end)
    count = 0
    for at in range(end):
        child = order[at]
        if count == new_fans.shape[0]:
            break
        if not insert(table, found[child, 3]):
            continue
        row = found[child, 1]
        new_fans[count] = fans[row]
        new_size[count] = size[row]
        new_ups[count] = ups[row]
        apply(new_fans[count], new_size[count], new_ups[count], found[child, 2])
        evaluate(new_fans[count], new_size[count], new_ups[count], style, new_meta[count])
        trace[count, 0] = row
        trace[count, 1] = found[child, 2]
        count += 1
    return count


def empty_beam(width: int) -> tuple[Bytes, Ints, Ints, Ints]:
    """Arrays of a beam of that width: fans, size, ups, meta."""
    return (
        np.zeros((width, FANS, MOST), dtype=np.int8),
        np.zeros((width, FANS), dtype=np.int64),
        np.zeros((width, FOUNDATIONS), dtype=np.int64),
        np.zeros((width, META), dtype=np.int64),
    )
