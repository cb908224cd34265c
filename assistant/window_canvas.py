"""A picture to draw on: boxes, cards, arrows and texts whose red suit signs are red."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from kibitz.assistant.window import Picture

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]
"""x, y, width, height in pixels."""

RED_SIGNS = "♥♦"


@dataclass(frozen=True, slots=True)
class Ink:
    """How a text is written.

    Attributes:
        size: height of the letters in pixels.
        colour: BGR.
        weight: 400 is plain, 700 is bold.
        red: BGR of the red suit signs.
    """

    size: int
    colour: Colour
    weight: int = 500
    red: Colour = (70, 80, 255)


class Canvas:
    """A picture to draw on."""

    def __init__(self, size: tuple[int, int], ground: Colour) -> None:
        self.picture: Picture = np.full((max(1, size[1]), max(1, size[0]), 3), ground, np.uint8)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.picture.shape[1], self.picture.shape[0]

    def box(self, box: Box, colour: Colour, radius: int = 0) -> None:
        """A filled box, with round corners if wanted."""
        x, y, width, height = box
        radius = max(0, min(radius, width // 2, height // 2))
        right, low = x + width - 1, y + height - 1
        cv2.rectangle(self.picture, (x + radius, y), (right - radius, low), colour, -1)
        if radius:
            cv2.rectangle(self.picture, (x, y + radius), (right, low - radius), colour, -1)
            for cx in (x + radius, right - radius):
                for cy in (y + radius, low - radius):
                    cv2.circle(self.picture, (cx, cy), radius, colour, -1, cv2.LINE_AA)

    def frame(self, box: Box, colour: Colour, width: int = 1) -> None:
        """The edge of a box."""
        x, y, w, h = box
        cv2.rectangle(self.picture, (x, y), (x + w - 1, y + h - 1), colour, width, cv2.LINE_AA)

    def hatch(self, box: Box, colour: Colour) -> None:
        """A box filled with a grid, like the back of a card."""
        x, y, w, h = box
        step = max(4, w // 8)
        for at in range(x, x + w, step):
            cv2.line(self.picture, (at, y), (at, y + h - 1), colour, 1)
        for at in range(y, y + h, step):
            cv2.line(self.picture, (x, at), (x + w - 1, at), colour, 1)

    def arrow(self, start: tuple[int, int], end: tuple[int, int], colour: Colour, width: int) -> None:
        """An arrow with a dark edge."""
        length = max(1.0, float(np.hypot(end[0] - start[0], end[1] - start[1])))
        tip = min(0.4, 4.5 * width / length)
        for tint, thick in (((0, 0, 0), width + 4), (colour, width)):
            cv2.arrowedLine(self.picture, start, end, tint, thick, cv2.LINE_AA, 0, tip)

    def paste(self, picture: Picture, at: tuple[int, int]) -> None:
        """Puts a picture at its upper left corner; what does not fit is cut off."""
        x, y = at
        height = min(picture.shape[0], self.picture.shape[0] - y)
        width = min(picture.shape[1], self.picture.shape[1] - x)
        if height > 0 and width > 0:
            self.picture[y : y + height, x : x + width] = picture[:height, :width]

    def text(self, text: str, at: tuple[int, int], ink: Ink) -> int:
        """Writes from the upper left corner; returns the width."""
        x, base = at[0], at[1] + round(0.95 * ink.size)
        for part, red in parts(text):
            colour = ink.red if red else ink.colour
            # The wrap range keeps OpenCV from breaking a long line at the picture's edge.
            place = (x, base)
            cv2.putText(
                self.picture, part, place, colour, _face(), ink.size, ink.weight, cv2.PUT_TEXT_ALIGN_LEFT, (0, 1 << 20)
            )
            x += width_of(part, ink) + (round(0.06 * ink.size) if red else 0)
        return x - at[0]


@lru_cache(maxsize=1)
def _face() -> cv2.FontFace:
    return cv2.FontFace("sans")


@lru_cache(maxsize=4096)
def _width(text: str, size: int, weight: int) -> int:
    return int(cv2.getTextSize((10, 10), text, (0, 0), _face(), size, weight)[2])


def width_of(text: str, ink: Ink) -> int:
    """Width of a text in pixels."""
    return _width(text, ink.size, ink.weight) if text else 0


def parts(text: str) -> list[tuple[str, bool]]:
    """A text cut where red suit signs begin and end: (part, whether it is red)."""
    found: list[tuple[str, bool]] = []
    for sign in text:
        red = sign in RED_SIGNS
        if found and found[-1][1] == red:
            found[-1] = (found[-1][0] + sign, red)
        else:
            found.append((sign, red))
    return found


def wrapped(text: str, width: int, ink: Ink) -> list[str]:
    """The rows of a text that is not wider than so many pixels; a word that is too long has a row of its own."""
    rows: list[str] = []
    for word in text.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and width_of(longer, ink) > width:
            rows.append(word)
        else:
            rows[-1:] = [longer]
    return rows


def fitting(picture: Picture, room: tuple[int, int]) -> tuple[int, int]:
    """Width and height of the picture in its own proportions, as large as the room allows."""
    height, width = picture.shape[:2]
    scale = min(room[0] / width, room[1] / height)
    return max(1, round(width * scale)), max(1, round(height * scale))


def scale_into(picture: Picture, view: Picture) -> None:
    """Draws the picture into a part of another one, at that part's size."""
    cv2.resize(picture, (view.shape[1], view.shape[0]), dst=view, interpolation=cv2.INTER_LINEAR)


def lay_over(view: Picture, layer: Picture, mask: Picture) -> None:
    """Draws a layer on a part of a picture, where the mask is 255."""
    cv2.copyTo(layer, mask, view)


def difference_mask(a: Picture, b: Picture) -> Picture:
    """255 where two pictures of one size differ at all."""
    return np.where(cv2.absdiff(a, b).max(axis=2) > 0, np.uint8(255), np.uint8(0))
