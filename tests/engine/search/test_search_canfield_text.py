"""Canfield by the text: kernel, solver and hidden-card advice against the readable rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kibitz.engine import Card, MoveKind, PileKind, Position, get_rules
from kibitz.engine.game import Game
from kibitz.engine.rules import Rules, is_stock_move
from kibitz.engine.search import canfield_columns as cc
from kibitz.engine.search import canfield_hidden as ch
from kibitz.engine.search.canfield_advice import advise_canfield
from kibitz.engine.search.canfield_text import TextState, from_position, solve_text, to_moves
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.values import Limit, Reason, Verdict

TEXT = get_rules("canfield")


def content(state: TextState) -> list[object]:
    """What makes up the position; in front of the first card moved, so that rests of earlier cards do not count."""
    columns = [list(state.cols[i, : int(state.size[i])]) for i in range(4)]
    numbers = [int(state.st[i]) for i in range(16) if i != 11]
    return [numbers, columns, list(state.deck[: int(state.st[6])]), list(state.reserve[: int(state.st[13])])]


def table_moves(rules: Rules, position: Position) -> set[tuple[str, str]]:
    """Card and target of every move, after any number of deals; of several empty columns only the first."""
    found = set()
    blank = next((i for i, pile in enumerate(position.tableau) if not pile), None)
    for _ in range(80):
        for move in rules.legal_moves(position):
            if is_stock_move(move):
                deal = move
                continue
            if move.target.kind is PileKind.FOUNDATIONS:
                found.add((str(move.card), "up"))
            elif position.pile(move.target) or move.target.index == blank:
                found.add((str(move.card), str(move.target)))
        if not any(is_stock_move(move) for move in rules.legal_moves(position)):
            break
        position = rules.apply(position, deal)
    return found


@pytest.mark.parametrize(("seed", "fill"), [(seed, fill) for seed in range(5) for fill in ("manual", "auto")])
def test_random_games_have_the_same_moves_and_positions(seed: int, fill: str) -> None:
    rules = get_rules("canfield", fill=fill)
    rng = random.Random(seed)
    position = rules.deal(seed)
    reach, moves = np.zeros(128, dtype=np.int64), np.zeros(cc.MOVES, dtype=np.int64)
    for _ in range(40):
        state = from_position(rules, position)
        assert state is not None
        end = cc.generate(state.st, state.cols, state.size, state.deck, state.reserve, reach, moves, 0)
        lines = [to_moves(rules, position, [int(code)]) for code in moves[:end]]
        mine = {
            (str(m[-1].card), "up" if m[-1].target.kind is PileKind.FOUNDATIONS else str(m[-1].target)) for m in lines
        }
        wanted = table_moves(rules, position)
        assert mine <= wanted
        assert mine == wanted or ch.sure(state.st, int(moves[0]))
        if not end:
            break
        code = int(moves[rng.randrange(end)])
        before, key = content(state), int(state.st[11])
        undo = cc.make(state.st, state.cols, state.size, state.deck, state.reserve, code)
        for move in to_moves(rules, position, [code]):
            position = rules.apply(position, move)
        after = from_position(rules, position)
        assert after is not None
        assert content(state) == content(after)
        cc.unmake(state.st, state.cols, state.size, state.deck, code, undo)
        assert content(state) == before
        assert int(state.st[11]) == key


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
    keep = rng.choice((3, 4, 5))
    cards = [Card(rank, suit) for rank in ranks[-keep:] for suit in range(4)]
    rng.shuffle(cards)
    reserve = rng.choice((2, 5, 7))
    data = rules.deal(0).to_json()
    data["base_rank"] = base
    data["foundations"] = [[str(Card(rank, suit)) for rank in ranks[:-keep]] for suit in range(4)]
    data["tableau"] = [[str(card)] for card in cards[:4]]
    data["reserve"] = [str(card) for card in cards[4 : 4 + reserve]]
    data["stock"] = [str(card)[0] + str(card)[1].lower() for card in cards[4 + reserve :]]
    data["waste"] = []
    return rules.seated(Position.from_json(data))


def test_endgames_are_decided_as_by_brute_force() -> None:
    answers = []
    for seed in range(48):
        rules = get_rules("canfield", turnovers=0 if seed % 4 else None, fill=("manual", "auto")[seed % 2])
        position = endgame(rules, seed)
        state = from_position(rules, position)
        assert state is not None
        outcome, path = solve_text(state, Clock(Limit()), 30_000)
        wanted = brute(rules, position, 2500)
        if wanted is None:
            continue
        assert outcome is (Outcome.WON if wanted else Outcome.LOST)
        answers.append(wanted)
        for move in to_moves(rules, position, path):
            position = rules.apply(position, move)
        assert rules.is_won(position) == wanted
    assert len(answers) >= 20
    assert set(answers) == {True, False}


def test_the_stock_is_run_through_first_and_then_every_piece_of_advice_is_legal() -> None:
    game = Game.deal(TEXT, 1)
    limit = Limit(nodes=20, samples=12)
    reasons = []
    for _ in range(60):
        advice = advise_canfield(TEXT, game.view, Clock(limit))
        assert advice is not None
        if advice.move is None:
            assert advice.verdict is Verdict.LOST
            break
        assert advice.move in game.legal_moves()
        assert all(0.0 <= (ranked.win_chance or 0.0) <= 1.0 for ranked in advice.alternatives)
        reasons.append(advice.reason)
        game.play(advice.move)
    assert reasons[:12] == [Reason.LOOKS_AT_STOCK] * 12  # eleven times three cards and one
    assert len(game.turns) > 20


def test_a_deal_in_which_nothing_fits_is_lost_as_soon_as_the_stock_has_been_seen() -> None:
    """Deal 3: no free card and no card that dealing brings up fits anywhere."""
    game = Game.deal(TEXT, 3)
    for _ in range(12):
        advice = advise_canfield(TEXT, game.view, Clock(Limit()))
        assert advice is not None
        assert advice.move is not None
        game.play(advice.move)
    advice = advise_canfield(TEXT, game.view, Clock(Limit()))
    assert advice is not None
    assert advice.loses
    assert advice.verdict is Verdict.LOST


def test_a_card_that_nothing_needs_goes_up_without_a_search() -> None:
    """The two of the base's suit waits in the reserve while both opposite foundations have their ace and two."""
    data = TEXT.deal(0).to_json()
    data["base_rank"] = 1
    data["foundations"] = [["AC"], ["AD", "2D"], ["AH", "2H"], ["AS", "2S"]]
    rest = [f"{rank}{suit}" for rank in "3456789TJQK" for suit in "CDHS"]
    data["reserve"] = [*rest[:6], "2C"]
    data["tableau"] = [[card] for card in rest[6:10]]
    data["stock"] = ["##"] * len(rest[10:])
    data["waste"] = []
    position = TEXT.seated(Position.from_json(data))
    advice = advise_canfield(TEXT, position, Clock(Limit()))
    assert advice is not None
    assert advice.move is not None
    assert advice.move.kind is MoveKind.MOVE
    assert advice.move.card == Card.parse("2C")
    assert advice.win_chance is None


def test_other_rules_are_left_to_others() -> None:
    assert from_position(get_rules("canfield-common"), get_rules("canfield-common").deal(1)) is None
    assert from_position(get_rules("canfield", foundation_back=True), TEXT.deal(1)) is None
