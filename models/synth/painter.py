"""Draws the placed cards of one scene: print, paper, wear, edges, shadows and gleam."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.cards import LABELS
from kibitz.models.synth.canvas import CORNERS, Canvas, edge_polygon, on_table
from kibitz.models.synth.lighting import Gleam
from kibitz.models.synth.placement import PlacedCard
from kibitz.models.synth.shelf import ReadyDeck, Sheet
from kibitz.models.synth.spec import TWO_DECKS, SceneSpec
from kibitz.models.synth.surroundings import noise

FloatArray = NDArray[np.floating]
ByteArray = NDArray[np.uint8]


@dataclass(slots=True)
class Look:
    """How this deck is printed, lit and worn in this scene."""

    ink: FloatArray
    edge: tuple[float, float, float]
    shadow_way: FloatArray
    backs: tuple[int, int]
    shift: float
    wear: float
    linen: float


def _ink(rng: np.random.Generator) -> FloatArray:
    """Affine colour map (3, 4) from drawn to printed: off-white paper, ink that is not black, crimson or orange red."""
    paper = 250 * (1 - np.abs(rng.normal(0, 0.02, 3)) - np.array([abs(rng.normal(0, 0.04)), 0.01, 0]))
    black = rng.uniform(12, 62) * np.exp(rng.normal(0, 0.06, 3) + np.array([0.1, -0.05, 0.0]))
    red = np.array([rng.uniform(25, 110), rng.uniform(20, 75), rng.uniform(165, 225)])
    blue = np.array([rng.uniform(100, 170), rng.uniform(60, 95), rng.uniform(30, 70)])
    drawn = np.array([[255, 255, 255, 1], [15, 15, 15, 1], [35, 25, 212, 1], [150, 75, 35, 1.0]])
    return np.linalg.solve(drawn, np.stack([paper, black, red, blue])).T


def look_of(deck: ReadyDeck, spec: SceneSpec, rng: np.random.Generator) -> Look:
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
        wear=float(rng.choice([0, 0.008, 0.025])),
        linen=float(rng.choice([0, 0.03])),
    )


class Painter:
    """Draws the placed cards of one scene."""

    def __init__(self, canvas: Canvas, deck: ReadyDeck, look: Look, spec: SceneSpec, rng: np.random.Generator) -> None:
        self.canvas, self.deck, self.look, self.spec, self.rng = canvas, deck, look, spec, rng
        sample = next(iter(deck.faces.values())).levels[0][1]
        height = spec.table.card_height
        self.size = (height * sample.shape[1] / sample.shape[0], height)
        self.gleam = Gleam(spec.light, canvas.camera, rng)
        self.blank = Sheet([(np.full((*sample.shape, 3), 252, np.uint8), sample)])
        self.sheets: list[Sheet] = []
        self.shifts: list[FloatArray] = []

    def sheet(self, card: PlacedCard) -> Sheet:
        """The side that shows."""
        if card.text == "blank":
            return self.blank
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
        self.canvas.shade(np.asarray(hull, np.float32), max(0.7, (0.35 + 0.25 * lift) * unit), strength)

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
        printed = np.asarray(cv2.transform(layer, self.look.ink), np.uint8)
        layer = self._worn(printed, tall / 2)
        if bent:
            layer = self._curved(layer)
        canvas.blend(box, layer, cover, number)
        canvas.add_gleam(box, self.gleam.on(box), cover)

    def _printed(self, level: tuple[ByteArray, ByteArray], shift: FloatArray) -> tuple[ByteArray, ByteArray]:
        """The side, a little off centre on its paper."""
        if not shift.any():
            return level
        image, alpha = level
        move = shift * alpha.shape[1]
        matrix = np.array([[1, 0, move[0]], [0, 1, move[1]]])
        return cv2.warpAffine(image, matrix, alpha.shape[::-1], borderMode=cv2.BORDER_REPLICATE).astype(np.uint8), alpha

    def _worn(self, layer: ByteArray, tall: float) -> ByteArray:
        """Uneven paper: dirt, a slight tone of its own, and linen where the picture is close enough to show it."""
        tone = float(1 + self.rng.normal(0, 0.018))
        if not self.look.wear:
            return cv2.convertScaleAbs(layer, None, tone).astype(np.uint8)
        height, width = layer.shape[:2]
        dirt = noise((width, height), (4, 5), self.rng) * np.float32(self.look.wear)
        if tall > 260 and self.look.linen:
            xs, ys = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
            pitch = np.float32(2 * np.pi * 90 / tall)
            dirt += np.float32(self.look.linen) * (np.sin(xs * pitch)[None, :] * np.sin(ys * pitch)[:, None])
        factor = np.float32(tone) + dirt
        return np.clip(layer * factor[..., None], 0, 255).astype(np.uint8)

    def _curved(self, layer: NDArray[np.uint8]) -> ByteArray:
        """Light that changes along a bent card."""
        height, width = layer.shape[:2]
        slope = self.rng.normal(0, 0.10, 2)
        xs = np.linspace(-1, 1, width, dtype=np.float32)[None, :, None]
        ys = np.linspace(-1, 1, height, dtype=np.float32)[:, None, None]
        factor = 1 + np.float32(slope[0]) * xs + np.float32(slope[1]) * ys
        return np.clip(layer * factor, 0, 255).astype(np.uint8)
