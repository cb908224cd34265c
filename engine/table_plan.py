"""Where the piles of a patience lie on the table, as data.

Every patience returns one `TablePlan` from `Rules.plan()`. The fitter in `kibitz.vision.layout` knows no patience:
all it knows of one is such a plan. Coordinates are as the player sees the table: x to the right in **card widths**,
y towards the player in **card heights**; a place's point is the centre of the first card of the pile (the one nearest
the covered end). They are nominal: players lay wider, narrower and crooked, so the fitter lets every group move and
stretch, and only the order and the rough proportions count.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from kibitz.engine.errors import KibitzError
from kibitz.engine.piles import PileId, PileKind


class PlanError(KibitzError):
    """A table plan that contradicts itself."""


class Spread(StrEnum):
    """How the cards of one pile lie, seen from the covered end."""

    SQUARED = "squared"
    """One upon the other; only the last card is seen."""
    DOWN = "down"
    """Overlapped towards the player, every index in sight."""
    RIGHT = "right"
    """Overlapped to the player's right (or, on a mirrored table, to the left)."""
    FAN = "fan"
    """Overlapped in any one direction, straight or round a point."""


class Faces(StrEnum):
    """Which sides of the cards can be seen in a group."""

    UP = "up"
    """All cards face up."""
    DOWN = "down"
    """All cards face down."""
    MIXED = "mixed"
    """Face-down cards at the covered end, then face-up cards; the last may be face down until it is turned."""


class Arrangement(StrEnum):
    """How strictly the places of a group keep their nominal points."""

    LINE = "line"
    """One line; the place is told by the distance along it, so an empty place leaves a hole."""
    GRID = "grid"
    """Rows of any length, read row by row; players choose the number of rows themselves."""
    UPRIGHT = "upright"
    """One line from the far end to the near one, beside everything else."""


@dataclass(frozen=True, slots=True)
class Place:
    """One pile's place.

    Attributes:
        pile: the pile that lies here.
        x: centre of its first card, card widths to the player's right.
        y: the same, card heights towards the player.
    """

    pile: PileId
    x: float
    y: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.x) and math.isfinite(self.y)):
            raise PlanError(f"expected a finite place for {self.pile}, got ({self.x}, {self.y}); correct the plan")


@dataclass(frozen=True, slots=True)
class Group:
    """Places that are kept together on the table: a row of columns, the foundations, the stock.

    Attributes:
        name: unique in the plan, usually the pile kind's text.
        places: in index order; at least one.
        spread: how the cards of each pile lie.
        faces: which sides can be seen.
        arrangement: how strictly the nominal points are kept.
        alike: True where the piles may be taken in any order by the rules (foundations that are known by their suit);
            an empty place then matters less.
        rare: True where a place without cards is the rule.
        most: the most cards that one pile can hold in sight; None = no limit.
        dealt_down: the face-down cards that each place gets in the deal; there are never more. Empty = no rule.
    """

    name: str
    places: tuple[Place, ...]
    spread: Spread = Spread.SQUARED
    faces: Faces = Faces.UP
    arrangement: Arrangement = Arrangement.LINE
    alike: bool = False
    rare: bool = False
    most: int | None = None
    dealt_down: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.places:
            raise PlanError(f"expected at least one place in group {self.name!r}, got none; leave the group out")
        if self.most is not None and self.most < 1:
            raise PlanError(f"expected most >= 1 in group {self.name!r}, got {self.most}; use None for no limit")
        if self.dealt_down and len(self.dealt_down) != len(self.places):
            got = f"{len(self.dealt_down)} for {len(self.places)} places"
            raise PlanError(f"expected one number of dealt cards a place in group {self.name!r}, got {got}")

    def __len__(self) -> int:
        return len(self.places)

    @property
    def width(self) -> float:
        """Distance from the first to the last place, card widths."""
        xs = [place.x for place in self.places]
        return max(xs) - min(xs)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """All places of a patience.

    Attributes:
        game: the registered name.
        groups: from the far row to the near one, in each row from left to right.
        decks: packs of 52 in the game.
        mirror: True if the groups of one row may lie in the opposite order (left-handed players, stock at the right);
            the order inside a group stays left to right.
        variations: other usual ways to lay the same piles, each as all its groups.
    """

    game: str
    groups: tuple[Group, ...]
    decks: int = 1
    mirror: bool = True
    variations: tuple[tuple[Group, ...], ...] = ()

    def __post_init__(self) -> None:
        names = [group.name for group in self.groups]
        if not names or len(set(names)) != len(names):
            raise PlanError(f"expected groups with different names in the plan of {self.game!r}, got {names}")
        piles = [place.pile for place in self.places()]
        double = sorted({str(pile) for pile in piles if piles.count(pile) > 1})
        if double:
            raise PlanError(f"expected every pile once in the plan of {self.game!r}, got {', '.join(double)} twice")
        if self.decks < 1:
            raise PlanError(f"expected at least one deck in the plan of {self.game!r}, got {self.decks}")
        for form in self.forms()[1:]:
            if {place.pile for place in form.places()} != set(piles):
                raise PlanError(f"expected the same piles in every variation of the plan of {self.game!r}")

    def forms(self) -> tuple[TablePlan, ...]:
        """The plan as it is commonest, then each of its variations as a plan of its own."""
        own = replace(self, variations=()) if self.variations else self
        return (own, *(replace(self, groups=groups, variations=()) for groups in self.variations))

    def places(self) -> Iterator[Place]:
        """All places, group by group."""
        for group in self.groups:
            yield from group.places

    def group_of(self, pile: PileId) -> Group:
        """The group in which a pile lies.

        Raises:
            PlanError: the plan has no such pile.
        """
        for group in self.groups:
            if any(place.pile == pile for place in group.places):
                return group
        known = ", ".join(str(place.pile) for place in self.places())
        raise PlanError(f"expected a pile of the plan of {self.game!r} ({known}), got {pile}")


@dataclass(frozen=True, slots=True)
class Steps:
    """Distances between neighbouring places and rows, for `line` and `grid`.

    Attributes:
        dx: card widths from one place to the next; 1.15 leaves a finger's breadth.
        dy: card heights from one row to the next (grids only).
    """

    dx: float = 1.15
    dy: float = 1.15


NARROW = Steps()


def line(kind: PileKind, count: int, at: tuple[float, float] = (0.0, 0.0), steps: Steps = NARROW) -> tuple[Place, ...]:
    """`count` places of one kind side by side, the first at the point `at` = (x, y)."""
    return tuple(Place(PileId(kind, i), at[0] + i * steps.dx, at[1]) for i in range(count))


def upright(
    kind: PileKind, count: int, at: tuple[float, float] = (0.0, 0.0), steps: Steps = NARROW, first: int = 0
) -> tuple[Place, ...]:
    """`count` places of one kind from the far to the near one at the point `at` = (x, y), numbered from `first`."""
    return tuple(Place(PileId(kind, first + i), at[0], at[1] + i * steps.dy) for i in range(count))


def grid(
    kind: PileKind, count: int, columns: int, at: tuple[float, float] = (0.0, 0.0), steps: Steps = NARROW
) -> tuple[Place, ...]:
    """`count` places of one kind in rows of `columns`, read row by row, the first at the point `at` = (x, y)."""
    return tuple(
        Place(PileId(kind, i), at[0] + i % columns * steps.dx, at[1] + i // columns * steps.dy) for i in range(count)
    )


def foundation_groups(
    above: tuple[float, float], beside: tuple[float, float], below: tuple[float, ...] = (2.5,), count: int = 4
) -> tuple[Group, ...]:
    """The usual ways to lay foundations: in a row above the columns, upright beside them, in a row below them.

    Args:
        above: point of the first one in the row above.
        beside: point of the first one of the upright line.
        below: the y of rows below, each of which is a way of its own.
        count: how many foundations.
    """
    kind = PileKind.FOUNDATIONS
    return (
        Group("foundations", line(kind, count, above), alike=True),
        Group("foundations", upright(kind, count, beside), arrangement=Arrangement.UPRIGHT, alike=True),
        *(Group("foundations", line(kind, count, (above[0], y)), alike=True) for y in below),
    )
