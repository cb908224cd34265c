"""What is exactly known about a rendered picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.cards import LABELS
from kibitz.models.synth.piles import NO_CARDS
from kibitz.models.synth.spec import SceneSpec

FloatArray = NDArray[np.float32]
ByteArray = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class IndexTruth:
    """One printed corner index. `quad` is in picture pixels: TL TR BR BL in the index's own reading direction."""

    quad: FloatArray
    symbol: int
    suit: int
    label: int
    card: int
    visible: float
    """Share of the quad that is inside the picture and covered by nothing, 0..1."""
    rank_visible: float
    suit_visible: float


@dataclass(frozen=True, slots=True)
class CardTruth:
    """One physical card. `corners` are TL TR BR BL of the upright card, also where it is covered or cut off."""

    id: int
    corners: FloatArray
    face_up: bool
    label: int | None
    """None for jokers and blanks; known even for face-down cards."""
    visible: float
    box: FloatArray
    """x1 y1 x2 y2 round what is seen of it, in picture pixels; zeros where nothing is."""
    pile: str
    order: int
    """0 is the card on the table."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture with its truth."""

    picture: ByteArray
    indices: tuple[IndexTruth, ...]
    cards: tuple[CardTruth, ...]
    layout: dict[str, Any]
    """As in the truth files of real photos: stock, waste, foundations, tableau …, `back` for face-down cards."""
    piles: dict[str, Any]
    """As `kibitz check` prints them: every pile a list of `label` and `face_up`, bottom first."""
    seed: int
    spec: SceneSpec

    def to_json(self) -> dict[str, Any]:
        """The truth as it is stored beside a picture."""
        return {
            "seed": self.seed,
            "size": [int(self.picture.shape[1]), int(self.picture.shape[0])],
            "labels_complete": True,
            "cards": [_card_entry(card) for card in self.cards],
            "indices": [
                {
                    "label": LABELS[index.label],
                    "card": index.card,
                    "quad": np.round(index.quad, 1).tolist(),
                    "visible": round(index.visible, 3),
                }
                for index in self.indices
                if index.visible > 0
            ],
            "layout": self.layout,
            "piles": self.piles,
        }


def _card_entry(card: CardTruth) -> dict[str, Any]:
    return {
        "id": card.id,
        "label": LABELS[card.label]
        if card.face_up and card.label is not None
        else ("back" if not card.face_up else None),
        "kind": "card" if card.face_up else "back",
        "box": [round(float(v), 1) for v in card.box],
        "quad": np.round(card.corners, 1).tolist(),
        "face_up": card.face_up,
        "visible": round(card.visible, 3),
        "pile": card.pile,
        "order": card.order,
    }


def _shown(text: str) -> str:
    if text in NO_CARDS:
        return text
    return text if text[-1].isupper() else "back"


def layout_of(kind: str, piles: dict[str, list[str]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The layout in the form of the photos' truth, and the piles in the form of `kibitz check`."""
    layout: dict[str, Any] = {"game": kind}
    check: dict[str, Any] = {}
    for name in sorted(piles, key=lambda key: (key.split("/")[0], int(key.split("/")[1]) if "/" in key else 0)):
        texts = piles[name]
        group = name.split("/")[0]
        entries = [
            {
                "label": text if text[-1].isupper() else None,
                "face_up": text in NO_CARDS or text[-1].isupper(),
            }
            for text in texts
        ]
        if "/" not in name:
            layout[group], check[group] = [_shown(text) for text in texts], entries
        else:
            layout.setdefault(group, []).append([_shown(text) for text in texts])
            check.setdefault(group, []).append(entries)
    if "foundations" in layout:
        layout["foundations"] = [pile[-1] if pile else None for pile in layout["foundations"]]
    return layout, check
