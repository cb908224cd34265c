"""Stillness: when the table is looked at, on made frames and a made clock."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.assistant.live.stillness import State, Stillness
from kibitz.vision.types import ByteArray

RNG = np.random.default_rng(1)
PICTURES = Path(__file__).parents[2] / "fixtures" / "images"


def frame(card_at: int | None = None, hand_at: int | None = None, light: int = 0) -> ByteArray:
    """A table of 640x480 with the camera's noise, one card and a hand."""
    picture = np.full((480, 640, 3), 90 + light, np.int16)
    picture[100:160, 50:90] = 230 + min(light, 20)
    if card_at is not None:
        picture[200:260, card_at : card_at + 40] = 230
    if hand_at is not None:
        picture[150:, hand_at : hand_at + 90] = 150
    return np.clip(picture + RNG.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


def feed(stillness: Stillness, start: float, seconds: float, **what: int) -> float:
    """Shows the same scene for some seconds, ten frames a second; gives the time at the end."""
    now = start
    while now < start + seconds - 1e-9:
        stillness.see(frame(**what), now)
        now += 0.1
    return now


def test_a_still_table_is_looked_at_once() -> None:
    stillness = Stillness(seconds=0.5)
    assert stillness.glance(0).state is State.NOTHING
    now = feed(stillness, 0, 0.3)
    assert stillness.glance(now).state is State.MOVING
    now = feed(stillness, now, 0.4)
    assert stillness.should_look(now)
    stillness.looked()
    now = feed(stillness, now, 2)
    assert stillness.glance(now).state is State.STILL


def test_a_moving_hand_is_waited_for() -> None:
    stillness = Stillness(seconds=0.5)
    now = feed(stillness, 0, 1)
    stillness.looked()
    for step in range(10):
        now = feed(stillness, now, 0.1, hand_at=60 + 30 * step)
        assert stillness.glance(now).state is State.MOVING
    now = feed(stillness, now, 0.4, card_at=300)
    assert not stillness.should_look(now)
    now = feed(stillness, now, 0.4, card_at=300)
    assert stillness.should_look(now)


def test_an_arm_at_rest_is_waited_for_but_not_for_ever() -> None:
    stillness = Stillness(seconds=0.5, hand_seconds=2.0)
    now = feed(stillness, 0, 1)
    stillness.looked()
    now = feed(stillness, now, 1, hand_at=300)
    assert stillness.glance(now).state is State.HAND
    now = feed(stillness, now, 1, hand_at=300)
    assert stillness.glance(now).state is State.HAND
    now = feed(stillness, now, 1, hand_at=300)
    assert stillness.should_look(now)


def test_another_table_is_not_taken_for_an_arm() -> None:
    stillness = Stillness(seconds=0.5)
    now = feed(stillness, 0, 1)
    stillness.looked()
    darker = np.full((480, 640, 3), 30, np.uint8)
    darker[100:400, 200:400] = 220
    for _ in range(8):
        stillness.see(darker, now)
        now += 0.1
    assert stillness.should_look(now)


def test_a_card_laid_quicker_than_a_frame_is_seen() -> None:
    """The change of one small card is less than what counts as movement."""
    stillness = Stillness(seconds=0.5)
    big, more = (np.full((1080, 1920, 3), 90, np.uint8) for _ in range(2))
    more[500:570, 900:950] = 235
    for step in range(10):
        stillness.see(big, 0.1 * step)
    stillness.looked()
    assert stillness.see(big, 1.0).state is State.STILL
    assert stillness.see(more, 1.1).state is State.CHANGED


def test_a_hand_that_went_away_without_a_move_is_no_reason_to_look() -> None:
    stillness = Stillness(seconds=0.5)
    now = feed(stillness, 0, 1)
    stillness.looked()
    now = feed(stillness, now, 0.3, hand_at=200)
    now = feed(stillness, now, 1)
    assert stillness.is_still(now)
    assert not stillness.should_look(now)


def test_another_look_can_be_asked_for() -> None:
    stillness = Stillness(seconds=0.5)
    now = feed(stillness, 0, 1)
    stillness.looked()
    stillness.look_again(now + 1)
    now = feed(stillness, now, 0.9)
    assert not stillness.should_look(now)
    now = feed(stillness, now, 0.2)
    assert stillness.should_look(now)
    stillness.looked()
    assert not stillness.should_look(now + 5)


@pytest.fixture(scope="module")
def table() -> ByteArray:
    picture = cv2.imread(str(PICTURES / "klondike_midgame.jpg"))
    assert picture is not None
    return np.asarray(picture, np.uint8)


def shown(stillness: Stillness, picture: ByteArray, start: float) -> float:
    for step in range(10):
        stillness.see(picture, start + 0.1 * step)
    return start + 1


def test_a_nudged_camera_is_told_apart_from_a_move(table: ByteArray) -> None:
    stillness = Stillness(seconds=0.5)
    now = shown(stillness, table, 0)
    stillness.looked()
    matrix = np.asarray([[1, 0, 30], [0, 1, -12.0]])
    nudged = np.asarray(cv2.warpAffine(table, matrix, (1600, 900), borderMode=cv2.BORDER_REFLECT), np.uint8)
    now = shown(stillness, nudged, now)
    glance = stillness.glance(now)
    assert glance.state is State.CHANGED
    assert glance.nudge is not None
    assert glance.nudge.pixels == pytest.approx(32.3, abs=1)
    assert glance.share < 0.001
    stillness.looked()
    moved = nudged.copy()
    moved[600:750, 300:410] = 245
    now = shown(stillness, moved, now)
    glance = stillness.glance(now)
    assert glance.state is State.CHANGED
    assert glance.nudge is None
    assert 0.005 < glance.share < 0.03


def test_another_size_of_picture_is_a_change(table: ByteArray) -> None:
    stillness = Stillness(seconds=0.5)
    now = shown(stillness, table, 0)
    stillness.looked()
    now = shown(stillness, table[:450], now)
    assert stillness.should_look(now)
