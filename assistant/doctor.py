"""What works on this machine and what does not: models, screen, voice, sound, camera. Nothing here raises."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz.assistant.config import Settings, config_file
from kibitz.engine.errors import KibitzError


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: of the thing, a word.
        good: whether it works.
        text: what was found, or what to do.
    """

    name: str
    good: bool
    text: str


def examine(settings: Settings) -> Iterator[Check]:
    """Looks at everything that `kibitz watch` needs.

    Args:
        settings: name the camera and the voice.
    """
    for name, look in (
        ("python", _python),
        ("settings", _settings),
        ("models", _models),
        ("screen", _screen),
        ("sound", _sound),
        ("voice en", lambda: _voice("en", settings)),
        ("voice ru", lambda: _voice("ru", settings)),
        ("camera", lambda: camera(settings.camera)),
    ):
        yield _guarded(name, look)


def _guarded(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except KibitzError as error:
        return Check(name, False, str(error))


class DoctorError(KibitzError):
    """Something does not work; the message says what to do."""


def _python() -> str:
    return f"{sys.version.split()[0]} on {sys.platform}"


def _settings() -> str:
    path = config_file()
    return str(path) if path.exists() else f"defaults ({path} does not exist)"


def _models() -> str:
    import numpy as np

    from kibitz.assistant.context import make_reader
    from kibitz.vision.types import Frame

    start = time.perf_counter()
    reader = make_reader()
    loaded = time.perf_counter()
    reader.read(Frame(np.full((1080, 1920, 3), 90, np.uint8)))
    read = time.perf_counter()
    return f"loaded in {loaded - start:.2f} s; an empty table of 1920x1080 read in {read - loaded:.2f} s"


def _screen() -> str:
    from kibitz.assistant.window import has_screen

    if not has_screen():
        raise DoctorError("no screen for a window; `kibitz watch` writes to the terminal, `kibitz check` works")
    return "a window can be opened"


def _sound() -> str:
    if sys.platform.startswith("linux") and shutil.which("aplay") is None:
        raise DoctorError("the program 'aplay' is missing; Debian, Ubuntu: sudo apt-get install alsa-utils")
    return "a sound player is there"


def _voice(language: str, settings: Settings) -> str:
    from kibitz.assistant.voice import Utterance, write_speech

    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "voice.wav"
        sentence = {"en": "Kibitz can be heard.", "ru": "Кибиц вас слышит."}[language]
        write_speech(Utterance(sentence, language), target, settings.voices.get(language))
        return f"speaks ({target.stat().st_size // 1024} kB of sound for one sentence)"


def camera(source: str) -> str:
    """Opens a camera and takes a frame.

    Raises:
        KibitzError: it gives none.
    """
    from kibitz.vision.camera import NewestFrame

    with NewestFrame(source) as frames:
        picture = frames.get(5.0)
    if picture is None:
        raise DoctorError(f"the camera {source} opens but gives no picture; is another program using it?")
    return f"{source} gives pictures of {picture.shape[1]}x{picture.shape[0]}"
