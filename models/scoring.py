"""Figures for detectors and classifier on labelled pieces, and the small decoding they need. numpy and cv2 only."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.samples import FloatArray, IntArray, QuadPicture, quad_heights


@dataclass(frozen=True, slots=True)
class Found:
    """Decoded quads (N, 4, 2) with scores (N,) and classes (N,), best first."""

    quads: FloatArray
    scores: FloatArray
    classes: IntArray


def decode(output: NDArray[np.floating], classes: int, threshold: float, overlap: float = 0.5) -> Found:
    """One picture's (4 + classes + 8, A) network output -> quads after box NMS."""
    scores = output[4 : 4 + classes].max(0)
    keep = np.flatnonzero(scores >= threshold)
    keep = keep[np.argsort(-scores[keep], kind="stable")][:1500]
    boxes = output[:4, keep].T
    corners = np.concatenate([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, 2:]], 1)
    rows = cv2.dnn.NMSBoxes(corners.tolist(), scores[keep].tolist(), threshold, overlap) if len(keep) else []
    chosen = keep[np.asarray(rows, np.int64).reshape(-1)]
    quads = output[4 + classes : 12 + classes, chosen].T.reshape(-1, 4, 2).astype(np.float32)
    return Found(quads, scores[chosen].astype(np.float32), output[4 : 4 + classes, chosen].argmax(0).astype(np.int64))


@dataclass(slots=True)
class QuadTally:
    """Counts over pictures: what was found of the truth, and which finds are true."""

    half_turn: bool = False
    total: int = 0
    scores: list[float] = field(default_factory=list)  # of all finds outside ignore regions
    right: list[bool] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)  # mean corner distance over quad height, of right finds
    heights: list[tuple[float, float]] = field(default_factory=list)  # (height px, score of its find or 0)

    def add(self, found: Found, truth: QuadPicture) -> None:
        """Matches greedily, best score first: centres within 0.4 of the quad's height and reading directions agree."""
        heights = quad_heights(truth.quads) if len(truth.quads) else np.zeros(0, np.float32)
        taken = np.zeros(len(truth.quads), np.float32)
        self.total += len(truth.quads)
        for quad, score, kind in zip(found.quads, found.scores, found.classes, strict=True):
            match, error = self._match(quad, int(kind), truth, heights, taken)
            if match is None and _ignored(quad, truth.ignore):
                continue
            self.scores.append(float(score))
            self.right.append(match is not None)
            if match is not None:
                taken[match] = score
                self.errors.append(error)
        self.heights.extend(zip(heights.tolist(), taken.tolist(), strict=True))

    def _match(
        self, quad: FloatArray, kind: int, truth: QuadPicture, heights: FloatArray, taken: FloatArray
    ) -> tuple[int | None, float]:
        if len(truth.quads) == 0:
            return None, 0.0
        away = corner_errors(quad, truth.quads)
        if self.half_turn:
            away = np.minimum(away, corner_errors(np.roll(quad, 2, 0), truth.quads))
        away = np.asarray(away / np.maximum(heights, 1.0), np.float32)
        away[(taken > 0) | (truth.classes != kind)] = np.inf
        best = int(away.argmin())
        return (best, float(away[best])) if away[best] < 0.4 else (None, 0.0)

    def figures(self, thresholds: tuple[float, ...] = (0.3, 0.5)) -> dict[str, float]:
        """Recall and precision at each threshold, median and 95 % corner error."""
        scores, right = np.array(self.scores), np.array(self.right, bool)
        result: dict[str, float] = {}
        for t in thresholds:
            hits, finds = int((right & (scores >= t)).sum()), int((scores >= t).sum())
            result[f"recall@{t}"] = round(hits / max(1, self.total), 4)
            result[f"precision@{t}"] = round(hits / max(1, finds), 4)
        if self.errors:
            result["corner_error"] = round(float(np.median(self.errors)), 4)
            result["corner_error_95"] = round(float(np.quantile(self.errors, 0.95)), 4)
        return result


def corner_errors(quad: FloatArray, quads: FloatArray) -> FloatArray:
    """(N,) mean corner distance of one quad (4, 2) to many (N, 4, 2), px."""
    return np.asarray(np.linalg.norm(quads - quad[None], axis=2).mean(1), np.float32)


def _ignored(quad: FloatArray, ignore: FloatArray) -> bool:
    x, y = quad.mean(0)
    return bool(((ignore[:, 0] <= x) & (x <= ignore[:, 2]) & (ignore[:, 1] <= y) & (y <= ignore[:, 3])).any())


def calibration(confidence: FloatArray, right: NDArray[np.bool_], bins: int = 10) -> list[tuple[float, float, int]]:
    """Reliability table: (mean confidence, share right, count) of each slice of 0..1 that is not empty."""
    number = np.minimum((confidence * bins).astype(int), bins - 1)
    rows = [(number == b) for b in range(bins)]
    return [(float(confidence[row].mean()), float(right[row].mean()), int(row.sum())) for row in rows if row.any()]


def softmax(logits: FloatArray, temperature: float = 1.0) -> FloatArray:
    """Row-wise softmax of (N, K) logits divided by the temperature."""
    scaled = logits / temperature
    scaled = scaled - scaled.max(1, keepdims=True)
    power = np.exp(scaled)
    return np.asarray(power / power.sum(1, keepdims=True), np.float32)


def best_temperature(logits: FloatArray, truth: IntArray) -> float:
    """The temperature of 0.5 to 4 with the least mean negative log-likelihood."""
    grid = np.exp(np.linspace(np.log(0.5), np.log(4.0), 43))
    rows = np.arange(len(truth))
    costs = [-np.log(softmax(logits, float(t))[rows, truth] + 1e-12).mean() for t in grid]
    return round(float(grid[int(np.argmin(costs))]), 3)
