"""A game in the making: what the player has seen, beside the true cards if they are known.

The terminal, the tests and the benches play through this class; the camera plays the same moves, with its own
observations in place of the true cards.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from kibitz.engine.belief import Belief
from kibitz.engine.errors import ValueRangeError
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.observation import Observation, Sighting
from kibitz.engine.position import Position
from kibitz.engine.registry import rules_of
from kibitz.engine.rules import Rules

__all__ = ["Game", "Turn"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One move made, and the positions before it."""

    move: Move
    """The move, with its cards."""
    seen: Observation
    """What the player saw for the first time through the move and its consequences."""
    view: Position
    """What the player knew before."""
    truth: Position
    """The true cards before."""


@dataclass
class Game:
    """A game on a table whose cards only the program knows.

    `view` is what a player knows who looks and remembers, `truth` the same table with all cards. Undo and redo have
    no limit; a redeal that is undone and redone brings the same cards.
    """

    truth: Position
    """The table with all cards known (but for cards that a rule makes everybody forget)."""
    view: Position
    """The table as the player knows it."""
    rng: random.Random = field(default_factory=random.Random)
    """Shuffles at a redeal."""
    turns: list[Turn] = field(default_factory=list)
    """The moves made, oldest first."""
    undone: list[tuple[Turn, Position, Position]] = field(default_factory=list)
    """Moves taken back, the next to be redone last, with the view and the truth they led to."""

    @staticmethod
    def deal(rules: Rules, seed: int) -> Game:
        """Return a new game with the deal of that number."""
        truth = rules.deal(seed)
        return Game(truth, rules.conceal(truth), random.Random(seed))

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return rules_of(self.view)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return every legal move, as far as the player can know."""
        return self.rules.legal_moves(self.view)

    def play(self, move: Move) -> Turn:
        """Make a move with all its consequences, one after the other, and look at what they bare.

        Raises:
            IllegalMoveError: The move is not legal.
        """
        rules = self.rules
        for legal in rules.legal_moves(self.view):
            if legal == move:
                move = legal
        rules.apply(self.view, move)  # Checks that it is legal.
        before = (self.view, self.truth)
        seen: list[Sighting] = []
        due: tuple[Move, ...] = (move,)
        while due:
            self._step(rules, due[0], seen)
            due = rules.pending(self.view)
        turn = Turn(move, Observation(tuple(seen)), *before)
        self.turns.append(turn)
        self.undone.clear()
        return turn

    def _step(self, rules: Rules, move: Move, seen: list[Sighting]) -> None:
        self.truth = rules.act(self.truth, move)
        if move.kind is MoveKind.REDEAL:
            self.truth = Belief.from_position(self.truth).sample(self.rng)
        self.view = rules.act(self.view, move)
        for slot in rules.unread(self.view):
            card = self.truth.pile(slot.pile)[slot.index].card
            if card is None:
                raise ValueRangeError(f"expected the true card at {slot}, got an unknown one; deal games complete")
            seen.append(Sighting(slot, card))
        self.view = rules.reveal(self.view, self.truth)

    def undo(self) -> bool:
        """Take the last move back; False if there is none."""
        if not self.turns:
            return False
        turn = self.turns.pop()
        self.undone.append((turn, self.view, self.truth))
        self.view, self.truth = turn.view, turn.truth
        return True

    def redo(self) -> bool:
        """Make the move that was taken back last again; False if there is none."""
        if not self.undone:
            return False
        turn, self.view, self.truth = self.undone.pop()
        self.turns.append(turn)
        return True
