"""Keys and typed words in both languages, cards as players write them, and lines from a terminal."""

import threading

import pytest

from kibitz.assistant.live.commands import WORDLESS, Command, Typed, Vocabulary, Wish
from kibitz.assistant.window import ESCAPE, key_text
from kibitz.assistant.words import words

ENGLISH, RUSSIAN = Vocabulary(words("en")), Vocabulary(words("ru"))


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("", Wish.HINT),
        ("Hint", Wish.HINT),
        ("quit", Wish.QUIT),
        ("take", Wish.TAKE),
        ("slower", Wish.SLOWER),
        ("?", Wish.HELP),
        ("dance", Wish.UNKNOWN),
        ("99=7H", Wish.UNKNOWN),
    ],
)
def test_typed_words(line: str, wish: Wish) -> None:
    assert ENGLISH.of_line(line + "\n").wish is wish


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("подсказка", Wish.HINT),
        ("Повтори", Wish.REPEAT),
        ("громче", Wish.LOUDER),
        ("стол", Wish.TABLE),
        ("u", Wish.UNDO),
    ],
)
def test_typed_words_in_russian(line: str, wish: Wish) -> None:
    assert RUSSIAN.of_line(line).wish is wish


def test_every_wish_has_the_same_key_in_both_languages() -> None:
    for key in "hrstuawblfq?,.-+=":
        assert ENGLISH.of_key(key) == RUSSIAN.of_key(key) is not None, key
    assert ENGLISH.of_key(" ") == Command(Wish.LOOK)
    assert ENGLISH.of_key(ESCAPE) == Command(Wish.QUIT)
    assert ENGLISH.of_key("3") == Command(Wish.ANSWER, "3")
    assert ENGLISH.of_key("") is None
    assert ENGLISH.of_key("ж") is None


@pytest.mark.parametrize("wish", [wish for wish in Wish if wish not in WORDLESS])
def test_english_words_hold_in_russian_too(wish: Wish) -> None:
    assert RUSSIAN.of_line(wish.value).wish is ENGLISH.of_line(wish.value).wish is wish


@pytest.mark.parametrize("text", ["7H", "7h", "7♥", "7ч"])
def test_a_card_is_an_answer(text: str) -> None:
    command = RUSSIAN.of_line(text)
    assert (command.wish, str(command.card)) == (Wish.ANSWER, "7H")


@pytest.mark.parametrize(("text", "card"), [("10D", "TD"), ("Д♠", "QS"), ("тк", "AC"), ("вб", "JD"), ("10п", "TS")])
def test_cards_as_players_write_them(text: str, card: str) -> None:
    assert str(RUSSIAN.of_line(text).card) == card


def test_a_correction_names_the_place() -> None:
    command = ENGLISH.of_line("t3.5 = 10H")
    assert (command.wish, str(command.slot), str(command.card)) == (Wish.CORRECT, "T3.5", "TH")


def test_keys_of_a_russian_keyboard_are_those_of_the_latin_one() -> None:
    """The codes are X11's names of р (on H), к (on R), й (on Q), and the letter itself on other systems."""
    assert [key_text(code) for code in (0x6D2, 0x6CB, 0x6CA, ord("р"), ord("H"))] == ["h", "r", "q", "h", "h"]
    assert key_text(27) == ESCAPE
    assert key_text(0xFFE1) == ""  # Shift alone


def test_typed_lines_wait_until_they_are_asked_for() -> None:
    came = threading.Event()
    typed = Typed(iter(["hint\n"]), came.set)
    assert came.wait(5)
    assert typed.get() == "hint\n"
    assert typed.get() is None
