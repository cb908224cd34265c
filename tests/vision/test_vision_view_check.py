"""Cards at the edge of the picture and a lamp mirrored on one, on imaginary tables."""

import cv2
import numpy as np

from kibitz.vision.fakes import FakeTable, LaidCard
from kibitz.vision.types import Frame, TableReading
from kibitz.vision.view_check import cut_off, glaring


def read(*cards: LaidCard) -> TableReading:
    table = FakeTable(cards)
    return table.reader().read(table.frame())


def test_cards_inside_are_not_cut_off() -> None:
    assert cut_off(read(LaidCard("TS", 100, 100), LaidCard("2H", 200, 100))) == {}


def test_cards_over_the_edge_are_counted_by_side() -> None:
    """The picture shows 800 by 600 millimetres; a card is 63 by 88."""
    reading = read(LaidCard("TS", 20, 100), LaidCard("2H", 10, 300), LaidCard("5C", 790, 300), LaidCard("9D", 400, 590))
    assert cut_off(reading) == {"left": 2, "right": 1, "bottom": 1}


def test_a_mirrored_lamp_is_found_and_a_bright_card_is_not() -> None:
    reading = read(LaidCard("TS", 100, 100), LaidCard("2H", 200, 100), LaidCard("3H", 300, 100))
    picture = np.full((1200, 1600, 3), 60, np.uint8)
    picture[110:290, 130:530] = 205
    picture[110:290, 530:670] = 252  # the third card lies in full light
    cv2.ellipse(picture, (400, 200), (25, 18), 0, 0, 360, (255, 255, 255), -1)
    second = next(card.id for card in reading.cards if card.label == "2H")
    assert glaring(Frame(picture), reading) == (second,)
