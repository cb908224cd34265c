"""What outlives a run: the last table of each patience."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.assistant.config import data_folder
from kibitz.engine.errors import KibitzError
from kibitz.engine.position import Position

if TYPE_CHECKING:
    pass


class SessionError(KibitzError):
    """A session cannot be saved or resumed."""


def write_safely(path: Path, text: str) -> None:
    """Writes a file so that a crash leaves the old one or the new one, never a half.

    Raises:
        SessionError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(path.name + ".part")
        half.write_text(text, encoding="utf-8")
        os.replace(half, path)
    except OSError as error:
        raise SessionError(f"{path} cannot be written: {error.strerror or error}") from error


def table_file(game: str) -> Path:
    """Where the last table of a patience is kept."""
    return data_folder() / f"watch-{game}.txt"


def last_table(game: str) -> Position | None:
    """The table at which the last session of a patience stopped, or None.

    Raises:
        SessionError: the file is there but cannot be read.
    """
    path = table_file(game)
    try:
        return Position.parse(path.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, KibitzError) as error:
        raise SessionError(f"the last table in {path} cannot be used: {error}; remove the file") from error
