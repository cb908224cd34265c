"""What the tests of `kibitz watch` share: made tables, a follower that takes what it is given, and a mute player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from kibitz.assistant.following import Outcome, OutcomeKind
from kibitz.assistant.live.coach import Hint
from kibitz.assistant.live.commands import Command
from kibitz.assistant.live.onlooker import Look
from kibitz.assistant.voice import Utterance
from kibitz.engine import Position
from kibitz.engine.search import Advice, Limit, Reason
from kibitz.vision.types import ByteArray, Layout

SIZE = (1500, 1200)
"""As large as the imaginary tables of `assistant_tables`."""


def scene(card_at: int, hand: bool = False) -> ByteArray:
    """A table with one card and perhaps a hand."""
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 95, 40), np.uint8)
    cv2.rectangle(picture, (3 * card_at, 400), (3 * card_at + 190, 680), (240, 240, 240), -1)
    if hand:
        cv2.circle(picture, (750, 660), 350, (120, 150, 200), -1)
    return picture


@dataclass
class ScriptedFollower:
    """Gives one outcome after the other, whatever is seen."""

    outcomes: list[Outcome]
    position: Position | None = None
    belief: Any = None
    looks: int = 0
    told: list[str] = field(default_factory=list)

    def look(self, layout: Layout, others: Any = ()) -> Outcome:
        self.looks += 1
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        self.position = outcome.position
        return outcome

    def take_as_is(self) -> Outcome:
        self.told.append("take")
        return self._now()

    def undo(self) -> Outcome:
        self.told.append("undo")
        return self._now()

    def correct(self, pile: Any, index: int, card: Any) -> Outcome:
        self.told.append(f"{pile.short}.{index + 1}={card}")
        return self._now()

    def answer(self, question: Any, choice: Any) -> Outcome:
        self.told.append(f"answer {choice}")
        return self._now()

    def _now(self) -> Outcome:
        assert self.position is not None
        return Outcome(OutcomeKind.UNCHANGED, self.position)


class Listener:
    """A voice that only notes what it should say."""

    def __init__(self) -> None:
        self.heard: list[Utterance] = []

    @property
    def texts(self) -> list[str]:
        return [one.text for one in self.heard]

    def say(self, utterance: Utterance) -> None:
        self.heard.append(utterance)

    def wait(self, seconds: float) -> bool:
        return True

    def close(self) -> None:
        return None


class Notes:
    """A journal in memory."""

    def __init__(self) -> None:
        self.looks: list[Look] = []
        self.hints: list[Hint] = []
        self.commands: list[Command] = []

    def looked(self, look: Look) -> None:
        self.looks.append(look)

    def ordered(self, command: Command, outcome: Any) -> None:
        self.commands.append(command)

    def hinted(self, hint: Hint) -> None:
        self.hints.append(hint)


class Window:
    """The part of the window that shows what is said."""

    def __init__(self) -> None:
        self.shown: dict[str, str] = {}

    def said(self, said: Any) -> None:
        self.shown[said.topic] = said.text

    def over(self, topic: str) -> None:
        self.shown.pop(topic, None)


class FilmFrames:
    """Frames for the loop without any camera, twenty a second by a clock of its own."""

    def __init__(self, *parts: tuple[ByteArray, int]) -> None:
        self._pictures = iter([picture for picture, count in parts for _ in range(count)])
        self.ended, self.locked, self.rates = False, 0, [0.0]
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def get(self, seconds: float) -> ByteArray | None:
        self._now += 0.05
        picture = next(self._pictures, None)
        self.ended = picture is None
        return picture

    def lock(self) -> None:
        self.locked += 1

    def pace(self, rate: float) -> None:
        self.rates.append(rate)

    def close(self) -> None:
        return None


def first_legal(loses: Sequence[str] = ()) -> Callable[[Position, Any, Limit], Advice]:
    """An adviser that proposes the first legal move."""
    from kibitz.engine.registry import rules_of
    from kibitz.engine.search import RankedMove

    def think(position: Position, belief: Any, limit: Limit) -> Advice:
        moves = rules_of(position).legal_moves(position)
        others = tuple(RankedMove(move, Reason.ANY_MOVE, loses=str(move) in loses) for move in moves[1:])
        return Advice(moves[0], Reason.ANY_MOVE, (moves[0],), alternatives=others)

    return think


class FreshFollower:
    """Takes every table as it is read."""

    def __init__(self, rules: Any) -> None:
        self._rules, self.position, self.belief = rules, None, None
        self.tables: list[Position] = []

    def look(self, layout: Layout, others: Any = ()) -> Outcome:
        from kibitz.assistant.table import table_of

        position = table_of(layout, self._rules).position
        kind = OutcomeKind.STARTED if self.position is None else OutcomeKind.FOLLOWED
        kind = OutcomeKind.UNCHANGED if position == self.position else kind
        self.position = position
        self.tables.append(position)
        return Outcome(kind, position)


class SceneReader:
    """Reads the made scenes: each place of the card stands for one imaginary table."""

    def __init__(self, tables: dict[int, Any]) -> None:
        self._readers = {card_at: table.reader() for card_at, table in tables.items()}

    def read(self, frame: Any, decks: Any) -> Any:
        row = frame.picture[540, :, 0].astype(int)
        found = int((row > 170).argmax()) / 3
        nearest = min(self._readers, key=lambda card_at: abs(card_at - found))
        return self._readers[nearest].read(frame, decks)

    def look(self, frame: Any) -> Any:
        return next(iter(self._readers.values())).look(frame)
