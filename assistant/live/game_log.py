"""Every event of a watched game as one JSON line, on the disk before the next look: what a crash leaves is resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kibitz.assistant.config import data_folder
from kibitz.assistant.following.odd import Step
from kibitz.assistant.session import SessionError
from kibitz.engine.errors import KibitzError
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules

SCHEMA = 1


def log_file(game: str) -> Path:
    """Where the events of the running game of a patience are kept."""
    return data_folder() / f"watch-{game}.jsonl"


def add_line(path: Path, values: dict[str, Any]) -> None:
    """Appends an event and waits until it is on the disk.

    Raises:
        SessionError: it cannot be written.
    """
    line = {"schema": SCHEMA, "time": datetime.now(UTC).isoformat(timespec="milliseconds"), **values}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        torn = path.exists() and path.stat().st_size > 0 and path.read_bytes()[-1:] != b"\n"
        with path.open("a", encoding="utf-8") as stream:
            stream.write(("\n" if torn else "") + json.dumps(line, ensure_ascii=False) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise SessionError(f"{path} cannot be written to: {error.strerror or error}") from error


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The events of a log; a line that a crash has torn is left out.

    Raises:
        SessionError: the log cannot be read.
    """
    try:
        texts = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return
    except OSError as error:
        raise SessionError(f"{path} cannot be read: {error.strerror or error}") from error
    for text in texts:
        try:
            value = json.loads(text)
        except ValueError:
            continue
        if isinstance(value, dict) and value.get("schema") == SCHEMA:
            yield value


def begin_anew(game: str) -> None:
    """Puts the log of the last game aside; it stays beside the new one until the next.

    Raises:
        SessionError: it cannot be moved.
    """
    path = log_file(game)
    try:
        if path.exists():
            os.replace(path, path.with_suffix(".last.jsonl"))
    except OSError as error:
        raise SessionError(f"{path} cannot be moved: {error.strerror or error}") from error


def resumed_steps(rules: Rules, position: Position) -> list[Step]:
    """The moves that led to a table, as far as the log tells them without a gap, oldest first.

    Args:
        rules: of the patience.
        position: the table that is resumed.
    """
    steps: list[Step] = []
    before: Position | None = None
    for line in lines(log_file(rules.name)):
        if "outcome" not in line and "told" not in line:
            continue
        try:
            after = Position.parse(str(line["position"]))
            moves = [str(move) for move in line.get("moves", ())]
            if line.get("outcome") == "undone":
                del steps[max(0, len(steps) - len(moves)) :]
            elif line.get("outcome") in ("followed", "question") and before is not None and len(moves) == 1:
                steps.append(Step(before, rules.find_move(before, moves[0])))
            elif moves or "told" in line or line.get("outcome") == "started":
                steps.clear()
        except (KeyError, KibitzError):
            steps.clear()
            continue
        before = after
    return steps if before == position else []
