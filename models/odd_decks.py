"""Decks that no network was trained for, drawn here: used to measure what `kibitz enrol` is worth.

Each is an ordinary deck with its corner indices printed anew: figures nobody uses for cards, or invented suit signs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np

from kibitz.engine.errors import KibitzError
from kibitz.models.synth.decks import ByteArray, Deck, Face, FloatArray, IndexMark
from kibitz.models.synth.plain_deck import pip

INK, RED_INK, PAPER = (28, 24, 24), (40, 30, 200), 250
DRAWN = 160
"""Pixels of a figure before it is fitted."""
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII")
GREEK = tuple("ΑΒΓΔΕΖΗΘΙΛΞΣΩ")
NUMBERS = tuple(map(str, range(1, 14)))
LATIN = ("A", *map(str, range(2, 11)), "J", "Q", "K")


class OddDeckError(KibitzError):
    """An odd deck was asked for that there is not."""


def _text(text: str) -> ByteArray:
    canvas = np.zeros((2 * DRAWN, (1 + len(text)) * DRAWN), np.uint8)
    cv2.putText(canvas, text, (DRAWN // 2, int(1.5 * DRAWN)), (255,), cv2.FontFace("uni"), DRAWN, 700)
    return _tight(canvas)


def _strokes(rank: int) -> ByteArray:
    """An invented figure: a few thick strokes between points of a grid, the same every time."""
    rng = np.random.default_rng([6021, rank])
    grid = np.asarray([(x, y) for y in range(4) for x in range(3)]) * 50 + 20
    canvas = np.zeros((2 * DRAWN, 2 * DRAWN), np.uint8)
    way = rng.permutation(len(grid))[: int(rng.integers(4, 6))]
    cv2.polylines(canvas, [grid[way].astype(np.int32)], bool(rank % 2), (255,), 16, cv2.LINE_AA)
    if rank % 3 == 0:
        cv2.circle(canvas, tuple(map(int, grid[int(rng.integers(len(grid)))])), 18, (255,), -1, cv2.LINE_AA)
    return _tight(canvas)


def _tight(canvas: ByteArray) -> ByteArray:
    x, y, w, h = cv2.boundingRect(canvas)
    return canvas[y : y + h, x : x + w]


def _sign(suit: int) -> ByteArray:
    """An invented suit sign: ring, cross, wave, arrow."""
    canvas = np.zeros((DRAWN, DRAWN), np.uint8)
    middle = DRAWN // 2
    if suit == 0:
        cv2.circle(canvas, (middle, middle), 60, (255,), 26, cv2.LINE_AA)
    elif suit == 1:
        cv2.line(canvas, (20, 20), (140, 140), (255,), 30, cv2.LINE_AA)
        cv2.line(canvas, (140, 20), (20, 140), (255,), 30, cv2.LINE_AA)
    elif suit == 2:
        for top in (20, 75):
            cv2.ellipse(canvas, (50, top + 30), (30, 25), 0, 180, 360, (255,), 20, cv2.LINE_AA)
            cv2.ellipse(canvas, (110, top + 30), (30, 25), 0, 0, 180, (255,), 20, cv2.LINE_AA)
    else:
        cv2.fillPoly(canvas, [np.asarray([[80, 8], [146, 86], [14, 86]], np.int32)], (255,), cv2.LINE_AA)
        cv2.rectangle(canvas, (60, 80), (100, 152), (255,), -1)
    return _tight(canvas)


def _usual(suit: int) -> ByteArray:
    return pip(suit, DRAWN)


FIGURES: Mapping[str, tuple[Callable[[int], ByteArray], Callable[[int], ByteArray]]] = {
    "strokes": (_strokes, _usual),
    "roman": (lambda rank: _text(ROMAN[rank - 1]), _usual),
    "greek": (lambda rank: _text(GREEK[rank - 1]), _usual),
    "numbers": (lambda rank: _text(NUMBERS[rank - 1]), _usual),
    "signs": (lambda rank: _text(LATIN[rank - 1]), _sign),
}
"""Name -> what is drawn for a rank 1..13 and for a suit 0..3."""


def odd_deck(name: str, base: Deck) -> Deck:
    """The deck `base` with indices of that kind.

    Raises:
        OddDeckError: there is no such kind.
    """
    if name not in FIGURES:
        raise OddDeckError(f"expected an odd deck of {', '.join(FIGURES)}, got {name!r}")
    figure, sign = FIGURES[name]
    faces = tuple(_reprinted(face, figure, sign) for face in base.faces)
    return replace(base, name=f"odd-{name}", faces=faces)


def _reprinted(face: Face, figure: Callable[[int], ByteArray], sign: Callable[[int], ByteArray]) -> Face:
    label = face.label or 0
    suit, rank = label // 13, label % 13 + 1
    image = face.image.copy()
    for mark in face.marks:
        _print(image, mark, figure(rank), sign(suit))
    return replace(face, image=image)


def _print(image: ByteArray, mark: IndexMark, figure: ByteArray, sign: ByteArray) -> None:
    """Paper over the old index, then the new one in its place, as the old one read."""
    height, width = image.shape[:2]
    corners = np.clip(np.round(mark.quad * [width, height]), 0, [width, height]).astype(int)
    (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    block = np.zeros((y1 - y0, x1 - x0), np.float32)
    tall = round(0.54 * block.shape[0])
    _fit_in(block, figure, (0, tall))
    _fit_in(block, sign, (round(0.6 * block.shape[0]), block.shape[0]))
    if _upside_down(mark.quad):
        block = block[::-1, ::-1]
    ink = RED_INK if mark.suit in (1, 2) else INK
    share = block[..., None]
    image[y0:y1, x0:x1] = np.round(PAPER * (1 - share) + np.asarray(ink, np.float32) * share).astype(np.uint8)


def _fit_in(block: FloatArray, mask: ByteArray, rows: tuple[int, int]) -> None:
    height = rows[1] - rows[0]
    width = min(block.shape[1], max(2, round(mask.shape[1] * height / mask.shape[0])))
    fitted = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    left = (block.shape[1] - width) // 2
    block[rows[0] : rows[1], left : left + width] = fitted


def _upside_down(quad: FloatArray) -> bool:
    return bool(quad[0, 1] > quad[3, 1])
