"""Face-down cards of all columns weighed together: strips, places and the deal; and piles in two parts."""

import numpy as np
import pytest

from kibitz.engine.table_plan import Spread
from kibitz.vision.chains import Chain, PlayerFrame, find_chains
from kibitz.vision.dealt import Column, settle
from kibitz.vision.gapped import joinings
from kibitz.vision.rectify import TableFrame
from kibitz.vision.strips import MOST
from kibitz.vision.types import TableCard

PLAYER = PlayerFrame(TableFrame.identity(), np.asarray([100.0, 0]), np.asarray([0.0, 150]), 1.0)
NOBODY_KNOWS = np.full((7, MOST + 1), 1 / (MOST + 1))


def columns(*depths: float) -> list[Column]:
    """Seven columns whose first open cards lie so many card heights below the row's line."""
    return [Column(1.15 * n, 2.0 + depth, 0, n) for n, depth in enumerate(depths)]


def test_an_untouched_deal_is_known_by_its_stairs_alone() -> None:
    settled, _ = settle(columns(0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2), NOBODY_KNOWS)
    assert settled.argmax(axis=1).tolist() == [0, 1, 2, 3, 4, 5, 6]


def test_a_column_that_lies_higher_than_its_neighbours_has_lost_cards() -> None:
    settled, _ = settle(columns(0, 0.2, 0.4, 0.6, 0.8, 0.4, 1.2), NOBODY_KNOWS)
    assert settled.argmax(axis=1).tolist() == [0, 1, 2, 3, 4, 2, 6]


def test_no_column_holds_more_than_it_was_dealt() -> None:
    wrong = np.full((7, MOST + 1), 0.01)
    wrong[:, 4] = 0.93
    settled, _ = settle(columns(0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2), wrong)
    assert [int(row.argmax()) for row in settled[:3]] == [0, 1, 2]


def test_the_deal_tells_which_columns_these_are() -> None:
    _, right = settle(columns(0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2), NOBODY_KNOWS)
    _, reverse = settle(columns(0.3, 1.0, 0.1, 0.9, 0.0, 1.2, 0.2), NOBODY_KNOWS)
    assert right > reverse


def card(number: int, face_up: bool, x: float, y: float) -> TableCard:
    middle = np.asarray([100 * x, 150 * y])
    corners = middle + np.asarray([[-50, -75], [50, -75], [50, 75], [-50, 75]])
    return TableCard(number, face_up, np.zeros(52, np.float32), 0.9, False, np.asarray(corners, np.float32))


@pytest.mark.parametrize(("far_face_up", "piles"), [(True, 2), (False, 1)])
def test_a_foundation_just_above_a_back_is_a_pile_of_its_own(far_face_up: bool, piles: int) -> None:
    """The gap may hide backs only if the farther card is one; 0.8 card heights lie between the two."""
    cards = [card(0, far_face_up, 3, 2.2), card(1, not far_face_up, 3, 3.0)]
    assert len(find_chains(cards, PLAYER, frozenset({Spread.DOWN}))) == piles


def test_a_column_in_two_parts_is_joined_below_the_far_row_only() -> None:
    def lone(number: int, y: float, down: int) -> Chain:
        return Chain((number,), np.asarray([[3.0, y]]), down)

    chains = [lone(0, 1.0, 1), lone(1, 2.3, 1), lone(2, 3.8, 0)]
    found = [sorted(chain.cards for chain in way) for way in joinings(chains)]
    assert found[:2] == [[(0,), (1,), (2,)], [(0,), (1, 2)]]
