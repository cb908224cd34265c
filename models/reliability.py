"""How sure the reader is against how often it is right, on real photos whose truth is complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.models.photos import Photo
from kibitz.models.shares import gathered, share_text
from kibitz.vision.picture import read_picture
from kibitz.vision.pipeline import Reader

BINS = 10
SURELY = 0.99
"""Of cards given with at least this, at most one in a thousand may be wrong."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One reported face-up card: its photo, what was said, with which confidence, and whether that is true."""

    photo: str
    label: str
    confidence: float
    unsure: bool
    right: bool


def answers(photos: Sequence[Photo], reader: Reader, results: Path | None) -> Iterator[Answer]:
    """All reported cards of the photos with complete truth.

    Args:
        photos: with their truth; those that are not complete say nothing of wrong cards and are left out.
        reader: whose confidence is judged.
        results: file in which the readings are kept, or None.
    """
    complete = {photo.path.name: photo for photo in photos if photo.complete}

    def read(name: str) -> dict[str, Any]:
        reading = reader.read(read_picture(complete[name].path))
        cards = [card for card in reading.cards if card.face_up and card.label is not None]
        return {"cards": [[card.label, round(float(card.confidence), 5), card.unsure] for card in cards]}

    for name, found in gathered(results, complete, read):
        yield from judged(complete[name], found["cards"])


def judged(photo: Photo, cards: Sequence[tuple[str, float, bool]]) -> Iterator[Answer]:
    """Which of the cards are true; of two that claim one card the surer is."""
    left = Counter(photo.wanted())
    for label, confidence, unsure in sorted(cards, key=lambda card: -card[1]):
        name = photo.name_of(label)
        right = left[name] > 0
        left[name] -= right
        yield Answer(photo.path.name, label, confidence, unsure, right)


def report(found: Sequence[Answer]) -> Iterator[str]:
    """The reliability table in Markdown, and what is wrong though it was given as sure."""
    yield f"{len({one.photo for one in found})} photos with complete truth, {len(found)} reported face-up cards."
    yield ""
    yield "| confidence | cards | mean confidence | right |"
    yield "| --- | ---: | ---: | --- |"
    for number in range(BINS):
        rows = [one for one in found if min(int(one.confidence * BINS), BINS - 1) == number]
        name = f"{number / BINS:.1f} to {(number + 1) / BINS:.1f}"
        mean = f"{sum(one.confidence for one in rows) / len(rows):.3f}" if rows else ""
        yield f"| {name} | {len(rows)} | {mean} | {share_text(sum(one.right for one in rows), len(rows))} |"
    sure = [one for one in found if one.confidence >= SURELY]
    told = [one for one in found if not one.unsure]
    wrong = [one for one in sure if not one.right]
    yield ""
    yield f"Given with at least {SURELY:.2f}: {len(sure)} cards, wrong {share_text(len(wrong), len(sure))}."
    missed = sum(not one.right for one in told)
    yield f"Not marked unsure: {len(told)} cards, wrong {share_text(missed, len(told))}."
    yield ""
    yield "Wrong though not unsure, with the confidence given:"
    yield ""
    for one in sorted(told, key=lambda one: -one.confidence):
        if not one.right:
            yield f"- {one.photo}: {one.label}, {one.confidence:.4f}"
