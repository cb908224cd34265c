"""The window's side of the loop: keeps what is to be seen, paints it in a thread, and outlives a screen that goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import TYPE_CHECKING

from kibitz.assistant.live.board import BoardScene
from kibitz.assistant.live.hints import HintLevel
from kibitz.assistant.live.view import Marked, Scene, View
from kibitz.assistant.speech import Line
from kibitz.assistant.window import NO_KEY, NoScreen, Screen

if TYPE_CHECKING:
    from kibitz.assistant.live.coach import Hint
    from kibitz.assistant.live.jobs import Worker
    from kibitz.assistant.live.onlooker import Seen
    from kibitz.assistant.live.talker import Said
    from kibitz.assistant.words import Words
    from kibitz.engine.moves import Move
    from kibitz.engine.piles import PileId
    from kibitz.engine.position import Position
    from kibitz.engine.rules import Rules
    from kibitz.engine.search.values import Advice
    from kibitz.vision.types import ByteArray

REOPEN_SECONDS = 10.0
TOPICS = ("warning", "game", "hint", "note", "table", "remark")
"""What stands above what in the window."""


class Display:
    """What is to be seen, and the screen it is seen on."""

    def __init__(
        self, words: Words, rules: Rules, screen: Screen, worker: Worker, reopen: Callable[[], Screen | None]
    ) -> None:
        """Starts with an empty window.

        Args:
            words: the language.
            rules: of the patience.
            screen: where it is shown.
            worker: where marks are painted.
            reopen: opens a new window after the screen was lost; None while there is none.
        """
        self._words, self._rules, self._screen = words, rules, screen
        self._worker, self._reopen = worker, reopen
        self.view = View(words, rules.plan())
        self._full = False
        self._said: dict[str, Said] = {}
        self._seen: Seen | None = None
        self._marked: Marked | None = None
        self._painting: Future[Marked] | None = None
        self._board: BoardScene | None = None
        self._shown: object = None
        self._lost_at: float | None = None
        self._opening: Future[Screen | None] | None = None

    def key(self, milliseconds: int) -> str:
        """The key pressed in the window."""
        return self._screen.key(milliseconds) if self._screen.alive else NO_KEY

    def toggle_large(self) -> None:
        """Large letters in high contrast, or the usual ones."""
        self.view.large = not self.view.large

    def toggle_full(self) -> None:
        """The whole screen, or a window."""
        self._full = not self._full
        self._screen.full(self._full)

    def said(self, said: Said) -> None:
        """Something is said: it can be read as well."""
        if said.topic == "hint":
            self._said.pop("note", None)
        self._said[said.topic] = said

    def over(self, topic: str) -> None:
        """That is settled."""
        self._said.pop(topic, None)

    def looked(self, seen: Seen) -> None:
        """A settled picture was read."""
        self._seen = seen
        self._paint(None)

    def believe(self, position: Position | None, wrong: Collection[PileId]) -> None:
        """The table is believed to be so."""
        if position is None:
            return
        if self._board is None or self._board.position != position:
            for topic in ("hint", "warning", "note", "table"):
                self.over(topic)
            self._board = BoardScene(position, None, frozenset(wrong))
        elif frozenset(wrong) != self._board.wrong:
            self._board = BoardScene(position, self._board.move, frozenset(wrong))

    def hint(self, hint: Hint) -> None:
        """A hint is given; a whole one is drawn as well."""
        if hint.advice is None or hint.level is not HintLevel.MOVE or self._board is None:
            return
        move: Move | None = hint.advice.move
        self._board = BoardScene(self._board.position, move, self._board.wrong)
        self._paint(hint.advice)

    def changed(self) -> str | None:
        """The message that the window is gone or back, once."""
        now = time.monotonic()
        if self._opening is not None:
            if not self._opening.done():
                return None
            screen, self._opening = self._opening.result(), None
            if screen is None:
                self._lost_at = now
                return None
            self._screen, self._lost_at, self._shown = screen, None, None
            return "watch-screen-back"
        if not self._screen.alive:
            self._screen.close()
            self._screen, self._lost_at = NoScreen(), now
            return "watch-screen-gone"
        if self._lost_at is not None and now - self._lost_at > REOPEN_SECONDS:
            self._opening = self._worker.submit(self._reopen)
        return None

    def show(self, picture: ByteArray | None, as_marked: bool, status: str, fresh: bool) -> None:
        """Shows what there is, if anything of it is new."""
        size = self._screen.size
        if size is None:
            return
        self._take_painted()
        keys = self._words.text("watch-keys-short" if self.view.large or size[0] < 1000 else "watch-keys")
        lines = self._lines()
        what = (id(self._marked), as_marked, status, lines, id(self._board), size, self.view.large)
        if not fresh and what == self._shown:
            return
        self._shown = what
        scene = Scene(picture, self._marked, as_marked, self._board, lines, self._words.text(status), keys)
        self._screen.show(self.view.compose(scene, size))

    def close(self) -> None:
        """Takes the window away."""
        self._worker.close()
        self._screen.close()

    def _lines(self) -> tuple[Line, ...]:
        lines: list[Line] = []
        for topic in TOPICS:
            said = self._said.get(topic)
            for number, text in enumerate(said.texts if said is not None else ()):
                alert = topic in ("warning", "game") and said is not None and said.alert
                lines.append(Line(text, number == 0 and topic in ("warning", "game", "hint"), alert))
        return tuple(lines)

    def _paint(self, advice: Advice | None) -> None:
        seen = self._seen
        if seen is not None and self._screen.size is not None:
            self._painting = self._worker.submit(lambda: self._painted(seen, advice))

    def _painted(self, seen: Seen, advice: Advice | None) -> Marked:
        """In the worker: the marks of a settled picture, drawn at the sizes that the window has now."""
        from kibitz.assistant.check import Checked, Judged
        from kibitz.assistant.picture_overlay import checked_drawing
        from kibitz.assistant.table import table_of

        table = table_of(seen.layout, self._rules)
        judged = Judged(table.position, (), (), advice)
        marked = Marked(
            seen.frame.picture, checked_drawing(self._words, Checked(seen.reading, seen.layout, table, judged))
        )
        self.view.prepare(marked)
        return marked

    def _take_painted(self) -> None:
        if self._painting is not None and self._painting.done():
            painting, self._painting = self._painting, None
            self._marked = painting.result()
