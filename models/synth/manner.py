"""The usual variations in which people lay a patience: numbers only, drawn from a seed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.registry import get_rules

ABOVE, BESIDE, BELOW = "above", "beside", "below"
LEAST_FAN_STEP = 0.17
"""Card widths: with less the indices of a fan cover each other."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How the cards of a pile follow each other.

    Attributes:
        face: step after a face-up card, card widths and heights.
        back: step after a face-down card.
        turn: degrees from card to card of a curved fan.
        reach: the most that all steps together may take, in the unit of the step.
    """

    face: tuple[float, float] = (0.0, 0.0)
    back: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    reach: float = 99.0

    def most_step(self) -> float:
        """The larger of the steps after a face-up card."""
        return max(abs(self.face[0]), abs(self.face[1]))


@dataclass(frozen=True, slots=True)
class Manner:
    """One variation.

    Attributes:
        game: the patience.
        mirrored: the groups of a row in opposite order.
        foundations: above, beside or below the columns or fans.
        columns: fans or places in a row; columns of Mrs Mop in a row.
        arc: degrees that each card of a fan is turned further; 0 = straight.
        waste_fanned: the last three of the waste side by side.
        reserve_fanned: the reserve spread, so that all of it is seen.
        pitch: card widths from column to column.
        row_pitch: card heights from row to row.
        step: share of a card's height that shows under the next face-up card of a column.
        back_step: the same for face-down cards.
        fan_step: share of a card's width in a fan.
    """

    game: str
    mirrored: bool = False
    foundations: str = ABOVE
    columns: int = 0
    arc: float = 0.0
    waste_fanned: bool = False
    reserve_fanned: bool = False
    pitch: float = 1.15
    row_pitch: float = 1.2
    step: float = 0.26
    back_step: float = 0.08
    fan_step: float = 0.3

    def spread(self, name: PileId) -> Spread:
        """How the pile's cards follow each other.

        Args:
            name: of the pile.
        """
        if name.kind is PileKind.AUXILIARY:
            return Spread((self.fan_step, 0.0), (self.fan_step, 0.0))
        if name.kind is PileKind.RESERVE and self.reserve_fanned:
            return Spread((0.0, max(self.step * 0.8, 0.18)), (0.0, self.back_step))
        if name.kind is not PileKind.TABLEAU or self.game == "eleven-points":
            return Spread()
        if self.game in ("walter", "nineteenth-fan"):
            return Spread((self.fan_step, 0.0), (self.fan_step, 0.0), self.arc)
        return Spread((0.0, self.step), (0.0, self.back_step), reach=3.3)

    def to_json(self) -> dict[str, Any]:
        """The numbers by name."""
        return asdict(self)


_COLUMNS: dict[str, tuple[int, ...]] = {
    "walter": (5, 5, 4, 7),
    "nineteenth-fan": (6, 6, 5, 9),
    "eleven-points": (4, 4, 4, 6),
    "mrs-mop": (13, 13, 13, 13, 13, 7),
}


def random_manner(game: str, rng: np.random.Generator) -> Manner:
    """A variation as somebody may lay it; the plan's own form is the commonest.

    Args:
        game: the patience.
        rng: chooses.
    """
    plan = get_rules(game).plan()
    mirrored = bool(rng.random() < 0.2) and plan.mirror
    foundations = str(rng.choice([ABOVE, BESIDE, BELOW], p=[0.7, 0.15, 0.15]))
    columns = int(rng.choice(_COLUMNS.get(game, (0,))))
    squeezed = rng.random() < 0.25
    return Manner(
        game,
        mirrored,
        foundations,
        columns,
        arc=float(rng.choice([0.0, 0.0, 3.0, 6.0])),
        waste_fanned=bool(rng.random() < 0.4),
        reserve_fanned=bool(rng.random() < 0.25) and game == "canfield",
        pitch=float(rng.uniform(1.07, 1.3)),
        row_pitch=float(rng.uniform(1.1, 1.3)),
        step=float(rng.uniform(0.17, 0.22) if squeezed else rng.uniform(0.21, 0.34)),
        back_step=float(rng.uniform(0.04, 0.14)),
        fan_step=float(rng.uniform(0.2, 0.26) if squeezed else rng.uniform(0.25, 0.4)),
    )
