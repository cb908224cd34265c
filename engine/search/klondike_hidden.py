"""Klondike by the common rules with cards not known: which irreversible step wins most of the sampled worlds.

The candidates (*leaves*) are all ways to make one step that cannot be taken back (a card turned up, a stock card
used), after any number of steps that can. Every leaf is tried on sampled worlds by a short depth-first search; the
number of worlds goes to the leaves by UCB, so that hopeless ones cost little. World k is the same for all leaves.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.random_kernel import next_random, seed_random, shuffle
from kibitz.engine.search.table import insert

MAX_LEAVES = 48
MAX_PATH = 24
# knowledge of a card's place
UNKNOWN = -1
# ucb settings vector
PULLS, NODE_LIMIT, SEED, BATCH, TOTAL_NODES = 0, 1, 2, 3, 4
SETTINGS_SIZE = 8


@kernel
def sample_world(
    hid: Ints,
    hcnt: Ints,
    deck: Ints,
    n_deck: int,
    pool: Ints,
    n_pool: int,
    rng: Ints,
    hid2: Ints,
    deck2: Ints,
    pile_of: Ints,
) -> None:
    """Fill the unknown places (-1) of `hid` and `deck` with a random order of the unseen cards."""
    shuffle(pool, n_pool, rng)
    at = 0
    for pile in range(hcnt.shape[0]):
        for i in range(hcnt[pile]):
            card = hid[pile, i]
            if card < 0:
                card = pool[at]
                at += 1
            hid2[pile, i] = card
            pile_of[card] = pile
    for i in range(n_deck):
        card = deck[i]
        if card < 0:
            card = pool[at]
            at += 1
        deck2[i] = card


@kernel
def reversible(st: Ints, move: int) -> bool:
    """Can this move be taken back at the table?"""
    kind = move & 15
    if kind == kk.SP:
        return True
    return kind == kk.PS and st[kk.BACK] != 0 and (st[kk.LOCKED] >> ((move >> 4) & 63)) & 1 == 0


@kernel
def list_leaves(
    st: Ints,
    hid: Ints,
    hcnt: Ints,
    pile_of: Ints,
    deck: Ints,
    frames: Ints,
    moves: Ints,
    table: Ints,
    salt: int,
    leaves: Ints,
) -> int:
    """Write the candidate paths to `leaves` (rows: length, moves); give their number."""
    reach = np.empty(64, dtype=np.int64)
    depth = 0
    count = 0
    insert(table, st[kk.KEY] ^ salt)
    frames[0, 0] = 0
    frames[0, 1] = kk.generate(st, deck, reach, moves, 0)
    while True:
        if frames[depth, 0] == frames[depth, 1]:
            if depth == 0:
                break
            kk.unmake(st, hid, hcnt, pile_of, deck, frames[depth, 2], frames[depth, 3])
            depth -= 1
            continue
        move = moves[frames[depth, 0]]
        frames[depth, 0] += 1
        if not reversible(st, move):
            if count < leaves.shape[0]:
                leaves[count, 0] = depth + 1
                for i in range(depth):
                    leaves[count, i + 1] = frames[i + 1, 2]
                leaves[count, depth + 1] = move
                count += 1
            continue
        undo = kk.make(st, hid, hcnt, pile_of, deck, move)
        if depth + 2 < MAX_PATH and insert(table, st[kk.KEY] ^ salt):
            depth += 1
            frames[depth, 2] = move
            frames[depth, 3] = undo
            start = frames[depth - 1, 1]
            frames[depth, 0] = start
            frames[depth, 1] = kk.generate(st, deck, reach, moves, start)
        else:
            kk.unmake(st, hid, hcnt, pile_of, deck, move, undo)
    return count


@kernel
def reserve_table(table: Ints, ctl: Ints, need: int) -> None:
    """Empty the table when fewer than `need` more entries fit."""
    if ctl[kk.ENTRIES] + need > table.shape[0] // 2:
        table[:] = 0
        ctl[kk.ENTRIES] = 0


@kernel
def choose(
    st: Ints,
    hid: Ints,
    hcnt: Ints,
    deck: Ints,
    pool: Ints,
    n_pool: int,
    leaves: Ints,
    n_leaves: int,
    settings: Ints,
    frames: Ints,
    moves: Ints,
    table: Ints,
    ctl: Ints,
    stats: Ints,
) -> int:
    """Try the leaves on sampled worlds, at most settings[PULLS] searches in all; `stats` rows: worlds tried, won.

    Gives the best leaf. Calls can be repeated to go on (stats keep the counts).
    """
    hid2 = hid.copy()
    deck2 = deck.copy()
    hcnt2 = hcnt.copy()
    st2 = st.copy()
    pool2 = pool.copy()
    pile_of = np.zeros(64, dtype=np.int64)
    rng = np.zeros(1, dtype=np.int64)
    total = 0
    for leaf in range(n_leaves):
        total += stats[leaf, 0]
    for _pull in range(settings[PULLS]):
        best = 0
        best_value = -1.0
        log_total = np.log(total + 1.0)
        for leaf in range(n_leaves):
            n = stats[leaf, 0]
            value = 1e9 - leaf if n == 0 else stats[leaf, 1] / n + 0.25 * np.sqrt(2.0 * log_total / n)
            if value > best_value:
                best = leaf
                best_value = value
        for _turn in range(settings[BATCH]):
            number = stats[best, 0]
            for i in range(n_pool):
                pool2[i] = pool[i]
            seed_random(rng, settings[SEED], number)
            sample_world(hid, hcnt, deck, st[kk.N_DECK], pool2, n_pool, rng, hid2, deck2, pile_of)
            st2[:] = st
            hcnt2[:] = hcnt
            for i in range(leaves[best, 0]):
                kk.make(st2, hid2, hcnt2, pile_of, deck2, leaves[best, i + 1])
            reserve_table(table, ctl, settings[NODE_LIMIT])
            ctl[kk.DEPTH] = -1
            salt = next_random(rng)
            status = kk.search(st2, hid2, hcnt2, pile_of, deck2, ctl, frames, moves, table, settings[NODE_LIMIT], salt)
            stats[best, 0] += 1
            total += 1
            if status == kk.WON:
                stats[best, 1] += 1
    best = 0
    for leaf in range(1, n_leaves):
        a, b = stats[leaf, 1] * max(stats[best, 0], 1), stats[best, 1] * max(stats[leaf, 0], 1)
        if stats[leaf, 0] > stats[best, 0] or (stats[leaf, 0] == stats[best, 0] and a > b):
            best = leaf
    return best


@kernel
def look(st: Ints, true_deck: Ints, deck: Ints, reach: Ints) -> None:
    """Run through the stock: every card that comes to the top of the waste becomes known."""
    count = kk.reachable(st, reach)
    for i in range(count):
        deck[reach[i] >> 1] = true_deck[reach[i] >> 1]


@kernel
def play(
    st: Ints, true_hid: Ints, hcnt: Ints, true_deck: Ints, stock_known: bool, settings: Ints, exact: int, log: Ints
) -> bool:
    """Play one deal to the end with hidden cards; log[0] = decisions that were sampled, log[1] = searches."""
    hid = np.full_like(true_hid, UNKNOWN)
    deck = np.full_like(true_deck, UNKNOWN)
    pile_of = np.zeros(64, dtype=np.int64)
    for pile in range(hcnt.shape[0]):
        if hcnt[pile] > 0:
            hid[pile, hcnt[pile] - 1] = true_hid[pile, hcnt[pile] - 1]
        for i in range(hcnt[pile]):
            pile_of[true_hid[pile, i]] = pile
    if stock_known:
        deck[:] = true_deck
    frames = np.zeros((kk.MAX_DEPTH, 4), dtype=np.int64)
    moves = np.zeros(kk.MAX_DEPTH * 60, dtype=np.int64)
    table = np.zeros(1 << 15, dtype=np.int64)
    leaves = np.zeros((MAX_LEAVES, MAX_PATH + 2), dtype=np.int64)
    stats = np.zeros((MAX_LEAVES, 2), dtype=np.int64)
    ctl = np.zeros(kk.CTL_SIZE, dtype=np.int64)
    reach = np.empty(64, dtype=np.int64)
    pool = np.zeros(52, dtype=np.int64)
    salt = 7
    while True:
        if st[kk.F0] + st[kk.F0 + 1] + st[kk.F0 + 2] + st[kk.F0 + 3] == 52:
            return True
        look(st, true_deck, deck, reach)
        n_pool = 0
        for pile in range(hcnt.shape[0]):
            for i in range(hcnt[pile]):
                if hid[pile, i] < 0:
                    pool[n_pool] = true_hid[pile, i]
                    n_pool += 1
        for i in range(st[kk.N_DECK]):
            if deck[i] < 0:
                pool[n_pool] = true_deck[i]
                n_pool += 1
        pool[:n_pool].sort()
        reserve_table(table, ctl, 2000)
        salt += 0x1234567
        if n_pool <= 1:
            big = np.zeros(1 << 22, dtype=np.int64)
            ctl[kk.DEPTH] = -1
            ctl[kk.ENTRIES] = 0
            return kk.search(st, true_hid, hcnt, pile_of, true_deck, ctl, frames, moves, big, exact, 0) == kk.WON
        n_leaves = list_leaves(st, hid, hcnt, pile_of, deck, frames, moves, table, salt, leaves)
        ctl[kk.ENTRIES] += 500
        if n_leaves == 0:
            return False
        best = 0
        if n_leaves > 1:
            stats[:] = 0
            settings[SEED] += 1
            best = choose(
                st, hid, hcnt, deck, pool, n_pool, leaves, n_leaves, settings, frames, moves, table, ctl, stats
            )
            log[0] += 1
            log[1] += settings[PULLS] * settings[BATCH]
        for i in range(leaves[best, 0]):
            move = leaves[best, i + 1]
            kind = move & 15
            if kind == kk.DS or kind == kk.DP:
                for j in range(move >> 11, st[kk.N_DECK] - 1):
                    deck[j] = deck[j + 1]
            kk.make(st, true_hid, hcnt, pile_of, true_deck, move)
        for pile in range(hcnt.shape[0]):
            if hcnt[pile] > 0:
                hid[pile, hcnt[pile] - 1] = true_hid[pile, hcnt[pile] - 1]
