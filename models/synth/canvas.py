"""Draws cards, shadows and things onto the frame, and remembers what covers which pixel."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.synth.camera import Camera
from kibitz.models.synth.placement import PAPER, PlacedCard

ByteArray = NDArray[np.uint8]
FloatArray = NDArray[np.floating]
TABLE, THING, OUTSIDE = -1, -2, -3
"""What owns a pixel, where it is no card."""


def rise(bend: tuple[float, float, float], uv: FloatArray) -> FloatArray:
    """Height in millimetres of a bent card above its flat place, at card coordinates 0..1."""
    u, v = uv[..., 0] * 2 - 1, uv[..., 1] * 2 - 1
    ends, edges, corner = bend
    lift = abs(ends) * (v * v if ends > 0 else 1 - v * v) + abs(edges) * (u * u if edges > 0 else 1 - u * u)
    return np.asarray(lift + corner * np.clip((u + v - 0.6) / 1.4, 0, None) ** 2)


def on_table(card: PlacedCard, size: tuple[float, float], uv: FloatArray) -> FloatArray:
    """Table points (..., 3) of card coordinates 0..1 (x right, y down on the upright card)."""
    dx, dy = (uv[..., 0] - 0.5) * size[0], (uv[..., 1] - 0.5) * size[1]
    turn = np.radians(card.angle)
    x = card.x + dx * np.cos(turn) - dy * np.sin(turn)
    y = card.y + dx * np.sin(turn) + dy * np.cos(turn)
    lift = rise(card.bend, uv) if any(card.bend) else np.zeros_like(x)
    return np.stack([x, y, card.z + lift], axis=-1)


CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64)


class Canvas:
    """The frame being drawn, before light and lens."""

    def __init__(self, background: ByteArray, camera: Camera) -> None:
        """Start from the bare table."""
        self.albedo = background
        self.camera = camera
        self.gleam: NDArray[np.float32] | None = None
        height, width = background.shape[:2]
        self.owner = np.full((height, width), TABLE, np.int16)

    def box(self, points: FloatArray, margin: float) -> tuple[int, int, int, int] | None:
        """Pixel box round the points, inside the frame; None if they are all outside."""
        height, width = self.owner.shape
        low, high = np.floor(points.min(axis=0) - margin), np.ceil(points.max(axis=0) + margin + 1)
        x0, y0 = int(max(0, low[0])), int(max(0, low[1]))
        x1, y1 = int(min(width, high[0])), int(min(height, high[1]))
        return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None

    def shade(self, polygon: FloatArray, blur: float, strength: float) -> None:
        """Darken what lies under a soft-edged polygon."""
        box = self.box(polygon, 2.5 * blur + 1)
        if box is None or strength <= 0:
            return
        x0, y0, x1, y1 = box
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        points = np.round((polygon - [x0, y0]) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, points, (255,), cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(mask, (0, 0), max(blur, 0.5))
        factor = cv2.convertScaleAbs(soft, None, -strength, 255.0)
        region = self.albedo[y0:y1, x0:x1]
        cv2.multiply(region, cv2.merge([factor, factor, factor]), region, 1 / 255)

    def fill(self, polygon: FloatArray, colour: tuple[float, float, float], owner: int) -> None:
        """A plain convex shape: the edge of a pile, a sleeve."""
        box = self.box(polygon, 1)
        if box is None:
            return
        x0, y0, x1, y1 = box
        points = np.round((polygon - [x0, y0]) * 16).astype(np.int32)
        cv2.fillConvexPoly(self.albedo[y0:y1, x0:x1], points, colour, cv2.LINE_AA, 4)
        view = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(view, points, (1,), cv2.LINE_8, 4)
        self.owner[y0:y1, x0:x1][view > 0] = owner

    def blend(self, box: tuple[int, int, int, int], layer: ByteArray, alpha: ByteArray, owner: int) -> None:
        """Lay a picture over the box."""
        x0, y0, x1, y1 = box
        region = self.albedo[y0:y1, x0:x1]
        weight = alpha.astype(np.float32) * np.float32(1 / 255)
        region[:] = cv2.blendLinear(layer, np.ascontiguousarray(region), weight, 1 - weight)
        self.owner[y0:y1, x0:x1][alpha > 127] = owner

    def add_gleam(self, box: tuple[int, int, int, int], gleam: NDArray[np.float32] | None, alpha: ByteArray) -> None:
        """A card's mirror light replaces that of what it covers."""
        if self.gleam is None:
            if gleam is None:
                return
            self.gleam = np.zeros(self.owner.shape, np.float32)
        x0, y0, x1, y1 = box
        region = self.gleam[y0:y1, x0:x1]
        weight = alpha.astype(np.float32) * np.float32(1 / 255)
        region *= 1 - weight
        if gleam is not None:
            region += gleam * weight

    def warp_flat(
        self,
        card: PlacedCard,
        size: tuple[float, float],
        sheet: tuple[ByteArray, ByteArray],
        box: tuple[int, int, int, int],
    ) -> tuple[ByteArray, ByteArray]:
        """Picture and coverage of a flat card within the box."""
        image, alpha = sheet
        height, width = alpha.shape
        turn = np.radians(card.angle)
        sx, sy = size[0] / width, size[1] / height
        cos, sin = np.cos(turn), np.sin(turn)
        to_table = np.array(
            [
                [cos * sx, -sin * sy, card.x - cos * size[0] / 2 + sin * size[1] / 2],
                [sin * sx, cos * sy, card.y - sin * size[0] / 2 - cos * size[1] / 2],
                [0, 0, 1],
            ]
        ) @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        x0, y0, x1, y1 = box
        matrix = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ self.camera.plane(card.z) @ to_table
        out = (x1 - x0, y1 - y0)
        layer = cv2.warpPerspective(image, matrix, out, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpPerspective(alpha, matrix, out, flags=cv2.INTER_LINEAR)
        return layer.astype(np.uint8, copy=False), cover.astype(np.uint8, copy=False)

    def warp_bent(
        self,
        card: PlacedCard,
        size: tuple[float, float],
        sheet: tuple[ByteArray, ByteArray],
        box: tuple[int, int, int, int],
    ) -> tuple[ByteArray, ByteArray]:
        """The same for a bent card: the map back to the face is found by iteration on a coarse grid."""
        image, alpha = sheet
        height, width = alpha.shape
        flat = PlacedCard(card.text, card.pile, card.order, card.x, card.y, card.z, card.angle)
        corners = self.camera.project(on_table(flat, size, CORNERS))
        back = cv2.getPerspectiveTransform(corners.astype(np.float32), CORNERS.astype(np.float32))
        x0, y0, x1, y1 = box
        step = 6
        grid = np.stack(np.meshgrid(np.arange(x0, x1 + step, step), np.arange(y0, y1 + step, step)), axis=-1)
        pixels = grid.reshape(-1, 2).astype(np.float64)

        def to_card(points: FloatArray) -> FloatArray:
            return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float64), back)[0])

        uv = to_card(pixels)
        for _ in range(4):
            near = np.clip(uv, -0.3, 1.3)
            moved = self.camera.project(on_table(card, size, near)) - self.camera.project(on_table(flat, size, near))
            uv = to_card(pixels - moved)
        source = (uv * [width, height] - 0.5).astype(np.float32).reshape(*grid.shape[:2], 2)
        scale = np.array([[1 / step, 0, 0], [0, 1 / step, 0]])
        where = cv2.warpAffine(
            source,
            scale,
            (x1 - x0, y1 - y0),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        layer = cv2.remap(image, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        cover = cv2.remap(alpha, where, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
        return layer, cover


def edge_polygon(camera: Camera, card: PlacedCard, size: tuple[float, float]) -> tuple[FloatArray, float]:
    """Outline of the card together with its thickness below, and how many pixels that thickness shows."""
    top = on_table(card, size, CORNERS)
    low = top.copy()
    low[:, 2] -= PAPER
    above, below = camera.project(top), camera.project(low)
    hull = cv2.convexHull(np.concatenate([above, below]).astype(np.float32))[:, 0]
    return np.asarray(hull, np.float32), float(np.abs(above - below).max())
