"""Table tops: photographs from the cache, and drawn ones (knotty boards, parquet, weaves, printed cloths, rugs, tiles).

`table_top(rng, (height, width), cache)` gives one picture; without a cache only drawn ones. `surroundings` draws
simpler tops of its own, so a scene has both.
"""

import itertools
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from kibitz.models.synth.decks import ByteArray
from kibitz.models.synth.photographs import picture_files, read_picture
from kibitz.models.synth.pips import drawn_pips

Field = npt.NDArray[np.float32]
_WOODS = (
    (150, 190, 222), (120, 170, 210), (90, 140, 190), (60, 100, 150), (40, 60, 100), (170, 200, 215),
    (70, 110, 140), (35, 45, 60), (110, 150, 180),
)  # fmt: skip


def table_top(rng: np.random.Generator, size: tuple[int, int], cache: Path | None, kept_out: bool = False) -> ByteArray:
    """One table top of (height, width)."""
    if cache is not None and (kept_out or rng.random() < 0.5):  # every drawn kind may be trained on
        files = picture_files(cache / "textures", kept_out)
        if files:
            return photographed(rng, size, read_picture(files[int(rng.integers(len(files)))]))
    kinds = (_boards, _boards, _parquet, _weave, _motifs, _rug, _tiles, _desk)
    field = kinds[int(rng.integers(len(kinds)))](rng, size)
    return np.clip(field, 0, 255).astype(np.uint8)


def photographed(rng: np.random.Generator, size: tuple[int, int], picture: ByteArray) -> ByteArray:
    """The picture, tiled in mirror image if it is small, turned, and in another light."""
    height, width = size
    scale = float(rng.uniform(0.7, 1.8)) * max(1.0, 0.45 * max(size) / max(picture.shape[:2]))
    tile = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.5:
        tile = np.ascontiguousarray(tile.transpose(1, 0, 2))
    ys = _mirror(height, tile.shape[0], int(rng.integers(tile.shape[0])))
    xs = _mirror(width, tile.shape[1], int(rng.integers(tile.shape[1])))
    top = tile[ys[:, None], xs[None, :]].astype(np.float32)
    grey = top.mean(axis=2, keepdims=True)
    top = grey + (top - grey) * rng.uniform(0.3, 1.2)
    top = (top - top.mean()) * rng.uniform(0.5, 1.1) + top.mean() * rng.uniform(0.6, 1.25)
    return np.clip(top * rng.uniform(0.9, 1.1, 3).astype(np.float32), 0, 255).astype(np.uint8)


def _mirror(length: int, period: int, start: int) -> npt.NDArray[np.intp]:
    place = (np.arange(length) + start) % (2 * period)
    return np.minimum(place, 2 * period - 1 - place)


def _noise(rng: np.random.Generator, size: tuple[int, int], cells: tuple[float, float]) -> Field:
    """Smooth noise, so many cells down and across."""
    small = rng.standard_normal((max(2, int(cells[0])), max(2, int(cells[1]))), dtype=np.float32)
    return np.asarray(cv2.resize(small, size[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _wood_colour(rng: np.random.Generator) -> Field:
    base = np.array(_WOODS[int(rng.integers(len(_WOODS)))], np.float32)
    return base * rng.uniform(0.8, 1.1) * rng.uniform(0.95, 1.05, 3).astype(np.float32)


def _grain(rng: np.random.Generator, size: tuple[int, int], knots: int) -> Field:
    """Wood grain along x with knots, mean about 0."""
    height, width = size
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    bend = _noise(rng, size, (3, 5)) * height * 0.05
    dark = np.zeros(size, np.float32)
    for _ in range(knots):
        x, y, r = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0.02, 0.06) * height
        near = np.exp(-(((xs - x) / (2.5 * r)) ** 2 + ((ys - y) / r) ** 2))
        bend += near * r * 3 * np.sign(ys - y + 1e-3)
        dark += np.exp(-(((xs - x) / r) ** 2 + ((ys - y) / (0.8 * r)) ** 2) * 2)
    waves = np.sin((ys + bend) / height * rng.uniform(40, 160)) * 0.05
    return (waves + _noise(rng, size, (height / 2, width / 60)) * 0.03 - 0.45 * dark).astype(np.float32)


def _boards(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """Planks with joints, knots and their own tones."""
    height, width = size
    count = int(rng.integers(1, 8))
    colour, top = _wood_colour(rng), np.zeros((height, width, 3), np.float32)
    edges = np.linspace(0, height, count + 1).astype(int)
    whole = _grain(rng, size, int(rng.integers(0, 9)))
    for y0, y1 in itertools.pairwise(edges):
        value = np.roll(whole, int(rng.integers(width)), axis=1)[y0:y1]
        top[y0:y1] = colour * (1 + rng.normal(0, 0.05) + value[..., None])
    for y in edges[1:-1]:
        gap = int(rng.integers(1, 4))
        top[y : y + gap] *= rng.uniform(0.2, 0.7)
    if rng.random() < 0.5:
        top[:] = cv2.resize(np.ascontiguousarray(top.transpose(1, 0, 2)), (width, height))
    return top


def _parquet(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """Squares of laths, laid crosswise."""
    height, width = size
    side = max(24, int(min(size) * rng.uniform(0.1, 0.35)))
    colour, laths = _wood_colour(rng), int(rng.integers(3, 7))
    tiles = []
    for _ in range(4):
        tile = np.repeat(rng.normal(1, 0.06, (laths, 1)), -(-side // laths), axis=0)[:side] + _grain(
            rng, (side, side), 0
        )
        tile[:: max(2, side // laths)] *= 0.8
        tiles.append(tile.astype(np.float32))
    rows = []
    for row in range(-(-height // side)):
        cells = [tiles[int(rng.integers(4))] for _ in range(-(-width // side))]
        rows.append(np.hstack([cell.T if (row + place) % 2 else cell for place, cell in enumerate(cells)]))
    return np.asarray(np.vstack(rows)[:height, :width, None] * colour, np.float32)


def _any_colour(rng: np.random.Generator, low: int = 20, high: int = 235) -> Field:
    hsv = np.array([[[rng.integers(0, 180), rng.integers(0, 200), rng.integers(low, high)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _weave(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """Cloth whose threads show: baize, linen, denim."""
    height, width = size
    pitch = int(rng.integers(2, 9))
    ys, xs = np.arange(height)[:, None] // pitch, np.arange(width)[None, :] // pitch
    check = ((xs + ys) % 2).astype(np.float32) - 0.5
    threads = _noise(rng, size, (height / pitch, 6)) * 0.04 + _noise(rng, size, (6, width / pitch)) * 0.04
    value = 1 + check * rng.uniform(0, 0.14) + threads + _noise(rng, size, (5, 6)) * rng.uniform(0, 0.08)
    second = _any_colour(rng) if rng.random() < 0.3 else None
    top = value[..., None] * _any_colour(rng)
    return np.where(check[..., None] > 0, top, value[..., None] * second) if second is not None else top


def _motifs(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """A printed tablecloth: hearts, lozenges, clovers, dots and figures in red, black and others, near card size."""
    height, width = size
    top = _weave(rng, size)
    masks = [*drawn_pips()]
    step = int(min(size) * rng.uniform(0.06, 0.22)) + 8
    inks = [(30, 25, 190), (20, 20, 20), *(tuple(int(v) for v in _any_colour(rng)) for _ in range(2))]
    chosen = [(int(rng.integers(6)), inks[int(rng.integers(len(inks)))]) for _ in range(int(rng.integers(1, 4)))]
    for row, y in enumerate(range(0, height, step)):
        for column, x in enumerate(range((row % 2) * step // 2, width, step)):
            kind, ink = chosen[(row * 3 + column) % len(chosen)]
            spot = int(step * 0.55)
            area = top[y : y + spot, x : x + spot]
            if kind < 4:
                mask = cv2.resize(masks[kind], (spot, spot), interpolation=cv2.INTER_AREA)[
                    : area.shape[0], : area.shape[1]
                ]
                area[:] = area * (1 - mask[..., None]) + np.array(ink, np.float32) * mask[..., None]
            elif kind == 4:
                cv2.circle(top, (x + spot // 2, y + spot // 2), spot // 3, ink, -1, cv2.LINE_AA)
            else:
                _letter(area, "A2K35Q"[(row + column) % 6], ink)
    if rng.random() < 0.4:
        for x in range(0, width, step):
            cv2.line(top, (x, 0), (x, height), inks[int(rng.integers(4))], max(1, step // 12))
    return top


def _letter(area: Field, letter: str, ink: tuple[int, ...]) -> None:
    """One figure over the area; OpenCV writes on bytes only."""
    height, width = area.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    cv2.putText(mask, letter, (0, height - 2), cv2.FONT_HERSHEY_DUPLEX, height / 30, (255,), 2, cv2.LINE_AA)
    share = mask[..., None].astype(np.float32) / 255
    area[:] = area * (1 - share) + np.array(ink, np.float32) * share


def _rug(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """Ornaments mirrored both ways over short pile."""
    height, width = size
    tile = int(min(size) * rng.uniform(0.15, 0.5)) + 16
    quarter = np.empty((tile, tile, 3), np.float32)
    quarter[:] = _any_colour(rng, 20, 160)
    for _ in range(int(rng.integers(6, 18))):
        at, axes = rng.integers(0, tile, 2), rng.integers(2, max(3, tile // 4), 2)
        ink = tuple(float(v) for v in _any_colour(rng))
        cv2.ellipse(
            quarter,
            at.tolist(),
            axes.tolist(),
            float(rng.uniform(0, 180)),
            0,
            360,
            ink,
            int(rng.choice([-1, 1, 3])),
            cv2.LINE_AA,
        )
    whole = np.vstack([np.hstack([quarter, quarter[:, ::-1]]), np.hstack([quarter[::-1], quarter[::-1, ::-1]])])
    top = np.tile(whole, (-(-height // (2 * tile)), -(-width // (2 * tile)), 1))[:height, :width]
    return top * (1 + _noise(rng, size, (height / 3, width / 3)) * 0.09)[..., None]


def _tiles(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """Glazed or stone tiles with joints."""
    height, width = size
    side = max(30, int(min(size) * rng.uniform(0.15, 0.5)))
    bent = _noise(rng, size, (6, 8)) + 0.4 * _noise(rng, size, (30, 40))
    veins = np.exp(-np.abs(bent) * rng.uniform(4, 12)) * rng.uniform(0, 0.35)
    top = _any_colour(rng, 90, 245) * (1 - veins[..., None])
    joint, thick = _any_colour(rng, 60, 220), int(rng.integers(1, 6))
    for y in range(0, height, side):
        top[y : y + thick] = joint
    for x in range(0, width, side):
        top[:, x : x + thick] = joint
    return np.asarray(top, np.float32)


def _desk(rng: np.random.Generator, size: tuple[int, int]) -> Field:
    """A plain board with a glossy gradient, perhaps with a mat or a second board on it."""
    height, width = size
    ys, xs = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j].astype(np.float32)
    shine = np.exp(
        -(((xs - rng.uniform(0, 1)) * rng.uniform(1, 4)) ** 2) - ((ys - rng.uniform(0, 1)) * rng.uniform(1, 4)) ** 2
    )
    top = np.empty((height, width, 3), np.float32)
    top[:] = _any_colour(rng, 15, 245)
    if rng.random() < 0.5:
        x, y = int(rng.uniform(0, 0.4) * width), int(rng.uniform(0, 0.4) * height)
        top[y : y + int(height * rng.uniform(0.4, 0.9)), x : x + int(width * rng.uniform(0.4, 0.9))] = _any_colour(
            rng, 15, 150
        )
    return (
        top
        + shine[..., None] * rng.uniform(0, 70)
        + (_noise(rng, size, (height / 2, width / 2)) * rng.uniform(0, 4))[..., None]
    )
