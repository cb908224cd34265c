"""Decks ready for drawing: found by name or by the seed, kept in memory, each face at several sizes."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.synth.decks import Deck, Face, deck_names, default_cache, held_out, load_deck
from kibitz.models.synth.plain_deck import plain_deck
from kibitz.models.synth.spec import DeckChoice

ByteArray = NDArray[np.uint8]


@dataclass(slots=True)
class Sheet:
    """One printed side with its shrunk copies."""

    levels: list[tuple[ByteArray, ByteArray]]
    face: Face | None = None

    def at(self, height: float) -> tuple[ByteArray, ByteArray]:
        """The smallest copy that still has at least about the wanted height in pixels."""
        while self.levels[-1][0].shape[0] > 1.45 * height and self.levels[-1][0].shape[0] > 48:
            image, alpha = self.levels[-1]
            size = (max(1, image.shape[1] // 2), max(1, image.shape[0] // 2))
            half = (
                cv2.resize(image, size, interpolation=cv2.INTER_AREA),
                cv2.resize(alpha, size, interpolation=cv2.INTER_AREA),
            )
            self.levels.append(half)  # type: ignore[arg-type]
        for level in reversed(self.levels):
            if level[0].shape[0] >= 0.72 * height:
                return level
        return self.levels[0]


@dataclass(slots=True)
class ReadyDeck:
    """A deck whose faces are found by label."""

    deck: Deck
    faces: dict[int, Sheet] = field(default_factory=dict)
    extras: list[Sheet] = field(default_factory=list)
    backs: list[Sheet] = field(default_factory=list)

    @classmethod
    def of(cls, deck: Deck) -> ReadyDeck:
        """Prepare a deck; backs come from the built-in deck where it has none."""
        faces = {face.label: Sheet([(face.image, face.alpha)], face) for face in deck.faces if face.label is not None}
        backs = deck.backs or plain_deck().backs
        extras = [Sheet([(face.image, face.alpha)], face) for face in deck.extras]
        return cls(deck, faces, extras, [Sheet([back]) for back in backs])


class DeckShelf:
    """Decks by name from the cache (or only the built-in one, if there is no cache); the last few stay in memory."""

    def __init__(self, cache: Path | None = None, keep: int = 3) -> None:
        """Look for decks in `cache`; the default is the one that `gather` fills."""
        self.cache = cache or default_cache()
        self.keep = keep
        self._ready: OrderedDict[str, ReadyDeck] = OrderedDict()

    def names(self, kept_out: bool = False) -> tuple[str, ...]:
        """Decks of the training pool, or those kept out of training."""
        found = deck_names(self.cache) + deck_names(self.cache, restyled=True)
        return tuple(n for n in found if held_out(n) == kept_out) or ("plain",)

    def choose(self, choice: DeckChoice, kept_out: bool, rng: np.random.Generator) -> ReadyDeck:
        """The deck of that name, or any of the pool."""
        if choice.name is not None:
            return self.get(choice.name)
        names = self.names(kept_out)
        return self.get(names[int(rng.integers(len(names)))])

    def get(self, name: str) -> ReadyDeck:
        """A deck by name."""
        if name not in self._ready:
            self._ready[name] = ReadyDeck.of(plain_deck() if name == "plain" else load_deck(self.cache, name))
            while len(self._ready) > self.keep:
                self._ready.popitem(last=False)
        self._ready.move_to_end(name)
        return self._ready[name]
