"""Trains the strip counter (face-down cards of a column) and exports it.

python -m kibitz.models.train_strips --data DATA --run RUN [--minutes 30] [--resume] [--start W.pt] [--out OUT.onnx]

`kibitz.models.columns` must be rendering into DATA meanwhile (and once with `--held-out` into DATA/held_out).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from kibitz.models.augment import recolour
from kibitz.models.export import export
from kibitz.models.nets import build_strip_counter
from kibitz.models.samples import ColumnCrop
from kibitz.models.shards import load_columns, shard_paths
from kibitz.models.stream import next_shard
from kibitz.models.train_quads import arguments
from kibitz.models.training import Batch, Trainer

ROWS, ROW = 52, 4.0  # of the edge output: how many, and pixels of the crop each stands for
POOL = 4  # shards mixed at a time


def edge_rows(edges: np.ndarray) -> np.ndarray:
    """(N, ROWS) 1 at the row of each edge, half at its nearer neighbour; `edges` (N, 7) px with nan."""
    target = np.zeros((len(edges), ROWS), np.float32)
    for one, ys in zip(target, edges, strict=True):
        for y in ys[~np.isnan(ys)] / ROW:
            if 0 <= y < ROWS:
                one[int(y)] = 1
                side = int(y) + (1 if y % 1 > 0.5 else -1)
                if 0 <= side < ROWS:
                    one[side] = max(one[side], 0.5)
    return target


def batches(folder: Path, size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Recoloured batches, half of them mirrored: `img` (N, 208, 64, 3) RGB 0..1, `count`, `edges`."""
    seen: dict[Path, int] = {}
    while True:
        pool: list[ColumnCrop] = []
        for _ in range(min(POOL, max(1, len(shard_paths(folder, "columns"))))):
            pool += load_columns(next_shard(folder, "columns", seen, rng))
        order = rng.permutation(len(pool))
        for start in range(0, len(order) - size + 1, size):
            part = [pool[int(k)] for k in order[start : start + size]]
            pictures = np.stack([one.picture[:, ::-1] if rng.random() < 0.5 else one.picture for one in part])
            yield {
                "img": recolour(pictures[..., ::-1].astype(np.float32) / np.float32(255), rng),
                "count": np.array([one.count for one in part], np.int64),
                "edges": edge_rows(np.stack([one.edges for one in part])),
            }


def loss_of(net: torch.nn.Module, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    """Cross entropy of the count, and of the edges, which teach the network what to count."""
    count, edges = net(batch["img"])
    count_loss = F.cross_entropy(count.float(), batch["count"], label_smoothing=0.02)
    edge_loss = F.binary_cross_entropy_with_logits(edges.float(), batch["edges"])
    return count_loss + 4 * edge_loss, {"count": count_loss.item(), "edges": edge_loss.item()}


@torch.no_grad()
def held_out_figures(net: torch.nn.Module, pieces: list[ColumnCrop]) -> dict[str, float]:
    """Share of counts right on decks never trained on, of all and of those given at least 90 %."""
    images = np.stack([one.picture for one in pieces])[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255
    parts = [net(torch.from_numpy(np.ascontiguousarray(images[i : i + 256])))[0] for i in range(0, len(images), 256)]
    shares = torch.cat(parts).softmax(1).numpy()
    truth = np.array([one.count for one in pieces])
    right, sure = shares.argmax(1) == truth, shares.max(1) >= 0.9
    few = truth <= 3
    figures = {"right": right.mean(), "right up to 3": right[few].mean(), "sure": sure.mean()}
    figures["wrong though sure"] = (~right[sure]).mean()
    return {name: round(float(value), 4) for name, value in figures.items()}


def main() -> None:
    """Command line."""
    options, out = arguments(str(__doc__), 64)
    trainer = Trainer(build_strip_counter(), options)
    held_out = [one for path in shard_paths(options.data / "held_out", "columns") for one in load_columns(path)]
    rng = np.random.default_rng([options.seed, trainer.state.step])
    average = trainer.run(
        batches(options.data, options.batch, rng),
        loss_of,
        lambda net: held_out_figures(net, held_out) if held_out else {},
    )
    if out:
        export("strips", average, out)


if __name__ == "__main__":
    main()
