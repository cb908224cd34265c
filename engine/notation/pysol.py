"""Klondike layouts as PySol writes them, and the deals of its numbers (up to 32000 those of Microsoft's games).

A line `Talon: 9D TC …` in the order in which the stock is turned, then one line a column, `<3C>` face down.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from kibitz.engine.cards import KING, SUITS, Card, PileCard
from kibitz.engine.errors import NotationError, ValueRangeError
from kibitz.engine.options import OptionValue
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.registry import get_rules

__all__ = ["from_pysol", "is_pysol", "pysol_deal", "to_pysol"]

COLUMNS = 7
LAST_MICROSOFT_DEAL = 32_000
LAST_DEAL = 10**20
MOST_CHARACTERS = 2_000
_CARD = re.compile(r"(<?)(10|[A2-9TJQK])([CDHS])(>?)")
_SUIT_ORDER = "CSHD"


def is_pysol(text: str) -> bool:
    """Tell whether the text is meant to be such a layout."""
    return text.lstrip().startswith("Talon:")


def from_pysol(text: str, game: str = "klondike", **options: OptionValue) -> Position:
    """Return the Klondike layout written so.

    Raises:
        NotationError: The text is no such layout, or the patience is not Klondike.
        UnknownGameError: The patience is not known.
        OptionError: An option is not one of the patience.
    """
    rules = get_rules(game, **options)
    if rules.name != "klondike":
        raise NotationError("klondike or klondike-common for a PySol layout", game)
    if not isinstance(text, str) or len(text) > MOST_CHARACTERS or not is_pysol(text):
        raise NotationError("a layout starting with 'Talon:'", text)
    lines = text.strip().split("\n")
    if len(lines) != COLUMNS + 1:
        raise NotationError(f"a talon and {COLUMNS} columns", f"{len(lines) - 1} lines after the talon")
    talon = _cards(lines[0].partition(":")[2], "talon")
    piles: dict[PileId, Pile] = {
        PileId.of(PileKind.STOCK): tuple(pile_card.turned(False) for pile_card in reversed(talon))
    }
    for index, line in enumerate(lines[1:]):
        piles[PileId.of(PileKind.TABLEAU, index)] = _cards(line.removeprefix(":"), f"column {index + 1}")
    return rules.build(piles)


def _cards(text: str, where: str) -> Pile:
    cards = []
    for word in text.split():
        match = _CARD.fullmatch(word)
        if match is None or bool(match[1]) != bool(match[4]):
            raise NotationError("a card such as TS or (face down) <TS>", word, where)
        card = Card.parse(("T" if match[2] == "10" else match[2]) + match[3])
        cards.append(PileCard.of(card, not match[1]))
    return tuple(cards)


def to_pysol(position: Position) -> str:
    """Return a Klondike position without waste and foundations as such a layout.

    Raises:
        NotationError: The position is another one, or a card is not known.
    """
    if position.game != "klondike" or position.waste or any(position.foundations) or position.unknown():
        raise NotationError("a known Klondike position with empty waste and foundations", str(position))
    lines = ["Talon: " + " ".join(str(pile_card.card) for pile_card in reversed(position.stock))]
    for pile in position.tableau:
        lines.append(" ".join(str(card.card) if card.face_up else f"<{card.card}>" for card in pile))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def pysol_deal(number: int, game: str = "klondike", **options: OptionValue) -> Position:
    """Return the Klondike deal that has that number in PySol.

    Raises:
        ValueRangeError: PySol has no such deal.
        NotationError: The patience is not Klondike.
    """
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= LAST_DEAL:
        raise ValueRangeError(f"expected a PySol deal number from 1 to {LAST_DEAL}, got {number!r}")
    rules = get_rules(game, **options)
    if rules.name != "klondike":
        raise NotationError("klondike or klondike-common for a PySol deal number", game)
    cards = iter(_shuffled(number)[::-1])
    columns: list[list[PileCard]] = [[] for _ in range(COLUMNS)]
    for height in range(COLUMNS - 1, 0, -1):
        for column in range(height):
            columns[column].append(PileCard.of(next(cards), False))
    for column in range(COLUMNS):
        columns[column].append(PileCard.of(next(cards), True))
    piles: dict[PileId, Pile] = {
        PileId.of(PileKind.TABLEAU, index): tuple(pile) for index, pile in enumerate(reversed(columns))
    }
    piles[PileId.of(PileKind.STOCK)] = tuple(PileCard.of(card, False) for card in reversed(list(cards)))
    return rules.build(piles)


def _shuffled(number: int) -> list[Card]:
    suits = [SUITS.index(letter) for letter in _SUIT_ORDER]
    if number <= LAST_MICROSOFT_DEAL:
        pack = [Card.of(SUITS.index(letter) * KING + rank) for rank in range(KING) for letter in "CDHS"]
        below = _microsoft(number)
    else:
        pack = [Card.of(suit * KING + rank) for suit in suits for rank in range(KING)]
        twister = random.Random(number)

        def below(most: int) -> int:
            return int(twister.random() * most)

    for last in range(len(pack) - 1, 0, -1):
        other = below(last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    return pack


def _microsoft(seed: int) -> Callable[[int], int]:
    """Return the linear congruential generator of Microsoft's C library."""
    state = seed

    def below(most: int) -> int:
        nonlocal state
        state = (state * 214013 + 2531011) & 0x7FFFFFFF
        return (state >> 16) % most

    return below
