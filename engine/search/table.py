"""Transposition set for the kernels: 64-bit keys in an open-addressing table, and the mixing that makes them.

A table is one int64 array whose length is a power of two; 0 marks an empty slot (a key of 0 is stored as 1).
The array's owner counts the entries and grows the table before it is half full, so small searches stay in cache.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.search.jit import Ints, kernel

FULL_SHARE = 2  # a table is full when 1/FULL_SHARE of its slots are taken


def new_table(bits: int) -> Ints:
    """An empty table of 2**bits slots."""
    return np.zeros(1 << bits, dtype=np.int64)


def zobrist(seed: int, count: int) -> Ints:
    """`count` fixed pseudo-random non-zero int64 numbers; the same seed gives the same numbers on every machine."""
    words = np.random.Generator(np.random.PCG64(seed)).integers(1, np.iinfo(np.int64).max, size=count, dtype=np.int64)
    return words


@kernel
def find(table: Ints, key: int) -> int:
    """The slot where the key is, or the empty one where it belongs; keys are not 0."""
    mask = table.shape[0] - 1
    slot = (key ^ (key >> 29)) & mask
    while table[slot] != 0 and table[slot] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def insert(table: Ints, key: int) -> bool:
    """Put `key` into the table; True when it was not there yet."""
    if key == 0:
        key = 1
    slot = find(table, key)
    new: bool = table[slot] == 0
    table[slot] = key
    return new


@kernel
def contains(table: Ints, key: int) -> bool:
    """Is `key` in the table?"""
    if key == 0:
        key = 1
    there: bool = table[find(table, key)] == key
    return there


@kernel
def rehash(old: Ints, new: Ints) -> None:
    """Move every key of `old` into the larger, empty table `new`."""
    for slot in range(old.shape[0]):
        if old[slot] != 0:
            insert(new, old[slot])
