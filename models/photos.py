"""Real photos with their truth beside them, as `bench` measures on: .jpg files, each with a .json or without.

Nothing here is for training. What a truth file holds: `cards` with `label`, `box` and `kind`, or a `layout` read by
eye; `Q?` names a rank only; `labels_complete: false` says that more cards are in sight than are named.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.engine.cards import RANKS, SUITS
from kibitz.engine.errors import KibitzError

_PILES = ("waste", "foundations", "tableau", "rows", "cards")


class PhotosError(KibitzError):
    """The folder of photos is missing or holds none that can be used."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One photo and what is known of it.

    Attributes:
        path: of the picture.
        group: its source: the file's name up to the first double underscore.
        cards: how often each label is in sight; labels such as "Q?" name the rank only.
        complete: whether no other card is in sight.
        truth: the whole truth file.
    """

    path: Path
    group: str
    cards: Counter[str]
    complete: bool
    truth: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ranks_only(self) -> bool:
        """Whether no suit is known."""
        return bool(self.cards) and all(label[1] == "?" for label in self.cards)

    def wanted(self) -> Counter[str]:
        """The labels that a reader is asked for."""
        if self.ranks_only:
            return self.cards
        return Counter({label: count for label, count in self.cards.items() if label[1] != "?"})

    def name_of(self, label: str) -> str:
        """A read label as the truth would name it."""
        return label[0] + "?" if self.ranks_only else label


def load_photos(folder: Path, groups: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> list[Photo]:
    """The photos of a folder of which something is known, by name.

    Args:
        folder: with pictures and truth files.
        groups: only these sources; none = all.
        without: and not these.

    Raises:
        PhotosError: there is no such folder, or nothing in it.
    """
    if not folder.is_dir():
        text = f"expected a folder of photos with truth files, but {folder} is none"
        raise PhotosError(f"{text}; this measurement needs photos that the project does not contain")
    found = [photo for photo in _photos(folder) if photo.group not in without and (not groups or photo.group in groups)]
    if not found:
        raise PhotosError(
            f"expected .jpg files with .json files beside them in {folder}, found none that are asked for"
        )
    return found


def _photos(folder: Path) -> Iterator[Photo]:
    for path in sorted(folder.glob("*.jpg")):
        beside = path.with_suffix(".json")
        if not beside.is_file():
            continue
        try:
            truth = json.loads(beside.read_text(encoding="utf-8"))
        except ValueError as error:
            raise PhotosError(f"expected JSON in {beside}, got something else: {error}; mend or remove it") from error
        cards, complete = visible_cards(truth)
        if cards:
            yield Photo(path, path.name.split("__")[0], cards, complete, truth)


def is_face(label: object) -> bool:
    """Whether a label of a truth file names a face-up card."""
    return isinstance(label, str) and len(label) == 2 and label[0] in RANKS and label[1] in SUITS + "?"


def visible_cards(truth: Mapping[str, Any]) -> tuple[Counter[str], bool]:
    """How often each card is in sight, and whether these are all."""
    if "layout" in truth:
        layout = truth["layout"]
        return Counter(_faces([layout.get(name) or [] for name in _PILES])), not layout.get("faces_unsure")
    cards = [card for card in truth.get("cards", []) if is_face(card["label"])]
    complete = bool(truth.get("labels_complete", True))
    if any("card_id" in card for card in cards):
        return Counter({card["card_id"]: card["label"] for card in cards}.values()), complete
    if any(card["kind"] == "index" for card in cards):  # several corners of one card, and one deck
        return Counter({card["label"] for card in cards}), complete
    return Counter(card["label"] for card in cards), complete


def _faces(item: object) -> list[str]:
    if isinstance(item, list):
        return [label for part in item for label in _faces(part)]
    return [str(item)] if is_face(item) else []
