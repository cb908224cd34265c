"""The text forms of a position: one line for logs, several lines for people; one reader for both.

One line: `klondike draw=1; turnovers: 2; stock: ####; foundations: AS2S/-/-/-; tableau: ##KH/-/…`. The readable form
has the same sections, one a line, with blanks between the cards and one line for each column.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kibitz.engine.cards import RANKS, PileCard, parse_pile
from kibitz.engine.errors import NotationError, OptionError
from kibitz.engine.options import OptionValue, option_text
from kibitz.engine.piles import SINGLE_PILES, Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules

__all__ = ["multiline", "one_line", "parse", "pile_text"]

MOST_CHARACTERS = 20_000
"""Longer texts are no positions (104 cards and every section need far less)."""
_SECTION = re.compile(r"\s*([a-z_]+)(?:[ ]+([1-9][0-9]?))?\s*:\s*(.*?)\s*", re.DOTALL)


def pile_text(pile: Pile, between: str = "") -> str:
    """Return the cards of a pile, `-` for none."""
    return between.join(map(str, pile)) or "-"


def _head(position: Position) -> str:
    return " ".join([position.game, *(f"{name}={option_text(value)}" for name, value in position.options)])


def _counters(position: Position) -> list[str]:
    lines = []
    if position.turnovers:
        lines.append(f"turnovers: {position.turnovers}")
    if position.attempt != 1:
        lines.append(f"attempt: {position.attempt}")
    if position.base_rank is not None:
        lines.append(f"base: {RANKS[position.base_rank - 1]}")
    if position.waste_dead:
        lines.append("waste_dead: true")
    return lines


def one_line(position: Position) -> str:
    """Return the position on one line."""
    parts = [_head(position), *_counters(position)]
    for kind, piles in position.piles.items():
        if any(piles) or (piles and kind not in SINGLE_PILES):
            parts.append(f"{kind}: {'/'.join(map(pile_text, piles))}")
    return "; ".join(parts)


def multiline(position: Position) -> str:
    """Return the position on several lines, columns one a line."""
    lines = [_head(position), *_counters(position)]
    for kind, piles in position.piles.items():
        texts = [pile_text(pile, " ") for pile in piles]
        if kind in (PileKind.TABLEAU, PileKind.BASES):
            lines += [f"{kind} {number}: {text}" for number, text in enumerate(texts, 1)]
        elif any(piles) or (piles and kind not in SINGLE_PILES):
            lines.append(f"{kind}: {' / '.join(texts)}")
    return "\n".join(lines) + "\n"


def parse(text: str) -> Position:
    """Return the position written in either form.

    Raises:
        NotationError: The text is no position.
        UnknownGameError: Its patience is not known.
        OptionError: Its options are not those of the patience.
    """
    if not isinstance(text, str):
        raise NotationError("the text of a position", text)
    if len(text) > MOST_CHARACTERS:
        raise NotationError(f"a position of at most {MOST_CHARACTERS} characters", f"{len(text)} characters")
    head, *sections = [part for part in re.split(r"[;\n]", text) if part.strip()] or [""]
    rules = _parse_head(head)
    piles: dict[PileId, tuple[PileCard, ...]] = {}
    counters: dict[str, int | None] = {}
    for section in sections:
        _parse_section(section, piles, counters)
    return seat(rules, piles, counters)


def seat(rules: Rules, piles: dict[PileId, Pile], counters: dict[str, int | None]) -> Position:
    """Build the position, with an error that names the piles that the patience has."""
    for name in piles:
        if name.kind is not PileKind.ASIDE and name.index >= rules.shape.get(name.kind, 0):
            shape = ", ".join(f"{count} {kind}" for kind, count in rules.shape.items())
            raise NotationError(f"the piles of {rules.name} ({shape})", f"{name.kind} {name.index + 1}")
    return rules.build(piles, **counters)


def _parse_head(text: str) -> Rules:
    from kibitz.engine.registry import get_rules

    words = text.split()
    if not words or ":" in text:
        raise NotationError("a position starting with its patience, such as klondike draw=1; tableau: …", text)
    rules = get_rules(words[0])
    known = {option.name: option for option in rules.declared}
    options: dict[str, OptionValue] = dict(rules.changed)
    for word in words[1:]:
        name, sign, value = word.partition("=")
        if not sign:
            raise NotationError("an option as name=value", word, rules.name)
        if name not in known:
            raise OptionError(f"{rules.name}: expected an option among {', '.join(known) or 'none'}, got {name[:40]!r}")
        options[name] = known[name].parse(value)
    return get_rules(rules.name, **options)


def _parse_section(section: str, piles: dict[PileId, Pile], counters: dict[str, int | None]) -> None:
    match = _SECTION.fullmatch(section)
    if match is None:
        raise NotationError("a section such as waste: 5D or tableau 3: ##KH", section.strip())
    name, number, value = match.groups()
    if name in _COUNTERS and number is None:
        field, counter = _COUNTERS[name](value)
        if field in counters:
            raise NotationError(f"{name} once", section.strip())
        counters[field] = counter
        return
    if name not in PileKind.__members__.values():
        raise NotationError(f"a section named {', '.join([*PileKind, *_COUNTERS])}", name)
    kind = PileKind(name)
    texts = value.split("/")
    first = int(number) - 1 if number else 0
    if kind in SINGLE_PILES and (len(texts) > 1 or first):
        raise NotationError(f"one {kind} pile", f"{first + len(texts)}")
    if first + len(texts) > 99:
        raise NotationError("at most 99 piles of a kind", f"{first + len(texts)}")
    for index, pile_cards in enumerate(texts, first):
        pile = PileId.of(kind, index)
        if pile in piles:
            raise NotationError(f"{kind} {index + 1} once", section.strip())
        piles[pile] = parse_pile(pile_cards, f"{kind} {index + 1}")


def _count(field: str, least: int) -> Callable[[str], tuple[str, int | None]]:
    def read(value: str) -> tuple[str, int | None]:
        if not re.fullmatch(r"[0-9]{1,4}", value) or int(value) < least:
            raise NotationError(f"{field} as a number from {least} on", value)
        return field, int(value)

    return read


def _base(value: str) -> tuple[str, int | None]:
    if len(value) != 1 or value not in RANKS:
        raise NotationError(f"base as a rank among {RANKS}", value)
    return "base_rank", RANKS.index(value) + 1


def _dead(value: str) -> tuple[str, int | None]:
    if value not in ("true", "false"):
        raise NotationError("waste_dead as true or false", value)
    return "waste_dead", value == "true"


_COUNTERS = {"turnovers": _count("turnovers", 0), "attempt": _count("attempt", 1), "base": _base, "waste_dead": _dead}
