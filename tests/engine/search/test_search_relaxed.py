"""The text's Klondike and Canfield with hidden cards: legal, reproducible, and never a claim that is not proven."""

from __future__ import annotations

import pytest

from kibitz.engine import Position, get_rules
from kibitz.engine.search import Reason, Verdict
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.relaxed import advise_relaxed
from kibitz.engine.search.values import Limit


@pytest.mark.parametrize("game", ["klondike", "canfield"])
@pytest.mark.parametrize("seed", range(3))
def test_advice_is_legal_and_reproducible(game: str, seed: int) -> None:
    rules = get_rules(game)
    known = rules.settle(rules.deal(seed))
    position = rules.reveal(rules.conceal(known), known)
    first = advise_relaxed(rules, position, Clock(Limit(nodes=80, samples=24)))
    assert first == advise_relaxed(rules, position, Clock(Limit(nodes=80, samples=24)))
    assert first is not None
    assert first.move in rules.legal_moves(position)
    assert first.verdict is Verdict.OPEN
    assert first.error is not None
    assert first.error > 0.0
    for move in first.line[:-1]:
        position = rules.apply(position, move)
    assert first.line[-1] in rules.legal_moves(position)


def test_a_step_at_the_table_comes_before_a_look_at_the_stock_if_it_costs_nothing() -> None:
    rules = get_rules("klondike")
    known = rules.deal(1)
    data = rules.conceal(known).to_json()
    data["tableau"][0] = ["6D"]
    data["tableau"][1] = ["##", "7S"]
    data["tableau"][2] = ["##", "##", "8D"]
    for index, card in enumerate(("KC", "KS", "QC", "QS"), start=3):
        data["tableau"][index][-1] = card
    advice = advise_relaxed(rules, Position.from_json(data), Clock(Limit(nodes=80, samples=24)))
    assert advice is not None
    assert advice.reason is not Reason.LOOKS_AT_STOCK
