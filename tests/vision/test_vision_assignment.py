"""One label for each card: limits, jokers, and what the rest of the table says."""

import numpy as np
import pytest

from kibitz.engine.cards import LABELS
from kibitz.vision.assignment import assign


def row(**chances: float) -> list[float]:
    """A distribution; names are labels with an underscore before a digit."""
    values = [0.0] * 52
    for name, chance in chances.items():
        values[LABELS.index(name.strip("_"))] = chance
    return values


def test_a_joker_takes_no_label_from_the_card_that_has_it() -> None:
    joker = row(_6C=0.1, _8C=0.1, _3C=0.1, JC=0.1)
    given = assign(np.asarray([row(_6C=0.97), joker], np.float32))
    assert given.labels[0] == LABELS.index("6C")
    assert given.unsure.tolist() == [False, True]
    others = [row(**{name: 0.97}) for name in ("_6C", "_8C", "_3C", "JC")]
    given = assign(np.asarray([*others, joker], np.float32))
    assert given.labels.tolist() == [*(LABELS.index(name) for name in ("6C", "8C", "3C", "JC")), -1]
    assert given.confidence[:4].min() > 0.95
    assert not given.unsure.any()  # with all of them on the table it is surely none of the 52
    assert given.labels_probability[-1].max() < 0.1


def test_a_blurred_card_is_not_taken_for_a_joker() -> None:
    given = assign(np.asarray([row(_6C=0.5, _8C=0.45)], np.float32))
    assert given.labels.tolist() == [LABELS.index("6C")]
    assert given.unsure.tolist() == [True]


def test_the_same_card_twice_stays_doubtful_twice() -> None:
    given = assign(np.asarray([row(_8S=0.98), row(_8S=0.97)], np.float32))
    assert given.unsure.tolist() == [True, True]
    assert given.contested == ((0, 1),)
    assert not assign(np.asarray([row(_8S=0.98), row(_8S=0.97)], np.float32), limit=2).unsure.any()


def test_a_sure_rival_settles_a_doubtful_card() -> None:
    given = assign(np.asarray([row(_8S=0.99), row(_8S=0.5, _8C=0.5)], np.float32))
    assert [LABELS[k] for k in given.labels] == ["8S", "8C"]
    assert given.confidence[1] == pytest.approx(1, abs=0.05)


def test_no_cards() -> None:
    assert assign(np.zeros((0, 52), np.float32)).labels.shape == (0,)
