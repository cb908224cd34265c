"""One phrase by pyttsx3 in a process of its own: `python -m kibitz.assistant.voice_child`.

A fresh process for each phrase is what works everywhere: pyttsx3 cannot be interrupted from another thread, speaks only
the first phrase on Windows, hangs on a second engine on macOS, and on Linux returns before the sound has been played.
The parent writes one JSON line with what to say, and kills the process to interrupt it.
"""

import json
import sys
import time
from typing import Any

NO_VOICE = 4
NO_ENGINE = 5
LONGEST_SECONDS = 120.0

# Exact voice identifiers, best first: a search by name finds "Chinese (Mandarin, latin as English)" for English.
VOICES: dict[str, tuple[str, ...]] = {
    "en": (
        "gmw/en",
        "gmw/en-us",
        "english",
        "com.apple.voice.compact.en-us.samantha",
        "com.apple.speech.synthesis.voice.samantha",
        "com.apple.speech.synthesis.voice.alex",
        r"hkey_local_machine\software\microsoft\speech\voices\tokens\tts_ms_en-us_zira_11.0",
        r"hkey_local_machine\software\microsoft\speech\voices\tokens\tts_ms_en-us_david_11.0",
        r"hkey_local_machine\software\microsoft\speech\voices\tokens\tts_ms_en-gb_hazel_11.0",
    ),
    "ru": (
        "zle/ru",
        "russian",
        "com.apple.voice.compact.ru-ru.milena",
        "com.apple.speech.synthesis.voice.milena.premium",
        "com.apple.speech.synthesis.voice.milena",
        "com.apple.speech.synthesis.voice.yuri",
        r"hkey_local_machine\software\microsoft\speech\voices\tokens\tts_ms_ru-ru_irina_11.0",
    ),
}


def choose_voice(available: list[str], language: str, wanted: str | None) -> str | None:
    """The identifier to use: the one asked for, or the best known one of the language; None when there is none."""
    by_lower = {identifier.lower(): identifier for identifier in available}
    for candidate in (wanted.lower(),) if wanted else VOICES.get(language, ()):
        if candidate in by_lower:
            return by_lower[candidate]
    return None


def perform(engine: Any, order: dict[str, Any]) -> int:
    """Speaks (or writes) one phrase and waits until it has really been played."""
    voice = choose_voice([v.id for v in engine.getProperty("voices")], order["language"], order.get("voice"))
    if voice is None:
        return NO_VOICE
    engine.setProperty("voice", voice)
    engine.setProperty("rate", order["rate"])
    engine.setProperty("volume", order.get("volume", 1.0))
    finished: list[bool] = []
    engine.connect("finished-utterance", lambda name, completed: finished.append(completed))
    if order.get("file"):
        engine.save_to_file(order["text"], order["file"])
    else:
        engine.say(order["text"])
    engine.runAndWait()
    deadline = time.monotonic() + LONGEST_SECONDS
    while not finished and time.monotonic() < deadline:
        time.sleep(0.02)
    return 0


def main() -> int:
    """Waits for the order on stdin and carries it out; the exit status tells the parent what was wrong."""
    try:
        import pyttsx3

        engine = pyttsx3.init()
    except (ImportError, RuntimeError, OSError) as error:
        print(error, file=sys.stderr)
        return NO_ENGINE
    if "--list" in sys.argv[1:]:
        print("\n".join(str(one.id) for one in engine.getProperty("voices")))
        return 0
    line = sys.stdin.readline()
    if not line:
        return 0
    return perform(engine, json.loads(line))


if __name__ == "__main__":
    raise SystemExit(main())
