"""Klondike with cards not known: a tree of what the player will have seen, with sampled worlds solved at its ends.

A decision is one step that cannot be taken back (a card turned up, a stock card used) after any number of steps that
can. What a step shows decides where play goes on, so a node of the tree is a sequence of steps with the cards they
showed: in one node the same step is chosen in all worlds, however these differ in what is still face down. Worlds
drawn from the cards not seen run down the tree; where it ends a short depth-first search decides whether that world
can be won with open cards. Without the tree (`EXPAND` never reached) that is hindsight alone, which overrates every
step that only puts a decision off.

The unknown places of a position hold the unseen cards in any order; the mask `known` says which cards are seen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.engine.search.jit import Ints, kernel
from kibitz.engine.search.klondike_kernel import all_up, make, search, sure_win
from kibitz.engine.search.klondike_leaves import MOST_LEAVES, copy_world, find_leaves, reserve_table
from kibitz.engine.search.klondike_parts import DEPTH, N_DECK, PILES, SURE, TEXT, VIS, WON, Work, World, reachable
from kibitz.engine.search.klondike_text import text_reachable
from kibitz.engine.search.random_kernel import next_random, seed_random, shuffle

__all__ = [
    "BATCH", "EAGER", "EAGER_BELOW", "EXPAND", "NODES_USED", "NODE_LIMIT", "N_LEAVES", "SEARCHES", "SEED",
    "SETTINGS_SIZE", "Tree", "best_step", "expand", "grow", "next_random", "sample_world", "seed_random", "seen_in",
    "winnable",
]  # fmt: skip

# settings: most moves of one search, visits before a node gets steps of its own, seed, how eagerly to try (in 1/100)
# at the root and below, steps tried in a row on new worlds
NODE_LIMIT, EXPAND, SEED, EAGER, EAGER_BELOW, BATCH = 0, 1, 2, 3, 4, 5
SETTINGS_SIZE = 8
# rows of `nodes`; the columns of `stats` are visits and wins
VISITS, N_LEAVES, FIRST = 0, 1, 2
# counts: nodes, leaves, searches, searches that reached their limit
NODES_USED, LEAVES_USED, SEARCHES, OPEN = 0, 1, 2, 3
MOST_STEPS = 60


class Tree(NamedTuple):
    """The tree, node 0 being the position asked about; the first rows of `paths` are its steps."""

    nodes: Ints
    paths: Ints
    """Rows (length, moves): the steps of all nodes."""
    stats: Ints
    keys: Ints
    """Open-addressing table: step and cards seen ..."""
    children: Ints
    """... and the node they lead to."""
    counts: Ints


@kernel
def seen_in(world: World, reach: Ints) -> int:
    """The cards a player sees on this table or by running through its stock."""
    st = world.st
    mask = st[VIS]
    if st[TEXT]:
        for pile in range(st[PILES]):
            for i in range(world.hcnt[pile], world.hcnt[st[PILES] + pile]):
                mask |= 1 << world.hid[pile, i]
        count = text_reachable(st, world.deck, reach)
    else:
        count = reachable(st, reach)
    for i in range(count):
        mask |= 1 << world.deck[reach[i] >> 1]
    return mask


@kernel
def sample_world(root: World, known: int, rng: Ints, world: World) -> None:
    """Write to `world` the root with its unknown cards in a random order."""
    world.st[:] = root.st
    world.hcnt[:] = root.hcnt
    world.hid[:] = root.hid
    world.deck[:] = root.deck
    pool = np.empty(52, dtype=np.int64)
    count = 0
    columns = root.st[PILES]
    for pile in range(columns):
        for i in range(root.hcnt[pile]):
            card = root.hid[pile, i]
            if (known >> card) & 1 == 0:
                pool[count] = card
                count += 1
    for i in range(root.st[N_DECK]):
        card = root.deck[i]
        if (known >> card) & 1 == 0:
            pool[count] = card
            count += 1
    shuffle(pool, count, rng)
    count = 0
    for pile in range(columns):
        for i in range(root.hcnt[pile]):
            card = root.hid[pile, i]
            if (known >> card) & 1 == 0:
                card = pool[count]
                count += 1
                world.hid[pile, i] = card
            world.pile_of[card] = pile
    for i in range(root.st[N_DECK]):
        if (known >> root.deck[i]) & 1 == 0:
            world.deck[i] = pool[count]
            count += 1


@kernel
def winnable(world: World, work: Work, limit: int, salt: int, counts: Ints) -> int:
    """1 if a short search wins this world with open cards; the world is used up."""
    reserve_table(work, limit + 8)
    work.ctl[DEPTH] = -1
    work.ctl[SURE] = 1
    status = search(world, work, limit, salt)
    counts[SEARCHES] += 1
    if status == WON:
        return 1
    if status == 0:
        counts[OPEN] += 1
    return 0


@kernel
def child_of(tree: Tree, leaf: int, seen: int) -> int:
    """The node after a step that shows these cards; a new one if need be, -1 if there is no room."""
    low, high = seen & 0x3FFFFFF, seen >> 26  # products that fit into 63 bits
    key = (leaf + 1) * 0x1E3779B97F ^ low * 0x9F4A7C15B ^ (high * 0x5F4914F6C) << 1
    mask = tree.keys.shape[0] - 1
    slot = (key ^ (key >> 29) ^ (key >> 13)) & mask
    while tree.keys[slot] != 0:
        if tree.keys[slot] == key:
            return tree.children[slot]
        slot = (slot + 1) & mask
    node = tree.counts[NODES_USED]
    if node >= tree.nodes.shape[0]:
        return -1
    tree.counts[NODES_USED] += 1
    tree.keys[slot] = key
    tree.children[slot] = node
    tree.nodes[node, VISITS] = 0
    tree.nodes[node, N_LEAVES] = -1
    return node


@kernel
def pick(tree: Tree, node: int, eager: int) -> int:
    """The step of a node to try next (UCB)."""
    first = tree.nodes[node, FIRST]
    total = 1.0
    for leaf in range(first, first + tree.nodes[node, N_LEAVES]):
        total += tree.stats[leaf, 0]
    spread = np.log(total)
    best = first
    best_value = -1.0
    for leaf in range(first, first + tree.nodes[node, N_LEAVES]):
        visits = tree.stats[leaf, 0]
        if visits == 0:
            return leaf
        value = tree.stats[leaf, 1] / visits + 0.01 * eager * np.sqrt(spread / visits)
        if value > best_value:
            best = leaf
            best_value = value
    return best


@kernel
def expand(tree: Tree, node: int, world: World, work: Work, salt: int) -> bool:
    """Give a node its steps; False if there is no room."""
    first = tree.counts[LEAVES_USED]
    if first + MOST_LEAVES > tree.paths.shape[0]:
        return False
    number = find_leaves(world, work, salt, tree.paths[first : first + MOST_LEAVES])
    tree.stats[first : first + number] = 0
    tree.nodes[node, N_LEAVES] = number
    tree.nodes[node, FIRST] = first
    tree.counts[LEAVES_USED] += number
    return True


@kernel
def run_down(world: World, known: int, leaf: int, tree: Tree, work: Work, settings: Ints, salt: int) -> None:
    """Follow the tree from a step of the root to its end in one world, and note the result on the way."""
    trail = np.empty(MOST_STEPS, dtype=np.int64)
    reach = np.empty(64, dtype=np.int64)
    steps = 0
    node = 0
    while True:
        trail[steps] = leaf
        steps += 1
        for i in range(tree.paths[leaf, 0]):
            make(world, tree.paths[leaf, i + 1])
        if all_up(world.st) or sure_win(world):
            value = 1
            tree.counts[SEARCHES] += 1
            break
        shown = seen_in(world, reach) & ~known
        known |= shown
        node = child_of(tree, leaf, shown)
        if node >= 0:
            tree.nodes[node, VISITS] += 1
            grown = tree.nodes[node, N_LEAVES] >= 0
            if not grown and tree.nodes[node, VISITS] > settings[EXPAND] and steps < MOST_STEPS:
                grown = expand(tree, node, world, work, salt)
        if node < 0 or not grown:
            value = winnable(world, work, settings[NODE_LIMIT], salt, tree.counts)
            break
        if tree.nodes[node, N_LEAVES] == 0:
            value = 0
            tree.counts[SEARCHES] += 1
            break
        leaf = pick(tree, node, settings[EAGER_BELOW])
    for i in range(steps):
        tree.stats[trail[i], 0] += 1
        tree.stats[trail[i], 1] += value


@kernel
def grow(root: World, known: int, tree: Tree, work: Work, settings: Ints, searches: int) -> None:
    """Go on with the tree for about so many searches. World k is the same for all steps of the root."""
    world = copy_world(root)
    rng = np.zeros(1, dtype=np.int64)
    end = tree.counts[SEARCHES] + searches
    while tree.counts[SEARCHES] < end:
        leaf = pick(tree, 0, settings[EAGER])
        for _turn in range(settings[BATCH]):
            seed_random(rng, settings[SEED], tree.stats[leaf, 0])
            sample_world(root, known, rng, world)
            salt = next_random(rng) ^ (tree.counts[SEARCHES] + 1) * 0x1E3779B97F
            run_down(world, known, leaf, tree, work, settings, salt)
        tree.nodes[0, VISITS] += settings[BATCH]


@kernel
def best_step(tree: Tree) -> int:
    """The step of the root tried most often; among equals the one won more often."""
    best = 0
    for leaf in range(1, tree.nodes[0, N_LEAVES]):
        more = tree.stats[leaf, 0] - tree.stats[best, 0]
        if more > 0 or (more == 0 and tree.stats[leaf, 1] > tree.stats[best, 1]):
            best = leaf
    return best
