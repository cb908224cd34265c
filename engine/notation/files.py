"""Reads a position from a file's content in any of the formats: ours, Solvitaire's, pyksolve's, PySol's."""

from __future__ import annotations

import json

from kibitz.engine.errors import NotationError
from kibitz.engine.notation import text as native
from kibitz.engine.notation.deck_string import from_deck_string, is_deck_string
from kibitz.engine.notation.pysol import from_pysol, is_pysol
from kibitz.engine.notation.solvitaire import from_solvitaire, is_solvitaire
from kibitz.engine.options import OptionValue
from kibitz.engine.position import Position
from kibitz.engine.registry import get_rules, presets
from kibitz.engine.rules import Rules

__all__ = ["MOST_BYTES", "read_position"]

MOST_BYTES = 100_000
"""Larger files hold no position."""


def read_position(content: str | bytes, game: str | None = None, **options: OptionValue) -> Position:
    """Return the position in a file's content.

    Args:
        content: The content, as text or as UTF-8.
        game: The patience or preset. Needed where the format names none and it cannot be told; where the format
            names one, it must be the same patience, and its options then replace those of the file.
        options: Rule options to set.

    Raises:
        NotationError: The content is no position, or one of another patience.
        UnknownGameError: The patience is not known.
        OptionError: An option is not one of the patience.
    """
    text = _decoded(content)
    if not text.strip():
        raise NotationError("a position", "an empty file")
    if text.lstrip().startswith(("{", "[")):
        data = _json(text)
        if is_solvitaire(data):
            return from_solvitaire(data, game, **options)
        return _under(Position.from_json(data), game, options)
    if is_deck_string(text.strip()):
        return from_deck_string(text.strip(), game or "klondike", **options)
    if is_pysol(text):
        return from_pysol(text, game or "klondike", **options)
    return _under(native.parse(text), game, options)


def _decoded(content: str | bytes) -> str:
    if len(content) > MOST_BYTES:
        raise NotationError(f"a file of at most {MOST_BYTES} bytes", f"{len(content)} bytes")
    if isinstance(content, str):
        return content
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(
            "text in UTF-8", content[error.start : error.start + 8], f"byte {error.start + 1}"
        ) from error


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError("complete JSON", text[:40], str(error)[:80]) from error


def _under(position: Position, game: str | None, options: dict[str, OptionValue]) -> Position:
    """Return the position under other options of the same patience."""
    if game is None and not options:
        return position
    rules: Rules = get_rules(game or position.game, **options)
    if rules.name != position.game:
        raise NotationError(f"a position of {rules.name}", f"one of {position.game}")
    base = dict(position.options)
    if game is not None and game != position.game:
        base = dict(presets()[game][1])
    rules = get_rules(position.game, **{**base, **options})
    piles = {name: pile for name, pile in position.all_piles() if pile}
    counters = {
        "turnovers": position.turnovers,
        "attempt": position.attempt,
        "base_rank": position.base_rank,
        "waste_dead": position.waste_dead,
    }
    return native.seat(rules, piles, counters)
