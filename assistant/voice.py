"""Says sentences aloud: a short queue in front of a player, or captions where there is no voice.

The caller never waits and never gets an exception from the voice: what is wrong is told, captions go on, and after a
while the voice is tried again.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from kibitz.assistant.voice_players import (
    CommandPlayer,
    Manner,
    PyttsxPlayer,
    Utterance,
    VoiceError,
    choose_player,
    speech_command,
    voice_hint,
    write_speech,
)

__all__ = [
    "CaptionSpeaker",
    "CommandPlayer",
    "Manner",
    "Player",
    "PyttsxPlayer",
    "QueuedSpeaker",
    "Speaker",
    "Utterance",
    "VoiceError",
    "choose_player",
    "make_speaker",
    "speech_command",
    "voice_hint",
    "write_speech",
]

MOST_WAITING = 4
"""More sentences than this never wait: nobody wants to hear what was true half a minute ago."""
RETRY_SECONDS = 30.0
"""So long a failed voice is left alone before it is tried again."""


class Speaker(Protocol):
    """Something that says utterances in the background."""

    def say(self, utterance: Utterance) -> None:
        """Queues one utterance and returns at once."""

    def wait(self, seconds: float) -> bool:
        """Waits until everything has been said; False when that took too long."""

    def close(self) -> None:
        """Stops speaking and frees the voice."""


class Player(Protocol):
    """Makes the sound of one utterance."""

    def play(self, utterance: Utterance) -> None:
        """Returns when it has been played or was interrupted; raises VoiceError when no sound can be made."""

    def interrupt(self) -> None:
        """Cuts off what is being played, from any thread."""


class CaptionSpeaker:
    """Silent: hands each sentence to a function, such as a line on stderr. Also the fake for tests."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show

    def say(self, utterance: Utterance) -> None:
        self._show(utterance.text)

    def wait(self, seconds: float) -> bool:
        return True

    def close(self) -> None:
        return None


class QueuedSpeaker:
    """Plays utterances one after the other in a thread of its own, the only one that touches the voice."""

    def __init__(
        self, player: Player, complain: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Starts the thread.

        Args:
            player: makes the sound.
            complain: is told what is wrong when there is no sound; once, until the voice has worked again.
            clock: seconds, steady.
        """
        self._player, self._complain, self._clock = player, complain, clock
        self._waiting: deque[tuple[float, Utterance]] = deque()
        self._changed = threading.Condition()
        self._busy, self._closing = False, False
        self._told, self._retry_at = "", float("-inf")
        self._thread = threading.Thread(target=self._work, name="kibitz-voice", daemon=True)
        self._thread.start()

    def say(self, utterance: Utterance) -> None:
        with self._changed:
            if utterance.interrupt:
                self._waiting.clear()
            elif utterance.topic:
                kept = [one for one in self._waiting if one[1].topic != utterance.topic]
                self._waiting = deque(kept)
            self._waiting.append((self._clock(), utterance))
            while len(self._waiting) > MOST_WAITING:
                self._waiting.popleft()
            self._changed.notify_all()
        if utterance.interrupt:
            self._player.interrupt()

    def wait(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, seconds)

    def close(self) -> None:
        with self._changed:
            self._waiting.clear()
            self._closing = True
            self._changed.notify_all()
        self._player.interrupt()
        self._thread.join(timeout=2.0)

    def _next(self) -> Utterance | None:
        """The next utterance that is still worth saying; None when it is over."""
        with self._changed:
            self._busy = False
            self._changed.notify_all()
            while True:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if self._closing:
                    return None
                since, utterance = self._waiting.popleft()
                if self._clock() - since <= utterance.fresh_seconds:
                    self._busy = True
                    return utterance
                self._changed.notify_all()

    def _work(self) -> None:
        while (utterance := self._next()) is not None:
            if self._clock() < self._retry_at:
                continue
            try:
                self._player.play(utterance)
            except VoiceError as error:
                self._retry_at = self._clock() + RETRY_SECONDS
                if str(error) != self._told:
                    self._told = str(error)
                    self._complain(self._told)
            else:
                self._told = ""


def make_speaker(backend: str, voice: str | None, complain: Callable[[str], None]) -> Speaker:
    """A speaker that never raises: when no sound can be made it says so once and is silent.

    Args:
        backend: ``auto``, ``pyttsx3``, ``command`` or ``none``.
        voice: exact identifier of a voice, or None.
        complain: is told what is wrong.
    """
    if backend == "none":
        return CaptionSpeaker(lambda text: None)
    try:
        return QueuedSpeaker(choose_player(backend, voice), complain)
    except VoiceError as error:
        complain(str(error))
        return CaptionSpeaker(lambda text: None)
