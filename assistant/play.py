"""A game in the terminal: the table with coloured cards, moves by number or notation, hints, undo, save and resume."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from kibitz.assistant.check import Checker, judge
from kibitz.assistant.describe import move_text, verdict_text
from kibitz.assistant.play_board import Board
from kibitz.assistant.play_saved import Saved, saved_file
from kibitz.assistant.session import write_safely
from kibitz.assistant.speech import chance_text, sentences
from kibitz.assistant.table import Table
from kibitz.engine.game import Game
from kibitz.engine.moves import Move

if TYPE_CHECKING:
    from kibitz.assistant.words import Words
    from kibitz.engine.position import Position
    from kibitz.engine.search.values import Limit

LONGEST_NUMBER = 4
"""Digits of the number of a move at most."""
LONGEST_QUOTE = 40


class Play:
    """The dialogue of a game."""

    def __init__(self, words: Words, saved: Saved, limit: Limit, console: Console) -> None:
        self._words, self._limit, self._console = words, limit, console
        self._saved, self._game = saved, saved.game()
        self._board = Board(words, console)
        actions: dict[str, Callable[[], None]] = {
            "table": self._show,
            "hint": self._hint,
            "undo": self._undo,
            "redo": self._redo,
            "moves": self._list,
            "save": self._save,
            "help": self._help,
        }
        self._commands = {
            word: action for name, action in actions.items() for word in words.text(f"play-words-{name}").split()
        }
        self._quit = frozenset(words.text("play-words-quit").split())

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._game

    def run(self, ask: Callable[[], str | None]) -> None:
        """Asks for moves until the patience has come out or the player stops; an unfinished game is always saved.

        Args:
            ask: gives the next line; None at the end of the input.
        """
        self._say("play-seed", seed=str(self._saved.seed))
        self._help()
        self._show()
        self._tell_end()
        try:
            while not self._is_won():
                line = ask()
                if line is None or line.strip().lower() in self._quit:
                    break
                self._obey(line.strip())
        finally:
            if not self._is_won():
                self._save()
        self._console.print(score_text(self._words, self._game.view), markup=False, highlight=False)

    def _obey(self, line: str) -> None:
        command = self._commands.get(line.lower()) if line else self._show
        if command is not None:
            command()
            return
        move = self._move(line)
        if move is None:
            self._say("play-bad-move", text=line[:LONGEST_QUOTE])
            return
        self._console.print(Text(move_text(self._words, self._game.view, move), style="green"))
        self._game.play(move)
        self._show()
        self._tell_end()

    def _move(self, line: str) -> Move | None:
        """The legal move with that number or notation; its word alone is enough where only one move has it."""
        moves = self._game.legal_moves()
        if line.isascii() and line.isdigit() and len(line) <= LONGEST_NUMBER:
            return moves[int(line) - 1] if 0 < int(line) <= len(moves) else None
        exact = [move for move in moves if str(move).lower() == line.lower()]
        of_kind = [move for move in moves if move.kind == line.lower()]
        return exact[0] if exact else of_kind[0] if len(of_kind) == 1 else None

    def _is_won(self) -> bool:
        return self._game.rules.is_won(self._game.view)

    def _tell_end(self) -> None:
        """Says that the game is won or lost; a lost one goes on, for moves may be taken back."""
        rules, view = self._game.rules, self._game.view
        if self._is_won():
            self._console.print(Text(verdict_text(self._words, "won"), style="bold"))
        elif rules.is_lost(view):
            verdict = "cycling" if self._game.legal_moves() else "lost"
            self._console.print(Text(verdict_text(self._words, verdict), style="bold"))
            self._say("play-lost")

    def _show(self) -> None:
        self._board.show(self._game)

    def _hint(self) -> None:
        view = self._game.view
        judged = judge(Checker(self._game.rules, self._words, self._limit), Table(view, (), {}))
        texts = [*sentences(self._words, judged)]
        if (chance := chance_text(self._words, judged)) is not None:
            texts.append(chance)
        move = judged.advice.move if judged.advice is not None else None
        self._console.print(Text(" ".join(texts) + (f"  [{move}]" if move is not None else ""), style="cyan"))

    def _undo(self) -> None:
        if self._game.undo():
            self._show()
        else:
            self._say("play-nothing-to-undo")

    def _redo(self) -> None:
        if self._game.redo():
            self._show()
        else:
            self._say("play-nothing-to-redo")

    def _list(self) -> None:
        for number, move in enumerate(self._game.legal_moves(), 1):
            self._console.print(
                f"{number:3}  {move!s:12} {move_text(self._words, self._game.view, move)}", markup=False
            )

    def _save(self) -> None:
        path = saved_file(self._saved.rules)
        moves = tuple(str(turn.move) for turn in self._game.turns)
        write_safely(path, Saved(self._saved.rules, self._saved.seed, moves).text())
        self._say("play-saved", path=str(path))

    def _help(self) -> None:
        self._say("play-help")

    def _say(self, message: str, **values: object) -> None:
        self._console.print(self._words.text(message, **values), markup=False, highlight=False)


def score_text(words: Words, position: Position) -> str:
    """What the text of the patience counts at the end, such as the cards on the foundations."""
    from kibitz.engine.registry import rules_of

    rules = rules_of(position)
    return words.text(f"play-score-{rules.scored}", score=rules.score(position), all=len(rules.pack))
