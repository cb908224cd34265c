"""When to give a hint, how much of it, and when to warn that a move loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from kibitz.assistant.live.hints import HintLevel, HintMode, hint_texts
from kibitz.assistant.live.thinker import Thought

if TYPE_CHECKING:
    from kibitz.assistant.words import Words
    from kibitz.engine.belief import Belief
    from kibitz.engine.moves import Move
    from kibitz.engine.position import Position
    from kibitz.engine.search.values import Advice


class Thinks(Protocol):
    """What is used of `Thinker`."""

    @property
    def thought(self) -> Thought | None:
        """What was found out about the position considered last."""

    def wait(self, seconds: float) -> Thought | None:
        """The thought, when it is ready within that time."""

    def consider(self, position: Position, belief: Belief | None = None) -> None:
        """Starts to think about a position."""

    def close(self) -> None:
        """Ends thinking for good."""


@dataclass(frozen=True, slots=True)
class CoachOptions:
    """What the player wants to hear.

    Attributes:
        mode: when a hint is given.
        level: how much the first hint for a position tells; asking again tells more.
        pause_seconds: with `HintMode.PAUSE`, after so long without a move.
        warn: whether to say that a move loses.
    """

    mode: HintMode = HintMode.ALWAYS
    level: HintLevel = HintLevel.MOVE
    pause_seconds: float = 20.0
    warn: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """What the coach says.

    Attributes:
        texts: the sentences.
        kind: ``hint``, ``warning`` or ``note``.
        level: of a hint.
        advice: of a hint.
    """

    texts: tuple[str, ...]
    kind: str = "hint"
    level: HintLevel = HintLevel.THERE
    advice: Advice | None = None


class Coach:
    """Decides about hints. The clock is passed in."""

    def __init__(self, words: Words, thinker: Thinks, options: CoachOptions) -> None:
        self._words, self._thinker, self.options = words, thinker, options
        self._position: Position | None = None
        self._before: Thought | None = None
        self._since = 0.0
        self._level: HintLevel | None = None
        self._asked, self._held, self._warned = False, False, False

    @property
    def is_thinking(self) -> bool:
        """Whether advice for the table is not there yet."""
        return self._position is not None and not self._held and self._thinker.thought is None

    @property
    def is_ready(self) -> bool:
        """Whether a hint could be given at once, and none has been given yet."""
        known = self._position is not None and not self._held and self._level is None
        return known and self._thinker.thought is not None

    def table(self, position: Position, belief: Belief | None, now: float) -> None:
        """The table is known to lie so."""
        self._held = False
        if position == self._position:
            return
        self._position, self._since = position, now
        self._level, self._asked, self._warned = None, False, False
        self._thinker.consider(position, belief)

    def played(self, moves: Sequence[Move], position: Position, belief: Belief | None, now: float) -> Hint | None:
        """The player made these moves; a warning, if it is known already that they lose."""
        thought = None if self._position is None else self._thinker.thought
        before = thought if thought is not None and not thought.is_lost else None
        self.table(position, belief, now)
        self._before = before
        if not self.options.warn or before is None or not moves:
            return None
        losing = {ranked.move for ranked in before.advice.alternatives if ranked.loses}
        if moves[0] in losing:
            self._warned = True
            return Hint((self._words.text("warn-loses"),), "warning")
        return None

    def hold(self) -> None:
        """Table and game differ: nothing is advised until they agree."""
        self._held, self._asked = True, False

    def ask(self, now: float) -> Hint:
        """The player wants a hint; asking again tells more."""
        if self._position is None:
            return self._note("watch-nothing-yet")
        if self._held:
            return self._note("hint-held")
        thought = self._thinker.thought
        if thought is None:
            self._asked = True
            return self._note("hint-thinking")
        level = self.options.level if self._level is None else self._level.more
        return self._hint(thought, level)

    def tick(self, now: float) -> Hint | None:
        """What is to be said by itself now."""
        if self._position is None or self._held:
            return None
        thought = self._thinker.thought
        if thought is None:
            return None
        if (warning := self._warning(thought)) is not None:
            return warning
        due = self.options.mode is HintMode.ALWAYS or self._asked
        due |= self.options.mode is HintMode.PAUSE and now - self._since >= self.options.pause_seconds
        if not due or self._level is not None:
            return None
        self._asked = False
        return self._hint(thought, self.options.level)

    def finish(self, seconds: float) -> None:
        """Waits for the thought about the last table."""
        if self._position is not None and not self._held:
            self._thinker.wait(seconds)

    def close(self) -> None:
        """Ends the thinking."""
        self._thinker.close()

    def toggle_always(self) -> bool:
        """Hints for every position, or only when asked for."""
        always = self.options.mode is not HintMode.ALWAYS
        self.options = replace(self.options, mode=HintMode.ALWAYS if always else HintMode.ASKED)
        return always

    def toggle_warn(self) -> bool:
        """Warnings of moves that lose, or none."""
        self.options = replace(self.options, warn=not self.options.warn)
        return self.options.warn

    def _warning(self, thought: Thought) -> Hint | None:
        """The game could come out before the last move, and cannot any more."""
        turned = thought.is_lost and self._before is not None
        if not self.options.warn or self._warned or not turned:
            return None
        self._warned = True
        return Hint((self._words.text("warn-lost"),), "warning")

    def _hint(self, thought: Thought, level: HintLevel) -> Hint:
        self._level = level
        texts = hint_texts(self._words, thought.position, thought.advice, level)
        return Hint(texts, "hint", level, thought.advice)

    def _note(self, message: str) -> Hint:
        return Hint((self._words.text(message),), "note")
