"""How strong and how fast: solving known deals and playing hidden ones, resumable, on as many cores as wanted.

Every deal is one JSON line in a results file; a run that is begun again skips the deals that are in it already. The
functions print nothing: `progress` is called after every deal.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from kibitz.engine.belief import Belief
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.options import OptionValue
from kibitz.engine.position import Position
from kibitz.engine.registry import get_rules, rules_of
from kibitz.engine.rules import Rules
from kibitz.engine.search.adviser import advise, forget_plans
from kibitz.engine.search.bench_tables import PlayResult, SolveResult
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.values import Limit, Verdict

__all__ = ["bench_play", "bench_solve", "play_deal", "solve_deal"]

THOUGHT = 0.002  # CPU seconds: what takes less was the rest of a plan
HOPELESS_NODES = 60_000  # kernel moves spent on proving a game lost
MOST_MOVES = 2000  # a game longer than this goes round in circles, which would be a fault


_Numbered = tuple[str, tuple[tuple[str, OptionValue], ...], int]
W = TypeVar("W")
R = TypeVar("R", SolveResult, PlayResult)


def solve_deal(name: str, position: Position, seconds: float, nodes: int | None = None) -> SolveResult:
    """Solve one completely known position; a win is replayed before it is reported.

    The time is that of deciding; writing the win in moves of the table and replaying it come on top.
    """
    rules = rules_of(position)
    forget_plans()
    limit = Limit(seconds=seconds, nodes=nodes)
    outcome, spent, line = _by_solver(rules, position, limit) or _by_advice(position, limit)
    for move in line:
        position = rules.apply(position, move)
    if line and not rules.is_won(position):
        raise AssertionError(f"{name}: the reported win does not end in one")
    return SolveResult(name, outcome, spent, len(line))


_Decided = tuple[str, float, tuple[Move, ...]]


def _by_solver(rules: Rules, position: Position, limit: Limit) -> _Decided | None:
    """Return outcome, CPU seconds and win by the solver of known cards, where there is one that can be asked alone."""
    if rules.name != "klondike":
        return None
    from kibitz.engine.search.klondike_advice import SOLVE_NODES
    from kibitz.engine.search.klondike_bridge import from_position, to_moves
    from kibitz.engine.search.klondike_solver import solve

    start = time.process_time()
    clock = Clock(limit)
    state = from_position(rules, position)
    if state is None or state.unseen:
        return None
    solution = solve(state, clock, clock.solver_nodes(SOLVE_NODES))
    spent = time.process_time() - start
    return solution.outcome.value, spent, to_moves(rules, position, solution.path)[0]


def _by_advice(position: Position, limit: Limit) -> _Decided:
    start = time.process_time()
    advice = advise(position, limit=limit)
    spent = time.process_time() - start
    if advice.win_chance == 1.0 and advice.error == 0.0 and advice.line:
        return "solved", spent, advice.line
    return "unsolvable" if advice.verdict is Verdict.LOST else "not decided", spent, ()


def play_deal(name: str, truth: Position, limit: Limit, stock_known: bool = False) -> PlayResult:
    """Play one deal by the adviser's first moves; it sees what a player sees.

    Args:
        name: What the deal is called in the results.
        truth: The deal with all cards known.
        limit: For every decision.
        stock_known: The order of the stock is known from the start.
    """
    rules = rules_of(truth)
    forget_plans()
    view = rules.reveal(rules.conceal(truth), truth)
    if stock_known:
        view = view.replace(stock=truth.stock)
    view, truth = _settled(rules, view, truth)
    decisions: list[float] = []
    moves = 0
    while moves < MOST_MOVES:
        thought = not decisions or decisions[-1] > THOUGHT
        if thought and _hopeless(rules, truth):
            break
        start = time.process_time()
        advice = advise(view, limit=limit)
        decisions.append(time.process_time() - start)
        if advice.move is None:
            break
        moves += 1
        view, truth = rules.act(view, advice.move), rules.act(truth, advice.move)
        if advice.move.kind is MoveKind.REDEAL:  # shuffled the same way for every adviser
            truth = Belief.from_position(truth).sample(random.Random(f"{name} {truth.attempt}"))
        view, truth = _settled(rules, view, truth)
    long = tuple(round(seconds, 5) for seconds in decisions if seconds > THOUGHT)
    slowest = max(decisions, default=0.0)
    return PlayResult(name, rules.is_won(view), rules.score(view), moves, slowest, sum(decisions), long)


def _hopeless(rules: Rules, truth: Position) -> bool:
    """Tell whether open cards prove that the game is lost, so that it need not be played to its end.

    Only a solver can say so; the player is told nothing of it. It saves half of the time of a bench.
    """
    if rules.name != "klondike":
        return False
    from kibitz.engine.search.klondike_solver import Outcome, solve_position

    solved = solve_position(rules, truth, Clock(Limit()), HOPELESS_NODES)
    return solved is not None and solved[0].outcome is Outcome.LOST


def _settled(rules: Rules, view: Position, truth: Position) -> tuple[Position, Position]:
    """Return both after everything due, each card being seen as it turns up."""
    while True:
        view = rules.reveal(view, truth)
        due = rules.pending(view)
        if not due:
            return view, truth
        view, truth = rules.act(view, due[0]), rules.act(truth, due[0])


def bench_solve(
    deals: Iterable[tuple[str, Position]],
    seconds: float,
    results: Path,
    *,
    processes: int = 1,
    progress: Callable[[SolveResult], None] | None = None,
) -> list[SolveResult]:
    """Solve deals, keeping the answers in `results`; those answered there already are not solved again."""
    done = {row["deal"]: SolveResult(**row) for row in _rows(results)}
    asked = dict(deals)
    work = [(name, position) for name, position in asked.items() if name not in done]
    job = partial(_solve_job, seconds=seconds)
    done |= {one.deal: one for one in _collect(job, work, results, processes, progress)}
    return [done[name] for name in asked]


def bench_play(
    rules: Rules,
    seeds: Sequence[int],
    limit: Limit,
    results: Path,
    *,
    stock_known: bool = False,
    processes: int = 1,
    progress: Callable[[PlayResult], None] | None = None,
) -> list[PlayResult]:
    """Play the numbered deals of a patience with hidden cards, keeping the games in `results`.

    The file may hold other games too: only those asked for are given, in the order of the numbers.
    """
    done = {row["deal"]: PlayResult(**{**row, "decisions": tuple(row["decisions"])}) for row in _rows(results)}
    setting = " ".join([rules.name, *(f"{name}={value}" for name, value in rules.changed)])
    if stock_known:
        setting += " stock known"
    names = {seed: f"{setting} {seed}" for seed in seeds}
    work = [(names[seed], (rules.name, rules.changed, seed)) for seed in seeds if names[seed] not in done]
    job = partial(_play_job, limit=limit, stock_known=stock_known)
    done |= {one.deal: one for one in _collect(job, work, results, processes, progress)}
    return [done[names[seed]] for seed in seeds]


def _solve_job(work: tuple[str, Position], seconds: float) -> SolveResult:
    return solve_deal(*work, seconds)


def _play_job(work: tuple[str, _Numbered], limit: Limit, stock_known: bool) -> PlayResult:
    name, (game, changed, seed) = work
    return play_deal(name, get_rules(game, **dict(changed)).deal(seed), limit, stock_known)


def _rows(results: Path) -> Iterator[dict[str, Any]]:
    """Yield the results kept; a last line that was cut off is left out."""
    if results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                return


def _collect(
    job: Callable[[tuple[str, W]], R],
    work: Sequence[tuple[str, W]],
    results: Path,
    processes: int,
    progress: Callable[[R], None] | None,
) -> list[R]:
    """Run the job over the work, write each result as it comes, give all of them."""
    results.parent.mkdir(parents=True, exist_ok=True)
    found = []
    with results.open("a", encoding="utf-8") as out:
        for result in _run(job, work, processes):
            out.write(json.dumps(asdict(result)) + "\n")
            out.flush()
            found.append(result)
            if progress is not None:
                progress(result)
    return found


def _run(job: Callable[[tuple[str, W]], R], work: Sequence[tuple[str, W]], processes: int) -> Iterator[R]:
    if processes < 2:
        yield from map(job, work)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(job, work)
