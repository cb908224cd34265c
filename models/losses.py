"""Loss of the two detectors: ultralytics' assignment, regions to ignore, and a keypoint term that suits four corners.

Batch keys: `batch_idx` (T,), `cls` (T, 1), `bboxes` (T, 4) centre and size as shares of the picture, `keypoints`
(T, 4, 2) shares, `ignore` (I, 5) picture number and x1 y1 x2 y2 in pixels.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional as F
from ultralytics.utils.loss import v8PoseLoss
from ultralytics.utils.tal import make_anchors


class QuadLoss(v8PoseLoss):
    """Box, class and corner loss for quads.

    The stock keypoint loss scales by a sigma made for human joints (1 / 4 here: far too loose, corners stay vague);
    this one is smooth-L1 of the corner distance over the root of the box area. With `half_turn` the corners may also be
    named from the opposite corner (a playing card looks the same both ways up): the cheaper naming counts.
    """

    def __init__(self, model: torch.nn.Module, half_turn: bool) -> None:
        super().__init__(model)
        self.half_turn = half_turn
        self.bce = _IgnoringBCE()

    def loss(
        self, preds: dict[str, torch.Tensor], batch: dict[str, Any]
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """The stock loss with the class term silenced on anchors inside ignore regions."""
        points, strides = make_anchors(preds["feats"], self.stride, 0.5)
        self.bce.silence(ignored_anchors(points * strides, batch["ignore"], preds["boxes"].shape[0]))
        total, parts = super().loss(preds, batch)
        return total, parts

    def calculate_keypoints_loss(
        self,
        masks: torch.Tensor,
        target_gt_idx: torch.Tensor,
        keypoints: torch.Tensor,
        stride_tensor: torch.Tensor,
        target_bboxes: torch.Tensor,
        pred_kpts: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Smooth-L1 of the corner distances, relative to the size of the quad's own bounding box."""
        picture = masks.nonzero(as_tuple=True)[0]
        stride = stride_tensor.view(1, -1).expand(masks.shape[0], -1)[masks][:, None, None]
        truth = keypoints[picture, target_gt_idx[masks]][..., :2]  # (P, 4, 2) pixels
        guess = pred_kpts[masks][..., :2] * stride
        size = (truth.amax(1) - truth.amin(1)).prod(1, keepdim=True).clamp_min(16.0).sqrt()
        cost = corner_cost(guess, truth, size)
        if self.half_turn:
            cost = torch.minimum(cost, corner_cost(guess, truth.roll(2, dims=1), size))
        return cost.mean(), torch.zeros((), device=cost.device)


class _IgnoringBCE(torch.nn.Module):
    """BCE with logits, zero for anchors that have no target and lie in a region where nobody knows."""

    def __init__(self) -> None:
        super().__init__()
        self.silent: torch.Tensor | None = None

    def silence(self, silent: torch.Tensor) -> None:
        self.silent = silent

    def forward(self, logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        loss = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
        if self.silent is None:
            return loss
        nothing_here = targets.sum(-1) == 0
        return loss.masked_fill((self.silent & nothing_here)[..., None], 0.0)


def corner_cost(guess: torch.Tensor, truth: torch.Tensor, size: torch.Tensor) -> torch.Tensor:
    """(P,) mean smooth-L1 of corner distances (P, 4, 2) over `size` (P, 1)."""
    distance = ((guess - truth).square().sum(-1) + 1e-6).sqrt() / size
    return F.smooth_l1_loss(distance, torch.zeros_like(distance), beta=0.1, reduction="none").mean(1)


def ignored_anchors(centres: torch.Tensor, ignore: torch.Tensor, pictures: int) -> torch.Tensor:
    """(B, A) bool: the anchor's centre (A, 2) lies inside an ignore box (I, 5) of its picture."""
    silent = torch.zeros(pictures, len(centres), dtype=torch.bool, device=centres.device)
    if len(ignore):
        low, high = ignore[:, None, 1:3], ignore[:, None, 3:5]
        inside = ((centres[None] >= low) & (centres[None] <= high)).all(-1)  # (I, A)
        for picture, row in zip(ignore[:, 0].long().tolist(), inside, strict=True):
            silent[picture] |= row
    return silent
