"""Chains of cards put to the places of a plan: rows first, then the order inside each row, both by dynamic programming.

Rows on real tables are crooked, places are empty, gaps between groups vary. What holds is the order: of rows towards
the player, of groups in a row (or the other way round on a mirrored table), of places in a group.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import median

from kibitz.engine.piles import PileId
from kibitz.engine.table_plan import Spread, TablePlan
from kibitz.vision.alignment import HIDDEN_DEPTH, align, level
from kibitz.vision.chains import Chain
from kibitz.vision.lattice import STRAY, lattice
from kibitz.vision.slots import Item, Match, Pose, Row, Slot, has_grid, plan_rows, uprights

ROW_CAP = 6.0
ROW_HEIGHT = 1.0
"""Card heights that the first cards of one row may differ by."""
ROW_GAP = 0.3
LOWER = 1.5
"""Card heights that the next row may lie below the longest column."""
MIRROR_COST, VARIATION_COST = 0.6, 0.3
TIGHT = 6
"""So many of the best rough fits are looked at closely."""
SHIFTED = 4
"""Of so many of the best fits, half empty lines are also tried at their other places."""
SHIFT_COST = 0.25
"""Cost of each place by which a pile is moved so."""
STRETCHES = (0.85, 0.95, 1.05, 1.2, 1.35, 1.55, 1.8, 2.1)
"""How much wider than nominal the places may lie."""
SQUARE = 0.2
"""Card heights that a squared pile may extend."""
LINE_WIDTH = 0.45
"""Card widths by which the piles of an upright line may lie beside each other."""


@dataclass(frozen=True, slots=True)
class _Form:
    """One way in which the plan may lie, with the chains that are left for its rows.

    Attributes:
        plan: the plan or one of its variations.
        rows: its rows.
        mirror: groups of a row in opposite order.
        members: numbers of the chains in the rows.
        side: match of the upright lines.
        extra: cost of being unusual.
    """

    plan: TablePlan
    rows: list[Row]
    mirror: bool
    members: list[int]
    side: Match
    extra: float


def best_match(chains: Sequence[Chain], plan: TablePlan) -> Match:
    """The cheapest way to put the chains to the places of the plan or one of its variations."""
    return matches(chains, plan)[0]


def matches(chains: Sequence[Chain], plan: TablePlan, most: int = 24) -> list[Match]:
    """Different ways to put the chains to the places of the plan or its variations, the cheapest first.

    Args:
        chains: all piles of the table.
        plan: of the patience.
        most: so many at most; there is always one.
    """
    items = [Item.of(chain) for chain in chains]
    loose: list[tuple[Match, _Form]] = []
    for form in _forms(items, plan):
        blocks = _blocks(items, form.members)
        for stretch in _stretches(items, form):
            loose.append((_match_rows(items, blocks, form.rows, Pose(stretch, None, form.mirror)), form))
    loose.sort(key=lambda option: option[0].cost + option[1].extra + option[1].side.cost)
    found: dict[frozenset[tuple[PileId, int]], Match] = {}
    for match, form in loose[:TIGHT]:
        for tight in _anchored(items, form, match):
            whole = _joined(tight, form)
            key = frozenset(whole.at.items())
            if key not in found or whole.cost < found[key].cost:
                found[key] = whole
    ranked = sorted(found.values(), key=lambda match: match.cost)
    moved = [other for match in ranked[:SHIFTED] for other in _shifted(match)]
    return sorted(ranked + moved, key=lambda match: match.cost)[:most] or [Match(math.inf)]


def _shifted(match: Match) -> Iterator[Match]:
    """The same with the piles of a half empty line of squared piles at other places, in the same order."""
    for group in match.plan.groups if match.plan is not None else ():
        taken = [n for n, place in enumerate(group.places) if place.pile in match.at]
        if group.alike or group.spread is not Spread.SQUARED or not 0 < len(taken) < len(group):
            continue
        for places in combinations(range(len(group)), len(taken)):
            if list(places) == taken:
                continue
            at = {pile: c for pile, c in match.at.items() if pile not in {place.pile for place in group.places}}
            for old, new in zip(taken, places, strict=True):
                at[group.places[new].pile] = match.at[group.places[old].pile]
            cost = match.cost + SHIFT_COST * sum(abs(a - b) for a, b in zip(taken, places, strict=True))
            yield Match(cost, at, match.pose, match.plan, match.empty)


def _joined(match: Match, form: _Form) -> Match:
    """The match of the rows with that of the upright lines."""
    cost = match.cost + form.extra + form.side.cost
    return Match(cost, {**match.at, **form.side.at}, match.pose, form.plan, match.empty)


def _forms(items: Sequence[Item], plan: TablePlan) -> Iterator[_Form]:
    """Every variation, both ways round, with and without the piles at its side as upright lines."""
    for k, variation in enumerate(plan.forms()):
        for mirror in _mirrors(variation):
            extra = (MIRROR_COST if mirror else 0.0) + (VARIATION_COST if k else 0.0)
            rows = plan_rows(variation, mirror)
            members = [c for c in range(len(items)) if not has_grid(plan) or items[c].face_up]
            side, rest = _sidelines(items, members, variation, mirror)
            if uprights(variation, mirror) and not side.at:
                continue  # nothing there: the same table as the plain plan's with empty foundations
            yield _Form(variation, rows, mirror, rest, side, extra)


def _mirrors(plan: TablePlan) -> tuple[bool, ...]:
    """Both ways round where a row has several groups or lines lie at one side."""
    several = any(len({slot.group.name for slot in row.slots}) > 1 for row in plan_rows(plan, False))
    return (False, True) if plan.mirror and (several or uprights(plan, False)) else (False,)


def _sidelines(items: Sequence[Item], members: list[int], plan: TablePlan, mirror: bool) -> tuple[Match, list[int]]:
    """The outermost piles as upright lines, and the piles that are left."""
    match, rest = Match(0.0), list(members)
    total = [place.x for place in plan.places()]
    middle = (min(total) + max(total)) / 2
    for x, group in uprights(plan, mirror):
        end = min if x < middle else max
        if not rest:
            break
        edge = end(items[c].x for c in rest)
        outer = [c for c in rest if abs(items[c].x - edge) <= LINE_WIDTH and not items[c].face_down]
        if any(max(items[c].across, items[c].along) > SQUARE for c in outer):
            break
        slots = tuple(Slot(place.pile, group, place.y) for place in group.places)
        gaps = sorted(b - a for a, b in pairwise(sorted(items[c].y for c in outer)))
        stretch = min(max(gaps[0] / 1.15, 0.9), 1.3) if gaps else 1.0
        found = align([item.upright() for item in items], outer, slots, Pose(stretch))
        match.cost += found.cost
        match.at.update(found.at)
        rest = [c for c in rest if c not in outer]
    return match, rest


def _stretches(items: Sequence[Item], form: _Form) -> list[float]:
    """The stretches that some neighbours on the table ask for, out of the possible ones."""
    blocks = _blocks(items, form.members)
    gaps = [b.x - a.x for row in blocks for a, b in pairwise(sorted(items[c] for c in row))]
    near = sorted(gap for gap in gaps if gap > 0.8)
    lines = [row.slots for row in form.rows if not row.grid]
    steps = [b.x - a.x for slots in lines for a, b in pairwise(slots) if a.group is b.group]
    if not near or not steps or any(row.grid for row in form.rows):
        return [1.05]
    low, high = 0.8 * near[len(near) // 10] / max(steps), 1.25 * near[len(near) // 2] / min(steps)
    return [s for s in STRETCHES if low <= s <= high] or [min(max(near[len(near) // 2] / min(steps), 0.85), 2.1)]


def _anchored(items: Sequence[Item], form: _Form, loose: Match) -> list[Match]:
    """The same with all rows bound to one left edge: the one found, and one place to either side."""
    slots = {slot.pile: slot for row in form.rows for slot in row.slots if not row.grid}
    offsets = [items[c].x - loose.pose.stretch * slots[pile].x for pile, c in loose.at.items() if pile in slots]
    if not offsets or any(row.grid for row in form.rows):
        return [loose]
    shift, blocks = median(offsets), _blocks(items, form.members)
    steps = (0.0, -1.15 * loose.pose.stretch, 1.15 * loose.pose.stretch)
    poses = [Pose(loose.pose.stretch, shift + s, loose.pose.mirror) for s in steps]
    return [_match_rows(items, blocks, form.rows, pose) for pose in poses]


def _match_rows(items: Sequence[Item], blocks: list[list[int]], rows: list[Row], pose: Pose) -> Match:
    """Best contiguous split of the chains (from far to near) into the plan's rows."""
    table: list[Match] = [Match(0.0)] + [Match(math.inf) for _ in blocks]
    last: list[tuple[float, float] | None] = [None] * (len(blocks) + 1)  # level and depth of the row before
    for row in rows:
        new, new_last = [Match(math.inf) for _ in table], list(last)
        for stop in range(len(blocks) + 1):
            for start in range(stop + 1):
                members = [c for block in blocks[start:stop] for c in block]
                if math.isinf(table[start].cost) or not (row.grid or _one_row(items, members, row)):
                    continue
                found = lattice(items, members, row.slots) if row.grid else align(items, members, row.slots, pose)
                edge = min(items[c].y for c in members) if row.grid and members else level(items, members, row.slots)
                cost = table[start].cost + found.cost
                cost += _row_cost(edge - row.y, last[start]) if members else 0.0
                if cost < new[stop].cost:
                    new[stop] = Match(cost, {**table[start].at, **found.at}, pose)
                    new[stop].empty = {**table[start].empty, **found.empty}
                    new_last[stop] = (edge - row.y, _slack(items, members, row)) if members else last[start]
        table, last = new, new_last
    best = Match(math.inf)
    for stop, match in enumerate(table):
        rest = STRAY * sum(len(block) for block in blocks[stop:])
        if match.cost + rest < best.cost:
            best = match
            best.cost += rest
    return best


def _slack(items: Sequence[Item], members: list[int], row: Row) -> float:
    """Card heights that the next row may lie lower than nominal."""
    if not row.deep:
        return 0.0
    start = min(items[c].y for c in members)
    return max(items[c].y + items[c].along for c in members) - start + LOWER


def _row_cost(edge: float, before: tuple[float, float] | None) -> float:
    """Cost of the distance to the row before: rows keep their order and rough distance."""
    if before is None:
        return 0.0
    off = edge - before[0]
    off = max(0.0, off - before[1]) if off > 0 else off
    return min(ROW_CAP, (max(abs(off) - 0.25, 0) / 0.45) ** 2)


def _blocks(items: Sequence[Item], members: Sequence[int]) -> list[list[int]]:
    """Chains from far to near, those at nearly the same distance together."""
    order = sorted(members, key=lambda c: items[c].y)
    blocks: list[list[int]] = []
    for c in order:
        near = blocks and items[c].y - items[blocks[-1][-1]].y < ROW_GAP
        if near and _one_row(items, [*blocks[-1], c]):
            blocks[-1].append(c)
        else:
            blocks.append([c])
    return blocks


def _one_row(items: Sequence[Item], members: list[int], row: Row | None = None) -> bool:
    """Whether these chains may begin one row; columns over unseen face-down cards begin lower."""
    ys = [items[c].y for c in members]
    most = ROW_HEIGHT + (HIDDEN_DEPTH if row is not None and row.hides else 0.0)
    return not ys or max(ys) - min(ys) <= most
