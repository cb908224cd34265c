"""The steps a Klondike player can choose from before anything new is seen."""

from __future__ import annotations

import numpy as np

from kibitz.engine.search.jit import Ints, kernel, scaled
from kibitz.engine.search.klondike_common import PS, SP
from kibitz.engine.search.klondike_kernel import generate, make, unmake
from kibitz.engine.search.klondike_parts import (
    BACK,
    ENTRIES,
    KEY,
    LOCKED,
    TEXT,
    VIS,
    Work,
    World,
    exposed_mask,
    low_bit,
    next_mask,
)
from kibitz.engine.search.table import insert

MOST_LEAVES = 24
MOST_PATHS = 160
MAX_PATH = 24
TABLE_NEED = scaled(1500, 200)  # entries that listing the steps may take


@kernel
def copy_world(world: World) -> World:
    """A copy that can be changed."""
    return World(world.st.copy(), world.hid.copy(), world.hcnt.copy(), world.pile_of.copy(), world.deck.copy())


@kernel
def reserve_table(work: Work, need: int) -> None:
    """Empty the table when fewer than `need` more entries fit."""
    if work.ctl[ENTRIES] + need > work.table.shape[0] // 2:
        work.table[:] = 0
        work.ctl[ENTRIES] = 0


@kernel
def reversible(st: Ints, move: int) -> bool:
    """Can this move be taken back at the table?"""
    kind = move & 15
    if st[TEXT] or not st[BACK]:
        return False
    return kind == SP or (kind == PS and (st[LOCKED] >> ((move >> 4) & 63)) & 1 == 0)


@kernel
def list_paths(world: World, work: Work, salt: int, paths: Ints) -> int:
    """Write the ways to every step that cannot be taken back to `paths` (rows: length, moves); give their number."""
    st, frames, moves = world.st, work.frames, work.moves
    reach = np.empty(64, dtype=np.int64)
    depth = 0
    count = 0
    entries = 0
    insert(work.table, st[KEY] ^ salt)
    frames[0, 0] = 0
    frames[0, 1] = generate(world, reach, moves, 0)
    while True:
        if frames[depth, 0] == frames[depth, 1]:
            if depth == 0:
                break
            unmake(world, frames[depth, 2], frames[depth, 3])
            depth -= 1
            continue
        move = moves[frames[depth, 0]]
        frames[depth, 0] += 1
        if not reversible(st, move):
            if count < paths.shape[0]:
                for i in range(depth):
                    paths[count, i + 1] = frames[i + 1, 2]
                paths[count, 0] = depth + 1
                paths[count, depth + 1] = move
                count += 1
            continue
        undo = make(world, move)
        if depth + 2 < MAX_PATH and entries < TABLE_NEED and insert(work.table, st[KEY] ^ salt):
            entries += 1
            depth += 1
            frames[depth, 2] = move
            frames[depth, 3] = undo
            start = frames[depth - 1, 1]
            frames[depth, 0] = start
            frames[depth, 1] = generate(world, reach, moves, start)
        else:
            unmake(world, move, undo)
    work.ctl[ENTRIES] += entries + 1
    return count


@kernel
def key_after(world: World, path: Ints) -> int:
    """The key after a path and after everything has gone up that can also come back: equal for equal places."""
    after = copy_world(world)
    st = after.st
    for i in range(path[0]):
        make(after, path[i + 1])
    while st[BACK] and not st[TEXT]:
        up = st[VIS] & ~st[LOCKED] & exposed_mask(st[VIS], st[LOCKED]) & next_mask(st)
        if up == 0:
            break
        make(after, low_bit(up) << 4 | PS)
    return st[KEY]


@kernel
def find_leaves(world: World, work: Work, salt: int, leaves: Ints) -> int:
    """Write the shortest path to every place that one irreversible step leads to; give their number."""
    reserve_table(work, TABLE_NEED)
    paths = np.empty((MOST_PATHS, MAX_PATH + 2), dtype=np.int64)
    number = list_paths(world, work, salt, paths)
    keys = np.zeros(MOST_LEAVES, dtype=np.int64)
    count = 0
    for length in range(1, MAX_PATH):
        for i in range(number):
            if paths[i, 0] != length or count == MOST_LEAVES:
                continue
            key = key_after(world, paths[i])
            fresh = True
            for j in range(count):
                fresh = fresh and keys[j] != key
            if fresh:
                keys[count] = key
                leaves[count, : length + 1] = paths[i, : length + 1]
                count += 1
    return count
