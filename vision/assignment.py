"""One label for each card, at most one card (or two) for each label: solved over the whole table at once.

The distributions of single cards are not enough: of two cards that both look like an eight of spades one is something
else. The cheapest assignment says which, and how much dearer the table gets when a card may *not* have its label says
how sure that is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.vision.matching import extra_costs
from kibitz.vision.types import N_LABELS, FloatArray

UNKNOWN = 0.004
"""Least likelihood of a card that is none of its labels (a joker): dearer than any honest second guess."""
JOKER = 0.1
"""Weight of what an index leaves for "none of the labels": most of it is a misreading, and jokers are rare."""
BLANK = 0.3
"""A card whose own indices give "none of the labels" at least this much may be surely none of them."""
LEAST = 1e-6
SURE = 0.9
"""Below this probability a label is marked unsure."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """Labels of all cards together.

    Attributes:
        labels: (N,) label of each card, -1 = unknown.
        labels_probability: (N, 52) distributions after the limits have been applied; rows sum to at most 1.
        confidence: (N,) probability of the label given, 0 where it is unknown.
        unsure: (N,) True where the label is doubtful; a joker is surely none of the labels.
        contested: pairs of cards that both surely look like the same label, beyond the limit.
    """

    labels: npt.NDArray[np.int64]
    labels_probability: FloatArray
    confidence: FloatArray
    unsure: npt.NDArray[np.bool_]
    contested: tuple[tuple[int, int], ...] = ()


def assign(probabilities: FloatArray, limit: int = 1) -> Assigned:
    """The likeliest labels of all cards with at most `limit` cards a label.

    Args:
        probabilities: (N, 52), each row summing to at most 1.
        limit: number of decks on the table.
    """
    n = len(probabilities)
    columns, extra = extra_costs(_costs(probabilities, limit))
    labels = np.where(columns < limit * N_LABELS, columns % N_LABELS, -1).astype(np.int64)
    spread = _spread(extra, limit)
    confidence = np.where(labels >= 0, spread[np.arange(n), labels], 0).astype(np.float32)
    none = (1 - probabilities.sum(axis=1) >= BLANK) & (1 - spread.sum(axis=1) >= SURE)
    unsure = ((labels < 0) | (confidence < SURE)) & ~none
    pairs = _contested(probabilities, labels, limit)
    for pair in pairs:
        unsure[list(pair)] = True
    return Assigned(labels, spread, confidence, unsure, pairs)


def _costs(probabilities: FloatArray, limit: int) -> npt.NDArray[np.float64]:
    """(N, limit * 52 + N): each label as often as it may occur, and one "unknown" for each card."""
    n = len(probabilities)
    known = -np.log(np.maximum(np.asarray(probabilities, np.float64), LEAST))
    # What a card's indices leave for "none of them" counts: a joker shall take no label from the card that has it.
    rest = 1 - np.asarray(probabilities, np.float64).sum(axis=1)
    unknown = np.tile(-np.log(np.maximum(JOKER * rest, UNKNOWN))[:, None], (1, n))
    return np.concatenate([np.tile(known, (1, limit)), unknown], axis=1)


def _spread(extra: npt.NDArray[np.float64], limit: int) -> FloatArray:
    """(N, 52) distributions: each label weighed by the cheapest table in which the card has it."""
    n = len(extra)
    labels = extra[:, : limit * N_LABELS].reshape(n, limit, N_LABELS).min(axis=1)
    unknown = extra[:, limit * N_LABELS :].min(axis=1, initial=np.inf)
    weights = np.exp(-labels)
    return np.asarray(weights / (weights.sum(axis=1) + np.exp(-unknown))[:, None], np.float32)


def _contested(probabilities: FloatArray, labels: npt.NDArray[np.int64], limit: int) -> tuple[tuple[int, int], ...]:
    """Pairs of an unlabelled (or relabelled) card and a card that has the label it surely shows."""
    best = probabilities.argmax(axis=1)
    pairs: list[tuple[int, int]] = []
    for card in np.flatnonzero((best != labels) & (probabilities.max(axis=1) >= SURE)):
        owners = np.flatnonzero(labels == best[card])
        if len(owners) >= limit:
            pairs.append((int(owners[0]), int(card)))
    return tuple(pairs)
