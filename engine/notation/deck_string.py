"""Whole Klondike deals as the digits that MinimalKlondike, Klondike-Solver and pyksolve use.

Each card is three digits: rank 01 to 13, then suit 1 C, 2 D, 3 H, 4 S; row by row as dealt, then the stock in the order
in which it is turned.
"""

from __future__ import annotations

from kibitz.engine.cards import KING, Card
from kibitz.engine.errors import NotationError
from kibitz.engine.options import OptionValue
from kibitz.engine.position import Position
from kibitz.engine.registry import get_rules, rules_of

__all__ = ["from_deck_string", "is_deck_string", "to_deck_string"]

_LENGTH = 52 * 3


def is_deck_string(text: str) -> bool:
    """Tell whether the text is meant to be such a deal."""
    return text.isascii() and text.isdigit() and len(text) == _LENGTH


def from_deck_string(text: str, game: str = "klondike", **options: OptionValue) -> Position:
    """Return the deal written so.

    Raises:
        NotationError: The text is no such deal, or the patience is not Klondike.
        UnknownGameError: The patience is not known.
        OptionError: An option is not one of the patience.
    """
    rules = get_rules(game, **options)
    if rules.name != "klondike":
        raise NotationError("klondike or klondike-common for a deck string", game)
    if not isinstance(text, str) or not is_deck_string(text):
        raise NotationError(f"{_LENGTH} digits, three for each of 52 cards", text)
    cards = []
    for place in range(0, _LENGTH, 3):
        rank, suit = int(text[place : place + 2]), int(text[place + 2])
        if not (1 <= rank <= KING and 1 <= suit <= 4):
            raise NotationError("a rank 01 to 13 and a suit 1 to 4", text[place : place + 3], f"card {place // 3 + 1}")
        card = Card.of((suit - 1) * KING + rank - 1)
        if card in cards:
            raise NotationError("every card once", f"{card} twice", f"card {place // 3 + 1}")
        cards.append(card)
    return rules.deal_cards(cards)


def to_deck_string(position: Position) -> str:
    """Return the digits of a Klondike deal.

    Raises:
        NotationError: The position is not a whole deal of Klondike with all cards known.
    """
    if position.game != "klondike" or position.unknown():
        raise NotationError("a Klondike deal with all cards known", str(position))
    columns = position.tableau
    pack = [columns[i][row] for row in range(7) for i in range(row, 7) if row < len(columns[i])]
    pack += reversed(position.stock)
    cards = [pile_card.card for pile_card in pack if pile_card.card is not None]
    if len(cards) != 52 or rules_of(position).deal_cards(cards) != position:
        raise NotationError("a deal before the first move", str(position))
    return "".join(f"{card.rank:02}{card.suit + 1}" for card in cards)
