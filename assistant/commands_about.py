"""`kibitz doctor`, `kibitz demo` and `kibitz bench`: what works here, a look at it, and figures."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.assistant.context import (
    AsJson,
    ConfigFile,
    Detector,
    Language,
    RuleOptions,
    UsageError,
    Weights,
    context,
    make_reader,
    note,
)
from kibitz.assistant.report import dumps
from kibitz.engine.errors import KibitzError

bench = typer.Typer(name="bench", help="Measure on this machine.", no_args_is_help=True)


def doctor(
    only: Annotated[str | None, typer.Option("--only", metavar="NAME", help="Look at one thing, e.g. camera.")] = None,
    as_json: AsJson = False,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Check camera, voice, screen and models."""
    from kibitz.assistant.doctor import DoctorError, camera, examine

    settings = context(lang, option, config).settings
    if only == "camera":
        try:
            print(camera(settings.camera))
        except KibitzError as error:
            raise DoctorError(str(error)) from error
        return
    if only is not None:
        raise UsageError(f"expected --only camera, got '{only}'")
    bad = 0
    for check in examine(settings):
        bad += not check.good
        if as_json:
            print(dumps({"schema": 1, "check": check.name, "good": check.good, "text": check.text}), flush=True)
        else:
            print(f"{'ok ' if check.good else 'NO '} {check.name:9} {check.text}", flush=True)
    raise typer.Exit(1 if bad else 0)


def demo(
    speak: Annotated[bool, typer.Option("--speak", help="Say the advice aloud.")] = False,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Show what Kibitz does, without a camera: the first moves of a Klondike as it would say them."""
    from kibitz.assistant.demo import show

    show(context(lang, option, config), speak)


@bench.command("read")
def bench_read(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Picture files.")],
    repeat: Annotated[int, typer.Option("--repeat", metavar="N", min=1, max=1000, help="Readings a picture.")] = 5,
    as_json: AsJson = False,
    detector: Detector = "onnx",
    weights: Weights = None,
) -> None:
    """Time the reading of pictures, stage by stage: medians in milliseconds."""
    import time

    from kibitz.vision.picture import read_picture

    start = time.perf_counter()
    reader = make_reader(detector, weights)
    note(f"networks loaded in {1000 * (time.perf_counter() - start):.0f} ms")
    for image in images:
        frame = read_picture(image)
        reader.read(frame)
        stages: dict[str, list[float]] = {}
        for _ in range(repeat):
            start = time.perf_counter()
            reading = reader.read(frame)
            stages.setdefault("all", []).append(time.perf_counter() - start)
            for stage, seconds in reading.seconds.items():
                stages.setdefault(stage, []).append(seconds)
        medians = {stage: round(1000 * statistics.median(values), 1) for stage, values in stages.items()}
        found: dict[str, Any] = {"schema": 1, "image": str(image), "size": list(frame.size)}
        if as_json:
            print(dumps({**found, "cards": len(reading.cards), "repeat": repeat, "milliseconds": medians}))
        else:
            parts = "  ".join(f"{stage} {value:.1f}" for stage, value in medians.items())
            print(f"{image.name}  {frame.size[0]}x{frame.size[1]}  {len(reading.cards)} cards  {parts}", flush=True)
