"""The voice: real WAV files of plausible length, a fake player that logs, interruption, and what is told without."""

import array
import os
import shutil
import sys
import threading
import time
import wave
from pathlib import Path

import pytest

from kibitz.assistant import voice
from kibitz.assistant.voice import (
    CaptionSpeaker,
    CommandPlayer,
    PyttsxPlayer,
    QueuedSpeaker,
    Utterance,
    VoiceError,
    make_speaker,
    write_speech,
)
from kibitz.assistant.voice_child import choose_voice

SENTENCES = {
    "en": "Move the seven of hearts onto the eight of spades.",
    "ru": "Переложите семёрку червей на восьмёрку пик.",
}


def loudness_and_seconds(path: Path) -> tuple[float, float]:
    """Root mean square of the samples (full scale 32768) and length."""
    with wave.open(str(path)) as sound:
        samples = array.array("h", sound.readframes(sound.getnframes()))
        seconds = sound.getnframes() / sound.getframerate()
    return (sum(s * s for s in samples) / max(1, len(samples))) ** 0.5, seconds


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_sentence_becomes_a_sound_file(language: str, tmp_path: Path) -> None:
    target = tmp_path / "new folder" / "out.wav"
    write_speech(Utterance(SENTENCES[language], language), target)
    loud, seconds = loudness_and_seconds(target)
    assert loud > 500
    assert 1.5 < seconds < 6


def test_a_longer_text_takes_longer(tmp_path: Path) -> None:
    short, long = tmp_path / "short.wav", tmp_path / "long.wav"
    write_speech(Utterance(SENTENCES["ru"], "ru"), short)
    write_speech(Utterance(" ".join([SENTENCES["ru"]] * 3), "ru"), long)
    assert 2.3 < loudness_and_seconds(long)[1] / loudness_and_seconds(short)[1] < 4


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_speech_command_writes_sound_too(language: str, tmp_path: Path) -> None:
    program = voice.speech_command()
    assert program, "the voice tests need a speech command: sudo apt-get install espeak-ng"
    target = tmp_path / "out.wav"
    CommandPlayer(program).write(Utterance(SENTENCES[language], language), target)
    loud, seconds = loudness_and_seconds(target)
    assert loud > 500
    assert 1.5 < seconds < 6


class FakePlayer:
    """A player that logs and takes a given time."""

    def __init__(self, seconds: float = 0.0, error: str | None = None) -> None:
        self.seconds, self.error = seconds, error
        self.played: list[str] = []
        self.stop = threading.Event()
        self.began = threading.Event()

    def play(self, utterance: Utterance) -> None:
        if self.error:
            raise VoiceError(self.error)
        self.played.append(utterance.text)
        self.stop.clear()
        self.began.set()
        self.stop.wait(self.seconds)

    def interrupt(self) -> None:
        self.stop.set()


def test_the_queue_says_everything_in_order() -> None:
    player = FakePlayer()
    speaker = QueuedSpeaker(player, pytest.fail)
    for text in ("one", "two", "three"):
        speaker.say(Utterance(text))
    assert speaker.wait(5)
    speaker.close()
    assert player.played == ["one", "two", "three"]


def test_an_urgent_sentence_drops_stale_ones_and_cuts_off_the_current_one() -> None:
    player = FakePlayer(seconds=30)
    speaker = QueuedSpeaker(player, pytest.fail)
    speaker.say(Utterance("long"))
    assert player.began.wait(5)
    speaker.say(Utterance("stale"))
    player.began.clear()
    speaker.say(Utterance("new", interrupt=True))
    assert player.began.wait(5)
    assert player.played == ["long", "new"]
    speaker.close()


def test_trouble_is_told_once_and_the_program_goes_on() -> None:
    told: list[str] = []
    speaker = QueuedSpeaker(FakePlayer(error="no voice here"), told.append)
    for _ in range(3):
        speaker.say(Utterance("x"))
    assert speaker.wait(5)
    speaker.close()
    assert told == ["no voice here"]


if sys.platform.startswith("linux"):  # elsewhere pyttsx3 plays without aplay

    class TestFakeSoundPlayer:
        """pyttsx3 as it is, with an `aplay` in the path that writes a log."""

        @pytest.fixture
        def log(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
            log, folder = tmp_path / "aplay.log", tmp_path / "bin"
            folder.mkdir()
            program = folder / "aplay"
            program.write_text(
                f'#!/bin/sh\necho start >> "{log}"\nsleep ${{SECONDS_OF_SOUND:-0.2}}\necho end >> "{log}"\n'
            )
            program.chmod(0o755)
            monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
            return log

        def test_every_phrase_is_played_to_its_end(self, log: Path) -> None:
            speaker = QueuedSpeaker(PyttsxPlayer(), pytest.fail)
            for text in ("one", "two", "three"):
                speaker.say(Utterance(text))
            assert speaker.wait(60)
            speaker.close()
            assert log.read_text().split() == ["start", "end"] * 3

        def test_interrupting_kills_the_sound(self, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
            monkeypatch.setenv("SECONDS_OF_SOUND", "60")
            speaker = QueuedSpeaker(PyttsxPlayer(), pytest.fail)
            speaker.say(Utterance("a long story"))
            deadline = time.monotonic() + 60
            while not (log.exists() and log.read_text()) and time.monotonic() < deadline:
                time.sleep(0.02)
            start = time.monotonic()
            speaker.close()
            assert time.monotonic() - start < 3
            assert log.read_text().split() == ["start"]


def test_a_language_without_voice_is_told_with_what_to_do() -> None:
    told: list[str] = []
    speaker = QueuedSpeaker(PyttsxPlayer("no/such-voice"), told.append)
    speaker.say(Utterance("x", "ru"))
    assert speaker.wait(60)
    speaker.close()
    assert len(told) == 1
    assert "does not have the voice 'no/such-voice'" in told[0]
    assert voice.voice_hint() in told[0]


def test_voices_are_chosen_by_exact_identifier() -> None:
    available = ["sit/cmn-latn-en", "gmw/en", "zle/ru", "zle/ru-lv"]
    assert choose_voice(available, "en", None) == "gmw/en"
    assert choose_voice(available, "ru", None) == "zle/ru"
    assert choose_voice(available, "ru", "ZLE/ru-lv") == "zle/ru-lv"
    assert choose_voice(available, "ru", "ru") is None
    assert choose_voice(["gmw/en"], "ru", None) is None


def test_without_a_sound_player_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    told: list[str] = []
    speaker = make_speaker("command", None, told.append)
    speaker.say(Utterance("x"))
    assert isinstance(speaker, CaptionSpeaker)
    assert len(told) == 1
    assert "no speech command was found" in told[0]


def test_silence_is_a_speaker_too() -> None:
    told: list[str] = []
    speaker = make_speaker("none", None, told.append)
    speaker.say(Utterance("x"))
    assert speaker.wait(0)
    speaker.close()
    assert told == []


def test_a_sound_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(VoiceError, match="cannot be written"):
        write_speech(Utterance("x"), tmp_path / "file" / "out.wav")
