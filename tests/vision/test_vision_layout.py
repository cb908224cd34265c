"""One fitter for all patiences: imaginary tables whose piles are known, seen from all sides."""

import numpy as np
import pytest

from kibitz.engine import get_rules
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.table_plan import Arrangement, Faces, Group, Spread, Steps, TablePlan, grid, line
from kibitz.vision.fakes import FakeTable, LaidCard
from kibitz.vision.layout import fit
from kibitz.vision.types import Layout, QuestionKind

STEP_X, STEP_Y = 75.0, 16.0
TABLEAU, FOUNDATIONS = PileKind.TABLEAU, PileKind.FOUNDATIONS


def camera(turn: float = 0.0, tilt: float = 0.0, middle: tuple[float, float] = (250, 180)) -> np.ndarray:
    angle = np.radians(turn)
    move = np.asarray([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
    spin = np.asarray([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    lean = np.asarray([[1, 0, 0], [0, np.cos(np.radians(tilt)), 0], [0, -np.sin(np.radians(tilt)) / 1400, 1]])
    return np.asarray(np.asarray([[1.8, 0, 800], [0, 1.8, 800], [0, 0, 1.0]]) @ lean @ spin @ move)


def column(x: float, y: float, hidden: int, *labels: str, turn: float = 0.0) -> list[LaidCard]:
    cards = [LaidCard(None, x, y + 10 * k, turn) for k in range(hidden)]
    y += 10 * hidden
    return cards + [LaidCard(label, x + 1.5 * (k % 2), y + STEP_Y * k, turn) for k, label in enumerate(labels)]


def fitted(cards: list[LaidCard], view: np.ndarray, game: str | TablePlan = "klondike", **more: float) -> Layout:
    table = FakeTable(cards, view, (1600, 1600), noise=more.get("noise", 0.7))
    plan = get_rules(game).plan() if isinstance(game, str) else game
    return fit(table.reader().read(table.frame(), plan.decks).cards, plan)


def piles(layout: Layout, kind: PileKind) -> list[str]:
    found = sorted(pile for pile in layout.piles if pile.kind is kind)
    return [
        " ".join(p.card.label or "##" if p.card and p.face_up else "##" for p in layout.piles[pile]) for pile in found
    ]


def midgame() -> list[LaidCard]:
    """Stock, a squared waste, two foundations, an empty third column; crooked."""
    cards = [LaidCard(None, 30, 45), LaidCard("9C", 106, 48, 3)]
    cards += [LaidCard("2H", 30 + 3 * STEP_X, 42, -2), LaidCard("AS", 30 + 4 * STEP_X, 46)]
    rows = [
        (0, ("KS", "QD", "JC")),
        (1, ("5D",)),
        None,
        (2, ("8S", "7H")),
        (3, ("TD",)),
        (4, ("3C",)),
        (5, ("KH", "QC")),
    ]
    for k, row in enumerate(rows):
        if row:
            cards += column(30 + k * STEP_X + 2 * (k % 3), 145 + 6 * (k % 2), row[0], *row[1], turn=float(k % 3 - 1))
    return cards


MIDGAME = ["KS QD JC", "## 5D", "", "## ## 8S 7H", "## ## ## TD", "## ## ## ## 3C", "## ## ## ## ## KH QC"]


@pytest.mark.parametrize("turn", [0, 12, 90, 180, 270])
@pytest.mark.parametrize("tilt", [0, 30])
def test_klondike_from_any_side_with_crooked_rows_and_an_empty_column(turn: float, tilt: float) -> None:
    layout = fitted(midgame(), camera(turn, tilt))
    assert piles(layout, TABLEAU) == MIDGAME
    assert piles(layout, FOUNDATIONS) == ["2H", "AS", "", ""]
    assert (piles(layout, PileKind.STOCK), piles(layout, PileKind.WASTE)) == (["##"], ["9C"])
    assert layout.strays == ()
    assert not layout.mirrored
    assert layout.quality > 0.8


def test_stock_at_the_right_is_the_mirrored_table() -> None:
    cards = [LaidCard(None, 30 + 6 * STEP_X, 45), LaidCard("9C", 30 + 5 * STEP_X, 45), LaidCard("AH", 30, 45)]
    cards.append(LaidCard("AC", 30 + STEP_X, 45))
    for k, label in enumerate(("KS", "QD", "8S", "7H", "TD", "3C", "5D")):
        cards += column(30 + k * STEP_X, 150, k, label)
    layout = fitted(cards, camera())
    assert layout.mirrored
    assert piles(layout, FOUNDATIONS) == ["AH", "AC", "", ""]
    assert (piles(layout, PileKind.STOCK), piles(layout, PileKind.WASTE)) == (["##"], ["9C"])
    assert piles(layout, TABLEAU)[6] == "## ## ## ## ## ## 5D"


def test_columns_alone_need_no_row_above() -> None:
    cards = []
    for k, label in enumerate(("KS", "QD", "8S", "7H", "TD", "3C", "5D")):
        cards += column(30 + k * 70, 100, k, label)
    layout = fitted(cards, camera())
    assert [pile.split()[-1] for pile in piles(layout, TABLEAU)] == ["KS", "QD", "8S", "7H", "TD", "3C", "5D"]
    assert piles(layout, PileKind.STOCK) == [""]


def test_a_bared_face_down_card_is_a_column() -> None:
    cards = [LaidCard(None, 30, 45)]
    for k, label in enumerate(("KS", "QD", None, "7H", "TD", "3C", None)):
        cards += column(30 + k * STEP_X, 150, k, *([label] if label else []))
    layout = fitted(cards, camera())
    assert piles(layout, TABLEAU)[2] == "## ##"
    assert piles(layout, TABLEAU)[6] == "## ## ## ## ## ##"


def test_an_arrow_finds_the_empty_place() -> None:
    view = camera()
    layout = fitted(midgame(), view)
    middle = layout.spots[PileId(TABLEAU, 2)].mean(axis=0)
    truth = view @ [30 + 2 * STEP_X, 148, 1]
    assert middle == pytest.approx(truth[:2], abs=40)


def test_a_doubtful_card_becomes_a_question() -> None:
    cards = [
        LaidCard("8C", 30, 150, like="9C"),
        *column(30 + STEP_X, 150, 1, "KD"),
        LaidCard("8S", 30 + 2 * STEP_X, 150),
    ]
    questions = [q for q in fitted(cards, camera()).questions if q.kind is QuestionKind.WHICH_CARD]
    assert [set(q.choices) >= {"8C", "9C"} for q in questions] == [True]


def test_thirteen_columns_of_two_decks() -> None:
    ranks = "A23456789TJQK"
    cards: list[LaidCard] = []
    for k in range(13):
        labels = [ranks[(k + n) % 13] + "CDHS"[n % 4] for n in range(8)]
        cards += column(40 + 68 * k, 60, 0, *labels)
    view = np.diag([1.6, 1.6, 1.0])
    layout = fitted(cards, view, "mrs-mop")
    assert len(piles(layout, TABLEAU)) == 13
    assert piles(layout, TABLEAU)[4] == "5C 6D 7H 8S 9C TD JH QS"
    assert layout.strays == ()


def fan(x: float, y: float, *labels: str) -> list[LaidCard]:
    return [LaidCard(label, x + 17 * k, y + 1.5 * k * k, 6.0 * k - 6) for k, label in enumerate(labels)]


@pytest.mark.parametrize("columns", [6, 9])
def test_eighteen_fans_in_any_number_of_rows(columns: int) -> None:
    fans = grid(PileKind.TABLEAU, 18, 6, (0, 1.4), Steps(2.2, 1.4))
    plan = TablePlan(
        "fans",
        (
            Group("foundations", line(FOUNDATIONS, 8, (1, 0), Steps(1.3)), alike=True),
            Group("tableau", fans, Spread.FAN, Faces.UP, Arrangement.GRID, most=3),
        ),
        decks=2,
    )
    ranks = "A23456789TJQK"
    cards = [LaidCard("AS", 200, 50), LaidCard("AH", 290, 50)]
    names = [[ranks[(k + n) % 13] + "CDHS"[(k + n) % 4] for n in range(3)] for k in range(18)]
    for k, labels in enumerate(names):
        cards += fan(50 + 125 * (k % columns), 190 + 130 * (k // columns), *labels)
    layout = fitted(cards, np.diag([1.35, 1.35, 1.0]), plan, noise=0.4)
    assert piles(layout, TABLEAU) == [" ".join(labels) for labels in names]
    assert sorted(piles(layout, FOUNDATIONS))[-2:] == ["AH", "AS"]


def test_twelve_single_places_and_the_stock_beside_them() -> None:
    ranks = "A23456789TJQK"
    cards = [LaidCard(ranks[k] + "CDHS"[k % 4], 40 + 80 * (k % 4), 60 + 105 * (k // 4)) for k in range(12) if k != 5]
    cards.append(LaidCard(None, 40 + 80 * 4 + 40, 60))
    layout = fitted(cards, camera(0, 0, (200, 160)), "eleven-points")
    expected = [ranks[k] + "CDHS"[k % 4] if k != 5 else "" for k in range(12)]
    assert piles(layout, TABLEAU) == expected
    assert piles(layout, PileKind.STOCK) == ["##"]


def test_a_table_without_cards_has_empty_piles() -> None:
    layout = fit((), get_rules("klondike").plan())
    assert set(layout.piles.values()) == {()}
    assert layout.quality == 0
