"""The sound files in the documents: their sentences are those that the program says now, and they can be heard."""

import array
import wave
from pathlib import Path

from kibitz.assistant.live.samples import listing, sentences, shrink
from kibitz.assistant.words import words

VOICE = Path(__file__).parents[2] / "docs" / "voice"


def test_the_page_lists_what_is_said() -> None:
    assert (VOICE / "README.md").read_text(encoding="utf-8") == listing()
    assert sentences(words("ru"))[0] == "Переложите семёрку червей на восьмёрку пик."
    assert [len(sentences(words(language))) for language in ("en", "ru")] == [10, 10]


def test_every_sound_is_of_plausible_length_and_not_silent() -> None:
    files = sorted(VOICE.glob("*.wav"))
    assert [file.stem for file in files] == [f"{code}-{n:02}" for code in ("en", "ru") for n in range(1, 11)]
    for file in files:
        assert file.stat().st_size < 60_000
        with wave.open(str(file)) as sound:
            seconds = sound.getnframes() / sound.getframerate()
            values = sound.readframes(sound.getnframes())
        assert 1.5 < seconds < 6, file
        assert (sum((value - 128) ** 2 for value in values) / len(values)) ** 0.5 > 8, file


def test_a_sound_is_halved_and_its_end_is_cut_off(tmp_path: Path) -> None:
    whole, small = tmp_path / "whole.wav", tmp_path / "small.wav"
    samples = array.array("h", [1000, 3000] * 1000 + [0] * 20000)
    with wave.open(str(whole), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(samples.tobytes())
    shrink(whole, small)
    with wave.open(str(small)) as sound:
        assert (sound.getframerate(), sound.getsampwidth()) == (4000, 1)
        assert sound.getnframes() == (2000 + 800 - 1) // 2
        assert set(sound.readframes(1000)) == {248}
