"""Advice for Walter: a win within the attempt if there is one, else the dead end from which a new deal does best."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import walter_kernel as wk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import scaled
from kibitz.engine.search.judge import reason_of, step
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.values import Advice, Reason, Verdict
from kibitz.engine.search.walter_solver import WalterSolution, complete, solve_walter

__all__ = ["advise_walter", "codes", "to_moves"]

SOLVE_NODES = scaled(2_500_000)  # under two seconds with the beams
ROUNDS = ((40, 6, scaled(4_000, 200)), (5, 24, scaled(12_000, 400)))
"""Dead ends compared, new deals sampled for each, moves of one search: first many a little, then the best of them."""


def advise_walter(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice, or None where cards are hidden or the table is not in order."""
    if position.unknown() or rules.problems(position) or len(position) != 52:
        return None
    redeal = next((move for move in rules.legal_moves(position) if move.kind is MoveKind.REDEAL), None)
    if redeal is not None and rules.options["redeal_when"] == "stuck":
        return Advice(redeal, Reason.REDEALS, (redeal,))
    fans, bases = codes(position)
    solution = solve_walter(fans, bases, clock, clock.nodes(SOLVE_NODES), clock.limit.seed)
    if solution.outcome is Outcome.WON:
        line = to_moves(rules, position, solution.path)
        return Advice(line[0], Reason.WINS, line, 1.0, 0.0)
    attempts = rules.options["attempts"]
    assert isinstance(attempts, int)
    if position.attempt < attempts:
        if redeal is not None and solution.ends and not solution.ends[0].path:
            return Advice(redeal, Reason.REDEALS, (redeal,))
        return _for_redeal(rules, position, solution, clock)
    if solution.outcome is Outcome.LOST:
        return Advice(None, Reason.NOTHING_LEFT, (), 0.0, 0.0, verdict=Verdict.LOST, loses=True)
    if not solution.ends or not solution.ends[0].path:
        return None
    line = to_moves(rules, position, solution.ends[0].path)
    return Advice(line[0], reason_of(rules, position, line), line, verdict=Verdict.NO_WIN_FOUND)


def _for_redeal(rules: Rules, position: Position, solution: WalterSolution, clock: Clock) -> Advice | None:
    """Return the way to the dead end from which most sampled new deals are won.

    Few cards in the fans are a nearly fixed order, so it is often better to stop early.
    """
    ends = [end for end in solution.ends if end.path]
    if not ends:
        return None
    chances = [(0.0, end) for end in ends]
    tried = 0
    for most, deals, nodes in ROUNDS:
        if not clock.expired:
            chances = [(_redeal_chance(position, end.path, (deals, nodes), clock), end) for _, end in chances[:most]]
            chances.sort(key=lambda pair: -pair[0])
            tried = deals
    chance, best = chances[0]
    line = to_moves(rules, position, best.path)
    error = (chance * (1 - chance) / tried) ** 0.5 + 0.5 / tried if tried else None
    return Advice(line[0], reason_of(rules, position, line), line, chance if tried else None, error)


def _redeal_chance(position: Position, path: Sequence[int], effort: tuple[int, int], clock: Clock) -> float:
    """Return the share of sampled new deals after that dead end that are won at once.

    Args:
        position: Where the way begins.
        path: The way to the dead end.
        effort: New deals to be sampled, and moves that one search may make.
        clock: Ends it early.
    """
    rng = random.Random(clock.limit.seed)
    fans, bases = (np.array(part, dtype=np.int64) for part in codes(position))
    left = np.zeros(14, dtype=np.int64)
    for move in path:
        wk.make(fans, bases, left, 0, move)
    ranks = [int(fan) >> 4 * i & 15 for fan in fans for i in range(4) if int(fan) >> 4 * i & 15]
    piles = [int(base) for base in bases]
    won = tried = 0
    while tried < effort[0] and not clock.expired:
        rng.shuffle(ranks)
        dealt = [sum(rank << 4 * i for i, rank in enumerate(ranks[at : at + 4])) for at in range(0, len(ranks), 4)]
        dealt += [0] * (len(fans) - len(dealt))
        won += complete(dealt, piles, clock, effort[1]).outcome is Outcome.WON
        tried += 1
    return won / max(tried, 1)


def codes(position: Position) -> tuple[list[int], list[int]]:
    """Return the fans and base piles of a position with all cards known, as the kernel has them."""
    fans = [
        sum(card.card.rank << 4 * i for i, card in enumerate(pile) if card.card is not None)
        for pile in position.tableau
    ]
    return fans, [len(pile) for pile in position.bases]


def to_moves(rules: Rules, position: Position, path: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves at the table for kernel moves from this position."""
    line = []
    for code in path:
        source = PileId.of(PileKind.TABLEAU, code >> 4 & 15)
        kind = PileKind.TABLEAU if code & wk.TRANSFER else PileKind.BASES
        target = PileId.of(kind, code & 15)
        onto = position.pile(target)
        cards = (position.pile(source)[-1].card,)
        move = Move(MoveKind.MOVE, source, target, cards=cards, onto=onto[-1].card if onto else None)
        line.append(move)
        position = step(rules, position, move)
    return tuple(line)
