"""The table of a game in the terminal: one pile a line, the cards in colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from kibitz.assistant.describe import pile_text
from kibitz.engine.cards import PileCard
from kibitz.engine.piles import PileId, PileKind

if TYPE_CHECKING:
    from kibitz.assistant.words import Words
    from kibitz.engine.game import Game

FOLDED = frozenset({PileKind.STOCK, PileKind.FOUNDATIONS, PileKind.RESERVE})
"""Piles of which the last card is drawn and the others are counted."""
OF_WASTE = 3
"""So many cards of the waste are drawn."""


class Board:
    """Draws a position in the terminal."""

    def __init__(self, words: Words, console: Console) -> None:
        self._words, self._console = words, console

    def show(self, game: Game) -> None:
        """Prints every pile that holds cards or can."""
        position = game.view
        rows = [
            (
                f"{pile_text(self._words, name, position.game).removeprefix('the ')} {name.short:>3}",
                self._pile(name, pile),
            )
            for name, pile in position.all_piles()
            if pile or name.kind in game.rules.shape
        ]
        width = max((len(name) for name, _ in rows), default=0)
        self._console.print()
        for name, cards in rows:
            self._console.print(Text(f"{name:>{width}}  ", style="dim") + cards, soft_wrap=True)

    def _pile(self, name: PileId, pile: tuple[PileCard, ...]) -> Text:
        shown = pile[-OF_WASTE:] if name.kind is PileKind.WASTE else pile[-1:] if name.kind in FOLDED else pile
        text = Text("—" if not pile else "")
        for card in shown:
            text += self._card(card) + Text(" ")
        hidden = len(pile) - len(shown)
        return text + Text(f"({len(pile)})", style="dim") if hidden else text

    def _card(self, card: PileCard) -> Text:
        if card.card is None or not card.face_up:
            sign = " ? " if card.face_up else " ▒ " if card.card is None else f"({self._words.sign(card.card)})"
            return Text(f"{sign:>4}", style="blue")
        style = "bold red on white" if card.card.is_red else "bold black on white"
        return Text(f"{self._words.sign(card.card):>3} ", style=style)
