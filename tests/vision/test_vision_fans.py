"""Decks with an index in every corner, of whose cards only one side or one end is seen."""

import numpy as np
import pytest

from kibitz.vision.fakes import FakeTable, LaidCard
from kibitz.vision.types import TableReading

FIVE = ("2C", "8D", "9H", "QC", "7D")


def fan(x: float, y: float, labels: tuple[str, ...], step: float = 9.0) -> list[LaidCard]:
    """Cards turned about a point 150 mm below the fan's middle, the next one always on the one before."""
    cards = []
    for k, label in enumerate(labels):
        turn = (k - (len(labels) - 1) / 2) * step
        angle = np.radians(turn)
        cards.append(LaidCard(label, x + 150 * np.sin(angle), y + 150 - 150 * np.cos(angle), turn))
    return cards


def read(cards: list[LaidCard], **more: bool) -> TableReading:
    table = FakeTable(cards, size=(1600, 1200), four=True, noise=1.0, **more)
    return table.reader().read(table.frame(), 1)


@pytest.mark.parametrize("with_outlines", [True, False])
def test_every_card_of_a_fan_lies_where_it_was_laid(with_outlines: bool) -> None:
    cards = fan(200, 150, FIVE) + fan(500, 150, ("3H", "JC", "AH", "TD", "2S")) + fan(350, 400, ("5C", "AC", "KS"))
    reading = read(cards, with_outlines=with_outlines)
    assert sorted(card.label or "?" for card in reading.cards) == sorted(card.label or "" for card in cards)
    assert not any(card.unsure for card in reading.cards)
    found = {card.label: card.corners for card in reading.cards}
    for card in cards:
        corners = found[card.label]
        assert corners is not None
        # A card taken for its neighbour's other side would lie a card's width (126 px) off.
        assert corners.mean(axis=0) == pytest.approx([2 * card.x, 2 * card.y], abs=25), card.label


def test_columns_cut_off_by_the_picture_tell_the_size_of_the_deck() -> None:
    """Only upper corners are in sight: no index reads upside down, so that no diagonal can be measured."""
    columns = (("3D", "5D", "TC"), ("3H", "QS", "8C"), ("3C", "AD", "KS"), ("9C", "QD", "4H"))
    cards = [
        LaidCard(label, 100 + 90 * k, 545 + 26 * n)
        for k, column in enumerate(columns)
        for n, label in enumerate(column)
    ]
    reading = read(cards)
    assert sorted(card.label or "?" for card in reading.cards) == sorted(card.label or "" for card in cards)
    assert not any(card.unsure for card in reading.cards)
    assert all(len(card.indices) == 2 for card in reading.cards)


def test_two_outlines_of_one_card_are_one_card() -> None:
    """With one deck a card does not lie on its own double, however badly its two ends fit together."""
    from kibitz.vision.cards import SeenCard, without_twins

    labels = np.zeros(52, np.float32)
    labels[7] = 0.95
    quad = np.asarray([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)
    upper = SeenCard(quad, True, labels, 0.7, (0,), read=0.66)
    lower = SeenCard(quad + np.float32(20), True, labels, 0.6, (1,), read=0.57)
    far = SeenCard(quad + np.float32(500), True, labels, 0.6, (2,), read=0.57)
    # Both ends of a card that is larger than was thought: they read towards each other, and do not overlap.
    end = SeenCard(quad[[2, 3, 0, 1]] + np.asarray([10, 80], np.float32), True, labels, 0.5, (3,), read=0.4)
    assert [card.members for card in without_twins([upper, end])] == [(0, 3)]
    assert len(without_twins([upper, SeenCard(quad + np.float32(95), True, labels, 0.5, (3,))])) == 2
    merged = without_twins([upper, lower, far])
    assert [card.members for card in merged] == [(0, 1), (2,)]
    assert merged[0].evidence == pytest.approx(1 - 0.3 * 0.4)
    assert merged[0].read == pytest.approx(0.66)
