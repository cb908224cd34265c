"""What the loop of `kibitz watch` is made of."""

from __future__ import annotations

import queue
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kibitz.vision.camera import SourceEvent

if TYPE_CHECKING:
    from kibitz.assistant.live.coach import Coach
    from kibitz.assistant.live.commands import Typed, Vocabulary
    from kibitz.assistant.live.game import GameTalk
    from kibitz.assistant.live.jobs import Worker
    from kibitz.assistant.live.onlooker import Look, Onlooker, Seen
    from kibitz.assistant.live.painting import Display
    from kibitz.assistant.live.talker import Talker


@dataclass(frozen=True, slots=True)
class Looked:
    """The result of one look: what was seen, what it means, or why it could not be used."""

    seen: Seen
    look: Look | None = None
    complaints: tuple[str, ...] = ()


@dataclass(slots=True)
class Parts:
    """What the loop is made of.

    Attributes:
        onlooker: stillness, reading, following.
        coach: hints.
        talker: the mouth.
        game: what is said about the game.
        display: the window.
        worker: where tables are read and followed.
        vocabulary: the player's words.
        typed: lines from the terminal, or None.
        events: what happens to the camera.
        ahead: whether a table is read before it has been still for long enough, to have the answer by then.
    """

    onlooker: Onlooker
    coach: Coach
    talker: Talker
    game: GameTalk
    display: Display
    worker: Worker
    vocabulary: Vocabulary
    typed: Typed | None = None
    events: queue.SimpleQueue[tuple[SourceEvent, str]] = field(default_factory=queue.SimpleQueue)
    ahead: bool = False
