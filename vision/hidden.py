"""How many face-down cards lie under the face-up ones of a column: by a close look at the strips of their backs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.vision.chains import Chain, PlayerFrame
from kibitz.vision.strips import ABOVE, ACROSS, BELOW, MOST
from kibitz.vision.types import FloatArray, PlacedCard, TableCard

SURE = 0.95
"""Below this probability a count is asked for."""

Look = Callable[[FloatArray], FloatArray]
"""(N, 4, 2) places of the picture, see `area` -> (N, MOST + 1) probabilities of the number of backs there."""


@dataclass(frozen=True, slots=True)
class HiddenCount:
    """The face-down cards of one column.

    Attributes:
        cards: so many as are likeliest, with the outlines of those that were found as whole cards.
        confidence: probability of that number; 0 where nobody looked.
        choices: the likely numbers, best first.
    """

    cards: tuple[PlacedCard, ...]
    confidence: float
    choices: tuple[int, ...]

    @property
    def clear(self) -> bool:
        """Whether the number need not be asked for."""
        return self.confidence >= SURE


def count(
    chains: Sequence[Chain], cards: Sequence[TableCard], player: PlayerFrame, look: Look | None
) -> list[HiddenCount]:
    """Counts the face-down cards at the covered end of every chain.

    Args:
        chains: columns that run towards the player.
        cards: of the table.
        player: how the table lies.
        look: tells the number of strips; None = only the outlines of whole cards are counted, and nothing is sure.
    """
    if not chains:
        return []
    anchors = [_anchor(chain, cards) for chain in chains]
    over = _over(chains, anchors)
    found = [[PlacedCard(cards[k], False, cards[k].corners) for k in c.cards if not cards[k].face_up] for c in chains]
    if look is None:
        return [_counted(seen, len(seen), 0.0, ()) for seen in found]
    chances = look(np.stack([area(chain, n, player) for chain, n in zip(chains, anchors, strict=True)]))
    counts = []
    for seen, extra, row in zip(found, over, chances, strict=True):
        order = np.argsort(-row)
        number = int(order[0])
        choices = tuple(int(k) + extra for k in order[:3] if row[k] >= 0.02)
        # The last answer of the network stands for "so many or more".
        confidence = float(row[number]) if number < MOST else 0.0
        counts.append(_counted(seen, number + extra, confidence, choices))
    return counts


def area(chain: Chain, anchor: int, player: PlayerFrame) -> FloatArray:
    """(4, 2) where to look in the picture: the column from a little below the anchor card's upper edge upwards."""
    x, y = (float(value) for value in chain.points[anchor])
    left, right, far, near = x - ACROSS / 2, x + ACROSS / 2, y - 0.5 - ABOVE, y - 0.5 + BELOW
    return player.picture(np.asarray([[left, far], [right, far], [right, near], [left, near]]))


def with_backs(pile: tuple[PlacedCard, ...], backs: Sequence[PlacedCard]) -> tuple[PlacedCard, ...]:
    """The pile with these face-down cards at its covered end instead of those it had there."""
    first = next((k for k, placed in enumerate(pile) if placed.face_up), len(pile))
    return (*backs, *pile[first:])


def _anchor(chain: Chain, cards: Sequence[TableCard]) -> int:
    """Place in the chain of the first face-up card, or of the last card where all lie face down."""
    return next((n for n, k in enumerate(chain.cards) if cards[k].face_up), len(chain) - 1)


def _over(chains: Sequence[Chain], anchors: Sequence[int]) -> list[int]:
    """1 for each chain whose anchor card itself lies face down: it counts, but is not above itself."""
    return [int(chain.face_down > anchor) for chain, anchor in zip(chains, anchors, strict=True)]


def _counted(seen: Sequence[PlacedCard], number: int, confidence: float, choices: tuple[int, ...]) -> HiddenCount:
    """So many cards: the seen ones nearest to the player, and before them cards that nobody saw as wholes."""
    kept = tuple(seen[len(seen) - min(number, len(seen)) :])
    unseen = (PlacedCard(None, False, None),) * (number - len(kept))
    return HiddenCount((*unseen, *kept), confidence, choices or (number,))
