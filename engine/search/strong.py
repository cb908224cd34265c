"""The strong advisers: compiled solvers, chosen by the rules of the position. Import it only when kernels are ready."""

from __future__ import annotations

from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search.canfield_advice import advise_canfield
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.fan_advice import advise_fan
from kibitz.engine.search.klondike_advice import advise_klondike
from kibitz.engine.search.mop_advice import advise_mop
from kibitz.engine.search.points_chance import advise_points
from kibitz.engine.search.values import Advice, Limit
from kibitz.engine.search.walter_advice import advise_walter

__all__ = ["advise_strongly", "warm_up"]

_BY_GAME = {
    "canfield": advise_canfield,
    "eleven-points": advise_points,
    "klondike": advise_klondike,
    "mrs-mop": advise_mop,
    "nineteenth-fan": advise_fan,
    "walter": advise_walter,
}


def advise_strongly(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice of the strongest adviser for these rules; None where only the plain one can help."""
    adviser = _BY_GAME.get(rules.name)
    return None if adviser is None else adviser(rules, position, clock)


def warm_up() -> None:
    """Run every kernel once, so that all of them are compiled and lie in the cache."""
    from kibitz.engine.registry import games, get_rules

    for name in games():
        rules = get_rules(name)
        known = rules.settle(rules.deal(1))
        hidden = rules.reveal(rules.conceal(known), known)
        for position in (known, hidden, hidden.replace(stock=known.stock)):
            advise_strongly(rules, position, Clock(Limit(nodes=200, samples=20)))
