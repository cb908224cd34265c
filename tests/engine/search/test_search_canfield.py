"""Canfield's solver against the readable rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz.engine import Card, Position, get_rules
from kibitz.engine.rules import Rules
from kibitz.engine.search import canfield_kernel as ck
from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search.canfield_solver import CanfieldState, from_position, solve, to_moves
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.values import Limit

COMMON = get_rules("canfield-common")


def content(state: CanfieldState) -> list[object]:
    fields = [int(state.st[i]) for i in range(kk.STATE_SIZE) if i != kk.KEY]
    return [fields, list(state.reserve[: fields[ck.RESERVE - 1]]), list(state.deck[: int(state.st[kk.N_DECK])])]


@pytest.mark.parametrize("seed", range(12))
def test_moves_of_the_kernel_are_moves_at_the_table(seed: int) -> None:
    rng = random.Random(seed)
    position = COMMON.deal(seed)
    reach, moves = np.zeros(128, dtype=np.int64), np.zeros(300, dtype=np.int64)
    for _ in range(60):
        state = from_position(COMMON, position)
        assert state is not None
        end = ck.generate(state.st, state.deck, state.reserve, reach, moves, 0)
        if end == 0 or ck.full_circle(int(state.st[kk.VIS])):
            break
        code = int(moves[rng.randrange(end)])
        before, key = content(state), int(state.st[kk.KEY])
        undo = ck.make(state.st, state.reserve, state.deck, code)
        for move in to_moves(COMMON, position, [code]):
            position = COMMON.apply(position, move)
        after = from_position(COMMON, position)
        assert after is not None
        assert content(state) == content(after)
        assert int(state.st[kk.KEY]) != key
        ck.unmake(state.st, state.reserve, state.deck, code, undo)
        assert content(state) == before
        assert int(state.st[kk.KEY]) == key


def brute(rules: Rules, position: Position, most: int) -> bool | None:
    seen, stack = {rules.key(position)}, [position]
    while stack:
        position = stack.pop()
        if rules.is_won(position):
            return True
        for move in rules.legal_moves(position):
            if not rules.is_idle(position, move):
                after = rules.apply(position, move)
                if (key := rules.key(after)) not in seen:
                    seen.add(key)
                    stack.append(after)
        if len(seen) > most:
            return None
    return False


def endgame(rules: Rules, seed: int) -> Position:
    """The last ranks of every suit, shuffled into columns, reserve and stock."""
    rng = random.Random(seed)
    base = rng.randint(1, 13)
    ranks = [(base - 1 + step) % 13 + 1 for step in range(13)]
    keep = rng.choice((3, 4))
    cards = [Card(rank, suit) for rank in ranks[-keep:] for suit in range(4)]
    rng.shuffle(cards)
    reserve = rng.choice((0, 2, 5))
    data = rules.deal(0).to_json()
    data["base_rank"] = base
    data["foundations"] = [[str(Card(rank, suit)) for rank in ranks[:-keep]] for suit in range(4)]
    data["tableau"] = [[str(card)] for card in cards[:4]]
    data["reserve"] = [str(card) for card in cards[4 : 4 + reserve]]
    data["stock"] = [str(card)[0] + str(card)[1].lower() for card in cards[4 + reserve :]]
    data["waste"] = []
    return rules.seated(Position.from_json(data))


def test_endgames_are_decided_as_by_brute_force() -> None:
    """Without turnovers some are lost, with them hardly any."""
    answers = []
    for seed in range(60):
        rules = get_rules("canfield-common", turnovers=(0, 0, None)[seed % 3])
        position = endgame(rules, seed)
        state = from_position(rules, position)
        assert state is not None, str(position)
        outcome, path, _ = solve(state, Clock(Limit()), 30_000)
        wanted = brute(rules, position, 2500)
        if wanted is None:
            continue
        assert outcome is (Outcome.WON if wanted else Outcome.LOST)
        answers.append(wanted)
        for move in to_moves(rules, position, path):
            position = rules.apply(position, move)
        assert rules.is_won(position) == wanted
    assert len(answers) >= 30
    assert set(answers) == {True, False}


def test_rules_that_the_kernel_does_not_play_are_left_to_others() -> None:
    assert from_position(get_rules("canfield"), get_rules("canfield").deal(1)) is None
    assert from_position(COMMON, COMMON.conceal(COMMON.deal(1))) is None


def test_the_common_rules_lay_nothing_on_a_card_of_the_base_rank() -> None:
    """Base six: the black five may lie on the red six only where columns go past the base rank."""
    data = COMMON.deal(0).to_json()
    used = ["6C", "6H", "5S", "KC", "KD", "KH"]
    rest = [str(Card(rank, suit)) for suit in range(4) for rank in range(1, 14) if str(Card(rank, suit)) not in used]
    data["base_rank"] = 6
    data["foundations"] = [["6C"], [], [], []]
    data["tableau"] = [["6H"], ["KC"], ["KD"], ["KH"]]
    data["reserve"] = [*rest[:12], "5S"]
    data["stock"] = [card[0] + card[1].lower() for card in rest[12:]]
    data["waste"] = []
    for past_base in (False, True):
        rules = get_rules("canfield-common", past_base=past_base)
        position = rules.seated(Position.from_json({**data, "options": dict(rules.options)}))
        state = from_position(rules, position)
        assert state is not None
        moves = np.zeros(300, dtype=np.int64)
        end = ck.generate(state.st, state.deck, state.reserve, np.zeros(128, dtype=np.int64), moves, 0)
        laid = [move for move in rules.legal_moves(position) if str(move) == "R-T1"]
        assert bool(laid) is past_base
        assert any(int(code) & 15 == ck.RP for code in moves[:end]) is past_base
