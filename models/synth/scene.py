"""One number and one spec give one picture with its exact truth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.cards import LABELS
from kibitz.models.synth.camera import Camera, aim
from kibitz.models.synth.canvas import CORNERS, OUTSIDE, Canvas, edge_polygon, on_table
from kibitz.models.synth.effects import expose, finish, through_lens, to_linear
from kibitz.models.synth.lighting import Gleam, light_map
from kibitz.models.synth.piles import Piles, sample_piles
from kibitz.models.synth.placement import PAPER, PlacedCard, place
from kibitz.models.synth.shelf import DeckShelf, ReadyDeck, Sheet
from kibitz.models.synth.spec import TWO_DECKS, SceneSpec
from kibitz.models.synth.surroundings import draw_hand, draw_thing, drawn_top, lay_top
from kibitz.models.synth.truth import CardTruth, IndexTruth, Scene, layout_of

FloatArray = NDArray[np.floating]
ByteArray = NDArray[np.uint8]
RANK_PART = 0.56
"""The rank's share of an index's height."""


@dataclass(slots=True)
class Look:
    """How this deck is printed, lit and worn in this scene."""

    ink: FloatArray
    edge: tuple[float, float, float]
    shadow_way: FloatArray
    backs: tuple[int, int]
    shift: float


def _ink(rng: np.random.Generator) -> FloatArray:
    """Affine colour map (3, 4) from drawn to printed: off-white paper, ink that is not black, crimson or orange red."""
    paper = 250 * (1 - np.abs(rng.normal(0, 0.02, 3)) - np.array([abs(rng.normal(0, 0.04)), 0.01, 0]))
    black = rng.uniform(12, 62) * np.exp(rng.normal(0, 0.06, 3) + np.array([0.1, -0.05, 0.0]))
    red = np.array([rng.uniform(25, 110), rng.uniform(20, 75), rng.uniform(165, 225)])
    blue = np.array([rng.uniform(100, 170), rng.uniform(60, 95), rng.uniform(30, 70)])
    drawn = np.array([[255, 255, 255, 1], [15, 15, 15, 1], [35, 25, 212, 1], [150, 75, 35, 1.0]])
    return np.linalg.solve(drawn, np.stack([paper, black, red, blue])).T


def _look(deck: ReadyDeck, spec: SceneSpec, rng: np.random.Generator) -> Look:
    grey = rng.uniform(105, 205)
    backs = rng.integers(len(deck.backs), size=2)
    if rng.random() < 0.5:
        backs[1] = backs[0]
    angle, length = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 2.0)
    return Look(
        ink=_ink(rng),
        edge=(float(grey * rng.uniform(0.85, 1.05)), float(grey), float(grey * rng.uniform(0.95, 1.05))),
        shadow_way=np.array([np.cos(angle), np.sin(angle)]) * length,
        backs=(int(backs[0]), int(backs[1])),
        shift=float(rng.choice([0, 0.004, 0.012])),
    )


class _Painter:
    """Draws the placed cards of one scene."""

    def __init__(self, canvas: Canvas, deck: ReadyDeck, look: Look, spec: SceneSpec, rng: np.random.Generator) -> None:
        self.canvas, self.deck, self.look, self.spec, self.rng = canvas, deck, look, spec, rng
        sample = next(iter(deck.faces.values())).levels[0][1]
        height = spec.table.card_height
        self.size = (height * sample.shape[1] / sample.shape[0], height)
        self.gleam = Gleam(spec.light, canvas.camera, rng)
        self.sheets: list[Sheet] = []
        self.shifts: list[FloatArray] = []

    def sheet(self, card: PlacedCard) -> Sheet:
        """The side that shows."""
        if card.text == "joker":
            extras = self.deck.extras
            return extras[int(self.rng.integers(len(extras)))] if extras else self.deck.backs[self.look.backs[1]]
        if card.face_up:
            return self.deck.faces[LABELS.index(card.text)]
        second = self.rng.random() < 0.5 if self.spec.table.kind in TWO_DECKS else False
        return self.deck.backs[self.look.backs[int(second)]]

    def shadow(self, card: PlacedCard, lift: float, unit: float) -> None:
        """What the card darkens around itself."""
        strength = self.spec.light.contact
        top = on_table(card, self.size, CORNERS)
        fallen = top.copy()
        fallen[:, :2] += self.look.shadow_way * lift
        fallen[:, 2] -= lift
        project = self.canvas.camera.project
        hull = cv2.convexHull(np.concatenate([project(top), project(fallen)]).astype(np.float32))[:, 0]
        self.canvas.shade(hull, max(0.7, (0.35 + 0.25 * lift) * unit), strength)

    def card(self, number: int, card: PlacedCard, lift: float, hidden: bool) -> None:
        """Shadow, edge and face."""
        canvas = self.canvas
        sheet = self.sheet(card)
        self.sheets.append(sheet)
        self.shifts.append(self.rng.normal(0, self.look.shift, 2) if self.look.shift else np.zeros(2))
        edges = CORNERS[[0, 1, 1, 2, 2, 3, 3, 0]].copy()
        edges[1::2] = (edges[0::2] + edges[1::2]) / 2
        outline = canvas.camera.project(on_table(card, self.size, edges))
        tall = float(np.hypot(*(outline[6] - outline[0]))) + float(np.hypot(*(outline[4] - outline[2])))
        unit = tall / 2 / self.size[1]
        if not hidden or card.order == 0:
            self.shadow(card, lift, unit)
        hull, thick = edge_polygon(canvas.camera, card, self.size)
        if hidden or (thick > 0.25 and not any(card.bend)):
            tone = self.rng.uniform(0.8, 1.05) if hidden else 1.0
            canvas.fill(hull, tuple(v * tone for v in self.look.edge), number)  # type: ignore[arg-type]
        box = canvas.box(outline, 2)
        if hidden or box is None:
            return
        levels = self._printed(sheet.at(tall / 2), self.shifts[-1])
        bent = any(card.bend)
        layer, cover = (canvas.warp_bent if bent else canvas.warp_flat)(card, self.size, levels, box)
        layer = cv2.transform(layer, self.look.ink)
        tone = 1 + self.rng.normal(0, 0.018)
        layer = cv2.convertScaleAbs(layer, None, tone)
        if bent:
            layer = self._curved(layer)
        canvas.blend(box, layer, cover, number)  # type: ignore[arg-type]
        canvas.add_gleam(box, self.gleam.on(box), cover)  # type: ignore[arg-type]

    def _printed(self, level: tuple[ByteArray, ByteArray], shift: FloatArray) -> tuple[ByteArray, ByteArray]:
        """The side, a little off centre on its paper."""
        if not shift.any():
            return level
        image, alpha = level
        move = shift * alpha.shape[1]
        matrix = np.array([[1, 0, move[0]], [0, 1, move[1]]])
        return cv2.warpAffine(image, matrix, alpha.shape[::-1], borderMode=cv2.BORDER_REPLICATE).astype(np.uint8), alpha

    def _curved(self, layer: NDArray[np.uint8]) -> ByteArray:
        """Light that changes along a bent card."""
        height, width = layer.shape[:2]
        slope = self.rng.normal(0, 0.10, 2)
        xs = np.linspace(-1, 1, width, dtype=np.float32)[None, :, None]
        ys = np.linspace(-1, 1, height, dtype=np.float32)[:, None, None]
        factor = 1 + np.float32(slope[0]) * xs + np.float32(slope[1]) * ys
        return np.clip(layer * factor, 0, 255).astype(np.uint8)


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
    size = (960, 960) if max(camera.size) <= 1300 else (1400, 1400)
    top = drawn_top(size, rng)
    inner = np.array([[[0.0, 0.0]], [[camera.size[0], camera.size[1]]]])
    ends = cv2.perspectiveTransform(inner, np.linalg.inv(camera.plane()))[:, 0]
    reach = min(float(np.hypot(*(ends[1] - ends[0]))), 2500.0)
    turn = float(rng.choice([0, 90, 0, 90, rng.uniform(0, 180)]))
    return lay_top(camera, top, reach / size[0] * float(rng.uniform(0.75, 1.1)), turn)


def _seen(owner: NDArray[np.int16], polygon: FloatArray, number: int) -> tuple[float, FloatArray]:
    """Share of a polygon (pixels) that this card owns, and the box (x1 y1 x2 y2) of that share."""
    nothing = np.zeros(4)
    low, high = np.floor(polygon.min(axis=0)).astype(int), np.ceil(polygon.max(axis=0)).astype(int) + 1
    size = high - low
    height, width = owner.shape
    x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])
    if x1 <= x0 or y1 <= y0 or (size > 20000).any():
        return 0.0, nothing
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round((polygon - low) * 16).astype(np.int32), (1,), cv2.LINE_8, 4)
    total = cv2.countNonZero(mask)
    part = mask[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]]
    owned = ((owner[y0:y1, x0:x1] == number) & (part > 0)).view(np.uint8)
    seen = cv2.countNonZero(owned)
    if not seen or not total:
        return 0.0, nothing
    x, y, w, h = cv2.boundingRect(owned)
    return min(1.0, seen / total), np.array([x0 + x, y0 + y, x0 + x + w, y0 + y + h], dtype=np.float64)


def _truth(
    painter: _Painter, cards: tuple[PlacedCard, ...], scale: float
) -> tuple[tuple[CardTruth, ...], tuple[IndexTruth, ...]]:
    canvas, camera = painter.canvas, painter.canvas.camera
    card_list, index_list = [], []

    def final(points: FloatArray) -> NDArray[np.float32]:
        return ((camera.distort(points) + 0.5) * scale - 0.5).astype(np.float32)

    for number, card in enumerate(cards):
        corners = camera.project(on_table(card, painter.size, CORNERS))
        label = None if card.text == "joker" else LABELS.index(card.text[0] + card.text[1].upper())
        seen, box = _seen(canvas.owner, corners, number)
        ends = final(box.reshape(2, 2) - 0.5).ravel() if seen else box.astype(np.float32)
        card_list.append(CardTruth(number, final(corners), card.face_up, label, seen, ends, card.pile, card.order))
        face = painter.sheets[number].face
        if not card.face_up or label is None or face is None:
            continue
        aspect = np.array([1.0, painter.size[0] / painter.size[1]])
        for mark in face.marks:
            where = mark.quad.astype(np.float64) + painter.shifts[number] * aspect
            quad = camera.project(on_table(card, painter.size, where))
            split = quad[[0, 1]] + (quad[[3, 2]] - quad[[0, 1]]) * RANK_PART
            parts = [_seen(canvas.owner, p, number)[0] for p in (
                quad, np.stack([quad[0], quad[1], split[1], split[0]]), np.stack([split[0], split[1], quad[2], quad[3]])
            )]  # fmt: skip
            index_list.append(IndexTruth(final(quad), mark.symbol, mark.suit, label, number, *parts))
    return tuple(card_list), tuple(index_list)


def _mark_outside(canvas: Canvas) -> None:
    """Pixels that the lens bends out of the picture are not visible."""
    camera = canvas.camera
    if not camera.barrel:
        return
    width, height = camera.size
    t = np.linspace(0, 1, 40)[:-1]
    border = np.concatenate(
        [
            np.stack([t * (width - 1), t * 0], 1),
            np.stack([t * 0 + width - 1, t * (height - 1)], 1),
            np.stack([(1 - t) * (width - 1), t * 0 + height - 1], 1),
            np.stack([t * 0, (1 - t) * (height - 1)], 1),
        ]
    )
    inside = np.zeros(canvas.owner.shape, np.uint8)
    cv2.fillPoly(inside, [np.round(camera.undistort(border)).astype(np.int32)], (1,))
    canvas.owner[inside == 0] = OUTSIDE


def _clutter(canvas: Canvas, spots: FloatArray, spec: SceneSpec, rng: np.random.Generator) -> None:
    """Things beside the cards (sometimes half under them)."""
    width, height = canvas.camera.size
    unit = max(0.1, float(np.hypot(*(canvas.camera.plane()[:2, 0]) / canvas.camera.plane()[2, 2])))
    for _ in range(spec.table.clutter):
        places = rng.uniform([0, 0], [width, height], (10, 2))
        near = np.hypot(*(places[:, None] - spots[None]).transpose(2, 0, 1)).min(axis=1) if len(spots) else np.ones(10)
        draw_thing(canvas, places[int(near.argmax())], unit, rng)


def _deal(spec: SceneSpec, deck: ReadyDeck, rng: np.random.Generator) -> Piles:
    piles = {name: list(texts) for name, texts in spec.position} or sample_piles(spec.table, rng)
    # A face whose index could not be located is not in the deck: it lies face down or not at all.
    return {
        name: [t for t in texts if t == "joker" or not t[-1].isupper() or LABELS.index(t) in deck.faces]
        for name, texts in piles.items()
    }


def _draw(painter: _Painter, cards: tuple[PlacedCard, ...], rng: np.random.Generator) -> None:
    canvas, spec = painter.canvas, painter.spec
    spots = canvas.camera.project(np.array([[c.x, c.y, 0] for c in cards])) if cards else np.zeros((0, 2))
    _clutter(canvas, spots, spec, rng)
    hidden = _hidden(cards)
    for number, (card, lift) in enumerate(zip(cards, _lifts(cards, rng), strict=True)):
        painter.card(number, card, lift, hidden[number])
    unit = max(0.1, float(np.hypot(*(canvas.camera.plane()[:2, 0]) / canvas.camera.plane()[2, 2])))
    for _ in range(spec.table.hands if len(spots) else 0):
        draw_hand(canvas, spots[int(rng.integers(len(spots)))] + rng.normal(0, 20, 2), unit, rng)
    _mark_outside(canvas)


def render_scene(seed: int, spec: SceneSpec, shelf: DeckShelf | None = None) -> Scene:
    """The picture that this seed and spec name. Give a shelf to keep decks in memory between calls."""
    shelf = shelf or DeckShelf()
    streams = [np.random.default_rng([seed, part]) for part in range(6)]
    deck = shelf.choose(spec.deck, spec.held_out, streams[0])
    piles = _deal(spec, deck, streams[1])
    sample = next(iter(deck.faces.values())).levels[0][1]
    wide = spec.table.card_height * sample.shape[1] / sample.shape[0]
    cards = place(spec.table, piles, wide, streams[2])
    view = spec.camera
    size = (round(view.width * view.soft), round(view.height * view.soft))
    camera = aim(view, _extent(cards, (wide, spec.table.card_height)), size)
    canvas = Canvas(_texture(spec, shelf, camera, streams[3]), camera)
    painter = _Painter(canvas, deck, _look(deck, spec, streams[0]), spec, streams[4])
    _draw(painter, cards, streams[4])
    light = to_linear(canvas.albedo)
    light *= light_map(spec.light, size, streams[3])
    if canvas.gleam is not None:
        light += canvas.gleam[..., None]
    light = through_lens(light, camera, view.fringe)
    photo = replace(spec.photo, defocus=spec.photo.defocus * max(size) / 1280)
    picture = finish(expose(light, photo, streams[5]), spec.photo, view)
    truths, indices = _truth(painter, cards, view.width / size[0])
    return Scene(picture, indices, truths, *layout_of(spec.table.kind.value, piles), seed, spec)


def _extent(cards: tuple[PlacedCard, ...], size: tuple[float, float]) -> FloatArray:
    """All corners of all cards; an empty table counts as one of 700 x 400 mm."""
    if not cards:
        return np.array([[x, y, 0.0] for x in (-350, 350) for y in (-200, 200)])
    return np.concatenate([on_table(card, size, CORNERS) for card in cards])
