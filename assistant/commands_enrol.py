"""`kibitz enrol`: an unusual deck is learned from one to four photos of its cards."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from kibitz.assistant.context import AsJson, ConfigFile, Detector, Language, UsageError, context, deck_file
from kibitz.assistant.report import SCHEMA, dumps


def enrol(
    name: Annotated[str, typer.Argument(metavar="NAME", help="How the deck shall be called.")],
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="One to four photos of its cards.")],
    cards: Annotated[
        str | None,
        typer.Option("--cards", metavar="TEXT", help='The order in which they lie: "AC-KC AD-KD"; X is a joker.'),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Learn a deck of that name anew.")] = False,
    as_json: AsJson = False,
    detector: Detector = "onnx",
    lang: Language = None,
    config: ConfigFile = None,
) -> None:
    """Learn an unusual deck: lay its cards side by side in rows, each suit from ace to king, and photograph them."""
    import dataclasses

    from kibitz.models.registry import model_paths
    from kibitz.vision import enrol as learning
    from kibitz.vision.enrolment import EnrolmentError
    from kibitz.vision.enrolment_file import save
    from kibitz.vision.enrolment_photos import parse_order
    from kibitz.vision.picture import read_picture

    words, path, start = context(lang, None, config).words, deck_file(name), time.perf_counter()
    try:
        order = parse_order(cards)
        if path.exists() and not replace:
            raise UsageError(words.text("enrol-exists", deck=name))
        paths = dataclasses.replace(model_paths(), detector=detector)
        found = learning.learn(paths, [read_picture(image) for image in images], order)
        save(path, found.deck)
    except EnrolmentError as error:
        # The words of the player's language, where there are some for what went wrong.
        message = f"enrol-{error.kind}"
        raise EnrolmentError(
            error.kind, words.text(message, **error.values) if words.has(message) else str(error)
        ) from error
    seconds, trial = time.perf_counter() - start, found.trial
    if as_json:
        figures = {"cards": found.cards, "prints": len(found.deck.prints.labels), "known": round(found.known, 4)}
        told = {"told_apart": trial.right, "asked": trial.total, "seconds": round(seconds, 2)}
        print(dumps({"schema": SCHEMA, "deck": name, "file": str(path), **figures, **told}))
        return
    print(words.text("enrol-done", deck=name, cards=found.cards, prints=len(found.deck.prints.labels)))
    if trial.total:
        print(words.text("enrol-trial", right=trial.right, total=trial.total))
    print(words.text("enrol-known", share=round(100 * found.known)))
    print(words.text("enrol-use", deck=name))
