"""Learning a deck: photos of cards laid out in order -> a `LearnedDeck`, in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kibitz.engine.cards import LABELS
from kibitz.vision import alphabet, detectors, enrolment_photos
from kibitz.vision.classifier import Classifier
from kibitz.vision.detectors import DetectorOptions
from kibitz.vision.enrolment import EnrolmentError, FeatureNetwork, Prints, Trial, learned
from kibitz.vision.enrolment_file import LearnedDeck
from kibitz.vision.outlines import OutlineFinder
from kibitz.vision.types import Frame, ModelPaths

LEAST_TOLD_APART = 0.6
"""A deck of which fewer prints are told apart is not worth having."""
READABLE, CLEAR, AGREED = 0.6, 0.97, 0.5
"""Where so many cards are read as clearly as this, and are all different, at least so many must be as told."""
MOST_PHOTOS = 4


@dataclass(frozen=True, slots=True)
class Learned:
    """A learned deck and how good it seems.

    Attributes:
        deck: to be saved.
        trial: how well its prints are told apart.
        cards: different cards that were learned.
        known: share of them that the networks read rightly without it.
    """

    deck: LearnedDeck
    trial: Trial
    cards: int
    known: float


def learn(paths: ModelPaths, frames: Sequence[Frame], order: Sequence[int], threads: int = 2) -> Learned:
    """Learns a deck from one to four photos of its cards.

    Args:
        paths: the networks.
        frames: the photos.
        order: labels of the cards as they lie, row by row; going on from photo to photo, or the same on each.
        threads: cores to use.

    Raises:
        EnrolmentError: the photos cannot be used; `kind` and the text say why and what to do.
    """
    if not 1 <= len(frames) <= MOST_PHOTOS:
        text = f"expected one to {MOST_PHOTOS} photos, got {len(frames)}; choose the sharpest ones"
        raise EnrolmentError("photos", text, count=len(frames))
    finder, detector = OutlineFinder.load(paths, threads), detectors.load(paths, DetectorOptions(threads))
    if finder is None:
        raise EnrolmentError("no-network", "expected the network that finds whole cards; install kibitz again")
    photos = [
        (frame.name, enrolment_photos.laid_rows(frame, detector.detect(frame), finder.find(frame))) for frame in frames
    ]
    labels = enrolment_photos.matched(order, photos)
    parts = [
        enrolment_photos.prints_of(frame, [card for row in rows for card in row], told)
        for frame, (_, rows), told in zip(frames, photos, labels, strict=True)
    ]
    prints = Prints(*(np.concatenate([getattr(part, name) for part in parts]) for name in Prints.__slots__))
    known = _check_order(Classifier.load(replace(paths, deck=None), threads), prints)
    network = FeatureNetwork(paths, threads)
    heads, trial = learned(prints, network)
    if trial.total and trial.right < LEAST_TOLD_APART * trial.total:
        text = f"expected prints that can be told apart, but only {trial.right} of {trial.total} were; go nearer"
        text += " with more light, lay the cards upright, and check the order of the cards"
        raise EnrolmentError("alike", text, right=trial.right, total=trial.total)
    return Learned(LearnedDeck(prints, heads, network.key), trial, len({*prints.labels.tolist()}), known)


def _check_order(classifier: Classifier, prints: Prints) -> float:
    """The share of prints that the networks read as told.

    Raises:
        EnrolmentError: they read the deck well, but in another order than told.
    """
    readings = classifier.of_crops(prints.crops)
    given = alphabet.label_probabilities(readings, alphabet.settle(readings))
    best, clear = given.argmax(axis=1), given.max(axis=1) >= CLEAR
    agreed = best == prints.labels
    seen, told = best[clear].tolist(), prints.labels[clear].tolist()
    different = len({*seen}) >= 0.9 * len({*told})
    if clear.mean() >= READABLE and different and agreed[clear].mean() < AGREED:
        row = int(np.flatnonzero(clear & ~agreed)[0])
        is_read, is_told = LABELS[int(best[row])], LABELS[int(prints.labels[row])]
        text = f"expected the cards in the order told, but where {is_told} should lie {is_read} is read"
        text += "; lay them as told, or tell their order with --cards"
        raise EnrolmentError("order", text, told=is_told, read=is_read)
    return float(agreed.mean())
