"""A pin-hole camera over the table plane, and its lens.

Table coordinates are millimetres: x to the player's right, y towards the player, z up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kibitz.models.synth.spec import CameraSpec

FloatArray = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Camera:
    """Projects table points to pixels; `distort` then moves them as the lens does."""

    matrix: FloatArray
    size: tuple[int, int]
    eye: FloatArray
    barrel: float

    def project(self, points: FloatArray) -> FloatArray:
        """Pixels (N, 2) of table points (N, 3), before the lens."""
        flat = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(flat[:, :2] / flat[:, 2:3], dtype=np.float64)

    def plane(self, z: float = 0.0) -> FloatArray:
        """Homography (3, 3) from table millimetres at height z to pixels before the lens."""
        m = self.matrix
        return np.stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]], axis=1)

    def _radial(self, squared: FloatArray) -> FloatArray:
        width, height = self.size
        corner = (width**2 + height**2) / 4
        # The scale keeps every pixel of the photograph inside the drawn frame.
        edge = 1.0 if self.barrel >= 0 else min(width, height) ** 2 / 4 / corner
        return np.asarray((1 + self.barrel * squared / corner) / (1 + self.barrel * edge))

    def undistort(self, pixels: FloatArray) -> FloatArray:
        """Where in the drawn frame the photograph's pixels (..., 2) come from."""
        centre = (np.array(self.size) - 1) / 2
        rel = pixels - centre
        return centre + rel * self._radial((rel**2).sum(-1))[..., None]

    def distort(self, points: FloatArray) -> FloatArray:
        """Photograph pixels of drawn points (..., 2): the inverse of `undistort`, by iteration."""
        centre = (np.array(self.size) - 1) / 2
        rel = points - centre
        out = rel
        for _ in range(12 if self.barrel else 1):
            out = rel / self._radial((out**2).sum(-1))[..., None]
        return np.asarray(centre + out)


def _axes(spec: CameraSpec) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Right, down and forward of the picture in table coordinates (which are left-handed with z up)."""
    turn, tilt, roll = np.radians([spec.azimuth, spec.tilt, spec.roll])
    right = np.array([np.cos(turn), -np.sin(turn), 0.0])
    towards = np.array([np.sin(turn), np.cos(turn), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    forward = -(np.sin(tilt) * towards + np.cos(tilt) * up)
    down = np.cos(tilt) * towards - np.sin(tilt) * up
    return (np.cos(roll) * right + np.sin(roll) * down, np.cos(roll) * down - np.sin(roll) * right, forward)


def aim(spec: CameraSpec, points: FloatArray, size: tuple[int, int]) -> Camera:
    """A camera that sees the table points (N, 3), filling the share of the picture that the spec asks for."""
    right, down, forward = _axes(spec)
    width, height = size
    focal = width / 2 / np.tan(np.radians(spec.field_of_view) / 2) * (1.0 if width >= height else height / width)
    target = points.mean(axis=0)
    target[:2] = (points[:, :2].min(axis=0) + points[:, :2].max(axis=0)) / 2
    inner = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])

    def place(distance: float, centre: FloatArray) -> Camera:
        eye = centre - forward * distance
        turn = np.stack([right, down, forward])
        matrix = inner @ np.concatenate([turn, -(turn @ eye)[:, None]], axis=1)
        return Camera(matrix, size, eye, spec.barrel)

    low, high = 60.0, 20000.0
    reach = max(float(np.abs((points - target) @ forward).max()) + 30.0, low)
    low = reach
    for _ in range(40):
        middle = (low * high) ** 0.5
        seen = place(middle, target).project(points)
        span = seen.max(axis=0) - seen.min(axis=0)
        if max(span[0] / width, span[1] / height) > spec.fill:
            low = middle
        else:
            high = middle
    seen = place(high, target).project(points)
    off = (seen.max(axis=0) + seen.min(axis=0)) / 2 - np.array([width, height]) * (0.5 + np.array(spec.shift))
    inner[:2, 2] -= off
    return place(high, target)
