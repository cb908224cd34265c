"""Reads what is printed in each index: straightened crops of the full-resolution picture through a small network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.vision import geometry
from kibitz.vision.errors import DetectorError
from kibitz.vision.session import Network
from kibitz.vision.symbols import NOT_AN_INDEX
from kibitz.vision.types import N_SYMBOLS, ByteArray, FloatArray, IndexReadings, ModelPaths

CROP = (40, 64)
"""Width and height of a crop, pixels."""
MARGIN = 0.15
"""A crop shows the index and this share of its size on each side."""
BATCH = 128
DOUBTFUL = 0.97
"""Below this probability of symbol or suit several shifted crops are read and averaged."""

# Shift right, shift down (shares of the index's size), size, turn (radians).
_JITTERS = (
    (0.05, 0.0, 1.0, 0.0), (-0.05, 0.0, 1.0, 0.0), (0.0, 0.05, 1.0, 0.0), (0.0, -0.05, 1.0, 0.0),
    (0.0, 0.0, 0.92, 0.05), (0.0, 0.0, 1.1, -0.05),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class IndexReading:
    """Readings with the quads turned the way up in which they were read.

    Attributes:
        quads: (N, 4, 2) float32.
        readings: one row for each quad.
        turned: (N,) True where the detector had the index upside down.
    """

    quads: FloatArray
    readings: IndexReadings
    turned: np.ndarray[tuple[int], np.dtype[np.bool_]]


class Classifier:
    """The index classifier of a model manifest."""

    def __init__(self, network: Network, temperatures: tuple[float, float] = (1.0, 1.0)) -> None:
        """Keeps the network; logits of symbols and suits are divided by the temperatures."""
        self._network, self._temperatures = network, temperatures

    @staticmethod
    def load(paths: ModelPaths, threads: int = 2) -> Classifier:
        """The classifier of `paths.classify`, with the last layer of the learned deck `paths.deck` if there is one."""
        if paths.deck is not None:
            from kibitz.vision.enrolment import EnrolledClassifier

            return EnrolledClassifier.of_deck(paths, threads)
        return Classifier(Network(paths.classify, threads), (paths.symbol_temperature, paths.suit_temperature))

    def read(self, picture: ByteArray, quads: FloatArray) -> IndexReading:
        """Reads every quad both ways up and keeps the surer; doubtful ones are read from several shifted crops.

        Args:
            picture: (H, W, 3) BGR, full resolution.
            quads: (N, 4, 2) pixels of the picture.
        """
        upright = self._crops(picture, quads)
        upside = np.ascontiguousarray(upright[:, ::-1, ::-1])
        both = self._probabilities(np.concatenate([upright, upside]))
        n = len(quads)
        turned = _surety(both.take(np.arange(n, 2 * n))) > _surety(both.take(np.arange(n)))
        quads = np.where(turned[:, None, None], geometry.turned(quads), quads).astype(np.float32)
        best = both.take(np.arange(n) + n * turned)
        best = self._second_look(picture, quads, best)
        return IndexReading(quads, best, turned)

    def glance(self, picture: ByteArray, quads: FloatArray) -> IndexReadings:
        """What each quad (N, 4, 2) shows as it lies, read once only."""
        return self._probabilities(self._crops(picture, quads))

    def of_crops(self, crops: ByteArray) -> IndexReadings:
        """Symbols and suits of (N, 64, 40, 3) crops that are already straight and upright."""
        return self._probabilities(crops)

    def _second_look(self, picture: ByteArray, quads: FloatArray, first: IndexReadings) -> IndexReadings:
        rows = np.flatnonzero((first.symbols.max(axis=1) < DOUBTFUL) | (first.suits.max(axis=1) < DOUBTFUL))
        rows = rows[first.symbols[rows, NOT_AN_INDEX] < DOUBTFUL]
        if not len(rows):
            return first
        symbols, suits = first.symbols.copy(), first.suits.copy()
        total_symbols, total_suits = np.log(symbols[rows] + 1e-6), np.log(suits[rows] + 1e-6)
        for jitter in _JITTERS:
            again = self._probabilities(self._crops(picture, jittered(quads[rows], jitter)))
            total_symbols += np.log(again.symbols + 1e-6)
            total_suits += np.log(again.suits + 1e-6)
        # The crops overlap: their mean log is one witness, not seven.
        symbols[rows] = _normal(np.exp(total_symbols / (len(_JITTERS) + 1)))
        suits[rows] = _normal(np.exp(total_suits / (len(_JITTERS) + 1)))
        return IndexReadings(symbols, suits)

    def _crops(self, picture: ByteArray, quads: FloatArray) -> ByteArray:
        return geometry.straighten(picture, geometry.enlarged(quads, MARGIN), CROP)

    def _probabilities(self, crops: ByteArray) -> IndexReadings:
        symbols, suits = [np.zeros((0, N_SYMBOLS), np.float32)], [np.zeros((0, 4), np.float32)]
        for start in range(0, len(crops), BATCH):
            part = crops[start : start + BATCH, :, :, ::-1].transpose(0, 3, 1, 2)
            outputs = self._network.run(np.ascontiguousarray(part, np.float32) / np.float32(255))
            if outputs[0].shape[1:] != (N_SYMBOLS,) or outputs[1].shape[1:] != (4,):
                text = f"expected logits (N, {N_SYMBOLS}) and (N, 4), got {outputs[0].shape} and {outputs[1].shape}"
                raise DetectorError(f"{text}; the network is none of this program's classifiers")
            symbols.append(softmax(outputs[0] / self._temperatures[0]))
            suits.append(softmax(outputs[1] / self._temperatures[1]))
        return IndexReadings(np.concatenate(symbols), np.concatenate(suits))


def softmax(logits: FloatArray) -> FloatArray:
    """Probabilities along the last axis."""
    power = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(power / power.sum(axis=-1, keepdims=True), np.float32)


def jittered(quads: FloatArray, jitter: tuple[float, float, float, float]) -> FloatArray:
    """Quads moved by shares of their own size, scaled and turned about their middle.

    Args:
        quads: (N, 4, 2).
        jitter: shift right, shift down (shares of width and height), size, turn in radians.
    """
    right, down, size, turn = jitter
    middle = quads.mean(axis=1, keepdims=True)
    cos, sin = np.cos(turn) * size, np.sin(turn) * size
    matrix = np.asarray([[cos, -sin], [sin, cos]], np.float32)
    shift = right * geometry.right_vectors(quads) + down * geometry.down_vectors(quads)
    return np.asarray((quads - middle) @ matrix.T + middle + shift[:, None], np.float32)


def _surety(readings: IndexReadings) -> FloatArray:
    real = np.delete(readings.symbols, NOT_AN_INDEX, axis=1).max(axis=1)
    return np.asarray(real * readings.suits.max(axis=1), np.float32)


def _normal(weights: FloatArray) -> FloatArray:
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)
