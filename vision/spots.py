"""Where the places of a fitted plan are on the table, empty ones too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz.engine.piles import PileId
from kibitz.engine.table_plan import TablePlan
from kibitz.vision.chains import Chain, Doubles
from kibitz.vision.slots import Match, plan_rows, uprights


def place_points(plan: TablePlan, match: Match, chains: Sequence[Chain]) -> dict[PileId, Doubles]:
    """(2,) where the first card of every pile of the plan lies or would lie, card widths and heights."""
    plan = match.plan or plan
    points: dict[PileId, Doubles] = {pile: chains[c].start for pile, c in match.at.items()}
    points |= {pile: np.asarray(point, np.float64) for pile, point in match.empty.items()}
    stretch, mirror = match.pose.stretch, match.pose.mirror
    rows = plan_rows(plan, mirror)
    for row in rows:
        known = [slot for slot in row.slots if slot.pile in match.at]
        for slot in row.slots:
            if slot.pile not in points and known:
                near = min(known, key=lambda other: (other.group is not slot.group, abs(other.x - slot.x)))
                points[slot.pile] = points[near.pile] + [stretch * (slot.x - near.x), 0.0]
    nominal = {slot.pile: (slot.x, row.y) for row in rows for slot in row.slots if not row.grid}
    nominal |= {place.pile: (x, place.y) for x, group in uprights(plan, mirror) for place in group.places}
    nominal = {place.pile: nominal.get(place.pile, (place.x, place.y)) for place in plan.places()}
    found = [pile for pile in nominal if pile in match.at]
    for pile, (x, y) in nominal.items():
        if pile not in points and found:
            near_pile = min(found, key=lambda other: (abs(nominal[other][1] - y), abs(nominal[other][0] - x)))
            far = nominal[near_pile]
            points[pile] = points[near_pile] + [stretch * (x - far[0]), y - far[1]]
    return points
