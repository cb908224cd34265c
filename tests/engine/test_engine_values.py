"""Cards, piles, moves, options, observations, beliefs and records: values that check themselves and parse back."""

import pickle
import random
import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest
from tables import table

from kibitz.engine import (
    LABELS,
    Belief,
    Card,
    KibitzError,
    Move,
    MoveKind,
    Observation,
    PileCard,
    PileId,
    PileKind,
    Position,
    Sighting,
    Slot,
    Suit,
    games,
    get_rules,
)
from kibitz.engine.belief import SoftSlot
from kibitz.engine.errors import BeliefError, NotationError, OptionError, RecordError, UnknownGameError, ValueRangeError
from kibitz.engine.record import Record


def test_labels_are_in_suit_and_rank_order():
    assert LABELS[:3] == ("AC", "2C", "3C")
    assert (LABELS[9], LABELS[13], LABELS[51]) == ("TC", "AD", "KS")
    for index, label in enumerate(LABELS):
        card = Card.parse(label)
        assert (card.index, str(card)) == (index, label)
        assert Card(card.rank, card.suit) == card
        assert Card.of(index) is card


@pytest.mark.parametrize("text", ["", "A", "1C", "AC ", "ac", "Ac", "10C", "AX", "##", None, 5])
def test_bad_cards_are_refused(text):
    with pytest.raises(NotationError, match="expected a card such as TS"):
        Card.parse(text)


@pytest.mark.parametrize(("rank", "suit"), [(0, 0), (14, 0), (1, 4), (1, -1), (True, 0), (1.0, 0)])
def test_cards_check_themselves(rank, suit):
    with pytest.raises(ValueRangeError):
        Card(rank, suit)


def test_red_suits_are_diamonds_and_hearts():
    assert [suit.is_red for suit in Suit] == [False, True, True, False]
    assert Card.parse("TH").is_red
    assert not Card.parse("TS").is_red


def test_pile_cards_have_106_values_that_parse_back():
    texts = [*LABELS, *(label[0] + label[1].lower() for label in LABELS), "##", "??"]
    for code, text in enumerate(texts):
        card = PileCard.parse(text)
        assert (str(card), card.code) == (text, code)
        assert PileCard(card.card, card.face_up) == card == PileCard.of(card.card, card.face_up)
    assert PileCard.parse("Ts").face_up is False
    assert PileCard.parse("??") == PileCard(None, True)
    with pytest.raises(NotationError):
        PileCard.parse("tS")


@pytest.mark.parametrize(
    ("short", "long"),
    [("T3", "tableau/2"), ("S", "stock"), ("W", "waste"), ("F4", "foundations/3"), ("X", "auxiliary")],
)
def test_piles_have_a_short_and_a_long_name(short, long):
    pile = PileId.parse(short)
    assert pile == PileId.parse(long)
    assert (pile.short, str(pile)) == (short, long)


@pytest.mark.parametrize("text", ["", "T0", "T100", "S1", "Q1", "tableau/", "stock/1", "T", "t3", None])
def test_bad_piles_are_refused(text):
    if text in ("tableau/",):
        with pytest.raises(NotationError):
            PileId.parse(text)
        return
    with pytest.raises(NotationError, match="expected a pile"):
        PileId.parse(text)


def test_slots_are_written_from_one():
    assert Slot.parse("T3.1") == Slot(PileId(PileKind.TABLEAU, 2), 0)
    assert str(Slot.parse("W.24")) == "W.24"
    with pytest.raises(NotationError):
        Slot.parse("T3.0")


@pytest.mark.parametrize(
    "text", ["T3-T5*4", "W-F1", "draw S-W*3", "flip T2", "redeal", "redeal *9", "cover S-T1+T2*2", "X^2-T1"]
)
def test_moves_parse_back(text):
    assert str(Move.parse(text)) == text


@pytest.mark.parametrize("text", ["", "T3", "T3-", "fly T1-T2", "T1-T2*0", "T1-Q9", "T1-T2 ", None, "*3", "draw draw"])
def test_bad_moves_are_refused(text):
    with pytest.raises(NotationError):
        Move.parse(text)


def test_a_move_made_the_quick_way_is_the_same_value():
    column, foundation = PileId.parse("T3"), PileId.parse("F1")
    ace = Card.parse("AS")
    made = Move(MoveKind.MOVE, column, foundation, cards=(ace,))
    quick = Move.of(column, foundation, (ace,))
    assert type(quick) is Move
    assert (quick, hash(quick), repr(quick)) == (made, hash(made), repr(made))
    assert pickle.loads(pickle.dumps(quick)) == quick
    assert Move.of(column, foundation, (ace, ace)).count == 2
    with pytest.raises(FrozenInstanceError):
        quick.count = 2


def test_a_changed_position_is_the_same_value_as_one_built_so():
    position = get_rules("klondike").deal(1)
    waste = (PileCard.parse("7S"),)
    changed = position.replace(waste=waste, turnovers=2)
    built = Position(
        position.game,
        position.options,
        position.stock,
        waste,
        position.foundations,
        position.tableau,
        turnovers=2,
    )
    assert type(changed) is Position
    assert (changed, hash(changed), repr(changed)) == (built, hash(built), repr(built))
    assert pickle.loads(pickle.dumps(changed)) == changed
    assert position.waste == (), "the old one stays as it was"
    with pytest.raises(FrozenInstanceError):
        changed.turnovers = 3
    with pytest.raises(ValueRangeError, match="expected turnovers from 0"):
        position.replace(turnovers=-1)
    with pytest.raises(KeyError):
        position.replace(cellar=())


def test_several_piles_are_replaced_at_once():
    position = table("klondike; tableau: 7S/6H/-")
    seven, six = PileId.parse("T1"), PileId.parse("T2")
    joined = position.replace_piles((six, ()), (seven, position.pile(seven) + position.pile(six)))
    assert str(joined).endswith("tableau: 7S6H/-/-/-/-/-/-")
    with pytest.raises(ValueRangeError, match="expected one of the 7 piles of tableau"):
        position.replace_piles((PileId.parse("T8"), ()))


def test_sightings_parse_back():
    text = "T3.5=TS W.1=AH"
    assert str(Observation.parse(text)) == text
    assert Sighting.parse("T3.5=TS").card == Card.parse("TS")
    with pytest.raises(NotationError):
        Observation.parse("T3.5")


def test_games_and_options_are_told_when_unknown():
    with pytest.raises(UnknownGameError, match="expected a patience among canfield"):
        get_rules("whist")
    with pytest.raises(OptionError, match="expected an option among draw"):
        get_rules("klondike", speed=3)
    with pytest.raises(OptionError, match="option draw: expected 3, 1, got 2"):
        get_rules("klondike", draw=2)
    with pytest.raises(OptionError):
        get_rules("klondike", draw=True)
    assert len(games()) == 11


def test_every_error_has_one_base():
    for error in (NotationError, OptionError, UnknownGameError, BeliefError, RecordError, ValueRangeError):
        assert issubclass(error, KibitzError)


def test_belief_counts_what_is_unseen_and_draws_it_evenly():
    rules = get_rules("klondike")
    view = rules.conceal(rules.deal(1))
    belief = Belief.from_position(view)
    assert len(belief.unseen) == len(belief.slots) == 45
    shares = belief.candidates(belief.slots[0])
    assert sum(shares.values()) == pytest.approx(1)
    assert set(shares) == set(belief.unseen)
    first = Counter(belief.sample(random.Random(seed)).stock[-1].card for seed in range(900))
    assert len(first) == 45
    assert max(first.values()) < 50, "about 20 each"
    sample = belief.sample(random.Random(4))
    assert rules.problems(sample) == ()
    assert rules.conceal(sample) == view
    assert sample == belief.sample(random.Random(4))


def test_belief_weighs_doubtful_readings_and_uses_no_card_twice():
    seven, eight = Card.parse("7S"), Card.parse("8S")
    position = get_rules("klondike").complete(table("klondike; stock: ##; tableau: 7S/??/9H"))
    soft = [SoftSlot(Slot.parse("T2.1"), ((seven, 0.9), (eight, 0.1)))]
    belief = Belief.from_position(position, soft)
    assert belief.candidates(Slot.parse("T2.1")) == {eight: pytest.approx(1.0)}, "the seven lies elsewhere"
    assert belief.sample(random.Random(1)).tableau[1][0].card == eight
    both = [SoftSlot(Slot.parse(place), ((seven, 3.0), (eight, 1.0))) for place in ("T1.1", "T2.1")]
    drawn = {
        tuple(str(pile[0]) for pile in Belief.from_position(position, both).sample(random.Random(seed)).tableau[:2])
        for seed in range(20)
    }
    assert drawn == {("7S", "8S"), ("8S", "7S")}


def test_belief_refuses_impossible_tables():
    with pytest.raises(BeliefError, match="more of 7S"):
        Belief.from_position(table("klondike; tableau: 7S7S"))
    with pytest.raises(BeliefError, match="at most 51 unknown places"):
        Belief.from_position(table(f"klondike; tableau: 7S; stock: {'##' * 52}"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 'kibitz game 1'"),
        ("kibitz game 1\n", "expected a line 'start POSITION'"),
        ("kibitz game 1\nstart whist\n", "line 2: expected a patience"),
        ("kibitz game 1\nstart klondike\nsee T1.1=7S\n", "line 3: expected a move before"),
        ("kibitz game 1\nstart klondike\nT1-Z9\n", "line 3: expected a pile"),
    ],
)
def test_bad_records_name_the_line(text, message):
    with pytest.raises(RecordError, match=message):
        Record.parse(text)


def test_a_record_with_an_illegal_move_names_it():
    record = Record.parse("kibitz game 1\nstart klondike; tableau: 7S/6H\nT2-T1\nT1-T2\n")
    with pytest.raises(RecordError, match="move 2: klondike: expected a legal move"):
        list(record.replay())


def test_import_is_quick_and_needs_no_numpy():
    code = (
        "import sys, time; start = time.process_time(); import kibitz.engine; "
        "kibitz.engine.games(); print(time.process_time() - start); "
        "assert not {'numpy', 'numba', 'cv2'} & set(sys.modules)"
    )
    best = min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3))
    assert best < 0.2
