"""The `kibitz` command. Each command lives in a file `commands_*.py` and imports what it needs when it runs."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from kibitz.assistant import (
    commands_about,
    commands_bench,
    commands_bench_follow,
    commands_bench_reading,
    commands_bench_watch,
    commands_enrol,
    commands_pictures,
    commands_play,
    commands_positions,
    commands_watch,
)
from kibitz.assistant.config import ConfigError
from kibitz.assistant.context import UsageError
from kibitz.engine.errors import KibitzError, OptionError, UnknownGameError

app = typer.Typer(
    name="kibitz",
    help="Looks over a patience player's shoulder: reads real cards and says the best next move.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
USAGE = (UsageError, ConfigError, OptionError, UnknownGameError)
INTERRUPTED = 130


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"kibitz {version('kibitz')}")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Reads real cards and says the best next move."""


for _command in (
    commands_watch.watch,
    commands_pictures.check,
    commands_pictures.read,
    commands_positions.advise,
    commands_positions.moves,
    commands_play.play,
    commands_play.replay,
    commands_enrol.enrol,
    commands_about.doctor,
    commands_about.demo,
    commands_positions.games,
    commands_positions.rules,
):
    app.command()(_command)
BENCHES = (commands_bench_reading, commands_bench_follow, commands_bench_watch)
"""Files that add their commands to `kibitz bench` when they are imported."""
app.add_typer(commands_bench.bench)


def main() -> None:
    """Runs the command line; every error of ours is one line on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
    except USAGE as error:
        _fail(error, 2)
    except KibitzError as error:
        _fail(error, 1)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None


def _fail(error: KibitzError, status: int) -> None:
    print(f"kibitz: {error}", file=sys.stderr)
    raise SystemExit(status) from None
