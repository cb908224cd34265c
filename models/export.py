"""Checkpoints to ONNX: detectors by the ultralytics exporter (its backends read its metadata), the others plainly.

python -m kibitz.models.export index CHECKPOINT.pt OUT.onnx
python -m kibitz.models.export classify CHECKPOINT.pt OUT.onnx
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from kibitz.models.nets import (
    CARDS_YAML,
    CROP_HEIGHT,
    CROP_WIDTH,
    INDEX_YAML,
    build_classifier,
    build_detector,
    build_strip_counter,
)

if TYPE_CHECKING:
    import torch

YAMLS: dict[str, dict[str, Any]] = {"index": INDEX_YAML, "cards": CARDS_YAML}
PLAIN = {  # kind -> how to build it, height and width of its crops, names of its outputs
    "classify": (build_classifier, (CROP_HEIGHT, CROP_WIDTH), ("symbol", "suit")),
    "strips": (build_strip_counter, (208, 64), ("count", "edges")),
}
OPSET = 17


def save_ultralytics(model: torch.nn.Module, path: Path) -> None:
    """Writes a `.pt` that `ultralytics.YOLO(path)` loads."""
    import copy
    from datetime import UTC, datetime

    import torch
    import ultralytics

    plain = copy.deepcopy(model).float().eval()
    plain.criterion = None
    plain.args = {"task": "pose", "imgsz": 640}
    torch.save(
        {
            "model": plain,
            "ema": None,
            "epoch": -1,
            "train_args": {"task": "pose", "imgsz": 640},
            "date": datetime.now(UTC).isoformat(),
            "version": ultralytics.__version__,
            "license": "AGPL-3.0",
        },
        path,
    )


def export_detector(model: torch.nn.Module, out: Path) -> None:
    """Writes `out` (dynamic height and width) with names, stride, task and kpt_shape in its metadata."""
    from ultralytics import YOLO

    with TemporaryDirectory() as folder:
        weights = Path(folder) / "model.pt"
        save_ultralytics(model, weights)
        written = YOLO(weights).export(format="onnx", dynamic=True, simplify=True, opset=OPSET, imgsz=640, device="cpu")
        shutil.move(written, out)


def export_plain(kind: str, model: torch.nn.Module, out: Path) -> None:
    """Writes `out`: input `crops` (N, 3, height, width), outputs and sizes as in `PLAIN`, N free."""
    import torch

    _, size, outputs = PLAIN[kind]
    torch.onnx.export(
        model.float().eval(),
        (torch.zeros(2, 3, *size),),
        str(out),
        opset_version=OPSET,
        input_names=["crops"],
        output_names=list(outputs),
        dynamic_axes={name: {0: "n"} for name in ("crops", *outputs)},
        dynamo=False,
    )


def load_weights(kind: str, checkpoint: Path) -> torch.nn.Module:
    """The network `kind` with the averaged weights of one of our training checkpoints."""
    import torch

    model: torch.nn.Module = PLAIN[kind][0]() if kind in PLAIN else build_detector(YAMLS[kind])
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    model.load_state_dict(state["ema"])
    return model.float().eval()


def export(kind: str, model: torch.nn.Module, out: Path) -> None:
    """Writes the ONNX file of a network."""
    out.parent.mkdir(parents=True, exist_ok=True)
    if kind in PLAIN:
        export_plain(kind, model, out)
    else:
        export_detector(model, out)


def main() -> None:
    """Command line: kind, checkpoint, output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=(*YAMLS, *PLAIN))
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    export(args.kind, load_weights(args.kind, args.checkpoint), args.out)


if __name__ == "__main__":
    main()
