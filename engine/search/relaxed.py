"""Klondike and Canfield by the text: candidates by the readable rules, judged by the solvers of the common rules.

The common rules allow a little more (75 against 77 of 100 deals can be won), so whether a sampled world can be won by
them says nearly as well which candidate is better. It proves nothing about the game at the table: the chance given is
an estimate, and neither wins nor losses are claimed from it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kibitz.engine.belief import Belief
from kibitz.engine.errors import BeliefError
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules, is_stock_move
from kibitz.engine.search import canfield_solver, klondike_bridge, klondike_solver
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.explore import Prospect, explore
from kibitz.engine.search.jit import scaled
from kibitz.engine.search.judge import reason_of, step
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.values import Advice, RankedMove, Reason

__all__ = ["advise_relaxed"]

NODES = 250  # positions looked at for candidates
MOST_CANDIDATES = 8
SAMPLES = scaled(240, 40)  # searches of sampled worlds in all
WORLD_NODES = scaled(1500, 150)
LOOK_FIRST = 0.03  # what a sure step may cost before the stock is looked through first

Judge = Callable[[Rules, Position, Clock], bool]


@dataclass(slots=True)
class _Candidate:
    prospect: Prospect
    won: int = 0
    tried: int = 0

    @property
    def chance(self) -> float:
        return self.won / self.tried if self.tried else 0.0

    @property
    def looks(self) -> bool:
        """Whether it only looks at further cards of the stock."""
        return all(is_stock_move(move) for move in self.prospect.line)


def advise_relaxed(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice; None where there is nothing to weigh or the plain adviser says it all."""
    if rules.unread(position):
        return None
    found = explore(rules, position, clock, clock.nodes(NODES))
    if found.win is not None:
        return Advice(found.win[0], Reason.WINS, found.win, 1.0, 0.0)
    try:
        belief = Belief.from_position(position)
    except BeliefError:
        return None
    candidates = [_Candidate(prospect) for prospect in _distinct(rules, found.prospects)]
    if not candidates or belief.is_certain:
        return None
    ranked = _weigh(rules, belief, candidates, clock)
    if not ranked[0].tried:
        return None
    best = _sure_first(ranked)
    others = [one for one in ranked if one.prospect.line[0] != best.prospect.line[0]][:5]
    line = best.prospect.line
    return Advice(
        line[0],
        reason_of(rules, position, line),
        line,
        best.chance,
        _error(best),
        tuple(_ranked(rules, position, one) for one in others),
    )


def _distinct(rules: Rules, prospects: Sequence[Prospect]) -> list[Prospect]:
    """Return the best prospects, one for each place that they lead to, the shortest look at the stock among them."""
    by_key: dict[object, Prospect] = {}
    for prospect in sorted(prospects, key=lambda p: len(p.line)):
        by_key.setdefault(rules.key(prospect.position), prospect)
    ordered = sorted(by_key.values(), key=lambda p: (-p.value, len(p.line)))
    looks = [p for p in ordered if all(is_stock_move(move) for move in p.line)][:1]
    return [*[p for p in ordered if p not in looks][: MOST_CANDIDATES - 1], *looks]


def _weigh(rules: Rules, belief: Belief, candidates: list[_Candidate], clock: Clock) -> list[_Candidate]:
    """Return the candidates, best first: sequential halving over worlds that all candidates share."""
    rng = random.Random(clock.limit.seed)
    judge = _JUDGES[rules.name]
    alive = list(candidates)
    rounds = max(1, math.ceil(math.log2(len(alive)))) if len(alive) > 1 else 1
    budget = clock.samples(SAMPLES)
    for _ in range(rounds):
        for _ in range(max(1, budget // (rounds * len(alive)))):
            if clock.expired:
                break
            world = belief.sample(rng)
            for one in alive:
                one.won += judge(rules, _after(rules, world, one.prospect), clock)
                one.tried += 1
        alive.sort(key=lambda one: (-one.chance, -one.prospect.value))
        alive = alive[: max(1, (len(alive) + 1) // 2)]
    return sorted(candidates, key=lambda one: (-one.tried, -one.chance, -one.prospect.value))


def _after(rules: Rules, world: Position, prospect: Prospect) -> Position:
    for move in prospect.line:
        world = step(rules, world, move)
    return world


def _klondike(rules: Rules, world: Position, clock: Clock) -> bool:
    state = klondike_bridge.relaxed_state(rules, world)
    return state is not None and klondike_solver.solve(state, clock, WORLD_NODES).outcome is Outcome.WON


def _canfield(rules: Rules, world: Position, clock: Clock) -> bool:
    state = canfield_solver.relaxed_state(rules, world)
    return state is not None and canfield_solver.solve(state, clock, WORLD_NODES)[0] is Outcome.WON


_JUDGES: dict[str, Judge] = {"klondike": _klondike, "canfield": _canfield}


def _sure_first(ranked: list[_Candidate]) -> _Candidate:
    """Return the best candidate; looking at the stock waits while a step at the table costs next to nothing."""
    best = ranked[0]
    if best.looks:
        steps = [one for one in ranked[1:] if not one.looks and one.tried * 2 >= best.tried]
        for one in sorted(steps, key=lambda one: -one.chance)[:1]:
            if one.chance >= best.chance - LOOK_FIRST:
                return one
    return best


def _error(one: _Candidate) -> float:
    chance = (one.won + 1) / (one.tried + 2)
    return math.sqrt(chance * (1 - chance) / max(1, one.tried))


def _ranked(rules: Rules, position: Position, one: _Candidate) -> RankedMove:
    line = one.prospect.line
    return RankedMove(line[0], reason_of(rules, position, line), one.chance, _error(one), line=line)
