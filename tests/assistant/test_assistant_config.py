"""Settings: unknown keys and wrong values are told, never ignored."""

from pathlib import Path

import pytest

from kibitz.assistant.config import ConfigError, Settings, load


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_defaults_hold() -> None:
    assert load() == Settings()


def test_a_whole_file(tmp_path: Path) -> None:
    lines = ['language = "ru"', 'game = "walter"', "camera = 1", "speak = false", "think_seconds = 2"]
    text = "\n".join([*lines, "[voices]", 'ru = "zle/ru"', "[options]", "attempts = 2"])
    settings = load(write(tmp_path, text))
    assert (settings.language, settings.game, settings.camera, settings.speak) == ("ru", "walter", "1", False)
    assert (settings.voices, settings.options, settings.think_seconds) == ({"ru": "zle/ru"}, {"attempts": 2}, 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('langage = "ru"', "unknown key 'langage'; known are language"),
        ('language = "de"', "language: expected one of en, ru, got 'de'"),
        ("language = 3", "language: expected str, got 3"),
        ("camera = true", "camera: expected str, got True"),
        ("think_seconds = 0", "think_seconds: expected seconds from 0 to 60, got 0"),
        ('voice = "loud"', "voice: expected one of auto, pyttsx3, command, none, got 'loud'"),
        ('[voices]\nde = "x"', "voices: expected one of en, ru, got 'de'"),
        ('hints = "never"', "hints: expected one of always, pause, asked, got 'never'"),
        ("voice_speed = 9", "voice_speed: expected a number from 0.5 to 2, got 9"),
        ("turn = 45", "turn: expected 0, 90, 180 or 270 degrees, got 45"),
        ('camera_size = "big"', "camera_size: expected WIDTHxHEIGHT such as 1920x1080, got 'big'"),
        ("not toml", "cannot be read"),
    ],
)
def test_wrong_files_are_told(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(write(tmp_path, text))
    assert told in str(error.value)


def test_a_file_that_was_named_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist"):
        load(tmp_path / "none.toml")
