"""Which letter set a deck has, settled from all cards of the table together; then labels instead of symbols."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.vision.symbols import ALPHABETS, NOT_AN_INDEX, SYMBOLS
from kibitz.vision.types import N_LABELS, FloatArray, IndexReadings

NAMES: tuple[str, ...] = tuple(ALPHABETS)
PRIOR = {
    "latin": 0.76,
    "cyrillic": 0.04,
    "german": 0.04,
    "french": 0.04,
    "nordic": 0.04,
    "dutch": 0.04,
    "italian": 0.04,
}
"""Before any card is seen; a few clear letters outweigh it."""
FLOOR = 0.02
"""Likelihood of a reading that a letter set cannot explain at all (a misread index)."""
FOREIGN = 0.25
"""How much of what a reading gives to symbols of other letter sets speaks for "no index"; the rest is a misread symbol
of this set."""
RANKS = 13


@dataclass(frozen=True, slots=True)
class Settlement:
    """The letter sets and how well each explains the table.

    Attributes:
        shares: probability of each of `NAMES`; they sum to 1.
    """

    shares: FloatArray

    @property
    def name(self) -> str:
        """The likeliest letter set."""
        return NAMES[int(self.shares.argmax())]

    @property
    def share(self) -> float:
        """Its probability."""
        return float(self.shares.max())


def _matrices() -> FloatArray:
    tables = np.zeros((len(NAMES), len(SYMBOLS) + 1, RANKS), np.float32)
    for i, name in enumerate(NAMES):
        for symbol, rank in ALPHABETS[name].items():
            tables[i, SYMBOLS.index(symbol), rank - 1] = 1
    return tables


MATRICES: FloatArray = _matrices()
"""(letter set, symbol, rank) 1 where the symbol means the rank."""


def settle(readings: IndexReadings, weights: FloatArray | None = None) -> Settlement:
    """The letter set that explains all indices best.

    Args:
        readings: of all indices of the table.
        weights: (N,) how much each counts, e.g. 1 / indices of the same card; None = each 1.
    """
    symbols = readings.symbols
    real = 1 - symbols[:, NOT_AN_INDEX]
    weights = real if weights is None else weights * real
    known = symbols[:, :NOT_AN_INDEX] / np.maximum(real, 1e-6)[:, None]
    explained = np.einsum("ns,as->na", known, MATRICES[:, :NOT_AN_INDEX].sum(axis=2))
    fit = (weights[:, None] * np.log(np.clip(explained, 0, 1) + FLOOR)).sum(axis=0)
    fit += np.log([PRIOR[name] for name in NAMES])
    power = np.exp(fit - fit.max())
    return Settlement(np.asarray(power / power.sum(), np.float32))


def label_probabilities(readings: IndexReadings, settlement: Settlement) -> FloatArray:
    """(N, 52) probability of each label for each index; the rest of the row is "none of them".

    Where two letter sets are equally good their meanings stay side by side, so that the label is marked doubtful
    later and not guessed.
    """
    given = np.einsum("ns,asr->nar", readings.symbols, MATRICES)
    foreign = np.clip(1 - readings.symbols[:, NOT_AN_INDEX, None] - given.sum(axis=2), 0, 1)
    ranks = np.einsum("a,nar->nr", settlement.shares, given / (1 - (1 - FOREIGN) * foreign)[:, :, None])
    labels = readings.suits[:, :, None] * ranks[:, None, :]
    return np.asarray(labels.reshape(-1, N_LABELS), np.float32)
