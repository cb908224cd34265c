"""Keeps what happens while a game is watched: the last table of the patience, and on request every look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.assistant.live.commands import Command

if TYPE_CHECKING:
    from kibitz.assistant.following import Outcome
    from kibitz.assistant.live.coach import Hint
    from kibitz.assistant.live.onlooker import Look


class NoJournal:
    """Keeps nothing; for films, benches and tests."""

    def looked(self, look: Look) -> None:
        return None

    def ordered(self, command: Command, outcome: Outcome) -> None:
        return None

    def hinted(self, hint: Hint) -> None:
        return None
