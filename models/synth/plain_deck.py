"""A built-in deck, drawn here: used by tests and fixtures, and wherever no deck cache has been made.

Its art is the project's own (the same licence as the code); figures are the letters OpenCV draws.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.synth.decks import Deck, Face, IndexMark
from kibitz.vision.symbols import SYMBOLS

ByteArray = NDArray[np.uint8]
WIDTH, HEIGHT = 360, 504
RED, BLACK, PAPER = (40, 30, 200), (28, 24, 24), (250, 250, 250)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.2), (0.5, 0.8)),
    3: ((0.5, 0.2), (0.5, 0.5), (0.5, 0.8)),
    4: tuple((x, y) for x in (0.32, 0.68) for y in (0.2, 0.8)),
    5: (*((x, y) for x in (0.32, 0.68) for y in (0.2, 0.8)), (0.5, 0.5)),
    6: tuple((x, y) for x in (0.32, 0.68) for y in (0.2, 0.5, 0.8)),
    7: (*((x, y) for x in (0.32, 0.68) for y in (0.2, 0.5, 0.8)), (0.5, 0.35)),
    8: (*((x, y) for x in (0.32, 0.68) for y in (0.2, 0.5, 0.8)), (0.5, 0.35), (0.5, 0.65)),
    9: (*((x, y) for x in (0.32, 0.68) for y in (0.2, 0.4, 0.6, 0.8)), (0.5, 0.5)),
    10: (*((x, y) for x in (0.32, 0.68) for y in (0.2, 0.4, 0.6, 0.8)), (0.5, 0.3), (0.5, 0.7)),
}


def pip(suit: int, size: int) -> ByteArray:
    """Coverage (size, size) of a suit sign: clubs, diamonds, hearts, spades."""
    big = size * 4
    mask = np.zeros((big, big), np.uint8)

    def disc(x: float, y: float, radius: float) -> None:
        cv2.circle(mask, (round(x * big), round(y * big)), round(radius * big), (255,), -1)

    def shape(*points: tuple[float, float]) -> None:
        cv2.fillPoly(mask, [np.round(np.array(points) * big).astype(np.int32)], (255,))

    if suit == 0:
        disc(0.5, 0.26, 0.22)
        disc(0.27, 0.58, 0.22)
        disc(0.73, 0.58, 0.22)
        shape((0.46, 0.35), (0.54, 0.35), (0.56, 0.75), (0.68, 0.97), (0.32, 0.97), (0.44, 0.75))
    elif suit == 1:
        shape((0.5, 0.02), (0.86, 0.5), (0.5, 0.98), (0.14, 0.5))
    elif suit == 2:
        disc(0.28, 0.29, 0.24)
        disc(0.72, 0.29, 0.24)
        shape((0.06, 0.40), (0.28, 0.29), (0.5, 0.30), (0.72, 0.29), (0.94, 0.40), (0.5, 0.97))
    else:
        disc(0.28, 0.58, 0.22)
        disc(0.72, 0.58, 0.22)
        shape((0.5, 0.02), (0.92, 0.50), (0.72, 0.58), (0.28, 0.58), (0.08, 0.50))
        shape((0.46, 0.5), (0.54, 0.5), (0.57, 0.78), (0.68, 0.97), (0.32, 0.97), (0.43, 0.78))
    return cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _stamp(image: ByteArray, mask: ByteArray, left: int, top: int, colour: tuple[int, int, int]) -> None:
    height, width = mask.shape
    region = image[top : top + height, left : left + width]
    share = mask[..., None].astype(np.float32) / 255
    region[:] = np.round(region * (1 - share) + np.array(colour, np.float32) * share).astype(np.uint8)


def _letters(text: str, width: int, height: int) -> ByteArray:
    """The rank's figure, exactly filling the box."""
    canvas = np.zeros((300, 500), np.uint8)
    cv2.putText(canvas, text, (60, 220), cv2.FONT_HERSHEY_DUPLEX, 6, (255,), 16, cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(canvas)
    return cv2.resize(canvas[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _index(image: ByteArray, rank: int, suit: int) -> tuple[int, int, int, int]:
    """Draw the index in the top left corner; its box in pixels."""
    colour = RED if suit in (1, 2) else BLACK
    wide = 46 if rank == 10 else 36
    left, top = 34 - wide // 2, 20
    _stamp(image, _letters(RANKS[rank - 1], wide, 50), left, top, colour)
    _stamp(image, pip(suit, 36), 34 - 18, top + 58, colour)
    return (min(left, 16), top, max(left + wide, 52), top + 94)


def rounded(width: int, height: int, radius: int) -> ByteArray:
    """Coverage of a card with round corners."""
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), (255,), -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), (255,), -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, (255,), -1, cv2.LINE_AA)
    return mask


def _court(image: ByteArray, rank: int, suit: int) -> None:
    colour = RED if suit in (1, 2) else BLACK
    cv2.rectangle(image, (72, 48), (WIDTH - 72, HEIGHT - 48), (90, 60, 30), 3, cv2.LINE_AA)
    half = np.full((HEIGHT // 2 - 52, WIDTH - 152, 3), 250, np.uint8)
    for number, tone in enumerate(((60, 170, 230), (160, 70, 30), colour)):
        top = 40 + number * 45
        cv2.ellipse(half, (104, 220), (100 - 18 * number, 190 - top), 0, 180, 360, tone, -1, cv2.LINE_AA)
    cv2.circle(half, (104, 70), 36, (170, 200, 240), -1, cv2.LINE_AA)
    for number in range(3 + rank % 3):
        cv2.line(half, (64 + 26 * number, 42), (72 + 22 * number, 14), (40, 180, 230), 8, cv2.LINE_AA)
    _stamp(half, pip(suit, 56), 4, 6, colour)
    _stamp(half, _letters(RANKS[rank - 1], 40, 60), 84, 120, (250, 250, 250))
    image[52 : 52 + half.shape[0], 76 : 76 + half.shape[1]] = half


def _face(label: int) -> Face:
    suit, rank = label // 13, label % 13 + 1
    image = np.full((HEIGHT, WIDTH, 3), PAPER, np.uint8)
    if rank > 10:
        _court(image, rank, suit)
    for x, y in _PIPS.get(rank, ()):
        if y <= 0.5:
            size = 110 if rank == 1 else 68
            _stamp(image, pip(suit, size), round(x * WIDTH) - size // 2, round(y * HEIGHT) - size // 2,
                   RED if suit in (1, 2) else BLACK)  # fmt: skip
    box = _index(image, rank, suit)
    middle = HEIGHT // 2 + (36 if rank <= 10 and any(y == 0.5 for _, y in _PIPS[rank]) else 0)
    turned = np.ascontiguousarray(image[::-1, ::-1])
    if rank == 1:
        turned[HEIGHT // 2 - 60 : HEIGHT // 2 + 60] = image[HEIGHT // 2 - 60 : HEIGHT // 2 + 60]
        middle = HEIGHT // 2 + 60
    image[middle:] = turned[middle:]
    x0, y0, x1, y1 = box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2
    quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32) / np.array([WIDTH, HEIGHT], np.float32)
    symbol = SYMBOLS.index(RANKS[rank - 1])
    marks = (
        IndexMark(np.asarray(quad, np.float32), symbol, suit),
        IndexMark(np.asarray(1 - quad, np.float32), symbol, suit),
    )
    return Face(label, image, rounded(WIDTH, HEIGHT, 20), marks)


def _back(colour: tuple[int, int, int]) -> ByteArray:
    image = np.full((HEIGHT, WIDTH, 3), PAPER, np.uint8)
    cv2.rectangle(image, (18, 18), (WIDTH - 19, HEIGHT - 19), colour, -1)
    for offset in range(-HEIGHT, WIDTH + HEIGHT, 18):
        cv2.line(image, (offset, 18), (offset + HEIGHT, HEIGHT), PAPER, 2, cv2.LINE_AA)
        cv2.line(image, (offset, HEIGHT), (offset + HEIGHT, 18), PAPER, 2, cv2.LINE_AA)
    cv2.rectangle(image, (0, 0), (WIDTH - 1, HEIGHT - 1), PAPER, 36)
    cv2.rectangle(image, (20, 20), (WIDTH - 21, HEIGHT - 21), colour, 3, cv2.LINE_AA)
    return image


@lru_cache(maxsize=1)
def plain_deck() -> Deck:
    """The built-in deck: 52 faces, English letters, two backs."""
    shape = rounded(WIDTH, HEIGHT, 20)
    backs = tuple((_back(colour), shape) for colour in ((150, 70, 30), (50, 40, 170)))
    faces = tuple(_face(label) for label in range(52))
    return Deck("plain", faces, (), backs, "latin", "AGPL-3.0-or-later", False)
