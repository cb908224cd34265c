"""The loop on made frames with a scripted follower: looks, hints, questions, commands, and things that break."""

import queue
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from assistant_tables import MIDGAME, lay
from live_fakes import FilmFrames, Listener, Notes, ScriptedFollower, first_legal, scene

from kibitz.assistant.following import CardQuestion, Difference, Outcome, OutcomeKind
from kibitz.assistant.live.board import PLAIN
from kibitz.assistant.live.coach import Coach, CoachOptions
from kibitz.assistant.live.commands import Vocabulary
from kibitz.assistant.live.game import GameTalk
from kibitz.assistant.live.hints import HintMode
from kibitz.assistant.live.jobs import AtOnceThinker, AtOnceWorker
from kibitz.assistant.live.loop import Watch
from kibitz.assistant.live.onlooker import Onlooker
from kibitz.assistant.live.painting import Display
from kibitz.assistant.live.parts import Parts
from kibitz.assistant.live.stillness import Stillness
from kibitz.assistant.live.talker import Talker, TextOutlets
from kibitz.assistant.live.telling import seen_texts
from kibitz.assistant.voice import Manner
from kibitz.assistant.window import NoScreen
from kibitz.assistant.words import words
from kibitz.engine import Card, KibitzError, Move, PileCard, PileId, Position, get_rules
from kibitz.engine.moves import MoveKind
from kibitz.engine.piles import Slot
from kibitz.vision.camera import SourceEvent

TABLE = Position.parse(MIDGAME)
RULES = get_rules("klondike")
MOVE = RULES.legal_moves(TABLE)[0]
AFTER = RULES.apply(TABLE, MOVE)
STILL = (scene(60), 40)
HAND = (scene(60, hand=True), 5)
OTHER = (scene(300), 40)


@dataclass
class Run:
    """A watch that has come to its end."""

    watch: Watch
    told: list[str]
    voice: Listener
    notes: Notes
    follower: ScriptedFollower
    screen: Any
    frames: FilmFrames


def run(
    outcomes: list[Outcome],
    *parts: tuple[Any, int],
    lines: tuple[tuple[int, str], ...] = (),
    language: str = "en",
    screen: Any = None,
    reader: Any = None,
    options: CoachOptions | None = None,
    reopen: Callable[[], Any] = lambda: None,
    events: queue.SimpleQueue[Any] | None = None,
    ahead: bool = False,
) -> Run:
    """Runs the loop over a made film; a typed line comes at the number of a frame."""
    speech, told, voice, notes = words(language), [], Listener(), Notes()
    screen = screen or NoScreen(size=(800, 600))
    follower = ScriptedFollower(list(outcomes))
    display = Display(speech, RULES, screen, AtOnceWorker(), reopen)
    talker = Talker(speech, voice, TextOutlets(told.append, display), Manner())
    game = GameTalk(speech, RULES, follower, talker, notes)
    onlooker = Onlooker(reader or lay(TABLE).reader(), RULES, follower, Stillness(0.5))
    coach = Coach(speech, AtOnceThinker(first_legal(), 1), options or CoachOptions(mode=HintMode.ASKED))
    frames = FilmFrames(*parts)

    class Script:
        """Lines that are typed when their frame has come."""

        def __init__(self) -> None:
            self.waiting = list(lines)

        def get(self) -> str | None:
            if self.waiting and frames.now() >= 0.05 * self.waiting[0][0]:
                return self.waiting.pop(0)[1]
            return None

    made = Parts(
        onlooker,
        coach,
        talker,
        game,
        display,
        AtOnceWorker(),
        Vocabulary(speech),
        Script(),
        events or queue.SimpleQueue(),
        ahead,
    )
    watch = Watch(made)
    watch.run(frames)
    return Run(watch, told, voice, notes, follower, screen, frames)


STARTED = Outcome(OutcomeKind.STARTED, TABLE)
UNCHANGED = Outcome(OutcomeKind.UNCHANGED, TABLE)
FOLLOWED = Outcome(OutcomeKind.FOLLOWED, AFTER, (MOVE,))


def test_a_game_is_started_followed_and_advised() -> None:
    done = run([STARTED, FOLLOWED], STILL, HAND, OTHER, options=CoachOptions(), language="ru")
    assert done.watch.looks == 2
    assert [look.outcome.kind for look in done.notes.looks] == ["started", "followed"]
    assert done.told[0] == "Вижу весь стол: Клондайк."
    assert len(done.notes.hints) == 2
    assert done.told[1] == "Сколько закрытых карт в седьмом столбце?"
    assert done.told[2].startswith(("Переложите", "Положите", "Откройте"))
    assert done.voice.texts[2] == " ".join(done.told[2:4])
    assert done.frames.locked == 1


def test_the_end_of_a_film_is_still_looked_at() -> None:
    done = run([STARTED], (scene(60), 3), options=CoachOptions())
    assert done.watch.looks == 1
    assert len(done.notes.hints) == 1


def test_hints_at_a_typed_word_and_never_by_themselves() -> None:
    done = run([STARTED], STILL, lines=((2, "hint"), (30, "hint"), (32, "repeat")))
    assert done.told[0] == "The table has not been read yet."
    assert done.told[1] == "I see the whole table: Klondike."
    assert [hint.kind for hint in done.notes.hints] == ["note", "hint"]
    assert done.told[-1] == " ".join(done.notes.hints[1].texts)


def test_keys_of_the_window_do_the_same() -> None:
    screen = NoScreen("\0" * 20 + "h" + "lf" + "s" + "q", size=(800, 600))
    done = run([STARTED], (scene(60), 200), screen=screen)
    assert [hint.kind for hint in done.notes.hints] == ["hint"]
    assert done.told[-1] == "The voice is off."
    assert screen.filled
    assert not done.frames.ended


class Counting:
    """A reader that counts."""

    def __init__(self) -> None:
        self._reader, self.reads = lay(TABLE).reader(), 0
        self.look = self._reader.look

    def read(self, frame: Any, decks: Any) -> Any:
        self.reads += 1
        return self._reader.read(frame, decks)


def test_a_table_that_has_just_become_still_is_read_ahead_and_only_once() -> None:
    reader = Counting()
    done = run([STARTED, FOLLOWED], STILL, HAND, OTHER, reader=reader, ahead=True)
    assert [look.outcome.kind for look in done.notes.looks] == ["started", "followed"]
    assert reader.reads == 2


def test_what_was_read_ahead_before_a_hand_moved_on_does_not_count() -> None:
    reader = Counting()
    short = (scene(200), 7)  # still for 0.35 s, of 0.5 s that are needed
    done = run([STARTED, FOLLOWED], STILL, HAND, short, HAND, OTHER, reader=reader, ahead=True)
    assert reader.reads == 3
    assert len(done.notes.looks) == 2
    assert (done.notes.looks[1].seen.frame.picture == scene(300)).all()


def test_an_unsettled_table_is_looked_at_again_by_itself() -> None:
    unsettled = Outcome(OutcomeKind.UNSETTLED, TABLE)
    done = run([STARTED, unsettled, FOLLOWED], STILL, HAND, (scene(300), 80))
    assert [look.outcome.kind for look in done.notes.looks] == ["started", "unsettled", "followed"]
    assert done.notes.looks[2].at - done.notes.looks[1].at == pytest.approx(0.8, abs=0.1)


def test_commands_about_the_game_reach_the_follower() -> None:
    lines = ((30, "take"), (32, "undo"), (34, "t3.2=QH"), (36, "9"), (38, "nonsense"))
    done = run([STARTED], (scene(60), 60), lines=lines)
    assert done.follower.told == ["take", "undo", "T3.2=QH"]
    assert [command.wish for command in done.notes.commands] == ["take", "undo", "correct"]
    assert done.told[-2:] == ["There is no question to answer.", "I do not know the word nonsense. Type help."]


def test_the_whole_table_in_words() -> None:
    done = run([STARTED], STILL, lines=((30, "table"),), language="ru")
    table = done.told[1:]
    assert "Открытая стопка: сверху валет бубён, всего 6 карт." in table
    assert "Первый столбец: пусто." in table
    assert "Четвёртый столбец: 3 закрытые, десятка бубён, девятка пик, восьмёрка бубён." in table
    assert "Седьмой столбец: 5 закрытых, валет пик, десятка червей." in table


ILLEGAL = Outcome(
    OutcomeKind.ILLEGAL,
    TABLE,
    (Move(MoveKind.MOVE, PileId.parse("T6"), PileId.parse("T3"), cards=(Card.parse("9C"),), onto=Card.parse("QH")),),
    put_back=(Move(MoveKind.MOVE, PileId.parse("T3"), PileId.parse("T6"), cards=(Card.parse("9C"),)),),
)
OUT_OF_STEP = Outcome(
    OutcomeKind.OUT_OF_STEP,
    TABLE,
    differences=(
        Difference(PileId.parse("T3"), PileCard.parse("7C"), PileCard.parse("QH")),
        Difference(PileId.parse("T6"), None, PileCard.parse("9C")),
    ),
)


def test_an_illegal_move_is_named_and_hints_are_held_until_it_is_put_back() -> None:
    asked = ((62, "hint"), (130, "hint"))
    done = run([STARTED, ILLEGAL, UNCHANGED], STILL, HAND, OTHER, HAND, STILL, lines=asked)
    assert done.told[2:6] == [
        "Against the rules: the nine of clubs may not go onto the queen of hearts.",
        "Put the nine of clubs back on column 6.",
        "Put it right, or press T to take the table as it is.",
        "I cannot advise: the table and my picture of it differ.",
    ]
    assert [hint.kind for hint in done.notes.hints] == ["note", "hint"]


def test_an_illegal_move_in_russian() -> None:
    done = run([STARTED, ILLEGAL], STILL, HAND, OTHER, language="ru")
    assert done.told[2:4] == [
        "Так ходить нельзя: девятку треф не кладут на даму червей.",
        "Верните девятку треф в шестой столбец.",
    ]


def test_out_of_step_says_what_differs_in_russian_and_the_piles_are_marked() -> None:
    done = run([STARTED, OUT_OF_STEP], STILL, HAND, OTHER, language="ru")
    assert done.told[2:] == [
        "Стол не такой, как я ожидал.",
        "В третьем столбце вижу семёрку треф, а должно быть: дама червей.",
        "В шестом столбце вижу: пусто, а должно быть: девятка треф.",
        "Поправьте его или нажмите T, чтобы принять стол как есть.",
    ]
    assert (done.screen.shown[20:300, 520:790] == PLAIN.wrong).all(axis=2).mean() > 0.002


def test_a_question_is_asked_and_answered_by_its_number() -> None:
    question = Outcome(
        OutcomeKind.QUESTION, TABLE, question=CardQuestion(Slot.parse("T6.1"), (Card.parse("9C"), Card.parse("9S")))
    )
    done = run([STARTED, question], STILL, HAND, OTHER, lines=((62, "2"), (64, "7")))
    assert done.told[2] == "In column 6 a card could not be read. Is it the nine of clubs or the nine of spades?"
    assert done.follower.told == ["answer 9S"]


@pytest.mark.parametrize(
    ("language", "seen"),
    [
        ("en", ("Seen: the queen of hearts onto the king of clubs.", "Now in sight: nine of diamonds.")),
        ("ru", ("Вижу: дама червей на короля треф.", "Теперь видно: девятка бубён.")),
    ],
)
def test_moves_are_said_to_whoever_plays_without_a_window(language: str, seen: tuple[str, ...]) -> None:
    before = Position.parse("klondike; tableau: ##QH/KC/-/-/-/-/-")
    move = RULES.find_move(before, "T1-T2")
    after = Position.parse("klondike; tableau: 9D/KCQH/-/-/-/-/-")
    assert seen_texts(words(language), before, Outcome(OutcomeKind.FOLLOWED, after, (move,))) == seen


def test_many_moves_at_once_are_counted() -> None:
    moves = (MOVE,) * 5
    assert seen_texts(words("ru"), TABLE, Outcome(OutcomeKind.FOLLOWED, TABLE, moves)) == ("Вижу 5 ходов.",)


def test_a_camera_that_stands_badly_is_told_what_to_change_until_it_is_right() -> None:
    table = lay(TABLE)
    table.cards = []
    done = run([STARTED], (scene(60), 120), reader=table.reader())
    assert done.watch.looks >= 2
    assert done.notes.looks == []
    assert done.told[0] == "No card can be seen in the picture. Point the camera at the table and give it more light."
    assert len(set(done.told)) == len(done.told)
    assert done.frames.locked == 0


def test_the_camera_is_unplugged_and_back() -> None:
    events: queue.SimpleQueue[Any] = queue.SimpleQueue()
    events.put((SourceEvent.LOST, "0"))
    events.put((SourceEvent.BACK, "0"))
    events.put((SourceEvent.SKIPPED, "bad.png"))
    done = run([STARTED], STILL, events=events)
    assert done.told[:3] == [
        "The picture from 0 was lost. I keep trying.",
        "The picture from 0 is back.",
        "The picture bad.png cannot be read; it is left out.",
    ]
    assert done.watch.looks == 1


class Dying(NoScreen):
    """A screen that is taken away after so many pictures."""

    def __init__(self, left: int) -> None:
        super().__init__(size=(800, 600))
        self.left = left

    def show(self, picture: Any) -> None:
        super().show(picture)
        self.left -= 1
        self.alive = self.left > 0


def test_the_screen_goes_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.assistant.live.painting.REOPEN_SECONDS", 0.0)
    second = NoScreen(size=(800, 600))
    offers = iter([None, second])
    done = run([STARTED], STILL, screen=Dying(5), reopen=lambda: next(offers, None))
    assert [text for text in done.told if "window" in text] == [
        "The window is gone. I go on with voice and text.",
        "The window is back.",
    ]
    assert done.watch.looks == 1
    assert second.shown is not None


def test_a_reading_that_fails_is_told_and_the_loop_goes_on() -> None:
    class Broken:
        def read(self, frame: Any, decks: Any) -> Any:
            raise KibitzError("the networks are gone")

    done = run([STARTED], STILL, reader=Broken())
    assert done.told == ["Something went wrong: the networks are gone"]
    assert done.frames.ended


def test_a_fault_of_the_program_does_not_end_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    class Faulty:
        def __init__(self) -> None:
            self._reader, self.reads = lay(TABLE).reader(), 0
            self.look = self._reader.look

        def read(self, frame: Any, decks: Any) -> Any:
            self.reads += 1
            if self.reads == 1:
                raise ZeroDivisionError("a fault")
            return self._reader.read(frame, decks)

    done = run([STARTED], STILL, HAND, OTHER, reader=Faulty())
    assert done.told[:2] == ["Something went wrong: a fault", "I see the whole table: Klondike."]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_the_camera_is_asked_for_few_pictures_while_nothing_moves() -> None:
    done = run([STARTED], (scene(60), 100), HAND, OTHER)
    assert done.frames.rates[20] == 15
    assert done.frames.rates[95] == 6
    assert done.frames.rates[110] == 15


def test_the_window_shows_the_table_beside_the_picture() -> None:
    done = run([STARTED], STILL, options=CoachOptions())
    picture = done.screen.shown
    assert picture.shape == (600, 800, 3)
    side = picture[20:300, 520:790]
    assert (side == (52, 74, 38)).all(axis=2).mean() > 0.3  # the drawn table's felt
    assert (picture[10:300, 60:440] == (60, 95, 40)).all(axis=2).mean() > 0.3  # the live table's
