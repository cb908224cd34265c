"""`kibitz watch`: the table through a camera, live."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.assistant.context import (
    ConfigFile,
    Context,
    Detector,
    Game,
    Language,
    RuleOptions,
    Weights,
    context,
    make_reader,
    note,
)
from kibitz.engine.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.assistant.voice import Speaker
    from kibitz.assistant.window import Screen
    from kibitz.vision.camera import NewestFrame


def watch(
    game: Game = None,
    camera: Annotated[
        str | None, typer.Option("--camera", metavar="0|URL|FILE", help="Camera number, address or video file.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the table of the last session.")] = False,
    record: Annotated[Path | None, typer.Option("--record", metavar="DIR", help="Keep every look there.")] = None,
    speak: Annotated[bool | None, typer.Option("--speak/--silent", help="Say the advice aloud.")] = None,
    detector: Detector = "onnx",
    weights: Weights = None,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Watch the table through a camera and say the best next move."""
    from kibitz.assistant.app import Outlets, Watcher
    from kibitz.assistant.check import Checker
    from kibitz.assistant.live.stillness import Stillness
    from kibitz.assistant.session import Recorder, last_table

    base = context(lang, option, config)
    settings, words, rules = base.settings, base.words, base.rules(game)
    source = camera if camera is not None else settings.camera
    if resume and (table := last_table(rules.name)) is not None:
        note(words.text("play-resumed"))
        note(table.multiline())
    recorder = Recorder(record, words)
    recorder.prepare()
    with _open(base, source) as frames:
        reader = make_reader(detector, weights)
        checker = Checker(rules, words, base.limit())
        screen, speaker = _screen(base), _speaker(base, settings.speak if speak is None else speak)
        outlets = Outlets(screen, speaker, lambda text: print(text, flush=True), recorder.keep)
        watcher = Watcher(words, lambda frame: checker.look(reader, frame), outlets, Stillness(settings.still_seconds))
        try:
            watcher.run(frames)
        finally:
            screen.close()
            speaker.wait(30.0 if frames.ended else 0.1)
            speaker.close()
    if frames.ended:
        ended = "watch-lost-camera" if _is_live(source) else "watch-end-of-file"
        note(words.text(ended, source=source))


class WatchError(KibitzError):
    """The camera cannot be used."""


def _open(base: Context, source: str) -> NewestFrame:
    from kibitz.vision.camera import CameraError, NewestFrame

    try:
        return NewestFrame(source)
    except CameraError as error:
        raise WatchError(base.words.text("watch-no-camera", source=source)) from error


def _is_live(source: str) -> bool:
    from kibitz.vision.camera import is_live

    return is_live(source)


def _screen(base: Context) -> Screen:
    from kibitz.assistant.window import NoScreen, Window, has_screen

    if has_screen():
        return Window("Kibitz")
    note(base.words.text("watch-no-screen"))
    return NoScreen()


def _speaker(base: Context, aloud: bool) -> Speaker:
    from kibitz.assistant.voice import make_speaker

    settings = base.settings
    backend = settings.voice if aloud else "none"
    return make_speaker(backend, settings.voices.get(settings.language), lambda text: note(f"kibitz: {text}"))
