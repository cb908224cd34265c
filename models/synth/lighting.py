"""Light on the table: gradients, lamp, window, soft shadows, and the gleam of lacquered cards."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.synth.camera import Camera
from kibitz.models.synth.spec import LightSpec

FloatArray = NDArray[np.float32]


def _smooth(value: FloatArray) -> FloatArray:
    clipped = np.clip(value, 0, 1)
    return np.asarray(clipped * clipped * (3 - 2 * clipped), dtype=np.float32)


def _window(xs: FloatArray, ys: FloatArray, rng: np.random.Generator) -> FloatArray:
    """A patch of window light with bars, its edges more or less sharp."""
    angle = rng.uniform(0, np.pi)
    u = xs * np.cos(angle) + ys * np.sin(angle) - rng.uniform(-0.5, 0.5)
    v = ys * np.cos(angle) - xs * np.sin(angle) - rng.uniform(-0.5, 0.5) + rng.normal(0, 0.3) * u
    edge = rng.uniform(0.01, 0.12)
    wide, high = rng.uniform(0.25, 0.9, 2)
    patch = _smooth((wide - np.abs(u)) / edge) * _smooth((high - np.abs(v)) / edge)
    if rng.random() < 0.5:
        patch *= 1 - _smooth((0.03 + edge / 3 - np.abs(u)) / (edge / 2 + 0.01))
    return np.asarray(patch, dtype=np.float32)


def _shadow(xs: FloatArray, ys: FloatArray, rng: np.random.Generator) -> FloatArray:
    """The shadow of a head, an arm or a tripod leg."""
    edge = rng.uniform(0.02, 0.4)
    angle = rng.uniform(0, 2 * np.pi)
    u = xs * np.cos(angle) + ys * np.sin(angle)
    v = ys * np.cos(angle) - xs * np.sin(angle) - rng.uniform(-0.7, 0.7)
    if rng.random() < 0.5:
        radius = np.hypot((u - rng.uniform(0.2, 1.2)) / rng.uniform(0.8, 1.6), v)
        return _smooth((rng.uniform(0.3, 0.8) - radius) / edge)
    return _smooth((rng.uniform(0.04, 0.3) - np.abs(v)) / edge) * _smooth((u - rng.uniform(-1, 0.3)) / edge)


def light_map(spec: LightSpec, size: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    """Illumination (h, w, 3) for the frame, about 1 in the middle."""
    width, height = size
    small = (max(24, width // 6), max(24, height // 6))
    xs = np.linspace(-1, 1, small[0], dtype=np.float32)[None, :] * np.float32(width / max(width, height))
    ys = np.linspace(-1, 1, small[1], dtype=np.float32)[:, None] * np.float32(height / max(width, height))
    xs, ys = np.broadcast_arrays(xs, ys)
    angle = rng.uniform(0, 2 * np.pi)
    base = 1 + spec.gradient * (xs * np.cos(angle) + ys * np.sin(angle))
    second = np.zeros_like(base)
    if spec.lamp:
        centre = rng.uniform(-0.8, 0.8, 2)
        second += spec.lamp * np.exp(-((xs - centre[0]) ** 2 + (ys - centre[1]) ** 2) / rng.uniform(0.15, 1.2))
    if spec.window:
        second += spec.window * _window(xs, ys, rng)
    if spec.shadow:
        base = base * (1 - spec.shadow * _shadow(xs, ys, rng))
    tint = np.exp(spec.warmth * np.array([-0.45, -0.05, 0.3]))
    light = base[..., None] + second[..., None] * tint
    centre_light = float(np.median(light[small[1] // 3 : 2 * small[1] // 3, small[0] // 3 : 2 * small[0] // 3]))
    return np.asarray(cv2.resize(light.astype(np.float32) / centre_light, size), dtype=np.float32)


class Gleam:
    """The lamp's mirror image in lacquered cards: each card tips a little differently, so each gleams elsewhere."""

    def __init__(self, spec: LightSpec, camera: Camera, rng: np.random.Generator) -> None:
        """A lamp somewhere over the table."""
        self.strength = spec.gloss
        self.rng = rng
        width, height = camera.size
        self.spot = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        self.radius = float(rng.uniform(0.04, 0.25)) * max(width, height)
        self.stretch = float(rng.uniform(0.4, 1.0))
        self.sway = 0.12 * max(width, height)

    def on(self, box: tuple[int, int, int, int]) -> FloatArray | None:
        """Light added within the box (x0, y0, x1, y1) of one card; None where the lamp is not seen."""
        if not self.strength:
            return None
        spot = self.spot + self.rng.normal(0, self.sway, 2)
        angle = self.rng.uniform(0, np.pi)
        x0, y0, x1, y1 = box
        if not (x0 - 2 * self.radius < spot[0] < x1 + 2 * self.radius):
            return None
        if not (y0 - 2 * self.radius < spot[1] < y1 + 2 * self.radius):
            return None
        xs = np.arange(x0, x1, dtype=np.float32)[None, :] - np.float32(spot[0])
        ys = np.arange(y0, y1, dtype=np.float32)[:, None] - np.float32(spot[1])
        u = xs * np.float32(np.cos(angle)) + ys * np.float32(np.sin(angle))
        v = (ys * np.float32(np.cos(angle)) - xs * np.float32(np.sin(angle))) / np.float32(self.stretch)
        return np.asarray(self.strength * np.exp(-(u * u + v * v) / np.float32(self.radius**2)), dtype=np.float32)
