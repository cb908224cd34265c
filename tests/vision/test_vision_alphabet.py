"""Letter sets: what a reading means once the set is settled."""

import numpy as np
import pytest

from kibitz.engine.cards import LABELS
from kibitz.vision.alphabet import FOREIGN, NAMES, Settlement, label_probabilities
from kibitz.vision.symbols import NOT_AN_INDEX, SYMBOLS
from kibitz.vision.types import IndexReadings


def reading(**symbols: float) -> IndexReadings:
    """One index of spades; the rest of its probability is "not an index"."""
    row = np.zeros(len(SYMBOLS) + 1, np.float32)
    for symbol, share in symbols.items():
        row[SYMBOLS.index(symbol.lstrip("_"))] = share
    row[NOT_AN_INDEX] = 1 - row.sum()
    return IndexReadings(row[None], np.asarray([[0, 0, 0, 1]], np.float32))


def settled(name: str) -> Settlement:
    return Settlement(np.asarray([float(other == name) for other in NAMES], np.float32))


def test_letters_that_the_deck_does_not_have_are_taken_for_misread_ones() -> None:
    labels = label_probabilities(reading(Q=0.4, R=0.4, _8=0.1), settled("latin"))[0]
    # 0.4 of 0.4 + 0.1 + 0.1 (no index), where a quarter of the R counts as no index too.
    assert labels[LABELS.index("QS")] == pytest.approx(0.4 / (0.6 + FOREIGN * 0.4), abs=1e-4)
    assert labels[LABELS.index("8S")] == pytest.approx(0.1 / (0.6 + FOREIGN * 0.4), abs=1e-4)
    assert labels.sum() < 1


def test_letters_of_the_deck_keep_their_probabilities() -> None:
    labels = label_probabilities(reading(Q=0.7, K=0.2), settled("latin"))[0]
    assert labels[LABELS.index("QS")] == pytest.approx(0.7, abs=1e-4)
    assert labels[LABELS.index("KS")] == pytest.approx(0.2, abs=1e-4)


def test_a_letter_of_two_sets_means_a_rank_in_each() -> None:
    half = Settlement(np.asarray([0.5 * (name in ("latin", "german")) for name in NAMES], np.float32))
    labels = label_probabilities(reading(D=0.9), half)[0]
    # German D is the queen; Latin decks have no D, so that half of the table's doubt stays "none of the labels".
    assert labels[LABELS.index("QS")] == pytest.approx(0.45, abs=1e-4)
