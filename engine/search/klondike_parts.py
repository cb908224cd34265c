"""What the kernels of Klondike and Canfield share: card masks, stock, foundations, the arrays of a position.

Cards are coded rank0 * 4 + suit with the suits in the order C S D H, so that a colour is a pair of neighbouring bits
of one 52-bit mask; a *class* is such a pair (rank and colour).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.table import zobrist

# state: indexes into the vector `st`
VIS, LOCKED, F0, N_DECK, WASTE, PASSES, DRAW, BACK, KEY, N_LOCKED, PILES, TEXT = 0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 14
STATE_SIZE = 16
# search control: indexes into the vector `ctl`; with SURE set a search also ends at positions that win by themselves
DEPTH, NODES, ENTRIES, CUT, SURE = 0, 1, 2, 3, 4
CTL_SIZE = 8
RUNNING, WON, EXHAUSTED, TABLE_FULL = 0, 1, 2, 3
MAX_DEPTH = 600
MAX_HIDDEN = 24
MOVES_A_DEPTH = 60
# rules, as bits of st[TEXT]: 0 is the common rules
WHOLE_RUNS, AUTO_ACES, KINGS_ONLY, END_CARD = 1, 2, 4, 8

ALL = (1 << 52) - 1
PAIRS = 0x5555555555555  # the lower card of every class
LOW_COLOUR = 0x3333333333333  # the black cards
KINGS = 0xF << 48
ACES = 0xF
NO_CARD = 62  # a place without a card

_BIT = np.zeros(67, dtype=np.int64)
for _i in range(62):
    _BIT[(1 << _i) % 67] = _i
_Z = zobrist(20261, 52 + 64 + 64 + 8 * 32 + 64)
Z_DECK, Z_WASTE, Z_FOUND, Z_HIDDEN, Z_PASS = 0, 52, 116, 180, 436


class World(NamedTuple):
    """A position with all cards known, as the arrays that the kernels change."""

    st: Ints
    """Numbers and masks, see the indexes above."""
    hid: Ints
    """Cards of each column from the table on: the locked ones, or all of them where whole runs move."""
    hcnt: Ints
    """How many cards of each column are locked (whole runs: face down); the second half has their lengths."""
    pile_of: Ints
    """The column of every locked card."""
    deck: Ints
    """Waste, then stock, in the order in which they are dealt."""


class Work(NamedTuple):
    """What a search needs besides the position."""

    ctl: Ints
    frames: Ints
    """Rows (next move, end of moves, move made, undo)."""
    moves: Ints
    table: Ints


@kernel
def low_bit(mask: int) -> int:
    """Index of the lowest set bit of a non-zero mask."""
    return _BIT[(mask & -mask) % 67]


@kernel
def swap_colours(mask: int) -> int:
    """The same ranks in the other colour."""
    return ((mask & LOW_COLOUR) << 2) | ((mask >> 2) & LOW_COLOUR)


@kernel
def exposed_mask(vis: int, locked: int) -> int:
    """All cards of every class that has room for one more card on it."""
    free = vis & ~locked
    load = swap_colours(free << 4)
    odd = ((vis ^ (vis >> 1)) ^ (load ^ (load >> 1))) & PAIRS
    both = ((vis & (vis >> 1)) ^ (load & (load >> 1))) & PAIRS
    return (odd | both) * 3


@kernel
def next_mask(st: Ints) -> int:
    """The cards the foundations want next."""
    mask = 0
    for suit in range(4):
        height = st[F0 + suit]
        if height < 13:
            mask |= 1 << (height * 4 + suit)
    return mask


@kernel
def foundation_tops(st: Ints) -> int:
    """The cards on top of the foundations."""
    mask = 0
    for suit in range(4):
        height = st[F0 + suit]
        if height > 0:
            mask |= 1 << ((height - 1) * 4 + suit)
    return mask


@kernel
def reachable(st: Ints, out: Ints) -> int:
    """Write index * 2 + (1 if it costs a turnover) of every stock card that dealing can bring up; give their number."""
    n, waste, draw = st[N_DECK], st[WASTE], st[DRAW]
    count = 0
    if n == 0:
        return 0
    if waste > 0:
        out[count] = (waste - 1) * 2
        count += 1
    at = waste + draw
    while at < n:
        out[count] = (at - 1) * 2
        count += 1
        at += draw
    if waste < n:
        out[count] = (n - 1) * 2
        count += 1
    if st[PASSES] != 0 and waste > 0:
        cost = 0 if st[PASSES] < 0 else 1
        aligned = waste % draw == 0
        at = draw
        while at < n:
            known = at == waste or (at > waste and aligned)
            if not known:
                out[count] = (at - 1) * 2 + cost
                count += 1
            at += draw
    return count


@kernel
def canonical_waste(st: Ints) -> None:
    """With unlimited turnovers, a waste from which the same cards are reached as from a full stock counts as empty."""
    if st[PASSES] < 0 and (st[WASTE] % st[DRAW] == 0 or st[WASTE] == st[N_DECK]):
        st[WASTE] = 0


@kernel
def take(st: Ints, deck: Ints, index: int, cost: int) -> None:
    """Remove the stock card at `index`; the waste then ends before it."""
    n = st[N_DECK]
    st[KEY] ^= _Z[Z_DECK + deck[index]] ^ _Z[Z_WASTE + st[WASTE]]
    for i in range(index, n - 1):
        deck[i] = deck[i + 1]
    st[N_DECK] = n - 1
    st[WASTE] = index
    if cost:
        st[KEY] ^= _Z[Z_PASS + st[PASSES]]
        st[PASSES] -= 1
        st[KEY] ^= _Z[Z_PASS + st[PASSES]]
    canonical_waste(st)
    st[KEY] ^= _Z[Z_WASTE + st[WASTE]]


@kernel
def put_back(st: Ints, deck: Ints, card: int, index: int, cost: int, waste: int) -> None:
    """Undo `take`."""
    st[KEY] ^= _Z[Z_DECK + card] ^ _Z[Z_WASTE + st[WASTE]]
    if cost:
        st[KEY] ^= _Z[Z_PASS + st[PASSES]]
        st[PASSES] += 1
        st[KEY] ^= _Z[Z_PASS + st[PASSES]]
    n = st[N_DECK]
    for i in range(n, index, -1):
        deck[i] = deck[i - 1]
    deck[index] = card
    st[N_DECK] = n + 1
    st[WASTE] = waste
    st[KEY] ^= _Z[Z_WASTE + waste]


@kernel
def set_foundation(st: Ints, card: int, step: int) -> None:
    """Raise (1) or lower (-1) the foundation of the card's suit."""
    suit = card & 3
    height = st[F0 + suit]
    st[KEY] ^= _Z[Z_FOUND + suit * 16 + height] ^ _Z[Z_FOUND + suit * 16 + height + step]
    st[F0 + suit] = height + step
