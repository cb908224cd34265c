"""`kibitz advise`, `kibitz moves`, `kibitz games` and `kibitz rules`: everything that needs no picture."""

from __future__ import annotations

import json
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
    from kibitz.engine.position import Position

PositionFile = Annotated[Path, typer.Argument(metavar="FILE", help="A position; - reads it from stdin.")]
LARGEST_FILE = 10_000_000


class FileError(KibitzError):
    """A position file cannot be opened."""


def load_position(base: Context, file: Path, game: str | None) -> Position:
    """The position of a file in our text or JSON, or in Solvitaire's JSON, which names no game.

    Raises:
        FileError: it cannot be opened.
        NotationError: it is in none of these forms.
    """
    text = _read_text(file)
    if not text.lstrip().startswith(("{", "[")):
        from kibitz.engine.position import Position

        return Position.parse(text.strip())
    return _from_json(base, text, game)


def _from_json(base: Context, text: str, game: str | None) -> Position:
    from kibitz.engine.errors import NotationError
    from kibitz.engine.position import Position

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError("whole JSON", text[:60], str(error)[:80]) from error
    if isinstance(data, dict) and isinstance(data.get("position"), str):
        return Position.parse(data["position"])
    if isinstance(data, dict) and "format" not in data and "game" not in data:
        from kibitz.engine.notation.solvitaire import from_solvitaire

        return from_solvitaire(data, base.rules(game))
    return Position.from_json(data)


def _read_text(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read(LARGEST_FILE) if str(file) == "-" else _bounded(file)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"expected a text file with a position, but {file} is no UTF-8 text") from error
    except FileNotFoundError as error:
        raise FileError(f"expected a file with a position, but {file} does not exist") from error
    except OSError as error:
        raise FileError(f"expected a file with a position, but {file}: {error.strerror or error}") from error


def _bounded(file: Path) -> bytes:
    with file.open("rb") as stream:
        data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise FileError(f"expected a position file of at most 10 MB, but {file} is larger")
    return data


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
    options = "\n".join(f"- `{one.name}` = {one.accepts}: {one.doc}" for one in played.declared)
    Console().print(Markdown(text + (f"\n\n## --option\n\n{options}\n" if options else "")))
