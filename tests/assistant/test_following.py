"""Following a game: moves, moves taken back, what no rule allows; doubtful cards settled by rules and memory."""

import random

import numpy as np
import pytest

from kibitz.assistant.following import CardQuestion, Follower, OutcomeKind
from kibitz.assistant.following.trial import Camera, Tally, Trial, agrees, layout_of
from kibitz.engine import PileId, Position, get_rules
from kibitz.engine.cards import Card, PileCard
from kibitz.engine.piles import Slot
from kibitz.engine.rules import Rules
from kibitz.vision.types import Layout, PlacedCard, TableCard

CLEAR = Camera(0, 0, 0, 0)
KLONDIKE = get_rules("klondike-common")
TABLE = (
    "klondike[auto_aces=false;kings_only=true;draw=3]; stock: 2c3c4c; waste: 5C; foundations: AH/-/-/-; "
    "tableau: KS/9d8C7H/6S/2H/QD/4dJS/-"
)
T1, T2, T3, T4, T6, WASTE = (PileId.parse(name) for name in ("T1", "T2", "T3", "T4", "T6", "W"))


@pytest.fixture
def truth() -> Position:
    """A small table of which all cards are known."""
    return Position.parse(f"klondike; {TABLE.split('; ', 1)[1]}")


@pytest.fixture
def rules(truth: Position) -> Rules:
    from kibitz.engine.registry import rules_of

    return rules_of(truth)


def seen(position: Position, rules: Rules, camera: Camera = CLEAR) -> Layout:
    return layout_of(position, rules, camera, random.Random(1))


def follower_at(truth: Position, rules: Rules) -> Follower:
    return Follower(rules, rules.conceal(truth))


def moved(truth: Position, rules: Rules, *moves: str) -> Position:
    for text in moves:
        truth = rules.apply(truth, rules.find_move(truth, text))
    return truth


def doubtful(layout: Layout, pile: PileId, labels: dict[str, float]) -> Layout:
    """The layout with the last card of a pile read as these labels with these probabilities."""
    chances = np.zeros(52, np.float32)
    for label, chance in labels.items():
        chances[Card.parse(label).index] = chance
    card = TableCard(0, True, chances, max(labels.values()), unsure=True)
    piles = dict(layout.piles)
    piles[pile] = (*piles[pile][:-1], PlacedCard(card, True))
    return Layout(layout.game, piles)


def test_nothing_new_is_unchanged(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    outcome = follower.look(seen(truth, rules))
    assert outcome.kind is OutcomeKind.UNCHANGED
    assert outcome.position == rules.conceal(truth)


def test_a_move_is_followed_with_the_card_it_bares(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    after = moved(truth, rules, "T6-T5")
    outcome = follower.look(seen(after, rules))
    assert outcome.kind is OutcomeKind.FOLLOWED
    assert str(outcome.moves[0]) == "T6-T5"
    assert outcome.position.pile(T6) == (PileCard.of(Card.parse("4D"), True),)


def test_two_moves_between_two_looks(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    after = moved(truth, rules, "T4-F1", "T3-T2")
    outcome = follower.look(seen(after, rules))
    assert outcome.kind is OutcomeKind.FOLLOWED
    assert {str(move) for move in outcome.moves} == {"T4-F1", "T3-T2"}
    assert agrees(outcome.position, after)


def test_a_move_taken_back_is_undone(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    follower.look(seen(moved(truth, rules, "T3-T2"), rules))
    outcome = follower.look(seen(truth, rules))
    assert outcome.kind is OutcomeKind.UNDONE
    assert [str(move) for move in outcome.moves] == ["T3-T2"]
    assert follower.history == []


def test_a_move_against_the_rules_is_named_with_the_way_back(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    king, under = truth.pile(T1), truth.pile(T3)
    wrong = truth.replace_piles((T1, ()), (T3, (*under, *king)))
    assert follower.look(seen(wrong, rules)).kind is OutcomeKind.UNSETTLED  # it may be half of a move
    outcome = follower.look(seen(wrong, rules))
    assert outcome.kind is OutcomeKind.ILLEGAL
    assert [str(move) for move in outcome.moves] == ["T1-T3"]
    assert [str(move) for move in outcome.put_back] == ["T3-T1"]
    assert {one.pile for one in outcome.differences} == {T1, T3}
    assert outcome.position == rules.conceal(truth)
    assert follower.look(seen(truth, rules)).kind is OutcomeKind.UNCHANGED


def test_another_table_is_out_of_step_until_it_is_taken(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    other = truth.replace_piles((T1, truth.pile(T3)), (T2, truth.pile(T1)), (T3, truth.pile(T4)), (T4, truth.pile(T2)))
    kinds = [follower.look(seen(other, rules)).kind for _ in range(2)]
    assert kinds == [OutcomeKind.UNSETTLED, OutcomeKind.OUT_OF_STEP]
    assert follower.take_as_is().kind is OutcomeKind.STARTED
    assert follower.position is not None
    assert follower.position.pile(T1) == truth.pile(T3)


def test_memory_settles_a_doubtful_card(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    outcome = follower.look(doubtful(seen(truth, rules), T3, {"9S": 0.6, "6S": 0.3}))
    assert outcome.kind is OutcomeKind.UNCHANGED
    assert outcome.position.pile(T3)[-1].card == Card.parse("6S")


def test_a_card_read_wrongly_for_sure_does_not_change_the_table(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    layout = doubtful(seen(truth, rules), T3, {"9S": 0.98})
    assert follower.look(layout).kind is OutcomeKind.UNSETTLED
    assert follower.look(layout).kind is OutcomeKind.UNCHANGED
    assert follower.look(layout).kind is OutcomeKind.UNCHANGED  # got used to
    assert follower.position == rules.conceal(truth)


def test_a_doubtful_new_card_is_asked_for(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    after = moved(truth, rules, "T6-T5")
    outcome = follower.look(doubtful(seen(after, rules), T6, {"4D": 0.5, "4C": 0.4}))
    assert outcome.kind is OutcomeKind.QUESTION
    assert outcome.question == CardQuestion(Slot(T6, 0), (Card.parse("4D"), Card.parse("4C")))
    belief = follower.belief
    assert belief is not None
    assert [one.slot for one in belief.soft] == [Slot(T6, 0)]
    answered = follower.answer(outcome.question, "4D")
    assert answered.position.pile(T6)[-1].card == Card.parse("4D")
    assert follower.look(seen(after, rules)).kind is OutcomeKind.UNCHANGED


def test_a_card_on_its_way_is_waited_for(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    lifted = truth.replace_piles((T4, ()), (T1, ()))
    assert follower.look(seen(lifted, rules)).kind is OutcomeKind.UNSETTLED
    assert follower.look(seen(truth, rules)).kind is OutcomeKind.UNCHANGED


def test_the_way_to_lay_the_cards_that_the_game_explains_counts(truth: Position, rules: Rules) -> None:
    follower = follower_at(truth, rules)
    after = moved(truth, rules, "T3-T2")
    shifted = after.replace_piles((T3, after.pile(T4)), (T4, after.pile(T3)))
    outcome = follower.look(seen(shifted, rules), [seen(after, rules)])
    assert outcome.kind is OutcomeKind.FOLLOWED
    assert [str(move) for move in outcome.moves] == ["T3-T2"]


@pytest.mark.parametrize("game", ["klondike", "canfield", "mrs-mop", "walter", "nineteenth-fan", "eleven-points"])
def test_a_played_game_is_followed_by_a_camera_that_does_not_err(game: str) -> None:
    tally = Tally()
    Trial(get_rules(game), 3, CLEAR, tally).run(25)
    assert tally.moves >= 10
    assert tally.right == tally.moves, tally.faults
    assert tally.wrong_ends == 0
    assert tally.illegal[0] == tally.illegal[1]
