"""`kibitz watch`: the table through a camera, live."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
    from kibitz.assistant.live.building import Events
    from kibitz.assistant.live.jobs import Frames

CAMERA = "Camera number or name, address, video file or folder of pictures."
Camera = Annotated[str | None, typer.Option("--camera", metavar="0|NAME|URL|FILE|DIR", help=CAMERA)]
Hints = Annotated[str | None, typer.Option("--hints", metavar="always|pause|asked", help="When hints are given.")]
HintDepth = Annotated[
    str | None, typer.Option("--hint-level", metavar="there|card|move", help="How much the first hint tells.")
]
Warn = Annotated[bool | None, typer.Option("--warn/--no-warn", help="Say that a move loses.")]
Large = Annotated[bool | None, typer.Option("--large/--normal", help="Large letters in high contrast.")]
Size = Annotated[str | None, typer.Option("--size", metavar="WxH", help="Picture size asked of the camera.")]
Turn = Annotated[int | None, typer.Option("--turn", metavar="0|90|180|270", help="Turn the picture clockwise.")]
Mirror = Annotated[bool | None, typer.Option("--mirror/--no-mirror", help="Swap left and right.")]


def watch(
    game: Game = None,
    camera: Camera = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the table of the last session.")] = False,
    record: Annotated[Path | None, typer.Option("--record", metavar="DIR", help="Keep every look there.")] = None,
    speak: Annotated[bool | None, typer.Option("--speak/--silent", help="Say the advice aloud.")] = None,
    hints: Hints = None,
    hint_level: HintDepth = None,
    warn: Warn = None,
    window: Annotated[bool, typer.Option("--window/--screen-free", help="Voice and text only, no window.")] = True,
    large: Large = None,
    fast: Annotated[bool, typer.Option("--fast", help="A film or folder as fast as it can be read.")] = False,
    size: Size = None,
    mirror: Mirror = None,
    turn: Turn = None,
    devices: Annotated[bool, typer.Option("--list", help="List cameras and voices, then stop.")] = False,
    detector: Detector = "onnx",
    weights: Weights = None,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Watch the table through a camera, follow the game and say the best next move."""
    given: dict[str, Any] = {
        "camera": camera,
        "speak": speak,
        "hints": hints,
        "hint_level": hint_level,
        "warn": warn,
        "large": large,
    }
    given |= {"camera_size": size, "mirror": mirror, "turn": turn}
    base = _with(context(lang, option, config), given)
    if devices:
        list_devices(base)
    else:
        _run(base, game, _How(resume, record, window, fast), (detector, weights))


def _with(base: Context, given: dict[str, Any]) -> Context:
    """The settings with what the command line changes."""
    changed = {name: value for name, value in given.items() if value is not None}
    return replace(base, settings=replace(base.settings, **changed))


class _How:
    """How the table is watched, besides the settings."""

    def __init__(self, resume: bool, record: Path | None, window: bool, fast: bool) -> None:
        self.resume, self.record, self.window, self.fast = resume, record, window, fast


def _run(base: Context, game: str | None, how: _How, networks: tuple[str, Path | None]) -> None:
    import queue

    from kibitz.assistant.live import building
    from kibitz.assistant.live.game_log import resumed_steps
    from kibitz.assistant.live.journal import TableJournal
    from kibitz.assistant.session import last_table
    from kibitz.vision.camera import is_live

    source, rules = base.settings.camera, base.rules(game)
    events: Events = queue.SimpleQueue()
    frames = _open(base, source, events, how.fast)
    try:
        from kibitz.assistant.following import Follower

        known = last_table(rules.name) if how.resume else None
        if known is not None:
            note(base.words.text("play-resumed"))
            note(known.multiline())
        journal = TableJournal(rules.name, how.record)
        steps = resumed_steps(rules, known) if known is not None else []
        reader = make_reader(*networks, deck=base.settings.deck)
        table = building.Table(rules, reader, Follower(rules, known, steps), journal, known is not None)
        outlets = building.player_outlets(base, base.settings.speak, how.window)
        try:
            building.build(base, table, outlets, events, how.fast).run(frames)
        finally:
            outlets.speaker.wait(30.0 if frames.ended and not how.fast else 0.1)
            outlets.speaker.close()
    finally:
        frames.close()
    if frames.ended and not is_live(source):
        note(base.words.text("watch-end-of-file"))


class WatchError(KibitzError):
    """The camera cannot be used."""


def _open(base: Context, source: str, events: Events, fast: bool) -> Frames:
    from kibitz.assistant.live.building import open_frames
    from kibitz.vision.camera import CameraError

    try:
        return open_frames(source, base.settings, events, fast)
    except CameraError as error:
        raise WatchError(f"{base.words.text('watch-no-camera', source=source)} ({error})") from error


def list_devices(base: Context) -> None:
    """Prints the cameras and the voices of this machine."""
    from kibitz.assistant.voice_players import list_voices
    from kibitz.vision.camera_devices import list_cameras

    cameras = list_cameras()
    for one in cameras:
        print(f"{one.number}  {one.name}")
    if not cameras:
        print(base.words.text("watch-no-cameras"))
    print(base.words.text("watch-voices", names=", ".join(list_voices())))
