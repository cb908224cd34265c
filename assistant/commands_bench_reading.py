"""`kibitz bench` for the reading: speed, calibration, small indices, and tables that nobody photographed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.assistant.commands_bench import bench
from kibitz.assistant.context import AsJson, Game, UsageError, Weights, make_reader, note
from kibitz.assistant.report import SCHEMA, dumps

if TYPE_CHECKING:
    from kibitz.models.speed import Look, Timing

Threads = Annotated[int, typer.Option("--threads", metavar="N", min=1, max=64, help="Cores that a network may use.")]


@bench.command("read")
def bench_read(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Picture files.")],
    repeat: Annotated[int, typer.Option("--repeat", metavar="N", min=1, max=1000, help="Readings a picture.")] = 5,
    sizes: Annotated[
        str | None, typer.Option("--sizes", metavar="LIST", help="1280x720,1920x1080,4000x3000; as it is without.")
    ] = None,
    game: Game = None,
    detector: Annotated[
        list[str] | None, typer.Option("--detector", metavar="NAME", help="Backends: onnx, openvino, ultralytics.")
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="FILE", help="A plain detector beside it: .onnx, or .pt (ultralytics)."),
    ] = None,
    threads: Threads = 2,
    as_json: AsJson = False,
    weights: Weights = None,
) -> None:
    """Time the reading stage by stage beside plain detectors, all in turn: medians in milliseconds."""
    from kibitz.engine.registry import get_rules
    from kibitz.models.speed import measure, plain_detector, table

    wanted = [_size(text) for text in sizes.split(",")] if sizes else []
    plan = get_rules(game).plan() if game else None
    start = time.perf_counter()
    readers = {name: (make_reader(name, weights, threads=threads), plan) for name in detector or ["onnx"]}
    note(f"networks loaded in {1000 * (time.perf_counter() - start):.0f} ms")
    plain: dict[str, Look] = {path.name: plain_detector(path, threads) for path in against or []}
    for image in images:
        found = list(_told(measure(image, wanted, readers, plain, repeat), as_json, image))
        if not as_json:
            print(f"{image.name}: medians of {repeat} rounds, {threads} threads, milliseconds\n")
            print("\n".join(table(found)) + "\n", flush=True)


def _told(timings: Any, as_json: bool, image: Path) -> Any:
    for timing in timings:
        if as_json:
            print(dumps(_timing_object(image, timing)), flush=True)
        yield timing


def _timing_object(image: Path, timing: Timing) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "image": str(image),
        "size": list(timing.size),
        "who": timing.who,
        "cards": timing.cards,
        "repeat": timing.rounds,
        "milliseconds": dict(timing.milliseconds),
        "least": timing.least,
    }


def _size(text: str) -> tuple[int, int]:
    width, sign, height = text.strip().lower().partition("x")
    if not sign or not width.isdecimal() or not height.isdecimal() or min(int(width), int(height)) < 64:
        raise UsageError(f"expected sizes such as 1920x1080, of 64 pixels at least, got '{text}'")
    return int(width), int(height)
