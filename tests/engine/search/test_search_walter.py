"""Walter's solver against the readable rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz.engine import Card, Move, MoveKind, PileId, PileKind, Position, get_rules
from kibitz.engine.search import walter_kernel as wk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.values import Limit
from kibitz.engine.search.walter_advice import advise_walter, codes, to_moves
from kibitz.engine.search.walter_dead import WANTED, hopeless
from kibitz.engine.search.walter_solver import beam, complete, solve_walter

WALTER = get_rules("walter")


def test_wanted_ranks_are_those_of_the_text() -> None:
    assert [int(WANTED[3, count]) for count in range(14)] == [4, 8, 12, 3, 7, 11, 2, 6, 10, 1, 5, 9, 13, 0]


def left_of(position: Position) -> np.ndarray:
    left = np.zeros(14, dtype=np.int64)
    for pile in position.tableau:
        for pile_card in pile:
            assert pile_card.card is not None
            left[pile_card.card.rank] += 1
    return left


def worth_trying(position: Position) -> list[Move]:
    """The legal moves but for transfers of single cards; alone the placings of a rank that has nothing to wait for."""
    legal = [move for move in WALTER.legal_moves(position) if move.kind is MoveKind.MOVE]
    left = left_of(position)
    for fan in range(13):
        ups = [m for m in legal if m.source == PileId(PileKind.TABLEAU, fan) and m.target.kind is PileKind.BASES]
        if ups and len(ups) == left[ups[0].card.rank]:
            return ups
    return [m for m in legal if m.target.kind is PileKind.BASES or len(position.pile(m.source)) > 1]


@pytest.mark.parametrize("seed", range(6))
def test_random_games_have_the_same_moves_and_keys(seed: int) -> None:
    rng = random.Random(seed)
    position = WALTER.deal(seed)
    moves = np.zeros(300, dtype=np.int64)
    for _ in range(60):
        fans, bases = (np.array(part, dtype=np.int64) for part in codes(position))
        left = left_of(position)
        end = wk.generate(fans, bases, left, -1, moves, 0)
        after = {WALTER.key(WALTER.apply(position, move)) for move in worth_trying(position)}
        mine = {WALTER.key(WALTER.apply(position, to_moves(WALTER, position, [int(m)])[0])) for m in moves[:end]}
        assert mine == after
        total = wk.root_sum(fans)
        for code in moves[:end]:
            before = fans.copy()
            new_total = wk.make(fans, bases, left, total, int(code))
            assert new_total == wk.root_sum(fans)
            wk.unmake(fans, bases, left, int(code), int(before[int(code) >> 4 & 15]))
            assert (fans == before).all()
        legal = [move for move in WALTER.legal_moves(position) if move.kind is MoveKind.MOVE]
        if not legal:
            break
        position = WALTER.apply(position, rng.choice(legal))


def brute(position: Position, most: int) -> bool | None:
    seen, stack = {WALTER.key(position)}, [position]
    while stack:
        position = stack.pop()
        if WALTER.is_won(position):
            return True
        for move in WALTER.legal_moves(position):
            if move.kind is MoveKind.MOVE:
                after = WALTER.apply(position, move)
                if (key := WALTER.key(after)) not in seen:
                    seen.add(key)
                    stack.append(after)
        if len(seen) > most:
            return None
    return False


def late(seed: int) -> Position:
    """The last ranks of every base pile, shuffled into fans."""
    rng = random.Random(seed)
    done = rng.randint(9, 10)
    left = [int(WANTED[base, count]) for base in range(4) for count in range(done, 13)]
    suits = {rank: iter(range(4)) for rank in range(1, 14)}
    cards = [Card(rank, next(suits[rank])) for rank in left]
    rng.shuffle(cards)
    data = WALTER.deal(0).to_json()
    fans = [[str(card) for card in cards[at : at + 4]] for at in range(0, len(cards), 4)]
    data["tableau"] = fans + [[] for _ in range(13 - len(fans))]
    data["bases"] = [
        [str(Card(int(WANTED[base, count]), next(suits[int(WANTED[base, count])]))) for count in range(done)]
        for base in range(4)
    ]
    return Position.from_json(data)


def test_late_positions_are_decided_as_by_brute_force() -> None:
    answers = []
    for seed in range(40):
        position = late(seed)
        solution = solve_walter(*codes(position), Clock(Limit()), 20_000)
        wanted = brute(position, 3000)
        assert wanted is not None
        assert solution.outcome is (Outcome.WON if wanted else Outcome.LOST)
        answers.append(wanted)
    assert {True, False} == set(answers)


def test_positions_called_hopeless_are_lost() -> None:
    """In the kernel's easier game they are lost, so they are by brute force."""
    hopeless_ones = 0
    for seed in range(40):
        position = late(seed)
        fans, bases = (np.array(part, dtype=np.int64) for part in codes(position))
        if hopeless(fans, bases):
            hopeless_ones += 1
            assert brute(position, 3000) is False
    assert hopeless_ones > 0


def test_wins_of_both_searches_replay() -> None:
    """Deal 2 is found at once by the complete search, deal 9 by a beam of five."""
    complete_win = complete(*codes(WALTER.deal(2)), Clock(Limit()), 1000)
    beam_win = beam(*codes(WALTER.deal(9)), 5, 0, Clock(Limit()))
    for seed, found in ((2, complete_win), (9, beam_win)):
        assert found.outcome is Outcome.WON
        position = WALTER.deal(seed)
        for move in to_moves(WALTER, position, found.path):
            position = WALTER.apply(position, move)
        assert WALTER.is_won(position)


def test_dead_ends_of_a_beam_are_dead_ends_at_the_table() -> None:
    """Where the way ends no card can be placed by any chain of transfers: the redeal is the only thing left."""
    found = beam(*codes(WALTER.deal(3)), 20, 0, Clock(Limit()))
    assert found.ends
    for end in found.ends[:3]:
        position = WALTER.deal(3)
        for move in to_moves(WALTER, position, end.path):
            position = WALTER.apply(position, move)
        assert WALTER.score(position) == end.placed
        assert any(move.kind is MoveKind.REDEAL for move in WALTER.legal_moves(position))


def test_a_new_deal_is_proposed_where_nothing_can_be_placed() -> None:
    position = WALTER.deal(3)  # this deal cannot be won in its first attempt
    for _ in range(60):
        advice = advise_walter(WALTER, position, Clock(Limit(nodes=3000)))
        assert advice is not None
        assert advice.move is not None
        if advice.move.kind is MoveKind.REDEAL:
            break
        for move in advice.line:
            position = WALTER.apply(position, move)
    assert advice.move == Move(MoveKind.REDEAL, count=advice.move.count)
