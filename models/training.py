"""What the three training scripts share: time budget, warm-up and cosine, averaged weights, checkpoints, log."""

from __future__ import annotations

import copy
import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

Batch = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """A run: how long, how fast, where from and where to."""

    data: Path
    run: Path  # checkpoints and log.jsonl; outside git
    minutes: float = 50.0
    batch: int = 16
    rate: float = 2e-3
    decay: float = 0.02
    warmup: int = 150  # steps
    ema: float = 0.998
    resume: bool = False  # go on with the run's last checkpoint, optimiser and clock included
    start: Path | None = None  # weights of another run to start from
    every: float = 180.0  # seconds between checkpoints and held-out scores
    seed: int = 0


@dataclass(slots=True)
class State:
    """Progress that is saved with the weights."""

    step: int = 0
    shown: int = 0  # pictures
    spent: float = 0.0  # seconds of training
    history: list[dict[str, float]] = field(default_factory=list)


class Trainer:
    """Runs `loss_of(model, batch) -> (loss, parts)` over batches until the time is up."""

    def __init__(self, model: torch.nn.Module, options: TrainOptions) -> None:
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        torch.manual_seed(options.seed)
        self.options, self.state = options, State()
        self.model = model.to(memory_format=torch.channels_last)
        if options.start:
            take_over(self.model, torch.load(options.start, map_location="cpu", weights_only=True)["ema"])
        self.average = copy.deepcopy(self.model).eval()
        weights = [p for p in model.parameters() if p.ndim > 1]
        others = [p for p in model.parameters() if p.ndim <= 1]
        groups = [{"params": weights, "weight_decay": options.decay}, {"params": others, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.99))
        options.run.mkdir(parents=True, exist_ok=True)
        if options.resume and self._last.exists():
            self._load()

    @property
    def _last(self) -> Path:
        return self.options.run / "last.pt"

    def run(
        self,
        batches: Iterator[Batch],
        loss_of: Callable[[torch.nn.Module, Batch], tuple[torch.Tensor, dict[str, float]]],
        score: Callable[[torch.nn.Module], dict[str, float]],
    ) -> torch.nn.Module:
        """Trains, and returns the averaged model."""
        clock, mark, shown = time.time(), time.time(), 0
        sums: dict[str, float] = {}
        while self.state.spent < self.options.minutes * 60:
            self._set_rate()
            batch = next(batches)
            self.model.train()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss, parts = loss_of(self.model, to_tensors(batch))
            self.optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
            self.optimiser.step()
            self._follow()
            self.state.step += 1
            self.state.shown += len(batch["img"])
            shown += len(batch["img"])
            for name, value in parts.items():
                sums[name] = sums.get(name, 0.0) + value * len(batch["img"])
            now = time.time()
            self.state.spent += now - clock
            clock = now
            if now - mark > self.options.every or self.state.spent >= self.options.minutes * 60:
                means = {name: round(value / shown, 4) for name, value in sums.items()}
                self._report(means | {"pictures_a_second": round(shown / (now - mark), 1)} | score(self.average))
                self._save()
                clock = mark = time.time()
                sums, shown = {}, 0
        return self.average

    def _set_rate(self) -> None:
        share = min(1.0, self.state.spent / (self.options.minutes * 60))
        warm = min(1.0, (self.state.step + 1) / self.options.warmup)
        rate = self.options.rate * warm * (0.02 + 0.98 * (1 + math.cos(math.pi * share)) / 2)
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    @torch.no_grad()
    def _follow(self) -> None:
        keep = min(self.options.ema, (1 + self.state.step) / (10 + self.state.step))
        for mean, value in zip(self.average.state_dict().values(), self.model.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(value, 1 - keep)
            else:
                mean.copy_(value)

    def _report(self, figures: dict[str, float]) -> None:
        line = {"minutes": round(self.state.spent / 60, 1), "shown": self.state.shown, **figures}
        self.state.history.append(line)
        print(json.dumps(line), flush=True)
        with (self.options.run / "log.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")

    def _save(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "ema": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "state": asdict(self.state),
            "options": {name: str(value) for name, value in asdict(self.options).items()},
        }
        partial = self._last.with_suffix(".part")
        torch.save(state, partial)
        os.replace(partial, self._last)

    def _load(self) -> None:
        state = torch.load(self._last, map_location="cpu", weights_only=True)
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["ema"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.state = State(**state["state"])


def take_over(model: torch.nn.Module, weights: dict[str, torch.Tensor]) -> int:
    """Loads every weight whose name and shape fit (another network's trunk is a good start); returns how many did."""
    own = model.state_dict()
    fitting = {name: value for name, value in weights.items() if name in own and own[name].shape == value.shape}
    model.load_state_dict(fitting, strict=False)
    print(f"{len(fitting)} of {len(own)} weights taken over", flush=True)
    return len(fitting)


def to_tensors(batch: Batch) -> Batch:
    """numpy to torch; `img` (N, H, W, 3) becomes (N, 3, H, W) in channels-last memory without a copy."""
    tensors = {name: torch.from_numpy(value) for name, value in batch.items()}
    tensors["img"] = tensors["img"].permute(0, 3, 1, 2)
    return tensors
