"""Table tops, things lying about and hands, drawn from noise where no gathered pictures are at hand."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.synth import textures
from kibitz.models.synth.camera import Camera
from kibitz.models.synth.canvas import THING, Canvas

ByteArray = NDArray[np.uint8]
FloatArray = NDArray[np.floating]


def noise(size: tuple[int, int], cells: tuple[float, float], rng: np.random.Generator) -> NDArray[np.float32]:
    """Smooth noise of mean 0 and spread about 1, `cells` blobs across and down."""
    small = rng.standard_normal((max(2, round(cells[1])), max(2, round(cells[0]))), dtype=np.float32)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), dtype=np.float32)


_WOODS = np.array(
    [
        [0.42, 0.58, 0.72], [0.56, 0.70, 0.80], [0.62, 0.74, 0.82], [0.50, 0.66, 0.78], [0.72, 0.77, 0.80],
        [0.34, 0.47, 0.62], [0.22, 0.32, 0.48], [0.16, 0.25, 0.46], [0.12, 0.14, 0.17],
    ]
)  # fmt: skip
"""BGR of beech, pine, birch, oak, white lacquer, walnut, mahogany and black."""


def _wood(size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    width, height = size
    grain = noise(size, (width / 60, height / 2.2), rng) * 0.035 + noise(size, (width / 200, height / 9), rng) * 0.05
    rings = noise(size, (4, 6), rng) * 3 + np.linspace(0, rng.uniform(10, 40), height, dtype=np.float32)[:, None]
    value = grain + 0.03 * np.sin(rings * 2)
    planks = int(rng.choice([0, 0, 3, 6, 9]))
    for edge in np.linspace(0, height, planks + 1)[1:-1].astype(int) if planks else ():
        value[edge:] += rng.normal(0, 0.04)
        value[edge : edge + 2] -= 0.18
    base = _WOODS[int(rng.integers(len(_WOODS)))] * rng.uniform(0.8, 1.08)
    return (base * (1 + value[..., None] * np.array([1.3, 1.1, 1.0]))).astype(np.float32)


def _cloth(size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    width, height = size
    hue = np.array([[[rng.integers(0, 180), rng.integers(0, 150), rng.integers(30, 235)]]], np.uint8)
    base = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0] / 255.0
    folds = noise(size, (5, 4), rng) * rng.uniform(0, 0.09)
    fuzz = noise(size, (width / 2, height / 2), rng) * rng.uniform(0.01, 0.07)
    return (base * (1 + (folds + fuzz)[..., None])).astype(np.float32)


def _printed(size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """A patterned tablecloth: checks, stripes or red and black motifs."""
    out = _cloth(size, rng)
    width, height = size
    pitch = int(rng.integers(18, 120))
    second = np.array(rng.choice([[0.15, 0.12, 0.65], [0.1, 0.1, 0.1], [0.85, 0.85, 0.85], [0.5, 0.3, 0.15]]))
    xs, ys = np.arange(width) % pitch, np.arange(height) % pitch
    kind = rng.integers(3)
    if kind == 0:
        mask = ((xs[None, :] < pitch // 2).astype(np.float32) + (ys[:, None] < pitch // 2)) / 2
    elif kind == 1:
        mask = np.repeat((xs[None, :] < pitch // 3).astype(np.float32), height, axis=0)
    else:
        tile = np.zeros((pitch, pitch), np.uint8)
        for _ in range(3):
            spot = tuple(int(v) for v in rng.integers(0, pitch, 2))
            cv2.ellipse(
                tile, spot, (pitch // 5, pitch // 9), float(rng.uniform(0, 180)), 0, 360, (255,), -1, cv2.LINE_AA
            )
        mask = np.tile(tile, (height // pitch + 1, width // pitch + 1))[:height, :width] / 255.0
    return (out + mask[..., None].astype(np.float32) * (second - out) * rng.uniform(0.3, 1)).astype(np.float32)


def _carpet(size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """Short pile: coarse tufts in a narrow range of tones. Kept out of training."""
    width, height = size
    base = rng.uniform(0.25, 0.7) * (1 + rng.normal(0, 0.08, 3))
    tufts = noise(size, (width / 4, height / 4), rng) * 0.10 + noise(size, (width / 9, height / 9), rng) * 0.05
    return (base * (1 + tufts[..., None])).astype(np.float32)


def _marble(size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """Veined stone. Kept out of training."""
    bent = noise(size, (7, 7), rng) + 0.4 * noise(size, (25, 25), rng)
    veins = np.exp(-np.abs(bent) * rng.uniform(5, 14)) * rng.uniform(0.1, 0.4)
    base = np.array([0.8, 0.8, 0.8]) * rng.uniform(0.4, 1.05) * (1 + rng.normal(0, 0.05, 3))
    return (base * (1 - veins[..., None])).astype(np.float32)


def drawn_top(size: tuple[int, int], rng: np.random.Generator, kept_out: bool = False) -> ByteArray:
    """A table top (height, width, 3) made of noise; kinds kept out of training are only drawn when asked for."""
    kinds = (_carpet, _marble) if kept_out else (_wood, _wood, _cloth, _printed)
    out = (
        kinds[int(rng.integers(len(kinds)))](size, rng)
        + noise(size, (size[0] / 1.5, size[1] / 1.5), rng)[..., None] * 0.008
    )
    return np.clip(out * 255, 0, 255).astype(np.uint8)


def table_top(size: tuple[int, int], rng: np.random.Generator, cache: Path | None, kept_out: bool) -> ByteArray:
    """A table top; with gathered pictures in the cache more than half of the time one of `textures`."""
    if cache is not None and (cache / "textures").is_dir() and rng.random() < 0.6:
        return textures.table_top(rng, (size[1], size[0]), cache, kept_out)
    return drawn_top(size, rng, kept_out)


def lay_top(camera: Camera, top: ByteArray, scale: float, turn: float) -> ByteArray:
    """The frame showing nothing but the table top; `scale` is millimetres per texture pixel."""
    height, width = top.shape[:2]
    cos, sin = np.cos(np.radians(turn)) * scale, np.sin(np.radians(turn)) * scale
    inner = np.array([[camera.size[0] / 2, camera.size[1] / 2]])
    middle = cv2.perspectiveTransform(inner[None], np.linalg.inv(camera.plane()))[0, 0]
    to_table = np.array([[cos, -sin, middle[0]], [sin, cos, middle[1]], [0, 0, 1]]) @ np.array(
        [[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]]
    )
    matrix = camera.plane() @ to_table
    return cv2.warpPerspective(
        top, matrix, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    ).astype(np.uint8)


def _limb(canvas: Canvas, points: FloatArray, radius: float, colour: FloatArray, shadow: float) -> None:
    """A finger or a sleeve: a thick rounded line, lighter along its middle."""
    mask_box = canvas.box(points, radius * 1.6)
    if mask_box is None:
        return
    x0, y0, x1, y1 = mask_box
    shape = (y1 - y0, x1 - x0)
    line = [np.round((points - [x0, y0]) * 16).astype(np.int32)]
    dark = np.zeros(shape, np.uint8)
    moved = [np.round((points - [x0, y0] + radius * 0.5) * 16).astype(np.int32)]
    cv2.polylines(dark, moved, False, (255,), max(1, round(2 * radius)), cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(dark, (0, 0), max(0.6, radius * 0.35))
    region = canvas.albedo[y0:y1, x0:x1]
    region[:] = (region * (1 - shadow * soft[..., None].astype(np.float32) / 255)).astype(np.uint8)
    solid = np.zeros(shape, np.uint8)
    cv2.polylines(solid, line, False, (255,), max(1, round(2 * radius)), cv2.LINE_AA, 4)
    ridge = cv2.GaussianBlur(solid, (0, 0), max(0.6, radius * 0.6)).astype(np.float32) / 255
    layer = np.clip(colour * (0.55 + 0.55 * ridge[..., None]), 0, 255).astype(np.uint8)
    canvas.blend(mask_box, layer, solid, THING)


def draw_hand(canvas: Canvas, at: FloatArray, unit: float, rng: np.random.Generator) -> None:
    """A hand that reaches for the pixel `at` from the picture's edge; `unit` is pixels per millimetre."""
    height, width = canvas.owner.shape
    from_side = (
        np.array([rng.uniform(0, width), height * 1.1])
        if rng.random() < 0.7
        else np.array([width * float(rng.choice([-0.1, 1.1])), rng.uniform(0.2, 1) * height])
    )
    way = at - from_side
    way = way / (np.hypot(*way) + 1e-6)
    across = np.array([-way[1], way[0]])
    skin = np.array([120, 150, 205.0]) * rng.uniform(0.45, 1.05) * (1 + rng.normal(0, 0.05, 3))
    wrist = at - way * 150 * unit
    sleeve = np.array(rng.uniform(20, 200, 3)) if rng.random() < 0.6 else skin
    _limb(canvas, np.stack([wrist - way * 900 * unit, wrist]), 36 * unit, sleeve, 0.4)
    _limb(canvas, np.stack([wrist - way * 20 * unit, at - way * 85 * unit]), 30 * unit, skin, 0.4)
    for number in range(4):
        side = across * (number - 1.5) * 19 * unit
        reach = (rng.uniform(0.2, 1) if number else 1) * 78
        base = at - way * 80 * unit + side
        joint = base + way * reach * 0.55 * unit + across * rng.normal(0, 3) * unit
        _limb(canvas, np.stack([base, joint, base + way * reach * unit * 0.95]), 9.5 * unit, skin, 0.35)
    thumb = at - way * 100 * unit - across * 30 * unit
    _limb(canvas, np.stack([thumb, thumb + (way - 0.5 * across) * 50 * unit]), 11 * unit, skin, 0.35)


def _thing(rng: np.random.Generator) -> tuple[ByteArray, ByteArray, float]:
    """A mug, a telephone, a box or a note from above: picture, coverage, width in millimetres."""
    kind = int(rng.integers(4))
    side = 200
    image = np.full((side, side, 3), rng.uniform(10, 235, 3), np.uint8)
    alpha = np.zeros((side, side), np.uint8)
    if kind == 0:
        cv2.circle(alpha, (100, 100), 86, (255,), -1, cv2.LINE_AA)
        cv2.ellipse(alpha, (180, 100), (19, 30), 0, 0, 360, (255,), 9, cv2.LINE_AA)
        cv2.circle(image, (100, 100), 72, (20, 40, 70), -1, cv2.LINE_AA)
        return image, alpha, 95
    if kind == 1:
        cv2.rectangle(alpha, (52, 4), (148, 196), (255,), -1)
        image[:] = (28, 26, 24)
        cv2.rectangle(image, (57, 14), (143, 186), tuple(rng.uniform(8, 120, 3)), -1)
        return image, alpha, 150
    cv2.rectangle(alpha, (20, 40), (180, 160), (255,), -1)
    if kind == 2:
        image[:] = rng.uniform(200, 245, 3)
        for row in range(55, 150, 12):
            cv2.line(image, (30, row), (30 + int(rng.integers(40, 140)), row), (90, 60, 50), 2, cv2.LINE_AA)
    else:
        cv2.putText(
            image, "GAMES", (40, 110), cv2.FONT_HERSHEY_DUPLEX, 1.2, tuple(rng.uniform(0, 255, 3)), 3, cv2.LINE_AA
        )
    return image, alpha, float(rng.uniform(90, 200))


def draw_thing(
    canvas: Canvas, at: FloatArray, unit: float, rng: np.random.Generator, cutout: NDArray[np.uint8] | None = None
) -> None:
    """Something that lies on the table, with its shadow; `cutout` is a picture with coverage, else one is drawn."""
    if cutout is None:
        image, alpha, wide = _thing(rng)
    else:
        image, alpha, wide = cutout[..., :3], cutout[..., 3], float(rng.uniform(50, 170))
    height, width = alpha.shape
    angle, scale = np.radians(rng.uniform(0, 360)), wide * unit / max(width, height)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    matrix = np.array([[cos, -sin, 0], [sin, cos, 0]])
    matrix[:, 2] = at - matrix[:, :2] @ [width / 2, height / 2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ matrix[:, :2].T + matrix[:, 2]
    box = canvas.box(corners, 4)
    if box is None:
        return
    x0, y0, x1, y1 = box
    matrix[:, 2] -= [x0, y0]
    out = (x1 - x0, y1 - y0)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    if scale < 0.6:
        small = (max(2, round(width * scale)), max(2, round(height * scale)))
        image, alpha = cv2.resize(image, small, interpolation=way), cv2.resize(alpha, small, interpolation=way)  # type: ignore[assignment]
        matrix[:, :2] /= scale
    layer = cv2.warpAffine(image, matrix, out, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(alpha, matrix, out)
    shadow = cv2.GaussianBlur(
        cv2.warpAffine(cover, np.array([[1, 0, 6 * unit], [0, 1, 6 * unit]]), out), (0, 0), max(0.6, 3 * unit)
    )
    region = canvas.albedo[y0:y1, x0:x1]
    region[:] = (region * (1 - 0.45 * shadow[..., None].astype(np.float32) / 255)).astype(np.uint8)
    canvas.blend(box, layer.astype(np.uint8), cover.astype(np.uint8), THING)
