"""`kibitz bench watch`: how quick, how busy and how big the live loop is on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.assistant.commands_bench import bench
from kibitz.assistant.config import pixels
from kibitz.assistant.context import AsJson, Language, context, make_reader, note
from kibitz.assistant.report import dumps

__all__ = ["bench", "bench_watch"]


@bench.command("watch")
def bench_watch(
    images: Annotated[
        list[Path], typer.Argument(metavar="IMAGE...", help="Pictures of Klondike tables, shown in turn.")
    ],
    looks: Annotated[int, typer.Option("--looks", metavar="N", min=1, help="How many tables are shown.")] = 20,
    calm: Annotated[float, typer.Option("--calm", metavar="S", min=0, help="Seconds without any movement.")] = 20.0,
    hours: Annotated[
        float, typer.Option("--hours", metavar="H", min=0, help="Measure memory over so many hours, sped up.")
    ] = 0.0,
    window: Annotated[str, typer.Option("--window", metavar="WxH", help="Size of the window.")] = "1280x800",
    threads: Annotated[int, typer.Option("--threads", metavar="N", min=1, help="Cores for the networks.")] = 2,
    lang: Language = None,
    as_json: AsJson = False,
) -> None:
    """Watch staged tables: seconds to a hint, pictures a second, processor time at rest, memory over hours."""
    from kibitz.assistant.live.measuring import Staging, measure_live, measure_memory
    from kibitz.engine.search.warm import wait_for_kernels

    wait_for_kernels(note)
    base, reader = context(lang, None, None), make_reader(threads=threads)
    if hours:
        figures = measure_memory(base, reader, images, hours, lambda at, size: note(f"{at:.0f} min: {size:.0f} MB"))
    else:
        figures = measure_live(base, reader, images, Staging(looks, calm, pixels(window)))
    if as_json:
        values = {name: getattr(figures, name) for name in figures.__slots__}
        print(dumps({"schema": 1, **values, "median": figures.median, "p95": figures.slow, "rate": figures.rate}))
        return
    if hours:
        first, last = figures.memory[0], figures.memory[-1]
        print(f"{figures.looks} looks in {hours:g} hours: {first:.0f} MB after ten minutes, {last:.0f} MB at last")
        return
    print(f"{len(figures.hints)} of {figures.looks} tables got a hint")
    print(f"still table to hint as text: median {figures.median:.2f} s, 95 % within {figures.slow:.2f} s")
    print(
        f"window while busy: {figures.rate:.1f} pictures a second over {figures.busy:.1f} s, "
        f"longest gap {figures.gap:.2f} s"
    )
    if figures.calm is not None:
        print(f"nothing moves: {100 * figures.calm:.0f} % of one core over {calm:g} s")
