"""Canfield by the common rules, all cards known: depth-first search as for Klondike (see `klondike_kernel`).

Cards are coded by their rank counted from the base rank, so foundations go up from 0. In the columns a card of the base
rank takes one of the last rank if st[PAST] says so, hence the step round the end in `exposed_wrap`. A position is given
by the cards at the *bottom* of the columns, the foundations, the reserve and the stock; which run lies on which equal
card is not stored, for parts of runs move freely. The vectors are those of Klondike, with the bottom cards in the place
of the locked ones.

Moves: TF column to foundation, RF and RP reserve to foundation and onto a column, BM a whole column onto another one,
DF and DP stock to foundation and onto a column, DE stock into an empty column, PE part of a column into an empty one.
An emptied column is filled from the reserve in the same move.
"""

from __future__ import annotations

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.klondike_kernel import (
    CUT,
    DEPTH,
    DRAW,
    ENTRIES,
    EXHAUSTED,
    F0,
    KEY,
    MAX_DEPTH,
    N_DECK,
    NODES,
    PASSES,
    RUNNING,
    TABLE_FULL,
    VIS,
    WASTE,
    WON,
    low_bit,
    next_mask,
    put_back,
    reachable,
    set_foundation,
    swap_colours,
    take,
)
from kibitz.engine.search.table import insert, zobrist

BOTTOM, SPACES, RESERVE, PAST, AUTO = 1, 12, 13, 14, 15  # indexes into the state vector besides those of Klondike
TF, DF, RF, DP, BM, DE, RP, PE = 0, 1, 2, 3, 4, 5, 6, 7
PAIRS = 0x5555555555555  # the lower card of every rank and colour
ALL = (1 << 52) - 1

_Z = zobrist(20265, 52 + 16)


@kernel
def exposed_wrap(vis: int, bottom: int) -> int:
    """All cards of every class that has room for one more card on it."""
    free = vis & ~bottom
    load = swap_colours(((free << 4) & ALL) | (free >> 48))
    odd = ((vis ^ (vis >> 1)) ^ (load ^ (load >> 1))) & PAIRS
    both = ((vis & (vis >> 1)) ^ (load & (load >> 1))) & PAIRS
    return (odd | both) * 3


@kernel
def safe(st: Ints, card: int) -> bool:
    """Can nothing need this card any more, when its foundation wants it?"""
    rank, suit = card >> 2, card & 3
    other = st[F0 + (suit ^ 1)]
    opposite = min(st[F0 + (suit ^ 2)], st[F0 + (suit ^ 3)])
    if rank == 0:
        return st[PAST] == 0
    return opposite >= rank or (rank >= 2 and opposite >= rank - 1 and other >= rank - 1)


@kernel
def unmissed(st: Ints, index: int) -> bool:
    """Does taking this stock card leave all others as reachable as they were?"""
    return st[PASSES] < 0 and (st[DRAW] == 1 or (st[WASTE] == 0 and index == st[N_DECK] - 1))


@kernel
def full_circle(vis: int) -> bool:
    """Do the columns show every rank in both colours? Only then can a run go round the end and meet itself."""
    return (vis | (vis >> 1)) & PAIRS == PAIRS


@kernel
def generate(st: Ints, deck: Ints, reserve: Ints, reach: Ints, out: Ints, start: int) -> int:
    """Write the moves worth trying to out[start:], best first; give the end. A move is index<<10 | card<<4 | kind."""
    vis, bottom = st[VIS], st[BOTTOM]
    exposed = exposed_wrap(vis, bottom)
    wanted = next_mask(st)
    slots = swap_colours(exposed >> 4)
    if st[PAST]:
        slots |= swap_colours((exposed & 15) << 48)
    end = start
    up = vis & exposed & wanted
    left = up
    while left:
        card = low_bit(left)
        left &= left - 1
        if safe(st, card):
            out[start] = card << 4 | TF
            return start + 1
        out[end] = card << 4 | TF
        end += 1
    if st[RESERVE] > 0:
        card = reserve[st[RESERVE] - 1]
        bit = 1 << card
        if bit & wanted:
            if safe(st, card):
                out[start] = card << 4 | RF
                return start + 1
            out[end] = card << 4 | RF
            end += 1
        if bit & slots:
            out[end] = card << 4 | RP
            end += 1
    left = bottom & slots
    while left:
        out[end] = low_bit(left) << 4 | BM
        end += 1
        left &= left - 1
    count = reachable(st, reach)
    for i in range(count):
        card = deck[reach[i] >> 1]
        if (1 << card) & wanted:
            if unmissed(st, reach[i] >> 1) and safe(st, card):
                out[start] = reach[i] << 10 | card << 4 | DF
                return start + 1
            out[end] = reach[i] << 10 | card << 4 | DF
            end += 1
    for i in range(count):
        card = deck[reach[i] >> 1]
        if (1 << card) & slots:
            out[end] = reach[i] << 10 | card << 4 | DP
            end += 1
        if st[SPACES] > 0:
            out[end] = reach[i] << 10 | card << 4 | DE
            end += 1
    if st[SPACES] > 0:
        left = vis & ~bottom
        while left:
            out[end] = low_bit(left) << 4 | PE
            end += 1
            left &= left - 1
    return end


@kernel
def fill(st: Ints, reserve: Ints) -> int:
    """A column has become empty: the reserve fills it. Gives 2, or 1 if the reserve is gone."""
    count = st[RESERVE]
    if count == 0:
        st[SPACES] += 1
        return 1
    card = reserve[count - 1]
    st[RESERVE] = count - 1
    st[VIS] |= 1 << card
    st[BOTTOM] |= 1 << card
    st[KEY] ^= _Z[card] ^ _Z[52 + count] ^ _Z[52 + count - 1]
    return 2


@kernel
def unfill(st: Ints, reserve: Ints, how: int) -> None:
    """Undo `fill`."""
    if how == 1:
        st[SPACES] -= 1
        return
    count = st[RESERVE] + 1
    card = reserve[count - 1]
    st[RESERVE] = count
    st[VIS] &= ~(1 << card)
    st[BOTTOM] &= ~(1 << card)
    st[KEY] ^= _Z[card] ^ _Z[52 + count] ^ _Z[52 + count - 1]


@kernel
def pop_reserve(st: Ints, step: int) -> None:
    """Take the reserve's top card (-1) or put it back (1)."""
    st[KEY] ^= _Z[52 + st[RESERVE]] ^ _Z[52 + st[RESERVE] + step]
    st[RESERVE] += step


@kernel
def set_bottom(st: Ints, card: int) -> None:
    """The card becomes a bottom card, or no longer is one."""
    st[BOTTOM] ^= 1 << card
    st[KEY] ^= _Z[card]


@kernel
def make(st: Ints, reserve: Ints, deck: Ints, move: int) -> int:
    """Carry out a move; the result is needed to take it back."""
    kind, card = move & 15, (move >> 4) & 63
    bit = 1 << card
    undo = 0
    if kind == TF:
        set_foundation(st, card, 1)
        st[VIS] &= ~bit
        if st[BOTTOM] & bit:
            set_bottom(st, card)
            undo = fill(st, reserve)
    elif kind == BM:
        set_bottom(st, card)
        undo = fill(st, reserve)
    elif kind in (RF, RP):
        pop_reserve(st, -1)
        if kind == RF:
            set_foundation(st, card, 1)
        else:
            st[VIS] |= bit
    elif kind == PE:
        set_bottom(st, card)
        st[SPACES] -= 1
    else:
        undo = st[WASTE]
        take(st, deck, move >> 11, (move >> 10) & 1)
        if kind == DF:
            set_foundation(st, card, 1)
        else:
            st[VIS] |= bit
            if kind == DE:
                set_bottom(st, card)
                st[SPACES] -= 1
    return undo


@kernel
def unmake(st: Ints, reserve: Ints, deck: Ints, move: int, undo: int) -> None:
    """Take a move back."""
    kind, card = move & 15, (move >> 4) & 63
    bit = 1 << card
    if kind == TF:
        if undo:
            unfill(st, reserve, undo)
            set_bottom(st, card)
        st[VIS] |= bit
        set_foundation(st, card, -1)
    elif kind == BM:
        unfill(st, reserve, undo)
        set_bottom(st, card)
    elif kind in (RF, RP):
        if kind == RF:
            set_foundation(st, card, -1)
        else:
            st[VIS] &= ~bit
        pop_reserve(st, 1)
    elif kind == PE:
        st[SPACES] += 1
        set_bottom(st, card)
    else:
        if kind == DF:
            set_foundation(st, card, -1)
        else:
            st[VIS] &= ~bit
            if kind == DE:
                st[SPACES] += 1
                set_bottom(st, card)
        put_back(st, deck, card, move >> 11, (move >> 10) & 1, undo)


@kernel
def search(
    st: Ints, reserve: Ints, deck: Ints, reach: Ints, ctl: Ints, frames: Ints, moves: Ints, table: Ints, limit: int
) -> int:
    """Go on with the search for at most `limit` moves; frames and status as in `klondike_kernel.search`."""
    depth = ctl[DEPTH]
    nodes = 0
    left = table.shape[0] // 2 - ctl[ENTRIES]
    if depth < 0:
        insert(table, st[KEY])
        depth = 0
        frames[0, 0] = 0
        frames[0, 1] = generate(st, deck, reserve, reach, moves, 0)
    status = RUNNING
    while True:
        if frames[depth, 0] == frames[depth, 1]:
            if depth == 0:
                status = EXHAUSTED
                break
            unmake(st, reserve, deck, frames[depth, 2], frames[depth, 3])
            depth -= 1
            continue
        if nodes >= limit:
            break
        if left <= 0:
            status = TABLE_FULL
            break
        move = moves[frames[depth, 0]]
        frames[depth, 0] += 1
        undo = make(st, reserve, deck, move)
        nodes += 1
        if not insert(table, st[KEY]):
            unmake(st, reserve, deck, move, undo)
            continue
        left -= 1
        ctl[ENTRIES] += 1
        depth += 1
        frames[depth, 2] = move
        frames[depth, 3] = undo
        if st[F0] + st[F0 + 1] + st[F0 + 2] + st[F0 + 3] == 52:
            status = WON
            break
        start = frames[depth - 1, 1]
        frames[depth, 0] = start
        frames[depth, 1] = start
        if depth == MAX_DEPTH - 1 or (st[PAST] and full_circle(st[VIS])):
            ctl[CUT] = 1
        else:
            frames[depth, 1] = generate(st, deck, reserve, reach, moves, start)
    ctl[DEPTH] = depth
    ctl[NODES] += nodes
    return status
