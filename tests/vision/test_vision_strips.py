"""Face-down cards of a column: where they are looked for, and what is made of the network's answer."""

import numpy as np
import pytest

from kibitz.models.registry import model_paths
from kibitz.vision import hidden
from kibitz.vision.chains import Chain, PlayerFrame
from kibitz.vision.rectify import TableFrame
from kibitz.vision.strips import ABOVE, ACROSS, BELOW, CROP_HEIGHT, CROP_WIDTH, MOST, StripCounter, upright
from kibitz.vision.types import TableCard

PLAYER = PlayerFrame(TableFrame.identity(), np.asarray([100.0, 0]), np.asarray([0.0, 150]), 1.0)


def card(number: int, face_up: bool) -> TableCard:
    return TableCard(number, face_up, np.zeros(52, np.float32), 0.9, False, np.zeros((4, 2), np.float32))


def chain(*ys: float, face_down: int) -> Chain:
    return Chain(tuple(range(len(ys))), np.asarray([[3.0, y] for y in ys]), face_down)


def says(**chances: float) -> hidden.Look:
    row = np.zeros(MOST + 1, np.float32)
    for count, chance in chances.items():
        row[int(count.strip("_"))] = chance
    return lambda areas: np.tile(row, (len(areas), 1))


def test_one_looks_above_the_first_face_up_card() -> None:
    column, cards = chain(2.0, 2.2, 2.4, face_down=1), [card(0, False), card(1, True), card(2, True)]
    asked: list[np.ndarray] = []

    def look(areas: np.ndarray) -> np.ndarray:
        asked.append(areas)
        return says(_1=1.0)(areas)

    hidden.count([column], cards, PLAYER, look)
    left, right = 100 * (3 - ACROSS / 2), 100 * (3 + ACROSS / 2)
    far, near = 150 * (2.2 - 0.5 - ABOVE), 150 * (2.2 - 0.5 + BELOW)
    assert asked[0][0] == pytest.approx(np.asarray([[left, far], [right, far], [right, near], [left, near]]))


@pytest.mark.parametrize(
    ("look", "count", "clear", "choices"),
    [
        (says(_4=0.97, _5=0.03), 4, True, (4, 5)),
        (says(_4=0.6, _3=0.4), 4, False, (4, 3)),
        (says(_0=0.99), 0, True, (0,)),
        (says(_7=1.0), 7, False, (7,)),  # "seven or more" is never a clear number
        (None, 2, False, (2,)),  # nobody looked: the outlines are counted, and nothing is sure
    ],
)
def test_what_is_made_of_the_answer(
    look: hidden.Look | None, count: int, clear: bool, choices: tuple[int, ...]
) -> None:
    column, cards = chain(2.0, 2.2, 2.4, face_down=2), [card(0, False), card(1, False), card(2, True)]
    (counted,) = hidden.count([column], cards, PLAYER, look)
    assert (len(counted.cards), counted.clear, counted.choices) == (count, clear, choices)
    assert not any(placed.face_up for placed in counted.cards)
    # The cards whose outlines were found are the ones nearest to the face-up cards.
    seen = [placed.card.id for placed in counted.cards if placed.card is not None]
    assert seen == [0, 1][2 - min(count, 2) :]


def test_the_lowest_of_only_face_down_cards_counts_too() -> None:
    column, cards = chain(2.0, 2.2, face_down=2), [card(0, False), card(1, False)]
    (counted,) = hidden.count([column], cards, PLAYER, says(_3=0.97))
    assert (len(counted.cards), counted.choices) == (4, (4,))


def test_a_crop_is_upright_and_of_the_networks_size() -> None:
    picture = np.zeros((900, 900, 3), np.uint8)
    picture[:, 450:] = 255
    area = np.asarray(
        [[600, 100], [600, 300], [200, 300], [200, 100]], np.float32
    )  # the column's far end is at the right
    crop = upright(picture, area)
    assert crop.shape == (CROP_HEIGHT, CROP_WIDTH, 3)
    assert crop[20].min() == 255
    assert crop[-20].max() == 0


def test_the_shipped_network_gives_probabilities() -> None:
    counter = StripCounter.load(model_paths())
    assert counter is not None
    picture = np.full((400, 300, 3), 120, np.uint8)
    area = np.asarray([[50, 20], [150, 20], [150, 340], [50, 340]], np.float32)
    chances = counter.count(picture, np.stack([area, area + 3]))
    assert chances.shape == (2, MOST + 1)
    assert chances.sum(axis=1) == pytest.approx([1, 1])
    assert counter.count(picture, np.zeros((0, 4, 2), np.float32)).shape == (0, MOST + 1)
