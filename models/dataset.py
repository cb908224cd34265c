"""Renders training shards until stopped: detector tiles, index patches, coarse pictures. Fresh pictures, no fixed set.

python -m kibitz.models.dataset --cache DECKS --out DATA [--source both] [--seed 1] [--limit 0] [--held-out]

Run it beside the trainers, one process a core (`OMP_NUM_THREADS=1`). Old shards are deleted (`--keep`), so the trainers
always see pictures of the last minutes. `--held-out` renders the decks that training never sees.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from kibitz.models.samples import (
    FloatArray,
    QuadPicture,
    Truth,
    coarse_picture,
    index_patch,
    index_tile,
    quad_heights,
)
from kibitz.models.shards import Patches, prune, save_patches, save_quads
from kibitz.vision.symbols import NOT_AN_INDEX

WHOLE = 0.85  # an index seen less than this and more than GONE is no training example for the classifier: nobody knows
GONE = 0.4
MIN_PATCH_HEIGHT = 9.0  # px


@dataclass(frozen=True, slots=True)
class DatasetOptions:
    """What to render and where to."""

    cache: Path
    out: Path
    source: str = "both"
    seed: int = 1
    limit: int = 0  # pictures, 0 = no end
    keep: int = 60  # shards of a kind
    held_out: bool = False
    scene_share: float = 0.5  # of the time spent, when both sources run


@dataclass(slots=True)
class ShardWriter:
    """Collects pieces and writes a shard whenever enough of one kind are there."""

    out: Path
    seed: int
    keep: int
    tiles: list[QuadPicture] = field(default_factory=list)
    coarse: list[QuadPicture] = field(default_factory=list)
    patches: list[tuple[np.ndarray, int, int, float]] = field(default_factory=list)
    written: int = 0

    def flush(self, everything: bool = False) -> None:
        """Writes full shards (or whatever is left)."""
        for kind, pieces, size in (("tiles", self.tiles, 256), ("coarse", self.coarse, 48)):
            if len(pieces) >= size or (everything and pieces):
                save_quads(self._path(kind), pieces)
                pieces.clear()
                prune(self.out, kind, self.keep)
        if len(self.patches) >= 4096 or (everything and self.patches):
            pictures, symbols, suits, heights = zip(*self.patches, strict=True)
            save_patches(
                self._path("patches"),
                Patches(
                    np.stack(pictures),
                    np.array(symbols, np.int64),
                    np.array(suits, np.int64),
                    np.array(heights, np.float32),
                ),
            )
            self.patches.clear()
            prune(self.out, "patches", self.keep)

    def _path(self, kind: str) -> Path:
        self.written += 1
        return self.out / f"{kind}-{self.seed:04d}-{int(time.time())}-{self.written:06d}.npz"


def true_patches(truth: Truth, most: int, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, int, int, float]]:
    """Patches of clearly seen indices, and of mostly hidden ones as "not an index"."""
    heights = quad_heights(truth.quads) if len(truth.quads) else np.zeros(0, np.float32)
    shown = truth.quads[truth.visible >= GONE]  # in a squared pile the hidden index lies right under a seen one
    for i in rng.permutation(len(truth.quads))[:most]:
        if heights[i] < MIN_PATCH_HEIGHT:
            continue
        if truth.visible[i] >= WHOLE or truth.suits[i] < 0:
            yield (
                index_patch(truth.picture, truth.quads[i]),
                int(truth.symbols[i]),
                int(truth.suits[i]),
                float(heights[i]),
            )
        elif truth.visible[i] < GONE and rng.random() < 0.5 and not _near_an_index(truth.quads[i], shown):
            yield index_patch(truth.picture, truth.quads[i]), NOT_AN_INDEX, 0, float(heights[i])


def false_patches(truth: Truth, count: int, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, int, int, float]]:
    """Patches of quads that a detector could wrongly propose: moved, straddling, wrong size, turned, anywhere."""
    rows, columns = truth.picture.shape[:2]
    for _ in range(count):
        quad = _false_quad(truth, rng)
        middle = quad.mean(0)
        if not (0 <= middle[0] < columns and 0 <= middle[1] < rows) or _near_an_index(quad, truth.quads):
            continue
        height = float(quad_heights(quad[None])[0])
        if MIN_PATCH_HEIGHT <= height < 200:
            yield index_patch(truth.picture, quad), NOT_AN_INDEX, 0, height


def _false_quad(truth: Truth, rng: np.random.Generator) -> FloatArray:
    rows, columns = truth.picture.shape[:2]
    if len(truth.quads) == 0 or rng.random() < 0.3:
        height = float(np.exp(rng.uniform(np.log(10), np.log(80))))
        middle, angle = rng.uniform(0, [columns, rows]), rng.uniform(0, 360)
        box = ((float(middle[0]), float(middle[1])), (height * float(rng.uniform(0.4, 0.8)), height), float(angle))
        return np.asarray(cv2.boxPoints(box), np.float32)[[1, 2, 3, 0]]
    base = truth.quads[int(rng.integers(len(truth.quads)))]
    middle = base.mean(0)
    kind = rng.random()
    if kind < 0.5:  # moved by more than half to one and a half of its size
        axes = np.stack([base[1] - base[0], base[3] - base[0]])
        way = rng.uniform(0.6, 1.5, 2) * rng.choice([-1, 1], 2)
        way[int(rng.integers(2))] *= rng.random() < 0.5
        return (base + way @ axes).astype(np.float32)
    if kind < 0.65:  # straddling two indices, or turned by a quarter
        other = truth.quads[int(rng.integers(len(truth.quads)))]
        if np.linalg.norm(other.mean(0) - middle) < 3 * float(quad_heights(base[None])[0]):
            return ((base + other) / 2).astype(np.float32)
        return np.roll(base, 1, axis=0)
    scale = float(rng.choice([rng.uniform(0.25, 0.5), rng.uniform(2.2, 4.0)]))
    return ((base - middle) * scale + middle + rng.normal(0, 4, 2)).astype(np.float32)


def _near_an_index(quad: FloatArray, quads: FloatArray) -> bool:
    """True when some index lies about where the quad is and is about as large: then it is not a clear negative."""
    if len(quads) == 0:
        return False
    size = float(quad_heights(quad[None])[0])
    away = np.linalg.norm(quads.mean(1) - quad.mean(0), axis=1)
    sizes = quad_heights(quads)
    upright = ((quads[:, 3] - quads[:, 0]) * (quad[3] - quad[0])).sum(1) > 0.5 * size * sizes
    return bool(((away < 0.48 * np.minimum(size, sizes)) & (sizes > 0.6 * size) & (sizes < 1.7 * size) & upright).any())


def cut_pieces(writer: ShardWriter, truth: Truth, rng: np.random.Generator, coarse: bool) -> None:
    """Tiles, patches and perhaps a coarse picture of one rendered picture."""
    rows, columns = truth.picture.shape[:2]
    if max(rows, columns) <= 330:
        writer.tiles.append(index_tile(truth, (0, 0), 1.0))
        most, wrong = 14, 5
    else:
        writer.tiles.extend(table_tiles(truth, rng))
        most, wrong = 60, 20
    writer.patches.extend(true_patches(truth, most, rng))
    writer.patches.extend(false_patches(truth, wrong, rng))
    if coarse:
        writer.coarse.append(coarse_picture(truth))
    writer.flush()


def table_tiles(truth: Truth, rng: np.random.Generator) -> Iterator[QuadPicture]:
    """About one tile for four visible indices, at scales that bring an index to 12 to 75 px (mostly 22 to 48)."""
    rows, columns = truth.picture.shape[:2]
    seen = np.flatnonzero(truth.visible > 0.6)
    for _ in range(int(np.clip(len(seen) // 4, 3, 12))):
        if len(seen) and rng.random() < 0.88:
            quad = truth.quads[int(rng.choice(seen))]
            height = float(quad_heights(quad[None])[0])
            goal = rng.uniform(22, 48) if rng.random() < 0.6 else float(np.exp(rng.uniform(np.log(12), np.log(75))))
            scale = float(np.clip(goal / height, 0.2, 2.5))
            middle = quad.mean(0) + rng.uniform(-130, 130, 2) / scale
        else:
            scale, middle = float(rng.uniform(0.4, 1.2)), rng.uniform(0, [columns, rows])
        corner = middle - 160 / scale
        yield index_tile(truth, (float(corner[0]), float(corner[1])), scale)


def render(options: DatasetOptions) -> None:
    """The endless loop: renders pictures of the chosen source and writes their pieces."""
    from kibitz.models.sources import pictures

    cv2.setNumThreads(1)
    writer = ShardWriter(options.out, options.seed, options.keep)
    rng = np.random.default_rng(options.seed)
    start = time.time()
    for done, (truth, coarse) in enumerate(pictures(options, rng), start=1):
        cut_pieces(writer, truth, rng, coarse)
        if done % 200 == 0:
            print(f"{done} pictures, {done / (time.time() - start):.1f} a second, {writer.written} shards", flush=True)
        if options.limit and done >= options.limit:
            break
    writer.flush(everything=True)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--source", choices=("minis", "scenes", "both"), default="both")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--keep", type=int, default=60)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--scene-share", type=float, default=0.5)
    render(DatasetOptions(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
