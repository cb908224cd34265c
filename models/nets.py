"""The networks as code: two ultralytics pose models (index detector, coarse cards), index classifier, strip counter.

torch and ultralytics are imported inside functions: importing this module needs neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch
    from ultralytics.nn.tasks import PoseModel

SYMBOL_CLASSES = 24  # 23 printed symbols and "not an index"
SUIT_CLASSES = 4
CROP_HEIGHT, CROP_WIDTH = 64, 40

# Layers are ultralytics' [from, repeats, module, arguments]; widths are absolute. reg_max 1 = plain box distances: the
# box only drives the assignment and the NMS, so sixteen bins a side would be paid for nothing (a third of the head).
INDEX_YAML: dict[str, Any] = {
    "nc": 1,
    "kpt_shape": [4, 2],
    "reg_max": 1,
    "end2end": False,
    "names": {0: "index"},
    "backbone": [
        [-1, 1, "Conv", [16, 3, 2]],  # 0, stride 2
        [-1, 1, "Conv", [32, 3, 2]],  # 1, stride 4
        [-1, 1, "C3k2", [32, False, 0.5]],  # 2
        [-1, 1, "Conv", [64, 3, 2]],  # 3, stride 8
        [-1, 2, "C3k2", [64, False, 0.5]],  # 4
        [-1, 1, "Conv", [96, 3, 2]],  # 5, stride 16
        [-1, 2, "C3k2", [96, False, 0.5]],  # 6
        [-1, 1, "SPPF", [96, 5]],  # 7
    ],
    "head": [
        [-1, 1, "nn.Upsample", [None, 2, "nearest"]],
        [[-1, 4], 1, "Concat", [1]],
        [-1, 1, "C3k2", [64, False, 0.5]],  # 10, stride 8 out
        [-1, 1, "Conv", [64, 3, 2]],
        [[-1, 7], 1, "Concat", [1]],
        [-1, 1, "C3k2", [96, False, 0.5]],  # 13, stride 16 out
        [[10, 13], 1, "Pose", ["nc", "kpt_shape"]],
    ],
}

# A card is 60-400 px at 640: three strides, a wider top, and the same small head.
CARDS_YAML: dict[str, Any] = {
    "nc": 2,
    "kpt_shape": [4, 2],
    "reg_max": 1,
    "end2end": False,
    "names": {0: "face", 1: "back"},
    "backbone": [
        [-1, 1, "Conv", [16, 3, 2]],  # 0, stride 2
        [-1, 1, "Conv", [32, 3, 2]],  # 1, stride 4
        [-1, 1, "C3k2", [32, False, 0.5]],  # 2
        [-1, 1, "Conv", [64, 3, 2]],  # 3, stride 8
        [-1, 2, "C3k2", [64, False, 0.5]],  # 4
        [-1, 1, "Conv", [96, 3, 2]],  # 5, stride 16
        [-1, 2, "C3k2", [96, False, 0.5]],  # 6, so far as the index detector: its weights are a good start
        [-1, 1, "Conv", [128, 3, 2]],  # 7, stride 32
        [-1, 2, "C3k2", [128, False, 0.5]],  # 8
        [-1, 1, "SPPF", [128, 5]],  # 9
    ],
    "head": [
        [-1, 1, "nn.Upsample", [None, 2, "nearest"]],
        [[-1, 6], 1, "Concat", [1]],
        [-1, 1, "C3k2", [96, False, 0.5]],  # 12
        [-1, 1, "nn.Upsample", [None, 2, "nearest"]],
        [[-1, 4], 1, "Concat", [1]],
        [-1, 1, "C3k2", [64, False, 0.5]],  # 15, stride 8 out
        [-1, 1, "Conv", [64, 3, 2]],
        [[-1, 12], 1, "Concat", [1]],
        [-1, 1, "C3k2", [96, False, 0.5]],  # 18, stride 16 out
        [-1, 1, "Conv", [96, 3, 2]],
        [[-1, 9], 1, "Concat", [1]],
        [-1, 1, "C3k2", [128, False, 0.5]],  # 21, stride 32 out
        [[15, 18, 21], 1, "Pose", ["nc", "kpt_shape"]],
    ],
}


def build_detector(config: dict[str, Any]) -> PoseModel:
    """An ultralytics pose model built from one of the tables above, with the loss gains this project trains with."""
    from ultralytics.cfg import get_cfg
    from ultralytics.nn.tasks import PoseModel

    model = PoseModel({**config, "scales": None} if "scales" in config else dict(config), verbose=False)
    model.names = dict(config["names"])
    model.args = get_cfg(overrides={"task": "pose", "box": 5.0, "cls": 0.7, "dfl": 1.0, "pose": 5.0, "kobj": 0.0})
    model.task = "pose"
    return model


def build_strip_counter() -> torch.nn.Module:
    """The strip counter: (N, 3, 208, 64) RGB 0..1 -> logits of 0 to 7 backs (N, 8), of edges by row (N, 52)."""
    import torch
    from torch import nn

    def conv(c_in: int, c_out: int, stride: tuple[int, int], kernel: int = 3) -> nn.Sequential:
        return nn.Sequential(
            nn.Conv2d(c_in, c_out, kernel, stride, kernel // 2, bias=False),
            nn.BatchNorm2d(c_out),
            nn.ReLU(inplace=True),
        )

    def along(channels: int, dilation: int) -> nn.Sequential:
        return nn.Sequential(
            nn.Conv1d(channels, channels, 5, padding=2 * dilation, dilation=dilation, bias=False),
            nn.BatchNorm1d(channels),
            nn.ReLU(inplace=True),
        )

    class StripNet(nn.Module):
        """Convolutions that keep the height longer than the width, then along the column with a growing reach."""

        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(
                conv(3, 16, (2, 2), 5),  # (104, 32)
                conv(16, 32, (1, 2)),  # (104, 16)
                conv(32, 48, (2, 2)),  # (52, 8)
                conv(48, 64, (1, 2)),  # (52, 4)
                conv(64, 64, (1, 1)),
            )
            self.flat = nn.Sequential(nn.Conv1d(64 * 4, 96, 1, bias=False), nn.BatchNorm1d(96), nn.ReLU(inplace=True))
            self.column = nn.Sequential(along(96, 1), along(96, 2), along(96, 4), along(96, 8))
            self.edge = nn.Conv1d(96, 1, 1)
            self.count = nn.Sequential(nn.Linear(97 * 2, 96), nn.ReLU(inplace=True), nn.Dropout(0.1), nn.Linear(96, 8))

        def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            centred = crops - crops.mean(dim=(1, 2, 3), keepdim=True)
            spread = (centred * centred).mean(dim=(1, 2, 3), keepdim=True).sqrt()
            features = self.body(centred / (spread + 0.02))
            rows = self.column(self.flat(features.transpose(2, 3).flatten(1, 2)))
            edges = self.edge(rows)
            joint = torch.cat([rows, 4 * torch.sigmoid(edges)], dim=1)
            pooled = torch.cat([joint.mean(dim=2) * 4, joint.amax(dim=2)], dim=1)
            return self.count(pooled), edges[:, 0]

    return StripNet()


def build_classifier() -> torch.nn.Module:
    """The index classifier: (N, 3, 64, 40) RGB 0..1 -> symbol logits (N, 24), suit logits (N, 4)."""
    from torch import nn

    def conv(c_in: int, c_out: int, stride: int, kernel: int = 3) -> nn.Sequential:
        return nn.Sequential(
            nn.Conv2d(c_in, c_out, kernel, stride, kernel // 2, bias=False),
            nn.BatchNorm2d(c_out),
            nn.ReLU(inplace=True),
        )

    class IndexClassifier(nn.Module):
        """Plain convolutions; pooled over the width but not the height, because rank stands over suit."""

        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(
                conv(3, 24, 2, 5),  # (32, 20)
                conv(24, 32, 1),
                conv(32, 64, 2),  # (16, 10)
                conv(64, 64, 1),
                conv(64, 96, 2),  # (8, 5)
                conv(96, 96, 1),
                conv(96, 96, 1),
            )
            self.drop = nn.Dropout(0.1)
            self.symbol = nn.Linear(96 * 8, SYMBOL_CLASSES)
            self.suit = nn.Linear(96 * 8, SUIT_CLASSES)

        def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            # one grey level and one contrast for the whole crop: exposure goes, colour stays
            centred = crops - crops.mean(dim=(1, 2, 3), keepdim=True)
            spread = (centred * centred).mean(dim=(1, 2, 3), keepdim=True).sqrt()
            features = self.body(centred / (spread + 0.02))
            flat = self.drop(features.mean(dim=3).flatten(1))
            return self.symbol(flat), self.suit(flat)

    return IndexClassifier()
