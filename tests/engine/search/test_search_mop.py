"""Mrs Mop's beam against the readable rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz.engine import Card, MoveKind, Position, get_rules
from kibitz.engine.search import mop_kernel as mk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.mop_advice import advise_mop, columns_of, solve_mop, to_moves
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.values import Limit, Reason

MOP = get_rules("mrs-mop")


def arrays(position: Position) -> tuple[np.ndarray, ...]:
    now = mk.empty_beam(1)
    for index, column in enumerate(columns_of(position)):
        now[0][0, index, : len(column)] = column
        now[1][0, index] = len(column)
    now[2][0, mk.RUNS] = len(position.aside)
    mk.evaluate(now[0][0], now[1][0], now[2][0])
    return now


def test_costs_of_neighbours() -> None:
    queen, jack, ten = (Card.parse(text).index for text in ("QS", "JS", "TS"))
    assert mk.pair_cost(queen, jack) == 0
    assert mk.pair_cost(queen, Card.parse("JH").index) == 10
    assert mk.pair_cost(queen, ten) == 10
    assert mk.pair_cost(ten, queen) == 14
    assert mk.pair_cost(Card.parse("AD").index, Card.parse("KC").index) == 14  # neighbours in number only


@pytest.mark.parametrize("seed", range(5))
def test_random_games_have_the_same_moves_costs_and_hashes(seed: int) -> None:
    """Every child is a legal move, and its cost and hash are those of the position it leads to."""
    rng = random.Random(seed)
    position = MOP.deal(seed)
    found = np.zeros((400 + mk.ROOM, mk.FOUND), dtype=np.int64)
    for _ in range(25):
        now = arrays(position)
        end = mk.children(*now, 1, 0, seed % 2, found)
        legal = [move for move in MOP.legal_moves(position) if not MOP.is_idle(position, move)]
        if not end:
            break
        for at in rng.sample(range(end), min(end, 4)):
            line = to_moves(MOP, position, [int(found[at, 2])])
            assert line[0] in legal
            after = arrays(MOP.apply(position, line[0]))
            assert int(found[at, 3]) == int(after[2][0, mk.HASH])
            assert 0 <= int(found[at, 0]) - int(after[2][0, mk.COST]) <= 4
        position = MOP.apply(position, rng.choice(legal))


def ending(seed: int) -> Position:
    """Two runs on the table, cut into pieces of one suit."""
    rng = random.Random(seed)
    suits = rng.sample("CDHS", 2)
    pieces = []
    for suit in suits:
        run = [f"{rank}{suit}" for rank in "KQJT98765432A"]
        cuts = sorted(rng.sample(range(1, 13), 4))
        pieces += [run[a:b] for a, b in zip([0, *cuts], [*cuts, 13], strict=True)]
    rng.shuffle(pieces)
    data = MOP.deal(0).to_json()
    data["tableau"] = pieces + [[] for _ in range(13 - len(pieces))]
    others = [suit for suit in "CDHS" for _ in range(2)]
    for suit in suits:
        others.remove(suit)
    data["aside"] = [[f"{rank}{suit}" for rank in "KQJT98765432A"] for suit in others]
    return Position.from_json(data)


@pytest.mark.parametrize("seed", range(3))
def test_endings_are_won_and_replay(seed: int) -> None:
    position = ending(seed)
    advice = advise_mop(MOP, position, Clock(Limit()))
    assert advice is not None
    assert advice.reason is Reason.WINS
    assert advice.win_chance == 1.0
    for move in advice.line:
        position = MOP.apply(position, move)
    assert MOP.is_won(position)


def test_a_finished_run_leaves_at_once() -> None:
    position = ending(1)
    advice = advise_mop(MOP, position, Clock(Limit()))
    assert advice is not None
    assert all(move.kind is MoveKind.MOVE for move in advice.line)
    assert len(advice.line) < 20


def test_finished_runs_are_taken_off_in_the_arrays_too() -> None:
    """The last move of a won ending completes the eighth run: cost and hash are those of the empty table."""
    position = ending(2)
    advice = advise_mop(MOP, position, Clock(Limit()))
    assert advice is not None
    for move in advice.line[:-1]:
        position = MOP.apply(position, move)
    found = np.zeros((400 + mk.ROOM, mk.FOUND), dtype=np.int64)
    end = mk.children(*arrays(position), 1, 0, 0, found)
    last = MOP.apply(position, advice.line[-1])
    empty = arrays(last)
    assert any(
        to_moves(MOP, position, [int(row[2])]) == advice.line[-1:]
        and int(row[3]) == int(empty[2][0, mk.HASH]) == 0
        and 0 <= int(row[0]) - int(empty[2][0, mk.COST]) <= 4
        for row in found[:end]
    )


def test_a_loss_is_proven_only_when_nothing_was_left_out() -> None:
    # Kings on aces in every column, nothing can move: no win, and the search sees all there is.
    king, ace = Card.parse("KC").index, Card.parse("AC").index
    assert solve_mop([[ace, king]] * 13, 0, Clock(Limit()), 1000).outcome is Outcome.LOST
    # A queen may go to and fro between the kings, and that is all.
    queen, other = Card.parse("QD").index, Card.parse("KD").index
    columns = [[ace, king, queen], [ace, other], *[[ace, king]] * 11]
    assert solve_mop(columns, 0, Clock(Limit()), 1000).outcome is Outcome.LOST
    assert solve_mop(columns_of(MOP.deal(1)), 0, Clock(Limit()), 200).outcome is Outcome.UNDECIDED
