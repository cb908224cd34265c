"""Thinking in the background: ready when asked, and given up when the table changes."""

import threading
from typing import Any

import pytest
from live_fakes import first_legal

from kibitz.assistant.live.thinker import Thinker
from kibitz.engine import Position
from kibitz.engine.search import Advice, Limit, advise

ONE = Position.parse("klondike; tableau: 7H/8S/-/-/-/-/-")
TWO = Position.parse("klondike; tableau: AH/8S/-/-/-/-/-")


def test_the_thought_is_there_after_a_while() -> None:
    thinker = Thinker(first_legal(), 1)
    assert thinker.thought is None
    thinker.consider(ONE)
    thought = thinker.wait(5)
    assert thought is not None
    assert thought.position == ONE
    assert str(thought.advice.move) == "T1-T2"
    thinker.forget()
    assert thinker.thought is None
    thinker.close()


def test_a_newer_table_cancels_the_search_for_the_older_one() -> None:
    began, ended = threading.Event(), threading.Event()

    def think(position: Position, belief: Any, limit: Limit) -> Advice:
        if position == ONE:
            began.set()
            assert limit.cancel is not None
            while not limit.cancel():
                threading.Event().wait(0.001)
            ended.set()
        return first_legal()(position, belief, limit)

    thinker = Thinker(think, 60)
    thinker.consider(ONE)
    assert began.wait(5)
    thinker.consider(TWO)
    thought = thinker.wait(5)
    assert ended.is_set()
    assert thought is not None
    assert thought.position == TWO
    thinker.close()


def test_the_real_adviser_stops_within_its_time() -> None:
    thinker = Thinker(advise, 0.3)
    thinker.consider(
        Position.parse("klondike; stock: ##########; waste: JD; tableau: 7H/8S/KS/9C/-/-/-; foundations: -/-/-/-")
    )
    thought = thinker.wait(10)
    assert thought is not None
    assert thought.advice.move is not None
    thinker.close()


def test_a_fault_of_the_adviser_reaches_who_asks() -> None:
    def think(position: Position, belief: Any, limit: Limit) -> Advice:
        raise ZeroDivisionError("a fault")

    thinker = Thinker(think, 1)
    thinker.consider(ONE)
    with pytest.raises(ZeroDivisionError, match="a fault"):
        thinker.wait(5)
    assert thinker.thought is None
    thinker.close()
