"""The chains of one row put to its places: an order-preserving match by dynamic programming, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from statistics import median

from kibitz.engine.piles import PileId
from kibitz.engine.table_plan import Faces, Group, Spread
from kibitz.vision.lattice import STRAY
from kibitz.vision.slots import Item, Match, Pose, Slot, hides

EMPTY, EMPTY_ALIKE = 0.5, 0.12
"""Cost of a place without cards; foundations are often empty."""
RARE = 0.4
"""Cost of cards at a place that is mostly empty."""
WRONG_SIDE = 9.0
"""Cost of a face-up card where only backs can lie: more than a stray."""
STEP_CAP = 6.0
HIDDEN_DEPTH = 2.2
"""Card heights by which face-down cards that were not found may push the first card seen of a column down."""
HIDDEN_COST = 0.1
"""Cost of each card height of that."""


def align(items: Sequence[Item], members: list[int], slots: tuple[Slot, ...], pose: Pose) -> Match:
    """Best order-preserving match of the chains of one row to its slots.

    Args:
        items: of all chains of the table.
        members: numbers of the chains in this row.
        slots: of the row, from left to right.
        pose: stretch and, where known, left edge.
    """
    order = sorted(members, key=lambda c: items[c].x)
    row_level = level(items, members, slots)
    empty = [0.0, *accumulate(_empty_cost(slot.group) for slot in slots)]
    whole = Match(empty[-1] + STRAY * len(order))
    best: dict[tuple[int, int], tuple[float, tuple[int, int] | None]] = {}
    for k, c in enumerate(order):
        own = [_place_cost(items[c], slot, pose, row_level) for slot in slots]
        for p, slot in enumerate(slots):
            options: list[tuple[float, tuple[int, int] | None]] = [(STRAY * k + empty[p], None)]
            for j in range(k):
                for q in range(p):
                    before = best[j, q][0] + STRAY * (k - j - 1) + (empty[p] - empty[q + 1])
                    step = items[c].x - items[order[j]].x
                    options.append((before + _step_cost(step, slots[q], slot, pose), (j, q)))
            cost, previous = min(options, key=lambda option: option[0])
            best[k, p] = cost + own[p], previous
            end = best[k, p][0] + STRAY * (len(order) - k - 1) + (empty[-1] - empty[p + 1])
            if end < whole.cost:
                whole = Match(end, _trace(best, (k, p), order, slots))
    return whole


def _empty_cost(group: Group) -> float:
    return 0.0 if group.rare else EMPTY_ALIKE if group.alike else EMPTY


def level(items: Sequence[Item], members: list[int], slots: Sequence[Slot]) -> float:
    """How far from the player the piles of a row begin, card heights; by the farthest where face-down cards hide."""
    ys = [items[c].y for c in members]
    if not ys:
        return 0.0
    return min(ys) if any(hides(slot.group) for slot in slots) else median(ys)


def _trace(
    best: dict[tuple[int, int], tuple[float, tuple[int, int] | None]],
    end: tuple[int, int],
    order: list[int],
    slots: tuple[Slot, ...],
) -> dict[PileId, int]:
    at: dict[PileId, int] = {}
    state: tuple[int, int] | None = end
    while state is not None:
        at[slots[state[1]].pile] = order[state[0]]
        state = best[state][1]
    return at


def _step_cost(step: float, before: Slot, after: Slot, pose: Pose) -> float:
    """Cost of the distance between neighbours: tight inside a group, loose between groups."""
    wanted = pose.stretch * (after.x - before.x)
    within = before.group is after.group
    width = 0.25 + 0.05 * abs(wanted) if within else 0.7 + 0.15 * abs(wanted)
    return min(STEP_CAP, ((step - wanted) / width) ** 2)


def _place_cost(item: Item, slot: Slot, pose: Pose, row_level: float) -> float:
    """Cost of one chain at one slot: its side, its spread, and how far it is from where the slot should be."""
    off = item.y - row_level
    unseen = min(max(off, 0.0), HIDDEN_DEPTH) if hides(slot.group) else 0.0
    cost = ((off - unseen) / 0.5) ** 2 / 2 + HIDDEN_COST * unseen
    if pose.shift is not None:
        cost += min(STEP_CAP, ((item.x - pose.shift - pose.stretch * slot.x) / 0.8) ** 2)
    if slot.group.rare:
        cost += RARE
    if slot.group.faces is Faces.DOWN and item.face_up:
        cost += WRONG_SIDE
    if slot.group.faces is Faces.UP and item.face_down:
        cost += WRONG_SIDE if not item.face_up else 2.0
    if slot.group.faces is Faces.MIXED and not item.face_up:
        cost += 1.0
    return cost + _spread_cost(item, slot.group)


def _spread_cost(item: Item, group: Group) -> float:
    across, along = item.across, item.along
    if max(across, along) < 0.2:
        return 0.0
    if group.spread is Spread.SQUARED:
        return 2.0
    if (group.spread is Spread.DOWN and across > along) or (group.spread is Spread.RIGHT and along > across):
        return 3.0
    return 0.0
