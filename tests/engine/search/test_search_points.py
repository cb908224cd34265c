"""Eleven Points: exact chances against the simulated table of the rules."""

from __future__ import annotations

import pytest

from kibitz.engine import get_rules
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.points_chance import chance, exact_chance
from kibitz.engine.search.values import Limit

FULL = ((4, 4),) * 5


@pytest.mark.parametrize(
    ("places", "simulated"), [(7, 0.214), (8, 0.466), (9, 0.705), (10, 0.866), (11, 0.950), (12, 0.985), (13, 0.996)]
)
def test_exact_chance_before_the_deal_agrees_with_simulations(places: int, simulated: float) -> None:
    assert exact_chance(FULL, places) == pytest.approx(simulated, abs=0.004)


def test_small_cases_by_hand() -> None:
    assert exact_chance(((0, 0),) * 5, 1) == 1.0
    # An ace and a ten are out, one place: whichever comes first lies unmatched and fills it.
    assert exact_chance(((0, 0),) * 4 + ((1, 1),), 1) == 0.0
    assert exact_chance(((0, 0),) * 4 + ((1, 1),), 2) == 1.0
    # Two aces are out and one free ten lies on two places: (2, 1) unseen means one ten lies there.
    assert exact_chance(((0, 0),) * 4 + ((2, 1),), 2) == pytest.approx(2 / 3)


def test_trio_of_courts_is_rare() -> None:
    rules = get_rules("elevens")
    deal = rules.deal(1)
    found, error = chance(rules, rules.conceal(deal), Clock(Limit(samples=400)))
    assert 0.0 <= found < 0.6
    assert 0.0 < error < 0.03


def test_a_known_stock_is_simply_played_out() -> None:
    rules = get_rules("eleven-points")
    for seed in range(8):
        position = rules.settle(rules.deal(seed))
        expected, error = chance(rules, position, Clock(Limit()))
        while rules.legal_moves(position):
            position = rules.apply(position, rules.legal_moves(position)[0])
        assert error == 0.0
        assert expected == float(rules.is_won(position))
