"""Follows a game on a real table: which legal moves explain what the camera sees now?

`Follower.look` compares the believed position with a doubtful reading pile by pile (`evidence`), searches the sequences
of legal moves, and of moves taken back, that explain the difference most cheaply (`search`), and only then the changes
that no rule allows (`physical`). What one look leaves open is not guessed: it is looked at again, asked, or told.
"""

from kibitz.assistant.following.follower import Follower
from kibitz.assistant.following.outcome import CardQuestion, Difference, Outcome, OutcomeKind

__all__ = ["CardQuestion", "Difference", "Follower", "Outcome", "OutcomeKind"]
