"""Random positions of every patience through `advise` under a short limit: legal, in time, without an exception."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kibitz.engine.moves import MoveKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search.adviser import advise, forget_plans
from kibitz.engine.search.bench_tables import quantile
from kibitz.engine.search.values import Limit

__all__ = ["Stress", "random_positions", "stress", "stress_table"]

LONGEST_WALK = 120  # random moves from the deal


@dataclass(frozen=True, slots=True)
class Stress:
    """What random positions showed."""

    positions: int
    illegal: tuple[str, ...]
    """Positions for which a move was advised that is not legal."""
    seconds: tuple[float, ...]
    """CPU seconds of every piece of advice."""
    limit: float
    """Seconds allowed."""

    @property
    def overrun(self) -> float:
        """CPU seconds beyond the limit at the 99th percentile, at least 0."""
        return max(0.0, quantile(self.seconds, 0.99) - self.limit)


def random_positions(rules: Rules, count: int, seed: int = 0) -> Iterator[Position]:
    """Yield positions as a player sees them: random walks of random lengths from numbered deals."""
    rng = random.Random(seed)
    for number in range(count):
        truth = rules.settle(rules.deal(seed + number))
        view = rules.reveal(rules.conceal(truth), truth)
        for _ in range(rng.randrange(LONGEST_WALK)):
            legal = rules.legal_moves(view)
            if not legal or any(move.kind is MoveKind.REDEAL for move in legal):
                break
            move = rng.choice(legal)
            view, truth = rules.act(view, move), rules.act(truth, move)
            view = rules.reveal(view, truth)
        yield view


def stress(
    rules: Rules, count: int, seconds: float = 0.05, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Stress:
    """Ask for advice on random positions."""
    illegal: list[str] = []
    spent: list[float] = []
    for position in random_positions(rules, count, seed):
        forget_plans()
        start = time.process_time()
        advice = advise(position, limit=Limit(seconds=seconds))
        spent.append(time.process_time() - start)
        if advice.move is not None and advice.move not in rules.legal_moves(position):
            illegal.append(str(position))
        if progress is not None:
            progress(len(spent))
    return Stress(count, tuple(illegal), tuple(spent), seconds)


def stress_table(title: str, found: Stress) -> str:
    """Return the result as a table."""
    return "\n".join(
        (
            "| advised under a limit | positions | illegal moves | limit | CPU: median | p99 | most | overrun at p99 |",
            "|---|---|---|---|---|---|---|---|",
            f"| {title} | {found.positions} | {len(found.illegal)} | {1000 * found.limit:.0f} ms "
            f"| {1000 * quantile(found.seconds, 0.5):.0f} ms | {1000 * quantile(found.seconds, 0.99):.0f} ms "
            f"| {1000 * max(found.seconds, default=0.0):.0f} ms | {1000 * found.overrun:.0f} ms |",
        )
    )
