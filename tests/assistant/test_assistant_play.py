"""Play in the terminal: a whole dialogue, saving and resuming, and every patience to its end or fifty moves."""

import re
from io import StringIO

import pytest
from rich.console import Console

from kibitz.assistant.play import Play, score_text
from kibitz.assistant.play_saved import Saved, load_saved, saved_file
from kibitz.assistant.session import SessionError
from kibitz.assistant.words import words
from kibitz.engine import Position, games, get_rules
from kibitz.engine.search import Limit

LIMIT = Limit(nodes=500, samples=4)


def dialogue(saved: Saved, lines: list[str], language: str = "en") -> tuple[Play, str]:
    out = StringIO()
    play = Play(words(language), saved, LIMIT, Console(file=out, width=120))
    waiting = iter(lines)
    play.run(lambda: next(waiting, None))
    return play, out.getvalue()


def test_a_dialogue_with_undo_hint_and_mistakes() -> None:
    saved = Saved(get_rules("klondike"), 3, ())
    play, out = dialogue(saved, ["m", "1", "u", "u", "r", "r", "T9-T9", "99", "h", "?", "q"])
    assert "Deal no. 3." in out
    assert "There is nothing to undo." in out
    assert "There is nothing to redo." in out
    assert "There is no such move: T9-T9." in out
    assert "There is no such move: 99." in out
    assert out.count("A move: its number") == 2
    assert "The game is saved" in out
    assert [str(turn.move) for turn in play.game.turns] == ["T1-F1"]


def test_moves_by_notation_and_cards_in_russian() -> None:
    _, out = dialogue(Saved(get_rules("klondike"), 3, ()), ["t1-f1"], "ru")
    assert "Положите туза бубён в базовый ряд." in out
    assert "Т♦" in out


@pytest.mark.parametrize("language", ["en", "ru"])
def test_commands_are_known_by_letter_and_by_word(language: str) -> None:
    said = words(language)
    for name in ("table", "hint", "undo", "redo", "moves", "save", "help"):
        for word in said.text(f"play-words-{name}").split():
            _, out = dialogue(Saved(get_rules("eleven-points"), 3, ()), [word.upper(), "q"], language)
            assert said.text("play-bad-move", text=word.upper()).split(":")[0] not in out, (
                f"{word} was taken for a move"
            )
    for word in said.text("play-words-quit").split():
        _, out = dialogue(Saved(get_rules("eleven-points"), 3, ()), [word, "never read"], language)
        assert "never read" not in out


def test_an_empty_line_shows_the_table_again() -> None:
    _, out = dialogue(Saved(get_rules("klondike"), 3, ()), ["", "q"])
    assert out.count("column 7") == 2


@pytest.mark.parametrize("line", ["0", "-1", "1.5", "²", "٣", "9" * 5000, "T1-F1-F2", "draw draw", "[red]", "#", "–"])
def test_a_line_that_is_no_move_is_repeated_and_nothing_happens(line: str) -> None:
    play, out = dialogue(Saved(get_rules("klondike"), 3, ()), [line, "q"])
    assert "There is no such move: " + line[:20] in out.replace("\n", "")
    assert play.game.turns == []


def test_a_move_may_be_given_by_its_word_where_that_is_enough() -> None:
    play, _ = dialogue(Saved(get_rules("klondike"), 3, ()), ["draw", "DRAW", "move", "q"])
    assert [str(turn.move) for turn in play.game.turns] == ["draw S-W*3"] * 2, (
        "there are several moves from pile to pile"
    )


def test_a_lost_game_says_so_and_may_be_taken_back() -> None:
    rules = get_rules("eleven-points", courts="trio", places=7)
    seed = next(seed for seed in range(100) if not rules.legal_moves(rules.deal(seed)))
    play, out = dialogue(Saved(rules, seed, ()), ["u", "q"])
    assert "No move is left: the patience has not come out." in out
    assert "Take moves back with u" in out
    assert "There is nothing to undo." in out
    assert "Cards dealt: 7 of 52." in out
    assert not play.game.turns


def test_a_run_through_the_stock_without_a_move_is_told() -> None:
    rules = get_rules("klondike", turnovers=0, auto_aces=False)
    seed = next(seed for seed in range(2000) if rules.is_lost(rules.deal(seed)))
    _, out = dialogue(Saved(rules, seed, ()), ["q"])
    assert "Only moves in a circle are left" not in out, "hidden cards may still help the player"
    _, out = dialogue(Saved(rules, seed, ()), ["draw"] * 8)
    assert "No move is left" in out


def test_a_won_game_ends_by_itself() -> None:
    _, out = dialogue(Saved(get_rules("eleven-points"), 2, ()), ["1"] * 60)
    assert "The patience has come out!" in out
    assert out.rstrip().endswith("Cards dealt: 52 of 52.")
    assert "saved" not in out


@pytest.mark.parametrize(
    ("text", "english", "russian"),
    [
        ("canfield; base: 5; foundations: 5H6H/5D/-/-", "on the foundations: 3 of 52", "на базовых стопках: 3 из 52"),
        ("walter; bases: AC2C/2D/-/-", "in the base piles: 3 of 52", "в базовых стопках: 3 из 52"),
        ("mrs-mop; aside: KSQSJSTS9S8S7S6S5S4S3S2SAS", "taken off: 13 of 104", "Убрано карт: 13 из 104"),
    ],
)
def test_the_score_is_what_the_text_counts(text: str, english: str, russian: str) -> None:
    assert english in score_text(words("en"), Position.parse(text))
    assert russian in score_text(words("ru"), Position.parse(text))


def test_walters_hints_teach_the_sum() -> None:
    out = StringIO()
    play = Play(words("en"), Saved(get_rules("walter"), 5, ("T9-B4",)), LIMIT, Console(file=out, width=200))
    asked = 0

    def ask() -> str | None:
        """Asks for a hint and follows it, in turn."""
        nonlocal asked
        asked += 1
        hinted = re.findall(r"\[([^]]+)\]$", out.getvalue(), re.M)
        return None if asked > 24 else "h" if asked % 2 else hinted[-1]

    play.run(ask)
    sums = re.findall(r"on pile (\d): (\d+) \+ (\d) = (\d+): ", out.getvalue())
    assert sums, "some hint leads to a base pile that was begun"
    for pile, top, step, total in sums:
        assert step == pile
        assert int(top) + int(step) == int(total)


def test_the_moves_of_walter_tell_the_sum() -> None:
    _, out = dialogue(Saved(get_rules("walter"), 5, ("T9-B4",)), ["m", "q"])
    assert "Put the eight of diamonds on pile 4: 4 + 4 = 8: an eight." in out
    _, out = dialogue(Saved(get_rules("walter"), 5, ("T9-B4",)), ["m", "q"], "ru")
    assert "Положите восьмёрку бубён на четвёртую стопку: 4 + 4 = 8: восьмёрка." in out


def test_an_interrupted_game_is_saved() -> None:
    lines = iter(["1"])

    def ask() -> str:
        line = next(lines, None)
        if line is None:
            raise KeyboardInterrupt
        return line

    play = Play(words("en"), Saved(get_rules("klondike"), 3, ()), LIMIT, Console(file=StringIO()))
    with pytest.raises(KeyboardInterrupt):
        play.run(ask)
    saved = load_saved(get_rules("klondike"))
    assert saved is not None
    assert saved.moves == ("T1-F1",)


def test_a_saved_game_goes_on_where_it_was() -> None:
    first, _ = dialogue(Saved(get_rules("klondike"), 3, ()), ["1", "draw S-W*3", "q"])
    saved = load_saved(get_rules("klondike"))
    assert saved is not None
    assert load_saved(get_rules("klondike-common")) is None, "each preset has its own"
    assert load_saved(get_rules("klondike", draw=1)) is None, "and each choice of options"
    assert saved_file(get_rules("klondike", draw=1)).name == "play-klondike-draw=1.json"
    assert saved.moves == ("T1-F1", "draw S-W*3")
    assert saved.game().view == first.game.view
    assert saved.game().truth == first.game.truth


def test_a_redeal_is_the_same_after_resuming() -> None:
    rules = get_rules("walter", redeal_when="any")
    play, _ = dialogue(Saved(rules, 1, ()), ["redeal", "q"])
    assert play.game.view.attempt == 2
    saved = load_saved(rules)
    assert saved is not None
    assert saved.game().view == play.game.view


def test_a_damaged_saved_game_is_told() -> None:
    rules = get_rules("klondike")
    path = saved_file(rules)
    path.parent.mkdir(parents=True)
    whole = '{"game": "klondike", "options": {}, "seed": 1, "moves": []}'
    for text in (
        "",
        "{}",
        "[" * 9999,
        whole.replace("klondike", "poker"),
        whole.replace("[]", '["T1-T1"]'),
        whole[:-3],
    ):
        path.write_text(text)
        with pytest.raises(SessionError, match="remove the file"):
            load_saved(rules)
    path.write_text(whole)
    assert load_saved(rules) == Saved(rules, 1, ())
    assert load_saved(get_rules("walter")) is None


@pytest.mark.parametrize("name", games())
def test_every_patience_can_be_played(name: str) -> None:
    play, out = dialogue(Saved(get_rules(name), 2, ()), ["1"] * 25 + ["q"])
    assert out.rstrip().endswith(score_text(words("en"), play.game.view))
    assert len(play.game.turns) >= 5
