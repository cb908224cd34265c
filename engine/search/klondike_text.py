"""Klondike where only whole runs move and nothing comes back from the foundations: the rules of the text.

Which run lies on which card counts here, so the columns are kept as they lie: `hid` has all cards of a column, `hcnt`
how many of them are face down and, in its second half, how many there are. The key joins every face-up card with the
card under it, so the order of the columns does not count.

Moves: TF column to foundation, DS stock to foundation, DP stock to column, TT a whole run onto a column or into a
space, TE the last card of a run alone into a space. st[TEXT] has the rules: aces go up at once (AUTO_ACES; dealing
then ends at the first ace), spaces take only kings even when all kings have places (KINGS_ONLY), and whether the last
card alone may then go into a space (END_CARD).
"""

from __future__ import annotations

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.klondike_parts import (
    _Z,
    ACES,
    AUTO_ACES,
    DRAW,
    END_CARD,
    F0,
    KEY,
    KINGS_ONLY,
    N_DECK,
    PASSES,
    PILES,
    TEXT,
    WASTE,
    Z_WASTE,
    World,
    next_mask,
    put_back,
    reachable,
    set_foundation,
    take,
)
from kibitz.engine.search.table import zobrist

TF, DS, DP, TT, TE = 0, 1, 3, 4, 5
ON_TABLE = 52  # what lies under the lowest card of a column
_PAIR = zobrist(20267, 53 * 53)


@kernel
def fits(card: int, below: int) -> bool:
    """May `card` lie on the face-up card `below`? One rank lower and of the other colour."""
    return (card >> 2) + 1 == below >> 2 and ((card ^ below) & 2) != 0


@kernel
def under(world: World, pile: int, index: int) -> int:
    """What lies under the card at this place of a column."""
    return world.hid[pile, index - 1] if index > 0 else ON_TABLE


@kernel
def text_reachable(st: Ints, deck: Ints, reach: Ints) -> int:
    """`reachable`; where aces go up at once dealing ends at the first ace."""
    count = reachable(st, reach)
    if st[TEXT] & AUTO_ACES:
        for i in range(count):
            if deck[reach[i] >> 1] < 4:
                return i + 1
    return count


@kernel
def kings_placed(world: World) -> bool:
    """Does no king need a place any more?"""
    st = world.st
    placed = 0
    for suit in range(4):
        if st[F0 + suit] == 13:
            placed += 1
    for pile in range(st[PILES]):
        if world.hcnt[pile] == 0 and world.hcnt[st[PILES] + pile] > 0 and world.hid[pile, 0] >= 48:
            placed += 1
    return placed == 4


@kernel
def safe_rise(st: Ints, card: int) -> bool:
    """Does no card in play need `card` to lie on, when it can go up?"""
    other = 2 - (card & 2)
    return card < 8 or min(st[F0 + other], st[F0 + other + 1]) >= card >> 2


@kernel
def first_space(world: World) -> int:
    """An empty column, or -1."""
    columns = world.st[PILES]
    for pile in range(columns):
        if world.hcnt[columns + pile] == 0:
            return pile
    return -1


@kernel
def forced(world: World, reach: Ints, count: int) -> int:
    """A move that must or may as well be made at once: a free ace, a card nothing can need; or -1."""
    st, hid, hcnt, deck = world.st, world.hid, world.hcnt, world.deck
    wanted = next_mask(st)
    columns = st[PILES]
    for pile in range(columns):
        length = hcnt[columns + pile]
        if length > 0:
            card = hid[pile, length - 1]
            if (wanted >> card) & 1 and safe_rise(st, card):
                return pile << 10 | card << 4 | TF
    if st[TEXT] & AUTO_ACES and st[WASTE] > 0 and deck[st[WASTE] - 1] < 4:
        return (st[WASTE] - 1) << 11 | deck[st[WASTE] - 1] << 4 | DS
    if st[DRAW] == 1 and st[PASSES] < 0:
        for i in range(count):
            card = deck[reach[i] >> 1]
            if (wanted >> card) & 1 and safe_rise(st, card):
                return reach[i] << 10 | card << 4 | DS
    return -1


@kernel
def text_moves(world: World, reach: Ints, out: Ints, start: int) -> int:
    """Write the moves worth trying; a move is target<<20 | index<<10 | card<<4 | kind."""
    st, hid, hcnt, deck = world.st, world.hid, world.hcnt, world.deck
    count = text_reachable(st, deck, reach)
    must = forced(world, reach, count)
    if must >= 0:
        out[start] = must
        return start + 1
    columns = st[PILES]
    wanted = next_mask(st)
    space = first_space(world)
    relaxed = space >= 0 and not st[TEXT] & KINGS_ONLY and kings_placed(world)
    end = write_runs(world, space, relaxed, True, out, start)
    for i in range(count):
        card = deck[reach[i] >> 1]
        if (wanted >> card) & 1:
            out[end] = reach[i] << 10 | card << 4 | DS
            end += 1
    for pile in range(columns):
        length = hcnt[columns + pile]
        if length > 0 and (wanted >> hid[pile, length - 1]) & 1:
            out[end] = pile << 10 | hid[pile, length - 1] << 4 | TF
            end += 1
    for i in range(count):
        card = deck[reach[i] >> 1]
        for pile in range(columns):
            length = hcnt[columns + pile]
            fit = length > 0 and fits(card, hid[pile, length - 1])
            if pile == space:
                fit = relaxed or card >= 48
            if fit and not (card < 4 and st[TEXT] & AUTO_ACES):
                out[end] = pile << 20 | reach[i] << 10 | card << 4 | DP
                end += 1
    end = write_runs(world, space, relaxed, False, out, end)
    if relaxed and st[TEXT] & END_CARD:
        for pile in range(columns):
            length = hcnt[columns + pile]
            if length > hcnt[pile] + 1:
                out[end] = space << 20 | pile << 10 | hid[pile, length - 1] << 4 | TE
                end += 1
    return end


@kernel
def write_runs(world: World, space: int, relaxed: bool, turning: bool, out: Ints, end: int) -> int:
    """Write the moves of whole runs that turn up a card, or those that do not."""
    st, hid, hcnt = world.st, world.hid, world.hcnt
    columns = st[PILES]
    for pile in range(columns):
        down = hcnt[pile]
        if hcnt[columns + pile] == 0 or (down > 0) != turning:
            continue
        head = hid[pile, down]
        for target in range(columns):
            length = hcnt[columns + target]
            if target == space:
                fit = down > 0 and (relaxed or head >= 48)
            else:
                fit = target != pile and length > 0 and fits(head, hid[target, length - 1])
            if fit:
                out[end] = target << 20 | pile << 10 | head << 4 | TT
                end += 1
    return end


@kernel
def lift(world: World, pile: int, target: int, number: int) -> int:
    """Move the last `number` cards of a column onto another; give 1 if that turned up a card."""
    st, hid, hcnt = world.st, world.hid, world.hcnt
    columns = st[PILES]
    first = hcnt[columns + pile] - number
    length = hcnt[columns + target]
    head = hid[pile, first]
    st[KEY] ^= _PAIR[head * 53 + under(world, pile, first)]
    for i in range(number):
        hid[target, length + i] = hid[pile, first + i]
    st[KEY] ^= _PAIR[head * 53 + under(world, target, length)]
    hcnt[columns + target] = length + number
    return shorten(world, pile, first)


@kernel
def shorten(world: World, pile: int, length: int) -> int:
    """A column has this many cards left: turn the last one up if need be; give 1 if so."""
    st, hid, hcnt = world.st, world.hid, world.hcnt
    hcnt[st[PILES] + pile] = length
    if length == 0 or hcnt[pile] < length:
        return 0
    hcnt[pile] = length - 1
    st[KEY] ^= _PAIR[hid[pile, length - 1] * 53 + under(world, pile, length - 1)]
    return 1


@kernel
def lengthen(world: World, pile: int, turned: int) -> int:
    """Undo `shorten` but for the length, which is given back."""
    st, hid, hcnt = world.st, world.hid, world.hcnt
    length = hcnt[st[PILES] + pile]
    if turned:
        st[KEY] ^= _PAIR[hid[pile, length - 1] * 53 + under(world, pile, length - 1)]
        hcnt[pile] = length
    return length


@kernel
def draw_card(world: World, move: int) -> int:
    """Take the card of a move out of the stock; give the old place of the waste."""
    st = world.st
    waste = st[WASTE]
    take(st, world.deck, (move >> 11) & 63, (move >> 10) & 1)
    if st[TEXT] & AUTO_ACES and st[WASTE] == 0 and (move >> 11) & 63 and stock_ace(st, world.deck):
        st[KEY] ^= _Z[Z_WASTE]  # which ace is dealt first depends on where dealing goes on
        st[WASTE] = (move >> 11) & 63
        st[KEY] ^= _Z[Z_WASTE + st[WASTE]]
    return waste


@kernel
def stock_ace(st: Ints, deck: Ints) -> bool:
    """Is an ace left in the stock or the waste?"""
    if next_mask(st) & ACES:
        for i in range(st[N_DECK]):
            if deck[i] < 4:
                return True
    return False


@kernel
def text_make(world: World, move: int) -> int:
    """Carry out a move; see `klondike_kernel.make`."""
    st, hid, hcnt = world.st, world.hid, world.hcnt
    kind, card, index = move & 15, (move >> 4) & 63, (move >> 10) & 1023
    columns = st[PILES]
    if kind == TF:
        length = hcnt[columns + index]
        st[KEY] ^= _PAIR[card * 53 + under(world, index, length - 1)]
        set_foundation(st, card, 1)
        return shorten(world, index, length - 1)
    if kind == DS:
        undo = draw_card(world, move)
        set_foundation(st, card, 1)
        return undo
    target = move >> 20
    if kind == DP:
        undo = draw_card(world, move)
        length = hcnt[columns + target]
        hid[target, length] = card
        hcnt[columns + target] = length + 1
        st[KEY] ^= _PAIR[card * 53 + under(world, target, length)]
        return undo
    number = 1 if kind == TE else hcnt[columns + index] - hcnt[index]
    return number << 1 | lift(world, index, target, number)


@kernel
def text_unmake(world: World, move: int, undo: int) -> None:
    """Take a move back."""
    st, hid, hcnt = world.st, world.hid, world.hcnt
    kind, card, index = move & 15, (move >> 4) & 63, (move >> 10) & 1023
    columns = st[PILES]
    if kind == TF:
        length = lengthen(world, index, undo)
        hid[index, length] = card
        hcnt[columns + index] = length + 1
        st[KEY] ^= _PAIR[card * 53 + under(world, index, length)]
        set_foundation(st, card, -1)
        return
    if kind == DS:
        set_foundation(st, card, -1)
        put_back(st, world.deck, card, index >> 1, index & 1, undo)
        return
    target = move >> 20
    if kind == DP:
        length = hcnt[columns + target] - 1
        st[KEY] ^= _PAIR[card * 53 + under(world, target, length)]
        hcnt[columns + target] = length
        put_back(st, world.deck, card, index >> 1, index & 1, undo)
        return
    length = lengthen(world, index, undo & 1)
    first = hcnt[columns + target] - (undo >> 1)
    head = hid[target, first]
    st[KEY] ^= _PAIR[head * 53 + under(world, target, first)] ^ _PAIR[head * 53 + under(world, index, length)]
    for i in range(undo >> 1):
        hid[index, length + i] = hid[target, first + i]
    hcnt[columns + target] = first
    hcnt[columns + index] = length + (undo >> 1)
