"""Trains the index classifier (symbol and suit of a straightened crop) and exports it.

python -m kibitz.models.train_classify --data DATA --run RUN [--minutes 28] [--resume] [--start W.pt] [--out OUT.onnx]

`kibitz.models.dataset` must be rendering into DATA meanwhile (and once with `--held-out` into DATA/held_out).
"""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional as F

from kibitz.models.augment import cut_crop
from kibitz.models.export import export
from kibitz.models.nets import build_classifier
from kibitz.models.shards import Patches, load_patches, shard_paths
from kibitz.models.stream import crop_batches
from kibitz.models.train_quads import arguments
from kibitz.models.training import Batch, Trainer
from kibitz.vision.symbols import NOT_AN_INDEX

SMOOTHING = 0.03
HELD_OUT_CROPS = 8192


def loss_of(net: torch.nn.Module, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    """Cross entropy of symbol and suit; the suit of what is not an index does not count."""
    symbol, suit = net(batch["img"])
    symbol_loss = F.cross_entropy(symbol.float(), batch["symbol"], label_smoothing=SMOOTHING)
    known = (batch["symbol"] != NOT_AN_INDEX) & (batch["suit"] != -1)
    suit_loss = F.cross_entropy(suit.float()[known], suit_targets(batch["suit"][known]))
    return symbol_loss + suit_loss, {"symbol": symbol_loss.item(), "suit": suit_loss.item()}


def suit_targets(suits: torch.Tensor) -> torch.Tensor:
    """(N, 4) wanted probabilities: of a hidden suit sign only the colour can be known, by the rank's ink."""
    true = torch.where(suits < 0, -2 - suits, suits)
    target = F.one_hot(true, 4).float()
    same_colour = torch.tensor([3, 2, 1, 0])[true]  # clubs and spades, diamonds and hearts
    hidden = (suits < 0)[:, None].float()
    target = (1 - hidden) * target + hidden * (target + F.one_hot(same_colour, 4)) / 2
    return (1 - SMOOTHING) * target + SMOOTHING / 4


def crops_of(patches: Patches) -> np.ndarray:
    """(N, 3, 64, 40) RGB 0..1 of exactly cut crops."""
    crops = np.stack([cut_crop(patch, None) for patch in patches.pictures])
    return np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2)).astype(np.float32) / 255


@torch.no_grad()
def held_out_figures(net: torch.nn.Module, patches: Patches) -> dict[str, float]:
    """Shares right on decks never trained on, by the height of the index."""
    images = crops_of(patches)
    outputs = [net(torch.from_numpy(images[i : i + 256])) for i in range(0, len(images), 256)]
    symbol = torch.cat([o[0] for o in outputs]).argmax(1).numpy()
    suit = torch.cat([o[1] for o in outputs]).argmax(1).numpy()
    known = patches.symbols != NOT_AN_INDEX
    right = (symbol == patches.symbols) & ((suit == patches.suits) | (patches.suits < 0))
    figures = {"exact": float(right[known].mean()), "negatives": float((symbol == NOT_AN_INDEX)[~known].mean())}
    figures["symbols"] = float((symbol == patches.symbols)[known].mean())
    for low, high in ((7, 12), (12, 16), (16, 24), (24, 400)):
        rows = known & (patches.heights >= low) & (patches.heights < high)
        if rows.any():
            figures[f"exact {low}-{high}px"] = float(right[rows].mean())
    return {name: round(value, 4) for name, value in figures.items()}


def main() -> None:
    """Command line."""
    options, out = arguments(str(__doc__), 128)
    trainer = Trainer(build_classifier(), options)
    shards = sorted(shard_paths(options.data / "held_out", "patches"))[:2]
    parts = [load_patches(path) for path in shards]
    held_out = None
    if parts:
        held_out = Patches(
            np.concatenate([p.pictures for p in parts]),
            np.concatenate([p.symbols for p in parts]),
            np.concatenate([p.suits for p in parts]),
            np.concatenate([p.heights for p in parts]),
        )
    rng = np.random.default_rng([options.seed, trainer.state.step])
    average = trainer.run(
        crop_batches(options.data, options.batch, rng),
        loss_of,
        lambda net: held_out_figures(net, held_out) if held_out else {},
    )
    if out:
        export("classify", average, out)


if __name__ == "__main__":
    main()
