"""Checks of the training code, which needs the extra `train` (torch, ultralytics) that CI does not install.

Not collected by default (its name does not begin with `test_`); run it by name where the extra is installed:
    python -m pytest tests/models/training/check_models_losses.py
"""

import pytest
import torch

from kibitz.models.losses import QuadLoss, _IgnoringBCE, corner_cost, ignored_anchors
from kibitz.models.nets import CARDS_YAML, INDEX_YAML, build_classifier, build_detector
from kibitz.models.training import take_over

SQUARE = torch.tensor([[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]])


def batch(picture_side: int) -> dict[str, torch.Tensor]:
    return {
        "batch_idx": torch.zeros(1),
        "cls": torch.zeros(1, 1),
        "bboxes": torch.tensor([[0.5, 0.5, 0.25, 0.25]]),
        "keypoints": torch.tensor([[[0.375, 0.375], [0.625, 0.375], [0.625, 0.625], [0.375, 0.625]]]),
        "ignore": torch.zeros(0, 5),
        "img": torch.rand(1, 3, picture_side, picture_side),
    }


def test_corners_in_place_cost_nearly_nothing_and_a_shift_by_the_whole_size_costs_095() -> None:
    size = torch.tensor([[10.0]])
    assert corner_cost(SQUARE, SQUARE, size).item() < 1e-6
    assert corner_cost(SQUARE + torch.tensor([10.0, 0.0]), SQUARE, size).item() == pytest.approx(0.95, abs=1e-3)


def test_anchors_in_an_ignore_box_are_silent_in_their_own_picture_only() -> None:
    centres = torch.tensor([[5.0, 5.0], [50.0, 50.0]])
    ignore = torch.tensor([[1.0, 0.0, 0.0, 10.0, 10.0]])
    assert ignored_anchors(centres, ignore, 2).tolist() == [[False, False], [True, False]]


def test_silence_does_not_reach_anchors_that_have_a_target() -> None:
    bce = _IgnoringBCE()
    bce.silence(torch.tensor([[True, True]]))
    loss = bce(torch.zeros(1, 2, 1), torch.tensor([[[0.0], [0.9]]]))
    assert loss[0, 0, 0].item() == 0
    assert loss[0, 1, 0].item() == pytest.approx(0.6931, abs=1e-4)


@pytest.mark.parametrize(("table", "half_turn"), [(INDEX_YAML, False), (CARDS_YAML, True)], ids=["index", "cards"])
def test_one_picture_is_learned_by_heart(table: dict[str, object], half_turn: bool) -> None:
    torch.manual_seed(0)
    model = build_detector(table)
    criterion, one = QuadLoss(model, half_turn), batch(128)
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(25):
        total, _ = criterion.loss(model(one["img"]), one)
        optimiser.zero_grad()
        total.sum().backward()
        optimiser.step()
        losses.append(total.sum().item())
    assert losses[-1] < 0.5 * losses[0]


def test_the_cards_network_takes_the_detectors_trunk() -> None:
    taken = take_over(build_detector(CARDS_YAML), build_detector(INDEX_YAML).state_dict())
    assert taken >= 100


def test_the_classifier_is_small_and_ignores_exposure() -> None:
    model = build_classifier().eval()
    assert sum(p.numel() for p in model.parameters()) < 400_000
    crops = torch.rand(2, 3, 64, 40)
    with torch.no_grad():
        bright, dim = model(crops)[0], model(crops * 0.5 + 0.2)[0]
    assert torch.allclose(bright, dim, atol=0.3)
