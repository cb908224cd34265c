"""`kibitz doctor` and `kibitz demo`: what works here, and a look at it."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.assistant.context import (
    AsJson,
    ConfigFile,
    Language,
    RuleOptions,
    UsageError,
    context,
)
from kibitz.assistant.report import dumps
from kibitz.engine.errors import KibitzError


def doctor(
    only: Annotated[str | None, typer.Option("--only", metavar="NAME", help="Look at one thing, e.g. camera.")] = None,
    as_json: AsJson = False,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Check camera, voice, screen and models."""
    from kibitz.assistant.doctor import DoctorError, camera, examine

    settings = context(lang, option, config).settings
    if only == "camera":
        try:
            print(camera(settings.camera))
        except KibitzError as error:
            raise DoctorError(str(error)) from error
        return
    if only is not None:
        raise UsageError(f"expected --only camera, got '{only}'")
    bad = 0
    for check in examine(settings):
        bad += not check.good
        if as_json:
            print(dumps({"schema": 1, "check": check.name, "good": check.good, "text": check.text}), flush=True)
        else:
            print(f"{'ok ' if check.good else 'NO '} {check.name:9} {check.text}", flush=True)
    raise typer.Exit(1 if bad else 0)


def demo(
    speak: Annotated[bool, typer.Option("--speak", help="Say the advice aloud.")] = False,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Show what Kibitz does, without a camera: the first moves of a Klondike as it would say them."""
    from kibitz.assistant.demo import show

    show(context(lang, option, config), speak)
