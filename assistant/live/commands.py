"""What the player wants: one key in the window, or a word typed in the terminal, in either language."""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kibitz.assistant.window import ESCAPE
from kibitz.engine.cards import Card
from kibitz.engine.errors import KibitzError
from kibitz.engine.piles import Slot

if TYPE_CHECKING:
    from kibitz.assistant.words import Words


class Wish(StrEnum):
    """What can be wanted. The words for it are the messages `watch-words-…`."""

    LOOK = "look"
    HINT = "hint"
    REPEAT = "repeat"
    SLOWER = "slower"
    FASTER = "faster"
    QUIETER = "quieter"
    LOUDER = "louder"
    VOICE = "voice"
    UNDO = "undo"
    TAKE = "take"
    ALWAYS = "always"
    WARN = "warn"
    TABLE = "table"
    LARGE = "large"
    FULL = "full"
    HELP = "help"
    QUIT = "quit"
    ANSWER = "answer"
    CORRECT = "correct"
    UNKNOWN = "unknown"


WORDLESS = frozenset({Wish.ANSWER, Wish.CORRECT, Wish.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Command:
    """One wish of the player.

    Attributes:
        wish: what.
        text: the answer, or what was not understood.
        slot: the place of a correction.
        card: the card of a correction or an answer.
    """

    wish: Wish
    text: str = ""
    slot: Slot | None = None
    card: Card | None = None


_CORRECTION = re.compile(r"(?P<slot>[A-Z][0-9]{0,2}\.[0-9]{1,2})\s*=\s*(?P<card>\S+)", re.I)


class Vocabulary:
    """The words of one language."""

    def __init__(self, words: Words) -> None:
        self._wishes = {
            word: wish for wish in Wish if wish not in WORDLESS for word in words.text(f"watch-words-{wish}").split()
        }

    def of_key(self, key: str) -> Command | None:
        """The wish behind a key of the window; None for a key without one."""
        if key == " ":
            return Command(Wish.LOOK)
        if key == ESCAPE:
            return Command(Wish.QUIT)
        if len(key) == 1 and key in "123456789":
            return Command(Wish.ANSWER, key)
        wish = self._wishes.get(key) if key else None
        return Command(wish) if wish is not None else None

    def of_line(self, line: str) -> Command:
        """The wish behind a typed line; an empty one asks for a hint."""
        text = line.strip()
        if not text:
            return Command(Wish.HINT)
        wish = self._wishes.get(text.casefold())
        if wish is not None:
            return Command(wish)
        match = _CORRECTION.fullmatch(text)
        try:
            if match is not None:
                return Command(Wish.CORRECT, text, Slot.parse(match["slot"].upper()), _card(match["card"]))
            if text.isdigit():
                return Command(Wish.ANSWER, text)
            return Command(Wish.ANSWER, text, card=_card(text))
        except KibitzError:
            return Command(Wish.UNKNOWN, text[:40])


_SUITS = str.maketrans("♣♦♥♠ТКБЧП", "CDHSCCDHS")
_RANKS = str.maketrans("ТВДК", "AJQK")


def _card(text: str) -> Card:
    """A card as players write it: 7H, 10♥, Д♠, 7ч."""
    label = text.upper().replace("10", "T")
    return Card.parse(label[:-1].translate(_RANKS) + label[-1:].translate(_SUITS))


class Typed:
    """Lines from the terminal, read in a thread of their own."""

    def __init__(self, lines: Iterable[str], wake: Callable[[], None] = lambda: None) -> None:
        self._lines: queue.Queue[str] = queue.Queue()
        self._source, self._wake = lines, wake
        threading.Thread(target=self._work, name="kibitz-typed", daemon=True).start()

    def get(self) -> str | None:
        """The next line that was typed, or None."""
        try:
            return self._lines.get_nowait()
        except queue.Empty:
            return None

    def _work(self) -> None:
        try:
            for line in self._source:
                self._lines.put(line)
                self._wake()
        except (OSError, ValueError):  # the terminal is gone or closed
            return
