"""Learned decks as files: one .npz a deck, checked when it is read."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.vision.enrolment import EnrolmentError, Heads, Prints
from kibitz.vision.errors import ShapeError

FORMAT = 1
_ARRAYS = ("format", "network", "crops", "labels", "others", "ranks", "suits", "temperatures", "trusted")


@dataclass(frozen=True, slots=True)
class LearnedDeck:
    """A deck as it is stored.

    Attributes:
        prints: what it was learned from; another network can learn it again from them.
        heads: the learned layer.
        network: sha256 of the classifier whose features the layer belongs to.
    """

    prints: Prints
    heads: Heads
    network: str


def save(path: Path, deck: LearnedDeck) -> None:
    """Writes the file whole or not at all.

    Raises:
        EnrolmentError: it cannot be written.
    """
    arrays: dict[str, Any] = {
        "format": np.int64(FORMAT),
        "network": np.asarray(deck.network),
        "crops": deck.prints.crops,
        "labels": deck.prints.labels.astype(np.int64),
        "others": deck.prints.others,
        "ranks": deck.heads.ranks,
        "suits": deck.heads.suits,
        "temperatures": np.asarray(deck.heads.temperatures, np.float64),
        "trusted": np.asarray(deck.heads.trusted, np.bool_),
    }
    partial = path.with_suffix(f".part{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            np.savez_compressed(file, **arrays)
        partial.replace(path)
    except OSError as error:
        text = f"expected to write {path}, but: {error.strerror or error}; make room or name another folder"
        raise EnrolmentError("not-written", text, path=str(path)) from error


def load(path: Path) -> LearnedDeck:
    """The deck of a file.

    Raises:
        EnrolmentError: there is none, or it is damaged or of another version.
    """
    if not path.is_file():
        text = f"expected a learned deck at {path}, found none; learn it with kibitz enrol"
        raise EnrolmentError("no-such-deck", text, deck=path.stem)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in _ARRAYS}
        return _checked(arrays, path)
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile, ShapeError) as error:
        raise _damaged(path, str(error)) from error


def _checked(arrays: dict[str, Any], path: Path) -> LearnedDeck:
    if int(arrays["format"]) != FORMAT:
        raise _damaged(path, f"format {int(arrays['format'])}, this version knows {FORMAT}")
    labels, temperatures = arrays["labels"], arrays["temperatures"]
    kinds = {"crops": np.uint8, "others": np.uint8, "labels": np.int64, "ranks": np.float32, "suits": np.float32}
    for name, kind in kinds.items():
        if arrays[name].dtype != kind:
            raise _damaged(path, f"{name} of {arrays[name].dtype}")
    if labels.size == 0 or labels.min() < 0 or labels.max() > 51:
        raise _damaged(path, "labels that are no cards")
    whole = all(bool(np.isfinite(arrays[name]).all()) for name in ("ranks", "suits", "temperatures", "trusted"))
    if not whole or temperatures.shape != (2,) or arrays["trusted"].shape != (3,) or float(temperatures.min()) <= 0:
        raise _damaged(path, "numbers that are none")
    first, second, third = (bool(value) for value in arrays["trusted"])
    warmth = float(temperatures[0]), float(temperatures[1])
    heads = Heads(arrays["ranks"], arrays["suits"], warmth, (first, second, third))
    return LearnedDeck(Prints(arrays["crops"], labels, arrays["others"]), heads, str(arrays["network"]))


def _damaged(path: Path, why: str) -> EnrolmentError:
    text = f"expected a learned deck in {path}, but the file is damaged ({why}); learn the deck again with kibitz enrol"
    return EnrolmentError("damaged", text, deck=path.stem)
