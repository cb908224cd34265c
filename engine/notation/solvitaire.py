"""Positions of Klondike, Canfield and Mrs Mop in the JSON that the solver Solvitaire reads and writes.

Its lists start at the covered end. A lower-case suit means face down; the stock is written in upper case although it
lies face down. It names no patience and no rules, and knows no counters and no unknown cards (`##` is read all the
same, as some programs write it for hidden cards).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.engine.cards import KING, SUITS, Card, PileCard
from kibitz.engine.errors import NotationError
from kibitz.engine.options import OptionValue
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.registry import get_rules, presets
from kibitz.engine.rules import Rules

__all__ = ["from_solvitaire", "guess_game", "is_solvitaire", "to_solvitaire"]

GAMES = ("klondike", "canfield", "mrs-mop")
_NAMES = {1: "A", 11: "J", 12: "Q", 13: "K"}
_RANKS = {_NAMES.get(rank, str(rank)): rank for rank in range(1, KING + 1)} | {"T": 10, "1": 1}
_CARD = re.compile(r"([0-9]{1,2}|[ATJQKatjqk])([CDHScdhs])")
_COLUMNS = "tableau piles"
_KEYS = {_COLUMNS, "foundations", "foundation", "stock", "waste", "reserve", "cells", "hole", "sequences", "accordion"}
_BY_COLUMNS = {7: "klondike", 4: "canfield", 13: "mrs-mop"}
MOST_CARDS = 999


def is_solvitaire(data: object) -> bool:
    """Tell whether a JSON value is meant to be in this format."""
    return isinstance(data, dict) and _COLUMNS in data


def guess_game(data: Mapping[str, Any]) -> str:
    """Return the patience that has so many columns.

    Raises:
        NotationError: None of the three has.
    """
    columns = data.get(_COLUMNS)
    count = len(columns) if isinstance(columns, list) else 0
    if count not in _BY_COLUMNS:
        raise NotationError("7 columns (klondike), 4 (canfield) or 13 (mrs-mop)", f"{count} columns", _COLUMNS)
    return _BY_COLUMNS[count]


def from_solvitaire(data: object, game: str | None = None, **options: OptionValue) -> Position:
    """Return the position written so.

    Args:
        data: The JSON value.
        game: The patience or preset; guessed from the number of columns if not given.
        options: Rule options.

    Raises:
        NotationError: The value is no such position, or the patience cannot be written so.
        UnknownGameError: The patience is not known.
        OptionError: An option is not one of the patience.
    """
    if not isinstance(data, dict) or not is_solvitaire(data):
        raise NotationError(f'an object with "{_COLUMNS}"', data)
    rules = get_rules(game or guess_game(data), **options)
    if rules.name not in GAMES:
        names = ", ".join(name for name, (base, _) in presets().items() if base in GAMES)
        raise NotationError(f"one of {names} for this format", rules.name)
    for key in data:
        if key not in _KEYS or (data[key] and key in ("cells", "hole", "sequences", "accordion")):
            raise NotationError(f"only {_COLUMNS}, foundations, stock, waste, reserve", key)
    return rules.build(dict(_piles(rules, data)))


def _piles(rules: Rules, data: dict[str, Any]) -> Iterator[tuple[PileId, Pile]]:
    columns = data[_COLUMNS]
    expected = rules.shape[PileKind.TABLEAU]
    if not isinstance(columns, list) or len(columns) != expected:
        count = f"{len(columns)} columns" if isinstance(columns, list) else columns
        raise NotationError(f"{expected} columns", count, _COLUMNS)
    for index, column in enumerate(columns):
        yield PileId.of(PileKind.TABLEAU, index), _cards(column, f"{_COLUMNS} {index + 1}")
    for key, face_up in (("stock", False), ("waste", True), ("reserve", True)):
        cards = tuple(pile_card.turned(face_up) for pile_card in _cards(data.get(key, []), key))
        kind = PileKind(key)
        if cards and kind not in rules.shape:
            raise NotationError(f"no {key} in {rules.name}", f"{len(cards)} cards", key)
        if kind in rules.shape:
            yield PileId.of(kind), cards
    yield from _ready(rules, data)


def _ready(rules: Rules, data: dict[str, Any]) -> Iterator[tuple[PileId, Pile]]:
    """Yield the foundations, or for Mrs Mop the runs that have left the table."""
    if "foundations" in data and "foundation" in data:
        raise NotationError("either foundations or foundation", "both")
    value = data.get("foundations", data.get("foundation", []))
    nested = isinstance(value, list) and any(isinstance(part, list) for part in value)
    lists = value if nested else [value]
    cards = [card for part in lists for card in _cards(part, "foundations") if card.card is not None]
    by_suit: dict[int, list[PileCard]] = {}
    for pile_card in cards:
        assert pile_card.card is not None
        by_suit.setdefault(pile_card.card.suit, []).append(pile_card.turned(True))
    if PileKind.FOUNDATIONS in rules.shape:
        for index, pile in enumerate(by_suit.values()):
            yield PileId.of(PileKind.FOUNDATIONS, index), tuple(pile)
        return
    runs = []
    for pile in by_suit.values():
        if len(pile) % KING:
            raise NotationError("whole suits on the foundations of mrs-mop", f"{len(pile)} cards of one suit")
        runs += [pile[i : i + KING] for i in range(0, len(pile), KING)]
    for index, run in enumerate(runs):
        ordered = sorted(run, key=lambda pile_card: -pile_card.code)
        yield PileId.of(PileKind.ASIDE, index), tuple(ordered)


def _cards(value: object, where: str) -> Pile:
    if not isinstance(value, list) or len(value) > MOST_CARDS:
        raise NotationError("a list of cards such as 10S or QC", value, where)
    return tuple(_card(text, where) for text in value)


def _card(text: object, where: str) -> PileCard:
    if text == "##":
        return PileCard.of(None, False)
    match = _CARD.fullmatch(text) if isinstance(text, str) else None
    rank = _RANKS.get(match[1].upper()) if match else None
    if match is None or rank is None:
        raise NotationError("a card such as 10S, AH or (face down) 10s", text, where)
    return PileCard.of(Card.of(SUITS.index(match[2].upper()) * KING + rank - 1), match[2].isupper())


def to_solvitaire(position: Position) -> dict[str, Any]:
    """Return the position as a JSON value of this format; counters and options are not part of it.

    Raises:
        NotationError: The patience cannot be written so, or a card is not known.
    """
    if position.game not in GAMES:
        raise NotationError(f"a position of {', '.join(GAMES)}", position.game)
    if unknown := position.unknown():
        raise NotationError("a position with all cards known", f"an unknown card at {unknown[0]}")
    value: dict[str, Any] = {_COLUMNS: [[_text(card) for card in pile] for pile in position.tableau]}
    ready = position.foundations or tuple(pile[::-1] for pile in position.aside)
    value["foundations"] = [_text(card) for pile in ready for card in pile]
    if position.game != "mrs-mop":
        value["stock"] = [_text(card.turned(True)) for card in position.stock]
        value["waste"] = [_text(card) for card in position.waste]
    if position.game == "canfield":
        value["reserve"] = [_text(card) for card in position.reserve]
    return value


def _text(pile_card: PileCard) -> str:
    card = pile_card.card
    assert card is not None
    text = _NAMES.get(card.rank, str(card.rank)) + card.suit.letter
    return text if pile_card.face_up else text.lower()
