"""Pseudo-random numbers inside kernels: the same numbers from the same seed on every machine."""

from __future__ import annotations

from kibitz.engine.search.jit import Ints, kernel


@kernel
def next_random(rng: Ints) -> int:
    """A pseudo-random number from 0 to 2**62 - 1 (xorshift); `rng` is one int64 that holds the state."""
    x = rng[0]
    x ^= x << 13
    x ^= (x >> 7) & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    rng[0] = x
    return (x >> 1) & 0x3FFFFFFFFFFFFFFF


@kernel
def seed_random(rng: Ints, seed: int, number: int) -> None:
    """Start the generator for one numbered world."""
    first = (seed & 0x7FFFFFFF) * 0x5851F42D  # products that fit into 63 bits
    second = (number & 0x7FFFFFFF) * 0x4057B7EF
    rng[0] = first ^ (second << 1) ^ 0x2545F4914F6CDD1D
    if rng[0] == 0:
        rng[0] = 88172645463325252
    for _ in range(12):
        next_random(rng)


@kernel
def shuffle(pool: Ints, count: int, rng: Ints) -> None:
    """Put the first `count` numbers of `pool` into a random order."""
    for i in range(count - 1, 0, -1):
        j = next_random(rng) % (i + 1)
        pool[i], pool[j] = pool[j], pool[i]
