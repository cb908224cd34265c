"""Names of the piles on the table."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from kibitz.engine.cards import PileCard
from kibitz.engine.errors import NotationError, ValueRangeError

__all__ = ["SINGLE_PILES", "Pile", "PileId", "PileKind", "Slot"]

Pile = tuple[PileCard, ...]
"""The cards of one pile from the covered end to the free end."""
MOST_PILES = 99
"""More piles of one kind than any patience has."""


class PileKind(StrEnum):
    """What a pile is for."""

    STOCK = "stock"
    WASTE = "waste"
    FOUNDATIONS = "foundations"
    TABLEAU = "tableau"
    RESERVE = "reserve"
    BASES = "bases"
    AUXILIARY = "auxiliary"
    ASIDE = "aside"


SINGLE_PILES = frozenset({PileKind.STOCK, PileKind.WASTE, PileKind.RESERVE, PileKind.AUXILIARY})
"""Kinds of which there is one pile at most."""
_LETTERS = {
    PileKind.STOCK: "S",
    PileKind.WASTE: "W",
    PileKind.FOUNDATIONS: "F",
    PileKind.TABLEAU: "T",
    PileKind.RESERVE: "R",
    PileKind.BASES: "B",
    PileKind.AUXILIARY: "X",
    PileKind.ASIDE: "A",
}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}
_SHORT = re.compile(r"([SWRX])|([FTBA])([1-9][0-9]?)")
_LONG = re.compile(r"([a-z]+)(?:/([0-9]{1,2}))?")


@dataclass(frozen=True, slots=True, order=True)
class PileId:
    """Names one pile: its kind and, where there are several, its number from 0.

    Long text `tableau/2` (or `stock`), short text `T3` (numbered from 1, or `S`).
    """

    kind: PileKind
    """What the pile is for."""
    index: int = 0
    """Number from 0, as the player sees them from left to right."""
    attribute: str = field(init=False, repr=False, compare=False)
    """The attribute of `Position` that holds the pile or all piles of its kind."""
    is_single: bool = field(init=False, repr=False, compare=False)
    """Whether there is one pile of this kind at most."""

    def __post_init__(self) -> None:
        """Check kind and index, and work out what follows from the kind."""
        if not isinstance(self.kind, PileKind):
            raise ValueRangeError(f"expected a PileKind, got {self.kind!r}")
        last = 0 if self.kind in SINGLE_PILES else MOST_PILES - 1
        if isinstance(self.index, bool) or not isinstance(self.index, int) or not 0 <= self.index <= last:
            raise ValueRangeError(f"expected an index from 0 to {last} for {self.kind}, got {self.index!r}")
        object.__setattr__(self, "attribute", self.kind.value)
        object.__setattr__(self, "is_single", self.kind in SINGLE_PILES)

    @staticmethod
    @cache
    def of(kind: PileKind, index: int = 0) -> PileId:
        """Return that pile's name, always the same object for the same values."""
        return PileId(kind, index)

    @staticmethod
    def parse(text: str) -> PileId:
        """Return the pile written in the long form (`tableau/2`) or the short one (`T3`).

        Raises:
            NotationError: The text names no pile.
        """
        expected = "a pile such as T3 or tableau/2"
        if not isinstance(text, str):
            raise NotationError(expected, text)
        if match := _SHORT.fullmatch(text):
            single, several, number = match.groups()
            return PileId.of(_KINDS[single]) if single else PileId.of(_KINDS[several], int(number) - 1)
        match = _LONG.fullmatch(text)
        if match is None or match[1] not in PileKind.__members__.values():
            raise NotationError(expected, text)
        kind, index = PileKind(match[1]), int(match[2] or 0)
        if index >= (1 if kind in SINGLE_PILES else MOST_PILES):
            raise NotationError(expected, text)
        return PileId.of(kind, index)

    @property
    def short(self) -> str:
        """The short text: `T3`, `S`."""
        letter = _LETTERS[self.kind]
        return letter if self.kind in SINGLE_PILES else f"{letter}{self.index + 1}"

    def __str__(self) -> str:
        """Return the long text: `tableau/2`, `stock`."""
        return str(self.kind) if self.kind in SINGLE_PILES else f"{self.kind}/{self.index}"


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """One place in a pile: the pile and the place from 0 at the covered end. Text `T3.1` (both from 1)."""

    pile: PileId
    """The pile."""
    index: int
    """Place in the pile, 0 for the card lying on the table."""

    def __post_init__(self) -> None:
        """Check the place."""
        if isinstance(self.index, bool) or not isinstance(self.index, int) or not 0 <= self.index < 1000:
            raise ValueRangeError(f"expected a place in the pile from 0 on, got {self.index!r}")

    @staticmethod
    def parse(text: str) -> Slot:
        """Return the slot written as `T3.1`.

        Raises:
            NotationError: The text is no slot.
        """
        pile, dot, place = text.partition(".") if isinstance(text, str) else ("", "", "")
        if not dot or not re.fullmatch(r"[1-9][0-9]{0,2}", place):
            raise NotationError("a place in a pile such as T3.1", text)
        return Slot(PileId.parse(pile), int(place) - 1)

    def __str__(self) -> str:
        """Return the text form."""
        return f"{self.pile.short}.{self.index + 1}"
