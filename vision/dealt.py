"""How many face-down cards the columns of one table hold, all columns weighed together.

Three witnesses, none of which is good enough alone: the network that looks at the strips of backs; how far from the
row's line a column's first face-up card lies, because one player lays his face-down cards with one step; and the deal,
which puts down so many cards in each column that only ever get fewer.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from kibitz.vision.strips import MOST

Doubles = npt.NDArray[np.float64]

TURNED = 0.6
"""Chance that a column with turned cards has lost one more."""
REFILLED = 0.2
"""Chance of a column that has been emptied and begun anew."""
AGAINST_THE_DEAL = 2e-3
"""Chance of a number of face-down cards that the deal cannot give: of a table that is laid otherwise."""
OTHER_HAND = 0.1
"""Chance that the deal ran from right to left."""
TRUST = 0.75
"""How far the network's probabilities are taken at their word; it often errs by one."""
NEXT, ANY = 0.2, 0.05
LINES = 25
"""So many places of the row's line are tried, from the farthest column's first card upwards."""
CAP = 16.0
"""Squared deviations beyond this weigh no more: one column may be laid anywhere."""
SLOPES = np.linspace(-0.03, 0.03, 5)
"""Card heights by which the row leans for each card width."""
STEPS = np.geomspace(0.05, 0.4, 19)
"""Card heights from one face-down card to the next."""
USUAL_STEP, STEP_SPREAD = 0.16, 0.6
LINE_NOISE, STEP_NOISE = 0.07, 0.12
"""Card heights by which a column may begin off the line, and the share by which its steps may differ."""


@dataclass(frozen=True, slots=True)
class Column:
    """What is known of a column.

    Attributes:
        x: of its first face-up card, card widths.
        y: the same, card heights towards the player.
        over: 1 where that card is itself face down.
        dealt: face-down cards that it gets in the deal; None = the patience has no such rule.
    """

    x: float
    y: float
    over: int = 0
    dealt: int | None = None


def settle(columns: list[Column], chances: Doubles) -> tuple[Doubles, float]:
    """Probabilities of the numbers of backs above each column's first shown card.

    Args:
        columns: of one table.
        chances: (N, MOST + 1) by the network.

    Returns:
        (N, MOST + 1) and the log evidence of the whole table: the higher the better the columns fit the deal.
    """
    seen = _trusted(np.asarray(chances, np.float64))
    hands = [(1 - OTHER_HAND, [column.dealt for column in columns])]
    if any(column.dealt is not None for column in columns):
        most = max(column.dealt for column in columns if column.dealt is not None)
        hands.append((OTHER_HAND, [None if c.dealt is None else most - c.dealt for c in columns]))
    total, weights = np.zeros_like(seen), []
    for share, dealt in hands:
        prior = np.stack([_prior(count, column.over) for count, column in zip(dealt, columns, strict=True)])
        joint, evidence = _laid(columns, seen * prior)
        total += share * evidence * joint
        weights.append(share * evidence)
    whole = sum(weights)
    return total / max(whole, 1e-300), float(np.log(max(whole, 1e-300)))


def _trusted(chances: Doubles) -> Doubles:
    """The network's word, softened: it errs, mostly by one."""
    padded = np.pad(chances, ((0, 0), (1, 1)))
    near = (padded[:, :-2] + padded[:, 2:]) / 2
    return np.asarray(TRUST * chances + NEXT * near + ANY / (MOST + 1), np.float64)


def _prior(dealt: int | None, over: int) -> Doubles:
    """(MOST + 1,) chances of the numbers above the first shown card by the deal."""
    if dealt is None:
        return np.full(MOST + 1, 1 / (MOST + 1))
    numbers = np.arange(MOST + 1) + over
    chances = np.where(numbers <= dealt, TURNED ** np.clip(dealt - numbers, 0, None), 0.0)
    chances = chances / max(float(chances.sum()), 1e-9) * (1 - REFILLED)
    chances[numbers == 0] += REFILLED
    return np.asarray(chances + AGAINST_THE_DEAL, np.float64)


def _laid(columns: list[Column], likely: Doubles) -> tuple[Doubles, float]:
    """The chances with the places of the columns weighed in, summed over all lines and steps; and their sum."""
    xs = np.asarray([column.x for column in columns])
    ys = np.asarray([column.y for column in columns])
    numbers = np.arange(MOST + 1)
    total, evidence = np.zeros_like(likely), 0.0
    for slope, step in product(SLOPES, STEPS):
        leant, depth = ys - slope * (xs - xs.mean()), step * numbers
        noise = np.hypot(LINE_NOISE, STEP_NOISE * depth)
        first = float(leant.min())
        starts = np.linspace(first - (MOST - 1) * step - LINE_NOISE, first + 2 * LINE_NOISE, LINES)
        off = (leant[None, :, None] - starts[:, None, None] - depth) / noise
        each = np.exp(-0.5 * np.minimum(off**2, CAP)) / noise * likely[None]
        sums = each.sum(axis=2)
        chance = np.exp(-0.5 * (np.log(step / USUAL_STEP) / STEP_SPREAD) ** 2)
        wholes = np.prod(sums, axis=1) * chance
        total += (each / sums[:, :, None] * wholes[:, None, None]).sum(axis=0)
        evidence += float(wholes.sum())
    return total / max(evidence, 1e-300), evidence
