"""Solvers and advice: `advise(position, belief, limit)`."""

from kibitz.engine.search.adviser import advise, forget_plans
from kibitz.engine.search.values import Advice, Limit, Question, RankedMove, Reason, Verdict

__all__ = ["Advice", "Limit", "Question", "RankedMove", "Reason", "Verdict", "advise", "forget_plans"]
