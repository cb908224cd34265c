"""Card backs drawn from a seed: lattices, dots, suit signs, stripes, with and without a white border."""

import cv2
import numpy as np

from kibitz.models.synth.cut import rounded
from kibitz.models.synth.decks import ByteArray
from kibitz.models.synth.fonts import Coverage
from kibitz.models.synth.pips import PipSet

_COLOURS = (
    (150, 60, 20), (40, 30, 170), (30, 30, 30), (60, 110, 20), (110, 40, 90), (20, 60, 140), (150, 120, 20),
    (90, 90, 90), (20, 20, 90), (80, 30, 10),
)  # fmt: skip


def _spots(area: ByteArray, masks: list[Coverage], step: int, size: int, colour: tuple[int, ...]) -> None:
    h, w = area.shape[:2]
    for row, y in enumerate(range(step // 3, h - size, step)):
        for column, x in enumerate(range(step // 3 + (row % 2) * step // 2, w - size, step)):
            mask = cv2.resize(masks[(row + column) % len(masks)], (size, size), interpolation=cv2.INTER_AREA)[..., None]
            spot = area[y : y + size, x : x + size]
            spot[:] = (spot * (1 - mask) + np.array(colour) * mask).astype(np.uint8)


def _lattice(area: ByteArray, rng: np.random.Generator, colour: tuple[int, ...]) -> None:
    h, w = area.shape[:2]
    step, thick = int(rng.integers(8, 34)), int(rng.integers(1, 4))
    slope = float(rng.choice([0.6, 1.0, 1.0, 1.5]))
    for offset in range(-2 * h, w + h, step):
        cv2.line(area, (offset, 0), (round(offset + h * slope), h), colour, thick, cv2.LINE_AA)
        if rng.random() < 0.97:
            cv2.line(area, (offset, h), (round(offset + h * slope), 0), colour, thick, cv2.LINE_AA)


def _rings(area: ByteArray, rng: np.random.Generator, colour: tuple[int, ...]) -> None:
    h, w = area.shape[:2]
    step = int(rng.integers(14, 40))
    for y in range(0, h + step, step):
        for x in range(0, w + step, step):
            cv2.circle(area, (x, y), int(step * rng.choice([0.35, 0.55, 0.8])), colour, 1 + step // 16, cv2.LINE_AA)


def _frame_of_signs(area: ByteArray, rng: np.random.Generator, signs: PipSet, colour: tuple[int, ...]) -> None:
    """One or two rows of suit signs along the edges, all of one suit or of several."""
    h, w = area.shape[:2]
    size = max(6, int(w * rng.uniform(0.07, 0.16)))
    suits = rng.integers(0, 4, int(rng.integers(1, 4)))
    masks = [cv2.resize(signs[int(s)], (size, size), interpolation=cv2.INTER_AREA)[..., None] for s in suits]
    step = int(size * rng.uniform(1.1, 1.9))
    for ring in range(int(rng.integers(1, 3))):
        inset = int(size * 0.4) + ring * step
        spots = [(x, y) for x in range(inset, w - inset - size, step) for y in (inset, h - inset - size)]
        spots += [(x, y) for y in range(inset, h - inset - size, step) for x in (inset, w - inset - size)]
        for number, (x, y) in enumerate(spots):
            spot, mask = area[y : y + size, x : x + size], masks[number % len(masks)]
            spot[:] = (spot * (1 - mask) + np.array(colour) * mask).astype(np.uint8)


def _medallion(area: ByteArray, rng: np.random.Generator, signs: PipSet, colours: list[tuple[int, ...]]) -> None:
    h, w = area.shape[:2]
    radius = int(w * rng.uniform(0.1, 0.3))
    cv2.circle(area, (w // 2, h // 2), radius, colours[0], -1, cv2.LINE_AA)
    cv2.circle(area, (w // 2, h // 2), radius, colours[1], 2, cv2.LINE_AA)
    size = int(radius * 1.1)
    if size > 8:
        mask = cv2.resize(signs[int(rng.integers(4))], (size, size), interpolation=cv2.INTER_AREA)[..., None]
        spot = area[h // 2 - size // 2 : h // 2 - size // 2 + size, w // 2 - size // 2 : w // 2 - size // 2 + size]
        spot[:] = (spot * (1 - mask) + np.array(colours[1]) * mask).astype(np.uint8)


def draw_back(rng: np.random.Generator, size: tuple[int, int], signs: PipSet) -> tuple[ByteArray, ByteArray]:
    """One back, (height, width); symmetric enough to be taken for print."""
    height, width = size
    pale = tuple(int(v) for v in rng.integers(225, 254, 3))
    main = _COLOURS[int(rng.integers(len(_COLOURS)))]
    ground, print_colour = (main, pale) if rng.random() < 0.65 else (pale, main)
    image = np.full((height, width, 3), pale, np.uint8)
    edge = 0 if rng.random() < 0.3 else int(width * rng.uniform(0.02, 0.09))
    area = image[edge : height - edge, edge : width - edge]
    area[:] = ground
    kind = rng.random()
    if kind < 0.4:
        _lattice(area, rng, print_colour)
    elif kind < 0.65:
        step = int(rng.integers(20, 60))
        _spots(
            area,
            [signs[int(s)] for s in rng.integers(0, 4, int(rng.integers(1, 4)))],
            step,
            max(8, int(step * rng.uniform(0.4, 0.8))),
            print_colour,
        )
    elif kind < 0.8:
        _rings(area, rng, print_colour)
    elif kind < 0.93:
        _frame_of_signs(area, rng, signs, print_colour)
    if rng.random() < 0.45:
        inset = int(width * rng.uniform(0.03, 0.12))
        cv2.rectangle(
            area, (inset, inset), (area.shape[1] - inset, area.shape[0] - inset), print_colour, int(rng.integers(1, 6))
        )
    if rng.random() < 0.4:
        _medallion(area, rng, signs, [ground, print_colour if rng.random() < 0.7 else (40, 30, 200)])
    if rng.random() < 0.6:  # printed backs look the same both ways up
        image[height - height // 2 :] = image[: height // 2][::-1, ::-1]
    return image, rounded(height, width, width * 0.05)
