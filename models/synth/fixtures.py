"""Renders the pictures of fixtures/images from fixed seeds: `python -m kibitz.models.synth.fixtures --cache DIR`."""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path

import cv2

from kibitz.engine import Position, get_rules
from kibitz.models.synth.decks import default_cache
from kibitz.models.synth.scene import render_scene
from kibitz.models.synth.shelf import DeckShelf
from kibitz.models.synth.spec import CameraSpec, DeckChoice, Kind, LightSpec, PhotoSpec, SceneSpec, TableSpec
from kibitz.models.synth.truth import Scene

Cards = tuple[tuple[str, tuple[str, ...]], ...]
LARGEST = 200_000
"""Bytes of a picture in the repository."""
_CC0 = DeckChoice("meuk-2color")
_OWN = DeckChoice("plain")


def as_cards(position: Position) -> Cards:
    """The position in the form a scene takes."""
    out: list[tuple[str, tuple[str, ...]]] = []
    for name in ("stock", "waste", "reserve", "foundations", "tableau"):
        piles = position.to_json().get(name)
        if piles is None:
            continue
        if piles and isinstance(piles[0], list):
            out += [(f"{name}/{number}", tuple(pile)) for number, pile in enumerate(piles)]
        else:
            out.append((name, tuple(piles)))
    return tuple(out)


def played(game: str, deal: int, moves: int) -> Position:
    """A position some random moves into a game, settled."""
    rules = get_rules(game)
    position = rules.deal(deal)
    chooser = random.Random(deal)
    for _ in range(moves):
        legal = rules.legal_moves(position)
        if not legal:
            break
        # Moves within the table show more than turning the stock does.
        busy = [move for move in legal if "stock" not in str(move.source) and "waste" not in str(move.target)] or legal
        position = rules.apply(position, chooser.choice(list(busy) if chooser.random() < 0.8 else list(legal)))
    while rules.pending(position):
        position = rules.apply(position, rules.pending(position)[0])
    return position


def unsettled(position: Position) -> Cards:
    """The same table as a camera may meet it: the last column's face-up cards have left, nobody has turned the next."""
    cards = dict(as_cards(position))
    for number in range(7):
        source = cards[f"tableau/{number}"]
        shown = [text for text in source if text[-1].isupper()]
        if len(source) == len(shown) or not shown:
            continue
        for other in range(7):
            target = cards[f"tableau/{other}"]
            if other != number and target and _follows(shown[0], target[-1]):
                cards[f"tableau/{other}"] = target + tuple(shown)
                cards[f"tableau/{number}"] = source[: len(source) - len(shown)]
                return tuple(cards.items())
    last = cards["tableau/6"]
    cards["waste"] += last[-1:]
    cards["tableau/6"] = last[:-1]
    return tuple(cards.items())


def _follows(card: str, on: str) -> bool:
    ranks = "A23456789TJQK"
    return ranks.index(card[0]) + 1 == ranks.index(on[0]) and (card[1] in "DH") != (on[1] in "DH") and on[1].isupper()


def specs() -> dict[str, tuple[int, SceneSpec]]:
    """File name -> seed and spec."""
    webcam = PhotoSpec(paper=(214, 196, 184), noise=0.008, defocus=0.45, sharpen=0.4, jpeg=90, veil=0.02)
    lamp = PhotoSpec(paper=(176, 206, 222), noise=0.012, defocus=0.5, sharpen=0.5, jpeg=88)
    light = LightSpec(gradient=0.15, window=0.25, gloss=0.15, contact=0.45)
    near = CameraSpec(1280, 720, tilt=9, azimuth=2, roll=1, fill=0.92, barrel=0.03)
    table = TableSpec(Kind.KLONDIKE, crook=1.4, jitter=1.0, gap=9, step=0.26, back_step=0.07, bent=0.1, drawn_top=True)
    base = SceneSpec(table, near, light, webcam, _CC0)
    return {
        "klondike_deal": (13, replace(base, position=as_cards(get_rules("klondike").deal(1)))),
        "klondike_midgame": (
            23,
            replace(
                base,
                camera=CameraSpec(1600, 900, tilt=24, azimuth=-5, roll=-1, fill=0.92),
                light=LightSpec(gradient=0.25, lamp=0.4, warmth=0.6, gloss=0.3, shadow=0.25, contact=0.5),
                photo=lamp,
                table=replace(table, clutter=1, crook=2.2),
                position=as_cards(played("klondike", 7, 60)),
            ),
        ),
        "klondike_unsettled": (
            31,
            replace(base, deck=_OWN, table=replace(table, crook=2.0), position=unsettled(played("klondike", 12, 40))),
        ),
        "klondike_opposite": (
            37,
            replace(base, camera=replace(near, azimuth=180, tilt=18), position=as_cards(played("klondike", 3, 30))),
        ),
        "mrs_mop_deal": (
            41,
            replace(
                base,
                camera=CameraSpec(1600, 900, tilt=12, fill=0.97),
                table=replace(table, kind=Kind.MRS_MOP, gap=4, step=0.27),
                position=as_cards(get_rules("mrs-mop").deal(1)),
            ),
        ),
        "scattered": (53, replace(base, table=replace(table, kind=Kind.SCATTERED, count=14), photo=lamp)),
        "no_cards": (18, replace(base, table=replace(table, kind=Kind.EMPTY, clutter=5), deck=_OWN)),
    }


def save(scene: Scene, path: Path) -> None:
    """A small JPEG and its truth beside it."""
    for quality in (92, 85, 78, 70, 60):
        ok, data = cv2.imencode(".jpg", scene.picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if ok and len(data) <= LARGEST:
            break
    path.write_bytes(data.tobytes())
    path.with_suffix(".json").write_text(json.dumps(scene.to_json()) + "\n", encoding="utf-8")


def main() -> None:
    """Write all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--cache", type=Path, default=None, help="folder that gather filled (default: the user's cache)"
    )
    parser.add_argument("--out", type=Path, default=Path("fixtures/images"))
    arguments = parser.parse_args()
    shelf = DeckShelf(arguments.cache or default_cache())
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, (seed, spec) in specs().items():
        save(render_scene(seed, spec, shelf), arguments.out / f"{name}.jpg")
        print(name)


if __name__ == "__main__":
    main()
