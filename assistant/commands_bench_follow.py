"""`kibitz bench follow`: how well games are followed that the program plays before an imaginary camera that errs."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.assistant.commands_bench import bench
from kibitz.assistant.context import AsJson
from kibitz.assistant.report import dumps

__all__ = ["bench", "bench_follow"]

GAMES = ("klondike", "canfield", "mrs-mop", "walter", "nineteenth-fan", "eleven-points")


@bench.command("follow")
def bench_follow(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="Patiences; all six if none.")] = None,
    each: Annotated[int, typer.Option("--games", metavar="N", min=1, help="Games of each patience.")] = 5,
    moves: Annotated[int, typer.Option("--moves", metavar="N", min=1, help="The most moves of a game.")] = 60,
    as_json: AsJson = False,
) -> None:
    """Games with several moves between looks, moves taken back and moves against the rules, read with errors."""
    import numpy as np

    from kibitz.assistant.following.trial import Camera, Tally, Trial
    from kibitz.engine import get_rules

    for game in games or GAMES:
        tally = Tally()
        for seed in range(1, each + 1):
            Trial(get_rules(game), seed, Camera(), tally).run(moves)
        slow = np.percentile(np.asarray(tally.seconds) * 1000, (50, 99))
        if as_json:
            values = {name: getattr(tally, name) for name in tally.__slots__ if name != "seconds"}
            print(dumps({"schema": 1, "game": game, **values, "median_ms": slow[0], "p99_ms": slow[1]}))
            continue
        print(
            f"{game}: {tally.right} of {tally.moves} moves followed rightly, {tally.asked} questions; noticed "
            f"{tally.illegal[1]} of {tally.illegal[0]} moves against the rules and {tally.undone[1]} of "
            f"{tally.undone[0]} taken back; {tally.wrong_ends} of {tally.games} games end wrongly without a word; "
            f"a look takes {slow[0]:.1f} ms, 99 % within {slow[1]:.0f} ms"
        )
        for fault in tally.faults[:3]:
            print(f"  {fault}")
