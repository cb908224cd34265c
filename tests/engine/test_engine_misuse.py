"""Wrong use is refused at once, with a narrow error that says what was expected, what came and where."""

import random

import pytest
from tables import table

from kibitz.engine import (
    Belief,
    Card,
    Move,
    MoveKind,
    Observation,
    PileCard,
    PileId,
    PileKind,
    Position,
    Slot,
    get_rules,
)
from kibitz.engine.belief import SoftSlot
from kibitz.engine.errors import (
    BeliefError,
    IllegalMoveError,
    NotationError,
    ObservationError,
    OptionError,
    RecordError,
    ValueRangeError,
)
from kibitz.engine.game import Game
from kibitz.engine.notation.deck_string import from_deck_string, to_deck_string
from kibitz.engine.notation.files import read_position
from kibitz.engine.notation.pysol import from_pysol, pysol_deal
from kibitz.engine.notation.solvitaire import from_solvitaire, to_solvitaire
from kibitz.engine.options import Option
from kibitz.engine.record import Record
from kibitz.engine.steps import STEPS

T1 = PileId.parse("T1")
SOFT = SoftSlot(Slot.parse("T1.1"), ((Card.parse("7S"), 1.0),))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Card(14, 0), "expected a rank from 1 to 13, got 14"),
        (lambda: PileCard("TS", True), "expected a Card or None, got 'TS'"),
        (lambda: PileCard(None, 1), "expected face_up as True or False, got 1"),
        (lambda: Card.of(52), "expected a card index from 0 to 51, got 52"),
        (lambda: PileId("tableau"), "expected a PileKind, got 'tableau'"),
        (lambda: PileId(PileKind.STOCK, 1), "expected an index from 0 to 0 for stock, got 1"),
        (lambda: Slot(T1, -1), "expected a place in the pile from 0 on, got -1"),
        (lambda: Move(MoveKind.MOVE, T1, T1, 0), "expected a count from 1"),
        (lambda: Position("klondike", base_rank=14), "expected a base rank from 1 to 13, got 14"),
        (lambda: table("klondike").pile(PileId.parse("T8")), "expected one of the 7 piles of tableau, got tableau/7"),
        (lambda: table("klondike").replace_slot(Slot.parse("T1.1"), None, True), "expected one of the 0 cards"),
        (lambda: get_rules("klondike").build({PileId.parse("R"): ()}), "expected one of its piles"),
        (lambda: pysol_deal(0), "expected a PySol deal number from 1"),
    ],
)
def test_values_check_themselves(build, message):
    with pytest.raises(ValueRangeError, match=message):
        build()


def test_an_option_checks_its_own_default():
    with pytest.raises(OptionError, match="option speed: expected slow, fast, got 3"):
        Option("speed", 3, ("slow", "fast"), "How fast.")


@pytest.mark.parametrize("kind", [MoveKind.MOVE, MoveKind.DEAL, MoveKind.COVER, MoveKind.FLIP, MoveKind.REMOVE])
def test_a_step_without_its_piles_is_refused(kind):
    with pytest.raises(IllegalMoveError, match="expected"):
        STEPS[kind](table("klondike; tableau: 7S"), Move(kind))


def test_a_game_needs_a_complete_deal():
    view = get_rules("klondike").conceal(get_rules("klondike").deal(1))
    game = Game(view, view)
    with pytest.raises(ValueRangeError, match=r"expected the true card at W\.3"):
        game.play(Move.parse("draw S-W*3"))


def test_an_observation_needs_a_card_at_its_place():
    rules = get_rules("klondike")
    with pytest.raises(ObservationError, match=r"expected a card at T1\.2, got a pile of 1"):
        rules.observe(table("klondike; tableau: 7S"), Observation.parse("T1.2=8S"))
    with pytest.raises(NotationError, match="expected cards at places"):
        Observation.parse(None)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: SoftSlot(Slot.parse("T1.1"), ()), "expected candidates with weights above 0"),
        (lambda: Belief.from_position(table("klondike"), [SOFT]), r"expected a card at T1\.1, got a pile of 0"),
        (lambda: Belief.from_position(table("klondike; tableau: ??"), [SOFT, SOFT]), "each doubtful place once"),
        (
            lambda: Belief.from_position(table("klondike; tableau: ??/7S")).candidates(Slot.parse("T2.1")),
            r"expected an unknown place, got T2\.1",
        ),
        (
            lambda: Belief.from_position(table("klondike; tableau: ??/7S"), [SOFT]).sample(random.Random(1)),
            r"got contradictory ones at T1\.1",
        ),
    ],
)
def test_a_belief_refuses_what_cannot_be(act, message):
    with pytest.raises(BeliefError, match=message):
        act()


def test_a_doubtful_card_leaves_the_others_less_of_it():
    seven, eight = Card.parse("7S"), Card.parse("8S")
    soft = SoftSlot(Slot.parse("T1.1"), ((seven, 0.75), (eight, 0.25)))
    belief = Belief.from_position(table(f"klondike; tableau: ??; stock: {'##' * 51}"), [soft])
    assert not belief.is_certain
    chances = belief.candidates(Slot.parse("S.1"))
    assert chances[seven] == pytest.approx(0.25 / 51), "three times in four it lies in the column"
    assert chances[eight] == pytest.approx(0.75 / 51)
    assert chances[Card.parse("KH")] == pytest.approx(1 / 51)
    assert Belief.from_position(get_rules("klondike").deal(1)).is_certain


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: from_deck_string("011" * 52, "canfield"), "klondike or klondike-common for a deck string"),
        (lambda: from_deck_string("01"), "156 digits"),
        (lambda: to_deck_string(table("klondike; stock: ##")), "with all cards known"),
        (lambda: from_pysol("Talon: AS", "walter"), "klondike or klondike-common for a PySol layout"),
        (lambda: from_pysol("Talon: AS"), "a talon and 7 columns"),
        (lambda: from_pysol("AS"), "a layout starting with 'Talon:'"),
        (lambda: pysol_deal(1, "walter"), "for a PySol deal number"),
        (lambda: from_solvitaire([]), "an object with"),
        (lambda: from_solvitaire({"tableau piles": [[]] * 7}, "walter"), "one of canfield, canfield-common, klondike"),
        (lambda: from_solvitaire({"tableau piles": [[]] * 7}, "canfield"), "4 columns"),
        (lambda: from_solvitaire({"tableau piles": [[]] * 13, "foundations": ["AS"]}), "whole suits"),
        (lambda: from_solvitaire({"tableau piles": [[]] * 7, "cells": ["AS"]}), "only tableau piles"),
        (lambda: to_solvitaire(table("walter")), "a position of klondike, canfield, mrs-mop"),
        (lambda: to_solvitaire(table("klondike; stock: ##")), "all cards known"),
        (lambda: Position.parse(None), "the text of a position"),
        (lambda: Position.parse("x" * 20_001), "at most 20000 characters"),
        (lambda: Position.parse("klondike; turnovers: 1; turnovers: 2"), "turnovers once"),
        (lambda: Position.parse("klondike; waste: 7S/8S"), "one waste pile"),
        (lambda: Position.parse("klondike; tableau 99: 7S/8S"), "at most 99 piles"),
        (lambda: Position.parse("walter-scott; waste_dead: yes"), "waste_dead as true or false"),
        (lambda: Position.parse("klondike draw"), "an option as name=value"),
        (lambda: Position.from_json({"format": "kibitz/1", "game": "klondike", "cellar": []}), "keys among"),
        (lambda: Position.from_json({"format": "kibitz/1", "game": "klondike", "waste_dead": 1}), "true or false"),
        (lambda: Position.from_json({"format": "kibitz/1", "game": "klondike", "tableau": [[]] * 100}), "at most 99"),
        (lambda: Position.from_json({"format": "kibitz/1", "game": 7}), "the name of a patience"),
        (lambda: Move.parse("T1"), "a move such as"),
    ],
)
def test_a_text_in_the_wrong_form_is_refused(read, message):
    with pytest.raises(NotationError, match=message):
        read()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "expected the text of a record"),
        ("kibitz game 1\n" + "x" * 40_000, "line 2: expected at most 30000 characters"),
        ("kibitz game 1\nbegin klondike", "line 2: expected a line 'start POSITION'"),
    ],
)
def test_a_record_in_the_wrong_form_is_refused(text, message):
    with pytest.raises(RecordError, match=message):
        Record.parse(text)


def test_the_options_of_a_preset_replace_those_of_a_file_the_game_alone_keeps_them():
    text = "klondike draw=1; tableau: 7S"
    assert read_position(text, "klondike").options == (("draw", 1),)
    assert read_position(text, "klondike-common").options == get_rules("klondike-common").changed
    both = read_position(text, "klondike-common", draw=1)
    assert both.options == get_rules("klondike-common", draw=1).changed


def test_counters_come_through_every_form():
    text = "walter-scott; waste_dead: true; waste: 2C; bases: AC/-/-/-"
    position = Position.parse(text)
    assert str(position) == text
    assert position.to_json()["waste_dead"] is True
    assert Position.from_json(position.to_json()) == position


def test_rules_show_their_options():
    assert repr(get_rules("klondike", draw=1)) == "<Rules klondike {'draw': 1}>"
    assert repr(get_rules("eleven-10")) == "<Rules eleven-points {'places': 10}>"
