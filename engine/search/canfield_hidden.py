"""Canfield with cards not known: which move wins most of the sampled worlds.

Nothing but dealing can be taken back, so every move of `canfield_columns` is a decision. Worlds are tried by a short
depth-first search with all cards known; all candidates are tried on the same worlds, and the worse half drops out of
every round (sequential halving).

Cards not known are -1 in `deck` and `reserve`. DEAL is one more candidate: go on dealing to the next unknown card,
past the waste's top. As long as no card can be missed by it, the stock is run through before anything is decided.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search import canfield_columns as cc
from kibitz.engine.search.canfield_kernel import RESERVE, safe, unmissed
from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.klondike_kernel import (
    CTL_SIZE,
    DEPTH,
    ENTRIES,
    F0,
    N_DECK,
    PASSES,
    WASTE,
    WON,
    canonical_waste,
    reachable,
)
from kibitz.engine.search.random_kernel import next_random, seed_random, shuffle

DEAL = 15  # the kind of the candidate that deals on
# settings of the choice
WORLDS, NODE_LIMIT, SEED, DEAL_COST = 0, 1, 2, 3
SETTINGS_SIZE = 4
TRIED, WINS = 0, 1  # columns of the counts of each candidate
MOST = 64  # candidates at most
TABLE_BITS = 15


@kernel
def workspace() -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Search control, frames, moves, table, stock places that can be reached."""
    ctl = np.zeros(CTL_SIZE, dtype=np.int64)
    frames = np.zeros((cc.MAX_DEPTH, 4), dtype=np.int64)
    moves = np.zeros(cc.MAX_DEPTH * 60, dtype=np.int64)
    return ctl, frames, moves, np.zeros(1 << TABLE_BITS, dtype=np.int64), np.zeros(128, dtype=np.int64)


@kernel
def next_unknown(st: Ints, deck: Ints, reach: Ints) -> int:
    """Where dealing first brings up an unknown card: the number of cards then in the waste; -1 if all are known."""
    count = reachable(st, reach)
    for i in range(count):
        if deck[reach[i] >> 1] < 0:
            return (reach[i] >> 1) + 1
    return -1


@kernel
def order(st: Ints, place: int) -> int:
    """When dealing comes to so many cards in the waste: those ahead first, then those after a turnover."""
    return place if place >= st[WASTE] else place + 64


@kernel
def sure(st: Ints, move: int) -> bool:
    """Is this a move that nothing speaks against?"""
    kind = move & 15
    if kind not in (cc.TF, cc.RF, cc.DF) or not safe(st, (move >> 4) & 63):
        return False
    return kind != cc.DF or unmissed(st, (move >> 11) & 127)


@kernel
def candidates(st: Ints, cols: Ints, size: Ints, deck: Ints, reserve: Ints, reach: Ints, out: Ints) -> int:
    """Write the candidates; give their number. Stock cards behind an unknown one are none: first it will be seen."""
    end = cc.generate(st, cols, size, deck, reserve, reach, out, 0)
    place = next_unknown(st, deck, reach)
    if place < 0:
        return end
    kept = 0
    for i in range(end):
        if out[i] & 15 >= cc.DF and order(st, ((out[i] >> 11) & 127) + 1) > order(st, place):
            continue
        out[kept] = out[i]
        kept += 1
    if not (kept == 1 and sure(st, out[0])):
        out[kept] = place << 4 | DEAL
        kept += 1
    return kept


@kernel
def deal_to(st: Ints, place: int) -> None:
    """Deal until so many cards lie in the waste."""
    st[WASTE] = place
    canonical_waste(st)


@kernel
def sample_world(st: Ints, deck: Ints, reserve: Ints, pool: Ints, deck2: Ints, reserve2: Ints) -> None:
    """Put the cards of `pool`, shuffled already, into the unknown places."""
    at = 0
    for i in range(st[RESERVE]):
        reserve2[i] = reserve[i]
        if reserve[i] < 0:
            reserve2[i] = pool[at]
            at += 1
    for i in range(st[N_DECK]):
        deck2[i] = deck[i]
        if deck[i] < 0:
            deck2[i] = pool[at]
            at += 1


@kernel
def choose(
    st: Ints,
    cols: Ints,
    size: Ints,
    deck: Ints,
    reserve: Ints,
    pool: Ints,
    n_pool: int,
    found: Ints,
    number: int,
    settings: Ints,
    counts: Ints,
) -> int:
    """The best of the candidates found[:number]; `counts` rows (worlds tried, won) are filled."""
    ctl, frames, moves, table, reach = workspace()
    rng = np.zeros(1, dtype=np.int64)
    pool2, deck2, reserve2 = pool.copy(), deck.copy(), reserve.copy()
    deck3, st3, cols3, size3 = deck.copy(), st.copy(), cols.copy(), size.copy()
    alive = np.arange(number)
    n_alive = number
    rounds = 1
    while (1 << rounds) < number:
        rounds += 1
    world = 0
    for _ in range(rounds):
        for _ in range(max(1, settings[WORLDS] // (rounds * n_alive))):
            pool2[:n_pool] = pool[:n_pool]
            seed_random(rng, settings[SEED], world)
            world += 1
            shuffle(pool2, n_pool, rng)
            sample_world(st, deck, reserve, pool2, deck2, reserve2)
            for at in range(n_alive):
                move = found[alive[at]]
                st3[:] = st
                size3[:] = size
                cols3[:] = cols
                deck3[:] = deck2
                if move & 15 == DEAL:
                    deal_to(st3, move >> 4)
                else:
                    cc.make(st3, cols3, size3, deck3, reserve2, move)
                if ctl[ENTRIES] + settings[NODE_LIMIT] > table.shape[0] // 2:
                    table[:] = 0
                    ctl[ENTRIES] = 0
                ctl[DEPTH] = -1
                salt = next_random(rng)
                done = st3[F0] + st3[F0 + 1] + st3[F0 + 2] + st3[F0 + 3] == 52
                if not done:
                    status = cc.search(
                        st3, cols3, size3, deck3, reserve2, reach, ctl, frames, moves, table, settings[NODE_LIMIT], salt
                    )
                    done = status == WON
                counts[alive[at], TRIED] += 1
                counts[alive[at], WINS] += done
        for i in range(1, n_alive):  # best first; dealing on must be better by DEAL_COST of a thousand worlds
            j = i
            while j > 0 and worth(found, counts, settings, alive[j]) > worth(found, counts, settings, alive[j - 1]):
                alive[j], alive[j - 1] = alive[j - 1], alive[j]
                j -= 1
        n_alive = max(1, (n_alive + 1) // 2)
    return alive[0]


@kernel
def worth(found: Ints, counts: Ints, settings: Ints, candidate: int) -> float:
    """Share of worlds won by a candidate, with the price of dealing on."""
    share = counts[candidate, WINS] / counts[candidate, TRIED]
    return share - settings[DEAL_COST] / 1000 if found[candidate] & 15 == DEAL else share


@kernel
def looks_free(st: Ints) -> bool:
    """Does running through the stock cost nothing?"""
    return st[PASSES] < 0 and st[WASTE] == 0
