"""What the bench finds: results of single deals, shares with their intervals, tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.engine.errors import ValueRangeError

__all__ = ["PlayResult", "SolveResult", "Summary", "interval", "play_table", "quantile", "solve_table"]


@dataclass(frozen=True, slots=True)
class SolveResult:
    """The answer for one deal with all cards known."""

    deal: str
    outcome: str
    """solved, unsolvable or not decided."""
    seconds: float
    """CPU time."""
    length: int
    """Moves of the win at the table, replayed by the rules; 0 without one."""


@dataclass(frozen=True, slots=True)
class PlayResult:
    """One game played by the adviser with hidden cards."""

    deal: str
    won: bool
    score: int
    moves: int
    slowest: float
    """CPU seconds of the slowest decision."""
    seconds: float
    """CPU seconds of the whole game."""
    decisions: tuple[float, ...]
    """CPU seconds of every decision that was not the rest of a plan."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A share with its 95 % interval."""

    count: int
    hits: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """Hits by count."""
        return self.hits / self.count if self.count else 0.0


def interval(hits: int, count: int) -> Summary:
    """Return the share of hits with Wilson's 95 % interval."""
    if count < 1 or not 0 <= hits <= count:
        raise ValueRangeError(f"expected hits from 0 to count and count from 1, got {hits} of {count}")
    z = 1.96
    share = hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return Summary(count, hits, max(0.0, middle - half), min(1.0, middle + half))


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies (the nearest one; 0 without values)."""
    if not 0 <= share <= 1:
        raise ValueRangeError(f"expected a share from 0 to 1, got {share}")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def play_table(title: str, games: Sequence[PlayResult]) -> str:
    """Return what was won at which price, as two lines of a table with Wilson's interval."""
    won = interval(sum(one.won for one in games), len(games))
    thought = [seconds for one in games for seconds in one.decisions]
    return "\n".join(
        (
            "| played | deals | won | share | 95 % | CPU a decision: median | p99 | most | decisions a game |",
            "|---|---|---|---|---|---|---|---|---|",
            f"| {title} | {won.count} | {won.hits} | {won.share:.1%} | {won.low:.1%} to {won.high:.1%} "
            f"| {quantile(thought, 0.5):.3f} s | {quantile(thought, 0.99):.3f} s | {max(thought, default=0.0):.3f} s "
            f"| {len(thought) / len(games):.1f} |",
        )
    )


def solve_table(title: str, answers: Sequence[SolveResult]) -> str:
    """Return what was decided at which price, as a table; the winnable share with undecided deals counted both ways."""
    count = Counter(one.outcome for one in answers)
    solved, undecided = count["solved"], count["not decided"]
    low, high = interval(solved, len(answers)).low, interval(solved + undecided, len(answers)).high
    times = [one.seconds for one in answers]
    lengths = [one.length for one in answers if one.length]
    return "\n".join(
        (
            "| solved | deals | won | lost | not decided | winnable, 95 % | CPU: median | p90 | most | moves: median |",
            "|---|---|---|---|---|---|---|---|---|---|",
            f"| {title} | {len(answers)} | {solved} | {count['unsolvable']} | {undecided} | {low:.1%} to {high:.1%} "
            f"| {quantile(times, 0.5):.4f} s | {quantile(times, 0.9):.3f} s | {max(times):.2f} s "
            f"| {quantile(lengths, 0.5):.0f} |",
        )
    )
