"""The ten commonest sentences as sound files, to hear what the voice says.

`python -m kibitz.assistant.live.samples DIR` writes `en-01.wav` … `ru-10.wav` (mono, 8 bit, 11,025 Hz), and a list.
"""

from __future__ import annotations

import array
import sys
import tempfile
import wave
from pathlib import Path

from kibitz.assistant.describe import move_text
from kibitz.assistant.findings import which_card
from kibitz.assistant.voice import Utterance, write_speech
from kibitz.assistant.words import LANGUAGES, Words, words
from kibitz.engine.piles import Slot
from kibitz.engine.position import Position
from kibitz.engine.registry import get_rules

MOVES = (
    ("klondike; tableau: 7H/8S/-/-/-/-/-", "T1-T2"),
    ("klondike; tableau: 2H/-/-/-/-/-/-; foundations: AH/-/-/-", "T1-F1"),
    ("klondike; tableau: AH/-/-/-/-/-/-; foundations: -/-/-/-", "T1-F1"),
    ("klondike; stock: ######; tableau: -/-/-/-/-/-/-", "draw S-W*3"),
    ("klondike; waste: QD; tableau: KS/-/-/-/-/-/-", "W-T1"),
    ("klondike; tableau: ##7H6S5D/8S/-/-/-/-/-", "T1-T2*3"),
    ("klondike; waste: KC; tableau: -/-/-/-/-/-/-", "W-T2"),
)
"""The commonest moves."""
QUIET = 200
"""Samples of 16 bits below this are silence."""


def sentences(said: Words) -> tuple[str, ...]:
    """Ten sentences in one language: moves, a question, a warning, the end."""
    texts = []
    for position_text, move_written in MOVES:
        position = Position.parse(position_text)
        move = get_rules(position.game).find_move(position, move_written)
        texts.append(move_text(said, position, move))
    texts.append(which_card(said, "klondike", (Slot.parse("T3.5"), None), ("9H", "9D")).text)
    texts.append(said.text("warn-loses"))
    texts.append(said.text("follow-won"))
    return tuple(texts)


def listing() -> str:
    """The page that lists the sounds with their sentences."""
    lines = [
        "# What the voice says",
        "",
        "Made by `python3 -m kibitz.assistant.live.samples docs/voice` with espeak-ng.",
    ]
    lines += ["", "| file | sentence |", "|---|---|"]
    for language in LANGUAGES:
        for number, text in enumerate(sentences(words(language)), 1):
            name = f"{language}-{number:02}.wav"
            lines.append(f"| [{name}]({name}) | {text} |")
    return "\n".join(lines) + "\n"


def write_samples(folder: Path) -> None:
    """Writes the sounds and the list.

    Args:
        folder: where to; made if need be.

    Raises:
        VoiceError: this system has no voice.
    """
    for language in LANGUAGES:
        for number, text in enumerate(sentences(words(language)), 1):
            with tempfile.TemporaryDirectory() as scratch:
                whole = Path(scratch) / "whole.wav"
                write_speech(Utterance(text, language), whole)
                shrink(whole, folder / f"{language}-{number:02}.wav")
    (folder / "README.md").write_text(listing(), encoding="utf-8")


def shrink(source: Path, target: Path) -> None:
    """Writes a mono sound of 16 bits at half its rate with 8 bits, loud, without the silence at its end."""
    with wave.open(str(source)) as sound:
        rate = sound.getframerate()
        samples = array.array("h", sound.readframes(sound.getnframes()))
    end = next((k for k in range(len(samples) - 1, 0, -1) if abs(samples[k]) > QUIET), len(samples) - 1)
    kept = samples[: min(len(samples), end + rate // 10)]
    means = [(a + b) / 2 for a, b in zip(kept[0::2], kept[1::2], strict=False)]
    loudest = max((abs(value) for value in means), default=1.0) or 1.0
    target.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(target), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(rate // 2)
        sound.writeframes(bytes(round(128 + 120 * value / loudest) for value in means))


if __name__ == "__main__":
    write_samples(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/voice"))
