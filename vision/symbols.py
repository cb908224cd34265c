"""The symbols that are printed in card corners, and what they mean in each letter set.

The classifier names the *printed symbol*: a B is a jack in German and a В is a jack in Russian, a D is a queen in
German and in French, an R is a king in French and in Italian. Which letter set a deck has is settled from all cards
of the table together (`kibitz.vision.alphabet`), never card by card.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SYMBOLS: tuple[str, ...] = (
    "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "1", "E", "T", "D", "Д", "B", "V", "R", "H", "F",
)  # fmt: skip
"""Printed symbols in the classifier's order. "T" is the Cyrillic Т of туз, "B" covers Latin B and Cyrillic В,
"K" covers the Cyrillic К, "10" is a ten."""

NOT_AN_INDEX: int = len(SYMBOLS)
"""The classifier's last class, 23."""

_NUMBERS = {str(rank): rank for rank in range(2, 11)}


def _letters(**ranks: int) -> Mapping[str, int]:
    return MappingProxyType({**_NUMBERS, **{symbol.removeprefix("_"): rank for symbol, rank in ranks.items()}})


ALPHABETS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "latin": _letters(A=1, J=11, Q=12, K=13),
        "cyrillic": _letters(T=1, B=11, Д=12, K=13),
        "german": _letters(A=1, B=11, D=12, K=13),
        "french": _letters(A=1, _1=1, V=11, D=12, R=13),
        "nordic": _letters(A=1, _1=1, E=1, B=11, J=11, D=12, K=13),
        "dutch": _letters(A=1, B=11, V=12, H=13),
        "italian": _letters(A=1, _1=1, F=11, J=11, D=12, Q=12, R=13),
    }
)
"""Letter set -> printed symbol -> rank 1..13."""
