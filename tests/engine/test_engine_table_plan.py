"""Table plans as data: the Klondike of the rules book as the first example."""

import pytest

from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.table_plan import (
    Arrangement,
    Faces,
    Group,
    Place,
    PlanError,
    Spread,
    Steps,
    TablePlan,
    grid,
    line,
)


def klondike_plan() -> TablePlan:
    """Stock and waste at the left, four foundations over the columns four to seven, seven columns below."""
    return TablePlan(
        "klondike",
        (
            Group("stock", line(PileKind.STOCK, 1), faces=Faces.DOWN),
            Group("waste", line(PileKind.WASTE, 1, (1.15, 0)), spread=Spread.RIGHT),
            Group("foundations", line(PileKind.FOUNDATIONS, 4, (3.45, 0)), alike=True),
            Group("tableau", line(PileKind.TABLEAU, 7, (0, 1.2)), spread=Spread.DOWN, faces=Faces.MIXED),
        ),
    )


def test_klondike_has_thirteen_places_with_the_columns_side_by_side() -> None:
    plan = klondike_plan()
    assert len(list(plan.places())) == 13
    tableau = plan.group_of(PileId(PileKind.TABLEAU, 6))
    assert (tableau.name, len(tableau)) == ("tableau", 7)
    assert tableau.width == pytest.approx(6 * 1.15)
    assert [place.y for place in tableau.places] == [1.2] * 7


def test_a_grid_is_read_row_by_row() -> None:
    places = grid(PileKind.TABLEAU, 18, 6, steps=Steps(2.0, 1.5))
    assert (places[5].x, places[5].y) == (10.0, 0.0)
    assert (places[6].x, places[6].y) == (0.0, 1.5)
    assert (places[17].x, places[17].y) == (10.0, 3.0)
    assert Group("fans", places, Spread.FAN, arrangement=Arrangement.GRID, most=3).width == 10.0


def test_contradictions_are_told() -> None:
    stock = Group("stock", line(PileKind.STOCK, 1))
    with pytest.raises(PlanError, match="different names"):
        TablePlan("x", (stock, stock))
    with pytest.raises(PlanError, match="different names"):
        TablePlan("x", ())
    with pytest.raises(PlanError, match="twice"):
        TablePlan("x", (stock, Group("again", line(PileKind.STOCK, 1))))
    with pytest.raises(PlanError, match="at least one place"):
        Group("none", ())
    with pytest.raises(PlanError, match="most >= 1"):
        Group("one", stock.places, most=0)
    with pytest.raises(PlanError, match="finite"):
        Place(PileId(PileKind.STOCK), float("nan"), 0)
    with pytest.raises(PlanError, match="at least one deck"):
        TablePlan("x", (stock,), decks=0)
    with pytest.raises(PlanError, match="expected a pile of the plan"):
        TablePlan("x", (stock,)).group_of(PileId(PileKind.WASTE))
