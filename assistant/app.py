"""`kibitz watch`: looks at the table when it is still and has changed, draws, speaks, and waits for the next change."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from kibitz.assistant.live.stillness import Stillness
from kibitz.assistant.overlay import Drawing, draw
from kibitz.assistant.picture_overlay import checked_drawing
from kibitz.assistant.speech import Line, sentences
from kibitz.assistant.voice import Speaker, Utterance
from kibitz.assistant.window import ESCAPE, Picture, Screen
from kibitz.engine.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.assistant.check import Checked
    from kibitz.assistant.words import Words
    from kibitz.vision.types import Frame

TICK_MILLISECONDS = 15
FRAME_SECONDS = 0.05
MUTED_BY = "s"
QUIT = ("q", ESCAPE)
LOOK = " "


class Frames(Protocol):
    """A camera: `kibitz.vision.camera.NewestFrame` is the real one."""

    @property
    def ended(self) -> bool:
        """Whether no more frames come."""

    def get(self, seconds: float) -> Picture | None:
        """The newest frame that was not taken yet."""


@dataclass(frozen=True, slots=True)
class Outlets:
    """Where the watcher's results go.

    Attributes:
        screen: shows the picture.
        speaker: says the advice.
        tell: takes each sentence as text.
        keep: takes each look with its picture, for a log.
    """

    screen: Screen
    speaker: Speaker
    tell: Callable[[str], None]
    keep: Callable[[Frame, Checked], None] = field(default=lambda frame, checked: None)


class Watcher:
    """The loop of the window. Reading runs in a thread, so that the window stays alive."""

    def __init__(
        self,
        words: Words,
        look: Callable[[Frame], Checked],
        outlets: Outlets,
        stillness: Stillness,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepares the loop.

        Args:
            words: the language.
            look: reads a frame and advises.
            outlets: where the results go.
            stillness: decides when to look.
            clock: seconds, steady.
        """
        self._words, self._look, self._outlets = words, look, outlets
        self._stillness, self._clock = stillness, clock
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="kibitz-look")
        self._job: Future[tuple[Frame, Checked]] | None = None
        self._last: tuple[Frame, Checked] | None = None
        self._picture: Picture | None = None
        self._annotated: Picture | None = None
        self._said: tuple[str, ...] = ()
        self._muted = False
        self.looks = 0

    def run(self, frames: Frames) -> None:
        """Goes on until the window is closed, Q is pressed or the source ends (the last table is still looked at)."""
        try:
            while self._step(frames):
                continue
            self._finish()
        finally:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def _step(self, frames: Frames) -> bool:
        picture = frames.get(FRAME_SECONDS)
        now = self._clock()
        if picture is not None:
            self._picture = picture
            self._stillness.see(picture, now)
        key = self._outlets.screen.key(TICK_MILLISECONDS)
        if key in QUIT:
            return False
        if key == MUTED_BY:
            self._toggle_voice()
        self._take_result()
        wanted = key == LOOK or self._stillness.should_look(now)
        if wanted and self._job is None and self._picture is not None:
            self._start(self._picture)
        self._show(now)
        return not (frames.ended and picture is None)

    def _start(self, picture: Picture) -> None:
        self._stillness.looked()
        self._job = self._pool.submit(self._work, picture.copy())

    def _work(self, picture: Picture) -> tuple[Frame, Checked]:
        from kibitz.vision.picture import frame_of

        frame = frame_of(picture)
        return frame, self._look(frame)

    def _take_result(self) -> None:
        if self._job is None or not self._job.done():
            return
        job, self._job = self._job, None
        try:
            frame, checked = job.result()
        except KibitzError as error:
            self._outlets.tell(f"kibitz: {error}")
            return
        self.looks += 1
        self._last = frame, checked
        self._annotated = draw(frame.picture, checked_drawing(self._words, checked))
        self._outlets.keep(frame, checked)
        self._say(sentences(self._words, checked.judged))

    def _say(self, texts: tuple[str, ...]) -> None:
        """Says what is new; the same advice is not repeated."""
        if texts == self._said:
            return
        self._said = texts
        for text in texts:
            self._outlets.tell(text)
        if not self._muted:
            self._outlets.speaker.say(Utterance(" ".join(texts), self._words.language, interrupt=True))

    def _toggle_voice(self) -> None:
        self._muted = not self._muted
        self._outlets.tell(self._words.text("watch-voice-off" if self._muted else "watch-voice-on"))

    def _show(self, now: float) -> None:
        """The marked picture while the table is as it was read, else the live picture with a note."""
        if self._picture is None:
            return
        still = self._stillness.is_still(now)
        if self._annotated is not None and still and self._job is None and not self._stillness.should_look(now):
            self._outlets.screen.show(self._annotated)
            return
        state = "watch-reading" if self._job is not None else "watch-waiting" if still else "watch-moving"
        lines = (Line(self._words.text(state), headline=True), Line(self._words.text("watch-keys")))
        self._outlets.screen.show(draw(self._picture, Drawing(lines=lines)))

    def _finish(self) -> None:
        """Waits for the look that is under way and, after a file that ended on a still table, looks once more."""
        if self._job is None and self.looks == 0 and self._picture is not None:
            self._start(self._picture)
        if self._job is not None:
            _wait(self._job)
            self._take_result()
        self._show(self._clock())
        self._outlets.screen.key(TICK_MILLISECONDS)


def _wait(job: Future[Any]) -> None:
    from concurrent.futures import wait

    wait([job])
