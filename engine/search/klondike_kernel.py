"""Klondike with all cards known: one depth-first search for the common rules and for those of the text.

`klondike_common` has the moves where parts of runs may move, `klondike_text` those where only whole runs do; the
vector `st` says which of them a position is played by.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.klondike_columns import text_make, text_unmake
from kibitz.engine.search.klondike_common import DP, DS, PS, RV, SP, common_make, common_moves, common_unmake
from kibitz.engine.search.klondike_parts import (
    CTL_SIZE,
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
    PILES,
    RUNNING,
    STATE_SIZE,
    SURE,
    TABLE_FULL,
    TEXT,
    VIS,
    WASTE,
    WON,
    Work,
    World,
    canonical_waste,
    low_bit,
    next_mask,
    put_back,
    reachable,
    set_foundation,
    swap_colours,
    take,
)
from kibitz.engine.search.klondike_text import text_moves
from kibitz.engine.search.table import insert

__all__ = [
    "CTL_SIZE", "CUT", "DEPTH", "DP", "DRAW", "DS", "ENTRIES", "EXHAUSTED", "F0", "KEY", "MAX_DEPTH", "NODES", "N_DECK",
    "PASSES", "PS", "RUNNING", "RV", "SP", "STATE_SIZE", "TABLE_FULL", "VIS", "WASTE", "WON", "all_up",
    "canonical_waste", "generate", "low_bit", "make", "next_mask", "put_back", "reachable", "search", "set_foundation",
    "sure_win", "swap_colours", "take", "unmake",
]  # fmt: skip


@kernel
def generate(world: World, reach: Ints, out: Ints, start: int) -> int:
    """Write the moves worth trying to out[start:], best first; give the end."""
    if world.st[TEXT]:
        return text_moves(world, reach, out, start)
    return common_moves(world.st, world.deck, reach, out, start)


@kernel
def make(world: World, move: int) -> int:
    """Carry out a move; the result is needed to take it back."""
    if world.st[TEXT]:
        return text_make(world, move)
    return common_make(world, move)


@kernel
def unmake(world: World, move: int, undo: int) -> None:
    """Take a move back."""
    if world.st[TEXT]:
        text_unmake(world, move, undo)
    else:
        common_unmake(world, move, undo)


@kernel
def all_up(st: Ints) -> bool:
    """Do all cards lie on the foundations?"""
    return st[F0] + st[F0 + 1] + st[F0 + 2] + st[F0 + 3] == 52


@kernel
def sure_win(world: World) -> bool:
    """Will every card go up by itself? Nothing is face down, and the stock hides nothing either.

    The lowest card of all then lies free: what lies on a face-up card is lower than it.
    """
    st = world.st
    if st[N_DECK] > 1 and (st[DRAW] > 1 or st[PASSES] >= 0):
        return False
    face_down = 0 if st[TEXT] else 1
    covered = 0
    for pile in range(st[PILES]):
        covered += world.hcnt[pile] > face_down
    return covered == 0


@kernel
def search(world: World, work: Work, limit: int, salt: int) -> int:
    """Go on with the depth-first search for at most `limit` moves; RUNNING, WON, EXHAUSTED or TABLE_FULL.

    A new search begins with ctl[DEPTH] = -1. The line found is frames[1 : depth + 1, 2].
    """
    st, ctl, frames, moves, table = world.st, work.ctl, work.frames, work.moves, work.table
    reach = np.empty(64, dtype=np.int64)
    depth = ctl[DEPTH]
    nodes = 0
    room_left = table.shape[0] // 2 - ctl[ENTRIES]
    if depth < 0:  # first call: the root
        insert(table, st[KEY] ^ salt)
        depth = 0
        frames[0, 0] = 0
        frames[0, 1] = generate(world, reach, moves, 0)
    status = WON if all_up(st) or (ctl[SURE] and sure_win(world)) else RUNNING
    while status == RUNNING:
        if frames[depth, 0] == frames[depth, 1]:
            if depth == 0:
                status = EXHAUSTED
                break
            unmake(world, frames[depth, 2], frames[depth, 3])
            depth -= 1
            continue
        if nodes >= limit:
            break
        if room_left <= 0:
            status = TABLE_FULL
            break
        move = moves[frames[depth, 0]]
        frames[depth, 0] += 1
        undo = make(world, move)
        nodes += 1
        if not insert(table, st[KEY] ^ salt):
            unmake(world, move, undo)
            continue
        room_left -= 1
        ctl[ENTRIES] += 1
        depth += 1
        frames[depth, 2] = move
        frames[depth, 3] = undo
        if all_up(st) or (ctl[SURE] and sure_win(world)):
            status = WON
            break
        start = frames[depth - 1, 1]
        frames[depth, 0] = start
        frames[depth, 1] = generate(world, reach, moves, start)
        if depth == MAX_DEPTH - 1:
            frames[depth, 1] = start
            ctl[CUT] = 1
    ctl[DEPTH] = depth
    ctl[NODES] += nodes
    return status
