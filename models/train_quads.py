"""The loop the two detectors share; `train_index` and `train_cards` are the commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from kibitz.models.export import YAMLS, export
from kibitz.models.losses import QuadLoss
from kibitz.models.nets import build_detector
from kibitz.models.samples import QuadPicture
from kibitz.models.scoring import QuadTally, decode
from kibitz.models.shards import load_quads, shard_paths
from kibitz.models.stream import quad_batches
from kibitz.models.training import Batch, Trainer, TrainOptions

HELD_OUT_PICTURES = {"tiles": 400, "coarse": 96}


@dataclass(frozen=True, slots=True)
class DetectorRun:
    """What tells one detector's training from the other's."""

    kind: str
    pieces: str
    scales: tuple[float, float]  # on-the-fly size change
    batch: int
    half_turn: bool


def arguments(doc: str, batch: int) -> tuple[TrainOptions, Path | None]:
    """The options every training script takes."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=50.0)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="the ONNX file to write at the end")
    given = vars(parser.parse_args())
    out = given.pop("out")
    return TrainOptions(**given), out


def loss_function(
    model: torch.nn.Module, half_turn: bool
) -> Callable[[torch.nn.Module, Batch], tuple[torch.Tensor, dict[str, float]]]:
    """`loss_of` for the trainer: forward in bf16, loss in fp32."""
    criterion = QuadLoss(model, half_turn)

    def loss_of(net: torch.nn.Module, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
        raw = net(batch["img"])
        with torch.autocast("cpu", enabled=False):
            preds = {name: value.float() if isinstance(value, torch.Tensor) else value for name, value in raw.items()}
            preds["feats"] = [feature.float() for feature in raw["feats"]]
            total, parts = criterion.loss(preds, batch)
        return total.sum() / len(batch["img"]), {name: float(value) for name, value in parts.items()}

    return loss_of


@torch.no_grad()
def held_out_figures(model: torch.nn.Module, pieces: list[QuadPicture], half_turn: bool) -> dict[str, float]:
    """Recall, precision and corner error on pieces of decks never trained on."""
    tally = QuadTally(half_turn)
    for start in range(0, len(pieces), 8):
        part = pieces[start : start + 8]
        pictures = np.stack([one.picture for one in part])[..., ::-1].astype(np.float32) / 255
        output = model(torch.from_numpy(np.ascontiguousarray(pictures.transpose(0, 3, 1, 2))))[0].numpy()
        classes = output.shape[1] - 12
        for one, rows in zip(part, output, strict=True):
            tally.add(decode(rows, classes, 0.1, 0.9 if half_turn else 0.5), one)
    return tally.figures()


def held_out_pieces(folder: Path, kind: str) -> list[QuadPicture]:
    """A fixed sample of the held-out shards (empty when there are none)."""
    pieces: list[QuadPicture] = []
    for path in sorted(shard_paths(folder / "held_out", kind)):
        pieces.extend(load_quads(path))
        if len(pieces) >= HELD_OUT_PICTURES[kind]:
            break
    return pieces[: HELD_OUT_PICTURES[kind]]


def train_detector(run: DetectorRun) -> None:
    """Trains one of the two detectors with the options of the command line, and exports it."""
    options, out = arguments(f"trains the network {run.kind}", run.batch)
    model = build_detector(YAMLS[run.kind])
    trainer = Trainer(model, options)
    pieces = held_out_pieces(options.data, run.pieces)
    rng = np.random.default_rng([options.seed, trainer.state.step])
    average = trainer.run(
        quad_batches(options.data, run.pieces, options.batch, rng, run.scales),
        loss_function(model, run.half_turn),
        lambda net: held_out_figures(net, pieces, run.half_turn) if pieces else {},
    )
    if out:
        export(run.kind, average, out)
