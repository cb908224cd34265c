"""Sentences in the player's language, from the Fluent files in `messages/`.

The engine gives moves, problems and reasons as data; every word a person reads or hears is made here. Two functions
are known to the files: `CARD($card, case: "acc")` for the name of a card and `ORDINAL($n, case: "gen")`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Any

from kibitz.engine.cards import Card
from kibitz.engine.errors import KibitzError

LANGUAGES = ("en", "ru")
SUIT_SIGNS = "♣♦♥♠"


class WordsError(KibitzError):
    """A sentence cannot be made: an unknown language, an unknown message or a missing value."""


class Words:
    """The sentences of one language."""

    def __init__(self, language: str) -> None:
        """Loads the files of a language.

        Args:
            language: ``en`` or ``ru``.

        Raises:
            WordsError: for any other language.
        """
        from fluent.runtime import FluentBundle, FluentResource

        if language not in LANGUAGES:
            raise WordsError(f"expected a language of {', '.join(LANGUAGES)}, got '{language}'")
        self.language = language
        functions = {"CARD": self._card_function, "ORDINAL": self._ordinal_function}
        self._bundle = FluentBundle([language], functions=functions, use_isolating=False)
        folder = resources.files("kibitz.assistant.messages")
        files = [
            file for file in folder.iterdir() if file.name.startswith(f"{language}.") and file.name.endswith(".ftl")
        ]
        for file in sorted(files, key=lambda file: file.name):
            self._bundle.add_resource(FluentResource(file.read_text(encoding="utf-8")))

    def has(self, message: str) -> bool:
        """Whether there is such a message."""
        return bool(self._bundle.has_message(message))

    def text(self, message: str, /, **values: Any) -> str:
        """The sentence of a message.

        Args:
            message: its identifier, with ``.attribute`` for a form of it.
            values: what it speaks of; a card is given as a Card, None (unknown) or its text.

        Raises:
            WordsError: when the message does not exist or a value it needs is missing.
        """
        name, _, attribute = message.partition(".")
        if not self.has(name):
            raise WordsError(f"expected a message of {self.language}.ftl, got '{name}'")
        pattern = self._bundle.get_message(name)
        chosen = pattern.attributes.get(attribute) if attribute else pattern.value
        if chosen is None:
            chosen = pattern.value
        plain = {key: _plain(value) for key, value in values.items()}
        text, errors = self._bundle.format_pattern(chosen, plain)
        if errors:
            raise WordsError(f"message '{message}' of {self.language}.ftl: {errors[0]}")
        return re.sub(r"[ \n]+", " ", str(text)).strip()

    def card(self, card: Card | str | None, case: str = "nom") -> str:
        """A card's name in a grammatical case: nom, gen, dat, acc, ins or pre."""
        label = "??" if card is None else str(card).upper()
        if "?" in label or "#" in label:
            return self.text("card-unknown" if case == "nom" else f"card-unknown.{case}")
        rank = self.text(f"rank-{label[0]}" if case == "nom" else f"rank-{label[0]}.{case}")
        return self.text("card-name", rank=rank, suit=self.text(f"suit-{label[1]}"))

    def sign(self, card: Card | str | None) -> str:
        """A card as players write it, such as ``10♥`` or ``Д♠``; ``?`` for an unknown one."""
        label = "??" if card is None else str(card).upper()
        if "?" in label or "#" in label:
            return "?"
        return self.text(f"rank-{label[0]}.sign") + SUIT_SIGNS["CDHS".index(label[1])]

    def ordinal(self, number: int, case: str = "nom") -> str:
        """Which one of a row, such as "третьего"."""
        if not self.has(f"ordinal-{number}"):
            return str(number)
        return self.text(f"ordinal-{number}" if case == "nom" else f"ordinal-{number}.{case}")

    def _card_function(self, card: Any, case: Any = "nom") -> str:
        return self.card(str(card), str(case))

    def _ordinal_function(self, number: Any, case: Any = "nom") -> str:
        return self.ordinal(int(number), str(case))


def _plain(value: Any) -> Any:
    if value is None:
        return "??"
    return value if isinstance(value, int | float | str) and type(value) in (int, float, str) else str(value)


@lru_cache(maxsize=len(LANGUAGES))
def words(language: str) -> Words:
    """The sentences of a language, loaded once."""
    return Words(language)
