"""How many face-down cards lie under the face-up ones of a column: by a close look at the strips of their backs.

What the strips leave open, the places of the columns and the deal decide (see `dealt`); such a number is inferred.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kibitz.vision.chains import Chain, PlayerFrame
from kibitz.vision.dealt import Column, settle
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
        inferred: True where the strips alone did not tell this number.
    """

    cards: tuple[PlacedCard, ...]
    confidence: float
    choices: tuple[int, ...]
    inferred: bool = False

    @property
    def clear(self) -> bool:
        """Whether the number need not be asked for."""
        return self.confidence >= SURE


@dataclass(frozen=True, slots=True)
class Counts:
    """The face-down cards of all columns of a table.

    Attributes:
        columns: one for each chain.
        strangeness: how badly the columns together fit the deal, for each column; only differences between ways to lay
            the same cards mean anything.
    """

    columns: tuple[HiddenCount, ...]
    strangeness: float = 0.0


class Looked:
    """The looks at the columns of one picture, each column looked at once."""

    def __init__(
        self, look: Look | None, cards: Sequence[TableCard], player: PlayerFrame, known: int | None = None
    ) -> None:
        """Keeps what is needed for looking; cards from number `known` on were seen faintly only."""
        self._look, self.cards, self._player = look, cards, player
        self.known = len(cards) if known is None else known
        self._known: dict[tuple[int, ...], FloatArray] = {}

    def chances(self, chains: Sequence[Chain]) -> FloatArray | None:
        """(N, MOST + 1) probabilities of the backs above each chain's anchor card; None where nobody looks."""
        if self._look is None:
            return None
        new = [chain for chain in chains if chain.cards not in self._known]
        if new:
            areas = np.stack([area(chain, _anchor(chain, self.cards), self._player) for chain in new])
            self._known |= {chain.cards: row for chain, row in zip(new, self._look(areas), strict=True)}
        return np.stack([self._known[chain.cards] for chain in chains])


def count(
    chains: Sequence[Chain],
    cards: Sequence[TableCard],
    player: PlayerFrame,
    look: Look | None,
) -> list[HiddenCount]:
    """Counts the face-down cards at the covered end of every chain, without the deal.

    Args:
        chains: columns that run towards the player.
        cards: of the table.
        player: how the table lies.
        look: tells the number of strips; None = only the outlines of whole cards are counted, and nothing is sure.
    """
    return list(counts(chains, (None,) * len(chains), Looked(look, cards, player)).columns)


def counts(chains: Sequence[Chain], deal: Sequence[int | None], looked: Looked) -> Counts:
    """Counts the face-down cards at the covered end of every chain.

    Args:
        chains: columns that run towards the player.
        deal: for each the face-down cards that the deal gives it, or None.
        looked: the looks at the strips.
    """
    if not chains:
        return Counts(())
    cards = looked.cards
    anchors = [_anchor(chain, cards) for chain in chains]
    over = _over(chains, anchors)
    found = [[placed(cards[k], looked.known) for k in c.cards if not cards[k].face_up] for c in chains]
    chances = looked.chances(chains)
    if chances is None:
        return Counts(tuple(_counted(seen, len(seen), 0.0, ()) for seen in found))
    settled, strangeness = np.asarray(chances, np.float64), 0.0
    if any(dealt is not None for dealt in deal):
        columns = [
            Column(float(chain.points[anchor][0]), float(chain.points[anchor][1]), extra, dealt)
            for chain, anchor, extra, dealt in zip(chains, anchors, over, deal, strict=True)
        ]
        settled, evidence = settle(columns, settled)
        strangeness = -evidence / len(columns)
    made = zip(found, over, chances, settled, strict=True)
    return Counts(tuple(_judged(seen, extra, seen_row, row) for seen, extra, seen_row, row in made), strangeness)


def _judged(seen: Sequence[PlacedCard], extra: int, looked: FloatArray, row: NDArray[np.float64]) -> HiddenCount:
    """One column's number from the probabilities by the strips alone and by all that is known."""
    order = np.argsort(-row)
    number = int(order[0])
    choices = tuple(int(k) + extra for k in order[:3] if row[k] >= 0.02)
    # The last answer of the network stands for "so many or more".
    confidence = float(row[number]) if number < MOST else 0.0
    inferred = bool(confidence >= SURE and float(looked[number]) < SURE)
    return replace(_counted(seen, number + extra, confidence, choices), inferred=inferred)


def area(chain: Chain, anchor: int, player: PlayerFrame) -> FloatArray:
    """(4, 2) where to look in the picture: the column from a little below the anchor card's upper edge upwards."""
    x, y = (float(value) for value in chain.points[anchor])
    left, right, far, near = x - ACROSS / 2, x + ACROSS / 2, y - 0.5 - ABOVE, y - 0.5 + BELOW
    return player.picture(np.asarray([[left, far], [right, far], [right, near], [left, near]]))


def with_backs(pile: tuple[PlacedCard, ...], backs: Sequence[PlacedCard]) -> tuple[PlacedCard, ...]:
    """The pile with these face-down cards at its covered end instead of those it had there."""
    first = next((k for k, placed in enumerate(pile) if placed.face_up), len(pile))
    return (*backs, *pile[first:])


def placed(card: TableCard, known: int) -> PlacedCard:
    """A card at its place; one that is none of the reading's, which has `known` cards, is only an outline there."""
    return PlacedCard(card if card.id < known else None, card.face_up, card.corners)


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
