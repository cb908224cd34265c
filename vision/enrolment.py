"""A deck that the networks do not know, learned from its own print: the nearest class over the classifier's features.

The classifier's last layer knows 23 printed symbols; the layer below it describes any print. Here the last layer is
replaced for one deck: the mean features of each rank and each suit, with distances measured by the scatter within the
classes. That is one solution of linear equations, no training run. Every rank upside down is a class of its own, so
that the way an index reads is known too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from kibitz.engine.errors import KibitzError
from kibitz.vision import alphabet
from kibitz.vision.classifier import BATCH, CROP, Classifier, softmax
from kibitz.vision.features import with_features
from kibitz.vision.session import Network
from kibitz.vision.symbols import NOT_AN_INDEX
from kibitz.vision.types import N_SYMBOLS, ByteArray, FloatArray, IndexReadings, ModelPaths, check_shape

Labels = npt.NDArray[np.int64]
Features = Callable[[ByteArray], FloatArray]
RANKS, SUITS = 13, 4
VARIANTS = 16
"""Each print is learned so often, the first time as it is, then as nearer, farther, blurred and dimmer ones."""
SHRINKAGE = 0.1
"""Share of the mean scatter added to every direction: there are fewer prints than features."""
TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(30.0), 41)).astype(np.float32)
ELSEWHERE, LEAST_TEMPERATURE, MOST_TEMPERATURE = 2.0, 3.0, 8.0
"""The photos learned from are one light and one camera: what they make look sure is half as sure elsewhere. But half
of the prints, to which the trial fits, make a worse layer than all of them."""
FLOOR = 1e-4
TRUSTED = 0.93
"""Share of prints, altered ones too, that the network must read rightly itself to be heard beside the learned layer."""
PRINTS_SEEN = 0.98
"""The same for prints that it does not take for something else."""
OTHER = 2 * RANKS
"""The class of all that is no index; before it the ranks, and the ranks upside down."""


class EnrolmentError(KibitzError):
    """A deck cannot be learned or loaded; `kind` says why in one word, `values` hold what the words need."""

    def __init__(self, kind: str, text: str, **values: str | int) -> None:
        super().__init__(text)
        self.kind, self.values = kind, values


@dataclass(frozen=True, slots=True)
class Prints:
    """Straightened indices of one deck.

    Attributes:
        crops: (N, 64, 40, 3) BGR.
        labels: (N,) label of each, suit * 13 + rank - 1.
        others: (M, 64, 40, 3) pieces of the same photos that are no index.
    """

    crops: ByteArray
    labels: Labels
    others: ByteArray

    def __post_init__(self) -> None:
        check_shape("crops", self.crops, (None, CROP[1], CROP[0], 3))
        check_shape("labels", self.labels, (len(self.crops),))
        check_shape("others", self.others, (None, CROP[1], CROP[0], 3))

    def take(self, rows: npt.NDArray[np.bool_]) -> Prints:
        """The chosen prints with all the others."""
        return Prints(self.crops[rows], self.labels[rows], self.others)


@dataclass(frozen=True, slots=True)
class Heads:
    """The learned layer: logits are features @ weights + bias, divided by the temperature.

    Attributes:
        ranks: (F + 1, 27) weights and bias (last row) of ranks, ranks upside down and "no index".
        suits: (F + 1, 4) the same of the suits.
        temperatures: of ranks and suits.
        trusted: whether the network's own ranks, suits, and "no index" are good on this deck, and have a say.
    """

    ranks: FloatArray
    suits: FloatArray
    temperatures: tuple[float, float] = (LEAST_TEMPERATURE, LEAST_TEMPERATURE)
    trusted: tuple[bool, bool, bool] = (False, False, False)

    def __post_init__(self) -> None:
        check_shape("ranks", self.ranks, (None, OTHER + 1))
        check_shape("suits", self.suits, (len(self.ranks), SUITS))

    def logits(self, features: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(N, 27) and (N, 4), divided by the temperatures."""
        ranks = (features @ self.ranks[:-1] + self.ranks[-1]) / self.temperatures[0]
        suits = (features @ self.suits[:-1] + self.suits[-1]) / self.temperatures[1]
        return np.asarray(ranks, np.float32), np.asarray(suits, np.float32)

    def readings(self, features: FloatArray, own: IndexReadings) -> IndexReadings:
        """What is printed, told in Latin symbols: A 2 ... 10 J Q K stand for the ranks whatever the deck prints.

        Args:
            features: (N, F) of the crops.
            own: what the network itself reads in them.
        """
        ranks, suits = self.logits(features)
        shares, suit_shares = softmax(ranks), softmax(suits)
        symbols = np.zeros((len(features), N_SYMBOLS), np.float32)
        symbols[:, :RANKS] = shares[:, :RANKS]
        symbols[:, NOT_AN_INDEX] = shares[:, RANKS:].sum(axis=1)
        if self.trusted[0]:
            symbols = _both(symbols, _in_latin(own))
        if self.trusted[2]:
            symbols *= 1 - own.symbols[:, NOT_AN_INDEX, None]
            symbols[:, NOT_AN_INDEX] += 1 - symbols.sum(axis=1)
        return IndexReadings(symbols, _both(suit_shares, own.suits) if self.trusted[1] else suit_shares)


def _both(first: FloatArray, second: FloatArray) -> FloatArray:
    """What two views of the same print agree on; they are no independent witnesses."""
    weights = np.sqrt((first + FLOOR) * (second + FLOOR))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


def _in_latin(own: IndexReadings) -> FloatArray:
    """(N, 24) the network's reading as Latin symbols, whatever letters are printed."""
    settled = alphabet.NAMES.index(alphabet.settle(own).name)
    symbols = np.zeros_like(own.symbols)
    symbols[:, :RANKS] = own.symbols @ alphabet.MATRICES[settled]
    symbols[:, NOT_AN_INDEX] = own.symbols[:, NOT_AN_INDEX]
    rest = np.clip(1 - symbols.sum(axis=1, keepdims=True), 0, 1)
    return np.asarray(symbols + rest / N_SYMBOLS, np.float32)


def fit(prints: Prints, features: Features, variants: int = VARIANTS, seed: int = 1) -> Heads:
    """The layer for these prints; the same prints and features always give the same layer."""
    rng = np.random.default_rng(seed)
    looks = [prints.crops, *(altered(prints.crops, rng) for _ in range(variants - 1))]
    upright = features(np.concatenate(looks))
    upside = features(np.concatenate([np.ascontiguousarray(look[:, ::-1, ::-1]) for look in looks[:4]]))
    other = features(np.concatenate([prints.others, altered(prints.others, rng)]))
    rank, suit = prints.labels % RANKS, prints.labels // RANKS
    classes = np.concatenate([np.tile(rank, variants), RANKS + np.tile(rank, 4), np.full(len(other), OTHER)])
    ranks = _layer(np.concatenate([upright, upside, other]), classes, OTHER + 1)
    return Heads(ranks, _layer(upright, np.tile(suit, variants), SUITS))


def _layer(features: FloatArray, classes: Labels, count: int) -> FloatArray:
    """(F + 1, count) weights of the nearest class mean under the common scatter; absent classes are never answered."""
    values = features.astype(np.float64)
    present = np.unique(classes)
    means = np.stack([values[classes == c].mean(axis=0) for c in present])
    # What is no index is of many kinds: its scatter is no measure of how prints differ.
    proper = classes != OTHER
    rest = (values - means[np.searchsorted(present, classes)])[proper]
    scatter = rest.T @ rest / len(rest)
    scatter[np.diag_indices_from(scatter)] += SHRINKAGE * np.trace(scatter) / len(scatter) + 1e-9
    weights = np.linalg.solve(scatter, means.T)
    layer = np.zeros((values.shape[1] + 1, count), np.float32)
    layer[-1] = -1e4
    layer[:-1, present] = weights
    layer[-1, present] = -0.5 * (means.T * weights).sum(axis=0)
    return layer


def altered(crops: ByteArray, rng: np.random.Generator) -> ByteArray:
    """The crops as another camera, farther away and in another light, would show them."""
    return np.stack([_altered(crop, rng) for crop in crops]) if len(crops) else crops


def _altered(crop: ByteArray, rng: np.random.Generator) -> ByteArray:
    width, height = CROP
    turn, size = rng.normal(0, 0.05), np.exp(rng.normal(0, 0.06))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), float(np.degrees(turn)), float(size))
    matrix = np.asarray(matrix, np.float64)
    matrix[:, 2] += rng.normal(0, 0.04, 2) * np.asarray(CROP)
    view = np.asarray(cv2.warpAffine(crop, matrix, CROP, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    if rng.random() < 0.7:
        tall = int(rng.uniform(10, 44))
        small = cv2.resize(view, (max(6, round(tall * width / height)), tall), interpolation=cv2.INTER_AREA)
        way = cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_CUBIC
        view = np.asarray(cv2.resize(small, CROP, interpolation=way), np.uint8)
    if rng.random() < 0.4:
        across, along = rng.uniform(0.3, 1.8), rng.uniform(0.3, 1.2)
        view = np.asarray(cv2.GaussianBlur(view, (0, 0), sigmaX=across, sigmaY=along), np.uint8)
    light = rng.uniform(0.5, 1.1) * np.exp(rng.normal(0, 0.08, 3))
    noise = rng.normal(0, rng.uniform(0.1, 8), view.shape)
    lit = view.astype(np.float64) * light + rng.uniform(-10, 25) + noise
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


@dataclass(frozen=True, slots=True)
class Trial:
    """How well prints are told apart that the layer was not fitted to.

    Attributes:
        right: prints whose rank and suit were both right.
        total: prints asked; 0 where every card shows one index only.
        temperatures: with which the answers are as sure as they are right.
    """

    right: int
    total: int
    temperatures: tuple[float, float]


def try_out(prints: Prints, features: Features) -> Trial:
    """Fits to every second print of each card and asks for the others, and the other way round."""
    seen: dict[int, int] = {}
    turn = np.zeros(len(prints.labels), np.int64)
    for row, label in enumerate(prints.labels.tolist()):
        turn[row] = seen.get(label, 0) % 2
        seen[label] = seen.get(label, 0) + 1
    if (turn == 1).sum() < len(seen) / 2:
        return Trial(0, 0, (2 * LEAST_TEMPERATURE, 2 * LEAST_TEMPERATURE))  # nothing to ask
    rng = np.random.default_rng(2)
    right = 0
    answers: list[tuple[FloatArray, FloatArray, Labels]] = []
    for half in (0, 1):
        heads = fit(prints.take(turn != half), features, VARIANTS // 2, seed=3 + half)
        asked = prints.take(turn == half)
        for crops in (asked.crops, altered(asked.crops, rng)):
            ranks, suits = heads.logits(features(crops))
            answers.append((ranks * np.float32(LEAST_TEMPERATURE), suits * np.float32(LEAST_TEMPERATURE), asked.labels))
            if crops is asked.crops:
                good = (ranks.argmax(1) == asked.labels % RANKS) & (suits.argmax(1) == asked.labels // RANKS)
                right += int(good.sum())
    labels = np.concatenate([answer[2] for answer in answers])
    wanted = (
        _temperature(np.concatenate([answer[0] for answer in answers]), labels % RANKS),
        _temperature(np.concatenate([answer[1] for answer in answers]), labels // RANKS),
    )
    return Trial(right, len(prints.labels), wanted)


def _temperature(logits: FloatArray, truth: Labels) -> float:
    rows = np.arange(len(truth))
    # With a floor, so that one print that nobody could read does not make all others doubtful.
    costs = [-np.log(softmax(logits / t)[rows, truth] + 0.01).mean() for t in TEMPERATURES]
    best = ELSEWHERE * float(TEMPERATURES[int(np.argmin(costs))])
    return min(MOST_TEMPERATURE, max(LEAST_TEMPERATURE, best))


def trust(prints: Prints, network: FeatureNetwork) -> tuple[bool, bool, bool]:
    """Whether the network's own last layer reads the ranks of this deck, its suits, and takes its prints for prints."""
    rng = np.random.default_rng(5)
    own = network.own(np.concatenate([prints.crops, altered(prints.crops, rng), altered(prints.crops, rng)]))
    labels = np.tile(prints.labels, 3)
    ranks = (_in_latin(own)[:, :RANKS].argmax(axis=1) == labels % RANKS).mean()
    suits = (own.suits.argmax(axis=1) == labels // RANKS).mean()
    seen = (own.symbols[: len(prints.labels), NOT_AN_INDEX] < 0.5).mean()
    return bool(ranks >= TRUSTED), bool(suits >= TRUSTED), bool(seen >= PRINTS_SEEN)


class FeatureNetwork:
    """The classifier's network with its features."""

    def __init__(self, paths: ModelPaths, threads: int = 2) -> None:
        """Loads the network.

        Raises:
            DetectorError: the file is missing or is none of our classifiers.
        """
        self._network = Network(paths.classify, threads, with_features)
        self._temperatures = np.float32(paths.symbol_temperature), np.float32(paths.suit_temperature)
        self.key = hashlib.sha256(paths.classify.read_bytes()).hexdigest()

    def __call__(self, crops: ByteArray) -> FloatArray:
        """(N, F) features of (N, 64, 40, 3) crops."""
        return np.concatenate([part[-1] for part in self._parts(crops)])

    def own(self, crops: ByteArray) -> IndexReadings:
        """What the network itself reads in the crops."""
        return self.both(crops)[1]

    def both(self, crops: ByteArray) -> tuple[FloatArray, IndexReadings]:
        """Features and the network's own reading."""
        parts = list(self._parts(crops))
        symbols, suits, features = (np.concatenate([part[i] for part in parts]) for i in (0, 1, -1))
        first = np.asarray(symbols / self._temperatures[0], np.float32)
        second = np.asarray(suits / self._temperatures[1], np.float32)
        readings = IndexReadings(softmax(first), softmax(second))
        return features, readings

    def _parts(self, crops: ByteArray) -> Iterator[list[FloatArray]]:
        for start in range(0, max(1, len(crops)), BATCH):
            part = crops[start : start + BATCH, :, :, ::-1].transpose(0, 3, 1, 2)
            yield self._network.run(np.ascontiguousarray(part, np.float32) / np.float32(255))


class EnrolledClassifier(Classifier):
    """A classifier whose last layer was learned from photos of one deck."""

    def __init__(self, network: FeatureNetwork, heads: Heads) -> None:
        """Keeps the parts."""
        self._features, self._heads = network, heads

    @staticmethod
    def of_deck(paths: ModelPaths, threads: int = 2) -> EnrolledClassifier:
        """The classifier of the deck `paths.deck`, fitted again where another network than now learned it.

        Raises:
            EnrolmentError: the deck's file is missing or damaged.
        """
        from kibitz.vision.enrolment_file import load

        if paths.deck is None:
            raise EnrolmentError("no-deck", "expected the file of a learned deck, got none; name one with --deck")
        network, deck = FeatureNetwork(paths, threads), load(paths.deck)
        heads = deck.heads if deck.network == network.key else learned(deck.prints, network)[0]
        return EnrolledClassifier(network, heads)

    def _probabilities(self, crops: ByteArray) -> IndexReadings:
        if not len(crops):
            return IndexReadings(np.zeros((0, N_SYMBOLS), np.float32), np.zeros((0, SUITS), np.float32))
        return self._heads.readings(*self._features.both(crops))


def learned(prints: Prints, network: FeatureNetwork) -> tuple[Heads, Trial]:
    """The layer with its temperatures, and how well it did on prints that it was not fitted to."""
    trial = try_out(prints, network)
    return replace(fit(prints, network), temperatures=trial.temperatures, trusted=trust(prints, network)), trial
