"""How large the cards of this table are and where their indices sit, learned from the table itself.

All lengths are in units of the median index height, in the straightened plane of `kibitz.vision.rectify`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kibitz.vision import geometry
from kibitz.vision.rectify import TableFrame
from kibitz.vision.types import FloatArray

PARALLEL = np.radians(20)
"""Indices of one card agree in direction to this, up to a half turn."""
SAME_SPOT = 0.13
"""Relative width of the vote for the index distances."""
LEVEL, LEAST_TWINS = 0.6, 3
"""Index heights by which two indices side by side may differ, and how many such pairs tell something."""
ALIKE = 0.3
"""Least similarity of two label distributions that may be one card's."""
WITNESS = 0.05
"""Least probability that two indices are there and say the same: court art is often alike, but says nothing clearly."""


@dataclass(frozen=True, slots=True)
class IndexPoses:
    """Indices in the straightened plane.

    Attributes:
        points: (N, 2) middles.
        right: (N, 2) unit vectors of the reading direction.
        down: (N, 2) unit vectors, right turned clockwise.
        unit: median index height; every other length is a multiple of it.
        labels: (N, 52) label probabilities.
        evidence: (N,) probability that there is an index at all.
    """

    points: FloatArray
    right: FloatArray
    down: FloatArray
    unit: float
    labels: FloatArray
    evidence: FloatArray

    def __len__(self) -> int:
        return len(self.points)

    def seen_from(self, i: int, j: int) -> tuple[float, float]:
        """Where index j lies as index i reads: units to its right and down."""
        offset = (self.points[j] - self.points[i]) / self.unit
        return float(offset @ self.right[i]), float(offset @ self.down[i])

    def turn(self, i: int, j: int) -> float:
        """Angle between two reading directions, radians, 0 (the same) to pi (opposite)."""
        return float(np.arccos(np.clip(self.right[i] @ self.right[j], -1, 1)))

    def alike(self, i: int, j: int) -> float:
        """Similarity of two label distributions, 0..1."""
        a, b = self.labels[i], self.labels[j]
        return float(a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9))

    def agree(self, i: int, j: int) -> float:
        """Probability that both are indices and have one label."""
        return float(self.evidence[i] * self.evidence[j] * (self.labels[i] @ self.labels[j]))


@dataclass(frozen=True, slots=True)
class DeckGeometry:
    """Sizes of this deck in units of the index height.

    Attributes:
        across: distance from the left to the right index of one card.
        along: distance from the upper to the lower index.
        width: of the card.
        height: of the card.
        four: True if every corner has an index.
        pairs: cards from which the distances were learned; 0 = guessed.
    """

    across: float = 3.2
    along: float = 4.1
    width: float = 3.9
    height: float = 5.5
    four: bool = False
    pairs: int = 0


def poses(frame: TableFrame, quads: FloatArray, labels: FloatArray, evidence: FloatArray) -> IndexPoses:
    """The indices of a picture in the straightened plane.

    Args:
        frame: the table's plane.
        quads: (N, 4, 2) pixels.
        labels: (N, 52).
        evidence: (N,).
    """
    flat = frame.flat(quads)
    right, down = geometry.right_vectors(flat), geometry.down_vectors(flat)
    tall = np.linalg.norm(down, axis=1)
    # The upright sides are the longer ones and so the truer.
    mean = down / np.maximum(tall, 1e-6)[:, None] * 2
    mean += np.c_[-right[:, 1], right[:, 0]] / np.maximum(np.linalg.norm(right, axis=1), 1e-6)[:, None]
    mean /= np.maximum(np.linalg.norm(mean, axis=1), 1e-6)[:, None]
    # Court art gives many detections, of which none says anything clearly: they shall not set the scale.
    unit = _weighted_median(tall, evidence * labels.max(axis=1)) if len(quads) else 1.0
    return IndexPoses(
        geometry.centres(flat),
        np.asarray(np.c_[mean[:, 1], -mean[:, 0]], np.float32),
        np.asarray(mean, np.float32),
        max(unit, 1e-6),
        labels,
        evidence,
    )


def _weighted_median(values: FloatArray, weights: FloatArray) -> float:
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return float(values[order[int(np.searchsorted(total, total[-1] / 2))]])


def learn(indices: IndexPoses, outlines: FloatArray) -> DeckGeometry:
    """The sizes that most pairs of alike indices and the outlines agree on.

    Args:
        indices: all of the table.
        outlines: (M, 4, 2) outlines of whole cards in the straightened plane.
    """
    size = _card_size(outlines / indices.unit)
    opposite, beside = _votes(indices)
    start = _guess(size)
    found = _mode(opposite, start)
    upper = _across(beside)
    if upper is not None and (found is None or upper[1] > 2 * found[2]):
        return _of_upper_corners(upper[0], upper[1], size)
    if found is None:
        return start
    across, along, pairs = found
    twins = sum(1 for x, y in beside if abs(abs(x) - across) < 2 * SAME_SPOT * across and abs(y) < LEVEL)
    four = twins >= max(1, round(0.2 * pairs))
    width, height = size or (across / 0.81, (along + 1) / 0.93)
    width, height = max(width, across + 0.5), max(height, along + 0.9)
    return DeckGeometry(across, along, width, height, four, pairs)


def _across(beside: list[tuple[float, float]]) -> tuple[float, int] | None:
    """The commonest distance between two alike indices side by side, and its votes; None with fewer than three."""
    gaps = np.asarray([abs(x) for x, y in beside if abs(y) < LEVEL and 1.2 < abs(x) < 8], np.float64)
    if len(gaps) < LEAST_TWINS:
        return None
    near = np.abs(gaps[:, None] - gaps[None]) < SAME_SPOT * gaps[:, None]
    best = int(near.sum(axis=1).argmax())
    votes = int(near[best].sum())
    return (float(np.median(gaps[near[best]])), votes) if votes >= LEAST_TWINS else None


def _of_upper_corners(across: float, twins: int, size: tuple[float, float] | None) -> DeckGeometry:
    """A deck with four indices of whose cards only the upper ends are seen, as in columns that the picture cuts off."""
    width = max(size[0] if size else 0.0, across + 0.7)
    height = 1.43 * width
    return DeckGeometry(across, 0.93 * height - 1, width, height, True, twins)


def _card_size(outlines: FloatArray) -> tuple[float, float] | None:
    if not len(outlines):
        return None
    wide, high = float(np.median(geometry.widths(outlines))), float(np.median(geometry.heights(outlines)))
    return (wide, high) if 1.5 < wide < high < 14 else None


def _guess(size: tuple[float, float] | None) -> DeckGeometry:
    if size is None:
        return DeckGeometry()
    width, height = size
    return DeckGeometry(0.81 * width, max(0.93 * height - 1, 0.5 * height), width, height)


def _votes(indices: IndexPoses) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Offsets between alike indices that read in opposite directions, and in the same direction."""
    opposite, beside = [], []
    for i, j in combinations(range(len(indices)), 2):
        if indices.alike(i, j) < ALIKE or indices.agree(i, j) < WITNESS:
            continue
        turn = indices.turn(i, j)
        if turn > np.pi - PARALLEL:
            opposite.append(indices.seen_from(i, j))
        elif turn < PARALLEL:
            beside.append(indices.seen_from(i, j))
    return opposite, beside


def _mode(votes: list[tuple[float, float]], start: DeckGeometry) -> tuple[float, float, int] | None:
    """The commonest offset (across, along) among cards' diagonals, and how many votes it has."""
    points = np.asarray([(abs(x), abs(y)) for x, y in votes if y > 0], np.float64).reshape(-1, 2)
    points = points[(points[:, 0] > 0.8) & (points[:, 1] > 1.2) & (points[:, 1] < 12)]
    points = points[points[:, 1] < 3 * points[:, 0]]
    if not len(points):
        return None
    near = np.linalg.norm(points[:, None] - points[None], axis=2) < SAME_SPOT * np.linalg.norm(points, axis=1)[:, None]
    guess = np.asarray([start.across, start.along])
    # Among equally common ones the one nearest to the expected size.
    bonus = np.exp(-np.abs(np.log(np.linalg.norm(points, axis=1) / np.linalg.norm(guess))))
    best = int((near.sum(axis=1) + bonus).argmax())
    across, along = np.median(points[near[best]], axis=0)
    return float(across), float(along), int(near[best].sum())
