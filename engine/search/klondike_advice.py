"""Advice for Klondike by the common rules, made of the solver's answers."""

from __future__ import annotations

import math

from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import scaled
from kibitz.engine.search.judge import reason_of
from kibitz.engine.search.klondike_bridge import KlondikeState, from_position, to_moves
from kibitz.engine.search.klondike_kernel import PASSES
from kibitz.engine.search.klondike_solver import Outcome, Weighed, candidates, solve, weigh
from kibitz.engine.search.relaxed import advise_relaxed
from kibitz.engine.search.values import Advice, RankedMove, Reason, Verdict

__all__ = ["advise_klondike"]

SOLVE_NODES = scaled(2_000_000)
SAMPLES = scaled(1200, 120)
WORLD_NODES = scaled(1000, 150)
LOOK_FIRST = 0.02  # a known step must keep nearly all of the chance to be made before the stock has been looked through


def advise_klondike(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice, or None where this solver does not play by the rules or could not decide."""
    state = from_position(rules, position)
    if state is None:
        return advise_relaxed(rules, position, clock)
    if rules.unread(position):
        return None
    if state.n_pool <= 1:
        return _exact(rules, position, state, clock)
    return _sampled(rules, position, state, clock)


def _exact(rules: Rules, position: Position, state: KlondikeState, clock: Clock) -> Advice | None:
    known = state.filled([int(card) for card in state.pool[: state.n_pool]])
    solution = solve(known, clock, clock.solver_nodes(SOLVE_NODES))
    if solution.outcome is Outcome.LOST:
        return Advice(None, Reason.NOTHING_LEFT, (), 0.0, 0.0, verdict=Verdict.LOST, loses=True)
    if solution.outcome is Outcome.UNDECIDED:
        return None
    line = to_moves(rules, position, solution.path)[0]
    return Advice(line[0], Reason.WINS, line, 1.0, 0.0)


def _sampled(rules: Rules, position: Position, state: KlondikeState, clock: Clock) -> Advice | None:
    paths = candidates(state)
    look = _stock_move(rules, position) if state.unknown_reachable() else None
    if look is not None and state.st[PASSES] >= 0:
        return None  # looking costs a turnover: not this solver's kind of game
    if not paths:
        if look is not None:
            return Advice(look, Reason.LOOKS_AT_STOCK, (look,))
        return Advice(None, Reason.NOTHING_LEFT, verdict=Verdict.CYCLING)
    asked = [*paths, ()] if look is not None else paths
    weighed = weigh(state, asked, clock, clock.samples(SAMPLES), WORLD_NODES, clock.limit.seed)
    steps = [one for one in weighed if one.path]
    stay = next((one for one in weighed if not one.path), None)
    ranked = [_ranked(rules, position, one) for one in steps]
    if look is not None and stay is not None and steps[0].chance < stay.chance - LOOK_FIRST:
        return Advice(look, Reason.LOOKS_AT_STOCK, (look,), stay.chance, _error(stay), tuple(ranked))
    best = ranked[0]
    others = tuple(_one_a_move(ranked, best.move))
    reason = Reason.AVOIDS_DEAD_END if _only_hope(steps) else best.reason
    return Advice(best.move, reason, best.line, best.win_chance, best.error, others)


def _stock_move(rules: Rules, position: Position) -> Move | None:
    moves = rules.legal_moves(position)
    return next((move for move in moves if move.kind in (MoveKind.DRAW, MoveKind.TURNOVER)), None)


def _ranked(rules: Rules, position: Position, one: Weighed) -> RankedMove:
    line = to_moves(rules, position, one.path)[0]
    return RankedMove(line[0], reason_of(rules, position, line), one.chance, _error(one), line=line)


def _error(one: Weighed) -> float:
    """Return the standard error of the share of worlds won, never 0 for a sample."""
    if not one.tried:
        return 0.5
    chance = (one.won + 1) / (one.tried + 2)
    return math.sqrt(chance * (1 - chance) / one.tried)


def _one_a_move(ranked: list[RankedMove], best: Move) -> list[RankedMove]:
    seen = {best}
    others = []
    for one in ranked[1:]:
        if one.move not in seen:
            seen.add(one.move)
            others.append(one)
    return others[:5]


def _only_hope(steps: list[Weighed]) -> bool:
    return len(steps) > 1 and steps[0].chance >= 0.05 and all(one.tried >= 10 and one.won == 0 for one in steps[1:])
