"""Walter, one attempt with every card seen: search by layers, all positions with equally many cards placed at once.

A layer is a beam of positions: `fans` (n, 13) and `bases` (n, 4) as in `walter_kernel`. Going on from a position means
some transfers and then one placing (fan << 4 | base from 1 on). A transfer that the placing does not need can be made
later, so the card placed is the one that the last transfer laid bare. Such a step is packed into one number, eight bits
a move, the placing last.

The cost tells how badly cards lie on others that are needed sooner.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.layers import cheapest_first, luck
from kibitz.engine.search.table import insert
from kibitz.engine.search.walter_dead import BASES, FANS, WANTED, top_shift
from kibitz.engine.search.walter_kernel import key_of, root_sum

MOST_TRANSFERS = 5
FOUND = 5  # columns of the array of steps: cost, parent, step, key, sum of the fans
ROOM = 4000  # steps that one position may have
LOCAL_BITS = 11
FAR = 26
CARDS = 52

_PLACE = np.zeros((BASES, 14), dtype=np.int64)  # where a rank comes in a base pile, counted from 0
for _base in range(BASES):
    for _count in range(13):
        _PLACE[_base, ((_count + 1) * (_base + 1) - 1) % 13 + 1] = _count


@kernel
def needs(bases: Ints, need: Ints) -> None:
    """How many cards each rank is away from being wanted by the base pile that wants it first."""
    for rank in range(1, 14):
        need[rank] = FAR
        for base in range(BASES):
            away = _PLACE[base, rank] - bases[base]
            if 0 <= away < need[rank]:
                need[rank] = away


@kernel
def fan_cost(fan: int, need: Ints) -> int:
    """How badly the cards of a fan lie: a card under one that is needed later waits for it."""
    cost = 0
    latest = -1
    while fan:
        shift = top_shift(fan)
        rank = fan >> shift
        fan &= (1 << shift) - 1
        if need[rank] < latest:
            cost += 2 + min(latest - need[rank], 8)
        latest = max(latest, need[rank])
    return cost


@kernel
def position_cost(fans: Ints, bases: Ints, need: Ints) -> int:
    """Cost of a position; `need` is scratch space."""
    needs(bases, need)
    cost = 0
    for fan in range(FANS):
        if fans[fan]:
            cost += fan_cost(fans[fan], need)
    return cost


@kernel
def may_transfer(fans: Ints, source: int, target: int) -> bool:
    """Is there a transfer that is of any use? The last card of a fan need not move: it is free where it lies."""
    code, onto = fans[source], fans[target]
    if source == target or code < 16 or onto == 0 or onto >> 12:
        return False
    return code >> top_shift(code) == onto >> top_shift(onto)


@kernel
def transfer(fans: Ints, source: int, target: int) -> None:
    """Move the free card of one fan onto another."""
    code, onto = fans[source], fans[target]
    shift = top_shift(code)
    fans[source] = code & ((1 << shift) - 1)
    fans[target] = onto | (code >> shift) << (top_shift(onto) + 4)


@kernel
def take_back(fans: Ints, source: int, target: int) -> None:
    """Undo a transfer."""
    onto = fans[target]
    shift = top_shift(onto)
    fans[target] = onto & ((1 << shift) - 1)
    code = fans[source]
    fans[source] = code | (onto >> shift) << (top_shift(code) + 4)


@kernel
def do_step(fans: Ints, bases: Ints, step: int) -> None:
    """Carry out a packed step: transfers, then a placing."""
    while step >> 8:
        transfer(fans, (step >> 4) & 15, step & 15)
        step >>= 8
    fan = step >> 4
    fans[fan] &= (1 << top_shift(fans[fan])) - 1
    bases[(step & 15) - 1] += 1


@kernel
def place_from(
    fans: Ints, bases: Ints, left: Ints, need: Ints, fan: int, path: int, length: int, parent: int, out: Ints, end: int
) -> int:
    """Write the placings of one fan's free card; the end of `out` comes back, negative if a placing is forced."""
    code = fans[fan]
    shift = top_shift(code)
    rank = code >> shift
    takers = 0
    first = end
    for base in range(BASES):
        if WANTED[base, bases[base]] == rank:
            takers += 1
            fans[fan] = code & ((1 << shift) - 1)
            bases[base] += 1
            total = root_sum(fans)
            out[end, 0] = position_cost(fans, bases, need)
            out[end, 1] = parent
            out[end, 2] = path | (fan << 4 | (base + 1)) << (8 * length)
            out[end, 3] = key_of(total, bases)
            end += 1
            bases[base] -= 1
            fans[fan] = code
    if takers > 0 and takers == left[rank] and length == 0:
        for i in range(end - first):
            out[i] = out[first + i]
        return -(end - first)
    return end


@kernel
def steps(fans: Ints, bases: Ints, need: Ints, parent: int, table: Ints, out: Ints) -> int:
    """Write the steps from one position to out[0:]; give their number.

    When a rank is wanted by as many base piles as it has cards left, its free card may go up at once: then only its
    placings are given. Long chains of transfers are left out.
    """
    left = np.zeros(14, dtype=np.int64)
    for fan in range(FANS):
        code = fans[fan]
        while code:
            left[code & 15] += 1
            code >>= 4
    end = 0
    for fan in range(FANS):
        if fans[fan] == 0:
            continue
        twin = False
        for other in range(fan):
            twin = twin or fans[other] == fans[fan]
        if not twin:
            end = place_from(fans, bases, left, need, fan, 0, 0, parent, out, end)
            if end < 0:
                return -end
    # all orders of transfers, depth first; at[d] is the transfer tried at depth d
    table[:] = 0
    insert(table, root_sum(fans))
    at = np.zeros(MOST_TRANSFERS + 1, dtype=np.int64)
    depth = 0
    path = 0
    seen = 0
    most = out.shape[0] - 64
    while True:
        if at[depth] == FANS * FANS:
            if depth == 0:
                break
            depth -= 1
            path &= (1 << (8 * depth)) - 1
            take_back(fans, at[depth] // FANS, at[depth] % FANS)
            at[depth] += 1
            continue
        source, target = at[depth] // FANS, at[depth] % FANS
        if not may_transfer(fans, source, target):
            at[depth] += 1
            continue
        if depth == MOST_TRANSFERS or end >= most:
            at[depth] += 1
            continue
        transfer(fans, source, target)
        path |= (source << 4 | target) << (8 * depth)
        end = place_from(fans, bases, left, need, source, path, depth + 1, parent, out, end)
        if seen < table.shape[0] // 2 and insert(table, root_sum(fans)):
            seen += 1
            depth += 1
            at[depth] = 0
        else:
            path &= (1 << (8 * depth)) - 1
            take_back(fans, source, target)
            at[depth] += 1
    return end


@kernel
def layer_steps(fans: Ints, bases: Ints, count: int, out: Ints, local: Ints, dead: Ints) -> int:
    """Write the steps of all positions of a layer; give their number. dead[0] becomes a position without any, or -1."""
    dead[0] = -1
    need = np.zeros(14, dtype=np.int64)
    here = np.zeros((ROOM, FOUND), dtype=np.int64)
    end = 0
    for row in range(count):
        number = steps(fans[row], bases[row], need, row, local, here)
        if number == 0 and dead[0] < 0:
            dead[0] = row
        for i in range(number):
            if end == out.shape[0]:
                return end
            out[end] = here[i]
            end += 1
    return end


@kernel
def next_layer(
    fans: Ints,
    bases: Ints,
    found: Ints,
    end: int,
    noise: int,
    table: Ints,
    new_fans: Ints,
    new_bases: Ints,
    trace: Ints,
) -> int:
    """Build the next layer from the cheapest steps to different positions; trace gets (parent, step).

    Gives its size.
    """
    for row in range(end):
        found[row, 0] += luck(found[row, 3], noise)
    order = cheapest_first(found, end)
    table[:] = 0
    count = 0
    for at in range(end):
        row = order[at]
        if not insert(table, found[row, 3]):
            continue
        if count == new_fans.shape[0]:
            break
        parent = found[row, 1]
        new_fans[count] = fans[parent]
        new_bases[count] = bases[parent]
        do_step(new_fans[count], new_bases[count], found[row, 2])
        trace[count, 0] = parent
        trace[count, 1] = found[row, 2]
        count += 1
    return count
