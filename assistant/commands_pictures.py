"""`kibitz read` and `kibitz check`: the cards on pictures, and advice for photographed positions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.assistant.context import (
    AsJson,
    ConfigFile,
    Context,
    Deck,
    Detector,
    Game,
    Language,
    RuleOptions,
    UsageError,
    Weights,
    context,
    make_reader,
    note,
)
from kibitz.assistant.report import checked_object, dumps, error_object, reading_object
from kibitz.assistant.speech import chance_text, sentences
from kibitz.engine.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.assistant.check import Checked, Checker
    from kibitz.assistant.table import Answers
    from kibitz.assistant.words import Words
    from kibitz.vision.pipeline import Reader
    from kibitz.vision.types import Frame, TableReading

Images = Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Picture files.", show_default=False)]
OutFolder = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write the marked pictures there.")]


@dataclass(frozen=True, slots=True)
class Output:
    """Where results go: JSON or text on stdout, marked pictures in a folder."""

    json: bool
    folder: Path | None

    def prepare(self) -> None:
        """Makes the folder.

        Raises:
            UsageError: it cannot be made.
        """
        if self.folder is None:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"expected a folder for --out, got {self.folder}: {error.strerror or error}") from error

    def write_picture(self, words: Words, image: Path, picture: Any) -> None:
        """Writes a marked picture beside the others of this run."""
        from kibitz.assistant.overlay import save

        if self.folder is None:
            return
        path = self.folder / f"{image.stem}.kibitz.jpg"
        save(path, picture)
        note(words.text("picture-written", path=str(path)))


def each(images: list[Path], output: Output, answer: Callable[[Path], dict[str, Any] | None]) -> int:
    """Answers every picture; a picture that cannot be used is told and the others go on. Gives the exit status."""
    status = 0
    for image in images:
        try:
            found = answer(image)
        except KibitzError as error:
            status = 1
            kind = str(getattr(error, "kind", type(error).__name__)).replace("_", "-")
            if output.json:
                print(dumps(error_object("image", str(image), kind, str(error))), flush=True)
            note(f"kibitz: {error}")
            continue
        if output.json and found is not None:
            print(dumps(found), flush=True)
    return status


class LazyReader:
    """Loads the networks at the first picture that can be opened."""

    def __init__(self, detector: str, weights: Path | None, deck: str | None = None) -> None:
        self._detector, self._weights, self._deck = detector, weights, deck
        self._reader: Reader | None = None

    def get(self) -> Reader:
        if self._reader is None:
            self._reader = make_reader(self._detector, self._weights, self._deck)
        return self._reader


def read(
    images: Images,
    decks: Annotated[str, typer.Option("--decks", metavar="1|2|auto", help="Packs of cards on the table.")] = "1",
    out: OutFolder = None,
    as_json: AsJson = False,
    detector: Detector = "onnx",
    weights: Weights = None,
    deck: Deck = None,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Read the cards on pictures."""
    from kibitz.vision.picture import read_picture

    if decks not in ("1", "2", "auto"):
        raise UsageError(f"expected --decks 1, 2 or auto, got '{decks}'")
    base, output = context(lang, option, config), Output(as_json, out)
    output.prepare()
    reader = LazyReader(detector, weights, deck or base.settings.deck)

    def answer(image: Path) -> dict[str, Any]:
        start = time.perf_counter()
        frame = read_picture(image)
        reading = reader.get().read(frame, "auto" if decks == "auto" else int(decks))
        _show_reading(base.words, image, frame, reading, output)
        return reading_object(str(image), reading, time.perf_counter() - start)

    raise typer.Exit(each(images, output, answer))


def _show_reading(words: Words, image: Path, frame: Frame, reading: TableReading, output: Output) -> None:
    from kibitz.assistant.findings import reading_findings

    findings = reading_findings(words, reading)
    if not output.json:
        print(_summary(words, image, reading))
        sure = [words.sign(card.label) for card in reading.cards if card.face_up and not card.unsure]
        unsure = [f"{words.sign(card.label)}?" for card in reading.cards if card.face_up and card.unsure]
        if sure or unsure:
            print("  " + " ".join([*sure, *unsure]))
        for finding in findings:
            print(f"  ! {finding.text}")
    if output.folder is not None:
        from kibitz.assistant.overlay import draw
        from kibitz.assistant.picture_overlay import reading_drawing
        from kibitz.assistant.speech import Line

        lines = (
            Line(_summary(words, image, reading), headline=True),
            *(Line(one.text, alert=True) for one in findings),
        )
        output.write_picture(words, image, draw(displayed(frame), reading_drawing(words, reading, lines)))


def displayed(frame: Frame) -> Any:
    """The picture at the size in which results are given."""
    from kibitz.assistant.overlay import resized

    return frame.picture if frame.scale == 1 else resized(frame.picture, frame.size)


def _summary(words: Words, image: Path, reading: TableReading) -> str:
    up = [card for card in reading.cards if card.face_up]
    unsure = sum(card.unsure for card in up)
    down = len(reading.cards) - len(up)
    if not reading.cards:
        return words.text("reading-nothing", image=image.name)
    return words.text("reading-summary", image=image.name, open=len(up), down=down, unsure=unsure)


@dataclass(frozen=True, slots=True)
class Speech:
    """What becomes of the sentences: said aloud, written to a file, or both."""

    aloud: bool
    file: Path | None

    def say(self, base: Context, texts: list[str]) -> None:
        """Says all sentences of a run and waits until they were said.

        Raises:
            VoiceError: the sound file cannot be written.
        """
        from kibitz.assistant.voice import Utterance, make_speaker, write_speech

        settings = base.settings
        if not texts or not (self.aloud or self.file):
            return
        voice = settings.voices.get(settings.language)
        utterance = Utterance(" ".join(texts), settings.language)
        if self.file is not None:
            write_speech(utterance, self.file, voice)
            note(base.words.text("sound-written", path=str(self.file)))
            return
        speaker = make_speaker(settings.voice, voice, lambda text: note(f"kibitz: {text}"))
        speaker.say(utterance)
        speaker.wait(120)
        speaker.close()


def check(
    images: Images,
    game: Game = None,
    speak: Annotated[bool, typer.Option("--speak", help="Say the advice aloud.")] = False,
    speech_file: Annotated[
        Path | None, typer.Option("--speech-file", metavar="WAV", help="Write the sound to a file instead.")
    ] = None,
    out: OutFolder = None,
    answer: Annotated[
        list[str] | None,
        typer.Option("--answer", metavar="TEXT", help="12=7H (card 12), T3.5=7H (a place) or T3=4 (cards face down)."),
    ] = None,
    as_json: AsJson = False,
    detector: Detector = "onnx",
    weights: Weights = None,
    deck: Deck = None,
    lang: Language = None,
    option: RuleOptions = None,
    config: ConfigFile = None,
) -> None:
    """Check photographed positions: cards, problems, and the best move."""
    from kibitz.assistant.check import Checker
    from kibitz.assistant.table import Answers

    base, output = context(lang, option, config), Output(as_json, out)
    output.prepare()
    checker = Checker(base.rules(game), base.words, base.limit())
    answers = Answers.parse(answer or [])
    told: list[str] = []
    job = _CheckJob(checker, LazyReader(detector, weights, deck or base.settings.deck), output, answers, told)
    status = each(images, output, job.answer)
    Speech(speak, speech_file).say(base, told)
    raise typer.Exit(status)


@dataclass(frozen=True, slots=True)
class _CheckJob:
    checker: Checker
    reader: LazyReader
    output: Output
    answers: Answers
    told: list[str]

    def answer(self, image: Path) -> dict[str, Any]:
        from kibitz.vision.picture import read_picture

        start = time.perf_counter()
        frame = read_picture(image)
        checked = self.checker.look(self.reader.get(), frame, self.answers)
        seconds = time.perf_counter() - start
        self.told.extend(sentences(self.checker.words, checked.judged))
        self._show(image, frame, checked)
        return {
            **reading_object(str(image), checked.reading, seconds),
            **checked_object(self.checker.words, self.checker.rules, str(image), checked),
        }

    def _show(self, image: Path, frame: Frame, checked: Checked) -> None:
        words = self.checker.words
        if not self.output.json:
            print(_summary(words, image, checked.reading))
            print_judged(words, checked)
        if self.output.folder is not None:
            from kibitz.assistant.overlay import draw
            from kibitz.assistant.picture_overlay import checked_drawing

            self.output.write_picture(words, image, draw(displayed(frame), checked_drawing(words, checked)))


def print_judged(words: Words, checked: Checked) -> None:
    """The advice of a picture as text for people."""
    judged = checked.judged
    if judged.advice is not None:
        print(_indented(judged.position.multiline()))
    for finding in judged.findings:
        print(f"  ! {finding.text}")
    for question in judged.questions:
        number = "" if question.card is None else f" [{question.card}]"
        print(f"  ? {question.text}{number}")
    texts = [text for text in sentences(words, judged) if text not in {one.text for one in judged.findings}]
    if (chance := chance_text(words, judged)) is not None:
        texts.append(chance)
    print("  > " + " ".join(texts))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
