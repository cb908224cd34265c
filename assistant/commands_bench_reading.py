"""`kibitz bench` for the reading: speed, calibration, small indices, and tables that nobody photographed."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.assistant.commands_bench import bench
from kibitz.assistant.context import AsJson, Detector, Game, UsageError, Weights, make_reader, note
from kibitz.assistant.report import SCHEMA, dumps

if TYPE_CHECKING:
    from kibitz.models.speed import Look, Timing
    from kibitz.models.synth.shelf import DeckShelf

PhotoFolder = Annotated[
    Path, typer.Argument(metavar="FILES_DIR", help="Photos with truth files; the project does not contain them.")
]
Groups = Annotated[str, typer.Option("--groups", metavar="A,B", help="Only these sources.")]
Without = Annotated[str, typer.Option("--not", metavar="A,B", help="Without these sources.")]
Kept = Annotated[
    Path | None, typer.Option("--results", metavar="FILE", help="Readings are kept there; a new run goes on there.")
]
OutFile = Annotated[Path | None, typer.Option("--out", metavar="FILE.md", help="Write the table there too.")]
Cache = Annotated[
    Path | None, typer.Option("--cache", metavar="DIR", help="Decks gathered by kibitz.models.synth.gather.")
]
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


@bench.command("reliability")
def bench_reliability(
    files: PhotoFolder,
    groups: Groups = "",
    without: Without = "",
    results: Kept = None,
    out: OutFile = None,
    detector: Detector = "onnx",
    threads: Threads = 1,
) -> None:
    """Compare how sure the reader is with how often it is right, on real photos that are not trained on."""
    from kibitz.models.photos import load_photos
    from kibitz.models.reliability import answers, report

    photos = load_photos(files, _names(groups), _names(without))
    found = list(answers(photos, make_reader(detector, threads=threads), results))
    _publish("Reliability", report(found), out)


@bench.command("held-out")
def bench_held_out(
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many tables.")] = 1000,
    cache: Cache = None,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", metavar="DIR", help="The pictures are kept there.")
    ] = None,
    render_only: Annotated[bool, typer.Option("--render-only", help="Make the pictures and read none.")] = False,
    results: Kept = None,
    out: OutFile = None,
    threads: Threads = 1,
) -> None:
    """Render tables of all six patiences with decks kept out of training, and read them."""
    from kibitz.models.held_out import asked, measure, report, table_names

    shelf, names = _shelf(cache), table_names(count)
    if render_only:
        for name in names:
            asked(name, shelf, pictures)
            note(name)
        return
    found = []
    for name, one in measure(names, make_reader(threads=threads), shelf, (results, pictures)):
        found.append((name, one))
        note(f"{name}: found {one.found} of {one.wanted}, wrong {one.wrong}, unsure {one.unsure}")
    _publish("Rendered tables of decks kept out of training", report(found), out)


def _shelf(cache: Path | None) -> DeckShelf:
    from kibitz.models.synth.decks import default_cache
    from kibitz.models.synth.shelf import DeckShelf

    return DeckShelf(cache or default_cache(), keep=8)


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(",")))


def _publish(title: str, lines: Iterable[str], out: Path | None) -> None:
    """Prints a report, and writes it where it is wanted."""
    text = f"## {title}\n\n" + "\n".join(lines) + "\n"
    print(text, end="", flush=True)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")


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
