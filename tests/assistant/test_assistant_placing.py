"""Which way to lay the cards is right: distances and rules together, and what is asked."""

from assistant_tables import MIDGAME, lay

from kibitz.assistant.findings import layout_questions
from kibitz.assistant.placing import chosen, lay_out
from kibitz.assistant.table import Answers, table_of
from kibitz.assistant.words import Words
from kibitz.engine import Position, get_rules
from kibitz.engine.problems import ProblemKind
from kibitz.vision.types import QuestionKind


def test_the_piles_of_a_table_are_found() -> None:
    position = Position.parse(MIDGAME)
    table = lay(position)
    frame, rules = table.frame(), get_rules("klondike")
    reader = table.reader()
    layout = lay_out(reader.read(frame), rules, frame, reader.look(frame))
    shown = table_of(layout, rules).position
    assert [str(pile[-1]) for pile in shown.foundations if pile] == ["3D", "2S", "AH"]
    assert len(shown.tableau[2]) == 2


def test_twelve_single_cards_leave_the_players_side_open_and_it_can_be_told() -> None:
    rules = get_rules("eleven-points")
    table = lay(rules.deal(1))
    frame = table.frame()
    reading = table.reader().read(frame)
    near = lay_out(reading, rules, frame, side="near")
    far = lay_out(reading, rules, frame, side="far")
    places = rules.plan().groups[0].places
    labels = [[layout.piles[place.pile][0].card.label for place in places] for layout in (near, far)]
    assert labels[0] == labels[1][::-1]
    assert chosen([near], rules) is near


def test_the_side_is_asked_for_in_words_and_answered() -> None:
    from dataclasses import replace

    from kibitz.vision.types import Question

    rules, words = get_rules("eleven-points"), Words("en")
    table = lay(rules.deal(1))
    frame = table.frame()
    layout = lay_out(table.reader().read(frame), rules, frame, side="near")
    layout = replace(layout, questions=(Question(QuestionKind.WHICH_SIDE, choices=("near", "far")),))
    (asked,) = layout_questions(words, layout, table_of(layout, rules))
    assert "side=far" in asked.text
    assert Answers.parse(["side=far"]).side == "far"


def test_a_missing_card_is_named() -> None:
    rules = get_rules("mrs-mop")
    deal = rules.deal(3)
    first = deal.tableau[0]
    short = deal.replace(tableau=(first[1:], *deal.tableau[1:]))
    (problem,) = rules.problems(short)
    assert problem.kind is ProblemKind.TOO_FEW_CARDS
    assert [str(card) for card in problem.cards] == [str(first[0])]
