"""The loop of `kibitz watch`: frames, keys and typed words in; picture, text and voice out. It never waits for any."""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from functools import partial
from typing import TYPE_CHECKING, Any

from kibitz.assistant.live.coach import Hint
from kibitz.assistant.live.commands import Command, Wish
from kibitz.assistant.live.jobs import NoFrames
from kibitz.assistant.live.onlooker import Seen
from kibitz.assistant.live.parts import Looked, Parts
from kibitz.assistant.live.stillness import Glance, State
from kibitz.assistant.live.talker import FASTER, LOUDER
from kibitz.engine.errors import KibitzError
from kibitz.vision.camera import SourceEvent

if TYPE_CHECKING:
    from kibitz.assistant.live.follows import Outcome
    from kibitz.assistant.live.jobs import Frames
    from kibitz.engine.moves import Move
    from kibitz.vision.types import ByteArray

FRAME_SECONDS, KEY_MILLISECONDS = 0.05, 1
BUSY_RATE, CALM_RATE = 15.0, 6.0
"""Pictures a second while something goes on, and while nothing does."""
CALM_SECONDS, CALM_SHOW_SECONDS = 2.0, 0.5
SETUP_SECONDS = 2.0
"""So often the first look is repeated while the picture is not good enough."""
LAST_SECONDS = 20.0
"""So long the last look and hint of a film may take."""
EVENTS = {
    SourceEvent.LOST: "watch-lost-camera",
    SourceEvent.BACK: "watch-back-camera",
    SourceEvent.SKIPPED: "watch-skipped",
}


class Watch:
    """Watches one game."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._picture: ByteArray | None = None
        self._glance = Glance(State.NOTHING)
        self._job: Future[Looked] | None = None
        self._ahead: tuple[int, Future[Seen]] | None = None
        self._orders: deque[tuple[Command, Future[Outcome]]] = deque()
        self._moved_at, self._shown_at = 0.0, 0.0
        self.looks = 0
        obey = parts.talker
        self._simple: dict[Wish, Callable[[], object]] = {
            Wish.REPEAT: obey.repeat,
            Wish.SLOWER: lambda: obey.faster(1 / FASTER),
            Wish.FASTER: lambda: obey.faster(FASTER),
            Wish.QUIETER: lambda: obey.louder(-LOUDER),
            Wish.LOUDER: lambda: obey.louder(LOUDER),
            Wish.VOICE: obey.toggle_voice,
            Wish.HELP: lambda: obey.remark("watch-help"),
            Wish.LARGE: parts.display.toggle_large,
            Wish.FULL: parts.display.toggle_full,
            Wish.TABLE: parts.game.tell_table,
            Wish.ALWAYS: lambda: self._switch("always", parts.coach.toggle_always()),
            Wish.WARN: lambda: self._switch("warn", parts.coach.toggle_warn()),
        }

    def run(self, frames: Frames) -> None:
        """Goes on until the player stops or the film ends; its last table is still looked at."""
        try:
            while self.tick(frames):
                continue
            if frames.ended:
                self._finish(frames.now())
        finally:
            self.close()

    def close(self) -> None:
        """Ends the threads and takes the window away."""
        self._parts.worker.close()
        self._parts.coach.close()
        self._parts.display.close()

    @property
    def busy(self) -> bool:
        """Whether it is reading or thinking."""
        reading = self._job is not None or (self._ahead is not None and not self._ahead[1].done())
        return reading or self._parts.coach.is_thinking

    def tick(self, frames: Frames) -> bool:
        """One round; False when it is over."""
        picture = frames.get(FRAME_SECONDS)
        now = frames.now()
        stillness = self._parts.onlooker.stillness
        self._picture = picture if picture is not None else self._picture
        self._glance = stillness.see(picture, now) if picture is not None else stillness.glance(now)
        if self._glance.state in (State.MOVING, State.CHANGED):
            self._moved_at = now
        self._hear_events()
        for command in self._commands():
            if command.wish is Wish.QUIT:
                return False
            self._obey(command, now)
        self._take_results(frames, now)
        if self._glance.state is State.CHANGED:
            self._start(now)
        elif self._parts.ahead:
            self._read_ahead(now)
        self._coach(now)
        calm = self._job is None and now - self._moved_at > CALM_SECONDS and not self._parts.coach.is_thinking
        frames.pace(CALM_RATE if calm else BUSY_RATE)
        # A table that lies still looks the same in every picture, so few of them need to be shown.
        fresh = picture is not None and (not calm or now - self._shown_at >= CALM_SHOW_SECONDS)
        self._shown_at = now if fresh else self._shown_at
        self._show(now, fresh)
        return not (frames.ended and picture is None)

    def _commands(self) -> list[Command]:
        """What the player wants now."""
        found = []
        if (command := self._parts.vocabulary.of_key(self._parts.display.key(KEY_MILLISECONDS))) is not None:
            found.append(command)
        while self._parts.typed is not None and (line := self._parts.typed.get()) is not None:
            found.append(self._parts.vocabulary.of_line(line))
        return found

    def _obey(self, command: Command, now: float) -> None:
        parts, wish = self._parts, command.wish
        if wish in self._simple:
            self._simple[wish]()
        elif wish is Wish.HINT:
            self._hint(parts.coach.ask(now))
        elif wish is Wish.LOOK:
            self._start(now)
        elif wish is Wish.UNKNOWN:
            parts.talker.remark("watch-not-known", text=command.text)
        elif (order := parts.game.order(command)) is not None:
            self._orders.append((command, parts.worker.submit(order)))

    def _switch(self, name: str, on: bool) -> None:
        self._parts.talker.remark(f"watch-{name}-{'on' if on else 'off'}")

    def _start(self, now: float) -> None:
        """Reads the table as it is now, unless it is being read."""
        if self._job is not None or self._picture is None:
            return
        picture, glance, onlooker = self._picture, self._glance, self._parts.onlooker
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead[0] == onlooker.stillness.period and glance.state is State.CHANGED:
            reading = ahead[1].result  # it is before this job in the worker's queue
        else:
            reading = partial(onlooker.read, picture)
        onlooker.stillness.looked()
        self._job = self._parts.worker.submit(lambda: self._work(reading, glance, now))

    def _read_ahead(self, now: float) -> None:
        """Reads a table that has just become still; if it stays so, the reading counts."""
        stillness, picture = self._parts.onlooker.stillness, self._picture
        fresh = self._ahead is None or (self._ahead[0] != stillness.period and self._ahead[1].done())
        if picture is not None and self._job is None and fresh and stillness.early(now):
            self._ahead = stillness.period, self._parts.worker.submit(partial(self._parts.onlooker.read, picture))

    def _work(self, reading: Callable[[], Seen], glance: Glance, now: float) -> Looked:
        """In the worker: reads and follows."""
        onlooker = self._parts.onlooker
        seen = reading()
        complaints, blocking = self._parts.game.setup(seen)
        if blocking:
            return Looked(seen, None, complaints)
        return Looked(seen, onlooker.follow(seen, glance, now), complaints)

    def _take_results(self, frames: Frames, now: float) -> None:
        if self._job is not None and self._job.done():
            job, self._job = self._job, None
            try:
                self._looked(job.result(), frames, now)
            except Exception as error:  # a game must not end because one look went wrong
                self._failed(error)
        while self._orders and self._orders[0][1].done():
            command, order = self._orders.popleft()
            try:
                self._parts.game.ordered(command, order.result())
                self._believe((), now)
            except Exception as error:
                self._failed(error)

    def _failed(self, error: Exception) -> None:
        """Tells that something went wrong; what is no error of ours is written down for a report."""
        self._parts.talker.remark("watch-failed", why=str(error) or type(error).__name__)
        if not isinstance(error, KibitzError):
            traceback.print_exception(error)

    def _looked(self, looked: Looked, frames: Frames, now: float) -> None:
        """A look is done: tells what it means, and thinks on."""
        self.looks += 1
        game = self._parts.game
        self._parts.display.looked(looked.seen)
        if looked.look is None:
            game.complain(looked.complaints)
            self._parts.onlooker.stillness.look_again(now + SETUP_SECONDS)
            return
        if game.take(looked.look, looked.complaints):
            frames.lock()
        self._believe(looked.look.outcome.moves if looked.look.outcome.kind == "followed" else (), now)

    def _believe(self, moves: Sequence[Move], now: float) -> None:
        """Hands the table to the coach, or keeps him silent while table and game differ."""
        game, coach = self._parts.game, self._parts.coach
        self._parts.display.believe(game.position, game.wrong)
        if game.position is None:
            return
        if game.held:
            coach.hold()
            return
        warning = coach.played(moves, game.position, game.belief, now)
        if warning is not None:
            self._hint(warning)

    def _coach(self, now: float) -> None:
        try:
            hint = self._parts.coach.tick(now)
        except Exception as error:  # of the adviser's thread
            self._failed(error)
            return
        if hint is not None:
            self._hint(hint)

    def _hint(self, hint: Hint) -> None:
        """Says a hint and draws it."""
        self._parts.talker.say(hint.texts, hint.kind, alert=hint.kind != "note")
        self._parts.display.hint(hint)
        self._parts.game.hinted(hint)

    def _hear_events(self) -> None:
        """What happened to the camera and to the window."""
        parts = self._parts
        while not parts.events.empty():
            event, name = parts.events.get()
            if event in EVENTS:
                parts.talker.remark(EVENTS[event], source=name)
        if (message := parts.display.changed()) is not None:
            parts.talker.remark(message)

    def _show(self, now: float, fresh: bool) -> None:
        coach = self._parts.coach
        if self._picture is None:
            status = "watch-starting"
        elif self._job is not None:
            status = "watch-reading"
        elif self._glance.state in (State.MOVING, State.HAND):
            status = f"watch-{self._glance.state}"
        elif self._parts.game.held:
            status = "watch-held"
        else:
            known = "watch-still" if self._parts.game.started else "watch-waiting"
            status = "watch-thinking" if coach.is_thinking else "watch-ready" if coach.is_ready else known
        still = self._glance.state is State.STILL or (self._glance.state is State.CHANGED and self._job is not None)
        self._parts.display.show(self._picture, still and self._job is None, status, fresh)

    def _finish(self, now: float) -> None:
        """The film has ended: the table it ended on is still read and advised."""
        if self._job is None and self._picture is not None and self._glance.state is not State.STILL:
            self._start(now)
        waiting: list[Future[Any]] = [order for _, order in self._orders]
        waiting += [self._job] if self._job is not None else []
        wait(waiting, LAST_SECONDS)
        self._take_results(NoFrames(), now)
        self._parts.coach.finish(LAST_SECONDS)
        self._coach(now)
        self._show(now, True)
