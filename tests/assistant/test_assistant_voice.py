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
    Manner,
    PyttsxPlayer,
    QueuedSpeaker,
    Utterance,
    VoiceError,
    make_speaker,
    write_speech,
)
from kibitz.assistant.voice_child import choose_voice
from kibitz.assistant.voice_players import list_voices

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


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def speaking(player: FakePlayer, clock: Clock) -> QueuedSpeaker:
    """A speaker in the middle of a long sentence."""
    speaker = QueuedSpeaker(player, pytest.fail, clock)
    speaker.say(Utterance("long"))
    assert player.began.wait(5)
    return speaker


def test_a_newer_sentence_on_the_same_topic_takes_the_place_of_one_that_waits() -> None:
    player, clock = FakePlayer(seconds=30), Clock()
    speaker = speaking(player, clock)
    for text, topic in (("hint 1", "hint"), ("question", "question"), ("hint 2", "hint")):
        speaker.say(Utterance(text, topic=topic))
    player.seconds = 0
    player.stop.set()
    assert speaker.wait(5)
    speaker.close()
    assert player.played == ["long", "question", "hint 2"]


def test_what_waited_too_long_is_not_said_and_few_wait() -> None:
    player, clock = FakePlayer(seconds=30), Clock()
    speaker = speaking(player, clock)
    speaker.say(Utterance("stale", fresh_seconds=5))
    clock.now = 6.0
    for number in range(6):
        speaker.say(Utterance(f"new {number}"))
    player.seconds = 0
    player.stop.set()
    assert speaker.wait(5)
    speaker.close()
    assert player.played == ["long", "new 2", "new 3", "new 4", "new 5"]


def test_a_voice_that_failed_is_tried_again_after_a_while() -> None:
    told: list[str] = []
    player, clock = FakePlayer(error="the headset is gone"), Clock()
    speaker = QueuedSpeaker(player, told.append, clock)
    speaker.say(Utterance("one"))
    assert speaker.wait(5)
    player.error = None
    clock.now = 10.0
    speaker.say(Utterance("two"))
    assert speaker.wait(5)
    clock.now = 40.0
    speaker.say(Utterance("three"))
    assert speaker.wait(5)
    player.error = "the headset is gone"
    speaker.say(Utterance("four"))
    assert speaker.wait(5)
    speaker.close()
    assert player.played == ["three"]
    assert told == ["the headset is gone"] * 2


def test_slower_takes_longer_and_quieter_is_quieter(tmp_path: Path) -> None:
    plain, slow, quiet = tmp_path / "plain.wav", tmp_path / "slow.wav", tmp_path / "quiet.wav"
    write_speech(Utterance(SENTENCES["en"], "en"), plain)
    write_speech(Utterance(SENTENCES["en"], "en", manner=Manner(speed=0.6)), slow)
    write_speech(Utterance(SENTENCES["en"], "en", manner=Manner(volume=0.3)), quiet)
    assert 1.3 < loudness_and_seconds(slow)[1] / loudness_and_seconds(plain)[1] < 2.2
    assert loudness_and_seconds(quiet)[0] < 0.5 * loudness_and_seconds(plain)[0]
    with pytest.raises(VoiceError, match="speed"):
        Manner(speed=5)
    with pytest.raises(VoiceError, match="volume"):
        Manner(volume=2)


def test_the_voices_of_this_system_are_listed() -> None:
    assert {"gmw/en", "zle/ru"} <= set(list_voices()) or not sys.platform.startswith("linux")


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

        def test_a_missing_loudspeaker_is_told(self, log: Path) -> None:
            player = log.parent / "bin" / "aplay"
            player.write_text("#!/bin/sh\necho 'aplay: main:831: audio open error: No such file' >&2\nexit 1\n")
            told: list[str] = []
            speaker = QueuedSpeaker(PyttsxPlayer(), told.append)
            for text in ("one", "two"):
                speaker.say(Utterance(text))
            assert speaker.wait(60)
            speaker.close()
            assert len(told) == 1
            assert "audio open error" in told[0]

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
