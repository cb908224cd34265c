"""`advise` for every patience: legal, finite, reproducible, in time, cancelled at once, honest about doubts."""

from __future__ import annotations

import random
import time

import pytest

from kibitz.engine import Belief, Card, MoveKind, Position, Slot, games, get_rules
from kibitz.engine.belief import SoftSlot
from kibitz.engine.errors import KibitzError
from kibitz.engine.rules import Rules
from kibitz.engine.search import Advice, Limit, Reason, Verdict, advise, forget_plans
from kibitz.engine.search.bench import play_deal

QUICK = Limit(nodes=60, samples=8)


@pytest.fixture(autouse=True)
def _no_plans() -> None:
    forget_plans()


def view_of(rules: Rules, seed: int, moves: int) -> Position:
    """What a player sees after some random moves."""
    rng = random.Random(seed)
    truth = rules.settle(rules.deal(seed))
    view = rules.reveal(rules.conceal(truth), truth)
    for _ in range(moves):
        legal = rules.legal_moves(view)
        if not legal or any(move.kind is MoveKind.REDEAL for move in legal):
            break
        move = rng.choice(legal)
        view, truth = rules.act(view, move), rules.act(truth, move)
        view = rules.reveal(view, truth)
    return view


@pytest.mark.parametrize("game", games())
def test_advice_is_legal_or_none(game: str) -> None:
    rules = get_rules(game)
    for seed in range(4):
        position = view_of(rules, seed, seed * 6)
        advice = advise(position, limit=QUICK)
        if advice.move is None:
            assert advice.verdict is not Verdict.OPEN or advice.question is not None
        else:
            assert advice.move in rules.legal_moves(position)
            assert advice.line[0] == advice.move
        for other in advice.alternatives:
            assert other.move in rules.legal_moves(position)


@pytest.mark.parametrize("game", games())
def test_the_same_question_has_the_same_answer(game: str) -> None:
    position = view_of(get_rules(game), 3, 5)
    first = advise(position, limit=QUICK)
    forget_plans()
    assert advise(position, limit=QUICK) == first


@pytest.mark.parametrize("game", ["klondike-common", "klondike", "canfield", "walter", "eleven-points"])
def test_games_end_without_going_round_in_circles(game: str) -> None:
    result = play_deal(game, get_rules(game).deal(5), Limit(nodes=40, samples=4))
    assert result.moves < 500


def test_a_card_is_turned_up_rather_than_moved_about() -> None:
    # The red six uncovers a face-down card; the eights could only change places.
    rules = get_rules("klondike")
    data = rules.deal(1).to_json()
    data["tableau"] = [["##", "6D"], ["7S"], ["8H"], ["9C"], [], [], []]
    data |= {"stock": [], "waste": [], "foundations": [[], [], [], []]}
    advice = advise(Position.from_json(data), limit=QUICK)
    assert str(advice.move) in ("T1-T2", "T2-T3")
    assert advice.reason in (Reason.REVEALS_CARD, Reason.LEADS_TO_REVEAL, Reason.EMPTIES_COLUMN)


def test_what_is_due_comes_first() -> None:
    rules = get_rules("klondike")
    data = rules.deal(1).to_json()
    data["tableau"][6] = ["##", "##", "##"]
    advice = advise(Position.from_json(data), limit=QUICK)
    assert (str(advice.move), advice.reason) == ("flip T7", Reason.DUE)


def test_won_and_stuck_positions_need_no_move() -> None:
    rules = get_rules("klondike")
    data = rules.deal(1).to_json()
    data |= {"stock": [], "waste": [], "tableau": [[] for _ in range(7)]}
    data["foundations"] = [[f"{rank}{suit}" for rank in "A23456789TJQK"] for suit in "CDHS"]
    assert advise(Position.from_json(data)).verdict is Verdict.WON
    data["foundations"] = [[], [], [], []]
    data["tableau"] = [["2C"], ["4C"], ["6C"], ["8C"], ["TC"], ["QC"], ["2S"]]
    advice = advise(Position.from_json(data))
    assert (advice.move, advice.verdict, advice.loses) == (None, Verdict.LOST, True)


def test_a_following_move_continues_the_plan() -> None:
    rules = get_rules("walter")
    position = rules.deal(9)  # won by the plain kernels with few moves too
    first = advise(position, limit=Limit(nodes=3000))
    assert first.reason is Reason.WINS
    start = time.perf_counter()
    for number, move in enumerate(first.line):
        now = advise(position, limit=Limit(nodes=3000))
        assert (now.move, now.line) == (move, first.line[number:])
        position = rules.apply(position, move)
    assert time.perf_counter() - start < 30
    assert advise(position).verdict is Verdict.WON


@pytest.mark.parametrize("game", games())
def test_cancelling_is_heeded(game: str) -> None:
    position = view_of(get_rules(game), 2, 3)
    advise(position, limit=Limit(nodes=1, samples=1))  # loads what is loaded only once
    forget_plans()
    start = time.process_time()
    advise(position, limit=Limit(nodes=10**9, samples=10**9, cancel=lambda: True))
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize("game", games())
def test_the_deadline_is_kept(game: str) -> None:
    position = view_of(get_rules(game), 4, 3)
    advise(position, limit=Limit(nodes=1, samples=1))  # loads what is loaded only once
    forget_plans()
    start = time.process_time()
    advise(position, limit=Limit(seconds=0.05, nodes=10**9, samples=10**9))
    assert time.process_time() - start < 0.5


def test_limits_check_themselves() -> None:
    with pytest.raises(KibitzError, match="seconds above 0"):
        Limit(seconds=0.0)
    rules = get_rules("klondike")
    move = rules.legal_moves(rules.settle(rules.deal(1)))[0]
    with pytest.raises(KibitzError, match="line that starts"):
        Advice(None, Reason.DUE, (move,))


def soft(first: str, second: str) -> Belief:
    """Column 1 ends in a card read doubtfully; the six of column 2 could go on a black seven."""
    rules = get_rules("klondike")
    data = rules.deal(1).to_json()
    data["tableau"] = [[first], ["##", "6D"], ["9H"], [], [], [], []]
    data |= {"stock": [], "waste": [], "foundations": [[], [], [], []]}
    position = Position.from_json(data)
    slot = Slot.parse("T1.1")
    return Belief.from_position(position, [SoftSlot(slot, ((Card.parse(first), 0.6), (Card.parse(second), 0.4)))])


def test_a_doubt_that_does_not_matter_is_not_asked_about() -> None:
    belief = soft("7S", "7C")
    advice = advise(belief.position, belief, QUICK)
    assert (str(advice.move), advice.question) == ("T2-T1", None)


def test_a_doubt_that_matters_is_asked_about() -> None:
    belief = soft("7S", "7D")
    advice = advise(belief.position, belief, QUICK)
    assert advice.move is None
    assert advice.question is not None
    assert (str(advice.question.slot), [str(card) for card in advice.question.choices]) == ("T1.1", ["7S", "7D"])


@pytest.mark.parametrize("seed", range(3))
def test_two_doubtful_cards_of_a_picture(seed: int) -> None:
    """The advice can be carried out however the cards are read, or it asks for one of the two."""
    rules = get_rules("klondike-common")
    known = rules.deal(seed)
    view = rules.reveal(rules.conceal(known), known).replace(stock=known.stock)
    soft = []
    for column in (3, 6):
        card, other = known.tableau[column][-1].card, known.tableau[column][0].card  # or one that lies face down
        assert card is not None
        assert other is not None
        soft.append(SoftSlot(Slot.parse(f"T{column + 1}.{column + 1}"), ((card, 0.7), (other, 0.3))))
    belief = Belief.from_position(view, soft)
    advice = advise(belief.position, belief, QUICK)
    if advice.question is not None:
        asked = next(one for one in soft if one.slot == advice.question.slot)
        assert advice.question.choices == tuple(card for card, _ in asked.candidates)
        assert advice.move is None
        return
    for first, _ in soft[0].candidates:
        for second, _ in soft[1].candidates:
            world = belief.position.replace_slot(soft[0].slot, first, True).replace_slot(soft[1].slot, second, True)
            assert advice.move in rules.legal_moves(world)
