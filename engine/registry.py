"""Finds the patiences by scanning `kibitz.engine.games`; nothing is listed by hand."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from kibitz.engine import games as games_package
from kibitz.engine.errors import UnknownGameError
from kibitz.engine.options import OptionValue
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules

__all__ = ["game_classes", "games", "get_rules", "preset_of", "presets", "rules_of"]


@cache
def game_classes() -> Mapping[str, type[Rules]]:
    """Return the class of every patience by its registered name, sorted."""
    found: dict[str, type[Rules]] = {}
    for info in pkgutil.iter_modules(games_package.__path__):
        module = importlib.import_module(f"{games_package.__name__}.{info.name}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Rules) and "name" in vars(value):
                found[value.name] = value
    return dict(sorted(found.items()))


@cache
def presets() -> Mapping[str, tuple[str, Mapping[str, OptionValue]]]:
    """Return every name that `get_rules` takes: the game's name and the options that the name stands for."""
    names: dict[str, tuple[str, Mapping[str, OptionValue]]] = {}
    for name, game in game_classes().items():
        names[name] = (name, {})
        names.update({preset: (name, options) for preset, options in game.presets.items()})
    return names


def games() -> tuple[str, ...]:
    """Return the names of all patiences and presets: everything that `get_rules` takes."""
    return tuple(presets())


def get_rules(name: str, **options: OptionValue) -> Rules:
    """Return the rules of a patience or preset under these options.

    The same arguments give the same object.

    Raises:
        UnknownGameError: There is no patience of that name.
        OptionError: An option does not exist or does not accept the value.
    """
    known = presets()
    if name not in known:
        raise UnknownGameError(f"expected a patience among {', '.join(known)}, got {str(name)[:40]!r}")
    game, preset = known[name]
    checked = game_classes()[game]({**preset, **options})
    return _rules(game, checked.changed)


@cache
def _rules(game: str, options: tuple[tuple[str, OptionValue], ...]) -> Rules:
    return game_classes()[game](dict(options))


def rules_of(position: Position) -> Rules:
    """Return the rules under which a position is played."""
    return get_rules(position.game, **dict(position.options))


def preset_of(rules: Rules) -> str | None:
    """Return the name under which these rules are registered, the game's or a preset's; None for other options."""
    for name in presets():
        if get_rules(name) is rules:
            return name
    return None
