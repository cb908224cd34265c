"""Piles in several rows of the player's own choice: which place of the grid each of them has.

Nobody tells how many piles lie in a row. What holds is that they are laid row by row, that the rows begin at one left
edge, and that the number of places is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from kibitz.engine.piles import PileId
from kibitz.vision.slots import Item, Match, Slot

STRAY = 4.0
"""Cost of a chain that belongs to no place."""
EMPTY = 0.12
"""Cost of a place without cards."""
NEW_ROW, NEW_COLUMN = 0.55, 0.5
"""Card heights and widths from which the next pile belongs to another row or column."""
LOST_ROW, LOST_COLUMN = 0.4, 0.5
"""Cost of a whole row or column without cards."""
ODD_COLUMN = 0.8
"""Cost of each column that is too many: of piles that lie between two columns."""
UNUSUAL = 0.1
"""Cost of another number of columns than the plan's."""
BACKS = 3.0
"""Cost of face-down cards in an open grid."""
PITCH, ROW_PITCH = (1.0, 5.0), (1.0, 1.6)
"""Likely distances of columns (card widths) and of rows (card heights)."""


def lattice(items: Sequence[Item], members: list[int], slots: tuple[Slot, ...]) -> Match:
    """Best way to number piles in rows.

    Args:
        items: of all chains of the table.
        members: numbers of the chains in this grid.
        slots: its places in the order of their numbers.
    """
    empty = EMPTY * len(slots)
    if not members:
        return Match(empty)
    rows = _rows(items, members)
    columns = _columns(items, members)
    usual = len({round(slot.x, 3) for slot in slots})
    best = Match(empty + STRAY * len(members))
    for count in range(max(2, max(map(len, rows))), 14):
        tried = _numbered(items, rows, columns, (count, slots))
        tried.cost += UNUSUAL * (count != usual)
        if tried.cost < best.cost:
            best = tried
    wrong = sum(items[c].face_down > 0 for c in best.at.values())
    wide = slots[0].group.most
    long = sum(max(0, items[c].face_up - wide - 1) for c in best.at.values()) if wide else 0
    best.cost += BACKS * (wrong + long)
    return best


def _rows(items: Sequence[Item], members: list[int]) -> list[list[int]]:
    """The chains row by row, each from left to right."""
    rows: list[list[int]] = []
    for c in sorted(members, key=lambda c: items[c].y):
        if rows and items[c].y - median(items[m].y for m in rows[-1]) < NEW_ROW:
            rows[-1].append(c)
        else:
            rows.append([c])
    return [sorted(row, key=lambda c: items[c].x) for row in rows]


def _columns(items: Sequence[Item], members: list[int]) -> list[float]:
    """The x at which piles of all rows begin."""
    found: list[list[float]] = []
    for x in sorted(items[c].x for c in members):
        if found and x - found[-1][-1] < NEW_COLUMN and x - found[-1][0] < 2 * NEW_COLUMN:
            found[-1].append(x)
        else:
            found.append([x])
    return [median(column) for column in found]


def _numbered(
    items: Sequence[Item], rows: list[list[int]], columns: list[float], grid: tuple[int, tuple[Slot, ...]]
) -> Match:
    """The match with so many columns."""
    count, slots = grid
    needed = -(-len(slots) // count)
    ys = [median(items[c].y for c in row) for row in rows]
    steps = _steps(ys, needed, ROW_PITCH)
    match = Match(0.0)
    xs = _column_points(columns, count)
    if steps is None:
        return Match(float("inf"))
    lost = needed - len(rows)
    match.cost += LOST_ROW * lost + LOST_COLUMN * max(0, count - len(columns))
    match.cost += ODD_COLUMN * max(0, len(columns) - count)
    for step, row in zip(steps, rows, strict=True):
        for c, column in zip(row, _in_row([items[c].x for c in row], xs), strict=True):
            number = step * count + column if column is not None else len(slots)
            if number >= len(slots) or slots[number].pile in match.at:
                match.cost += STRAY
                continue
            match.at[slots[number].pile] = c
            match.cost += min(1.0, ((items[c].x - xs[column or 0]) / 0.5) ** 2 / 4)
    match.cost += EMPTY * (len(slots) - len(match.at))
    match.empty = _empty_points(slots, match, (count, xs, dict(zip(steps, ys, strict=True))))
    return match


def _steps(values: list[float], most: int, pitch: tuple[float, float]) -> list[int] | None:
    """Numbers of rows or columns at these distances; None where there are more than `most`."""
    gaps = [b - a for a, b in pairwise(values)]
    unit = min([gap for gap in gaps if gap >= 0.9 * pitch[0]] or [pitch[0]])
    steps = [0]
    for gap in gaps:
        steps.append(steps[-1] + max(1, round(gap / unit) if unit <= pitch[1] else 1))
    if steps[-1] >= most:
        steps = list(range(len(values)))
    return steps if steps[-1] < most else None


def _column_points(columns: list[float], count: int) -> list[float]:
    """The x of `count` columns: those seen, completed by equal steps or thinned where there are too many."""
    if len(columns) > count:
        widest = sorted(range(1, len(columns)), key=lambda k: columns[k] - columns[k - 1], reverse=True)[: count - 1]
        cuts = [0, *sorted(widest), len(columns)]
        return [median(columns[a:b]) for a, b in pairwise(cuts)]
    steps = _steps(columns, count, PITCH) or list(range(len(columns)))
    known = dict(zip(steps, columns, strict=True))
    gaps = [(known[b] - known[a]) / (b - a) for a, b in pairwise(sorted(known))]
    unit = median(gaps) if gaps else 1.2
    points: list[float] = []
    for k in range(count):
        below = max((s for s in known if s <= k), default=0)
        points.append(known[k] if k in known else known[below] + unit * (k - below))
    return points


def _in_row(xs: list[float], columns: list[float]) -> list[int | None]:
    """The columns of the piles of one row, in order; None for a pile too many."""
    if len(xs) == len(columns):
        return list(range(len(xs)))
    # best[j] = (cost, columns) of the piles so far with the last one in column j
    best: dict[int, tuple[float, list[int]]] = {-1: (0.0, [])}
    for x in xs:
        new: dict[int, tuple[float, list[int]]] = {}
        for j, column in enumerate(columns):
            options = [(cost + (x - column) ** 2, chosen) for k, (cost, chosen) in best.items() if k < j]
            if options:
                cost, chosen = min(options, key=lambda option: option[0])
                new[j] = (cost, [*chosen, j])
        if not new:
            return [*range(len(columns)), *[None] * (len(xs) - len(columns))]
        best = new
    return list(min(best.values(), key=lambda option: option[0])[1])


def _empty_points(
    slots: tuple[Slot, ...], match: Match, grid: tuple[int, list[float], dict[int, float]]
) -> dict[PileId, tuple[float, float]]:
    """Where the empty places of the grid are."""
    count, xs, ys = grid
    pitches = [(ys[b] - ys[a]) / (b - a) for a, b in pairwise(sorted(ys))]
    unit = median(pitches) if pitches else 1.2
    points = {}
    for n, slot in enumerate(slots):
        if slot.pile not in match.at:
            row = n // count
            near = min(ys, key=lambda k: abs(k - row))
            points[slot.pile] = (xs[n % count], ys[near] + unit * (row - near))
    return points
