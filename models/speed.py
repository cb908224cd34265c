"""How long reading takes, stage by stage, beside plain object detectors at the same size in the same run.

Everything is measured in turn, round after round, so that whatever else the machine does meets all alike; figures are
medians. What counts is the ratio of two columns of one run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from kibitz.engine.table_plan import TablePlan
from kibitz.vision import detectors, layout
from kibitz.vision.detectors import DetectorOptions
from kibitz.vision.picture import decode_picture, read_picture
from kibitz.vision.pipeline import Reader
from kibitz.vision.session import Network, round_up, to_input
from kibitz.vision.types import ByteArray, FloatArray, Frame, ModelPaths

SIZES = ((1280, 720), (1920, 1080), (4000, 3000))
STAGES = {
    "outlines": "locate", "detect": "index", "classify": "classify", "group": "cards", "second look": "cards",
    "assign": "assignment", "judge": "judge",
}  # fmt: skip
"""Stage of a reading -> how the table calls it."""
ORDER = ("decode", "locate", "index", "classify", "cards", "assignment", "judge", "read", "strips", "layout", "all")
Look = Callable[[Frame], object]


@dataclass(frozen=True, slots=True)
class Timing:
    """One picture, one reader or detector: median milliseconds of its stages.

    Attributes:
        size: width and height of the picture.
        who: the backend, or the file of the plain detector.
        milliseconds: by stage; "read" is all from picture to cards, "all" the whole with decoding and layout.
        least: the shortest "read" (of a plain detector: the shortest look), milliseconds.
        cards: cards that were read, None for a plain detector.
        rounds: measurements that the medians are of.
    """

    size: tuple[int, int]
    who: str
    milliseconds: Mapping[str, float]
    least: float
    cards: int | None
    rounds: int


@dataclass(slots=True)
class _Clocks:
    stages: dict[str, list[float]] = field(default_factory=dict)
    cards: int | None = None

    def add(self, seconds: Mapping[str, float]) -> None:
        for stage, value in seconds.items():
            self.stages.setdefault(stage, []).append(value)

    def timing(self, size: tuple[int, int], who: str) -> Timing:
        medians = {stage: 1000 * statistics.median(values) for stage, values in self.stages.items()}
        ordered = {stage: round(medians[stage], 1) for stage in ORDER if stage in medians}
        least = round(1000 * min(self.stages["read"]), 1)
        return Timing(size, who, ordered, least, self.cards, len(self.stages["read"]))


def fitted(picture: ByteArray, size: tuple[int, int]) -> ByteArray:
    """The picture scaled to lie whole within a picture of that size; the rest is its own edge drawn out."""
    width, height = size
    scale = min(width / picture.shape[1], height / picture.shape[0])
    small = cv2.resize(
        picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    )
    small = small[:height, :width]
    down, right = height - small.shape[0], width - small.shape[1]
    whole = cv2.copyMakeBorder(small, down // 2, down - down // 2, right // 2, right - right // 2, cv2.BORDER_REPLICATE)
    return np.asarray(whole, np.uint8)


def measure(
    image: Path,
    sizes: Sequence[tuple[int, int]],
    readers: Mapping[str, tuple[Reader, TablePlan | None]],
    plain: Mapping[str, Look],
    rounds: int,
) -> Iterator[Timing]:
    """Median times of one picture at each size, all readers and plain detectors in turn.

    Args:
        image: a picture file.
        sizes: sizes to which it is brought; none = as it is.
        readers: by name; with a plan the layout is timed too.
        plain: functions that look at a frame, by name.
        rounds: measurements of each, after one that does not count.

    Raises:
        PictureError: the file is no picture.
    """
    original = read_picture(image).picture
    for size in sizes or [(original.shape[1], original.shape[0])]:
        data = cv2.imencode(".jpg", fitted(original, size), [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
        clocks = {name: _Clocks() for name in (*readers, *plain)}
        for number in range(rounds + 1):
            for name, (reader, plan) in readers.items():
                seconds, cards = _one_reading(data, reader, plan)
                if number:
                    clocks[name].add(seconds)
                    clocks[name].cards = cards
            frame = decode_picture(data)
            for name, look in plain.items():
                start = time.perf_counter()
                look(frame)
                if number:
                    clocks[name].add({"read": time.perf_counter() - start})
        yield from (clock.timing(size, name) for name, clock in clocks.items())


def _one_reading(data: bytes, reader: Reader, plan: TablePlan | None) -> tuple[dict[str, float], int]:
    start = time.perf_counter()
    frame = decode_picture(data)
    seconds = {"decode": time.perf_counter() - start}
    began = time.perf_counter()
    reading = reader.read(frame)
    seconds["read"] = time.perf_counter() - began
    for stage, value in reading.seconds.items():
        name = STAGES.get(stage, stage)
        seconds[name] = seconds.get(name, 0.0) + value
    if plan is not None:
        began, strips = time.perf_counter(), 0.0
        count = reader.look(frame)

        def look(areas: FloatArray) -> FloatArray:
            nonlocal strips
            at = time.perf_counter()
            found = count(areas) if count else np.zeros((0, 8), np.float32)
            strips += time.perf_counter() - at
            return found

        layout.fit(reading.cards, plan, frame, look if count else None)
        seconds["strips"], seconds["layout"] = strips, time.perf_counter() - began - strips
    seconds["all"] = time.perf_counter() - start
    return seconds, len(reading.cards)


def plain_detector(path: Path, threads: int) -> Look:
    """A plain detector for comparison: an .onnx file run as it is, or a .pt run by ultralytics.

    The picture is given at its own size, sides rounded up to multiples of 32. Of an .onnx file the network alone is
    timed, with what makes its input; ultralytics (on as many threads as torch takes) suppresses doubles too.

    Raises:
        DetectorError: the file is missing or no network, or ultralytics is not installed.
    """
    if path.suffix == ".onnx":
        network = Network(path, threads)
        return lambda frame: network.run(_whole(frame))
    return detectors.load(ModelPaths(path, path, detector="ultralytics"), DetectorOptions(threads)).detect


def _whole(frame: Frame) -> FloatArray:
    height, width = frame.picture.shape[:2]
    return to_input(frame.picture, (round_up(height), round_up(width)))


def table(timings: Sequence[Timing]) -> Iterator[str]:
    """A table in Markdown: a row for each size and reader, a column for each stage."""
    stages = [stage for stage in ORDER if any(stage in timing.milliseconds for timing in timings)]
    yield "| size | who | cards | " + " | ".join(stages) + " | least read |"
    yield "| --- | --- | --- |" + " ---: |" * (len(stages) + 1)
    for timing in timings:
        cells = [f"{timing.milliseconds[s]:.1f}" if s in timing.milliseconds else "" for s in stages]
        cards = "" if timing.cards is None else str(timing.cards)
        yield (
            f"| {timing.size[0]}x{timing.size[1]} | {timing.who} | {cards} | "
            + " | ".join(cells)
            + f" | {timing.least:.1f} |"
        )
