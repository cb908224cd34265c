"""The cheapest one-to-one match of rows to columns, and how much dearer every other choice would make it.

Written out because the libraries that have it take longer to import than Kibitz takes to read a picture. Shortest
augmenting paths as in R. Jonker and A. Volgenant, Computing 38 (1987).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]


def cheapest(cost: Doubles) -> npt.NDArray[np.intp]:
    """(N,) column of each row, all different, with the least sum; `cost` is (N, M), finite, N <= M."""
    return _solved(cost)[0]


def _solved(cost: Doubles) -> tuple[npt.NDArray[np.intp], Doubles]:
    """Columns of the rows, and the reduced costs: never negative, zero where row and column are matched."""
    rows, columns = cost.shape
    if rows > columns:
        raise ValueError(f"expected at least as many columns as rows, got {cost.shape}")
    reduced = np.asarray(cost, np.float64) - cost.min(axis=1, keepdims=True) if rows else np.zeros(cost.shape)
    owner = np.full(columns, -1, np.intp)
    for row in range(rows):
        _augment(reduced, owner, row)
    taken = np.flatnonzero(owner >= 0)
    column = np.empty(rows, np.intp)
    column[owner[taken]] = taken
    return column, reduced


def _augment(reduced: Doubles, owner: npt.NDArray[np.intp], row: int) -> None:
    """Gives one more row a column, along the shortest path of exchanges, and renews the reduced costs."""
    way = reduced[row].copy()  # length of the shortest path to each column
    before = np.full(len(owner), row, np.intp)  # the row from which that path comes
    done = np.zeros(len(owner), bool)
    while True:
        column = int(np.where(done, np.inf, way).argmin())
        length = float(way[column])
        if owner[column] < 0:
            break
        done[column] = True
        further = length + reduced[owner[column]]
        shorter = ~done & (further < way)
        way[shorter], before[shorter] = further[shorter], owner[column]
    saved = np.where(done, length - way, 0.0)
    reduced += saved
    reduced[owner[done]] -= saved[done, None]
    reduced[row] -= length
    np.maximum(reduced, 0.0, out=reduced)  # rounding
    while column >= 0:
        last = int(before[column])
        previous = np.flatnonzero(owner == last)
        owner[column] = last
        column = int(previous[0]) if last != row else -1


def extra_costs(cost: Doubles) -> tuple[npt.NDArray[np.intp], Doubles]:
    """The cheapest match, and for every row and column by how much the sum grows if the row must take that column.

    Args:
        cost: (N, M), finite, N <= M.

    Returns:
        columns (N,) and extra (N, M): zero where they are matched.
    """
    column, reduced = _solved(cost)
    rows = len(column)
    if not rows:
        return column, np.zeros(cost.shape)
    free = np.ones(cost.shape[1], bool)
    free[column] = False
    # way[k, t]: least cost for row k to end up with the column of row t, everyone on the path moving on by one
    way = reduced[:, column].copy()
    np.fill_diagonal(way, 0.0)
    for t in range(rows):
        np.minimum(way, way[:, t, None] + way[None, t], out=way)
    leave = (way + reduced[:, free].min(axis=1, initial=np.inf)).min(axis=1)  # ... or with a column nobody has
    extra = reduced.copy()
    # Row i takes the column of row t: row t goes on to the column that i left, or to a free one.
    extra[:, column] += np.minimum(way.T, leave[None])
    extra[np.arange(rows), column] = 0.0
    return column, extra
