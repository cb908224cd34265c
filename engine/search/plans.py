"""Plans that were advised: whoever follows one gets its next move, not a new idea at every step."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from kibitz.engine.moves import Move
from kibitz.engine.position import Position
from kibitz.engine.search.values import Advice

__all__ = ["Plan", "Plans"]


Plan = tuple[Advice, tuple[Move, ...]]
"""The advice that was given, and the part of its line that is still to come."""


class Plans:
    """The latest plans by position; a small memory that forgets the oldest."""

    def __init__(self, size: int = 4096) -> None:
        """Set how many positions are remembered."""
        self._size = size
        self._advice: OrderedDict[tuple[Position, object], Plan] = OrderedDict()
        self._idle: OrderedDict[object, None] = OrderedDict()
        self._lock = Lock()

    def find(self, position: Position, setting: object) -> Plan | None:
        """Return the plan that leads on from this position under the same setting."""
        with self._lock:
            return self._advice.get((position, setting))

    def keep(self, position: Position, setting: object, plan: Plan) -> None:
        """Remember the plan for a position."""
        with self._lock:
            self._advice[(position, setting)] = plan
            self._advice.move_to_end((position, setting))
            while len(self._advice) > self._size:
                self._advice.popitem(last=False)

    def note_idle(self, key: object) -> None:
        """Remember that a move without progress was advised in the position with that key."""
        with self._lock:
            self._idle[key] = None
            while len(self._idle) > self._size:
                self._idle.popitem(last=False)

    def was_idle(self, key: object) -> bool:
        """Tell whether a move without progress was advised there before."""
        with self._lock:
            return key in self._idle

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._advice.clear()
            self._idle.clear()
