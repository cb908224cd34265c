"""Figures of exported networks on pieces of decks that training never saw.

python -m kibitz.models.evaluate HELD_OUT_DIR [--weights DIR]

HELD_OUT_DIR holds shards of `kibitz.models.dataset --held-out`. Prints recall, precision and corner error of both
detectors by height, accuracy of the classifier by height and of the strip counter by number, the best temperatures,
and a reliability table of each.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kibitz.models.augment import cut_crop
from kibitz.models.samples import FloatArray, IntArray, QuadPicture
from kibitz.models.scoring import QuadTally, best_temperature, calibration, decode, softmax
from kibitz.models.shards import load_columns, load_patches, load_quads, shard_paths
from kibitz.vision.session import Network
from kibitz.vision.symbols import NOT_AN_INDEX

INDEX_BINS = (9, 12, 16, 20, 25, 45, 80)  # px
CROP_BINS = (9, 11, 13, 15, 18, 22, 30, 400)  # px
THRESHOLDS = (0.1, 0.2, 0.25, 0.3, 0.4, 0.5)


@dataclass(frozen=True, slots=True)
class CropAnswers:
    """What the classifier said of held-out crops, beside the truth."""

    symbol_logits: FloatArray  # (N, 24)
    suit_logits: FloatArray  # (N, 4)
    symbols: IntArray
    suits: IntArray  # -1 = covered, not asked
    heights: FloatArray


def pieces(folder: Path, kind: str, most: int) -> Iterator[QuadPicture]:
    """Up to `most` pictures of a kind."""
    left = most
    for path in sorted(shard_paths(folder, kind)):
        for one in load_quads(path):
            if left == 0:
                return
            left -= 1
            yield one


def judge_detector(weights: Path, shards: Path, most: int) -> QuadTally:
    """Runs `index.onnx` or `cards.onnx` over the pieces of its kind."""
    cards = weights.stem == "cards"
    network, tally = Network(weights, 1), QuadTally(half_turn=cards)
    for one in pieces(shards, "coarse" if cards else "tiles", most):
        picture = one.picture[None, :, :, ::-1].transpose(0, 3, 1, 2)
        output = network.run(np.ascontiguousarray(picture, np.float32) / np.float32(255))[0][0]
        tally.add(decode(output, 2 if cards else 1, 0.05, 0.6 if cards else 0.5), one)
    return tally


def judge_classifier(weights: Path, shards: Path, most: int) -> CropAnswers:
    """Runs `classify.onnx` over exactly cut crops."""
    network = Network(weights, 1)
    parts: list[tuple[np.ndarray, ...]] = []
    for path in sorted(shard_paths(shards, "patches")):
        patches = load_patches(path)
        for start in range(0, len(patches.symbols), 256):
            crops = np.stack([cut_crop(patch, None) for patch in patches.pictures[start : start + 256]])
            batch = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)
            end = start + len(crops)
            symbol, suit = network.run(batch)[:2]
            parts.append(
                (symbol, suit, patches.symbols[start:end], patches.suits[start:end], patches.heights[start:end])
            )
        if sum(len(part[2]) for part in parts) >= most:
            break
    return CropAnswers(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def detector_report(tally: QuadTally, title: str) -> Iterator[str]:
    """Recall and precision by threshold, recall by height."""
    yield f"{title}: {tally.total} wanted"
    figures = tally.figures(THRESHOLDS)
    for t in THRESHOLDS:
        yield f"  at {t:.2f}: recall {figures[f'recall@{t}']:.4f}, precision {figures[f'precision@{t}']:.4f}"
    if "corner_error" in figures:  # a network that has hardly been trained finds nothing
        yield f"  corner error of a height: median {figures['corner_error']:.3f}, 95 % {figures['corner_error_95']:.3f}"
    heights = np.array(tally.heights)
    for low, high in itertools.pairwise(INDEX_BINS):
        rows = (heights[:, 0] >= low) & (heights[:, 0] < high)
        if rows.any():
            yield f"  {low}-{high} px: recall at 0.25 {(heights[rows, 1] >= 0.25).mean():.4f} of {rows.sum()}"


def classifier_report(answers: CropAnswers) -> Iterator[str]:
    """Accuracy by height, temperatures, and the reliability of the joint answer."""
    known = answers.symbols != NOT_AN_INDEX
    whole = known & (answers.suits >= 0)
    symbol_t = best_temperature(answers.symbol_logits, answers.symbols)
    suit_t = best_temperature(answers.suit_logits[whole], answers.suits[whole])
    symbols, suits = softmax(answers.symbol_logits, symbol_t), softmax(answers.suit_logits, suit_t)
    symbol_right, suit_right = symbols.argmax(1) == answers.symbols, suits.argmax(1) == answers.suits
    right = symbol_right & suit_right
    yield f"classifier: {len(known)} crops, temperatures symbol {symbol_t} suit {suit_t}"
    shares = symbol_right[known].mean(), suit_right[whole].mean(), right[whole].mean()
    yield "  symbol right {:.4f}, suit {:.4f}, both {:.4f}".format(*shares)
    yield f"  not an index, told so {symbol_right[~known].mean():.4f}"
    for low, high in itertools.pairwise(CROP_BINS):
        rows = whole & (answers.heights >= low) & (answers.heights < high)
        if rows.any():
            yield f"  {low}-{high} px: both right {right[rows].mean():.4f} of {rows.sum()}"
    sure = (symbols.max(1) * suits.max(1))[whole]
    for mean, share, count in calibration(sure.astype(np.float32), right[whole]):
        yield f"  said {mean:.3f}, right {share:.3f} ({count})"


def strips_report(weights: Path, shards: Path) -> Iterator[str]:
    """Accuracy of the strip counter by the true number, the best temperature, and its reliability."""
    network = Network(weights, 1)
    crops = [one for path in sorted(shard_paths(shards, "columns")) for one in load_columns(path)]
    logits = []
    for start in range(0, len(crops), 256):
        pictures = np.stack([one.picture for one in crops[start : start + 256]])
        batch = np.ascontiguousarray(pictures[..., ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)
        logits.append(network.run(batch)[0])
    counts = np.array([one.count for one in crops], np.int64)
    temperature = best_temperature(np.concatenate(logits), counts)
    shares = softmax(np.concatenate(logits), temperature)
    right = shares.argmax(1) == counts
    yield f"strips: {len(counts)} columns, temperature {temperature}, right {right.mean():.4f}"
    for count in range(int(counts.max()) + 1):
        yield f"  {count} face down: right {right[counts == count].mean():.4f} of {(counts == count).sum()}"
    for mean, share, number in calibration(shares.max(1), right):
        yield f"  said {mean:.3f}, right {share:.3f} ({number})"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path)
    parser.add_argument("--weights", type=Path, default=Path(__file__).resolve().parent / "weights")
    parser.add_argument("--most", type=int, default=600, help="pictures of a kind; crops are twenty times as many")
    args = parser.parse_args()
    for name in ("index", "cards"):
        file = args.weights / f"{name}.onnx"
        if file.is_file() and shard_paths(args.shards, "tiles" if name == "index" else "coarse"):
            print("\n".join(detector_report(judge_detector(file, args.shards, args.most), name)), flush=True)
    if (args.weights / "classify.onnx").is_file() and shard_paths(args.shards, "patches"):
        answers = judge_classifier(args.weights / "classify.onnx", args.shards, 20 * args.most)
        print("\n".join(classifier_report(answers)), flush=True)
    if (args.weights / "strips.onnx").is_file() and shard_paths(args.shards, "columns"):
        print("\n".join(strips_report(args.weights / "strips.onnx", args.shards)))


if __name__ == "__main__":
    main()
