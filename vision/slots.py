"""What the fit of chains to a plan works with: places in rows, chains as plain numbers, poses and matches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from kibitz.engine.piles import PileId
from kibitz.engine.table_plan import Arrangement, Faces, Group, Spread, TablePlan
from kibitz.vision.chains import Chain


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

    def upright(self) -> Item:
        """The same with the axes exchanged, for a line that runs towards the player."""
        return Item(self.y, self.x, self.along, self.across, self.face_up, self.face_down)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a plan.

    Attributes:
        y: card heights from the plan's far edge.
        slots: from left to right; those of a grid in the order of their numbers.
        grid: whether it is a grid, which may take several rows of the table.
    """

    y: float
    slots: tuple[Slot, ...]
    grid: bool = False

    @property
    def deep(self) -> bool:
        """Whether its piles run towards the player, so that the next row may lie anywhere below their ends."""
        return self.grid or any(slot.group.spread is Spread.DOWN for slot in self.slots)

    @property
    def hides(self) -> bool:
        """Whether some pile may begin with face-down cards of which only strips are seen."""
        return any(hides(slot.group) for slot in self.slots)


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
        plan: the form of the plan that was fitted.
        empty: points of empty places of a grid, card widths and heights.
    """

    cost: float
    at: dict[PileId, int] = field(default_factory=dict)
    pose: Pose = field(default_factory=lambda: Pose(1.0))
    plan: TablePlan | None = None
    empty: dict[PileId, tuple[float, float]] = field(default_factory=dict)


def hides(group: Group) -> bool:
    """Whether piles of this group may begin with face-down cards, of which only strips are seen."""
    return group.faces is Faces.MIXED and group.spread is not Spread.SQUARED


def has_grid(plan: TablePlan) -> bool:
    """Whether piles lie in rows of the player's choice; face-down piles then lie anywhere beside them."""
    return any(group.arrangement is Arrangement.GRID for group in plan.groups)


def uprights(plan: TablePlan, mirror: bool) -> list[tuple[float, Group]]:
    """The lines beside everything else, with their x after mirroring, from the outer one inwards."""
    lines = [group for group in plan.groups if group.arrangement is Arrangement.UPRIGHT]
    total, middle = _span(plan), _middle(plan)
    placed = [(total - group.places[0].x if mirror else group.places[0].x, group) for group in lines]
    return sorted(placed, key=lambda pair: -abs(pair[0] - middle))


def _span(plan: TablePlan) -> float:
    xs = [place.x for place in plan.places()]
    return min(xs) + max(xs)


def _middle(plan: TablePlan) -> float:
    return _span(plan) / 2


def plan_rows(plan: TablePlan, mirror: bool) -> list[Row]:
    """The plan's rows from the far to the near one; upright lines are in none of them."""
    total = _span(plan)
    rows: list[tuple[float, list[Slot]]] = []
    grids: list[Row] = []
    parts = []
    for group in plan.groups:
        inner = [place.x for place in group.places]
        move = total - (min(inner) + max(inner)) if mirror and group.arrangement is not Arrangement.GRID else 0.0
        slots = tuple(Slot(place.pile, group, place.x + move) for place in group.places)
        if group.arrangement is Arrangement.GRID:
            grids.append(Row(min(place.y for place in group.places), slots, True))
        elif group.arrangement is Arrangement.LINE and not (has_grid(plan) and group.faces is Faces.DOWN):
            parts += [(place.y, slot) for place, slot in zip(group.places, slots, strict=True)]
    for y, slot in sorted(parts, key=lambda part: part[0]):
        if not rows or y - rows[-1][0] > 0.5:
            rows.append((y, []))
        rows[-1][1].append(slot)
    lines = [Row(y, tuple(sorted(slots, key=lambda slot: slot.x))) for y, slots in rows]
    return sorted([*lines, *grids], key=lambda row: row.y)
