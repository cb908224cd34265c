"""Klondike by the common rules, all cards known: depth-first search without the table's idle freedom.

When parts of runs may move, face-up runs that lie on free parents can be rearranged at will. So a position is fully
given by: how many cards of each column are still *locked* (face down, or the lowest face-up card of a column: it cannot
be part of another run), the foundations, and the stock. Which run lies on which of two equal parents is not stored.

Cards are coded rank0 * 4 + suit with the suits in the order C S D H, so that a colour is a pair of neighbouring bits
of one 52-bit mask; a *class* is such a pair (rank and colour). A class is *exposed* when it has more cards face up
than the free cards of the next lower rank that must lie on it.

Moves: PS pile to foundation, DS stock to foundation, SP foundation to pile, DP stock to pile, RV a locked card (with
its run) onto another column. Stock cards are moved directly when dealing can reach them.

What is left out, and why nothing is lost:
* a card that no lower card can still need goes to a foundation at once (`safe_mask`);
* when a free card could go to a foundation, every move that does not need it in its place can as well be made after
  it has gone; so only its going, what lies down on it, and what needs its suit's foundation lower are tried;
* a stock position from which the same cards can be reached is the same position.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.table import insert, zobrist

# state: indexes into the vector `st`
VIS, LOCKED, F0, N_DECK, WASTE, PASSES, DRAW, BACK, KEY, N_LOCKED, PILES = 0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 13
STATE_SIZE = 16
# search control: indexes into the vector `ctl`
DEPTH, NODES, ENTRIES, CUT = 0, 1, 2, 3
CTL_SIZE = 8
PS, DS, SP, DP, RV = 0, 1, 2, 3, 4
RUNNING, WON, EXHAUSTED, TABLE_FULL = 0, 1, 2, 3
MAX_DEPTH = 600
MAX_HIDDEN = 24

ALL = (1 << 52) - 1
PAIRS = 0x5555555555555  # the lower card of every class
LOW_COLOUR = 0x3333333333333  # the black cards
KINGS = 0xF << 48

_BIT = np.zeros(67, dtype=np.int64)
for _i in range(62):
    _BIT[(1 << _i) % 67] = _i
_Z = zobrist(20261, 52 + 64 + 64 + 8 * 32 + 64)
Z_DECK, Z_WASTE, Z_FOUND, Z_HIDDEN, Z_PASS = 0, 52, 116, 180, 436


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
def generate(st: Ints, deck: Ints, reach: Ints, out: Ints, start: int) -> int:
    """Write the moves worth trying to out[start:], best first; give the end. A move is index<<10 | card<<4 | kind."""
    vis, locked = st[VIS], st[LOCKED]
    exposed = exposed_mask(vis, locked)
    wanted = next_mask(st)
    safe = safe_mask(st)
    end = start
    up = vis & exposed & wanted
    if up & safe:
        out[end] = low_bit(up & safe) << 4 | PS
        return end + 1
    slots = swap_colours(exposed >> 4)
    if st[N_LOCKED] + free_kings(st) < st[PILES]:
        slots |= KINGS
    count = reachable(st, reach)
    if st[PASSES] < 0:
        for i in range(count):
            index = reach[i] >> 1
            bit = 1 << deck[index]
            if bit & wanted & safe and (st[DRAW] == 1 or (st[WASTE] == 0 and index == st[N_DECK] - 1)):
                out[end] = reach[i] << 10 | deck[index] << 4 | DS
                return end + 1
    tops = 0
    idle = 0
    if st[BACK]:
        tops = swap_suits_down(wanted, st) & ~safe
        idle = up & ~locked
    back = tops & slots
    takes = True
    if idle:
        card = low_bit(idle)
        bit = 1 << card
        pair = (PAIRS & (bit | (bit >> 1))) * 3
        one = room(vis, locked, card) == 1
        slots = swap_colours(pair >> 4) if one else 0
        up = bit
        lower = (bit >> 4) & tops
        back = (tops & slots) | (back & lower)
        takes = False
    reveal = vis & locked & slots
    lift = up & locked
    while lift:
        card = low_bit(lift)
        out[end] = card << 4 | PS
        end += 1
        lift &= lift - 1
    while reveal:
        card = low_bit(reveal)
        out[end] = card << 4 | RV
        end += 1
        reveal &= reveal - 1
    if takes:
        for i in range(count):
            card = deck[reach[i] >> 1]
            if (1 << card) & wanted:
                out[end] = reach[i] << 10 | card << 4 | DS
                end += 1
    lift = up & ~locked
    while lift:
        card = low_bit(lift)
        out[end] = card << 4 | PS
        end += 1
        lift &= lift - 1
    blocked = safe & wanted
    for i in range(count):
        card = deck[reach[i] >> 1]
        if (1 << card) & slots & ~blocked:
            out[end] = reach[i] << 10 | card << 4 | DP
            end += 1
    while back:
        card = low_bit(back)
        out[end] = card << 4 | SP
        end += 1
        back &= back - 1
    return end


@kernel
def swap_suits_down(wanted: int, st: Ints) -> int:
    """The cards on top of the foundations."""
    mask = 0
    for suit in range(4):
        height = st[F0 + suit]
        if height > 0:
            mask |= 1 << ((height - 1) * 4 + suit)
    return mask


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
def unlock(st: Ints, hid: Ints, hcnt: Ints, pile_of: Ints, card: int) -> int:
    """The locked `card` leaves its column: the card under it turns up. Gives the old count of the column."""
    pile = pile_of[card]
    old = hcnt[pile]
    new = old - 1
    st[LOCKED] &= ~(1 << card)
    if new > 0:
        below = hid[pile, new - 1]
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
def relock(st: Ints, hid: Ints, hcnt: Ints, pile_of: Ints, card: int, old: int) -> None:
    """Undo `unlock`."""
    pile = pile_of[card]
    new = hcnt[pile]
    if old > 1:
        below = hid[pile, old - 2]
        st[VIS] &= ~(1 << below)
        st[LOCKED] &= ~(1 << below)
    if new == 0:
        st[N_LOCKED] += 1
    hcnt[pile] = old
    st[LOCKED] |= 1 << card
    st[KEY] ^= _Z[Z_HIDDEN + pile * 32 + old] ^ _Z[Z_HIDDEN + pile * 32 + new]


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


@kernel
def make(st: Ints, hid: Ints, hcnt: Ints, pile_of: Ints, deck: Ints, move: int) -> int:
    """Carry out a move; the result is needed to take it back."""
    kind, card = move & 15, (move >> 4) & 63
    bit = 1 << card
    undo = 0
    if kind == PS:
        set_foundation(st, card, 1)
        if st[LOCKED] & bit:
            undo = unlock(st, hid, hcnt, pile_of, card)
        st[VIS] &= ~bit
    elif kind == RV:
        undo = unlock(st, hid, hcnt, pile_of, card)
    elif kind == SP:
        set_foundation(st, card, -1)
        st[VIS] |= bit
    else:
        undo = st[WASTE]
        take(st, deck, move >> 11, (move >> 10) & 1)
        if kind == DS:
            set_foundation(st, card, 1)
        else:
            st[VIS] |= bit
    return undo


@kernel
def unmake(st: Ints, hid: Ints, hcnt: Ints, pile_of: Ints, deck: Ints, move: int, undo: int) -> None:
    """Take a move back."""
    kind, card = move & 15, (move >> 4) & 63
    bit = 1 << card
    if kind == PS:
        st[VIS] |= bit
        if undo:
            relock(st, hid, hcnt, pile_of, card, undo)
        set_foundation(st, card, -1)
    elif kind == RV:
        relock(st, hid, hcnt, pile_of, card, undo)
    elif kind == SP:
        st[VIS] &= ~bit
        set_foundation(st, card, 1)
    else:
        if kind == DS:
            set_foundation(st, card, -1)
        else:
            st[VIS] &= ~bit
        put_back(st, deck, card, move >> 11, (move >> 10) & 1, undo)


@kernel
def search(
    st: Ints,
    hid: Ints,
    hcnt: Ints,
    pile_of: Ints,
    deck: Ints,
    ctl: Ints,
    frames: Ints,
    moves: Ints,
    table: Ints,
    limit: int,
    salt: int,
) -> int:
    """Go on with the depth-first search for at most `limit` moves; RUNNING, WON, EXHAUSTED or TABLE_FULL.

    frames has rows (next move, end of moves, move made, undo); the line found is frames[1 : depth + 1, 2].
    """
    reach = np.empty(64, dtype=np.int64)
    depth = ctl[DEPTH]
    nodes = 0
    room_left = table.shape[0] // 2 - ctl[ENTRIES]
    if depth < 0:  # first call: the root
        insert(table, st[KEY] ^ salt)
        depth = 0
        frames[0, 0] = 0
        frames[0, 1] = generate(st, deck, reach, moves, 0)
    status = RUNNING
    while True:
        if frames[depth, 0] == frames[depth, 1]:
            if depth == 0:
                status = EXHAUSTED
                break
            unmake(st, hid, hcnt, pile_of, deck, frames[depth, 2], frames[depth, 3])
            depth -= 1
            continue
        if nodes >= limit:
            break
        if room_left <= 0:
            status = TABLE_FULL
            break
        move = moves[frames[depth, 0]]
        frames[depth, 0] += 1
        undo = make(st, hid, hcnt, pile_of, deck, move)
        nodes += 1
        if insert(table, st[KEY] ^ salt):
            room_left -= 1
            ctl[ENTRIES] += 1
            depth += 1
            frames[depth, 2] = move
            frames[depth, 3] = undo
            if st[F0] + st[F0 + 1] + st[F0 + 2] + st[F0 + 3] == 52:
                status = WON
                break
            start = frames[depth - 1, 1]
            frames[depth, 0] = start
            frames[depth, 1] = generate(st, deck, reach, moves, start)
            if depth == MAX_DEPTH - 1:
                frames[depth, 1] = start
                ctl[CUT] = 1
        else:
            unmake(st, hid, hcnt, pile_of, deck, move, undo)
    ctl[DEPTH] = depth
    ctl[NODES] += nodes
    return status
