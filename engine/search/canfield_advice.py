"""Advice for Canfield: solved where all is known and the common rules hold, weighed by sampled worlds otherwise."""

from __future__ import annotations

from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search.canfield_solver import from_position, solve, to_moves
from kibitz.engine.search.canfield_text import advise_text
from kibitz.engine.search.canfield_text import from_position as text_state
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import scaled
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.relaxed import advise_relaxed
from kibitz.engine.search.values import Advice, Reason, Verdict

__all__ = ["advise_canfield"]

SOLVE_NODES = scaled(4_000_000)


def advise_canfield(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice; None where only the plain adviser can help."""
    text = text_state(rules, position)
    if text is not None:
        return advise_text(rules, position, text, clock)
    state = from_position(rules, position)
    if state is None:
        return advise_relaxed(rules, position, clock)
    outcome, path, _ = solve(state, clock, clock.solver_nodes(SOLVE_NODES))
    if outcome is Outcome.LOST:
        return Advice(None, Reason.NOTHING_LEFT, (), 0.0, 0.0, verdict=Verdict.LOST, loses=True)
    if outcome is Outcome.UNDECIDED:
        return None
    line = to_moves(rules, position, path)
    return Advice(line[0], Reason.WINS, line, 1.0, 0.0)
