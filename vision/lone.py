"""Piles of backs that the coarse network saw only faintly: their place in the plan vouches for them.

A lone card face down is the hardest thing for the coarse network: no index, often no border, sometimes taken for a
face. It mostly gives an outline all the same. One of a card's size and direction, without any index, at a place where
the plan expects backs and nothing else was found, is such a pile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.vision import geometry
from kibitz.vision.chains import Doubles, PlayerFrame
from kibitz.vision.types import CardOutlines, FloatArray, TableCard

SIZES = 0.72, 1.42
"""Sides that a faint outline may have, in a card's; the network is no better at them than at its score."""
TURN = 30.0
"""Degrees that it may be turned against the others."""
TOUCH = 0.25
"""Share of a card that it may have in common with a card seen clearly."""
NEAR = 0.55
"""Card widths and heights within which it lies at a place."""
OUTSIDE = 2.5
"""Card widths and heights beyond all other cards at which it belongs to no table any more."""


@dataclass(frozen=True, slots=True, eq=False)  # told apart by identity: arrays have no one truth value
class LoneBack:
    """One faint outline that may be a pile of backs.

    Attributes:
        corners: (4, 2) in pixels of the displayed picture.
        middle: (2,) card widths to the right and card heights towards the player.
        score: of the outline.
    """

    corners: FloatArray
    middle: Doubles
    score: float


def lone_backs(faint: CardOutlines, cards: Sequence[TableCard], player: PlayerFrame) -> list[LoneBack]:
    """The faint outlines that may be piles of backs, the clearest first.

    Args:
        faint: outlines without an index that no card explains.
        cards: of the reading.
        player: how the table lies.
    """
    shown = [player.place(card.corners) for card in cards if card.corners is not None]
    if not len(faint) or not shown:
        return []
    middles = np.stack([quad.mean(axis=0) for quad in shown])
    low, high = middles.min(axis=0) - OUTSIDE, middles.max(axis=0) + OUTSIDE
    found = []
    for row in np.argsort(-faint.scores):
        placed = player.place(faint.quads[row])
        middle = placed.mean(axis=0)
        if not _like_a_card(placed) or (middle < low).any() or (middle > high).any():
            continue
        quad = np.asarray(placed, np.float32)
        near = [other for other in shown if float(np.abs(other.mean(axis=0) - middle).max()) < 1.0]
        if all(geometry.overlap(quad, np.asarray(other, np.float32)) < TOUCH for other in near):
            found.append(LoneBack(faint.quads[row], middle, float(faint.scores[row])))
    return found


def nearest(backs: Sequence[LoneBack], point: Doubles, across: float = NEAR) -> LoneBack | None:
    """The clearest of them at a place, or None.

    Args:
        backs: the clearest first.
        point: (2,) where it should lie, card widths and heights.
        across: card widths that it may lie beside it.
    """
    here = [b for b in backs if abs(b.middle[0] - point[0]) < across and abs(b.middle[1] - point[1]) < NEAR]
    return max(here, key=lambda back: back.score, default=None)


def _like_a_card(placed: Doubles) -> bool:
    """Whether a quad in card widths and heights is about one card, upright or upside down."""
    flat = np.asarray(placed * [0.7, 1.0], np.float32)[None]
    wide, tall = float(geometry.widths(flat)[0]) / 0.7, float(geometry.heights(flat)[0])
    down = geometry.down_vectors(flat)[0]
    turn = abs(np.degrees(np.arctan2(float(down[0]), abs(float(down[1])))))
    return SIZES[0] < min(wide, tall) and max(wide, tall) < SIZES[1] and turn < TURN
