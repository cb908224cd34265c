"""Keeps what happens while a game is watched: the last table of the patience, and on request every look."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.assistant.live.game_log import add_line, begin_anew, log_file
from kibitz.assistant.session import SessionError, table_file, write_safely

if TYPE_CHECKING:
    from kibitz.assistant.live.coach import Hint
    from kibitz.assistant.live.commands import Command
    from kibitz.assistant.live.follows import Outcome
    from kibitz.assistant.live.onlooker import Look
    from kibitz.engine.position import Position

SETTLED = frozenset({"started", "unchanged", "followed", "undone", "question"})


class NoJournal:
    """Keeps nothing; for films, benches and tests."""

    def looked(self, look: Look) -> None:
        return None

    def ordered(self, command: Command, outcome: Outcome) -> None:
        return None

    def hinted(self, hint: Hint) -> None:
        return None


class TableJournal:
    """Writes the table and one JSON line after every look, and with a folder also each look's picture."""

    def __init__(self, game: str, folder: Path | None = None) -> None:
        """Goes on counting where an earlier recording in the folder ended.

        Args:
            game: the patience.
            folder: for the pictures, or None.

        Raises:
            SessionError: the folder cannot be made.
        """
        self._folder, self._count = folder, 0
        self._game = game
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SessionError(f"expected a folder for --record, got {folder}: {error.strerror or error}") from error
        self._count = len(list(folder.glob("look-*.jpg")))

    def looked(self, look: Look) -> None:
        """A look at the settled table.

        Raises:
            SessionError: it cannot be written.
        """
        outcome = look.outcome
        if outcome.kind.value in SETTLED:
            self._keep_table(outcome.position)
        game = outcome.position.game
        if outcome.kind.value == "started":
            begin_anew(game)
        line = {
            "outcome": outcome.kind.value,
            "position": str(outcome.position),
            "moves": list(map(str, outcome.moves)),
        }
        if self._folder is not None:
            from kibitz.assistant.overlay import save

            self._count += 1
            name = f"look-{self._count:05}.jpg"
            save(self._folder / name, look.seen.frame.picture)
            line |= {"image": name}
        self._write(game, {**line, "seconds": dict(look.seen.seconds)})
        self._game = game

    def ordered(self, command: Command, outcome: Outcome) -> None:
        """The player told something about the game."""
        self._keep_table(outcome.position)
        self._write(
            outcome.position.game, {"told": command.wish.value, "text": command.text, "position": str(outcome.position)}
        )

    def hinted(self, hint: Hint) -> None:
        """A hint was given."""
        move = hint.advice.move if hint.advice is not None else None
        self._write(
            self._game, {"said": list(hint.texts), "kind": hint.kind, "move": None if move is None else str(move)}
        )

    def _keep_table(self, position: Position) -> None:
        write_safely(table_file(position.game), f"{position}\n")

    def _write(self, game: str, values: dict[str, Any]) -> None:
        add_line(log_file(game), values)
        if self._folder is not None:
            add_line(self._folder / "looks.jsonl", values)
