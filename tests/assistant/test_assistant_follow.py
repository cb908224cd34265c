"""Stillness: when the table is looked at, on made frames and a made clock."""

import numpy as np

from kibitz.assistant.follow import Stillness, changed_share, small

RNG = np.random.default_rng(1)


def frame(card_at: int | None = None, hand_at: int | None = None, light: int = 0) -> np.ndarray:  # type: ignore[type-arg]
    """A table of 640x480 with the camera's noise, one card and a hand."""
    picture = np.full((480, 640, 3), 90 + light, np.int16)
    picture[100:160, 50:90] = 230 + min(light, 20)
    if card_at is not None:
        picture[200:260, card_at : card_at + 40] = 230
    if hand_at is not None:
        picture[:, hand_at : hand_at + 120] = 150
    return np.clip(picture + RNG.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


def test_noise_is_no_change_and_a_card_is() -> None:
    assert changed_share(small(frame()), small(frame())) == 0
    assert changed_share(small(frame()), small(frame(card_at=300))) > 0.003
    assert changed_share(small(frame()), small(frame(light=15))) < 0.002


def feed(stillness: Stillness, start: float, seconds: float, **what: int) -> float:
    """Shows the same scene for some seconds, ten frames a second; gives the time at the end."""
    now = start
    while now < start + seconds - 1e-9:
        stillness.see(frame(**what), now)
        now += 0.1
    return now


def test_a_still_table_is_looked_at_once() -> None:
    stillness = Stillness(seconds=0.5)
    now = feed(stillness, 0, 0.3)
    assert not stillness.should_look(now)
    now = feed(stillness, now, 0.4)
    assert stillness.should_look(now)
    stillness.looked()
    now = feed(stillness, now, 2)
    assert not stillness.should_look(now)


def test_a_hand_over_the_table_is_waited_for() -> None:
    stillness = Stillness(seconds=0.5)
    now = feed(stillness, 0, 1)
    stillness.looked()
    for step in range(10):
        now = feed(stillness, now, 0.1, hand_at=60 + 30 * step)
        assert not stillness.should_look(now)
    now = feed(stillness, now, 0.4, card_at=300)
    assert not stillness.should_look(now)
    now = feed(stillness, now, 0.4, card_at=300)
    assert stillness.should_look(now)


def test_a_hand_that_went_away_without_a_move_is_no_reason_to_look() -> None:
    stillness = Stillness(seconds=0.5)
    now = feed(stillness, 0, 1)
    stillness.looked()
    now = feed(stillness, now, 0.3, hand_at=200)
    now = feed(stillness, now, 1)
    assert stillness.is_still(now)
    assert not stillness.should_look(now)


def test_another_size_of_picture_is_a_change() -> None:
    assert changed_share(small(frame()), small(frame()[:240])) == 1.0
