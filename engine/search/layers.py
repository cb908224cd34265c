"""What beams share: the order of the children of a layer, and a little chance in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz.engine.search.jit import Ints, kernel


@kernel
def luck(key: int, noise: int) -> int:
    """A little chance in the order of positions: 0 to 4, the same for the same position and noise."""
    return ((key ^ (key >> 17) ^ noise) & 0xFFFF) * 5 >> 16


@kernel
def cheapest_first(found: Ints, end: int) -> Ints:
    """The numbers of the first `end` rows of `found` in the order of found[:, 0] (counted, for costs are small)."""
    order = np.empty(end, dtype=np.int64)
    if end == 0:
        return order
    least = found[0, 0]
    most = found[0, 0]
    for row in range(end):
        least = min(least, found[row, 0])
        most = max(most, found[row, 0])
    start = np.zeros(most - least + 2, dtype=np.int64)
    for row in range(end):
        start[found[row, 0] - least + 1] += 1
    for cost in range(1, start.shape[0]):
        start[cost] += start[cost - 1]
    for row in range(end):
        cost = found[row, 0] - least
        order[start[cost]] = row
        start[cost] += 1
    return order


def way_back(traces: Sequence[Ints], row: int) -> tuple[int, ...]:
    """Return the moves that lead to a position of the last layer; traces have rows (parent, move)."""
    path = []
    for trace in reversed(traces):
        path.append(int(trace[row, 1]))
        row = int(trace[row, 0])
    return tuple(reversed(path))
