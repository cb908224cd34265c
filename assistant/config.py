"""Settings from `config.toml`; an unknown key is an error, so that a slip of the pen is not silently ignored."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from kibitz.assistant.words import LANGUAGES
from kibitz.engine.errors import KibitzError

VOICE_BACKENDS = ("auto", "pyttsx3", "command", "none")
HINTS = ("always", "pause", "asked")
HINT_LEVELS = ("there", "card", "move")


class ConfigError(KibitzError):
    """The settings file cannot be used; the message names the key and what it may be."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set in the file and, for one run, on the command line.

    Attributes:
        language: of texts and voice.
        game: name of the patience that is played.
        camera: number of a camera, an address, or a video file.
        speak: whether `watch` speaks.
        voice: which speech backend is used.
        voices: exact identifier of the voice for a language.
        options: rule options by name.
        still_seconds: how long the table must be still before it is read.
        think_seconds: how long a hint may be searched for.
        deck: name of the learned deck that is played with; empty for any ordinary deck.
        hints: when `watch` gives a hint by itself.
        hint_level: how much the first hint for a position tells.
        pause_seconds: with hints = "pause", after so long without a move.
        warn: whether `watch` says that a move loses.
        large: whether the window has large letters in high contrast.
        voice_speed: of the voice; 1 is the usual one.
        volume: of the voice, from 0 to 1.
        camera_size: width and height asked of the camera.
        mirror: whether left and right are swapped in the camera's picture.
        turn: degrees clockwise by which the camera's picture is turned.
    """

    language: str = "en"
    game: str = "klondike"
    camera: str = "0"
    speak: bool = True
    voice: str = "auto"
    voices: dict[str, str] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    still_seconds: float = 0.6
    think_seconds: float = 0.7
    deck: str = ""
    hints: str = "always"
    hint_level: str = "move"
    pause_seconds: float = 20.0
    warn: bool = False
    large: bool = False
    voice_speed: float = 1.0
    volume: float = 1.0
    camera_size: str = "1920x1080"
    mirror: bool = False
    turn: int = 0

    def __post_init__(self) -> None:
        _one_of("language", self.language, LANGUAGES)
        _one_of("voice", self.voice, VOICE_BACKENDS)
        for language in self.voices:
            _one_of("voices", language, LANGUAGES)
        for name in ("still_seconds", "think_seconds"):
            if not 0 < getattr(self, name) <= 60:
                raise ConfigError(f"{name}: expected seconds from 0 to 60, got {getattr(self, name)}")
        _one_of("hints", self.hints, HINTS)
        _one_of("hint_level", self.hint_level, HINT_LEVELS)
        for name, least, most in (("pause_seconds", 0, 3600), ("voice_speed", 0.5, 2), ("volume", 0, 1)):
            if not least <= getattr(self, name) <= most:
                raise ConfigError(f"{name}: expected a number from {least} to {most}, got {getattr(self, name)}")
        if self.turn not in (0, 90, 180, 270):
            raise ConfigError(f"turn: expected 0, 90, 180 or 270 degrees, got {self.turn}")
        pixels(self.camera_size)


def pixels(size: str) -> tuple[int, int]:
    """Width and height asked of a camera.

    Raises:
        ConfigError: the text is not WIDTHxHEIGHT.
    """
    width, sign, height = size.lower().partition("x")
    if not (sign and width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise ConfigError(f"camera_size: expected WIDTHxHEIGHT such as 1920x1080, got '{size}'")
    return int(width), int(height)


def _one_of(key: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ConfigError(f"{key}: expected one of {', '.join(allowed)}, got '{value}'")


_TYPES: dict[str, tuple[type, ...]] = {
    "language": (str,),
    "game": (str,),
    "camera": (str, int),
    "speak": (bool,),
    "voice": (str,),
    "voices": (dict,),
    "options": (dict,),
    "still_seconds": (int, float),
    "think_seconds": (int, float),
    "hints": (str,),
    "hint_level": (str,),
    "pause_seconds": (int, float),
    "warn": (bool,),
    "large": (bool,),
    "voice_speed": (int, float),
    "volume": (int, float),
    "camera_size": (str,),
    "mirror": (bool,),
    "turn": (int,),
    "deck": (str,),
}


def config_file() -> Path:
    """Where the settings are looked for; the environment variable KIBITZ_CONFIG names another file."""
    if given := os.environ.get("KIBITZ_CONFIG"):
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_config_path("kibitz", appauthor=False)) / "config.toml"


def data_folder() -> Path:
    """Where saved games are kept; the environment variable KIBITZ_DATA names another folder."""
    if given := os.environ.get("KIBITZ_DATA"):
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_data_path("kibitz", appauthor=False))


def load(path: Path | None = None) -> Settings:
    """The settings of a file, or the defaults when there is no file at the usual place.

    Args:
        path: a file that must exist; None looks at the usual place.

    Raises:
        ConfigError: the file is missing, is no TOML, or has an unknown key or a wrong value.
    """
    file = path or config_file()
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        if path is None:
            return Settings()
        raise ConfigError(f"the settings file {file} does not exist") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"the settings file {file} cannot be read: {error}") from error
    try:
        return from_table(data)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from error


def from_table(data: dict[str, Any]) -> Settings:
    """The settings of a parsed TOML table.

    Raises:
        ConfigError: an unknown key or a wrong value.
    """
    known = [item.name for item in fields(Settings)]
    for key, value in data.items():
        if key not in known:
            raise ConfigError(f"unknown key '{key}'; known are {', '.join(known)}")
        right = isinstance(value, _TYPES[key]) and (bool in _TYPES[key] or not isinstance(value, bool))
        if not right:
            raise ConfigError(f"{key}: expected {_TYPES[key][0].__name__}, got {value!r}")
    plain: dict[str, Any] = {key: str(value) if key == "camera" else value for key, value in data.items()}
    return replace(Settings(), **plain)
