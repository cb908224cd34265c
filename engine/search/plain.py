"""The plain adviser: works for every registered patience without compiled kernels."""

from __future__ import annotations

from kibitz.engine.moves import Move
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.explore import Exploration, Prospect, explore, useful_moves
from kibitz.engine.search.judge import reason_of, step
from kibitz.engine.search.plans import Plans
from kibitz.engine.search.playout import best_by_playouts
from kibitz.engine.search.values import Advice, RankedMove, Reason, Verdict

__all__ = ["advise_plainly", "settled_advice"]

NODES = 500
SAMPLES = 8
MOST_ALTERNATIVES = 5


def settled_advice(rules: Rules, position: Position) -> Advice | None:
    """Return the advice that needs no search: won, no legal move, or a consequence that is still due."""
    if rules.is_won(position):
        return Advice(None, Reason.NOTHING_LEFT, verdict=Verdict.WON)
    due = rules.pending(position)
    if due:
        return Advice(due[0], Reason.DUE, (due[0],))
    if not rules.legal_moves(position):
        return Advice(None, Reason.NOTHING_LEFT, verdict=Verdict.LOST, loses=True, win_chance=0.0, error=0.0)
    return None


def advise_plainly(rules: Rules, position: Position, clock: Clock, plans: Plans) -> Advice:
    """Return advice from a look-ahead in plain Python."""
    settled = settled_advice(rules, position)
    if settled is not None:
        return settled
    found = explore(rules, position, clock, clock.nodes(NODES))
    if found.win is not None:
        return Advice(found.win[0], Reason.WINS, found.win, 1.0, 0.0)
    fresh = [p for p in found.prospects if p.reveals or not plans.was_idle(rules.key(p.position))]
    if not fresh:
        return _without_prospects(rules, position, found, plans)
    prospects = best_by_playouts(rules, fresh, clock, clock.samples(SAMPLES), clock.limit.seed)
    best = prospects[0]
    others = tuple(RankedMove(p.line[0], reason_of(rules, position, p.line), line=p.line) for p in _others(prospects))
    return Advice(best.line[0], reason_of(rules, position, best.line), best.line, alternatives=others)


def _others(prospects: tuple[Prospect, ...]) -> list[Prospect]:
    """Return the best prospect of every other first move."""
    by_move: dict[Move, Prospect] = {}
    for prospect in prospects:
        by_move.setdefault(prospect.line[0], prospect)
    return list(by_move.values())[1 : MOST_ALTERNATIVES + 1]


def _without_prospects(rules: Rules, position: Position, found: Exploration, plans: Plans) -> Advice:
    if not found.complete:
        verdict = Verdict.OPEN if position.unknown() else Verdict.NO_WIN_FOUND
        plans.note_idle(rules.key(position))
        for line in (*(prospect.line for prospect in found.quiet), *_single_moves(rules, position)):
            if not plans.was_idle(rules.key(step(rules, position, line[0]))):
                return Advice(line[0], reason_of(rules, position, line), line, verdict=verdict, idle=True)
        return Advice(None, Reason.NOTHING_LEFT, verdict=verdict if not position.unknown() else Verdict.CYCLING)
    if position.unknown():
        return Advice(None, Reason.NOTHING_LEFT, verdict=Verdict.CYCLING)
    return Advice(None, Reason.NOTHING_LEFT, verdict=Verdict.LOST, loses=True, win_chance=0.0, error=0.0)


def _single_moves(rules: Rules, position: Position) -> tuple[tuple[Move, ...], ...]:
    """Return every useful move as a line, for when time was over before anything was looked at."""
    return tuple((move,) for move in useful_moves(rules, position))
