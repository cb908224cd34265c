"""`kibitz demo`: the first moves of a Klondike, each as Kibitz would say it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from kibitz.assistant.check import Checker, judge
from kibitz.assistant.speech import sentences
from kibitz.assistant.table import Table
from kibitz.engine.game import Game

if TYPE_CHECKING:
    from kibitz.assistant.context import Context

DEMO_SEED, DEMO_MOVES = 7, 6


def show(base: Context, speak: bool) -> None:
    """Plays the first moves of a deal by Kibitz's own advice and says each.

    Args:
        base: settings and language.
        speak: whether it is said aloud.
    """
    from kibitz.assistant.voice import Utterance, make_speaker

    settings, rules = base.settings, base.rules("klondike")
    voice = settings.voices.get(settings.language)
    speaker = make_speaker(settings.voice if speak else "none", voice, print)
    game = Game.deal(rules, DEMO_SEED)
    print(game.view.multiline())
    for _ in range(DEMO_MOVES):
        judged = judge(Checker(rules, base.words, base.limit()), Table(game.view, (), {}))
        text = " ".join(sentences(base.words, judged))
        print(f"> {text}", flush=True)
        speaker.say(Utterance(text, settings.language))
        if judged.advice is None or judged.advice.move is None:
            break
        game.play(judged.advice.move)
        time.sleep(0.1)
    print(game.view.multiline())
    speaker.wait(60)
    speaker.close()
