"""How fast the rules are in plain Python: random games, counted by the processor's time."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from kibitz.engine.position import Position
from kibitz.engine.registry import get_rules

__all__ = ["Speed", "measure_speed"]

MOST_MOVES = 150
"""Moves of one game; random games seldom last longer before they only run through the stock."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How many moves a second were made, in seconds of processor time."""

    game: str
    """The patience or preset."""
    moves: int
    """How many moves were made in each round."""
    all_in: float
    """Moves a second when all legal moves are listed, one is drawn, checked and made with its consequences."""
    made: float
    """Moves a second when the moves are only checked and made; they were listed before."""


def measure_speed(game: str, deals: int = 20, rounds: int = 5) -> Speed:
    """Play random games of numbered deals and time them; the quickest round counts, as others were disturbed.

    Args:
        game: The patience or preset.
        deals: How many games make a round.
        rounds: How often the same games are played.
    """
    rules = get_rules(game)
    starts = [rules.settle(rules.deal(seed)) for seed in range(deals)]
    whole, listing = float("inf"), float("inf")
    path: list[Position] = []
    for _ in range(rounds):
        start = time.process_time()
        path = [position for deal, position in enumerate(starts) for position in _walk(game, position, deal)]
        whole = min(whole, time.process_time() - start)
        start = time.process_time()
        for position in path:
            rules.legal_moves(position)
        listing = min(listing, time.process_time() - start)
    return Speed(game, len(path), len(path) / whole, len(path) / max(whole - listing, 1e-9))


def _walk(game: str, position: Position, seed: int) -> list[Position]:
    """Return the positions of a random game in which a move was made."""
    rules = get_rules(game)
    draw = random.Random(seed).random
    path: list[Position] = []
    while len(path) < MOST_MOVES and (moves := rules.legal_moves(position)):
        path.append(position)
        position = rules.apply(position, moves[int(draw() * len(moves))])
    return path
