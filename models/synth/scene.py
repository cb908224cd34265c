"""One number and one spec give one picture with its exact truth."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.cards import LABELS
from kibitz.models.synth.camera import Camera, aim
from kibitz.models.synth.canvas import CORNERS, Canvas, on_table
from kibitz.models.synth.clutter import clutter
from kibitz.models.synth.effects import expose, finish, through_lens, to_linear
from kibitz.models.synth.lighting import light_map
from kibitz.models.synth.measure import mark_outside, measure
from kibitz.models.synth.painter import Painter, look_of
from kibitz.models.synth.piles import NO_CARDS, Piles, sample_piles
from kibitz.models.synth.placement import PAPER, PlacedCard, place
from kibitz.models.synth.shelf import DeckShelf, ReadyDeck
from kibitz.models.synth.spec import PhotoSpec, SceneSpec
from kibitz.models.synth.surroundings import draw_hand, draw_thing, lay_top, table_top
from kibitz.models.synth.truth import Scene, layout_of

FloatArray = NDArray[np.floating]
ByteArray = NDArray[np.uint8]
Layouts = tuple[dict[str, Any], dict[str, Any]]


def _hidden(cards: tuple[PlacedCard, ...]) -> list[bool]:
    """Whether a card lies in a squared pile under at least three others, so that only its edge can show."""
    out = []
    for number, card in enumerate(cards):
        above = [c for c in cards[number + 1 : number + 4] if c.pile == card.pile]
        out.append(
            len(above) == 3
            and all(abs(c.x - card.x) + abs(c.y - card.y) < 3.5 and abs(c.angle - card.angle) < 2.5 for c in above)
        )
    return out


def _lifts(cards: tuple[PlacedCard, ...], rng: np.random.Generator) -> list[float]:
    """How far above its ground each card's shadow falls: squared piles throw the shadow of their whole height."""
    loose = float(rng.uniform(0.3, 1.3))
    counts: dict[str, int] = {}
    for card in cards:
        counts[card.pile] = counts.get(card.pile, 0) + 1
    squared = {card.pile for card, flag in zip(cards, _hidden(cards), strict=True) if flag}
    return [
        loose
        + (counts[c.pile] * PAPER if c.order == 0 and c.pile in squared else 0.0)
        + max(abs(b) for b in c.bend) * 0.4
        for c in cards
    ]


def _texture(spec: SceneSpec, shelf: DeckShelf, camera: Camera, rng: np.random.Generator) -> ByteArray:
    size = (760, 760) if max(camera.size) <= 1300 else (1200, 1200)
    top = table_top(size, rng, None if spec.table.drawn_top else shelf.cache, spec.held_out)
    inner = np.array([[[0.0, 0.0]], [[camera.size[0], camera.size[1]]]])
    ends = cv2.perspectiveTransform(inner, np.linalg.inv(camera.plane()))[:, 0]
    reach = min(float(np.hypot(*(ends[1] - ends[0]))), 2500.0)
    turn = float(rng.choice([0, 90, 0, 90, rng.uniform(0, 180)]))
    return lay_top(camera, top, reach / size[0] * float(rng.uniform(0.75, 1.1)), turn)


def _clutter(painter: Painter, spots: FloatArray, cache: Path | None, rng: np.random.Generator) -> None:
    """Things beside the cards (sometimes half under them); gathered ones too where the cache has them."""
    canvas, spec = painter.canvas, painter.spec
    gathered = cache is not None and (cache / "things").is_dir()
    width, height = canvas.camera.size
    unit = max(0.1, float(np.hypot(*(canvas.camera.plane()[:2, 0]) / canvas.camera.plane()[2, 2])))
    for _ in range(spec.table.clutter):
        places = rng.uniform([0, 0], [width, height], (10, 2))
        near = np.hypot(*(places[:, None] - spots[None]).transpose(2, 0, 1)).min(axis=1) if len(spots) else np.ones(10)
        thing = clutter(rng, cache, spec.held_out) if gathered and rng.random() < 0.7 else None
        draw_thing(canvas, places[int(near.argmax())], unit, rng, thing)


def _deal(spec: SceneSpec, deck: ReadyDeck, rng: np.random.Generator) -> Piles:
    piles = {name: list(texts) for name, texts in spec.position} or sample_piles(spec.table, rng)
    # A face whose index could not be located is not in the deck: it lies face down or not at all.
    return {
        name: [t for t in texts if t in NO_CARDS or not t[-1].isupper() or LABELS.index(t) in deck.faces]
        for name, texts in piles.items()
    }


@dataclass(frozen=True, slots=True)
class Laid:
    """Cards that somebody else has laid.

    Attributes:
        cards: in drawing order.
        ground: (N, 3) points that the camera must see besides the cards, millimetres.
        steady: every card looks the same on all pictures of this seed, whatever else lies there.
    """

    cards: tuple[PlacedCard, ...]
    ground: FloatArray
    steady: bool = False


def _draw(painter: Painter, laid: Laid, cache: Path | None, rng: np.random.Generator) -> None:
    canvas, spec, cards = painter.canvas, painter.spec, laid.cards
    spots = canvas.camera.project(np.array([[c.x, c.y, 0] for c in cards])) if cards else np.zeros((0, 2))
    _clutter(painter, canvas.camera.project(laid.ground) if laid.steady else spots, cache, rng)
    hidden = _hidden(cards)
    for number, (card, lift) in enumerate(zip(cards, _lifts(cards, rng), strict=True)):
        if laid.steady:
            painter.rng = np.random.default_rng([zlib.crc32(f"{card.text} {card.pile} {card.order}".encode())])
        painter.card(number, card, lift, hidden[number])
    unit = max(0.1, float(np.hypot(*(canvas.camera.plane()[:2, 0]) / canvas.camera.plane()[2, 2])))
    for _ in range(spec.table.hands if len(spots) else 0):
        draw_hand(canvas, spots[int(rng.integers(len(spots)))] + rng.normal(0, 20, 2), unit, rng)
    mark_outside(canvas)


def card_size(deck: ReadyDeck, height: float) -> tuple[float, float]:
    """Width and height of this deck's cards, millimetres."""
    sample = next(iter(deck.faces.values())).levels[0][1]
    return height * sample.shape[1] / sample.shape[0], height


def render_scene(seed: int, spec: SceneSpec, shelf: DeckShelf | None = None) -> Scene:
    """The picture that this seed and spec name. Give a shelf to keep decks in memory between calls."""
    shelf = shelf or DeckShelf()
    streams = _streams(seed)
    deck = shelf.choose(spec.deck, spec.held_out, streams[0])
    piles = _deal(spec, deck, streams[1])
    size = card_size(deck, spec.table.card_height)
    cards = place(spec.table, piles, size[0], streams[2])
    laid = Laid(cards, _extent(cards, size)[:0])
    return _render((seed, spec), _Props(shelf, deck, streams), laid, layout_of(spec.table.kind.value, piles))


def render_laid(seed: int, spec: SceneSpec, shelf: DeckShelf, lay: Callable[[tuple[float, float]], Laid]) -> Scene:
    """A picture of cards that are laid by the caller, who is told width and height of a card in millimetres."""
    streams = _streams(seed)
    deck = shelf.choose(spec.deck, spec.held_out, streams[0])
    laid = lay(card_size(deck, spec.table.card_height))
    piles: Piles = {}
    for card in laid.cards:
        piles.setdefault(card.pile, []).append(card.text)
    return _render((seed, spec), _Props(shelf, deck, streams), laid, layout_of(spec.table.kind.value, piles))


@dataclass(frozen=True, slots=True)
class _Props:
    """Where decks and tops come from, the deck of this scene, and the random numbers of each stage."""

    shelf: DeckShelf
    deck: ReadyDeck
    streams: list[np.random.Generator]


def _streams(seed: int) -> list[np.random.Generator]:
    return [np.random.default_rng([seed, part]) for part in range(6)]


def _render(named: tuple[int, SceneSpec], props: _Props, laid: Laid, layout: Layouts) -> Scene:
    (seed, spec), streams, deck, cards = named, props.streams, props.deck, laid.cards
    view, shelf = spec.camera, props.shelf
    size = (round(view.width * view.soft), round(view.height * view.soft))
    extent = _extent(cards, card_size(deck, spec.table.card_height))
    camera = aim(view, np.concatenate([laid.ground, extent]) if not laid.steady else laid.ground, size)
    canvas = Canvas(_texture(spec, shelf, camera, streams[3]), camera)
    painter = Painter(canvas, deck, look_of(deck, spec, streams[0]), spec, streams[4])
    _draw(painter, laid, None if spec.table.drawn_top else shelf.cache, streams[4])
    light = to_linear(canvas.albedo)
    light *= light_map(spec.light, size, streams[3])
    if canvas.gleam is not None:
        light += canvas.gleam[..., None]
    light = through_lens(light, camera, view.fringe)
    picture = finish(expose(light, _bearable(spec, painter, cards), streams[5]), spec.photo, view)
    truths, indices = measure(painter, cards, view.width / size[0])
    return Scene(picture, indices, truths, *layout, seed, spec)


def _bearable(spec: SceneSpec, painter: Painter, cards: tuple[PlacedCard, ...]) -> PhotoSpec:
    """Blur as asked, not so much that nobody could read the table: it grows with the picture, not past the index."""
    photo = spec.photo
    defocus = photo.defocus * max(painter.canvas.camera.size) / 1280
    if not cards:
        return replace(photo, defocus=defocus)
    outlines = [painter.canvas.camera.project(on_table(card, painter.size, CORNERS)) for card in cards[::5]]
    index = 0.15 * float(np.median([np.hypot(*(outline[3] - outline[0])) for outline in outlines]))
    return replace(
        photo,
        defocus=min(defocus, 0.10 * index),
        motion=min(photo.motion, 0.36 * index),
        double=min(photo.double, 0.26 * index),
    )


def _extent(cards: tuple[PlacedCard, ...], size: tuple[float, float]) -> FloatArray:
    """All corners of all cards; an empty table counts as one of 700 x 400 mm."""
    if not cards:
        return np.array([[x, y, 0.0] for x in (-350, 350) for y in (-200, 200)])
    return np.concatenate([on_table(card, size, CORNERS) for card in cards])
