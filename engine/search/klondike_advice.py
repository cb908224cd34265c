"""Advice for Klondike, made of the answers of the solver and of the tree over sampled worlds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import scaled
from kibitz.engine.search.judge import reason_of
from kibitz.engine.search.klondike_bridge import KlondikeState, from_position, to_moves
from kibitz.engine.search.klondike_hidden import (
    SEARCHES,
    TEXT_NODES,
    TEXT_SEARCHES,
    WORLD_NODES,
    Weighed,
    candidates,
    forced_step,
    stay,
    weigh,
)
from kibitz.engine.search.klondike_kernel import make
from kibitz.engine.search.klondike_parts import PASSES, TEXT
from kibitz.engine.search.klondike_solver import Outcome, solve
from kibitz.engine.search.relaxed import advise_relaxed
from kibitz.engine.search.values import Advice, RankedMove, Reason, Verdict

__all__ = ["advise_klondike"]

SOLVE_NODES = scaled(2_000_000)
OTHER_NODES = scaled(3000)  # moves spent on what becomes of each other step when the best one is known to win
MOST_OTHERS = 5
LOOK_FIRST = 0.02  # where turnovers are counted: a step must keep so nearly all of the chance to come before looking
HOPE = 0.05  # chance from which a step is the only hope when the others never win


def advise_klondike(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice, or None where this solver does not play by the rules or could not decide."""
    state = from_position(rules, position)
    if state is None:
        return advise_relaxed(rules, position, clock)
    if rules.unread(position):
        return None
    if state.unseen <= 1:
        return _exact(rules, position, state, clock)
    return _sampled(rules, position, state, clock)


def _exact(rules: Rules, position: Position, state: KlondikeState, clock: Clock) -> Advice | None:
    solution = solve(state.copy(), clock, clock.solver_nodes(SOLVE_NODES))
    if solution.outcome is Outcome.LOST:
        return Advice(None, Reason.NOTHING_LEFT, (), 0.0, 0.0, verdict=Verdict.LOST, loses=True)
    if solution.outcome is Outcome.UNDECIDED:
        return None
    line = to_moves(rules, position, solution.path)[0]
    return Advice(line[0], Reason.WINS, line, 1.0, 0.0, _others(rules, position, state, clock, line[0]))


def _others(rules: Rules, position: Position, state: KlondikeState, clock: Clock, best: Move) -> tuple[RankedMove, ...]:
    """Return what is known for certain of the other steps: whether they win or lose."""
    others: dict[Move, RankedMove] = {}
    for path in candidates(state):
        if clock.expired or len(others) == MOST_OTHERS:
            break
        line = to_moves(rules, position, path)[0]
        if not line or line[0] == best or line[0] in others:
            continue
        after = state.copy()
        for code in path:
            make(after.world, code)
        outcome = solve(after, clock, clock.nodes(OTHER_NODES)).outcome
        if outcome is not Outcome.UNDECIDED:
            chance = 1.0 if outcome is Outcome.WON else 0.0
            reason = reason_of(rules, position, line)
            others[line[0]] = RankedMove(line[0], reason, chance, 0.0, loses=chance == 0.0, line=line)
    return tuple(sorted(others.values(), key=lambda one: one.loses))


def _sampled(rules: Rules, position: Position, state: KlondikeState, clock: Clock) -> Advice | None:
    sure = forced_step(state)
    if sure is not None and (line := to_moves(rules, position, [sure])[0]):
        return Advice(line[0], reason_of(rules, position, line), line)
    counts = (TEXT_SEARCHES, TEXT_NODES) if state.world.st[TEXT] else (SEARCHES, WORLD_NODES)
    searches, nodes, seed = clock.samples(counts[0]), clock.nodes(counts[1]), clock.limit.seed
    if not state.looks_left():
        weighed = weigh(state, clock, searches, nodes, seed)
    elif state.world.st[PASSES] < 0:  # looking costs nothing and is always worth it
        look = _stock_move(rules, position)
        return Advice(look, Reason.LOOKS_AT_STOCK, (look,))
    else:
        weighed = weigh(state, clock, searches, nodes, seed, hindsight=True)
        waits = stay(state, clock, searches // 4, nodes, seed)
        if not weighed or weighed[0].chance < waits.chance - LOOK_FIRST:
            look = _stock_move(rules, position)
            others = _one_a_move(rules, position, weighed, look)
            return Advice(look, Reason.LOOKS_AT_STOCK, (look,), waits.chance, waits.error, others)
    if not weighed:
        return Advice(None, Reason.NOTHING_LEFT, verdict=Verdict.CYCLING)
    best = _ranked(rules, position, weighed[0])
    if _only_hope(weighed):
        best = replace(best, reason=Reason.AVOIDS_DEAD_END)
    others = _one_a_move(rules, position, weighed[1:], best.move)
    return Advice(best.move, best.reason, best.line, best.win_chance, best.error, others)


def _stock_move(rules: Rules, position: Position) -> Move:
    return next(move for move in rules.legal_moves(position) if move.kind in (MoveKind.DRAW, MoveKind.TURNOVER))


def _ranked(rules: Rules, position: Position, one: Weighed) -> RankedMove:
    line = to_moves(rules, position, one.path)[0]
    chance = one.chance if one.tried else None
    return RankedMove(line[0], reason_of(rules, position, line), chance, one.error, line=line)


def _one_a_move(rules: Rules, position: Position, weighed: Sequence[Weighed], best: Move) -> tuple[RankedMove, ...]:
    """Return the best steps that begin otherwise; only the first few are looked at, as each must be played out."""
    others: dict[Move, RankedMove] = {}
    for one in weighed[: 2 * MOST_OTHERS]:
        ranked = _ranked(rules, position, one)
        if ranked.move != best:
            others.setdefault(ranked.move, ranked)
    return tuple(others.values())[:MOST_OTHERS]


def _only_hope(weighed: list[Weighed]) -> bool:
    best, rest = weighed[0], weighed[1:]
    return bool(rest) and best.chance >= HOPE and all(one.tried >= 10 and one.won == 0 for one in rest)
