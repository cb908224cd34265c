"""Card decks as pictures with the exact place of every corner index.

A deck lives in the cache as one ``decks/<name>.npz``: PNG-packed faces (small on disk, read back in well under a
second) and a JSON header with labels, marks, licence and letters. ``gather`` fills the cache; the deck ``plain`` is
drawn by our own code and is there without any cache.
"""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from kibitz.engine.errors import KibitzError

FloatArray = npt.NDArray[np.float32]
ByteArray = npt.NDArray[np.uint8]

PLAIN = "plain"

# Never used in training. Art families stay together: whoever shares faces with a held-out deck is held out too.
HELD_OUT_DECKS = frozenset(
    {
        "ar-slavic_costumes",  # Cyrillic, photographic courts
        "ar-lattmann",  # German letters
        "ar-ornamental",  # jumbo index
        "kde-white",  # jumbo, the same art
        "ar-neoclassical_4_color",  # four colours
        "ar-neoclassical",  # the same art
        "knoll",  # an ordinary poker deck
    }
)
# Restyled decks made from held-out art, with indices of their own, carry this prefix and are held out as well.
HELD_OUT_PREFIX = "heldout-"


class DeckError(KibitzError):
    """A deck is missing from the cache or cannot be read."""


@dataclass(frozen=True, slots=True)
class IndexMark:
    """One printed corner index.

    ``quad`` holds TL TR BR BL in the reading direction of the index, in card coordinates 0..1 of the upright face.
    """

    quad: FloatArray
    symbol: int
    suit: int

    def __post_init__(self) -> None:
        if self.quad.shape != (4, 2):
            raise DeckError(f"an index quad has shape (4, 2), got {self.quad.shape}: check the deck's marks")
        if not 0 <= self.suit < 4:
            raise DeckError(f"a suit is 0..3 (C D H S), got {self.suit}: check the deck's marks")


@dataclass(frozen=True, slots=True)
class Face:
    """One printed side: a card (label 0..51) or something that is no card (label None: jokers, blanks)."""

    label: int | None
    image: ByteArray
    alpha: ByteArray
    marks: tuple[IndexMark, ...]

    def __post_init__(self) -> None:
        if self.image.shape[:2] != self.alpha.shape:
            raise DeckError(f"face and alpha differ in size: {self.image.shape[:2]} and {self.alpha.shape}")


@dataclass(frozen=True, slots=True)
class Deck:
    """Faces that were printed together; a face whose index was not found is left out, never mislabelled."""

    name: str
    faces: tuple[Face, ...]
    extras: tuple[Face, ...]
    backs: tuple[tuple[ByteArray, ByteArray], ...]
    alphabet: str
    licence: str
    held_out: bool

    def face(self, label: int) -> Face | None:
        """The face with this label, if the deck has it."""
        return next((face for face in self.faces if face.label == label), None)


def held_out(name: str) -> bool:
    """True for decks that training must never see."""
    return name in HELD_OUT_DECKS or name.startswith(HELD_OUT_PREFIX)


def default_cache() -> Path:
    """Where gathered decks are kept: $KIBITZ_CACHE, or the user's cache folder."""
    if os.environ.get("KIBITZ_CACHE"):
        return Path(os.environ["KIBITZ_CACHE"])
    from platformdirs import user_cache_path

    return user_cache_path("kibitz") / "synth"


def deck_names(cache: Path, *, restyled: bool = False) -> tuple[str, ...]:
    """Names of the decks in the cache, sorted; with ``restyled`` those that were made by restyling instead."""
    folder = cache / ("restyled" if restyled else "decks")
    names = sorted(path.stem for path in folder.glob("*.npz"))
    return tuple(names) if restyled else (PLAIN, *names)


def load_deck(cache: Path, name: str) -> Deck:
    """The deck with this name, gathered or restyled; ``plain`` needs no cache."""
    if name == PLAIN:
        from kibitz.models.synth.plain_deck import plain_deck

        return plain_deck()
    for folder in ("decks", "restyled"):
        path = cache / folder / f"{name}.npz"
        if path.exists():
            return _unpack(path)
    raise DeckError(
        f"expected the deck {name!r} in {cache}, found none: run python -m kibitz.models.synth.gather --cache {cache}"
    )


def save_deck(path: Path, deck: Deck) -> None:
    """Writes one npz; the name inside wins over the name of the file."""
    pictures: list[ByteArray] = []
    places: dict[bytes, int] = {}

    def store(picture: ByteArray) -> int:
        key = picture.tobytes() + str(picture.shape).encode()  # the faces of a deck mostly share one alpha
        if key not in places:
            places[key] = len(pictures)
            packed = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 4])[1]
            pictures.append(np.asarray(packed, np.uint8).ravel())
        return places[key]

    def describe(face: Face) -> dict[str, Any]:
        marks = [[mark.symbol, mark.suit, *np.round(mark.quad, 5).ravel().tolist()] for mark in face.marks]
        return {"label": face.label, "image": store(face.image), "alpha": store(face.alpha), "marks": marks}

    header = {
        "name": deck.name,
        "alphabet": deck.alphabet,
        "licence": deck.licence,
        "faces": [describe(face) for face in deck.faces],
        "extras": [describe(face) for face in deck.extras],
        "backs": [[store(image), store(alpha)] for image, alpha in deck.backs],
    }
    ends = np.cumsum([len(picture) for picture in pictures])
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".part{os.getpid()}")
    with partial.open("wb") as file:
        np.savez(file, header=text, ends=ends, data=np.concatenate(pictures))
    partial.replace(path)  # a reader never meets half a deck


def _unpack(path: Path) -> Deck:
    with np.load(path) as stored:
        header = json.loads(stored["header"].tobytes())
        pieces = np.split(stored["data"], stored["ends"][:-1])
    pictures = [np.asarray(cv2.imdecode(piece, cv2.IMREAD_UNCHANGED), np.uint8) for piece in pieces]

    def face(entry: dict[str, Any]) -> Face:
        marks = tuple(
            IndexMark(np.array(mark[2:], np.float32).reshape(4, 2), int(mark[0]), int(mark[1]))
            for mark in entry["marks"]
        )
        return Face(entry["label"], pictures[entry["image"]], pictures[entry["alpha"]], marks)

    return Deck(
        name=header["name"],
        faces=tuple(face(entry) for entry in header["faces"]),
        extras=tuple(face(entry) for entry in header["extras"]),
        backs=tuple((pictures[image], pictures[alpha]) for image, alpha in header["backs"]),
        alphabet=header["alphabet"],
        licence=header["licence"],
        held_out=held_out(header["name"]),
    )


def shrink(deck: Deck, height: int) -> Deck:
    """The deck with every picture at most this high; marks are relative and stay."""

    def fit(picture: ByteArray) -> ByteArray:
        if picture.shape[0] <= height:
            return picture
        width = max(1, round(picture.shape[1] * height / picture.shape[0]))
        return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

    def faces(group: Iterable[Face]) -> tuple[Face, ...]:
        return tuple(replace(face, image=fit(face.image), alpha=fit(face.alpha)) for face in group)

    backs = tuple((fit(image), fit(alpha)) for image, alpha in deck.backs)
    return replace(deck, faces=faces(deck.faces), extras=faces(deck.extras), backs=backs)
