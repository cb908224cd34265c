"""What every command starts with: settings, language, rules and the readers, made when they are asked for."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.assistant.config import Settings, data_folder, load
from kibitz.assistant.words import Words, words
from kibitz.engine.errors import KibitzError, OptionError

if TYPE_CHECKING:
    from kibitz.engine.options import OptionValue
    from kibitz.engine.rules import Rules
    from kibitz.engine.search.values import Limit
    from kibitz.vision.pipeline import Reader

Language = Annotated[
    str | None, typer.Option("--lang", metavar="en|ru", help="Language of texts and voice.", show_default=False)
]
RuleOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="A rule option; may be given several times."),
]
ConfigFile = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="A settings file (TOML).")]
Game = Annotated[str | None, typer.Option("--game", "-g", metavar="GAME", help="Which patience: see `kibitz games`.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout, nothing else.")]
Detector = Annotated[str, typer.Option("--detector", metavar="NAME", help="Detector backend: onnx or ultralytics.")]
Weights = Annotated[
    Path | None, typer.Option("--weights", metavar="FILE", help="Another index model for the detector (.onnx or .pt).")
]


Deck = Annotated[str | None, typer.Option("--deck", metavar="NAME", help="A deck learned with `kibitz enrol`.")]


class UsageError(KibitzError):
    """The command line cannot be carried out; exit status 2."""


@dataclass(frozen=True, slots=True)
class Context:
    """Settings of this run and the words of its language.

    Attributes:
        settings: of the file, with what the command line changes.
        overrides: rule options of the command line, still as text.
    """

    settings: Settings
    overrides: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> Words:
        return words(self.settings.language)

    def rules(self, game: str | None = None) -> Rules:
        """The rules of a patience under the options given; those of the settings file hold for its own game only.

        Raises:
            UnknownGameError: there is no such patience.
            OptionError: an option is not known or cannot have the value.
        """
        from kibitz.engine.registry import get_rules

        name = game or self.settings.game
        from_file = self.settings.options if name == self.settings.game else {}
        return get_rules(name, **{**from_file, **self.chosen(name)})

    def chosen(self, game: str) -> dict[str, OptionValue]:
        """The rule options of the command line, with their values.

        Raises:
            OptionError: an option is not known or cannot have the value.
        """
        from kibitz.engine.registry import get_rules

        plain = get_rules(game)
        declared = {option.name: option for option in plain.declared}
        chosen: dict[str, OptionValue] = {}
        for key, value in self.overrides.items():
            if key not in declared:
                known = ", ".join(declared) or "none"
                raise OptionError(f"{plain.name}: expected an option among {known}, got '{key}'")
            chosen[key] = declared[key].parse(value)
        return chosen

    def limit(self) -> Limit:
        """How long the adviser may think."""
        from kibitz.engine.search.values import Limit

        return Limit(seconds=self.settings.think_seconds)


def context(language: str | None, options: list[str] | None, config: Path | None) -> Context:
    """The context of a command from its common options.

    Raises:
        ConfigError: the settings file or a setting is wrong.
        UsageError: an option is not NAME=VALUE.
    """
    settings = load(config)
    if language is not None:
        settings = replace(settings, language=language)
    overrides: dict[str, str] = {}
    for text in options or ():
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise UsageError(f"expected --option NAME=VALUE, got '{text}'")
        overrides[name.strip()] = value.strip()
    return Context(settings, overrides)


def make_reader(
    detector: str = "onnx", weights: Path | None = None, deck: str | None = None, threads: int = 2
) -> Reader:
    """The reader with the shipped networks, or with another index model, and with a learned deck if one is named.

    Raises:
        KibitzError: a network is missing or cannot be loaded.
    """
    from kibitz.models.registry import model_paths
    from kibitz.vision.detectors import DetectorOptions
    from kibitz.vision.pipeline import Reader

    paths = model_paths()
    if weights is not None:
        paths = replace(paths, index=weights)
    if deck:
        paths = replace(paths, deck=deck_file(deck))
    return Reader(replace(paths, detector=detector), DetectorOptions(threads))


def deck_file(name: str) -> Path:
    """Where a learned deck is kept.

    Raises:
        UsageError: the name is none that a file can have.
    """
    if not re.fullmatch(r"[\w-]{1,40}", name):
        raise UsageError(f"expected a deck's name of letters, figures, - and _, at most 40, got '{name}'")
    return data_folder() / "decks" / f"{name}.npz"


def note(text: str) -> None:
    """A line for people on stderr, so that stdout stays clean."""
    print(text, file=sys.stderr, flush=True)
