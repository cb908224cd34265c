"""Draws what was read and advised on a picture: outlines, names, an arrow, and the sentences in a panel below it.

Sure and unsure cards differ in colour *and* in style (a dashed line, a question mark), so that nobody has to tell
colours apart. The panel is put under the picture and hides no card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from kibitz.assistant.speech import Line
from kibitz.engine.errors import KibitzError

Picture = npt.NDArray[np.uint8]
Corners = npt.NDArray[np.float32]
Colour = tuple[int, int, int]

INK: Colour = (30, 24, 20)
PAPER: Colour = (250, 250, 248)
RED: Colour = (70, 80, 255)
MUTED: Colour = (190, 180, 172)
ARROW: Colour = (40, 200, 255)


class OverlayError(KibitzError):
    """A picture cannot be written."""


class Style(Enum):
    """How a card is marked: colour (BGR), whether its outline is dashed, and how strong it is."""

    SURE = ((150, 190, 40), False, 1.0)
    UNSURE = ((0, 140, 255), True, 1.4)
    DOWN = ((200, 170, 150), False, 0.8)
    CHOSEN = ((40, 200, 255), False, 1.8)

    @property
    def colour(self) -> Colour:
        return self.value[0]

    @property
    def dashed(self) -> bool:
        return self.value[1]

    @property
    def strength(self) -> float:
        return self.value[2]


@dataclass(frozen=True, slots=True)
class Mark:
    """One card to be marked.

    Attributes:
        corners: (4, 2) outline in pixels, clockwise from the card's own top left.
        name: what is written on it, such as ``7♥``; empty for nothing.
        style: how it is drawn.
        free: True when no other card lies on it; the name then stands at its upper end in the picture.
    """

    corners: Corners
    name: str = ""
    style: Style = Style.SURE
    free: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """All that is drawn on one picture.

    Attributes:
        marks: the cards, covered ones before those that lie on them.
        arrows: (from, to) outlines of cards or empty places.
        targets: outlines of empty places an arrow points to.
        lines: the sentences of the panel.
    """

    marks: Sequence[Mark] = ()
    arrows: Sequence[tuple[Corners, Corners]] = ()
    targets: Sequence[Corners] = ()
    lines: Sequence[Line] = field(default_factory=tuple)


def draw(picture: Picture, drawing: Drawing) -> Picture:
    """A new picture with the drawing on it and the panel under it.

    Args:
        picture: (H, W, 3) uint8 BGR; not changed.
        drawing: what to draw, in pixels of the picture.
    """
    canvas = picture.copy()
    unit = _unit(picture, drawing.marks)
    for mark in drawing.marks:
        _uncover(canvas, picture, mark)
        _outline(canvas, mark, unit)
    for target in drawing.targets:
        _dashed(canvas, target, ARROW, max(2, round(0.03 * unit)), unit)
    for mark in sorted(drawing.marks, key=lambda mark: mark.style.strength):
        _name(canvas, mark, unit)
    for start, end in drawing.arrows:
        _arrow(canvas, start, end, unit)
    return np.vstack([canvas, panel(picture.shape[1], drawing.lines)]) if drawing.lines else canvas


def resized(picture: Picture, size: tuple[int, int]) -> Picture:
    """The picture at another size (width, height)."""
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def save(path: Path, picture: Picture) -> None:
    """Writes a picture file.

    Raises:
        OverlayError: it cannot be written.
    """
    try:
        path.write_bytes(cv2.imencode(path.suffix, picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())
    except OSError as error:
        raise OverlayError(f"the picture cannot be written to {path}: {error.strerror or error}") from error


def panel(width: int, lines: Sequence[Line]) -> Picture:
    """The sentences on a dark ground, wrapped to the width.

    Args:
        width: of the panel, pixels.
        lines: the sentences; headlines are drawn larger.

    Returns:
        (height, width, 3) uint8 BGR, as high as the sentences need.
    """
    base = int(min(max(15, width / 54), 44))
    pad = round(0.9 * base)
    rows = [(row, line) for line in lines for row in _wrap(line, base, width - 2 * pad - base)]
    heights = [round((1.75 if line.headline else 1.5) * _size(line, base)) for _, line in rows]
    ground = np.full((sum(heights) + 2 * pad, width, 3), INK, np.uint8)
    y = pad
    for (row, line), height in zip(rows, heights, strict=True):
        if line.alert:
            cv2.rectangle(ground, (pad, y + 3), (pad + base // 3, y + height - 3), Style.UNSURE.colour, -1)
        colour = PAPER if line.headline or line.alert else MUTED
        start = pad + base if line.alert else pad
        _text(ground, row, (start, y + round(0.72 * height)), _size(line, base), _Ink(colour, _weight(line)))
        y += height
    return ground


@dataclass(frozen=True, slots=True)
class _Ink:
    colour: Colour
    weight: int = 600


def _size(line: Line, base: int) -> int:
    return round(1.45 * base) if line.headline else base


def _weight(line: Line) -> int:
    return 650 if line.headline else 450


@lru_cache(maxsize=1)
def _face() -> cv2.FontFace:
    return cv2.FontFace("sans")


def text_width(text: str, size: int, weight: int = 600) -> int:
    """Width of a text in pixels."""
    return int(cv2.getTextSize((10, 10), text, (0, 0), _face(), size, weight)[2]) if text else 0


def _text(canvas: Picture, text: str, at: tuple[int, int], size: int, ink: _Ink) -> None:
    """Writes from the base line at `at`; suit signs of red suits are red."""
    x = at[0]
    for part, red in _parts(text):
        colour = RED if red else ink.colour
        cv2.putText(canvas, part, (x, at[1]), colour, _face(), size, ink.weight, cv2.PUT_TEXT_ALIGN_LEFT, (0, 1 << 20))
        x += text_width(part, size, ink.weight) + (round(0.06 * size) if red else 0)


def _parts(text: str) -> list[tuple[str, bool]]:
    parts: list[tuple[str, bool]] = []
    for sign in text:
        red = sign in "♥♦"
        if parts and parts[-1][1] == red:
            parts[-1] = (parts[-1][0] + sign, red)
        else:
            parts.append((sign, red))
    return parts


def _wrap(line: Line, base: int, width: int) -> list[str]:
    rows: list[str] = []
    for word in line.text.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and text_width(longer, _size(line, base), _weight(line)) > width:
            rows.append(word)
        else:
            rows[-1:] = [longer]
    return rows


def _unit(picture: Picture, marks: Sequence[Mark]) -> float:
    """The usual width of a card in pixels: all line widths and letters follow it."""
    widths = [float(np.linalg.norm(mark.corners[1] - mark.corners[0])) for mark in marks]
    longest = max(picture.shape[:2])
    return float(np.clip(np.median(widths), 20, longest / 3)) if widths else longest / 12


def _points(corners: Corners) -> npt.NDArray[np.int32]:
    return np.round(np.clip(corners, -30000, 30000) * 8).astype(np.int32)


def _uncover(canvas: Picture, picture: Picture, mark: Mark) -> None:
    """Paints a card over the outlines of the cards that it covers."""
    x, y, width, height = cv2.boundingRect(np.round(np.clip(mark.corners, -30000, 30000)).astype(np.int32))
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(canvas.shape[1], x + width), min(canvas.shape[0], y + height)
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [_points(mark.corners - np.array([x0, y0], np.float32))], 255, cv2.LINE_8, 3)
    inside = mask > 0
    canvas[y0:y1, x0:x1][inside] = picture[y0:y1, x0:x1][inside]


def _outline(canvas: Picture, mark: Mark, unit: float) -> None:
    width = max(1, round(0.022 * unit * mark.style.strength))
    if mark.style.dashed:
        _dashed(canvas, mark.corners, mark.style.colour, width, unit)
        return
    points = [_points(mark.corners)]
    cv2.polylines(canvas, points, True, INK, width + 2, cv2.LINE_AA, 3)
    cv2.polylines(canvas, points, True, mark.style.colour, width, cv2.LINE_AA, 3)


def _dashed(canvas: Picture, corners: Corners, colour: Colour, width: int, unit: float) -> None:
    step = max(6.0, 0.14 * unit)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        count = max(1, round(float(np.linalg.norm(end - start)) / step))
        edges = start + (end - start) * (np.arange(2 * count + 1)[:, None] / (2 * count))
        for a, b in zip(edges[0::2], edges[1::2], strict=False):
            for tint, thick in ((INK, width + 2), (colour, width)):
                cv2.line(canvas, _pixel(a), _pixel(b), tint, thick, cv2.LINE_AA, 3)


def _pixel(point: npt.NDArray[np.floating]) -> tuple[int, int]:
    x, y = np.round(np.clip(point, -30000, 30000) * 8).astype(int)
    return int(x), int(y)


def _name(canvas: Picture, mark: Mark, unit: float) -> None:
    """A small label in the card's visible strip, right of the index, level with the picture."""
    if not mark.name:
        return
    size = round(float(np.clip(0.21 * unit, 13, 56)))
    text = mark.name + ("?" if mark.style.dashed else "")
    width, pad = text_width(text, size), max(3, round(0.22 * size))
    tl, tr, br, bl = mark.corners.astype(np.float64)
    if mark.free and br[1] + bl[1] < tl[1] + tr[1]:
        tl, tr, bl = br, bl, tr
    centre = tl + 0.64 * (tr - tl) + 0.115 * (bl - tl)
    x, y = round(centre[0] - width / 2), round(centre[1] + 0.36 * size)
    x = int(np.clip(x, pad, max(pad, canvas.shape[1] - width - pad)))
    y = int(np.clip(y, size + pad, max(size + pad, canvas.shape[0] - pad)))
    box = (x - pad, y - round(0.86 * size) - pad // 2), (x + width + pad, y + round(0.2 * size) + pad // 2)
    _pill(canvas, box, mark.style.colour if mark.style is not Style.SURE else PAPER)
    _text(canvas, text, (x, y), size, _Ink(PAPER))


def _pill(canvas: Picture, box: tuple[tuple[int, int], tuple[int, int]], edge: Colour) -> None:
    (x0, y0), (x1, y1) = box
    r = max(1, (y1 - y0) // 4)
    for grow, colour in ((max(1, r // 3), edge), (0, INK)):
        a, b, c, d = x0 - grow, y0 - grow, x1 + grow, y1 + grow
        cv2.rectangle(canvas, (a + r, b), (c - r, d), colour, -1)
        cv2.rectangle(canvas, (a, b + r), (c, d - r), colour, -1)
        for corner in ((a + r, b + r), (c - r, b + r), (a + r, d - r), (c - r, d - r)):
            cv2.circle(canvas, corner, r, colour, -1, cv2.LINE_AA)


def _arrow(canvas: Picture, start: Corners, end: Corners, unit: float) -> None:
    """A bold arrow, bowed a little, from the middle of one outline to the middle of the other."""
    a, b = start.mean(axis=0).astype(np.float64), end.mean(axis=0).astype(np.float64)
    span = float(np.linalg.norm(b - a))
    if span < 2:
        return
    side = np.array([a[1] - b[1], b[0] - a[0]]) / span
    middle = (a + b) / 2 + side * 0.12 * span * (1 if b[0] >= a[0] else -1)
    t = np.linspace(0, 1, 40)[:, None]
    curve = (1 - t) ** 2 * a + 2 * t * (1 - t) * middle + t**2 * b
    head = min(0.42 * unit, 0.5 * span)
    along = curve[-1] - curve[-6]
    along /= max(float(np.linalg.norm(along)), 1e-6)
    across = np.array([-along[1], along[0]])
    tip, neck = b, b - along * head
    shaft = curve[np.linalg.norm(curve - tip, axis=1) > 0.8 * head]
    width = max(3, round(0.1 * unit))
    triangle = np.array([tip, neck + across * 0.55 * head, neck - across * 0.55 * head], np.float32)
    for colour, grow in ((INK, max(2, width // 2)), (ARROW, 0)):
        if len(shaft):
            line = np.vstack([shaft, neck[None]]).astype(np.float32)
            cv2.polylines(canvas, [_points(line)], False, colour, width + grow, cv2.LINE_AA, 3)
        cv2.polylines(canvas, [_points(triangle)], True, colour, max(1, grow), cv2.LINE_AA, 3)
        cv2.fillPoly(canvas, [_points(triangle)], colour, cv2.LINE_AA, 3)
    cv2.circle(canvas, _pixel(a), round(4.5 * width), ARROW, -1, cv2.LINE_AA, 3)
