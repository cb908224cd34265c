"""Play in the terminal: a whole dialogue, saving and resuming, and every patience to its end or fifty moves."""

from io import StringIO

import pytest
from rich.console import Console

from kibitz.assistant.play import Play, Saved, load_saved, saved_file
from kibitz.assistant.session import SessionError
from kibitz.assistant.words import words
from kibitz.engine import games, get_rules
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


def test_a_saved_game_goes_on_where_it_was() -> None:
    first, _ = dialogue(Saved(get_rules("klondike"), 3, ()), ["1", "draw S-W*3", "q"])
    saved = load_saved("klondike")
    assert saved is not None
    assert saved.moves == ("T1-F1", "draw S-W*3")
    assert saved.game().view == first.game.view
    assert saved.game().truth == first.game.truth


def test_a_redeal_is_the_same_after_resuming() -> None:
    rules = get_rules("walter", redeal_when="any")
    play, _ = dialogue(Saved(rules, 1, ()), ["redeal", "q"])
    saved = load_saved("walter")
    assert saved is not None
    assert saved.game().view == play.game.view


def test_a_damaged_saved_game_is_told() -> None:
    path = saved_file("klondike")
    path.parent.mkdir(parents=True)
    for text in ("", "{}", '{"game": "poker", "options": {}, "seed": 1, "moves": []}'):
        path.write_text(text)
        with pytest.raises(SessionError, match="remove the file"):
            load_saved("klondike")
    assert load_saved("walter") is None


@pytest.mark.parametrize("name", games())
def test_every_patience_can_be_played(name: str) -> None:
    _, out = dialogue(Saved(get_rules(name), 2, ()), ["1"] * 25 + ["q"])
    assert "Score: " in out
