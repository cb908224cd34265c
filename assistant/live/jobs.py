"""Where the work is done: in threads beside the window, or at once, for films that run as fast as possible."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol, TypeVar

from kibitz.assistant.live.thinker import Think, Thought
from kibitz.engine.search.values import Limit

if TYPE_CHECKING:
    from kibitz.engine.belief import Belief
    from kibitz.engine.position import Position
    from kibitz.vision.camera import NewestFrame, Source
    from kibitz.vision.types import ByteArray

T = TypeVar("T")


class Worker(Protocol):
    """Does one thing after the other."""

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Puts work into the queue."""

    def close(self) -> None:
        """Waits for what is being done; the rest is dropped."""


class BesideWorker:
    """Works in a thread of its own."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)

    def submit(self, work: Callable[[], T]) -> Future[T]:
        return self._pool.submit(work)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


class AtOnceWorker:
    """Works while the caller waits."""

    def submit(self, work: Callable[[], T]) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(work())
        except Exception as error:  # it is the caller's, who asks for the result
            done.set_exception(error)
        return done

    def close(self) -> None:
        return None


class AtOnceThinker:
    """Thinks while the caller waits; otherwise like `Thinker`."""

    def __init__(self, think: Think, seconds: float) -> None:
        self._think, self._seconds = think, seconds
        self.thought: Thought | None = None

    def consider(self, position: Position, belief: Belief | None = None) -> None:
        start = time.perf_counter()
        advice = self._think(position, belief, Limit(seconds=self._seconds))
        self.thought = Thought(position, advice, time.perf_counter() - start)

    def forget(self) -> None:
        self.thought = None

    def wait(self, seconds: float) -> Thought | None:
        return self.thought

    def close(self) -> None:
        return None


class Frames(Protocol):
    """Pictures with their time."""

    @property
    def ended(self) -> bool:
        """Whether no more come."""

    def get(self, seconds: float) -> ByteArray | None:
        """The next picture to look at, or None if there is none in that time."""

    def now(self) -> float:
        """The time by which stillness is measured."""

    def lock(self) -> None:
        """Exposure and white balance stay as they are."""

    def pace(self, rate: float) -> None:
        """So many pictures a second are enough now."""

    def close(self) -> None:
        """Frees the camera."""


class NewestFrames:
    """The newest picture of a camera; what came while nobody looked is left out."""

    def __init__(self, frames: NewestFrame) -> None:
        self._frames = frames

    @property
    def ended(self) -> bool:
        return self._frames.ended

    def get(self, seconds: float) -> ByteArray | None:
        return self._frames.get(seconds)

    def now(self) -> float:
        return time.monotonic()

    def lock(self) -> None:
        self._frames.lock()

    def pace(self, rate: float) -> None:
        self._frames.pace(rate)

    def close(self) -> None:
        self._frames.close()


class EveryFrame:
    """Every picture of a film or folder, by the film's own clock, as fast as they are taken."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._shots: Iterator[tuple[ByteArray, float]] = ((shot.picture, shot.seconds) for shot in source)
        self._now = 0.0
        self.ended = False

    def get(self, seconds: float) -> ByteArray | None:
        picture, self._now = next(self._shots, (None, self._now))
        self.ended = picture is None
        return picture

    def now(self) -> float:
        return self._now

    def lock(self) -> None:
        return None

    def pace(self, rate: float) -> None:
        return None

    def close(self) -> None:
        self._source.close()


class NoFrames:
    """After the end nothing can be asked of a camera."""

    ended = True

    def get(self, seconds: float) -> None:
        return None

    def now(self) -> float:
        return 0.0

    def lock(self) -> None:
        return None

    def pace(self, rate: float) -> None:
        return None

    def close(self) -> None:
        return None
