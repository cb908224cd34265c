"""Klondike by the common rules: the moves of a position whose runs are not stored.

When parts of runs may move, face-up runs that lie on free parents can be rearranged at will. So a position is fully
given by: how many cards of each column are still *locked* (face down, or the lowest face-up card of a column: it cannot
be part of another run), the foundations, and the stock. Which run lies on which of two equal parents is not stored.
A class (rank and colour) is *exposed* when it has more cards face up than the free cards of the next lower rank that
must lie on it.

Moves: PS pile to foundation, DS stock to foundation, SP foundation to pile, DP stock to pile, RV a locked card (with
its run) onto another column. Stock cards are moved directly when dealing can reach them.

What is left out, and why nothing is lost:
* a card that no lower card can still need goes to a foundation at once (`safe_mask`);
* when a free card could go to a foundation, every move that does not need it in its place can as well be made after
  it has gone; so only its going, what lies down on it, and what needs its suit's foundation lower are tried;
* a stock position from which the same cards can be reached is the same position.
"""

from __future__ import annotations

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.klondike_parts import (
    _Z,
    BACK,
    DRAW,
    F0,
    KEY,
    KINGS,
    LOCKED,
    N_DECK,
    N_LOCKED,
    PAIRS,
    PASSES,
    PILES,
    VIS,
    WASTE,
    Z_HIDDEN,
    World,
    exposed_mask,
    foundation_tops,
    low_bit,
    next_mask,
    put_back,
    reachable,
    set_foundation,
    swap_colours,
    take,
)

PS, DS, SP, DP, RV = 0, 1, 2, 3, 4


@kernel
def safe_mask(st: Ints) -> int:
    """Cards that nothing can need any more once the foundations want them."""
    mask = 0
    black = min(st[F0], st[F0 + 1])
    red = min(st[F0 + 2], st[F0 + 3])
    limit_black = min(red + 1, black + 2)
    limit_red = min(black + 1, red + 2)
    for rank in range(13):
        if rank <= limit_black:
            mask |= 3 << (rank * 4)
        if rank <= limit_red:
            mask |= 12 << (rank * 4)
    return mask


@kernel
def free_kings(st: Ints) -> int:
    """How many kings stand at the bottom of a column with nothing face down under them."""
    mask = (st[VIS] & ~st[LOCKED]) >> 48
    return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1)


@kernel
def room(vis: int, locked: int, card: int) -> int:
    """How many more cards the class of `card` can take."""
    rank, colour = card >> 2, (card >> 1) & 1
    mine = (vis >> (rank * 4 + colour * 2)) & 3
    held = (mine & 1) + (mine >> 1)
    if rank > 0:
        load = ((vis & ~locked) >> ((rank - 1) * 4 + (1 - colour) * 2)) & 3
        held -= (load & 1) + (load >> 1)
    return held


@kernel
def write_all(mask: int, kind: int, out: Ints, end: int) -> int:
    """Write one move of this kind for every card of the mask; give the end."""
    while mask:
        out[end] = low_bit(mask) << 4 | kind
        end += 1
        mask &= mask - 1
    return end


@kernel
def write_stock(deck: Ints, reach: Ints, count: int, mask: int, kind: int, out: Ints, end: int) -> int:
    """Write one move of this kind for every card within reach that the mask has; give the end."""
    for i in range(count):
        card = deck[reach[i] >> 1]
        if (1 << card) & mask:
            out[end] = reach[i] << 10 | card << 4 | kind
            end += 1
    return end


@kernel
def safe_stock_move(st: Ints, deck: Ints, reach: Ints, count: int, mask: int) -> int:
    """The move of a safe card from the stock to its foundation that takes nothing else out of reach, or -1."""
    if st[PASSES] < 0:
        for i in range(count):
            index = reach[i] >> 1
            if (1 << deck[index]) & mask and (st[DRAW] == 1 or (st[WASTE] == 0 and index == st[N_DECK] - 1)):
                return reach[i] << 10 | deck[index] << 4 | DS
    return -1


@kernel
def common_moves(st: Ints, deck: Ints, reach: Ints, out: Ints, start: int) -> int:
    """Write the moves worth trying; see `klondike_kernel.generate`. A move is index<<10 | card<<4 | kind."""
    vis, locked = st[VIS], st[LOCKED]
    exposed = exposed_mask(vis, locked)
    wanted = next_mask(st)
    safe = safe_mask(st)
    up = vis & exposed & wanted
    if up & safe:
        out[start] = low_bit(up & safe) << 4 | PS
        return start + 1
    slots = swap_colours(exposed >> 4)
    if st[N_LOCKED] + free_kings(st) < st[PILES]:
        slots |= KINGS
    count = reachable(st, reach)
    sure = safe_stock_move(st, deck, reach, count, wanted & safe)
    if sure >= 0:
        out[start] = sure
        return start + 1
    tops = foundation_tops(st) & ~safe if st[BACK] else 0
    back = tops & slots
    idle = up & ~locked if st[BACK] else 0
    if idle:
        card = low_bit(idle)
        bit = 1 << card
        slots = swap_colours((PAIRS & (bit | (bit >> 1))) * 3 >> 4) if room(vis, locked, card) == 1 else 0
        back = (tops & slots) | (back & (bit >> 4) & tops)
        up = bit
    end = write_all(up & locked, PS, out, start)
    end = write_all(vis & locked & slots, RV, out, end)
    if not idle:
        end = write_stock(deck, reach, count, wanted, DS, out, end)
    end = write_all(up & ~locked, PS, out, end)
    end = write_stock(deck, reach, count, slots & ~(safe & wanted), DP, out, end)
    return write_all(back, SP, out, end)


@kernel
def unlock(world: World, card: int) -> int:
    """The locked `card` leaves its column: the card under it turns up. Gives the old count of the column."""
    st, hcnt = world.st, world.hcnt
    pile = world.pile_of[card]
    old = hcnt[pile]
    new = old - 1
    st[LOCKED] &= ~(1 << card)
    if new > 0:
        below = world.hid[pile, new - 1]
        st[VIS] |= 1 << below
        if new == 1 and below >= 48:
            new = 0
        else:
            st[LOCKED] |= 1 << below
    hcnt[pile] = new
    if new == 0:
        st[N_LOCKED] -= 1
    st[KEY] ^= _Z[Z_HIDDEN + pile * 32 + old] ^ _Z[Z_HIDDEN + pile * 32 + new]
    return old


@kernel
def relock(world: World, card: int, old: int) -> None:
    """Undo `unlock`."""
    st, hcnt = world.st, world.hcnt
    pile = world.pile_of[card]
    new = hcnt[pile]
    if old > 1:
        below = world.hid[pile, old - 2]
        st[VIS] &= ~(1 << below)
        st[LOCKED] &= ~(1 << below)
    if new == 0:
        st[N_LOCKED] += 1
    hcnt[pile] = old
    st[LOCKED] |= 1 << card
    st[KEY] ^= _Z[Z_HIDDEN + pile * 32 + old] ^ _Z[Z_HIDDEN + pile * 32 + new]


@kernel
def common_make(world: World, move: int) -> int:
    """Carry out a move; see `klondike_kernel.make`."""
    st = world.st
    kind, card = move & 15, (move >> 4) & 63
    bit = 1 << card
    undo = 0
    if kind == PS:
        set_foundation(st, card, 1)
        if st[LOCKED] & bit:
            undo = unlock(world, card)
        st[VIS] &= ~bit
    elif kind == RV:
        undo = unlock(world, card)
    elif kind == SP:
        set_foundation(st, card, -1)
        st[VIS] |= bit
    else:
        undo = st[WASTE]
        take(st, world.deck, move >> 11, (move >> 10) & 1)
        if kind == DS:
            set_foundation(st, card, 1)
        else:
            st[VIS] |= bit
    return undo


@kernel
def common_unmake(world: World, move: int, undo: int) -> None:
    """Take a move back."""
    st = world.st
    kind, card = move & 15, (move >> 4) & 63
    bit = 1 << card
    if kind == PS:
        st[VIS] |= bit
        if undo:
            relock(world, card, undo)
        set_foundation(st, card, -1)
    elif kind == RV:
        relock(world, card, undo)
    elif kind == SP:
        st[VIS] &= ~bit
        set_foundation(st, card, 1)
    else:
        if kind == DS:
            set_foundation(st, card, -1)
        else:
            st[VIS] &= ~bit
        put_back(st, world.deck, card, move >> 11, (move >> 10) & 1, undo)
