"""How quick, how busy and how big `kibitz watch` is on this machine: the figures of `kibitz bench watch`."""

from __future__ import annotations

import os
import queue
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.assistant.live import building
from kibitz.assistant.live.afresh import Afresh
from kibitz.assistant.live.journal import NoJournal
from kibitz.assistant.live.staging import StagedCamera
from kibitz.assistant.voice import CaptionSpeaker
from kibitz.assistant.window import USUAL, NoScreen, Window, open_screen
from kibitz.engine.search import Advice, Limit, advise, forget_plans

if TYPE_CHECKING:
    from kibitz.assistant.context import Context
    from kibitz.assistant.live.loop import Watch
    from kibitz.engine.belief import Belief
    from kibitz.engine.position import Position
    from kibitz.vision.pipeline import Reader


TICK_SECONDS = 0.2
"""Between two frames of the clock that runs ahead: an arm that comes and goes is seen four times."""


@dataclass(slots=True)
class Figures:
    """What was measured.

    Attributes:
        hints: seconds from the first frame of a still table to its hint as text, stillness included.
        looks: tables that were shown.
        frames: pictures on the screen while it was reading or thinking.
        busy: seconds of that.
        gap: the longest time without a new picture meanwhile.
        calm: share of one core while nothing moves.
        memory: megabytes after each simulated ten minutes.
    """

    hints: list[float] = field(default_factory=list)
    looks: int = 0
    frames: int = 0
    busy: float = 0.0
    gap: float = 0.0
    calm: float | None = None
    memory: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Median of the hints, seconds; 0 without any."""
        return statistics.median(self.hints) if self.hints else 0.0

    @property
    def slow(self) -> float:
        """95th percentile of the hints, seconds."""
        ranked = sorted(self.hints)
        return ranked[min(len(ranked) - 1, round(0.95 * len(ranked)))] if ranked else 0.0

    @property
    def rate(self) -> float:
        """Pictures a second on the screen while it was busy."""
        return self.frames / self.busy if self.busy else 0.0


@dataclass(frozen=True, slots=True)
class Staging:
    """What is shown, and how.

    Attributes:
        looks: so many tables.
        calm_seconds: how long the last table is watched while nothing moves.
        window: width and height of the window.
    """

    looks: int = 20
    calm_seconds: float = 20.0
    window: tuple[int, int] = USUAL


def measure_live(base: Context, reader: Reader, pictures: Sequence[Path], staging: Staging) -> Figures:
    """Watches staged tables in real time, in a window if there is a screen.

    Args:
        base: settings and language.
        reader: reads the cards.
        pictures: tables, shown in turn.
        staging: how many, how long, how large.
    """
    looks, calm_seconds = staging.looks, staging.calm_seconds
    figures, told = Figures(looks=looks), []

    def tell(text: str) -> None:
        told.append(time.monotonic())

    window = open_screen("Kibitz", staging.window)
    camera = StagedCamera(pictures, looks)
    outlets = building.Outlets(CaptionSpeaker(lambda text: None), window or NoScreen(), tell)
    rules = base.rules(None)
    table = building.Table(rules, reader, Afresh(rules), NoJournal(), think=think_anew)
    watch = building.build(base, table, outlets, queue.SimpleQueue())
    try:
        _run_busy(watch, camera, window, figures)
        for number, settled in camera.settled.items():
            end = camera.settled.get(number + 1, float("inf"))
            answers = [moment for moment in told if settled <= moment < end]
            if answers:
                figures.hints.append(answers[-1] - settled)
        if calm_seconds:
            figures.calm = _calm(watch, camera, window, calm_seconds)
    finally:
        watch.close()
    return figures


def _run_busy(watch: Watch, camera: StagedCamera, window: Window | None, figures: Figures) -> None:
    last_shown, last_new = 0, time.monotonic()
    while not camera.over:
        start = time.monotonic()
        busy = watch.busy
        watch.tick(camera)
        now, shown = time.monotonic(), window.shown if window is not None else 0
        if shown != last_shown:
            last_new = now
        if busy:
            figures.frames += shown - last_shown
            figures.busy += now - start
            figures.gap = max(figures.gap, now - last_new)
        last_shown = shown


def _calm(watch: Watch, camera: StagedCamera, window: Window | None, seconds: float) -> float:
    """Share of one core that the loop and its window take while nothing moves."""
    end = time.monotonic() + 3.0
    while time.monotonic() < end:
        watch.tick(camera)
    start, used = time.monotonic(), _processor_seconds(window)
    while time.monotonic() < start + seconds:
        watch.tick(camera)
    return (_processor_seconds(window) - used) / (time.monotonic() - start)


def _processor_seconds(window: Window | None) -> float:
    """Of this process and, where the system tells, of the window's."""
    seconds = time.process_time()
    if window is None or not sys.platform.startswith("linux"):
        return seconds
    fields = Path(f"/proc/{window.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return seconds + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_memory(
    base: Context, reader: Reader, pictures: Sequence[Path], hours: float, told: Callable[[float, float], None]
) -> Figures:
    """Watches staged tables by a clock that runs ahead, and notes the memory every ten of its minutes.

    Args:
        base: settings and language.
        reader: reads the cards.
        pictures: tables, shown in turn; one for every 24 seconds.
        hours: by the clock that runs ahead.
        told: is told the minutes and the megabytes.
    """
    clock = _AheadClock()
    looks = round(hours * 3600 / 24)
    camera = StagedCamera(pictures, looks, clock, still_seconds=23.2)
    outlets = building.Outlets(CaptionSpeaker(lambda text: None), NoScreen(size=(1280, 800)), lambda text: None)
    rules, figures = base.rules(None), Figures(looks=looks)
    table = building.Table(rules, reader, Afresh(rules), NoJournal(), think=think_anew)
    watch = building.build(base, table, outlets, queue.SimpleQueue(), fast=True)
    minutes = 0
    while not camera.over:
        watch.tick(camera)
        clock.now += TICK_SECONDS
        if clock.now >= 60 * (minutes + 10):
            minutes += 10
            figures.memory.append(_megabytes())
            told(minutes, figures.memory[-1])
    watch.close()
    return figures


def think_anew(position: Position, belief: Belief | None, limit: Limit) -> Advice:
    """Advice without the plans of earlier advice: the same tables come again, and a player may do as he likes."""
    forget_plans()
    return advise(position, belief, limit)


class _AheadClock:
    """Seconds that pass when the program says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _megabytes() -> float:
    """Memory of this process."""
    if sys.platform.startswith("linux"):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
