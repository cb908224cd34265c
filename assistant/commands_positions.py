"""`kibitz advise`, `kibitz moves`, `kibitz games` and `kibitz rules`: everything that needs no picture."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.assistant.context import (
    AsJson,
    ConfigFile,
    Context,
    Game,
    Language,
    RuleOptions,
    context,
    note,
)
from kibitz.assistant.describe import move_text
from kibitz.assistant.report import dumps, error_object, judged_object
from kibitz.assistant.speech import chance_text, sentences
from kibitz.engine.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.assistant.check import Judged
    from kibitz.assistant.words import Words
    from kibitz.engine.options import Option
    from kibitz.engine.position import Position
    from kibitz.engine.rules import Rules

PositionFile = Annotated[Path, typer.Argument(metavar="FILE", help="A position; - reads it from stdin.")]
LARGEST_FILE = 1_000_000
"""Bytes that are looked at; no position is that long."""


class FileError(KibitzError):
    """A position file cannot be opened."""


def load_position(base: Context, file: Path, game: str | None) -> Position:
    """The position of a file in any format that the engine knows; some of them name no game.

    Raises:
        FileError: it cannot be opened.
        NotationError: it is in none of these forms.
    """
    from kibitz.engine.notation.files import read_position

    content = _read(file)
    if not base.overrides:
        return read_position(content, game)
    name = game or read_position(content, None).game
    return read_position(content, game, **base.chosen(name))


def _read(file: Path) -> bytes:
    try:
        if str(file) == "-":
            return sys.stdin.buffer.read(LARGEST_FILE)
        with file.open("rb") as stream:
            return stream.read(LARGEST_FILE)
    except FileNotFoundError as error:
        raise FileError(f"expected a file with a position, but {file} does not exist") from error
    except OSError as error:
        raise FileError(f"expected a file with a position, but {file}: {error.strerror or error}") from error


def _judged(base: Context, position: Position, think: bool) -> Judged:
    from kibitz.assistant.check import Checker, Judged, judge
    from kibitz.assistant.findings import position_findings
    from kibitz.assistant.table import Table
    from kibitz.engine.registry import rules_of

    rules = rules_of(position)
    if think:
        return judge(Checker(rules, base.words, base.limit()), Table(position, (), {}))
    findings = position_findings(base.words, rules, position)
    return Judged(position, rules.pending(position), rules.legal_moves(position), None, findings)


def _answer(base: Context, file: Path, game: str | None, as_json: bool, think: bool) -> int:
    from kibitz.engine.registry import rules_of

    try:
        position = load_position(base, file, game)
        judged = _judged(base, position, think)
    except KibitzError as error:
        if as_json:
            print(dumps(error_object("file", str(file), type(error).__name__, str(error))))
        note(f"kibitz: {error}")
        return 1
    if as_json:
        found: dict[str, Any] = {"schema": 1, "file": str(file)}
        print(dumps({**found, **judged_object(base.words, rules_of(position), judged)}))
        return 0
    for finding in judged.findings:
        print(f"! {finding.text}")
    if think:
        print(" ".join(sentences(base.words, judged)))
        if (chance := chance_text(base.words, judged)) is not None:
            print(chance)
    else:
        for number, move in enumerate(judged.legal, 1):
            print(f"{number:3}  {move!s:12} {move_text(base.words, position, move)}")
    return 0


def advise(
    file: PositionFile,
    game: Game = None,
    as_json: AsJson = False,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Say the best move of a position in a file."""
    raise typer.Exit(_answer(context(lang, option, config), file, game, as_json, think=True))


def moves(
    file: PositionFile,
    game: Game = None,
    as_json: AsJson = False,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """List every legal move of a position in a file, in notation and in words."""
    raise typer.Exit(_answer(context(lang, option, config), file, game, as_json, think=False))


def games(
    as_json: AsJson = False, lang: Language = None, option: RuleOptions = None, config: ConfigFile = None
) -> None:
    """List the patiences with their options."""
    from rich.console import Console
    from rich.table import Table

    from kibitz.engine.options import option_text
    from kibitz.engine.registry import games as names
    from kibitz.engine.registry import get_rules

    base = context(lang, option, config)
    table = Table(box=None, pad_edge=False)
    for heading in ("game", "name", "options"):
        table.add_column(heading, overflow="fold")
    for name in names():
        rules, message = get_rules(name), f"game-{name}"
        title = base.words.text(message) if base.words.has(message) else name
        chosen = {key: option_text(value) for key, value in rules.options.items()}
        if as_json:
            print(dumps({"schema": 1, "game": name, "name": title, "decks": rules.decks, "options": rules.options}))
        table.add_row(name, title, " ".join(f"{key}={value}" for key, value in chosen.items()))
    if not as_json:
        Console().print(table)


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which patience: see `kibitz games`.")],
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Print the rules of a patience as a person reads them."""
    from rich.console import Console
    from rich.markdown import Markdown

    base = context(lang, option, config)
    played = base.rules(game)
    folder = resources.files("kibitz.assistant.messages")
    text = folder.joinpath(f"rules.{played.name}.{base.settings.language}.md").read_text(encoding="utf-8")
    options = "\n".join(_option_line(base.words, played, one) for one in played.declared)
    heading = base.words.text("rules-options")
    Console().print(Markdown(text + (f"\n\n## {heading}\n\n{options}\n" if options else "")))


def _option_line(words: Words, rules: Rules, option: Option) -> str:
    """What an option decides, how it is set and what else it can be; the engine's words where there are no others."""
    from kibitz.engine.options import option_text

    names = (f"option-{rules.name}-{option.name}", f"option-{option.name}")
    doc = next((words.text(name) for name in names if words.has(name)), option.doc)
    values = [option_text(value) for value in option.values if option.minimum is None or not isinstance(value, int)]
    if option.minimum is not None:
        values.append(words.text("option-range", least=option.minimum, most=option.maximum))
    current = option_text(rules.options[option.name])
    chosen = words.text("option-default", value=f"**{current}**")
    return f"- `{option.name}`: {', '.join([chosen, *(value for value in values if value != current)])}. {doc}"
