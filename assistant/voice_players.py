"""Makes the sound of a sentence: pyttsx3 in a child process, or the system's speech command."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from kibitz.assistant.voice_child import LONGEST_SECONDS, NO_ENGINE, NO_VOICE
from kibitz.engine.errors import KibitzError

WORDS_A_MINUTE = {"en": 165, "ru": 150}
SLOWEST, FASTEST = 0.5, 2.0


class VoiceError(KibitzError):
    """No sound can be made; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How it is said.

    Attributes:
        speed: 1 is the usual one, 0.5 half of it.
        volume: from 0 to 1.
    """

    speed: float = 1.0
    volume: float = 1.0

    def __post_init__(self) -> None:
        if not SLOWEST <= self.speed <= FASTEST:
            raise VoiceError(f"expected a speed of the voice from {SLOWEST} to {FASTEST}, got {self.speed}")
        if not 0 <= self.volume <= 1:
            raise VoiceError(f"expected a volume from 0 to 1, got {self.volume}")

    def rate(self, language: str) -> int:
        """Words a minute."""
        return round(WORDS_A_MINUTE.get(language, 160) * self.speed)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence to say.

    Attributes:
        text: words only, no signs a voice cannot say.
        language: ``en`` or ``ru``.
        interrupt: True drops what is still waiting and cuts off what is being said.
        topic: what it is about; of those that wait, a newer one takes the place of an older one with the same topic.
        fresh_seconds: after so long a wait it is not said any more.
        manner: speed and volume.
    """

    text: str
    language: str = "en"
    interrupt: bool = False
    topic: str = ""
    fresh_seconds: float = 20.0
    manner: Manner = Manner()


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
        # pyttsx3 does not notice that `aplay` finds no loudspeaker.
        unheard = [line for line in notes.splitlines() if line.startswith("aplay:") and "error" in line]
        if unheard and not interrupted:
            raise VoiceError(f"the sound is not played ({unheard[-1].strip()}). Advice is shown as text")

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
            "rate": utterance.manner.rate(utterance.language),
            "volume": utterance.manner.volume,
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
        rate = str(utterance.manner.rate(utterance.language))
        if Path(self.program).name.startswith("say"):
            voice = self._voice or {"en": "Samantha", "ru": "Milena"}[utterance.language]
            out = [] if target is None else ["--data-format=LEI16@22050", "-o", str(target)]
            return [self.program, "-v", voice, "-r", rate, *out], utterance.text
        out = [] if target is None else ["-w", str(target)]
        loudness = ["-a", str(round(100 * utterance.manner.volume))]
        voice = self._voice or utterance.language
        return [self.program, "-v", voice, "-s", rate, *loudness, *out, "--stdin"], utterance.text

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


def list_voices() -> tuple[str, ...]:
    """Identifiers of the voices of this system; none where pyttsx3 has no engine."""
    command = [sys.executable, "-m", "kibitz.assistant.voice_child", "--list"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(done.stdout.split("\n")[:-1]) if done.returncode == 0 else ()


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
