"""What outlives a run: the last table of each patience, and a folder with every look of a recorded session."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.assistant.config import data_folder
from kibitz.engine.errors import KibitzError
from kibitz.engine.position import Position

if TYPE_CHECKING:
    from kibitz.assistant.check import Checked
    from kibitz.assistant.words import Words
    from kibitz.vision.types import Frame


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


@dataclass(slots=True)
class Recorder:
    """Writes every look: the picture, and one JSON line in `looks.jsonl`.

    Attributes:
        folder: where to; None keeps no looks.
        words: the language of the sentences.
    """

    folder: Path | None
    words: Words
    count: int = 0

    def prepare(self) -> None:
        """Makes the folder and goes on counting where an earlier recording in it ended.

        Raises:
            SessionError: it cannot be made.
        """
        if self.folder is None:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SessionError(
                f"expected a folder for --record, got {self.folder}: {error.strerror or error}"
            ) from error
        self.count = len(list(self.folder.glob("look-*.jpg")))

    def keep(self, frame: Frame, checked: Checked) -> None:
        """Writes one look and remembers its table.

        Raises:
            SessionError: it cannot be written.
        """
        if checked.judged.advice is not None:
            write_safely(table_file(checked.judged.position.game), f"{checked.judged.position}\n")
        if self.folder is None:
            return
        from kibitz.assistant.overlay import save
        from kibitz.assistant.speech import sentences

        self.count += 1
        name = f"look-{self.count:05}.jpg"
        save(self.folder / name, frame.picture)
        line = {
            "schema": 1,
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "image": name,
            "position": str(checked.judged.position),
            "said": list(sentences(self.words, checked.judged)),
        }
        try:
            with (self.folder / "looks.jsonl").open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError as error:
            raise SessionError(f"{self.folder} cannot be written to: {error.strerror or error}") from error
