"""The Nineteenth Fan's beam against the readable rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz.engine import Card, Move, MoveKind, PileId, PileKind, Position, get_rules
from kibitz.engine.game import Game
from kibitz.engine.search import fan_kernel as fk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.fan_advice import advise_fan, arrays, best_line, style_of, to_moves
from kibitz.engine.search.values import Limit, Reason

FAN = get_rules("nineteenth-fan")
FANS = [PileId(PileKind.TABLEAU, index) for index in range(18)]


def heights(position: Position) -> list[int]:
    found = []
    for suit in range(4):
        piles = [len(p) for p in position.foundations if p and p[0].card is not None and p[0].card.suit == suit]
        found += sorted([*piles, 0, 0], reverse=True)[:2]
    return found


def settled(seed: int) -> Game:
    game = Game.deal(FAN, seed)
    while due := FAN.pending(game.view):
        game.play(due[0])
    return game


@pytest.mark.parametrize("seed", range(4))
def test_random_games_have_the_same_moves_and_positions(seed: int) -> None:
    """Every legal move between fans is a child, and what lies in the fans and goes up afterwards is the same."""
    rng = random.Random(seed)
    game = settled(seed)
    found = np.zeros((400, fk.FOUND), dtype=np.int64)
    for _ in range(25):
        position = game.view
        if position.auxiliary or any(card.card is None for pile in position.tableau for card in pile):
            game.play(rng.choice(game.legal_moves()))
            continue
        state = arrays(position)
        state[3][0, fk.EMPTIED] = 0
        end = fk.children(*state, 1, style_of(position), found)
        mine = {Move(MoveKind.MOVE, FANS[int(code) >> 8], FANS[int(code) & 255]) for code in found[:end, 2]}
        legal = {m for m in game.legal_moves() if m.kind is MoveKind.MOVE and m.target.kind is PileKind.TABLEAU}
        assert mine == legal
        if end:
            code = int(found[rng.randrange(end), 2])
            fk.apply(state[0][0], state[1][0], state[2][0], code)
            game.play(to_moves(FAN, position, [code])[0])
            after = [[card.card.index for card in pile if card.card is not None] for pile in game.view.tableau]
            emptied = [i for i in range(18) if state[1][0, i] == 0]
            if not (emptied and position.stock):  # then new cards have come, and may have gone up at once
                assert [list(state[0][0, i, : state[1][0, i]]) for i in range(18)] == after
                assert list(state[2][0]) == heights(game.view)
        else:
            game.play(rng.choice(game.legal_moves()))


def test_cards_under_cards_needed_later_cost() -> None:
    ups = np.zeros(fk.FOUNDATIONS, dtype=np.int64)

    def cost(*texts: str) -> int:
        cards = np.array([Card.parse(text).index for text in texts], dtype=np.int8)
        return int(fk.fan_cost(cards, len(cards), ups))

    assert cost("KC", "7D", "2H") == 0  # the lowest lies free
    assert cost("2H", "3D") == 3  # one rank too early
    assert cost("AC", "KD") == 8  # much too early: the cost has a limit


def almost_won() -> Position:
    """Only jack, queen and king of one clubs are left; the queen covers the jack and fits on the king."""
    data = FAN.deal(0).to_json()
    suits = {suit: [f"{rank}{suit}" for rank in "A23456789TJQK"] for suit in "CDHS"}
    data["foundations"] = [suits["C"][:10], suits["C"], *[suits[suit] for suit in "DDHHSS"]]
    data["tableau"] = [["JC", "QC"], ["KC"], *[[] for _ in range(16)]]
    data["stock"] = []
    return Position.from_json(data)


def test_an_ending_is_won_by_the_move_that_frees_the_jack() -> None:
    position = almost_won()
    advice = advise_fan(FAN, position, Clock(Limit()))
    assert advice is not None
    assert advice.reason is Reason.WINS
    assert advice.line == (Move(MoveKind.MOVE, FANS[0], FANS[1]),)
    assert FAN.is_won(FAN.apply(position, advice.line[0]))


def test_every_piece_of_advice_is_legal_and_brings_cards_up() -> None:
    game = settled(7)
    before, moves = FAN.score(game.view), 0
    while moves < 25 and not FAN.is_won(game.view):
        advice = advise_fan(FAN, game.view, Clock(Limit()))
        assert advice is not None
        if advice.move is None:
            break
        for move in advice.line:
            assert move in game.legal_moves()
            game.play(move)
            moves += 1
    assert moves >= 25
    assert FAN.score(game.view) >= before + 10


def test_lines_improve_what_they_count() -> None:
    for seed in range(3):
        game = settled(seed)
        start = arrays(game.view)
        found = best_line(start, style_of(game.view), Clock(Limit()), 5)
        position = game.view
        for move in to_moves(FAN, position, found.path)[:-1]:
            position = FAN.apply(position, move)
        assert (found.gain > 0) == bool(found.path)


def test_other_rules_are_left_to_others() -> None:
    rules = get_rules("nineteenth-fan", fan_build="suit")
    assert advise_fan(rules, rules.deal(1), Clock(Limit())) is None
