"""A game in the terminal as it is kept between two runs: rules, number of the deal, and the moves."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.assistant.config import data_folder
from kibitz.assistant.session import SessionError
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.options import option_text
from kibitz.engine.registry import get_rules, preset_of

if TYPE_CHECKING:
    from kibitz.engine.rules import Rules


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
        except (ValueError, KeyError, TypeError, RecursionError, KibitzError) as error:
            raise SessionError(f"the saved game is damaged: {type(error).__name__} {error}") from error

    def game(self) -> Game:
        """The game at the point where it was saved.

        Raises:
            SessionError: a move of it is not legal.
        """
        game = Game.deal(self.rules, self.seed)
        for number, move in enumerate(self.moves, 1):
            try:
                game.play(self.rules.find_move(game.view, move))
            except KibitzError as error:
                raise SessionError(f"the saved game cannot be replayed: move {number}: {error}") from error
        return game


def saved_file(rules: Rules) -> Path:
    """Where the game under these rules is kept: one for each name in `kibitz games`, and for each choice of options."""
    name = preset_of(rules) or "-".join([rules.name, *(f"{key}={option_text(value)}" for key, value in rules.changed)])
    return data_folder() / f"play-{name}.json"


def load_saved(rules: Rules) -> Saved | None:
    """The saved game of a patience, or None.

    Raises:
        SessionError: the file is there but cannot be used.
    """
    path = saved_file(rules)
    try:
        saved = Saved.parse(path.read_text(encoding="utf-8"))
        saved.game()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, SessionError) as error:
        raise SessionError(f"{path}: {error}; remove the file to start anew") from error
    return saved
