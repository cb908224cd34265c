"""From an imaginary table through the real grouping, layout and adviser to sentences and JSON."""

import numpy as np
import pytest
from assistant_tables import lay

from kibitz.assistant.check import Checked, Checker
from kibitz.assistant.report import card_object, checked_object, reading_object
from kibitz.assistant.speech import advice_lines, sentences
from kibitz.assistant.table import AnswerError, Answers
from kibitz.assistant.words import words
from kibitz.engine import Position, get_rules
from kibitz.engine.search import Limit
from kibitz.vision.types import Frame, TableCard

LIMIT = Limit(nodes=2000, samples=8)


def look(position: Position, answers: tuple[str, ...] = (), language: str = "en", **doubtful: str) -> Checked:
    table = lay(position, {key.strip("_"): value for key, value in doubtful.items()})
    checker = Checker(get_rules(position.game), words(language), LIMIT)
    return checker.look(table.reader(), table.frame(), Answers.parse(answers))


def test_the_whole_table_is_understood(midgame: Position) -> None:
    checked = look(midgame)
    position = checked.judged.position
    assert [str(pile[-1]) if pile else "-" for pile in position.tableau] == ["-", "-", "QH", "8D", "4C", "9C", "TH"]
    assert sorted(str(pile[-1]) for pile in position.foundations if pile) == ["2S", "3D", "AH"]
    assert str(position.waste[-1]) == "JD"
    assert len(position) == 52
    assert checked.judged.findings == ()
    assert checked.judged.verdict == "open"


def test_json_has_the_fields_of_the_design(midgame: Position) -> None:
    checked = look(midgame)
    found = {
        **reading_object("a.jpg", checked.reading, 0.5),
        **checked_object(words("en"), get_rules("klondike"), "a.jpg", checked),
    }
    assert {"schema", "image", "width", "height", "cards", "seconds", "game", "options", "position", "piles"} <= set(
        found
    )
    assert {"pending", "problems", "questions", "legal_moves", "advice", "verdict"} <= set(found)
    assert (found["schema"], found["width"], found["height"]) == (1, 1500, 1200)
    piles = found["piles"]
    assert set(piles) >= {"stock", "waste", "foundations", "tableau"}
    assert [len(column) for column in piles["tableau"]] == [0, 0, 2, 6, 6, 1, 7]
    last = piles["tableau"][3][-1]
    assert (last["label"], last["face_up"], last["unsure"]) == ("8D", True, False)
    card = found["cards"][last["card"]]
    assert (card["label"], card["covered"], len(card["corners"])) == ("8D", False, 4)
    assert piles["tableau"][3][0] == {
        "label": None,
        "face_up": False,
        "unsure": False,
        "card": piles["tableau"][3][0]["card"],
    }
    assert set(found["advice"]) >= {"move", "text", "reason", "line", "win_chance", "error", "alternatives"}
    moves = {move["move"] for move in found["legal_moves"]}
    assert found["advice"]["move"] in moves
    assert Position.parse(found["position"]) == checked.judged.position


def test_a_doubtful_card_is_marked_and_asked_for_and_can_be_answered(midgame: Position) -> None:
    checked = look(midgame, _4C="4S")
    entry = checked_object(words("en"), get_rules("klondike"), "a", checked)["piles"]["tableau"][4][-1]
    assert entry["unsure"]
    assert entry["label"] in ("4C", "4S")
    question = next(one for one in checked.judged.questions if one.card == entry["card"])
    assert set(question.choices) == {"4C", "4S"}
    assert "In column 5" in question.text
    answered = look(midgame, (f"{entry['card']}=4C",), _4C="4S")
    assert str(answered.judged.position.tableau[4][-1]) == "4C"
    by_place = look(midgame, ("T5.6=4C",), _4C="4S")
    assert str(by_place.judged.position.tableau[4][-1]) == "4C"


def test_the_player_can_say_how_many_cards_lie_face_down(midgame: Position) -> None:
    checked = look(midgame, ("T4=2",))
    assert [str(card) for card in checked.judged.position.tableau[3]] == ["##", "##", "TD", "9S", "8D"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("99=7H", "number of a card"),
        ("T3.9=7H", "place with a card"),
        ("R=2", "a pile of klondike"),
        ("T3=QQ", "an answer such as"),
        ("nonsense", "an answer such as"),
        ("T0.1=7H", "answer:"),
    ],
)
def test_wrong_answers_are_told(midgame: Position, text: str, told: str) -> None:
    with pytest.raises(AnswerError, match=told):
        look(midgame, (text,))


def test_sentences_and_panel_in_both_languages(midgame: Position) -> None:
    for language, first in (("en", ("Move", "Put", "Turn")), ("ru", ("Переложите", "Положите", "Откройте"))):
        checked = look(midgame, language=language)
        texts = sentences(words(language), checked.judged)
        assert texts[0].startswith(first)
        lines = advice_lines(words(language), checked.judged)
        assert lines[0].headline
        assert lines[0].text == texts[0]


def test_an_empty_picture_is_told_and_nothing_is_advised(midgame: Position) -> None:
    table = lay(midgame)
    table.cards = []
    checker = Checker(get_rules("klondike"), words("en"), LIMIT)
    checked = checker.look(table.reader(), Frame(np.full((600, 800, 3), 90, np.uint8)))
    assert checked.judged.findings[0].kind == "nothing-found"
    assert checked.judged.advice is None
    assert checked_object(words("en"), get_rules("klondike"), "a", checked)["advice"] is None


def test_the_same_card_twice_is_a_problem(midgame: Position) -> None:
    twice = Position.parse(str(midgame).replace("9C", "8D"))
    kinds = {finding.kind for finding in look(twice).judged.findings}
    assert kinds & {"same-card-twice", "duplicate"}


def test_a_table_of_another_patience_is_told(midgame: Position) -> None:
    table = lay(midgame)
    checked = Checker(get_rules("mrs-mop"), words("en"), LIMIT).look(table.reader(), table.frame())
    assert checked.judged.findings != ()
    text = checked.judged.findings[0].text
    assert text.endswith((".", "?"))


def test_on_a_table_that_cannot_be_no_chance_is_told_and_the_least_sure_count_is_asked_for() -> None:
    """Seven face-up cards without any under them would leave 45 for the stock, which never has more than 24."""
    position = Position.parse(
        "klondike; stock: " + "##" * 45 + "; waste: -; foundations: -/-/-/-; tableau: KS/QD/JC/5D/8S/TD/3C"
    )
    table = lay(position)
    checker = Checker(get_rules("klondike"), words("en"), LIMIT)
    checked = checker.look(table.reader(), table.frame())
    assert [finding.kind for finding in checked.judged.findings] == ["bad-count"]
    advice = checked.judged.advice
    assert advice is not None
    assert advice.win_chance is None
    assert all(other.win_chance is None for other in advice.alternatives)
    assert checked.judged.verdict == "open"
    assert [question.text for question in checked.judged.questions] == [
        "How many face-down cards are there in column 1?"
    ]
    answered = checker.look(table.reader(), table.frame(), Answers.parse(("T1=0",)))
    assert "column 2" in answered.judged.questions[0].text
    told = " ".join(line.text for line in advice_lines(words("en"), checked.judged))
    assert "%" not in told


def test_a_card_without_a_worthy_guess_has_no_name() -> None:
    labels = np.full(52, 0.15 / 52, np.float32)
    labels[5] = 0.12
    joker = TableCard(0, True, labels, 0.12, True, None)
    assert joker.label is None
    assert card_object(joker)["label"] is None
    labels[5] = 0.25
    assert TableCard(0, True, labels, 0.25, True, None).label == "6C"
