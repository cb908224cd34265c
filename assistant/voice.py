"""Says sentences aloud: a queue in front of pyttsx3 in a child process, of a speech command, or of captions.

The caller never waits and never gets an exception from the voice: what is wrong is told once, then captions go on.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kibitz.assistant.voice_child import LONGEST_SECONDS, NO_ENGINE, NO_VOICE
from kibitz.engine.errors import KibitzError

WORDS_A_MINUTE = {"en": 165, "ru": 150}


class VoiceError(KibitzError):
    """No sound can be made; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence to say.

    Attributes:
        text: words only, no signs a voice cannot say.
        language: ``en`` or ``ru``.
        interrupt: True drops what is still waiting and cuts off what is being said.
    """

    text: str
    language: str = "en"
    interrupt: bool = False


class Speaker(Protocol):
    """Something that says utterances in the background."""

    def say(self, utterance: Utterance) -> None:
        """Queues one utterance and returns at once."""

    def wait(self, seconds: float) -> bool:
        """Waits until everything has been said; False when that took too long."""

    def close(self) -> None:
        """Stops speaking and frees the voice."""


class Player(Protocol):
    """Makes the sound of one utterance."""

    def play(self, utterance: Utterance) -> None:
        """Returns when it has been played or was interrupted; raises VoiceError when no sound can be made."""

    def interrupt(self) -> None:
        """Cuts off what is being played, from any thread."""


class CaptionSpeaker:
    """Silent: hands each sentence to a function, such as a line on stderr. Also the fake for tests."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show

    def say(self, utterance: Utterance) -> None:
        self._show(utterance.text)

    def wait(self, seconds: float) -> bool:
        return True

    def close(self) -> None:
        return None


class QueuedSpeaker:
    """Plays utterances one after the other in a thread; a stale queue is dropped when something urgent comes."""

    def __init__(self, player: Player, complain: Callable[[str], None]) -> None:
        """Starts the thread.

        Args:
            player: makes the sound.
            complain: is told once what is wrong when there is no sound.
        """
        self._player, self._complain = player, complain
        self._waiting: queue.Queue[Utterance | None] = queue.Queue()
        self._broken = False
        self._thread = threading.Thread(target=self._work, name="kibitz-voice", daemon=True)
        self._thread.start()

    def say(self, utterance: Utterance) -> None:
        if utterance.interrupt:
            self._drop_waiting()
            self._player.interrupt()
        self._waiting.put(utterance)

    def wait(self, seconds: float) -> bool:
        done = threading.Event()

        def until_empty() -> None:
            self._waiting.join()
            done.set()

        threading.Thread(target=until_empty, daemon=True).start()
        return done.wait(seconds)

    def close(self) -> None:
        self._drop_waiting()
        self._player.interrupt()
        self._waiting.put(None)
        self._thread.join(timeout=2.0)

    def _drop_waiting(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._waiting.get_nowait()
                self._waiting.task_done()

    def _work(self) -> None:
        while (utterance := self._waiting.get()) is not None:
            try:
                if not self._broken:
                    self._player.play(utterance)
            except VoiceError as error:
                self._broken = True
                self._complain(str(error))
            finally:
                self._waiting.task_done()


class ChildPlayer:
    """Plays by one child process a phrase; subclasses say which command and what goes to its stdin."""

    def __init__(self, voice: str | None = None) -> None:
        self._voice = voice
        self._lock = threading.Lock()
        self._child: subprocess.Popen[str] | None = None

    def command(self, utterance: Utterance, target: Path | None) -> tuple[list[str], str]:
        """The command line and the text for its stdin."""
        raise NotImplementedError

    def failure(self, status: int, notes: str, utterance: Utterance) -> str:
        """What to tell the person about a child that failed."""
        raise NotImplementedError

    def play(self, utterance: Utterance) -> None:
        self._run(utterance, None)

    def write(self, utterance: Utterance, target: Path) -> None:
        """Writes the sound to a WAV file instead of playing it."""
        self._run(utterance, target)
        if not target.exists() or target.stat().st_size < 100:
            raise VoiceError(f"the voice wrote no sound to {target}")

    def interrupt(self) -> None:
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            end_group(child)

    def _run(self, utterance: Utterance, target: Path | None) -> None:
        # A killed child leaves its sound files behind, so each has a folder of its own for them.
        with tempfile.TemporaryDirectory(prefix="kibitz-voice-", ignore_cleanup_errors=True) as scratch:
            self._run_in(scratch, utterance, target)

    def _run_in(self, scratch: str, utterance: Utterance, target: Path | None) -> None:
        command, text = self.command(utterance, target)
        child = self._start(command, scratch)
        with self._lock:
            self._child = child
        try:
            _, notes = child.communicate(text, timeout=LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            self.interrupt()
            return
        with self._lock:
            interrupted, self._child = self._child is None, None
        if child.returncode != 0 and not interrupted:
            raise VoiceError(self.failure(child.returncode, notes.strip(), utterance))

    def _start(self, command: list[str], scratch: str) -> subprocess.Popen[str]:
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                env={**os.environ, "TMPDIR": scratch, "PYTHONIOENCODING": "utf-8"},
                start_new_session=True,
            )
        except OSError as error:
            raise VoiceError(f"the voice cannot be started ({error}); advice is shown as text") from error


class PyttsxPlayer(ChildPlayer):
    """pyttsx3, one phrase a process (why: see voice_child)."""

    def command(self, utterance: Utterance, target: Path | None) -> tuple[list[str], str]:
        order = {
            "text": utterance.text,
            "language": utterance.language,
            "rate": WORDS_A_MINUTE.get(utterance.language, 160),
            "voice": self._voice,
            "file": None if target is None else str(target),
        }
        return [sys.executable, "-m", "kibitz.assistant.voice_child"], json.dumps(order) + "\n"

    def failure(self, status: int, notes: str, utterance: Utterance) -> str:
        if status == NO_VOICE:
            wanted = f"the voice '{self._voice}'" if self._voice else f"a voice for the language '{utterance.language}'"
            return f"this system does not have {wanted}; install one ({voice_hint()}). Advice is shown as text"
        last = notes.splitlines()[-1] if notes else f"status {status}"
        if status == NO_ENGINE:
            return f"no speech engine was found ({last}); install one ({voice_hint()}). Advice is shown as text"
        return f"the voice failed ({last}). Advice is shown as text"


class CommandPlayer(ChildPlayer):
    """The `espeak-ng` or `say` command, where pyttsx3 has no engine."""

    program: str

    def __init__(self, program: str, voice: str | None = None) -> None:
        super().__init__(voice)
        self.program = program

    def command(self, utterance: Utterance, target: Path | None) -> tuple[list[str], str]:
        rate = str(WORDS_A_MINUTE.get(utterance.language, 160))
        if Path(self.program).name.startswith("say"):
            voice = self._voice or {"en": "Samantha", "ru": "Milena"}[utterance.language]
            out = [] if target is None else ["--data-format=LEI16@22050", "-o", str(target)]
            return [self.program, "-v", voice, "-r", rate, *out], utterance.text
        out = [] if target is None else ["-w", str(target)]
        return [self.program, "-v", self._voice or utterance.language, "-s", rate, *out, "--stdin"], utterance.text

    def failure(self, status: int, notes: str, utterance: Utterance) -> str:
        last = notes.splitlines()[-1] if notes else f"status {status}"
        return f"{Path(self.program).name} failed ({last}). Advice is shown as text"


def end_group(child: subprocess.Popen[str]) -> None:
    """Ends a child and what it started: on Linux the sound is a grandchild that a mere stop would not reach."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.terminate()


def voice_hint() -> str:
    """What to install on this system to get a voice."""
    if sys.platform.startswith("linux"):
        return "Debian, Ubuntu: sudo apt-get install espeak-ng alsa-utils"
    if sys.platform == "darwin":
        return "System Settings, Accessibility, Spoken Content, System voice, Manage voices"
    return "Settings, Time & language, Speech, Add voices"


def speech_command() -> str | None:
    """The speech command of this system, or None."""
    return shutil.which("espeak-ng") or shutil.which("espeak") or shutil.which("say")


def choose_player(backend: str = "auto", voice: str | None = None) -> ChildPlayer:
    """The player for a backend name.

    Args:
        backend: ``auto``, ``pyttsx3`` or ``command``.
        voice: exact identifier of the voice; None takes the known ones of the language.

    Raises:
        VoiceError: when the backend is not there.
    """
    program = speech_command()
    if backend == "command" or (backend == "auto" and not _pyttsx3_installed()):
        if program is None:
            raise VoiceError(f"no speech command was found; install one ({voice_hint()}). Advice is shown as text")
        return CommandPlayer(program, voice)
    if sys.platform.startswith("linux") and shutil.which("aplay") is None:
        raise VoiceError(f"sound needs the program 'aplay', which is missing; {voice_hint()}. Advice is shown as text")
    return PyttsxPlayer(voice)


def make_speaker(backend: str, voice: str | None, complain: Callable[[str], None]) -> Speaker:
    """A speaker that never raises: when no sound can be made it says so once and is silent.

    Args:
        backend: ``auto``, ``pyttsx3``, ``command`` or ``none``.
        voice: exact identifier of a voice, or None.
        complain: is told what is wrong.
    """
    if backend == "none":
        return CaptionSpeaker(lambda text: None)
    try:
        return QueuedSpeaker(choose_player(backend, voice), complain)
    except VoiceError as error:
        complain(str(error))
        return CaptionSpeaker(lambda text: None)


def write_speech(utterance: Utterance, target: Path, voice: str | None = None) -> None:
    """Writes an utterance to a WAV file, by pyttsx3 or, where that fails, by the speech command.

    Raises:
        VoiceError: when neither can.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb"):
            pass
    except OSError as error:
        raise VoiceError(f"the sound cannot be written to {target}: {error.strerror or error}") from error
    try:
        PyttsxPlayer(voice).write(utterance, target)
    except VoiceError:
        program = speech_command()
        if program is None:
            raise
        CommandPlayer(program, voice).write(utterance, target)


def _pyttsx3_installed() -> bool:
    import importlib.util

    return importlib.util.find_spec("pyttsx3") is not None
