"""Endless batches out of the shards that `kibitz.models.dataset` keeps writing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from kibitz.models.augment import cut_crop, move, recolour, soften
from kibitz.models.samples import QuadPicture
from kibitz.models.shards import Patches, load_patches, load_quads, shard_paths
from kibitz.vision.symbols import NOT_AN_INDEX

POOL_SHARDS = 4  # shards mixed at a time


def next_shard(folder: Path, kind: str, seen: dict[Path, int], rng: np.random.Generator) -> Path:
    """The least shown shard, the newest of them first; waits until there is one."""
    while not (paths := shard_paths(folder, kind)):
        print(f"waiting for {kind} in {folder}: start kibitz.models.dataset", flush=True)
        time.sleep(10)
    fewest = min(seen.get(path, 0) for path in paths)
    fresh = [path for path in paths if seen.get(path, 0) == fewest]
    chosen = fresh[-1] if fewest == 0 else fresh[int(rng.integers(len(fresh)))]
    seen[chosen] = fewest + 1
    return chosen


def quad_pictures(folder: Path, kind: str, rng: np.random.Generator) -> Iterator[QuadPicture]:
    """Pieces in random order from a pool of several shards."""
    seen: dict[Path, int] = {}
    pool: list[QuadPicture] = []
    low = 0
    while True:
        while len(pool) <= low:
            try:
                fresh = load_quads(next_shard(folder, kind, seen, rng))
            except FileNotFoundError:  # pruned meanwhile
                continue
            pool.extend(fresh)
            low = (POOL_SHARDS - 1) * len(fresh) if len(shard_paths(folder, kind)) >= POOL_SHARDS else 0
        number = int(rng.integers(len(pool)))
        pool[number], pool[-1] = pool[-1], pool[number]
        yield pool.pop()


def quad_batch(pieces: list[QuadPicture], rng: np.random.Generator | None) -> dict[str, Any]:
    """numpy batch of the keys `QuadLoss` wants, `img` (N, H, W, 3) RGB 0..1; recoloured if `rng` is given."""
    pictures = np.stack([one.picture for one in pieces])[..., ::-1].astype(np.float32) / np.float32(255)
    if rng is not None:
        pictures = recolour(pictures, rng)
    side = float(pictures.shape[1])
    counts = [len(one.quads) for one in pieces]
    boxes = np.concatenate([one.boxes for one in pieces]).astype(np.float32)
    ignore = [np.column_stack([np.full(len(one.ignore), i), one.ignore]) for i, one in enumerate(pieces)]
    return {
        "img": pictures,
        "batch_idx": np.repeat(np.arange(len(pieces)), counts).astype(np.float32),
        "cls": np.concatenate([one.classes for one in pieces]).astype(np.float32)[:, None],
        "bboxes": np.concatenate([(boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]], 1) / side,
        "keypoints": np.concatenate([one.quads for one in pieces]).astype(np.float32) / side,
        "ignore": np.concatenate(ignore).astype(np.float32),
    }


def quad_batches(
    folder: Path, kind: str, size: int, rng: np.random.Generator, scales: tuple[float, float]
) -> Iterator[dict[str, Any]]:
    """Moved and recoloured batches for a detector."""
    cv2.setNumThreads(1)
    least = 0.85 if kind == "tiles" else 0.3
    stream = quad_pictures(folder, kind, rng)
    while True:
        yield quad_batch([move(next(stream), rng, scales, least) for _ in range(size)], rng)


def patch_stream(folder: Path, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, int, int]]:
    """Patches in random order from a pool of shards."""
    seen: dict[Path, int] = {}
    while True:
        count = min(POOL_SHARDS, max(1, len(shard_paths(folder, "patches"))))
        pool: list[Patches] = []
        while len(pool) < count:
            try:
                pool.append(load_patches(next_shard(folder, "patches", seen, rng)))
            except FileNotFoundError:  # pruned meanwhile
                continue
        order = [(k, i) for k, shard in enumerate(pool) for i in range(len(shard.symbols))]
        for number in rng.permutation(len(order)):
            k, i = order[int(number)]
            yield pool[k].pictures[i], int(pool[k].symbols[i]), int(pool[k].suits[i])


def crop_batches(folder: Path, size: int, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Batches for the classifier: `img` (N, 64, 40, 3) RGB 0..1, `symbol`, `suit`; some upside down as negatives."""
    cv2.setNumThreads(1)
    stream = patch_stream(folder, rng)
    while True:
        crops = np.empty((size, 64, 40, 3), np.uint8)
        symbols, suits = np.empty(size, np.int64), np.empty(size, np.int64)
        for i in range(size):
            patch, symbols[i], suits[i] = next(stream)
            if rng.random() < 0.1:
                patch, symbols[i] = np.ascontiguousarray(patch[::-1, ::-1]), NOT_AN_INDEX
            crops[i] = soften(cut_crop(patch, rng, hard=1.0 if rng.random() < 0.5 else 2.0), rng)
        pictures = recolour(crops[..., ::-1].astype(np.float32) / np.float32(255), rng)
        yield {"img": pictures, "symbol": symbols, "suit": suits}
