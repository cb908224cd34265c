"""Puts `kibitz watch` together from settings: source, reader, follower, thinker, voice and window."""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz.assistant.config import pixels
from kibitz.assistant.context import note
from kibitz.assistant.live.coach import Coach, CoachOptions
from kibitz.assistant.live.commands import Typed, Vocabulary
from kibitz.assistant.live.game import GameTalk, Journal
from kibitz.assistant.live.hints import HintLevel, HintMode
from kibitz.assistant.live.jobs import (
    AtOnceThinker,
    AtOnceWorker,
    BesideWorker,
    EveryFrame,
    Frames,
    NewestFrames,
)
from kibitz.assistant.live.loop import Watch
from kibitz.assistant.live.onlooker import Onlooker
from kibitz.assistant.live.painting import Display
from kibitz.assistant.live.parts import Parts
from kibitz.assistant.live.stillness import Stillness
from kibitz.assistant.live.talker import Talker, TextOutlets
from kibitz.assistant.live.thinker import Think, Thinker
from kibitz.assistant.voice import Manner, Speaker, make_speaker
from kibitz.assistant.window import NoScreen, Screen, open_screen
from kibitz.engine.search import advise
from kibitz.vision.camera import CameraOptions, NewestFrame, SourceEvent, open_source

if TYPE_CHECKING:
    from kibitz.assistant.config import Settings
    from kibitz.assistant.context import Context
    from kibitz.assistant.live.follows import Follows
    from kibitz.engine.rules import Rules
    from kibitz.vision.pipeline import Reader

Events = queue.SimpleQueue[tuple[SourceEvent, str]]


@dataclass(frozen=True, slots=True)
class Table:
    """What is watched, by whom.

    Attributes:
        rules: of the patience.
        reader: reads the cards.
        follower: knows the game so far.
        journal: keeps what happens.
        resumed: whether the follower knows the table already.
        think: the adviser.
    """

    rules: Rules
    reader: Reader
    follower: Follows
    journal: Journal
    resumed: bool = False
    think: Think = advise


@dataclass(frozen=True, slots=True)
class Outlets:
    """How the player is reached.

    Attributes:
        speaker: the voice.
        screen: the window, or none.
        tell: takes each sentence as text.
        typed: lines that the player types, or None.
        reopen: opens a window anew after the screen was lost.
    """

    speaker: Speaker
    screen: Screen
    tell: Callable[[str], None]
    typed: Iterable[str] | None = None
    reopen: Callable[[], Screen | None] = lambda: None


def open_frames(source: str, settings: Settings, events: Events, fast: bool) -> Frames:
    """The pictures of a source: the newest of a camera, or every one of a film that runs as fast as it can.

    Raises:
        CameraError: it does not open.
    """
    options = CameraOptions(
        pixels(settings.camera_size), settings.mirror, settings.turn, still_seconds=settings.still_seconds + 0.4
    )

    def tell(event: SourceEvent, name: str) -> None:
        events.put((event, name))

    opened = open_source(source, options, tell)
    return EveryFrame(opened) if fast else NewestFrames(NewestFrame(opened))


def build(base: Context, table: Table, outlets: Outlets, events: Events, fast: bool = False) -> Watch:
    """The loop with all its parts."""
    settings, words, rules = base.settings, base.words, table.rules
    painter = AtOnceWorker() if fast else BesideWorker("kibitz-paint")
    display = Display(words, rules, outlets.screen, painter, outlets.reopen)
    display.view.large = settings.large
    manner = Manner(settings.voice_speed, settings.volume)
    talker = Talker(words, outlets.speaker, TextOutlets(outlets.tell, display), manner)
    game = GameTalk(words, rules, table.follower, talker, table.journal)
    game.moves_aloud = outlets.screen.size is None
    if table.resumed:
        game.resume()
    thinker = (AtOnceThinker if fast else Thinker)(table.think, settings.think_seconds)
    level = HintLevel[settings.hint_level.upper()]
    options = CoachOptions(HintMode(settings.hints), level, settings.pause_seconds, settings.warn)
    return Watch(
        Parts(
            Onlooker(table.reader, rules, table.follower, Stillness(settings.still_seconds)),
            Coach(words, thinker, options),
            talker,
            game,
            display,
            AtOnceWorker() if fast else BesideWorker("kibitz-look"),
            Vocabulary(words),
            Typed(outlets.typed) if outlets.typed is not None else None,
            events,
            ahead=not fast,
        )
    )


def player_outlets(base: Context, speak: bool, window: bool) -> Outlets:
    """Voice, window and terminal of this machine; what is not there is told once and done without."""
    settings, words = base.settings, base.words

    def complain(why: str) -> None:
        note(words.text("watch-voice-failed", why=why))

    speaker = make_speaker(settings.voice if speak else "none", settings.voices.get(settings.language), complain)
    screen = open_screen("Kibitz") if window else None
    if screen is None and window:
        note(words.text("watch-no-screen"))
    return Outlets(
        speaker, screen or NoScreen(), lambda text: print(text, flush=True), terminal(), lambda: open_screen("Kibitz")
    )


def terminal() -> Iterable[str] | None:
    """The lines that are typed; None where reading them would stop a program that runs in the background."""
    if sys.stdin is None or sys.stdin.closed:
        return None
    if os.name == "posix" and sys.stdin.isatty():
        try:
            if os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp():
                return None
        except OSError:
            return None
    return sys.stdin
