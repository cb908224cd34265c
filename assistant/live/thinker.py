"""Thinks about the position in the background, so that advice is ready when it is asked for.

One thread; a newer position cancels the search for an older one. The adviser itself keeps its plans: whoever follows
one gets its next move at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz.engine.search.values import Advice, Limit, Verdict

if TYPE_CHECKING:
    from kibitz.engine.belief import Belief
    from kibitz.engine.position import Position

Think = Callable[["Position", "Belief | None", Limit], Advice]
LOST = frozenset({Verdict.LOST, Verdict.CYCLING})


@dataclass(frozen=True, slots=True)
class Thought:
    """What was found out about a position.

    Attributes:
        position: which.
        advice: the best move and what is known of it.
        seconds: how long it took.
    """

    position: Position
    advice: Advice
    seconds: float

    @property
    def is_lost(self) -> bool:
        """Whether the position is lost for certain."""
        return self.advice.loses or self.advice.verdict in LOST


class Thinker:
    """The thread that thinks."""

    def __init__(self, think: Think, seconds: float) -> None:
        """Starts the thread.

        Args:
            think: the adviser, `kibitz.engine.search.advise`.
            seconds: how long it may think about one position.
        """
        self._think, self._seconds = think, seconds
        self._changed = threading.Condition()
        self._wanted: tuple[int, Position, Belief | None] | None = None
        self._number = 0
        self._thought: Thought | None = None
        self._error: Exception | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="kibitz-thinker", daemon=True)
        self._thread.start()

    def consider(self, position: Position, belief: Belief | None = None) -> None:
        """Starts to think about a position; what was thought about before is given up."""
        with self._changed:
            self._number += 1
            self._wanted = self._number, position, belief
            self._thought = None
            self._changed.notify_all()

    def forget(self) -> None:
        """Gives up thinking: nothing is known of the table now."""
        with self._changed:
            self._number += 1
            self._wanted, self._thought = None, None

    @property
    def thought(self) -> Thought | None:
        """What was found out about the position considered last; None as long as it is thought about.

        Raises:
            Exception: what the adviser raised.
        """
        with self._changed:
            if self._error is not None:
                error, self._error = self._error, None
                raise error
            return self._thought

    def wait(self, seconds: float) -> Thought | None:
        """The thought, when it is ready within that time."""
        with self._changed:
            self._changed.wait_for(lambda: self._thought is not None or self._error is not None, seconds)
        return self.thought

    def close(self) -> None:
        """Ends the thread as soon as its search takes notice."""
        with self._changed:
            self._closing = True
            self._number += 1
            self._changed.notify_all()
        self._thread.join(timeout=5.0)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted is not None or self._closing)
                if self._closing or self._wanted is None:
                    return
                (number, position, belief), self._wanted = self._wanted, None
            start = time.perf_counter()
            advice, error = None, None
            try:
                advice = self._think(position, belief, self._limit(number))
            except Exception as fault:  # it must reach the player, not end a thread nobody looks at
                error = fault
            with self._changed:
                if number == self._number:
                    self._error = error
                    if advice is not None:
                        self._thought = Thought(position, advice, time.perf_counter() - start)
                    self._changed.notify_all()

    def _limit(self, number: int) -> Limit:
        return Limit(seconds=self._seconds, cancel=lambda: self._number != number)
