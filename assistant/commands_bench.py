"""`kibitz bench`: figures of this machine and of the rules, each beside what it is compared with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.assistant.context import AsJson, RuleOptions, context, note
from kibitz.assistant.report import dumps

bench = typer.Typer(name="bench", help="Measure on this machine.", no_args_is_help=True)
Results = Annotated[
    Path, typer.Option("--results", metavar="FILE", help="One JSON line a deal; a run begun again goes on there.")
]
Deals = Annotated[int, typer.Option("--deals", metavar="N", min=1, help="How many deals.")]
Seconds = Annotated[float, typer.Option("--seconds", metavar="S", min=0.01, help="Time for each deal.")]
MoveSeconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", min=0.01, help="Time for each decision; fixed counts without it."),
]
First = Annotated[int, typer.Option("--first", metavar="N", min=0, help="Number of the first deal.")]
StockKnown = Annotated[bool, typer.Option("--stock-known", help="The order of the stock is known from the start.")]
Patience = Annotated[str, typer.Argument(metavar="GAME", help="Which patience: see `kibitz games`.")]
Processes = Annotated[int, typer.Option("--processes", metavar="N", min=1, max=64, help="Cores to use.")]


@bench.command("rules")
def bench_rules(deals: Deals = 20_000, as_json: AsJson = False) -> None:
    """Time the rules in plain Python, play the patiences of chance and compare with the published figures."""
    from kibitz.engine.simulate import figures

    for game in ("klondike", "klondike-common"):
        _print_speed(game, as_json)
    wrong = 0
    for figure in figures(deals):
        wrong += not figure.agrees
        row = {"name": figure.name, "published": figure.published, "measured": round(figure.measured, 5)}
        if as_json:
            print(dumps({"schema": 1, **row, "error": figure.error, "deals": figure.deals, "agrees": figure.agrees}))
        else:
            sign = "ok " if figure.agrees else "NO "
            measured = f"{figure.measured:9.4f} ± {figure.error:.4f}"
            print(f"{sign} {figure.name:46} {measured}  published {figure.published:.4g}", flush=True)
    raise typer.Exit(1 if wrong else 0)


def _print_speed(game: str, as_json: bool) -> None:
    from kibitz.engine.speed import measure_speed

    speed = measure_speed(game)
    if as_json:
        figures = {"moves_per_second": round(speed.all_in), "only_made_per_second": round(speed.made)}
        print(dumps({"schema": 1, "name": f"{game}: speed", "moves": speed.moves, **figures}))
        return
    print(
        f"    {game}: {speed.all_in:,.0f} moves a second listed, drawn and made; {speed.made:,.0f} only made "
        f"({speed.moves:,} moves of random games, plain Python, seconds of processor time)",
        flush=True,
    )


@bench.command("play")
def bench_play(
    game: Patience,
    results: Results,
    deals: Deals = 100,
    first: First = 1,
    stock_known: StockKnown = False,
    seconds: MoveSeconds = None,
    processes: Processes = 1,
    option: RuleOptions = None,
) -> None:
    """Let the adviser play numbered deals with hidden cards: how many come out, at which cost a decision."""
    from kibitz.engine.search import Limit
    from kibitz.engine.search.bench import bench_play as run
    from kibitz.engine.search.bench_tables import play_table
    from kibitz.engine.search.warm import wait_for_kernels

    rules = context(None, option, None).rules(game)
    wait_for_kernels(note)
    games = run(
        rules,
        range(first, first + deals),
        Limit(seconds=seconds),
        results,
        stock_known=stock_known,
        processes=processes,
        progress=lambda one: note(f"{one.deal}: {'won' if one.won else 'not won'}, score {one.score}"),
    )
    print(play_table(_title(game, option, ", stock known" if stock_known else ""), games))


@bench.command("solve")
def bench_solve(
    game: Patience,
    results: Results,
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...", help="Deals instead of numbers.")] = None,
    deals: Deals = 100,
    first: First = 1,
    seconds: Seconds = 10.0,
    processes: Processes = 1,
    option: RuleOptions = None,
) -> None:
    """Solve deals with all cards known, in files or numbered: how many are won, lost, not decided, and how fast."""
    from kibitz.assistant.commands_positions import load_position
    from kibitz.engine.search.bench import bench_solve as run
    from kibitz.engine.search.bench_tables import solve_table
    from kibitz.engine.search.warm import wait_for_kernels

    base = context(None, option, None)
    rules = base.rules(game)
    title = _title(game, option)
    if files:
        tables = [(f"{title} {file.stem}", rules.settle(load_position(base, file, game))) for file in files]
    else:
        tables = [(f"{title} {seed}", rules.settle(rules.deal(seed))) for seed in range(first, first + deals)]
    wait_for_kernels(note)
    answers = run(
        tables,
        seconds,
        results,
        processes=processes,
        progress=lambda one: note(f"{one.deal}: {one.outcome} in {one.seconds:.2f} s"),
    )
    print(solve_table(title, answers))


@bench.command("advise")
def bench_advise(
    game: Patience,
    positions: Annotated[int, typer.Option("--positions", metavar="N", min=1, help="How many positions.")] = 2000,
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", min=0.001, help="Limit of each advice.")] = 0.05,
    option: RuleOptions = None,
) -> None:
    """Ask for advice on random positions under a short limit: is it legal and in time?"""
    from kibitz.engine.search.stress import stress, stress_table
    from kibitz.engine.search.warm import wait_for_kernels

    wait_for_kernels(note)
    found = stress(
        context(None, option, None).rules(game),
        positions,
        seconds,
        progress=lambda number: note(f"{number} of {positions}") if number % 200 == 0 else None,
    )
    print(stress_table(_title(game, option), found))
    for position in found.illegal:
        note(f"illegal advice: {position}")
    raise typer.Exit(1 if found.illegal else 0)


def _title(game: str, option: list[str] | None, more: str = "") -> str:
    return " ".join([game, *(option or ())]) + more
