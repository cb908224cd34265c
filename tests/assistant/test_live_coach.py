"""Hints: when, how much, and warnings of moves that lose; a clock that is set by hand."""

from typing import Any

import pytest
from live_fakes import first_legal

from kibitz.assistant.live.coach import Coach, CoachOptions
from kibitz.assistant.live.hints import HintLevel, HintMode, hint_texts
from kibitz.assistant.live.jobs import AtOnceThinker
from kibitz.assistant.live.thinker import Thought
from kibitz.assistant.words import words
from kibitz.engine import Position, get_rules
from kibitz.engine.cards import Card
from kibitz.engine.piles import Slot
from kibitz.engine.search import Advice, Question, Reason, Verdict


class Waiting(AtOnceThinker):
    """A thinker that is ready when the test says so."""

    def __init__(self) -> None:
        super().__init__(first_legal(), 1)
        self.considered: list[Position] = []

    def consider(self, position: Position, belief: Any = None) -> None:
        self.considered.append(position)
        self.thought = None

    def ready(self, loses: tuple[str, ...] = (), lost: bool = False) -> None:
        advice = first_legal(loses)(self.considered[-1], None, None)  # type: ignore[arg-type]
        verdict = Verdict.LOST if lost else Verdict.OPEN
        self.thought = Thought(
            self.considered[-1],
            Advice(advice.move, advice.reason, advice.line, alternatives=advice.alternatives, verdict=verdict),
            0.1,
        )


TABLE = Position.parse("klondike; stock: ##########; waste: JD; tableau: 7H/8S/KS/9C/-/-/-; foundations: -/-/-/-")
RULES = get_rules("klondike")
MOVES = {str(move): move for move in RULES.legal_moves(TABLE)}


def coach(language: str = "en", **options: Any) -> tuple[Coach, Waiting]:
    thinker = Waiting()
    return Coach(words(language), thinker, CoachOptions(**options)), thinker


def test_always_gives_one_hint_for_a_position_as_soon_as_it_is_ready() -> None:
    made, thinker = coach()
    assert made.tick(0) is None
    made.table(TABLE, None, 0)
    assert made.is_thinking
    assert made.tick(0) is None
    thinker.ready()
    assert made.is_ready
    hint = made.tick(0.1)
    assert hint is not None
    assert hint.texts == ("Move the seven of hearts onto the eight of spades.", "All moves are equally good here.")
    assert made.tick(5) is None
    assert not made.is_ready


def test_asking_tells_more_each_time() -> None:
    made, thinker = coach(mode=HintMode.ASKED, level=HintLevel.THERE)
    assert made.ask(0).texts == ("The table has not been read yet.",)
    made.table(TABLE, None, 0)
    thinker.ready()
    assert made.tick(100) is None
    asked = [made.ask(1) for _ in range(4)]
    assert [hint.level for hint in asked] == [HintLevel.THERE, HintLevel.CARD, HintLevel.MOVE, HintLevel.MOVE]
    assert [hint.texts[0] for hint in asked[:3]] == [
        "There is a move.",
        "Look at the seven of hearts.",
        "Move the seven of hearts onto the eight of spades.",
    ]


def test_a_hint_asked_for_too_early_comes_when_it_is_ready() -> None:
    made, thinker = coach("ru", mode=HintMode.ASKED)
    made.table(TABLE, None, 0)
    assert made.ask(0).texts == ("Минутку, я ещё думаю.",)
    assert made.tick(0.1) is None
    thinker.ready()
    hint = made.tick(0.2)
    assert hint is not None
    assert hint.texts[0] == "Переложите семёрку червей на восьмёрку пик."


def test_after_a_pause() -> None:
    made, thinker = coach(mode=HintMode.PAUSE, pause_seconds=20)
    made.table(TABLE, None, 5)
    thinker.ready()
    assert made.tick(24) is None
    assert made.tick(25) is not None
    assert made.tick(60) is None
    made.table(TABLE, None, 30)  # looked at again, nothing changed
    assert len(thinker.considered) == 1


def test_nothing_is_advised_while_table_and_game_differ() -> None:
    made, thinker = coach()
    made.table(TABLE, None, 0)
    made.hold()
    thinker.ready()
    assert made.tick(1) is None
    assert made.ask(1).texts == ("I cannot advise: the table and my picture of it differ.",)
    made.table(TABLE, None, 2)
    assert made.tick(2) is not None


def test_a_move_that_is_known_to_lose_is_warned_of_at_once() -> None:
    made, thinker = coach(warn=True, mode=HintMode.ASKED)
    made.table(TABLE, None, 0)
    losing = next(text for text in MOVES if text.startswith("draw"))
    thinker.ready(loses=(losing,))
    after = RULES.apply(TABLE, MOVES[losing])
    warning = made.played((MOVES[losing],), after, None, 1)
    assert warning is not None
    assert (warning.kind, warning.texts) == ("warning", ("This move loses. Take it back.",))
    thinker.ready(lost=True)
    assert made.tick(2) is None


def test_a_game_that_cannot_come_out_any_more_is_told_once_when_that_is_found_out() -> None:
    made, thinker = coach("ru", warn=True, mode=HintMode.ASKED)
    made.table(TABLE, None, 0)
    thinker.ready()
    move = MOVES["T1-T2"]
    assert made.played((move,), RULES.apply(TABLE, move), None, 1) is None
    assert made.tick(1) is None
    thinker.ready(lost=True)
    warning = made.tick(2)
    assert warning is not None
    assert warning.texts == ("Теперь пасьянс уже не сойдётся. До последнего хода он ещё мог сойтись.",)
    assert made.tick(3) is None


def test_without_being_asked_for_there_are_no_warnings() -> None:
    made, thinker = coach(mode=HintMode.ASKED)
    made.table(TABLE, None, 0)
    thinker.ready(loses=("T1-T2",))
    move = MOVES["T1-T2"]
    assert made.played((move,), RULES.apply(TABLE, move), None, 1) is None
    assert made.toggle_warn()
    assert made.toggle_always()
    assert not made.toggle_always()


POINTS = [
    ("klondike; stock: ######; tableau: -/-/-/-/-/-/-", "Look at the stock.", "Посмотрите на колоду."),
    ("klondike; waste: 7H8C; tableau: -/-/-/-/-/-/-", "Look at the waste.", "Посмотрите на открытую стопку."),
    ("klondike; tableau: 7H##/-/-/-/-/-/-", "Look at column 1.", "Посмотрите на первый столбец."),
    ("klondike; tableau: AS/-/-/-/-/-/-", "Look at the ace of spades.", "Посмотрите на туза пик."),
]


@pytest.mark.parametrize(("text", "english", "russian"), POINTS)
def test_what_to_look_at(text: str, english: str, russian: str) -> None:
    position = Position.parse(text)
    move = get_rules(position.game).legal_moves(position)[0]
    advice = Advice(move, Reason.ANY_MOVE, (move,))
    assert hint_texts(words("en"), position, advice, HintLevel.CARD) == (english,)
    assert hint_texts(words("ru"), position, advice, HintLevel.CARD) == (russian,)


def test_a_doubtful_card_on_which_the_advice_hangs_is_asked_for() -> None:
    question = Question(Slot.parse("T1.1"), (Card.parse("7H"), Card.parse("7D")))
    advice = Advice(None, Reason.NOTHING_LEFT, question=question)
    assert hint_texts(words("en"), TABLE, advice, HintLevel.MOVE) == (
        "In column 1 a card could not be read. Is it the seven of hearts or the seven of diamonds?",
    )


def test_how_it_ended_is_said_at_every_level() -> None:
    advice = Advice(None, Reason.NOTHING_LEFT, verdict=Verdict.WON)
    for level in HintLevel:
        assert hint_texts(words("en"), TABLE, advice, level) == ("The patience has come out!",)
