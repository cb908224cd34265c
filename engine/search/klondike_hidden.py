"""Klondike with cards not known: weighs the steps that cannot be taken back, by the tree of `klondike_tree`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search import klondike_parts as kp
from kibitz.engine.search import klondike_tree as kt
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import scaled
from kibitz.engine.search.klondike_bridge import KlondikeState
from kibitz.engine.search.klondike_common import safe_mask
from kibitz.engine.search.klondike_leaves import MAX_PATH, MOST_LEAVES, find_leaves
from kibitz.engine.search.klondike_solver import new_work
from kibitz.engine.search.klondike_text import safe_rise

__all__ = [
    "MOST_SEARCHES",
    "SEARCHES",
    "TEXT_NODES",
    "TEXT_SEARCHES",
    "WORLD_NODES",
    "Weighed",
    "candidates",
    "forced_step",
    "stay",
    "weigh",
]

SEARCHES = scaled(400, 60)  # sampled worlds searched where one step is soon ahead
MOST_SEARCHES = 2  # times as many where it is not
WORLD_NODES = scaled(1000, 150)  # moves of one search
TEXT_SEARCHES, TEXT_NODES = scaled(200, 40), scaled(500, 100)  # the same where only whole runs move: that takes longer
VISITS_TO_EXPAND = 5
NEVER = 1 << 40
EAGER, EAGER_BELOW = 35, 35  # UCB, in hundredths
BATCH = 3
ONLY_ONE = 8  # part of the searches that the chance of the only step is worth
SLICE = scaled(80, 4)  # searches between two looks at the clock: about ten milliseconds
CLEAR = 2.5  # standard errors by which the best step must be ahead to stop early
TABLE_BITS = 15


@dataclass(frozen=True, slots=True)
class Weighed:
    """One irreversible step with what sampled worlds say of it."""

    path: tuple[int, ...]
    tried: int
    won: int

    @property
    def chance(self) -> float:
        """Share of the worlds won."""
        return self.won / self.tried if self.tried else 0.0

    @property
    def error(self) -> float:
        """Standard error of the chance, never 0 for a sample."""
        if not self.tried:
            return 0.5
        chance = (self.won + 1) / (self.tried + 2)
        return math.sqrt(chance * (1 - chance) / self.tried)


def candidates(state: KlondikeState) -> list[tuple[int, ...]]:
    """Return the shortest path to every place that one irreversible step leads to, known cards only."""
    leaves = np.zeros((MOST_LEAVES, MAX_PATH + 2), dtype=np.int64)
    count = find_leaves(state.copy().world, new_work(TABLE_BITS), 0, leaves)
    return [tuple(int(move) for move in leaves[i, 1 : leaves[i, 0] + 1]) for i in range(count)]


def forced_step(state: KlondikeState) -> int | None:
    """Return the rise of a card from a column that nothing can need, if there is one."""
    reach, out = np.empty(64, dtype=np.int64), np.zeros(200, dtype=np.int64)
    count = kk.generate(state.world, reach, out, 0)
    move = int(out[0])
    if count != 1 or move & 15 != kk.PS:
        return None
    st, card = state.world.st, move >> 4 & 63
    safe = safe_rise(st, card) if st[kp.TEXT] else safe_mask(st) >> card & 1
    return move if safe else None


def weigh(
    state: KlondikeState, clock: Clock, searches: int, nodes: int, seed: int, *, hindsight: bool = False
) -> list[Weighed]:
    """Weigh the steps of a position on sampled worlds, best first.

    Args:
        state: The position; its arrays are not changed.
        clock: Looked at every few milliseconds.
        searches: Sampled worlds to search; up to `MOST_SEARCHES` times as many while no step is clearly ahead.
        nodes: Most moves of one search.
        seed: The same seed gives the same answer as long as the clock does not run out.
        hindsight: Solve the worlds right after the step, so that the chances compare with `stay`.
    """
    work = new_work(TABLE_BITS)
    tree = _new_tree(searches * MOST_SEARCHES // VISITS_TO_EXPAND + 64)
    root = state.copy().world
    kt.expand(tree, 0, root, work, seed)
    count = _keep_known(tree, state.known)
    settings = np.zeros(kt.SETTINGS_SIZE, dtype=np.int64)
    settings[[kt.NODE_LIMIT, kt.EXPAND, kt.SEED]] = nodes, NEVER if hindsight else VISITS_TO_EXPAND, seed
    settings[[kt.EAGER, kt.EAGER_BELOW, kt.BATCH]] = EAGER, EAGER_BELOW, BATCH
    least = searches if count > 1 else -(-searches // ONLY_ONE)
    most = least * MOST_SEARCHES if count > 1 else least
    while count and not clock.expired:
        done = int(tree.counts[kt.SEARCHES])
        if done >= most or (done >= least and _clear(tree, count)):
            break
        kt.grow(root, state.known, tree, work, settings, min(SLICE, most - done))
    weighed = [_weighed(tree, leaf) for leaf in range(count)]
    return sorted(weighed, key=lambda one: (-one.tried, -one.won))


def stay(state: KlondikeState, clock: Clock, searches: int, nodes: int, seed: int) -> Weighed:
    """Return in how many sampled worlds the position can be won with open cards, whatever is done first."""
    work, counts = new_work(TABLE_BITS), np.zeros(8, dtype=np.int64)
    root = state.copy().world
    world = state.copy().world
    rng = np.zeros(1, dtype=np.int64)
    won = tried = 0
    while tried < searches and not clock.expired:
        kt.seed_random(rng, seed, tried)
        kt.sample_world(root, state.known, rng, world)
        won += int(kt.winnable(world, work, nodes, int(kt.next_random(rng)), counts))
        tried += 1
    return Weighed((), tried, won)


def _new_tree(nodes: int) -> kt.Tree:
    slots = 1 << (8 * nodes).bit_length()
    tree = kt.Tree(
        np.zeros((8 * nodes, 4), dtype=np.int64),
        np.zeros((8 * nodes + MOST_LEAVES, MAX_PATH + 2), dtype=np.int64),
        np.zeros((8 * nodes + MOST_LEAVES, 2), dtype=np.int64),
        np.zeros(2 * slots, dtype=np.int64),
        np.zeros(2 * slots, dtype=np.int64),
        np.zeros(8, dtype=np.int64),
    )
    tree.counts[kt.NODES_USED] = 1
    tree.nodes[0, kt.N_LEAVES] = -1
    return tree


def _keep_known(tree: kt.Tree, known: int) -> int:
    """Strike out the steps that use a stock card which nobody has seen; give how many steps are left."""
    count = 0
    for row in tree.paths[: int(tree.nodes[0, kt.N_LEAVES])].copy():
        codes = [int(code) for code in row[1 : row[0] + 1]]
        if all(code & 15 not in (kk.DS, kk.DP) or known >> (code >> 4 & 63) & 1 for code in codes):
            tree.paths[count] = row
            count += 1
    tree.nodes[0, kt.N_LEAVES] = count
    return count


def _weighed(tree: kt.Tree, leaf: int) -> Weighed:
    path = tree.paths[leaf, 1 : tree.paths[leaf, 0] + 1]
    return Weighed(tuple(int(move) for move in path), int(tree.stats[leaf, 0]), int(tree.stats[leaf, 1]))


def _clear(tree: kt.Tree, count: int) -> bool:
    """Tell whether the step tried most often is ahead of all others by more than chance."""
    ranked = sorted((_weighed(tree, leaf) for leaf in range(count)), key=lambda one: (-one.tried, -one.won))
    best = ranked[0]
    if not best.won or best.won == best.tried:
        return True
    return all(best.chance - one.chance > CLEAR * math.hypot(best.error, one.error) for one in ranked[1:])
