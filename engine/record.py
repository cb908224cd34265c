"""A game written down as text: the first position, then moves and what was seen, one a line.

kibitz game 1
start klondike; stock: ####…
# Everything after a number sign is a remark.
T6-F1
see T6.6=5D
draw S-W*3
see W.3=8H
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kibitz.engine.errors import KibitzError, NotationError, RecordError
from kibitz.engine.game import Game
from kibitz.engine.moves import Move
from kibitz.engine.observation import Observation
from kibitz.engine.position import Position
from kibitz.engine.registry import rules_of

__all__ = ["Entry", "Record", "annotate"]

HEAD = "kibitz game 1"
NOTHING = Observation(())
MOST_CHARACTERS = 5_000_000
_LONGEST_LINE = 30_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of a record: a move, and what was seen after it."""

    move: Move
    """The move."""
    seen: Observation = NOTHING
    """What was seen after the move and its consequences."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played. Its text form parses back to itself."""

    start: Position
    """The first position as the player knew it."""
    entries: tuple[Entry, ...] = ()
    """The moves in order."""

    @staticmethod
    def of(game: Game) -> Record:
        """Return the record of a game played so far."""
        start = game.turns[0].view if game.turns else game.view
        return Record(start, tuple(Entry(turn.move, turn.seen) for turn in game.turns))

    @staticmethod
    def parse(text: str) -> Record:
        """Return the record written so.

        Raises:
            RecordError: The text is no record; the message names the line.
        """
        if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
            raise RecordError(f"expected the text of a record of at most {MOST_CHARACTERS} characters")
        start: Position | None = None
        entries: list[Entry] = []
        lines = _lines(text)
        number, first = next(lines, (0, ""))
        if first != HEAD:
            raise RecordError(f"line {number}: expected {HEAD!r}, got {first[:40]!r}")
        for number, line in lines:
            try:
                if start is None:
                    start = _start(line)
                else:
                    _add(entries, line)
            except KibitzError as error:
                raise RecordError(f"line {number}: {error}") from error
        if start is None:
            raise RecordError("expected a line 'start POSITION', got the end of the record")
        return Record(start, tuple(entries))

    def __str__(self) -> str:
        """Return the text form."""
        lines = [HEAD, f"start {self.start}"]
        for entry in self.entries:
            lines.append(str(entry.move))
            if entry.seen.sightings:
                lines.append(f"see {entry.seen}")
        return "\n".join(lines) + "\n"

    def replay(self) -> Iterator[Position]:
        """Yield the first position and the one after each move.

        Raises:
            RecordError: A move is not legal or an observation contradicts what is known.
        """
        yield self.start
        rules = rules_of(self.start)
        position = self.start
        for number, entry in enumerate(self.entries, 1):
            try:
                position = rules.apply(position, entry.move)
                position = _looked(position, entry.seen)
            except KibitzError as error:
                raise RecordError(f"move {number}: {error}") from error
            yield position


def _looked(position: Position, seen: Observation) -> Position:
    """Fill in what was seen, and after each card carry out what it makes due (an ace goes up)."""
    rules = rules_of(position)
    waiting = list(seen.sightings)
    while waiting:
        unread = set(rules.unread(position))
        ready = [sighting for sighting in waiting if sighting.slot in unread] or waiting
        position = rules.observe(position, ready)
        waiting = [sighting for sighting in waiting if sighting not in ready]
        position = rules.settle(position)
    return position


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            raise RecordError(f"line {number}: expected at most {_LONGEST_LINE} characters, got {len(line)}")
        content = line.strip() if line.startswith("start ") else line.partition(" #")[0].strip()
        if content and not content.startswith("#"):
            yield number, content


def _start(line: str) -> Position:
    word, _, rest = line.partition(" ")
    if word != "start":
        raise NotationError("a line 'start POSITION'", line)
    return Position.parse(rest)


def _add(entries: list[Entry], line: str) -> None:
    if not line.startswith("see "):
        entries.append(Entry(Move.parse(line)))
        return
    if not entries:
        raise NotationError("a move before the first 'see'", line)
    last = entries.pop()
    entries.append(Entry(last.move, Observation((*last.seen.sightings, *Observation.parse(line[4:]).sightings))))


def annotate(record: Record) -> str:
    """Return the record with a remark after each move: the score, what is due, the moves then legal, the position.

    Raises:
        RecordError: The record cannot be replayed.
    """
    texts: Iterable[str] = str(record).splitlines()
    positions = record.replay()
    rules = rules_of(record.start)
    lines: list[str] = []

    def remark() -> None:
        position = next(positions)
        legal = rules.legal_moves(position)
        state = "won" if rules.is_won(position) else "lost" if rules.is_lost(position) else "open"
        due = ", ".join(map(str, rules.pending(position))) or "nothing"
        lines.append(
            f"# {state}, score {rules.score(position)}, due: {due}; {len(legal)} legal: "
            + " ".join(f"[{move}]" for move in legal)
        )
        lines.append(f"# {position}")

    pending = False
    for text in texts:
        if pending and not text.startswith("see "):
            remark()
        lines.append(text)
        pending = text != HEAD
    if pending:
        remark()
    return "\n".join(lines) + "\n"
