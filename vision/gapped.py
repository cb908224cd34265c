"""Columns in two parts: the farthest face-down card and the open cards, with backs between them that nobody found.

A column of many face-down cards is longer than a card. Where the coarse network finds the farthest of them only, it
does not touch the first open card; on the table it looks like a pile of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kibitz.vision.chains import Chain

ACROSS, LEAN = 0.3, 0.1
"""Card widths by which the parts of a column may lie beside each other, and more of it for each card height between."""
DEEP = 2.2
"""Card heights that unseen face-down cards may take."""
SAME_ROW = 0.5
"""Card heights within which piles begin one row."""


def joinings(chains: list[Chain]) -> Iterator[list[Chain]]:
    """The chains as they are, then with the two parts of columns joined: below the farthest row only, and everywhere.

    The stock lies straight above a column too; which of the ways is right, the fit to the plan tells.
    """
    yield chains
    if not chains:
        return
    far = min(float(chain.start[1]) for chain in chains)
    pairs = _pairs(chains)
    lower = {a: b for a, b in pairs.items() if float(chains[a].start[1]) > far + SAME_ROW}
    for chosen in (lower, pairs):
        if chosen and (chosen is lower or chosen != lower):
            yield _joined(chains, chosen)


def _pairs(chains: list[Chain]) -> dict[int, int]:
    """Numbers of chains of backs, each with the nearest chain of open cards straight below it."""
    pairs: dict[int, int] = {}
    for a, back in enumerate(chains):
        if back.face_down < len(back):
            continue
        below = []
        for b, open_cards in enumerate(chains):
            step = open_cards.points[0] - back.points[-1]
            if open_cards.face_down == 0 and 0 < step[1] < DEEP and abs(step[0]) < ACROSS + LEAN * step[1]:
                below.append((float(step[1]), b))
        if below and min(below)[1] not in pairs.values():
            pairs[a] = min(below)[1]
    return pairs


def _joined(chains: list[Chain], pairs: dict[int, int]) -> list[Chain]:
    joined = [
        Chain(
            (*chains[a].cards, *chains[b].cards),
            np.concatenate([chains[a].points, chains[b].points]),
            chains[a].face_down,
        )
        for a, b in pairs.items()
    ]
    return [chain for n, chain in enumerate(chains) if n not in pairs and n not in pairs.values()] + joined
