"""Walter: positions that cannot be won any more, found by playing with too much freedom.

In this easier game a card leaves its fan as soon as any base pile can come to want its rank, or another free card of
its rank can take it, and it stays to serve all base piles. Who cannot win even so has lost.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search.jit import Ints, kernel

FANS, BASES = 13, 4

WANTED = np.zeros((BASES, 14), dtype=np.int64)
"""The rank that a base pile of so many cards takes next, 0 for none."""
for _base in range(BASES):
    for _count in range(13):
        WANTED[_base, _count] = ((_count + 1) * (_base + 1) - 1) % 13 + 1


@kernel
def top_shift(fan: int) -> int:
    """Bits below the free card of a fan that is not empty."""
    if fan >> 12:
        return 12
    if fan >> 8:
        return 8
    if fan >> 4:
        return 4
    return 0


@kernel
def hopeless(fans: Ints, bases: Ints) -> bool:
    """Is the position lost even in the easier game?"""
    rest = fans.copy()
    piles = bases.copy()
    free = np.zeros(14, dtype=np.int64)  # by rank: cards that lie free at some time
    takers = np.zeros(14, dtype=np.int64)  # those of them on which another card can lie down
    asked = 0  # a bit for each rank that a base pile comes to want
    for base in range(BASES):
        asked |= 1 << WANTED[base, piles[base]]
    for fan in range(FANS):
        if rest[fan]:
            shift = top_shift(rest[fan])
            free[rest[fan] >> shift] += 1
            takers[rest[fan] >> shift] += shift < 12
    again = True
    while again:
        again = False
        for fan in range(FANS):
            while rest[fan]:
                shift = top_shift(rest[fan])
                rank = rest[fan] >> shift
                if not (asked >> rank) & 1 and takers[rank] - (shift < 12) <= 0:
                    break
                again = True
                rest[fan] &= (1 << shift) - 1
                if rest[fan]:
                    shift = top_shift(rest[fan])
                    free[rest[fan] >> shift] += 1
                    takers[rest[fan] >> shift] += 1
        for base in range(BASES):
            while piles[base] < 13 and free[WANTED[base, piles[base]]] > 0:
                piles[base] += 1
                asked |= 1 << WANTED[base, piles[base]]
                again = True
    left = 0
    for fan in range(FANS):
        left |= rest[fan]
    return left != 0 or piles[0] + piles[1] + piles[2] + piles[3] < 52
