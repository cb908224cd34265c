"""The Klondike solver against the readable rules, against itself without pruning, and as an adviser."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz.engine import Card, MoveKind, Position, get_rules
from kibitz.engine.rules import Rules
from kibitz.engine.search import advise
from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search import klondike_parts as kp
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.klondike_bridge import KlondikeState, code_of, from_position, to_moves
from kibitz.engine.search.klondike_hidden import MOST_SEARCHES, weigh
from kibitz.engine.search.klondike_solver import Outcome, solve, solve_position
from kibitz.engine.search.values import Limit

COMMON = get_rules("klondike-common")


def clock() -> Clock:
    return Clock(Limit())


def late(seed: int, moves: int) -> Position:
    """A position some random moves into a game, in which no cards are hidden from us."""
    rng = random.Random(seed)
    position = COMMON.deal(seed)
    for _ in range(moves):
        legal = [move for move in COMMON.legal_moves(position) if not COMMON.is_idle(position, move)]
        if not legal:
            break
        position = COMMON.apply(position, rng.choice(legal))
    return position


def same(left: KlondikeState, right: KlondikeState) -> bool:
    """Equal for the kernel: the key is counted from the root and does not say anything here."""
    fields = [i for i in range(kp.STATE_SIZE) if i != kp.KEY]
    one, other = left.world, right.world
    deck = int(one.st[kp.N_DECK])
    return (
        [int(one.st[i]) for i in fields] == [int(other.st[i]) for i in fields]
        and list(one.hcnt) == list(other.hcnt)
        and list(one.deck[:deck]) == list(other.deck[:deck])
    )


def test_codes_put_a_colour_on_neighbouring_bits() -> None:
    assert [code_of(Card.parse(text)) for text in ("AC", "AS", "AD", "AH", "2C", "KH")] == [0, 1, 2, 3, 4, 51]


def test_exposed_classes_of_a_small_table() -> None:
    black_nine, red_eight = 1 << code_of(Card.parse("9C")), 1 << code_of(Card.parse("8D"))
    both = black_nine | red_eight
    pair_of_eights = 0b1100 << 28
    assert kp.exposed_mask(both, both) & both == both  # both locked in columns of their own
    assert kp.exposed_mask(both, black_nine) == pair_of_eights  # the eight lies on the nine


@pytest.mark.parametrize("seed", range(12))
def test_moves_of_the_kernel_are_moves_at_the_table(seed: int) -> None:
    """Random kernel play: the rules can carry out every move, with the same result; keys can be undone."""
    rng = random.Random(seed)
    position = late(seed, seed)
    reach, moves = np.empty(64, dtype=np.int64), np.zeros(100, dtype=np.int64)
    for _ in range(40):
        state = from_position(COMMON, position)
        assert state is not None
        end = kk.generate(state.world, reach, moves, 0)
        if end == 0:
            break
        code = int(moves[rng.randrange(end)])
        before = state.copy()
        undo = kk.make(state.world, code)
        position = to_moves(COMMON, position, [code])[1]
        after = from_position(COMMON, position)
        assert after is not None
        assert same(state, after)
        assert state.world.st[kp.KEY] != before.world.st[kp.KEY]
        kk.unmake(state.world, code, undo)
        assert same(state, before)
        assert state.world.st[kp.KEY] == before.world.st[kp.KEY]


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


def endgame(seed: int) -> Position:
    """A small endgame: all cards from one rank on are still in play, shuffled into columns and stock."""
    rng = random.Random(seed)
    low = rng.choice((10, 11, 11))
    cards = [Card(rank, suit) for rank in range(low, 14) for suit in range(4)]
    rng.shuffle(cards)
    stock = len(cards) // 3
    columns: list[str] = []
    rest = cards[stock:]
    while rest:
        size = min(len(rest), rng.randint(2, 4))
        pile, rest = rest[:size], rest[size:]
        columns.append("".join(str(c)[0] + str(c)[1].lower() for c in pile[:-1]) + str(pile[-1]))
    data = COMMON.deal(0).to_json()
    data["tableau"] = [[text[i : i + 2] for i in range(0, len(text), 2)] for text in columns]
    data["tableau"] += [[] for _ in range(7 - len(columns))]
    data["foundations"] = [["A23456789TJQK"[r] + suit for r in range(low - 1)] for suit in "CDHS"]
    data["stock"] = [str(card)[0] + str(card)[1].lower() for card in cards[:stock]]
    data["waste"] = []
    return Position.from_json(data)


@pytest.mark.parametrize("seed", range(25))
def test_endgames_are_decided_as_by_brute_force(seed: int) -> None:
    position = endgame(seed)
    wanted = brute(COMMON, position, 2500)
    solved = solve_position(COMMON, position, clock(), 60_000)
    assert solved is not None
    solution, line = solved
    if wanted is not None and solution.outcome is not Outcome.UNDECIDED:
        assert (solution.outcome is Outcome.WON) == wanted
    if solution.outcome is Outcome.WON:
        for move in line:
            position = COMMON.apply(position, move)
        assert COMMON.is_won(position)


def test_every_reported_win_replays() -> None:
    wins = 0
    for seed in range(1, 7):
        solved = solve_position(COMMON, COMMON.deal(seed), clock(), 400)
        assert solved is not None
        solution, line = solved
        if solution.outcome is Outcome.WON:
            wins += 1
            position = COMMON.deal(seed)
            for move in line:
                position = COMMON.apply(position, move)
            assert COMMON.is_won(position)
    assert wins >= 2


@pytest.mark.parametrize(
    "options", [{"move_part": True}, {"foundation_back": True}, {"move_part": True, "auto_aces": False}]
)
def test_rules_that_the_kernel_does_not_play_are_left_to_others(options: dict[str, bool]) -> None:
    rules = get_rules("klondike", **options)
    assert from_position(rules, rules.settle(rules.deal(1))) is None


def test_limits_are_counted_in_moves() -> None:
    state = from_position(COMMON, COMMON.deal(3))
    assert state is not None
    assert solve(state, clock(), 50).nodes <= 50


def test_sampling_gives_the_same_answer_for_the_same_seed() -> None:
    known = COMMON.deal(7)
    view = COMMON.reveal(COMMON.conceal(known), known)
    state = from_position(COMMON, view)
    assert state is not None
    assert state.unseen == 45
    first = weigh(state, clock(), 60, 60, seed=5)
    assert first == weigh(state, clock(), 60, 60, seed=5)
    assert 60 <= sum(one.tried for one in first) <= 60 * MOST_SEARCHES + 3
    assert [one.tried for one in first] == sorted((one.tried for one in first), reverse=True)


def test_every_step_is_tried() -> None:
    known = COMMON.deal(7)
    view = COMMON.reveal(COMMON.conceal(known), known)
    state = from_position(COMMON, view.replace(stock=known.stock))
    assert state is not None
    weighed = weigh(state, clock(), 80, 80, seed=3)
    assert len(weighed) > 1
    assert all(0 <= one.won <= one.tried and one.tried > 0 for one in weighed)


def test_with_counted_turnovers_looking_is_weighed_against_the_steps() -> None:
    """One run through the stock, single cards: the advice is legal all along and ends with the stock."""
    rules = get_rules("klondike-common", draw=1, turnovers=0)
    known = rules.deal(3)
    view = rules.reveal(rules.conceal(known), known)
    truth, kinds = known, set()
    for _ in range(12):
        advice = advise(view, limit=Limit(nodes=60, samples=24))
        if advice.move is None:
            break
        kinds.add(advice.move.kind)
        view, truth = rules.apply(view, advice.move), rules.apply(truth, advice.move)
        view = rules.reveal(view, truth)
    assert MoveKind.DRAW in kinds
    assert MoveKind.MOVE in kinds
