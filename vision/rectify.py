"""The table seen from above: a homography under which all cards have the same size and right angles.

Indices and coarse outlines each say a little about the camera's tilt; one robust fit over all of them says it well.
In the straightened plane a card is a rectangle of one known size, so grouping and layout can work with plain distances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.vision import geometry
from kibitz.vision.types import FloatArray

Doubles = npt.NDArray[np.float64]

INDEX_NOISE = 0.10
"""Relative error of an index's height, and of its right angle (radians)."""
OUTLINE_NOISE = 0.05
"""The same for an outline of the coarse network."""
CARD_ASPECT, ASPECT_NOISE = 0.36, 0.09
"""Log of a card's height over its width (1.43; bridge cards 1.54), and how well that is known."""
PRIOR_TILT = 0.35
"""Expected relative change of scale across half the picture; a camera straight above has none."""
LEAST_OBJECTS = 4
OUTLIER = 2.0
"""Residuals beyond this count by their size, no longer by its square."""
ROUNDS, STEP = 30, 1e-6


@dataclass(frozen=True, slots=True)
class TableFrame:
    """Plane of the table.

    Attributes:
        to_table: (3, 3) picture pixels -> straightened plane; near the picture's middle one unit is about one pixel.
        to_picture: its inverse.
    """

    to_table: Doubles
    to_picture: Doubles

    @staticmethod
    def identity() -> TableFrame:
        """A camera straight above."""
        return TableFrame(np.eye(3), np.eye(3))

    def flat(self, points: npt.NDArray[np.floating[npt.NBitBase]] | FloatArray) -> FloatArray:
        """(..., 2) picture points in the straightened plane."""
        return geometry.moved(points, self.to_table)

    def back(self, points: npt.NDArray[np.floating[npt.NBitBase]] | FloatArray) -> FloatArray:
        """(..., 2) points of the straightened plane in the picture."""
        return geometry.moved(points, self.to_picture)


def fit_table(size: tuple[int, int], indices: FloatArray, outlines: FloatArray) -> TableFrame:
    """The homography that makes indices equally high and cards equal rectangles.

    Args:
        size: width and height of the picture, pixels.
        indices: (N, 4, 2) index quads.
        outlines: (M, 4, 2) outlines of whole cards.
    """
    if len(indices) + 2 * len(outlines) < LEAST_OBJECTS:
        return TableFrame.identity()
    half = max(size) / 2
    middle = np.asarray(size, np.float64) / 2
    unit = np.asarray([[1 / half, 0, -middle[0] / half], [0, 1 / half, -middle[1] / half], [0, 0, 1]])
    small_indices = geometry.moved(indices, unit).astype(np.float64)
    small_outlines = geometry.moved(outlines, unit).astype(np.float64)
    start = np.zeros(7)
    start[4:] = _mean_logs(small_indices, small_outlines)
    best = _fitted(lambda values: _residuals(values, small_indices, small_outlines), start)
    to_table = np.linalg.inv(unit) @ _matrix(best[:4]) @ unit
    if not _is_sane(to_table, size):
        return TableFrame.identity()
    return TableFrame(to_table, np.linalg.inv(to_table))


def _fitted(residuals: Callable[[Doubles], Doubles], values: Doubles) -> Doubles:
    """Values of least robust cost, by damped least squares (Levenberg and Marquardt).

    Seven unknowns need no more than this; the library that has it takes half a second to import.
    """

    def cost_of(rest: Doubles) -> float:
        return float((np.sqrt(1 + (rest / OUTLIER) ** 2) - 1).sum())

    damping, rest = 1e-3, residuals(values)
    for _ in range(ROUNDS):
        slopes = np.stack([residuals(values + STEP * unit) for unit in np.eye(len(values))], axis=1)
        slopes = (slopes - rest[:, None]) / STEP
        weights = 1 / np.sqrt(1 + (rest / OUTLIER) ** 2)
        normal, gradient = (slopes.T * weights) @ slopes, (slopes.T * weights) @ rest
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -gradient)
        tried = residuals(values + step)
        if cost_of(tried) < cost_of(rest):
            values, rest, damping = values + step, tried, damping / 5
            if float(np.abs(step).max()) < 1e-5:
                break
        elif damping > 1e6:
            break
        else:
            damping *= 5
    return values


def _matrix(shape: Doubles) -> Doubles:
    """Homography of the tilt (two numbers), the shear and the log aspect."""
    tilt_x, tilt_y, shear, aspect = shape
    grow = np.exp(aspect / 2)
    return np.asarray([[grow, shear, 0], [0, 1 / grow, 0], [tilt_x, tilt_y, 1]], np.float64)


def _sides(quads: Doubles, matrix: Doubles) -> tuple[Doubles, Doubles]:
    """(N, 2) right and down vectors of the moved quads, in double precision, as the fit differentiates them."""
    flat = quads @ matrix[:, :2].T + matrix[:, 2]
    flat = flat[..., :2] / flat[..., 2:]
    right = (flat[:, 1] + flat[:, 2] - flat[:, 0] - flat[:, 3]) / 2
    return right, (flat[:, 3] + flat[:, 2] - flat[:, 0] - flat[:, 1]) / 2


def _mean_logs(indices: Doubles, outlines: Doubles) -> Doubles:
    """Start values: log height of an index, log width and log height of a card."""
    tall = np.log(np.maximum(geometry.heights(indices), 1e-6))
    wide, high = (
        np.log(np.maximum(geometry.widths(outlines), 1e-6)),
        np.log(np.maximum(geometry.heights(outlines), 1e-6)),
    )
    return np.asarray([np.median(part) if len(part) else -3.0 for part in (tall, wide, high)])


def _residuals(values: Doubles, indices: Doubles, outlines: Doubles) -> Doubles:
    matrix = _matrix(values[:4])
    parts = [values[:2] / PRIOR_TILT, values[2:4] / 0.5, (values[4:] + 3) / 5]
    parts.append((values[6:] - values[5] - CARD_ASPECT) / ASPECT_NOISE)
    right, down = _sides(indices, matrix)
    wide, tall = np.linalg.norm(right, axis=1) + 1e-9, np.linalg.norm(down, axis=1) + 1e-9
    parts.append((np.log(tall) - values[4]) / INDEX_NOISE)
    parts.append((right * down).sum(axis=1) / (wide * tall) / (2 * INDEX_NOISE))
    right, down = _sides(outlines, matrix)
    wide, tall = np.linalg.norm(right, axis=1) + 1e-9, np.linalg.norm(down, axis=1) + 1e-9
    parts.append((np.log(tall) - values[6]) / OUTLINE_NOISE)
    parts.append((np.log(wide) - values[5]) / OUTLINE_NOISE)
    parts.append((right * down).sum(axis=1) / (wide * tall) / OUTLINE_NOISE)
    return np.nan_to_num(np.concatenate(parts), nan=100.0, posinf=100.0, neginf=-100.0)


def _is_sane(matrix: Doubles, size: tuple[int, int]) -> bool:
    """Whether the whole picture lies on the near side of the horizon and no part is blown up absurdly."""
    width, height = size
    corners = np.asarray([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], np.float64)
    depth = corners @ matrix[2]
    return bool((depth > 0).all() and depth.max() < 6 * depth.min())
