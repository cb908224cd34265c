"""The one entry point: `advise(position, belief, limit)`."""

from __future__ import annotations

from kibitz.engine.belief import Belief
from kibitz.engine.position import Position
from kibitz.engine.registry import rules_of
from kibitz.engine.rules import Rules
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.judge import reason_of, step, turns_up
from kibitz.engine.search.plain import advise_plainly, settled_advice
from kibitz.engine.search.plans import Plan, Plans
from kibitz.engine.search.soft import advise_softly
from kibitz.engine.search.values import Advice, Limit, Reason
from kibitz.engine.search.warm import kernels_ready, start_compiling, strong_advisers

__all__ = ["advise", "forget_plans"]

_PLANS = Plans()


def advise(position: Position, belief: Belief | None = None, limit: Limit | None = None) -> Advice:
    """Return the best move in a position with reason, line and chances.

    Args:
        position: The table as the player knows it; unknown cards are `##` and `??`.
        belief: Doubtful readings, if there are any; without it all that is not known is equally likely.
        limit: How long to think; fixed counts without it.

    The advice always keeps to the rules: `move` is legal in `position` or None. Whoever follows the line of earlier
    advice gets the rest of that line, until a new card is seen.
    """
    limit = limit or Limit()
    clock = Clock(limit)
    if belief is not None and belief.soft:
        return advise_softly(position, belief, limit, _advise_certain)
    return _advise_certain(position, limit, clock)


def _advise_certain(position: Position, limit: Limit, clock: Clock) -> Advice:
    rules = rules_of(position)
    setting = (limit.seconds, limit.nodes, limit.samples, limit.seed)
    settled = settled_advice(rules, position)
    if settled is not None:
        return settled
    planned = _PLANS.find(position, setting)
    if planned is not None:
        return _continued(rules, position, planned)
    advice = _strong(rules, position, clock) or advise_plainly(rules, position, clock, _PLANS)
    if not advice.idle and (limit.cancel is None or not limit.cancel()):
        _remember(rules, position, advice, setting)
    return advice


def _strong(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice of the solver for these rules, compiled or not; None where there is none."""
    if not kernels_ready():
        start_compiling()
    advice: Advice | None = strong_advisers().advise_strongly(rules, position, clock)
    return advice


def _continued(rules: Rules, position: Position, plan: Plan) -> Advice:
    """Return the advice that a plan gives here."""
    advice, line = plan
    if line == advice.line:
        return advice
    reason = Reason.WINS if advice.reason is Reason.WINS else reason_of(rules, position, line)
    return Advice(line[0], reason, line, advice.win_chance, advice.error, verdict=advice.verdict)


def _remember(rules: Rules, position: Position, advice: Advice, setting: object) -> None:
    """Keep the advice, and its line for the positions along it, up to a card not known."""
    line = advice.line
    _PLANS.keep(position, setting, (advice, line))
    while len(line) > 1:
        after = step(rules, position, line[0])
        if turns_up(rules, position, after):
            return
        position, line = after, line[1:]
        _PLANS.keep(position, setting, (advice, line))


def forget_plans() -> None:
    """Forget all plans: the next advice is worked out anew."""
    _PLANS.clear()
