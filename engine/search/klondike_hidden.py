"""Klondike with cards not known: weighs the steps that cannot be taken back, by the tree of `klondike_tree`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search import klondike_tree as kt
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import scaled
from kibitz.engine.search.klondike_bridge import KlondikeState
from kibitz.engine.search.klondike_leaves import MAX_PATH, MOST_LEAVES, find_leaves
from kibitz.engine.search.klondike_solver import new_work

__all__ = ["MOST_SEARCHES", "SEARCHES", "WORLD_NODES", "Weighed", "candidates", "forced_step", "weigh"]

SEARCHES = scaled(600, 60)  # sampled worlds searched where one step is soon ahead
MOST_SEARCHES = 2  # times as many where it is not
WORLD_NODES = scaled(1000, 150)  # moves of one search
VISITS_TO_EXPAND = 5
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
    """Return the one move that loses nothing whatever lies hidden, if the kernel sees one."""
    reach, out = np.empty(64, dtype=np.int64), np.zeros(200, dtype=np.int64)
    count = kk.generate(state.world, reach, out, 0)
    return int(out[0]) if count == 1 and (out[0] & 15) in (kk.PS, kk.DS) else None


def weigh(state: KlondikeState, clock: Clock, searches: int, nodes: int, seed: int) -> list[Weighed]:
    """Weigh the steps of a position on sampled worlds, best first.

    Args:
        state: The position; its arrays are not changed.
        clock: Looked at every few milliseconds.
        searches: Sampled worlds to search; up to `MOST_SEARCHES` times as many while no step is clearly ahead.
        nodes: Most moves of one search.
        seed: The same seed gives the same answer as long as the clock does not run out.
    """
    work = new_work(TABLE_BITS)
    tree = _new_tree(searches * MOST_SEARCHES // VISITS_TO_EXPAND + 64)
    root = state.copy().world
    kt.expand(tree, 0, root, work, seed)
    count = int(tree.nodes[0, kt.N_LEAVES])
    settings = np.zeros(kt.SETTINGS_SIZE, dtype=np.int64)
    settings[[kt.NODE_LIMIT, kt.EXPAND, kt.SEED]] = nodes, VISITS_TO_EXPAND, seed
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
