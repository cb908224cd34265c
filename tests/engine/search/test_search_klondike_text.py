"""The kernel of the text's Klondike against the readable rules: the same moves and results, keys that can be undone."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz.engine import Card, Position, Suit, get_rules
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileKind
from kibitz.engine.rules import Rules
from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search import klondike_parts as kp
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.judge import step
from kibitz.engine.search.klondike_bridge import KlondikeState, from_position, to_moves
from kibitz.engine.search.klondike_columns import TF
from kibitz.engine.search.klondike_solver import Outcome, solve_position
from kibitz.engine.search.klondike_text import forced, text_reachable
from kibitz.engine.search.values import Limit

VARIANTS: dict[str, dict[str, bool | int | None]] = {
    "text": {},
    "reference": {"kings_only": True, "auto_aces": False},
    "whole sequences into spaces": {"space_end_card": False},
    "draw 1": {"draw": 1},
    "three turnovers": {"turnovers": 3},
}


def state_of(rules: Rules, position: Position) -> KlondikeState:
    state = from_position(rules, position)
    assert state is not None
    return state


def kernel_moves(state: KlondikeState) -> tuple[list[int], bool]:
    """The moves of the kernel, and whether it offers one alone because nothing can be lost by it."""
    reach, out = np.empty(64, dtype=np.int64), np.zeros(200, dtype=np.int64)
    count = text_reachable(state.world.st, state.world.deck, reach)
    must = forced(state.world, reach, count) >= 0
    return [int(move) for move in out[: kk.generate(state.world, reach, out, 0)]], must


def played(rules: Rules, position: Position) -> set[object]:
    """By the rules alone: the places to which one move leads, after any number of deals that show no ace."""
    useful = [m for m in rules.legal_moves(position) if not rules.is_idle(position, m)]
    places = {place_of(rules, step(rules, position, m)) for m in useful if not is_deal(m)}
    been = set()
    while True:
        deal = next((m for m in rules.legal_moves(position) if is_deal(m)), None)
        place = (len(position.stock), position.turnovers if rules.options["turnovers"] is not None else 0)
        if deal is None or place in been:
            return places
        been.add(place)
        up = rules.score(position)
        position = step(rules, position, deal)
        if rules.score(position) > up:
            return places | {place_of(rules, position)}
        from_waste = [
            m for m in rules.legal_moves(position) if m.source is not None and m.source.kind is PileKind.WASTE
        ]
        places |= {place_of(rules, step(rules, position, m)) for m in from_waste if not is_deal(m)}


def place_of(rules: Rules, position: Position) -> object:
    """The key but for the turnovers: who turns the waste over once more than needed is not worth a move."""
    return rules.key(position.replace(turnovers=0))


def is_deal(move: Move) -> bool:
    return move.kind in (MoveKind.DRAW, MoveKind.TURNOVER)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(6))
def test_moves_and_results_are_those_of_the_rules(variant: str, seed: int) -> None:
    rules = get_rules("klondike", **VARIANTS[variant])
    rng = random.Random(seed)
    position = rules.settle(rules.deal(seed))
    for _ in range(70):
        state = state_of(rules, position)
        moves, must = kernel_moves(state)
        results = {code: to_moves(rules, position, [code])[1] for code in moves}
        wanted = played(rules, position)
        found = {place_of(rules, result) for result in results.values()}
        assert found <= wanted if must else found == wanted
        if not moves:
            break
        code = rng.choice(moves)
        check_make(rules, state, code, results[code])
        position = results[code]


def check_make(rules: Rules, state: KlondikeState, code: int, result: Position) -> None:
    """The kernel's move gives the same position as the rules, and can be taken back with its key."""
    before = state.copy()
    undo = kk.make(state.world, code)
    after = state.copy()
    while rules.options["auto_aces"] and (ace := free_ace(after)) is not None:  # the rules do this at once
        kk.make(after.world, ace)
    assert content(after) == content(state_of(rules, result))
    kk.unmake(state.world, code, undo)
    assert content(state) == content(before)
    assert state.world.st[kp.KEY] == before.world.st[kp.KEY]


def free_ace(state: KlondikeState) -> int | None:
    """The move of an ace that lies free on a column or the waste."""
    moves, must = kernel_moves(state)
    if not must or (moves[0] >> 4) & 63 >= 4:
        return None
    on_waste = moves[0] >> 11 == state.world.st[kp.WASTE] - 1
    return moves[0] if moves[0] & 15 == TF or on_waste else None


def content(state: KlondikeState) -> list[object]:
    world = state.world
    fields = [int(world.st[i]) for i in (*range(kp.F0, kp.F0 + 4), kp.N_DECK, kp.WASTE, kp.PASSES)]
    columns = len(world.hid)
    lengths = [int(n) for n in world.hcnt]
    cards = [[int(card) for card in world.hid[pile, : lengths[columns + pile]]] for pile in range(columns)]
    return [fields, lengths, cards, [int(card) for card in world.deck[: fields[4]]]]


def endgame(rules: Rules, seed: int) -> Position:
    """Jacks, queens and kings are left: the kings in places of their own, the rest in columns and stock."""
    rng = random.Random(seed)
    kings = [Card(13, suit) for suit in Suit]
    rest = [Card(rank, suit) for rank in (10, 11, 12) for suit in Suit]
    rng.shuffle(rest)
    stock, rest = rest[:6], rest[6:]
    columns = [[str(king)] for king in kings]
    while rest:
        size = min(len(rest), rng.choice((1, 1, 2, 3)))
        pile, rest = rest[:size], rest[size:]
        columns.append([str(card)[0] + str(card)[1].lower() for card in pile[:-1]] + [str(pile[-1])])
    if len(columns) > 7:
        columns[6] = [text[0] + text[1].lower() for pile in columns[7:] for text in pile] + columns[6]
        columns = columns[:7]
    data = rules.deal(0).to_json()
    data["tableau"] = columns + [[] for _ in range(7 - len(columns))]
    data["foundations"] = [["A23456789"[r] + suit for r in range(9)] for suit in "CDHS"]
    data["stock"] = [str(card)[0] + str(card)[1].lower() for card in stock]
    data["waste"] = []
    return Position.from_json(data)


@pytest.mark.parametrize("variant", ["text", "whole sequences into spaces", "reference"])
@pytest.mark.parametrize("seed", range(12))
def test_spaces_when_all_kings_have_places(variant: str, seed: int) -> None:
    """Random play to the end: who may go into a space, and what can be won, is as by the rules."""
    rules = get_rules("klondike", **VARIANTS[variant])
    rng = random.Random(seed)
    position = endgame(rules, seed)
    wanted = brute(rules, position, 1500)
    solved = solve_position(rules, position, Clock(Limit()), 60_000)
    assert solved is not None
    if wanted is not None and solved[0].outcome is not Outcome.UNDECIDED:
        assert (solved[0].outcome is Outcome.WON) == wanted
    for _ in range(30):
        state = state_of(rules, position)
        moves, must = kernel_moves(state)
        if not moves:
            break
        results = {code: to_moves(rules, position, [code])[1] for code in moves}
        found = {place_of(rules, result) for result in results.values()}
        assert found <= played(rules, position)
        assert must or found == played(rules, position)
        code = rng.choice(moves)
        check_make(rules, state, code, results[code])
        position = results[code]


def brute(rules: Rules, position: Position, most: int) -> bool | None:
    """Can it be won? By the readable rules alone; None if more than `most` positions were seen."""
    seen, stack = {rules.key(position)}, [position]
    while stack:
        position = stack.pop()
        if rules.is_won(position):
            return True
        for move in rules.legal_moves(position):
            if not rules.is_idle(position, move):
                after = rules.apply(position, move)
                key = rules.key(after)
                if key not in seen:
                    seen.add(key)
                    stack.append(after)
        if len(seen) > most:
            return None
    return False


def test_equal_tables_have_equal_keys_whatever_the_way() -> None:
    """Two moves that do not touch each other, in both orders."""
    rules = get_rules("klondike", auto_aces=False)
    pairs = 0
    for seed in range(30):
        state = state_of(rules, rules.deal(seed))
        runs = [move for move in kernel_moves(state)[0] if move & 15 == 4]
        for first in runs:
            for second in runs:
                if len({(first >> 10) & 1023, first >> 20, (second >> 10) & 1023, second >> 20}) == 4:
                    keys = []
                    for order in ((first, second), (second, first)):
                        other = state.copy()
                        for move in order:
                            kk.make(other.world, move)
                        keys.append(int(other.world.st[kp.KEY]))
                    assert keys[0] == keys[1]
                    pairs += 1
    assert pairs >= 4


@pytest.mark.parametrize("seed", range(1, 9))
def test_every_reported_win_replays(seed: int) -> None:
    rules = get_rules("klondike")
    position = rules.settle(rules.deal(seed))
    solved = solve_position(rules, position, Clock(Limit()), 1500)
    assert solved is not None
    solution, line = solved
    if solution.outcome is Outcome.WON:
        for move in line:
            position = rules.apply(position, move)
        assert rules.is_won(position)
