"""What is told of an advice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.assistant.check import Judged
from kibitz.assistant.speech import chance_text
from kibitz.assistant.words import Words
from kibitz.engine import get_rules
from kibitz.engine.search import Advice, Reason


@pytest.mark.parametrize(("error", "told"), [(0.0, "40 %"), (0.04, "40 %"), (0.47, None)])
def test_a_chance_is_told_only_where_it_is_known(error: float, told: str | None) -> None:
    rules = get_rules("klondike")
    position = rules.conceal(rules.deal(seed=1))
    legal = rules.legal_moves(position)
    advice = replace(Advice(legal[0], next(iter(Reason))), win_chance=0.4, error=error)
    text = chance_text(Words("en"), Judged(position, (), legal, advice))
    assert text is None if told is None else text is not None and told in text
