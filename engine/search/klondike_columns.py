"""Columns as they lie, for Klondike where only whole runs move: carrying out moves and taking them back.

The key joins every face-up card with the card under it, so the order of the columns does not count. The moves are those
of `klondike_text`.
"""

from __future__ import annotations

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.klondike_parts import (
    _Z,
    ACES,
    AUTO_ACES,
    KEY,
    N_DECK,
    PILES,
    TEXT,
    WASTE,
    Z_WASTE,
    World,
    next_mask,
    put_back,
    set_foundation,
    take,
)
from kibitz.engine.search.table import zobrist

TF, DS, DP, TT, TE = 0, 1, 3, 4, 5
ON_TABLE = 52  # what lies under the lowest card of a column
_PAIR = zobrist(20267, 53 * 53)


@kernel
def under(world: World, pile: int, index: int) -> int:
    """What lies under the card at this place of a column."""
    return world.hid[pile, index - 1] if index > 0 else ON_TABLE


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
