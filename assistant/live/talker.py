"""Says things to the player: as lines for the eye, as text on the terminal, and by the voice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from kibitz.assistant.voice import Manner, Speaker, Utterance
from kibitz.assistant.voice_players import FASTEST, SLOWEST

if TYPE_CHECKING:
    from kibitz.assistant.words import Words

FASTER, LOUDER = 1.2, 0.2


@dataclass(frozen=True, slots=True)
class Said:
    """Something that was said.

    Attributes:
        texts: its sentences.
        topic: what it is about; the newest on a topic takes the place of what is still waiting to be said.
        alert: whether it must be noticed: it is marked and cuts off what is being said.
    """

    texts: tuple[str, ...]
    topic: str = ""
    alert: bool = False

    @property
    def text(self) -> str:
        """All sentences as one text."""
        return " ".join(self.texts)


class Readable(Protocol):
    """Where what is said can be read as long as it holds: the window."""

    def said(self, said: Said) -> None:
        """Something is said."""

    def over(self, topic: str) -> None:
        """What was said on a topic holds no longer."""


@dataclass(frozen=True, slots=True)
class TextOutlets:
    """Where the text of what is said goes.

    Attributes:
        tell: takes each sentence, such as a line of the terminal.
        window: shows it.
    """

    tell: Callable[[str], None]
    window: Readable


class Talker:
    """The mouth of the program. Nothing here waits."""

    def __init__(self, words: Words, speaker: Speaker, outlets: TextOutlets, manner: Manner) -> None:
        """Starts with nothing said.

        Args:
            words: the language.
            speaker: the voice.
            outlets: where the text goes.
            manner: speed and volume to start with.
        """
        self._words, self._speaker, self._outlets = words, speaker, outlets
        self.manner, self.muted = manner, False
        self._last: Said | None = None

    def say(self, texts: Sequence[str], topic: str = "", alert: bool = False) -> Said:
        """Says sentences; they can be repeated."""
        self._last = Said(tuple(texts), topic, alert)
        for text in texts:
            self._outlets.tell(text)
        self._outlets.window.said(self._last)
        self._speak(self._last)
        return self._last

    def over(self, topic: str) -> None:
        """What was said on a topic holds no longer."""
        self._outlets.window.over(topic)

    def remark(self, message: str, **values: object) -> None:
        """A short answer to a key, which leaves alone what would be repeated."""
        said = Said((self._words.text(message, **values),), "remark")
        self._outlets.tell(said.text)
        self._outlets.window.said(said)
        self._speak(said)

    def repeat(self) -> None:
        """Says the last thing again."""
        if self._last is None:
            self.remark("watch-nothing-said")
        else:
            self._outlets.tell(self._last.text)
            self._outlets.window.said(self._last)
            self._speak(replace(self._last, alert=True))

    def faster(self, factor: float) -> None:
        """Speaks faster (factor above 1) or slower."""
        speed = min(max(self.manner.speed * factor, SLOWEST), FASTEST)
        self.manner = replace(self.manner, speed=speed)
        self.remark("watch-speed", percent=round(100 * speed))

    def louder(self, step: float) -> None:
        """Speaks louder (step above 0) or more quietly."""
        volume = min(max(round(self.manner.volume + step, 2), 0.0), 1.0)
        self.manner = replace(self.manner, volume=volume)
        self.remark("watch-volume", percent=round(100 * volume))

    def toggle_voice(self) -> None:
        """Switches the voice off and on."""
        if self.muted:
            self.muted = False
            self.remark("watch-voice-on")
        else:
            self.remark("watch-voice-off")
            self.muted = True

    def _speak(self, said: Said) -> None:
        if not self.muted and said.texts:
            utterance = Utterance(said.text, self._words.language, said.alert, said.topic, manner=self.manner)
            self._speaker.say(utterance)
