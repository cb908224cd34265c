"""What a search with all cards known can say."""

from __future__ import annotations

from enum import Enum

__all__ = ["Outcome"]


class Outcome(Enum):
    """Won, proven lost, or not decided within the limit."""

    WON = "solved"
    LOST = "unsolvable"
    UNDECIDED = "not decided"
