"""Chains of cards put to the places of a plan: rows first, then the order inside each row, both by dynamic programming.

Rows on real tables are crooked, places are empty, gaps between groups vary. What holds is the order: of rows towards
the player, of groups in a row (or the other way round on a mirrored table), of places in a group.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from statistics import median
from typing import NamedTuple

from kibitz.engine.piles import PileId
from kibitz.engine.table_plan import Arrangement, Faces, Group, Place, Spread, TablePlan
from kibitz.vision.chains import Chain, Doubles

STRAY = 4.0
"""Cost of a chain that belongs to no place."""
EMPTY, EMPTY_ALIKE = 0.5, 0.12
"""Cost of a place without cards; foundations are often empty."""
WRONG_SIDE = 9.0
"""Cost of a face-up card where only backs can lie: more than a stray."""
ROW_CAP = 6.0
ROW_HEIGHT = 1.0
"""Card heights that the first cards of one row may differ by."""
ROW_GAP = 0.3
HIDDEN_DEPTH = 2.2
"""Card heights by which face-down cards that were not found may push the first card seen of a column down."""
HIDDEN_COST = 0.1
"""Cost of each card height of that."""
MIRROR_COST = 0.6
TIGHT = 6
"""So many of the best rough fits are looked at closely."""
STRETCHES = (0.85, 0.95, 1.05, 1.2, 1.35, 1.55, 1.8, 2.1)
"""How much wider than nominal the places may lie."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of a row.

    Attributes:
        pile: that lies here.
        group: its group.
        x: card widths, after mirroring.
    """

    pile: PileId
    group: Group
    x: float


class Item(NamedTuple):
    """What the fit needs of a chain, as plain numbers.

    Attributes:
        x: middle of its first card, card widths to the right.
        y: the same, card heights towards the player.
        across: extent of the pile to the side, card heights.
        along: extent towards the player or away, card heights.
        face_up: number of its face-up cards.
        face_down: number of its face-down cards.
    """

    x: float
    y: float
    across: float
    along: float
    face_up: int
    face_down: int

    @staticmethod
    def of(chain: Chain) -> Item:
        """The numbers of one chain."""
        x, y = (float(value) for value in chain.start)
        across, along = abs(float(chain.extent[0])) * 0.7, abs(float(chain.extent[1]))
        return Item(x, y, across, along, len(chain) - chain.face_down, chain.face_down)


PlanRows = list[tuple[float, tuple[Slot, ...]]]
"""Rows from the far to the near one: y and the slots from left to right."""


@dataclass(frozen=True, slots=True)
class Pose:
    """How the plan lies on the table.

    Attributes:
        stretch: distances on the table per nominal distance, across.
        shift: card widths from the plan's x = 0 to the table's; None = not known yet.
        mirror: groups of a row in opposite order.
    """

    stretch: float
    shift: float | None = None
    mirror: bool = False


@dataclass(slots=True)
class Match:
    """Result of a fit.

    Attributes:
        cost: the lower the better.
        at: pile -> number of its chain.
        pose: how the plan lies.
    """

    cost: float
    at: dict[PileId, int] = field(default_factory=dict)
    pose: Pose = field(default_factory=lambda: Pose(1.0))


def plan_rows(plan: TablePlan, mirror: bool) -> PlanRows:
    """The plan's rows from the far to the near one: y and the slots from left to right."""
    xs = [place.x for place in plan.places()]
    total = min(xs) + max(xs)
    rows: list[tuple[float, list[Slot]]] = []
    parts = [(place.y, group, place) for group in plan.groups for place in group.places]
    for y, group, place in sorted(parts, key=lambda part: part[0]):
        if not rows or y - rows[-1][0] > 0.5:
            rows.append((y, []))
        x = place.x
        if mirror:
            inner = [other.x for other in group.places]
            x = total - (min(inner) + max(inner)) + place.x
        rows[-1][1].append(Slot(place.pile, group, x))
    return [(y, tuple(sorted(slots, key=lambda slot: slot.x))) for y, slots in rows]


def variants(plan: TablePlan) -> list[TablePlan]:
    """The plan itself, and where it has a grid the same with other numbers of columns."""
    found = [plan]
    for k, group in enumerate(plan.groups):
        if group.arrangement is not Arrangement.GRID:
            continue
        rows_now = len({place.y for place in group.places})
        for count in range(1, 7):
            columns = -(-len(group) // count)
            if count != rows_now and 1 < columns <= 13:
                other = _regrid(group, columns)
                groups = (*plan.groups[:k], other, *plan.groups[k + 1 :])
                found.append(TablePlan(plan.game, groups, plan.decks, plan.mirror))
    return found


def _regrid(group: Group, columns: int) -> Group:
    first = group.places[0]
    dx = abs(group.places[1].x - first.x) if len(group) > 1 else 1.15
    deeper = [place.y - first.y for place in group.places if place.y > first.y]
    dy = min(deeper) if deeper else 1.15
    at = [(first.x + i % columns * dx, first.y + i // columns * dy) for i in range(len(group))]
    places = tuple(Place(place.pile, x, y) for place, (x, y) in zip(group.places, at, strict=True))
    return Group(group.name, places, group.spread, group.faces, group.arrangement, group.alike, group.most)


def best_match(chains: Sequence[Chain], plan: TablePlan) -> Match:
    """The cheapest way to put the chains to the places of the plan or one of its variants."""
    items = [Item.of(chain) for chain in chains]
    loose: list[tuple[Match, float, PlanRows]] = []
    for k, variant in enumerate(variants(plan)):
        for mirror in _mirrors(variant):
            rows = plan_rows(variant, mirror)
            extra = (MIRROR_COST if mirror else 0.0) + (0.3 if k else 0.0)
            loose += [(_match_rows(items, rows, Pose(s, None, mirror)), extra, rows) for s in _stretches(items, rows)]
    loose.sort(key=lambda option: option[0].cost + option[1])
    best = Match(math.inf)
    for match, extra, rows in loose[:TIGHT]:
        for tight in _anchored(items, rows, match):
            tight.cost += extra
            best = min(best, tight, key=lambda other: other.cost)
    return best


def _mirrors(plan: TablePlan) -> tuple[bool, ...]:
    """Both ways round where a row has several groups."""
    rows = plan_rows(plan, False)
    several = any(len({slot.group.name for slot in slots}) > 1 for _, slots in rows)
    return (False, True) if plan.mirror and several else (False,)


def _stretches(items: Sequence[Item], rows: PlanRows) -> list[float]:
    """The stretches that some neighbours on the table ask for, out of the possible ones."""
    gaps = [b.x - a.x for row in _blocks(items) for a, b in pairwise(sorted(items[c] for c in row))]
    near = sorted(gap for gap in gaps if gap > 0.8)
    steps = [b.x - a.x for _, slots in rows for a, b in pairwise(slots) if a.group is b.group]
    if not near or not steps:
        return [1.05]
    low, high = 0.8 * near[len(near) // 10] / max(steps), 1.25 * near[len(near) // 2] / min(steps)
    return [s for s in STRETCHES if low <= s <= high] or [min(max(near[len(near) // 2] / min(steps), 0.85), 2.1)]


def _anchored(items: Sequence[Item], rows: PlanRows, loose: Match) -> Iterable[Match]:
    """The same with all rows bound to one left edge: the one found, and one place to either side."""
    slots = {slot.pile: slot for _, row in rows for slot in row}
    offsets = [items[c].x - loose.pose.stretch * slots[pile].x for pile, c in loose.at.items()]
    if not offsets:
        return [loose]
    shift = median(offsets)
    steps = (0.0, -1.15 * loose.pose.stretch, 1.15 * loose.pose.stretch)
    return [_match_rows(items, rows, Pose(loose.pose.stretch, shift + s, loose.pose.mirror)) for s in steps]


def _match_rows(items: Sequence[Item], rows: PlanRows, pose: Pose) -> Match:
    """Best contiguous split of the chains (from far to near) into the plan's rows."""
    blocks = _blocks(items)
    table: list[Match] = [Match(0.0)] + [Match(math.inf) for _ in blocks]
    last_y: list[float | None] = [None] * (len(blocks) + 1)
    for y, slots in rows:
        new, new_y = [Match(math.inf) for _ in table], list(last_y)
        for stop in range(len(blocks) + 1):
            for start in range(stop + 1):
                members = [c for block in blocks[start:stop] for c in block]
                if math.isinf(table[start].cost) or not _one_row(items, members, slots):
                    continue
                row = align(items, members, slots, pose)
                edge = _level(items, members, slots) - y
                cost = table[start].cost + row.cost + (_row_cost(edge, last_y[start]) if members else 0.0)
                if cost < new[stop].cost:
                    new[stop] = Match(cost, {**table[start].at, **row.at}, pose)
                    new_y[stop] = edge if members else last_y[start]
        table, last_y = new, new_y
    best = Match(math.inf)
    for stop, match in enumerate(table):
        rest = STRAY * sum(len(block) for block in blocks[stop:])
        if match.cost + rest < best.cost:
            best = Match(match.cost + rest, match.at, pose)
    return best


def _hides(group: Group) -> bool:
    """Whether piles of this group may begin with face-down cards, of which only strips are seen."""
    return group.faces is Faces.MIXED and group.spread is not Spread.SQUARED


def _level(items: Sequence[Item], members: list[int], slots: Sequence[Slot]) -> float:
    """How far from the player the piles of a row begin, card heights; by the farthest where face-down cards hide."""
    ys = [items[c].y for c in members]
    if not ys:
        return 0.0
    return min(ys) if any(_hides(slot.group) for slot in slots) else median(ys)


def _row_cost(edge: float, before: float | None) -> float:
    """Cost of the distance to the row before: rows keep their order and rough distance."""
    if before is None:
        return 0.0
    return min(ROW_CAP, (max(abs(edge - before) - 0.25, 0) / 0.45) ** 2)


def _blocks(items: Sequence[Item]) -> list[list[int]]:
    """Chains from far to near, those at nearly the same distance together."""
    order = sorted(range(len(items)), key=lambda c: items[c].y)
    blocks: list[list[int]] = []
    for c in order:
        near = blocks and items[c].y - items[blocks[-1][-1]].y < ROW_GAP
        if near and _one_row(items, [*blocks[-1], c]):
            blocks[-1].append(c)
        else:
            blocks.append([c])
    return blocks


def _one_row(items: Sequence[Item], members: list[int], slots: Sequence[Slot] = ()) -> bool:
    """Whether these chains may begin one row; columns over unseen face-down cards begin lower."""
    ys = [items[c].y for c in members]
    most = ROW_HEIGHT + (HIDDEN_DEPTH if any(_hides(slot.group) for slot in slots) else 0.0)
    return not ys or max(ys) - min(ys) <= most


def align(items: Sequence[Item], members: list[int], slots: tuple[Slot, ...], pose: Pose) -> Match:
    """Best order-preserving match of the chains of one row to its slots.

    Args:
        items: of all chains of the table.
        members: numbers of the chains in this row.
        slots: of the row, from left to right.
        pose: stretch and, where known, left edge.
    """
    order = sorted(members, key=lambda c: items[c].x)
    level = _level(items, members, slots)
    empty = [0.0, *accumulate(EMPTY_ALIKE if slot.group.alike else EMPTY for slot in slots)]
    whole = Match(empty[-1] + STRAY * len(order))
    best: dict[tuple[int, int], tuple[float, tuple[int, int] | None]] = {}
    for k, c in enumerate(order):
        own = [_place_cost(items[c], slot, pose, level) for slot in slots]
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
    return min(ROW_CAP, ((step - wanted) / width) ** 2)


def _place_cost(item: Item, slot: Slot, pose: Pose, level: float) -> float:
    """Cost of one chain at one slot: its side, its spread, and how far it is from where the slot should be."""
    off = item.y - level
    unseen = min(max(off, 0.0), HIDDEN_DEPTH) if _hides(slot.group) else 0.0
    cost = ((off - unseen) / 0.5) ** 2 / 2 + HIDDEN_COST * unseen
    if pose.shift is not None:
        cost += min(ROW_CAP, ((item.x - pose.shift - pose.stretch * slot.x) / 0.8) ** 2)
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


def place_points(plan: TablePlan, match: Match, chains: Sequence[Chain]) -> dict[PileId, Doubles]:
    """(2,) where the first card of every pile of the plan lies or would lie, card widths and heights."""
    points: dict[PileId, Doubles] = {pile: chains[c].start for pile, c in match.at.items()}
    stretch = match.pose.stretch
    for _, slots in plan_rows(plan, match.pose.mirror):
        known = [slot for slot in slots if slot.pile in match.at]
        for slot in slots:
            if slot.pile in points or not known:
                continue
            near = min(known, key=lambda other: (other.group is not slot.group, abs(other.x - slot.x)))
            points[slot.pile] = points[near.pile] + [stretch * (slot.x - near.x), 0.0]
    rows = plan_rows(plan, match.pose.mirror)
    found = [(y, slot) for y, slots in rows for slot in slots if slot.pile in match.at]
    for y, slots in rows:
        for slot in slots:
            if slot.pile not in points and found:
                near_y, near = min(found, key=lambda pair: (abs(pair[0] - y), abs(pair[1].x - slot.x)))
                points[slot.pile] = points[near.pile] + [stretch * (slot.x - near.x), y - near_y]
    return points
