"""Rendered tables of all six patiences with decks that no training saw: figures a card and a table.

A numbered table is always the same one. Patiences take turns, then decks, then cameras and stages of the game.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from kibitz.engine.registry import get_rules
from kibitz.models.shares import gathered
from kibitz.models.synth.scene import Laid, render_laid
from kibitz.models.synth.shelf import DeckShelf
from kibitz.models.synth.spec import DeckChoice
from kibitz.models.synth.truth import Scene
from kibitz.models.table_scoring import TableScore, readable, rows, score
from kibitz.vision.picture import decode_picture, read_picture
from kibitz.vision.pipeline import Reader
from kibitz.vision.types import ByteArray, Frame

GAMES = ("klondike", "canfield", "mrs-mop", "walter", "nineteenth-fan", "eleven-points")
DECKS: Mapping[str, str] = {
    "ar-slavic_costumes": "Cyrillic",
    "ar-lattmann": "German",
    "ar-ornamental": "jumbo",
    "ar-neoclassical_4_color": "four-colour",
    "knoll": "ordinary",
    "heldout-000": "restyled",
}
"""Decks kept out of training, and what each stands for."""
HEIGHTS = (0, 14, 18, 24, 34, 1000)
"""Bounds of the groups by index height, pixels."""


def table_names(count: int) -> list[str]:
    """The names of the first tables: number, patience, deck."""
    decks = list(DECKS)
    return [f"{n:04d} {GAMES[n % len(GAMES)]} {decks[n // len(GAMES) % len(decks)]}" for n in range(count)]


def render(name: str, shelf: DeckShelf, deck: str | None = None) -> tuple[Scene, int]:
    """The table of a name and the number of packs on it; `deck` takes the place of the deck named."""
    from kibitz.models.synth.laying import Laying
    from kibitz.models.synth.tables import case_of, scene_spec
    from kibitz.models.synth.views import CAMERAS

    number, game, named = name.split()
    case = case_of(game, int(number), CAMERAS[int(number) // 7 % len(CAMERAS)])
    view = replace(case.view, deck=DeckChoice(deck or named))

    def lay(card: tuple[float, float]) -> Laid:
        laying = Laying.of([case.position], case.manner, view.hand, card)
        return Laid(laying.lay(case.position), laying.ground())

    spec = replace(scene_spec(game, view), held_out=True)
    return render_laid(case.seed, spec, shelf, lay), get_rules(game).decks


@dataclass(frozen=True, slots=True)
class Asked:
    """A rendered picture and what is asked of it.

    Attributes:
        picture: (H, W, 3) BGR.
        must: labels that must be read.
        may: labels of cards that hardly show.
        decks: packs on the table.
    """

    picture: ByteArray
    must: Counter[str]
    may: Counter[str]
    decks: int


def asked(name: str, shelf: DeckShelf, folder: Path | None, deck: str | None = None) -> Asked:
    """The table of a name: from `folder` where it was rendered before, else rendered (and kept there)."""
    path = folder / f"{name.replace(' ', '-')}.jpg" if folder else None
    if path is not None and path.exists():
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        return Asked(read_picture(path).picture, Counter(truth["must"]), Counter(truth["may"]), truth["decks"])
    scene, decks = render(name, shelf, deck)
    must, may = readable(scene)
    # As a camera's file, whether kept or not: the same figures either way.
    data = cv2.imencode(".jpg", scene.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".json").write_text(json.dumps({"must": must, "may": may, "decks": decks}), encoding="utf-8")
        path.write_bytes(data)
    return Asked(decode_picture(data, name).picture, must, may, decks)


def measure(
    names: Sequence[str], reader: Reader, shelf: DeckShelf, kept: tuple[Path | None, Path | None]
) -> Iterator[tuple[str, TableScore]]:
    """Reads the tables of these names.

    Args:
        names: of `table_names`.
        reader: to be scored.
        shelf: gives the decks.
        kept: file of scores, with which a new run goes on, and folder of pictures; None = nothing is kept.
    """

    def one(name: str) -> dict[str, Any]:
        table = asked(name, shelf, kept[1])
        return score(reader.read(Frame(table.picture, name=name), table.decks), table.must, table.may).to_json()

    for name, found in gathered(kept[0], names, one):
        yield name, TableScore(**found)


def report(found: Sequence[tuple[str, TableScore]]) -> Iterator[str]:
    """Three tables in Markdown: by patience, by deck, by index height."""
    for title, key in (("patience", _game), ("deck", _deck), ("index height", _height)):
        groups: dict[str, list[TableScore]] = defaultdict(list)
        for name, one in sorted(found, key=lambda pair: key(*pair)):
            groups[key(name, one).split("|")[-1]].append(one)
        yield from rows(groups, title)
        yield ""


def _game(name: str, _: TableScore) -> str:
    return name.split()[1]


def _deck(name: str, _: TableScore) -> str:
    deck = name.split()[2]
    return f"{DECKS[deck]} ({deck})"


def _height(_: str, one: TableScore) -> str:
    at = max(k for k, low in enumerate(HEIGHTS[:-1]) if one.height >= low)
    words = f"{HEIGHTS[at]} to {HEIGHTS[at + 1]} px" if at < len(HEIGHTS) - 2 else f"{HEIGHTS[at]} px and more"
    return f"{at}|{words}"
