"""One label for each card, at most one card (or two) for each label: solved over the whole table at once.

The distributions of single cards are not enough: of two cards that both look like an eight of spades one is something
else. The cheapest assignment says which, and how much dearer the table gets when a card may *not* have its label says
how sure that is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components

from kibitz.vision.types import N_LABELS, FloatArray

UNKNOWN = 0.004
"""Likelihood of a card that is none of its labels (unreadable, a joker): dearer than any honest second guess."""
LEAST = 1e-6
PLAUSIBLE = 1e-4
SURE = 0.9
"""Below this probability a label is marked unsure."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """Labels of all cards together.

    Attributes:
        labels: (N,) label of each card, -1 = unknown.
        labels_probability: (N, 52) distributions after the limits have been applied; rows sum to at most 1.
        confidence: (N,) probability of the label given, 0 where it is unknown.
        unsure: (N,) True where the label is doubtful.
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
    labels = np.full(n, -1, np.int64)
    spread = np.zeros((n, N_LABELS), np.float32)
    for cards in _rivals(probabilities, limit):
        labels[cards], spread[cards] = _solve(probabilities[cards], limit)
    confidence = np.where(labels >= 0, spread[np.arange(n), labels], 0).astype(np.float32)
    unsure = (labels < 0) | (confidence < SURE)
    pairs = _contested(probabilities, labels, limit)
    for pair in pairs:
        unsure[list(pair)] = True
    return Assigned(labels, spread, confidence, unsure, pairs)


def _rivals(probabilities: FloatArray, limit: int) -> list[npt.NDArray[np.intp]]:
    """Groups of cards that may want the same label; cards of different groups cannot disturb each other."""
    n = len(probabilities)
    wanted = (probabilities > PLAUSIBLE) | (probabilities >= probabilities.max(axis=1, keepdims=True, initial=LEAST))
    wanted &= wanted.sum(axis=0) > limit
    links = wanted.astype(np.float32) @ wanted.T.astype(np.float32) > 0
    count, group = connected_components(links, directed=False)
    return [np.flatnonzero(group == g) for g in range(count)] if n else []


def _solve(probabilities: FloatArray, limit: int) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """Labels and distributions of one group of rivals."""
    cost = _costs(probabilities, limit)
    rows, columns = linear_sum_assignment(cost)
    total = float(cost[rows, columns].sum())
    labels = np.where(columns < limit * N_LABELS, columns % N_LABELS, -1).astype(np.int64)
    return labels, np.stack([_spread(cost, card, total) for card in range(len(cost))])


def _costs(probabilities: FloatArray, limit: int) -> npt.NDArray[np.float64]:
    """(N, limit * 52 + N): each label as often as it may occur, and one "unknown" for each card."""
    n = len(probabilities)
    known = -np.log(np.maximum(np.asarray(probabilities, np.float64), LEAST))
    return np.concatenate([np.tile(known, (1, limit)), np.full((n, n), -np.log(UNKNOWN))], axis=1)


def _spread(cost: npt.NDArray[np.float64], card: int, total: float) -> FloatArray:
    """(52,) distribution of one card: each label weighed by the cheapest table in which the card has it."""
    candidates = np.flatnonzero(cost[card, :N_LABELS] < cost[card].min() + 9)
    others = np.delete(cost, card, axis=0)
    totals = [_cheapest(np.delete(others, label, axis=1)) + cost[card, label] for label in candidates]
    totals.append(_cheapest(others) + cost[card, -1])
    weights = np.exp(-np.clip(np.asarray(totals) - total, -1, 60))
    result = np.zeros(N_LABELS, np.float32)
    result[candidates] = weights[:-1] / weights.sum()
    return result


def _cheapest(cost: npt.NDArray[np.float64]) -> float:
    return float(cost[tuple(linear_sum_assignment(cost))].sum()) if len(cost) else 0.0


def _contested(probabilities: FloatArray, labels: npt.NDArray[np.int64], limit: int) -> tuple[tuple[int, int], ...]:
    """Pairs of an unlabelled (or relabelled) card and a card that has the label it surely shows."""
    best = probabilities.argmax(axis=1)
    pairs: list[tuple[int, int]] = []
    for card in np.flatnonzero((best != labels) & (probabilities.max(axis=1) >= SURE)):
        owners = np.flatnonzero(labels == best[card])
        if len(owners) >= limit:
            pairs.append((int(owners[0]), int(card)))
    return tuple(pairs)
