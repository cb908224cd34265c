"""Klondike where only whole runs move and nothing comes back from the foundations: the rules of the text.

Which run lies on which card counts here, so the columns are kept as they lie: `hid` has all cards of a column, `hcnt`
how many of them are face down and, in its second half, how many there are.

Moves: TF column to foundation, DS stock to foundation, DP stock to column, TT a whole run onto a column or into a
space, TE the last card of a run alone into a space. st[TEXT] has the rules: aces go up at once (AUTO_ACES; dealing
then ends at the first ace), spaces take only kings even when all kings have places (KINGS_ONLY), and whether the last
card alone may then go into a space (END_CARD).
"""

from __future__ import annotations

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.klondike_columns import DP, DS, TE, TF, TT
from kibitz.engine.search.klondike_parts import (
    ACES,
    ALL,
    AUTO_ACES,
    DRAW,
    END_CARD,
    F0,
    KINGS,
    KINGS_ONLY,
    PASSES,
    PILES,
    TEXT,
    WASTE,
    World,
    next_mask,
    reachable,
)


@kernel
def fits(card: int, below: int) -> bool:
    """May `card` lie on the face-up card `below`? One rank lower and of the other colour."""
    return (card >> 2) + 1 == below >> 2 and ((card ^ below) & 2) != 0


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
def accepted(world: World) -> int:
    """The cards that fit on the last card of some column."""
    st, hid, hcnt = world.st, world.hid, world.hcnt
    mask = 0
    for pile in range(st[PILES]):
        length = hcnt[st[PILES] + pile]
        if length > 0 and hid[pile, length - 1] >= 4:
            card = hid[pile, length - 1]
            mask |= 3 << ((card >> 2) * 4 - 2 - (card & 2))
    return mask


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
    into = 0
    if space >= 0:
        into = ALL if relaxed else KINGS
    onto = accepted(world)
    end = write_runs(world, space, onto, into, out, start, True)
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
    end = write_laid(world, space, onto, into, reach, count, out, end)
    end = write_runs(world, space, onto, into, out, end, False)
    if relaxed and st[TEXT] & END_CARD:
        for pile in range(columns):
            length = hcnt[columns + pile]
            if length > hcnt[pile] + 1:
                out[end] = space << 20 | pile << 10 | hid[pile, length - 1] << 4 | TE
                end += 1
    return end


@kernel
def write_laid(world: World, space: int, onto: int, into: int, reach: Ints, count: int, out: Ints, end: int) -> int:
    """Write the moves of stock cards onto columns and into the space."""
    st, hid, hcnt, deck = world.st, world.hid, world.hcnt, world.deck
    columns = st[PILES]
    if st[TEXT] & AUTO_ACES:
        onto, into = onto & ~ACES, into & ~ACES
    for i in range(count):
        card = deck[reach[i] >> 1]
        if not ((onto | into) >> card) & 1:
            continue
        for pile in range(columns):
            length = hcnt[columns + pile]
            fit = length > 0 and fits(card, hid[pile, length - 1])
            if pile == space:
                fit = (into >> card) & 1 != 0
            if fit:
                out[end] = pile << 20 | reach[i] << 10 | card << 4 | DP
                end += 1
    return end


@kernel
def write_runs(world: World, space: int, onto: int, into: int, out: Ints, end: int, turning: bool) -> int:
    """Write the moves of whole runs that turn up a card, or those that do not."""
    st, hid, hcnt = world.st, world.hid, world.hcnt
    columns = st[PILES]
    for pile in range(columns):
        down = hcnt[pile]
        if hcnt[columns + pile] == 0 or (down > 0) != turning:
            continue
        head = hid[pile, down]
        if not ((onto | into) >> head) & 1:
            continue
        for target in range(columns):
            length = hcnt[columns + target]
            fit = target != pile and length > 0 and fits(head, hid[target, length - 1])
            if target == space:
                fit = down > 0 and (into >> head) & 1 != 0
            if fit:
                out[end] = target << 20 | pile << 10 | head << 4 | TT
                end += 1
    return end
