"""Positions as JSON values of the format `kibitz/1`."""

from __future__ import annotations

from typing import Any

from kibitz.engine.cards import PileCard, parse_pile
from kibitz.engine.errors import NotationError
from kibitz.engine.notation.text import seat
from kibitz.engine.options import OptionValue
from kibitz.engine.piles import SINGLE_PILES, PileId, PileKind
from kibitz.engine.position import Position

__all__ = ["FORMAT", "from_json", "to_json"]

FORMAT = "kibitz/1"
_COUNTERS = {"turnovers": (int, 0, 9999), "attempt": (int, 1, 9999), "base_rank": (int, 1, 13)}
_REMARKS = frozenset({"deal", "note"})
"""Keys that other programs may add; they are not read."""


def to_json(position: Position) -> dict[str, Any]:
    """Return the position as a JSON value."""
    value: dict[str, Any] = {"format": FORMAT, "game": position.game, "options": dict(position.options)}
    for kind, piles in position.piles.items():
        texts = [[str(card) for card in pile] for pile in piles]
        if kind in SINGLE_PILES:
            if texts[0]:
                value[kind.value] = texts[0]
        elif texts:
            value[kind.value] = texts
    value["turnovers"] = position.turnovers
    value["attempt"] = position.attempt
    if position.base_rank is not None:
        value["base_rank"] = position.base_rank
    if position.waste_dead:
        value["waste_dead"] = True
    return value


def from_json(data: object) -> Position:
    """Return the position from a JSON value.

    Raises:
        NotationError: The value is no such position.
        UnknownGameError: Its patience is not known.
        OptionError: Its options are not those of the patience.
    """
    from kibitz.engine.registry import get_rules

    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise NotationError(f'an object with "format": "{FORMAT}"', data)
    allowed = {"format", "game", "options", "waste_dead", *PileKind, *_COUNTERS, *_REMARKS}
    if unknown := [key for key in data if key not in allowed]:
        raise NotationError(f"keys among {', '.join(sorted(allowed))}", unknown[0])
    if not isinstance(data.get("game"), str):
        raise NotationError("the name of a patience", data.get("game"), "game")
    rules = get_rules(data["game"], **_options(data.get("options", {})))
    piles: dict[PileId, tuple[PileCard, ...]] = {}
    for kind in PileKind:
        if kind in data:
            piles.update(_piles(kind, data[kind]))
    counters: dict[str, int | None] = {}
    for name, (_, least, most) in _COUNTERS.items():
        value = data.get(name)
        if name in data and not (name == "base_rank" and value is None):
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise NotationError(f"a number from {least} to {most}", value, name)
            counters[name] = value
    if "waste_dead" in data:
        if not isinstance(data["waste_dead"], bool):
            raise NotationError("true or false", data["waste_dead"], "waste_dead")
        counters["waste_dead"] = data["waste_dead"]
    return seat(rules, piles, counters)


def _options(value: object) -> dict[str, OptionValue]:
    if not isinstance(value, dict):
        raise NotationError("an object of options", value, "options")
    for name, setting in value.items():
        if not isinstance(name, str) or not (setting is None or isinstance(setting, (bool, int, str))):
            raise NotationError("options with true, false, null, a number or a word", {name: setting}, "options")
    return value


def _piles(kind: PileKind, value: object) -> dict[PileId, tuple[PileCard, ...]]:
    several = [value] if kind in SINGLE_PILES else value
    if not isinstance(several, list) or not all(isinstance(pile, list) for pile in several):
        expected = "a list of cards" if kind in SINGLE_PILES else "a list of piles, each a list of cards"
        raise NotationError(expected, value, kind.value)
    if len(several) > 99:
        raise NotationError("at most 99 piles", f"{len(several)}", kind.value)
    return {PileId.of(kind, index): parse_pile(pile, f"{kind} {index + 1}") for index, pile in enumerate(several)}
