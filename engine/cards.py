"""Playing cards, and cards as they lie in a pile: known or not, face up or face down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

from kibitz.engine.errors import NotationError, ValueRangeError

__all__ = [
    "ACE",
    "CARDS",
    "JACK",
    "KING",
    "LABELS",
    "OPEN_CODES",
    "QUEEN",
    "RANKS",
    "SUITS",
    "TURNED_DOWN",
    "TURNED_UP",
    "Card",
    "PileCard",
    "Suit",
    "parse_pile",
]

RANKS = "A23456789TJQK"
"""Rank letters, ace first: `RANKS[rank - 1]`."""
SUITS = "CDHS"
"""Suit letters: `SUITS[suit]`."""
ACE, JACK, QUEEN, KING = 1, 11, 12, 13


class Suit(IntEnum):
    """The four suits, numbered as everywhere in Kibitz."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The suit's letter in texts: C, D, H or S."""
        return SUITS[self]

    @property
    def is_red(self) -> bool:
        """Whether the suit is diamonds or hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


@dataclass(frozen=True, slots=True)
class Card:
    """A playing card: rank 1 (ace) to 13 (king) and a suit. Text form `TS`."""

    rank: int
    """1 (ace) to 13 (king)."""
    suit: Suit
    """One of the four suits; a plain number 0 to 3 is taken too."""
    index: int = field(init=False, repr=False, compare=False)
    """Place in `LABELS`: suit * 13 + rank - 1."""
    is_red: bool = field(init=False, repr=False, compare=False)
    """Whether the card is a diamond or a heart."""

    def __post_init__(self) -> None:
        """Check rank and suit, and work out what follows from them."""
        if isinstance(self.rank, bool) or not isinstance(self.rank, int) or not ACE <= self.rank <= KING:
            raise ValueRangeError(f"expected a rank from 1 to 13, got {self.rank!r}")
        if isinstance(self.suit, bool) or not isinstance(self.suit, int) or not 0 <= self.suit <= 3:
            raise ValueRangeError(f"expected a suit from 0 to 3 (C, D, H, S), got {self.suit!r}")
        suit = Suit(self.suit)
        object.__setattr__(self, "suit", suit)
        object.__setattr__(self, "index", suit * KING + self.rank - 1)
        object.__setattr__(self, "is_red", suit.is_red)

    @staticmethod
    def parse(text: str) -> Card:
        """Return the card written as rank and suit, such as `TS` or `AH`.

        Raises:
            NotationError: The text is no card.
        """
        card = _BY_LABEL.get(text) if isinstance(text, str) else None
        if card is None:
            raise NotationError("a card such as TS (rank A23456789TJQK, suit CDHS)", text)
        return card

    @staticmethod
    def of(index: int) -> Card:
        """Return the card at that place of `LABELS` (0 to 51)."""
        if not 0 <= index < len(CARDS):
            raise ValueRangeError(f"expected a card index from 0 to 51, got {index!r}")
        return CARDS[index]

    def __str__(self) -> str:
        """Return the text form, such as `TS`."""
        return LABELS[self.index]

    def __hash__(self) -> int:
        """Hash by place in the pack; equal cards have equal places."""
        return self.index


CARDS: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in range(ACE, KING + 1))
"""The 52 cards in label order."""
LABELS: tuple[str, ...] = tuple(RANKS[card.rank - 1] + SUITS[card.suit] for card in CARDS)
"""The 52 texts in label order: AC, 2C, … KS."""
_BY_LABEL = dict(zip(LABELS, CARDS, strict=True))

OPEN_CODES = len(CARDS)
"""Codes of pile cards below this number are those of known cards lying face up; they are the cards' indices."""
_UNKNOWN_DOWN_CODE, _UNKNOWN_UP_CODE = 104, 105


@dataclass(frozen=True, slots=True)
class PileCard:
    """A card lying in a pile: which one, if that is known, and which side is up.

    Text forms: `TS` face up, `Ts` face down but known, `##` face down and never seen, `??` face up but not read.
    """

    card: Card | None
    """The card, or None where nobody has seen it yet."""
    face_up: bool
    """Whether its face is up."""
    code: int = field(init=False, repr=False, compare=False)
    """A number from 0 to 105, different for each of the 106 possible values."""

    def __post_init__(self) -> None:
        """Check the types and work out the code."""
        if self.card is not None and not isinstance(self.card, Card):
            raise ValueRangeError(f"expected a Card or None, got {self.card!r}")
        if not isinstance(self.face_up, bool):
            raise ValueRangeError(f"expected face_up as True or False, got {self.face_up!r}")
        if self.card is None:
            code = _UNKNOWN_UP_CODE if self.face_up else _UNKNOWN_DOWN_CODE
        else:
            code = self.card.index if self.face_up else len(CARDS) + self.card.index
        object.__setattr__(self, "code", code)

    @staticmethod
    def parse(text: str) -> PileCard:
        """Return the pile card written as `TS`, `Ts`, `##` or `??`.

        Raises:
            NotationError: The text is none of these.
        """
        found = _BY_TEXT.get(text) if isinstance(text, str) else None
        if found is None:
            raise NotationError("a card in a pile: TS, Ts (face down), ## (never seen) or ?? (not read)", text)
        return found

    @staticmethod
    def of(card: Card | None, face_up: bool = True) -> PileCard:
        """Return the pile card with these values, always the same object for the same values."""
        if card is None:
            return PILE_CARDS[_UNKNOWN_UP_CODE if face_up else _UNKNOWN_DOWN_CODE]
        return PILE_CARDS[card.index if face_up else len(CARDS) + card.index]

    def turned(self, face_up: bool) -> PileCard:
        """Return the same card with that side up."""
        return (TURNED_UP if face_up else TURNED_DOWN)[self.code]

    def __str__(self) -> str:
        """Return the text form."""
        return _TEXTS[self.code]

    def __hash__(self) -> int:
        """Hash by the code; equal pile cards have equal codes."""
        return self.code


PILE_CARDS: tuple[PileCard, ...] = (
    *(PileCard(card, True) for card in CARDS),
    *(PileCard(card, False) for card in CARDS),
    PileCard(None, False),
    PileCard(None, True),
)
"""All 106 values of `PileCard`, by code."""
TURNED_UP: tuple[PileCard, ...] = tuple(PileCard.of(pile_card.card, True) for pile_card in PILE_CARDS)
"""By code: the same card face up."""
TURNED_DOWN: tuple[PileCard, ...] = tuple(PileCard.of(pile_card.card, False) for pile_card in PILE_CARDS)
"""By code: the same card face down."""
_TEXTS = (*LABELS, *(label[0] + label[1].lower() for label in LABELS), "##", "??")
_BY_TEXT = dict(zip(_TEXTS, PILE_CARDS, strict=True))


def parse_pile(text: str | Iterable[str], where: str = "") -> tuple[PileCard, ...]:
    """Return the cards of a pile written as one text (`##7S`, `## 7S`, `-` for none) or as several texts.

    Args:
        text: The pile, covered end first.
        where: The place in the input, for messages.

    Raises:
        NotationError: A card is not one.
    """
    if isinstance(text, str):
        packed = "".join(text.split())
        texts: Iterable[str] = () if packed == "-" else (packed[i : i + 2] for i in range(0, len(packed), 2))
    else:
        texts = text
    cards = []
    for one in texts:
        found = _BY_TEXT.get(one) if isinstance(one, str) else None
        if found is None:
            raise NotationError("cards such as TS, Ts, ## or ??", one, where)
        cards.append(found)
    return tuple(cards)
