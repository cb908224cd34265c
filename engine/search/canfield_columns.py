"""Canfield by the text, all cards known: columns move whole, so each is one run that can only grow.

Cards are coded as in `canfield_kernel`, the vectors are those of Klondike with RESERVE, PAST and AUTO added. `cols`
(4, MOST) holds the columns, covered end first, `size` (4) their lengths. Nothing but dealing can be taken back at the
table: every move makes a column longer, a column fewer, or a foundation higher.

Moves: TF column to foundation, RF reserve to foundation, CC column onto a column, RP reserve onto a column, RE reserve
into an empty column, DF, DP, DE the same from the stock. A move is
source << 20 | target << 18 | (index << 1 | costs a turnover) << 10 | card << 4 | kind.

What is left out, and why nothing is lost: all empty columns but one; whole columns into empty ones (the rules forbid
it); everything but the going up of a card that nothing can need any more.
"""

from __future__ import annotations

from kibitz.engine.search.canfield_kernel import AUTO, PAST, RESERVE, safe, unmissed
from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.klondike_kernel import (
    CUT,
    DEPTH,
    ENTRIES,
    EXHAUSTED,
    F0,
    KEY,
    NODES,
    RUNNING,
    TABLE_FULL,
    WASTE,
    WON,
    next_mask,
    put_back,
    reachable,
    set_foundation,
    take,
)
from kibitz.engine.search.table import insert, zobrist

COLUMNS, MOST = 4, 54
TF, RF, CC, RP, RE, DF, DP, DE = 0, 1, 2, 3, 4, 5, 6, 7
MAX_DEPTH = 160
MOVES = 160  # more moves than one position has
FLOOR = 52

_Z = zobrist(20267, 53 * 52 + 16)
_Z_RESERVE = 53 * 52


@kernel
def fits(st: Ints, card: int, onto: int) -> bool:
    """May the card lie on the other one?"""
    if (card >> 1 & 1) == (onto >> 1 & 1):
        return False
    rank, under = card >> 2, onto >> 2
    return under == rank + 1 or (st[PAST] != 0 and rank == 12 and under == 0)


@kernel
def blank_column(size: Ints) -> int:
    """The first empty column, or -1."""
    for column in range(COLUMNS):
        if size[column] == 0:
            return column
    return -1


@kernel
def add_landings(st: Ints, cols: Ints, size: Ints, card: int, source: int, move: int, out: Ints, end: int) -> int:
    """Write the move once for every column but `source` that takes the card; give the end."""
    for column in range(COLUMNS):
        if size[column] > 0 and column != source and fits(st, card, cols[column, size[column] - 1]):
            out[end] = move | column << 18
            end += 1
    return end


@kernel
def generate(st: Ints, cols: Ints, size: Ints, deck: Ints, reserve: Ints, reach: Ints, out: Ints, start: int) -> int:
    """Write the moves worth trying to out[start:], best first; give the end. Cards not known (-1) stay in place."""
    wanted = next_mask(st)
    end = start
    for column in range(COLUMNS):
        if size[column] > 0:
            card = cols[column, size[column] - 1]
            if (wanted >> card) & 1:
                out[end] = column << 20 | card << 4 | TF
                end += 1
                if safe(st, card):
                    out[start] = out[end - 1]
                    return start + 1
    blank = blank_column(size)
    if st[RESERVE] > 0:
        card = reserve[st[RESERVE] - 1]
        if (wanted >> card) & 1:
            out[end] = card << 4 | RF
            end += 1
            if safe(st, card):
                out[start] = out[end - 1]
                return start + 1
        if blank >= 0:
            out[end] = blank << 18 | card << 4 | RE
            end += 1
        end = add_landings(st, cols, size, card, -1, card << 4 | RP, out, end)
    for column in range(COLUMNS):
        if size[column] > 0:
            card = cols[column, 0]
            end = add_landings(st, cols, size, card, column, column << 20 | card << 4 | CC, out, end)
    count = reachable(st, reach)
    for i in range(count):
        card = deck[reach[i] >> 1]
        if card >= 0 and (wanted >> card) & 1:
            out[end] = reach[i] << 10 | card << 4 | DF
            end += 1
            if unmissed(st, reach[i] >> 1) and safe(st, card):
                out[start] = out[end - 1]
                return start + 1
    for i in range(count):
        card = deck[reach[i] >> 1]
        if card >= 0:
            if blank >= 0 and st[RESERVE] == 0:
                out[end] = blank << 18 | reach[i] << 10 | card << 4 | DE
                end += 1
            end = add_landings(st, cols, size, card, -1, reach[i] << 10 | card << 4 | DP, out, end)
    return end


@kernel
def lay(st: Ints, cols: Ints, size: Ints, column: int, card: int) -> None:
    """Lay a card down on a column."""
    below = cols[column, size[column] - 1] if size[column] > 0 else FLOOR
    st[KEY] ^= _Z[below * 52 + card]
    cols[column, size[column]] = card
    size[column] += 1


@kernel
def lift(st: Ints, cols: Ints, size: Ints, column: int) -> int:
    """Take the last card of a column up."""
    size[column] -= 1
    card = cols[column, size[column]]
    below = cols[column, size[column] - 1] if size[column] > 0 else FLOOR
    st[KEY] ^= _Z[below * 52 + card]
    return card


@kernel
def count_reserve(st: Ints, step: int) -> None:
    """One card fewer (-1) or more (1) in the reserve."""
    st[KEY] ^= _Z[_Z_RESERVE + st[RESERVE]] ^ _Z[_Z_RESERVE + st[RESERVE] + step]
    st[RESERVE] += step


@kernel
def carry(st: Ints, cols: Ints, size: Ints, source: int, target: int, count: int) -> None:
    """Move the last `count` cards, which make up a column or go back to make one up."""
    start = size[source] - count
    head = cols[source, start]
    below = cols[source, start - 1] if start > 0 else FLOOR
    onto = cols[target, size[target] - 1] if size[target] > 0 else FLOOR
    st[KEY] ^= _Z[below * 52 + head] ^ _Z[onto * 52 + head]
    for i in range(count):
        cols[target, size[target] + i] = cols[source, start + i]
    size[source] = start
    size[target] += count


@kernel
def make(st: Ints, cols: Ints, size: Ints, deck: Ints, reserve: Ints, move: int) -> int:
    """Carry out a move; the result is needed to take it back: waste or cards moved, and 64 if a column was filled."""
    kind, card = move & 15, (move >> 4) & 63
    source, target = (move >> 20) & 3, (move >> 18) & 3
    undo = 0
    if kind == TF:
        lift(st, cols, size, source)
        set_foundation(st, card, 1)
    elif kind == CC:
        undo = size[source]
        carry(st, cols, size, source, target, undo)
    elif kind in (RF, RP, RE):
        count_reserve(st, -1)
        if kind == RF:
            set_foundation(st, card, 1)
        else:
            lay(st, cols, size, target, card)
    else:
        undo = st[WASTE]
        take(st, deck, (move >> 11) & 127, (move >> 10) & 1)
        if kind == DF:
            set_foundation(st, card, 1)
        else:
            lay(st, cols, size, target, card)
    if st[AUTO] and kind in (TF, CC) and size[source] == 0 and st[RESERVE] > 0:
        count_reserve(st, -1)
        lay(st, cols, size, source, reserve[st[RESERVE]])
        undo |= 64
    return undo


@kernel
def unmake(st: Ints, cols: Ints, size: Ints, deck: Ints, move: int, undo: int) -> None:
    """Take a move back."""
    kind, card = move & 15, (move >> 4) & 63
    source, target = (move >> 20) & 3, (move >> 18) & 3
    if undo & 64:
        lift(st, cols, size, source)
        count_reserve(st, 1)
        undo &= 63
    if kind == TF:
        set_foundation(st, card, -1)
        lay(st, cols, size, source, card)
    elif kind == CC:
        carry(st, cols, size, target, source, undo)
    elif kind in (RF, RP, RE):
        if kind == RF:
            set_foundation(st, card, -1)
        else:
            lift(st, cols, size, target)
        count_reserve(st, 1)
    else:
        if kind == DF:
            set_foundation(st, card, -1)
        else:
            lift(st, cols, size, target)
        put_back(st, deck, card, (move >> 11) & 127, (move >> 10) & 1, undo)


@kernel
def search(
    st: Ints,
    cols: Ints,
    size: Ints,
    deck: Ints,
    reserve: Ints,
    reach: Ints,
    ctl: Ints,
    frames: Ints,
    moves: Ints,
    table: Ints,
    limit: int,
    salt: int,
) -> int:
    """Go on with the search for at most `limit` moves; frames and status as in `klondike_kernel.search`."""
    depth = ctl[DEPTH]
    nodes = 0
    left = table.shape[0] // 2 - ctl[ENTRIES]
    if depth < 0:
        insert(table, st[KEY] ^ salt)
        depth = 0
        frames[0, 0] = 0
        frames[0, 1] = generate(st, cols, size, deck, reserve, reach, moves, 0)
    status = RUNNING
    while True:
        if frames[depth, 0] == frames[depth, 1]:
            if depth == 0:
                status = EXHAUSTED
                break
            unmake(st, cols, size, deck, frames[depth, 2], frames[depth, 3])
            depth -= 1
            continue
        if nodes >= limit:
            break
        if left <= 0:
            status = TABLE_FULL
            break
        move = moves[frames[depth, 0]]
        frames[depth, 0] += 1
        undo = make(st, cols, size, deck, reserve, move)
        nodes += 1
        if not insert(table, st[KEY] ^ salt):
            unmake(st, cols, size, deck, move, undo)
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
        if depth == MAX_DEPTH - 1 or start > moves.shape[0] - MOVES:
            ctl[CUT] = 1
        else:
            frames[depth, 1] = generate(st, cols, size, deck, reserve, reach, moves, start)
    ctl[DEPTH] = depth
    ctl[NODES] += nodes
    return status
