"""Plain playouts: how well a prospect does when a simple player goes on from it in sampled worlds."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kibitz.engine.belief import Belief
from kibitz.engine.errors import BeliefError
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.explore import Prospect, useful_moves
from kibitz.engine.search.judge import outlook, step

__all__ = ["best_by_playouts"]

MOST_CANDIDATES = 4
MOST_MOVES = 30


def best_by_playouts(
    rules: Rules, prospects: Sequence[Prospect], clock: Clock, samples: int, seed: int
) -> tuple[Prospect, ...]:
    """Return the prospects in the order of their playouts; those not played keep their order behind.

    Every world of a round is played from all candidates, so that luck is shared.
    """
    candidates = _one_a_move(prospects)[:MOST_CANDIDATES]
    if len(candidates) < 2:
        return tuple(prospects)
    beliefs = [_belief(prospect.position) for prospect in candidates]
    totals = [0.0] * len(candidates)
    rounds = 0
    for number in range(max(1, samples // len(candidates))):
        values = []
        for prospect, belief in zip(candidates, beliefs, strict=True):
            if clock.expired:
                break
            rng = random.Random(seed * 100_003 + number)
            world = prospect.position if belief is None else belief.sample(rng)
            values.append(_play(rules, world, rng, clock))
        if len(values) < len(candidates):
            break
        totals = [total + value for total, value in zip(totals, values, strict=True)]
        rounds += 1
    if not rounds:
        return tuple(prospects)
    order = sorted(range(len(candidates)), key=lambda i: (-totals[i] / rounds - 0.2 * candidates[i].value, i))
    best = [candidates[i] for i in order]
    return (*best, *(prospect for prospect in prospects if prospect not in best))


def _belief(position: Position) -> Belief | None:
    try:
        return Belief.from_position(position)
    except BeliefError:
        return None


def _one_a_move(prospects: Sequence[Prospect]) -> list[Prospect]:
    """Return the best prospect of every first move."""
    best: dict[object, Prospect] = {}
    for prospect in prospects:
        best.setdefault(prospect.line[0], prospect)
    return list(best.values())


def _play(rules: Rules, position: Position, rng: random.Random, clock: Clock) -> float:
    """Return how promising the position looks after a greedy player's moves; a win counts most."""
    been = {rules.key(position)}
    best = outlook(rules, position)
    for _ in range(MOST_MOVES):
        if rules.is_won(position):
            return 1000.0
        options = []
        for move in useful_moves(rules, position):
            after = step(rules, position, move)
            key = rules.key(after)
            if key not in been:
                options.append((outlook(rules, after) + rng.random(), key, after))
            if clock.expired:
                return best
        if not options:
            break
        value, key, position = max(options, key=lambda option: option[0])
        been.add(key)
        best = max(best, value)
    return best
