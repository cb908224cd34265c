"""The cheapest match, against trying every possibility."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kibitz.vision.matching import cheapest, extra_costs


@st.composite
def tables(draw):
    rows = draw(st.integers(1, 4))
    columns = draw(st.integers(rows, 6))
    return draw(arrays(np.float64, (rows, columns), elements=st.floats(0, 20, width=16)))


def every_match(cost):
    rows, columns = cost.shape
    for chosen in permutations(range(columns), rows):
        yield chosen, sum(cost[row, column] for row, column in enumerate(chosen))


@settings(deadline=None, max_examples=150)
@given(tables())
def test_no_other_match_is_cheaper(cost):
    column = cheapest(cost)
    assert len(set(column.tolist())) == len(cost)
    assert cost[np.arange(len(cost)), column].sum() == pytest.approx(min(total for _, total in every_match(cost)))


@settings(deadline=None, max_examples=100)
@given(tables())
def test_extra_cost_of_every_choice(cost):
    _, extra = extra_costs(cost)
    matches = list(every_match(cost))
    best = min(total for _, total in matches)
    for row in range(cost.shape[0]):
        for column in range(cost.shape[1]):
            forced = min(total for chosen, total in matches if chosen[row] == column)
            assert extra[row, column] == pytest.approx(forced - best, abs=1e-6)


def test_two_rows_that_want_the_same_column():
    cost = np.array([[1.0, 2.0, 9.0], [1.0, 5.0, 9.0]])
    column, extra = extra_costs(cost)
    assert column.tolist() == [1, 0]
    assert extra.tolist() == [[3.0, 0.0, 7.0], [0.0, 3.0, 7.0]]


def test_no_rows_and_too_many():
    assert cheapest(np.zeros((0, 3))).shape == (0,)
    with pytest.raises(ValueError, match="at least as many columns as rows"):
        cheapest(np.zeros((2, 1)))
