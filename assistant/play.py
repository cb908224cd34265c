"""A game in the terminal: the table with coloured cards, moves by number or notation, hints, undo, save and resume."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from kibitz.assistant.check import Checker, judge
from kibitz.assistant.config import data_folder
from kibitz.assistant.describe import move_text, pile_text, verdict_text
from kibitz.assistant.session import SessionError, write_safely
from kibitz.assistant.speech import chance_text, sentences
from kibitz.assistant.table import Table
from kibitz.engine.cards import PileCard
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.moves import Move
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.registry import get_rules

if TYPE_CHECKING:
    from kibitz.assistant.words import Words
    from kibitz.engine.rules import Rules
    from kibitz.engine.search.values import Limit

FOLDED = frozenset({PileKind.STOCK, PileKind.WASTE, PileKind.FOUNDATIONS, PileKind.RESERVE, PileKind.BASES})


@dataclass(frozen=True, slots=True)
class Saved:
    """A game that can be dealt again and replayed.

    Attributes:
        rules: of the game.
        seed: number of the deal.
        moves: in order, as text.
    """

    rules: Rules
    seed: int
    moves: tuple[str, ...]

    def text(self) -> str:
        """The saved form, JSON."""
        options = dict(self.rules.changed)
        value = {"schema": 1, "game": self.rules.name, "options": options, "seed": self.seed, "moves": self.moves}
        return json.dumps(value) + "\n"

    @staticmethod
    def parse(text: str) -> Saved:
        """The saved game written so.

        Raises:
            SessionError: it is damaged.
        """
        try:
            data: Any = json.loads(text)
            rules = get_rules(str(data["game"]), **dict(data["options"]))
            return Saved(rules, int(data["seed"]), tuple(str(move) for move in data["moves"]))
        except (ValueError, KeyError, TypeError, KibitzError) as error:
            raise SessionError(f"the saved game is damaged: {type(error).__name__} {error}") from error

    def game(self) -> Game:
        """The game at the point where it was saved.

        Raises:
            KibitzError: a move is not legal.
        """
        game = Game.deal(self.rules, self.seed)
        for move in self.moves:
            game.play(self.rules.find_move(game.view, move))
        return game


def saved_file(game: str) -> Path:
    """Where the game of a patience is kept."""
    return data_folder() / f"play-{game}.json"


def load_saved(game: str) -> Saved | None:
    """The saved game of a patience, or None.

    Raises:
        SessionError: the file is there but cannot be used.
    """
    path = saved_file(game)
    try:
        return Saved.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, SessionError) as error:
        raise SessionError(f"{path}: {error}; remove the file to start anew") from error


class Board:
    """Draws a position in the terminal."""

    def __init__(self, words: Words, console: Console) -> None:
        self._words, self._console = words, console

    def show(self, game: Game) -> None:
        """Prints every pile that holds cards or can."""
        position = game.view
        rows = [
            (pile_text(self._words, name, position.game), self._pile(name, pile))
            for name, pile in position.all_piles()
            if pile or name.kind in game.rules.shape
        ]
        width = max((len(name) for name, _ in rows), default=0)
        self._console.print()
        for name, cards in rows:
            self._console.print(Text(f"{name:>{width}}  ", style="dim") + cards, soft_wrap=True)

    def _pile(self, name: PileId, pile: tuple[PileCard, ...]) -> Text:
        shown = pile[-3:] if name.kind is PileKind.WASTE else pile[-1:] if name.kind in FOLDED else pile
        if name.kind in (PileKind.BASES, PileKind.ASIDE):
            shown = pile
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


class Play:
    """The dialogue of a game."""

    def __init__(self, words: Words, saved: Saved, limit: Limit, console: Console) -> None:
        self._words, self._limit, self._console = words, limit, console
        self._saved, self._game = saved, saved.game()
        self._table = Board(words, console)
        self._commands: dict[str, Callable[[], None]] = {
            "h": self._hint,
            "u": self._undo,
            "r": self._redo,
            "m": self._list,
            "s": self._save,
            "?": self._help,
        }

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._game

    def run(self, ask: Callable[[], str | None]) -> None:
        """Asks for moves until the game is over or the player stops.

        Args:
            ask: gives the next line; None at the end of the input.
        """
        self._say("play-seed", seed=str(self._saved.seed))
        self._help()
        self._table.show(self._game)
        while not self._over():
            line = ask()
            if line is None or line.strip().lower() in ("q", "quit"):
                self._save()
                break
            self._obey(line.strip())
        self._say("play-score", score=self._game.rules.score(self._game.view))

    def _obey(self, line: str) -> None:
        if (command := self._commands.get(line.lower())) is not None:
            command()
            return
        move = self._move(line)
        if move is None:
            self._say("play-bad-move", text=line)
            return
        self._console.print(Text(move_text(self._words, self._game.view, move), style="green"))
        self._game.play(move)
        self._table.show(self._game)

    def _move(self, line: str) -> Move | None:
        moves = self._game.legal_moves()
        if line.isdigit():
            return moves[int(line) - 1] if 0 < int(line) <= len(moves) else None
        return next((move for move in moves if str(move).lower() == line.lower()), None)

    def _over(self) -> bool:
        rules, view = self._game.rules, self._game.view
        if rules.is_won(view) or not self._game.legal_moves():
            verdict = "won" if rules.is_won(view) else "lost"
            self._console.print(Text(verdict_text(self._words, verdict), style="bold"))
            return True
        return False

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
            self._table.show(self._game)
        else:
            self._say("play-nothing-to-undo")

    def _redo(self) -> None:
        if self._game.redo():
            self._table.show(self._game)
        else:
            self._say("play-nothing-to-redo")

    def _list(self) -> None:
        for number, move in enumerate(self._game.legal_moves(), 1):
            self._console.print(
                f"{number:3}  {move!s:12} {move_text(self._words, self._game.view, move)}", markup=False
            )

    def _save(self) -> None:
        path = saved_file(self._saved.rules.name)
        moves = tuple(str(turn.move) for turn in self._game.turns)
        write_safely(path, Saved(self._saved.rules, self._saved.seed, moves).text())
        self._say("play-saved", path=str(path))

    def _help(self) -> None:
        self._say("play-help")

    def _say(self, message: str, **values: object) -> None:
        self._console.print(self._words.text(message, **values), markup=False, highlight=False)
