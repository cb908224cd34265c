"""Whole tables of the six patiences from positions of real games, through four cameras, with their truth.

`python -m kibitz.models.synth.tables --out DIR --count N` renders a folder of pictures with the truth beside each;
decks and table tops are those kept out of training.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.position import Position
from kibitz.engine.registry import get_rules
from kibitz.models.synth.decks import default_cache
from kibitz.models.synth.faults import Fault, faults_of, faulty
from kibitz.models.synth.games import STAGES, position_at, unsettle
from kibitz.models.synth.laying import Laying, sight_of
from kibitz.models.synth.manner import Manner, random_manner
from kibitz.models.synth.scene import Laid, render_laid
from kibitz.models.synth.shelf import DeckShelf
from kibitz.models.synth.spec import (
    Kind,
    SceneSpec,
    TableSpec,
)
from kibitz.models.synth.truth import Scene
from kibitz.models.synth.views import CAMERAS, View, random_view

GAMES = ("klondike", "canfield", "mrs-mop", "walter", "nineteenth-fan", "eleven-points")
TABLE_SEED = 930_000_000
"""First seed of these tables; training must stay below the scoring seeds."""
UNSETTLED_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class TableCase:
    """One table to be rendered: everything but the pixels.

    Attributes:
        seed: of the picture.
        game: the patience.
        stage: deal, middle or end.
        camera: name of the camera.
        position: the table with all cards known.
        manner: the variation in which it is laid.
        view: camera, light, photo, deck, hand.
        settled: whether all consequences are carried out.
        fault: what was put wrong on purpose, or None.
    """

    seed: int
    game: str
    stage: str
    camera: str
    position: Position
    manner: Manner
    view: View
    settled: bool = True
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class RenderedTable:
    """A picture of a table with its truth.

    Attributes:
        case: what is shown.
        scene: picture, outlines, indices.
        truth: as stored beside the picture.
    """

    case: TableCase
    scene: Scene
    truth: dict[str, Any]

    @property
    def picture(self) -> NDArray[np.uint8]:
        """(H, W, 3) BGR."""
        return self.scene.picture


def scene_spec(game: str, view: View) -> SceneSpec:
    """The scene in which the painter works.

    Args:
        game: the patience.
        view: what it looks like.
    """
    table = TableSpec(
        Kind(game), view.card_height, crook=view.hand.crook, jitter=view.hand.jitter, bent=view.hand.bent,
        clutter=view.clutter, drawn_top=view.deck.name == "plain",
    )  # fmt: skip
    return SceneSpec(table, view.camera, view.light, view.photo, view.deck, held_out=view.deck.name is None)


def case_of(game: str, number: int, camera: str, fault: str | None = None) -> TableCase:
    """The numbered table of a patience; the same numbers always give the same table.

    Args:
        game: one of GAMES.
        number: from 0; stages take turns.
        camera: one of CAMERAS.
        fault: kind of the one thing put wrong, or None.
    """
    seed = TABLE_SEED + zlib.crc32(f"{game} {number} {camera} {fault}".encode()) % 10_000_000
    rng = np.random.default_rng([seed, 77])
    stage = STAGES[number % 3]
    position = position_at(game, stage, seed, thoughtful=True)
    settled = stage == "deal" or fault is not None or rng.random() > UNSETTLED_SHARE / 2 * 3
    if not settled:
        position = unsettle(position, seed)
        settled = not get_rules(game).pending(position)
    wrong = None
    if fault is not None:
        position, wrong = faulty(position, fault, seed)
    return TableCase(
        seed, game, stage, camera, position, random_manner(game, rng), random_view(camera, rng), settled, wrong
    )


def cases(game: str, count: int, fault: str | None = None, first: int = 0) -> Iterator[TableCase]:
    """`count` tables of a patience, the cameras in turn.

    Args:
        game: one of GAMES.
        count: how many.
        fault: kind of the one thing put wrong, or None.
        first: number of the first.
    """
    for number in range(first, first + count):
        yield case_of(game, number // len(CAMERAS), CAMERAS[number % len(CAMERAS)], fault)


def render_table(case: TableCase, shelf: DeckShelf) -> RenderedTable:
    """Render one table.

    Args:
        case: what is shown.
        shelf: gives the deck.
    """

    def lay(card: tuple[float, float]) -> Laid:
        laying = Laying.of([case.position], case.manner, case.view.hand, card)
        return Laid(laying.lay(case.position), laying.ground())

    scene = render_laid(case.seed, scene_spec(case.game, case.view), shelf, lay)
    return RenderedTable(case, scene, truth_of(case, scene))


def truth_of(case: TableCase, scene: Scene) -> dict[str, Any]:
    """What is stored beside a picture.

    Args:
        case: what is shown.
        scene: its picture.
    """
    rules = get_rules(case.game)
    heights = [float(np.hypot(*(card.corners[3] - card.corners[0]))) for card in scene.cards]
    indices = [float(np.hypot(*(index.quad[3] - index.quad[0]))) for index in scene.indices if index.visible > 0.9]
    return {
        "game": case.game,
        "stage": case.stage,
        "camera": case.camera,
        "settled": case.settled,
        "fault": None if case.fault is None else case.fault.to_json(),
        "position": str(case.position),
        "sight": sight_of(case.position, case.manner),
        "pending": [str(move) for move in rules.pending(case.position)],
        "manner": case.manner.to_json(),
        "decks": rules.decks,
        "card_pixels": round(float(np.median(heights)), 1) if heights else 0,
        "index_pixels": round(float(np.median(indices)), 1) if indices else 0,
        **scene.to_json(),
    }


def save_table(table: RenderedTable, path: Path, most: int | None = None) -> None:
    """A JPEG and its truth beside it.

    Args:
        table: rendered.
        path: of the JPEG.
        most: bytes that the JPEG may have at most.
    """
    for quality in (94, 88, 80, 72, 64):
        _, data = cv2.imencode(".jpg", table.picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if most is None or len(data) <= most:
            break
    path.with_suffix(".json").write_text(json.dumps(table.truth) + "\n", encoding="utf-8")
    path.write_bytes(data.tobytes())


def write_tables(folder: Path, games: tuple[str, ...], count: int, shelf: DeckShelf) -> Iterator[Path]:
    """Render `count` tables of each patience into a folder; pictures that are there already stay.

    Args:
        folder: for the pictures.
        games: of GAMES.
        count: tables of each.
        shelf: gives the decks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        for game in games:
            path = folder / f"{game}-{number:03d}.jpg"
            if not path.exists():
                case = case_of(game, number // len(CAMERAS), CAMERAS[number % len(CAMERAS)])
                save_table(render_table(case, shelf), path)
            yield path


def write_faults(folder: Path, games: tuple[str, ...], count: int, shelf: DeckShelf) -> Iterator[Path]:
    """Render `count` tables of each fault that a patience can have.

    Args:
        folder: for the pictures.
        games: of GAMES.
        count: tables of each fault.
        shelf: gives the decks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        for game in games:
            for fault in faults_of(game):
                path = folder / f"{game}-{fault}-{number:03d}.jpg"
                if not path.exists():
                    case = case_of(game, number // len(CAMERAS), CAMERAS[number % len(CAMERAS)], fault)
                    save_table(render_table(case, shelf), path)
                yield path


def main() -> None:
    """Write a folder of pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=None, help="folder that gather filled")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=12, help="tables of each patience, or of each fault")
    parser.add_argument("--game", action="append", choices=GAMES)
    parser.add_argument("--fault", action="store_true", help="tables with one deliberate fault each")
    arguments = parser.parse_args()
    shelf = DeckShelf(arguments.cache or default_cache(), keep=2)
    write = write_faults if arguments.fault else write_tables
    for path in write(arguments.out, tuple(arguments.game or GAMES), arguments.count, shelf):
        print(path.name, flush=True)


if __name__ == "__main__":
    main()
