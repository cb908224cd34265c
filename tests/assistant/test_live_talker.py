"""What is said, repeated, said slower, and shown; nothing is heard while the voice is off."""

from live_fakes import Listener, Window

from kibitz.assistant.live.talker import Talker, TextOutlets
from kibitz.assistant.voice import Manner
from kibitz.assistant.words import words


def talker(language: str = "en") -> tuple[Talker, Listener, Window, list[str]]:
    voice, window, told = Listener(), Window(), []
    return Talker(words(language), voice, TextOutlets(told.append, window), Manner()), voice, window, told  # type: ignore[attr-defined]


def test_what_is_said_is_heard_written_and_shown() -> None:
    made, voice, window, told = talker()
    made.say(("One.", "Two."), "hint", alert=True)
    assert voice.texts == ["One. Two."]
    assert voice.heard[0].interrupt
    assert told == ["One.", "Two."]
    assert window.shown == {"hint": "One. Two."}
    made.over("hint")
    assert window.shown == {}


def test_the_last_sentence_is_repeated_and_remarks_are_not() -> None:
    made, voice, _, _ = talker("ru")
    made.repeat()
    made.say(("Ход есть.",), "hint")
    made.faster(1.2)
    made.repeat()
    assert voice.texts == ["Ещё ничего не сказано.", "Ход есть.", "Скорость 120 %.", "Ход есть."]
    assert [round(one.manner.speed, 2) for one in voice.heard] == [1, 1, 1.2, 1.2]
    assert [one.language for one in voice.heard] == ["ru"] * 4


def test_speed_and_volume_have_ends() -> None:
    made, voice, _, _ = talker()
    for _ in range(10):
        made.faster(1 / 1.2)
        made.louder(-0.2)
    assert (made.manner.speed, made.manner.volume) == (0.5, 0)
    made.louder(0.2)
    assert voice.texts[-1] == "Volume 20 %."


def test_the_voice_is_switched_off_and_on() -> None:
    made, voice, _, told = talker()
    made.toggle_voice()
    made.say(("Unheard.",))
    made.toggle_voice()
    assert voice.texts == ["The voice is off.", "The voice is on."]
    assert told == ["The voice is off.", "Unheard.", "The voice is on."]
