"""`kibitz play` and `kibitz replay`: games in the terminal, with the engine and the words that the camera uses."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer

from kibitz.assistant.context import AsJson, ConfigFile, Game, Language, RuleOptions, UsageError, context, note
from kibitz.engine.errors import KibitzError

MOST_SEED = 10**9


def play(
    game: Game = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Number of the deal.", min=0)] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the saved game.")] = False,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Play a patience in the terminal, with hints."""
    from rich.console import Console

    from kibitz.assistant.play import Play
    from kibitz.assistant.play_saved import Saved, load_saved

    if resume and seed is not None:
        raise UsageError("expected --seed or --resume, got both")
    base = context(lang, option, config)
    rules = base.rules(game)
    saved = load_saved(rules) if resume else None
    if resume:
        note(base.words.text("play-not-saved" if saved is None else "play-resumed"))
    if saved is None:
        saved = Saved(rules, random.randrange(MOST_SEED) if seed is None else seed, ())
    prompt = base.words.text("play-prompt") + "> "

    def ask() -> str | None:
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            print()
            return None

    Play(base.words, saved, base.limit(), Console(highlight=False)).run(ask)


def replay(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A recorded game.")],
    as_json: AsJson = False,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Replay a recorded game, move by move in words."""
    from kibitz.assistant.describe import move_text
    from kibitz.assistant.play import score_text
    from kibitz.assistant.report import dumps
    from kibitz.engine.record import Record
    from kibitz.engine.registry import rules_of

    words = context(lang, option, config).words
    record = Record.parse(_text(log))
    positions = iter(record.replay())
    position = next(positions)
    if not as_json:
        print(position.multiline())
    for number, entry in enumerate(record.entries, 1):
        legal = rules_of(position).legal_moves(position)
        move = next((one for one in legal if one == entry.move), entry.move)
        text = move_text(words, position, move)
        position = next(positions)
        if as_json:
            print(dumps({"schema": 1, "file": str(log), "move": str(move), "text": text, "position": str(position)}))
        else:
            print(f"{number:4}  {move!s:12} {text}")
    if not as_json:
        print(position.multiline())
        print(score_text(words, position))


class LogError(KibitzError):
    """A recorded game cannot be opened."""


def _text(log: Path) -> str:
    try:
        return log.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LogError(f"expected a recorded game, but {log} is no text") from error
    except OSError as error:
        raise LogError(f"expected a recorded game, but {log}: {error.strerror or error}") from error
