"""Puts the window's picture together: the live table with its marks, the believed table, sentences, status and keys.

Everything that changes seldom is drawn once and kept, so that a frame costs little more than scaling the live picture.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kibitz.assistant.live.board import HIGH_CONTRAST, PLAIN, Board, BoardScene, Palette
from kibitz.assistant.overlay import Drawing, Style, draw
from kibitz.assistant.speech import Line
from kibitz.assistant.window import Picture, scaled
from kibitz.assistant.window_canvas import (
    Box,
    Canvas,
    Colour,
    Ink,
    difference_mask,
    fitting,
    lay_over,
    scale_into,
    wrapped,
)
from kibitz.assistant.words import Words
from kibitz.engine.table_plan import TablePlan

SIDE = 0.36
"""Share of the width that the drawn table takes."""
SENTENCES, SENTENCES_LARGE = 0.20, 0.42
"""Least share of the height for the sentences."""


@dataclass(frozen=True, slots=True)
class Skin:
    """Colours and letters of the window (BGR)."""

    ground: Colour = (30, 24, 20)
    bar: Colour = (46, 38, 32)
    text: Colour = (250, 250, 248)
    muted: Colour = (190, 180, 172)
    alert: Colour = Style.UNSURE.colour
    board: Palette = PLAIN
    letters: float = 1 / 38
    """Height of the letters as a share of the window's height."""
    small: float = 0.72
    """Height of the keys' letters as a share of the others."""


NORMAL = Skin()
LARGE = Skin((0, 0, 0), (0, 0, 0), (255, 255, 255), (255, 255, 255), (0, 255, 255), board=HIGH_CONTRAST, letters=1 / 24)


@dataclass(frozen=True, slots=True)
class Marked:
    """A settled picture and what is drawn on it."""

    picture: Picture
    drawing: Drawing
    painted: dict[tuple[str, tuple[int, int]], tuple[Picture, Picture]] = field(default_factory=dict, compare=False)
    """What was painted for a part of the window of that size: the layer, and where there is something on it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that one frame of the window shows.

    Attributes:
        live: the camera's newest picture, or None before the first.
        marked: the last settled picture with its marks.
        as_marked: whether the live table still lies as in the marked picture.
        board: the believed table.
        lines: the sentences.
        status: what is going on.
        keys: what the keys do.
    """

    live: Picture | None
    marked: Marked | None = None
    as_marked: bool = False
    board: BoardScene | None = None
    lines: Sequence[Line] = ()
    status: str = ""
    keys: str = ""


class View:
    """Draws scenes; keeps what did not change since the last one."""

    def __init__(self, words: Words, plan: TablePlan, large: bool = False) -> None:
        self._words, self._plan = words, plan
        self.large = large
        self._drawn: tuple[Canvas, bool] | None = None
        self._kept: dict[Box, Hashable] = {}
        self._places: dict[str, tuple[int, int]] = {}

    def compose(self, scene: Scene, size: tuple[int, int]) -> Picture:
        """The window's picture; it holds until the next call.

        Args:
            scene: what to show.
            size: width and height.
        """
        canvas = self._canvas(size)
        letters = max(13, round(min(size[1], size[0] / 1.5) * self._skin.letters))
        pad = max(4, letters // 3)
        width, height = size
        bar = _rows_of(scene, width, letters, self._skin)
        height -= bar.height
        self._part(canvas, (0, height, width, bar.height), bar.key, lambda box: self._bar(bar, box))
        side = round(SIDE * width)
        main = width - side - 2 * pad
        tall = round(height * (1 - (SENTENCES_LARGE if self.large else SENTENCES))) - pad
        top = pad + self._live(canvas, scene, (pad, pad, main, tall)) + pad
        self._side(canvas, scene, (width - side, pad, side - pad, height - 2 * pad))
        below = (pad, top, main, height - top)
        self._part(canvas, below, tuple(scene.lines), lambda box: self._sentences(scene.lines, box, letters))
        return canvas.picture

    @property
    def _skin(self) -> Skin:
        return LARGE if self.large else NORMAL

    def _canvas(self, size: tuple[int, int]) -> Canvas:
        """The picture of the last frame, to be changed where something is new."""
        if self._drawn is None or self._drawn[0].size != size or self._drawn[1] != self.large:
            self._drawn = Canvas(size, self._skin.ground), self.large
            self._kept.clear()
        return self._drawn[0]

    def _part(self, canvas: Canvas, box: Box, key: Hashable, make: Callable[[Box], Picture]) -> None:
        """A part of the window, drawn anew only when its key differs."""
        if min(box[2:]) < 1 or self._kept.get(box) == key:
            return
        for other in [kept for kept in self._kept if _overlap(kept, box)]:
            canvas.box(other, self._skin.ground)
            del self._kept[other]
        canvas.box(box, self._skin.ground)
        canvas.paste(make(box), box[:2])
        self._kept[box] = key

    def _live(self, canvas: Canvas, scene: Scene, box: Box) -> int:
        """The camera's picture with the marks, as large as the room allows; returns its height."""
        x, y, width, height = box
        if scene.live is None:
            self._part(canvas, box, "nothing", lambda box: Canvas(box[2:], (60, 60, 60)).picture)
            return height
        place = fitting(scene.live, (width, height))
        left = x + (width - place[0]) // 2
        self._part(canvas, (x, y, width, place[1]), place, lambda box: Canvas(box[2:], self._skin.ground).picture)
        view = canvas.picture[y : y + place[1], left : left + place[0]]
        scale_into(scene.live, view)
        if scene.marked is not None and scene.as_marked and scene.marked.picture.shape == scene.live.shape:
            lay_over(view, *self._painted(scene.marked, "live", place))
        return place[1]

    def prepare(self, marked: Marked) -> None:
        """Paints the marks for the window as it was last drawn, in any thread, so that no frame has to wait for it."""
        for name, size in tuple(self._places.items()):
            self._painted(marked, name, size)

    def _painted(self, marked: Marked, name: str, size: tuple[int, int]) -> tuple[Picture, Picture]:
        """The marks at the size of a part of the window, and where they are."""
        self._places[name] = size
        if (name, size) not in marked.painted:
            plain = scaled(marked.picture, size)
            layer = draw(plain, shrunk(marked.drawing, size[0] / marked.picture.shape[1]))
            marked.painted[name, size] = layer, difference_mask(plain, layer)
        return marked.painted[name, size]

    def _side(self, canvas: Canvas, scene: Scene, box: Box) -> None:
        """The believed table, and below it the last settled picture."""
        x, y, width, height = box
        marked = scene.marked if not self.large else None
        if marked is not None:
            room = width, min(round(width * marked.picture.shape[0] / marked.picture.shape[1]), round(0.42 * height))
            low = (x, y + height - room[1], *room)
            self._part(canvas, low, id(marked), lambda box: self._inset(marked, box))
            height -= room[1] + y
        board = scene.board
        if board is not None:
            key = (str(board.position), str(board.move), tuple(board.wrong))
            drawer = Board(self._words, self._plan, self._skin.board)
            self._part(canvas, (x, y, width, height), key, lambda box: drawer.draw(board, box[2:]))

    def _inset(self, marked: Marked, box: Box) -> Picture:
        canvas = Canvas(box[2:], self._skin.ground)
        size = fitting(marked.picture, box[2:])
        canvas.paste(self._painted(marked, "inset", size)[0], ((box[2] - size[0]) // 2, box[3] - size[1]))
        return canvas.picture

    def _sentences(self, lines: Sequence[Line], box: Box, letters: int) -> Picture:
        """The sentences, smaller where there are many."""
        canvas, (width, height) = Canvas(box[2:], self._skin.ground), box[2:]
        size = letters
        while size > 11 and _height(lines, width, size) > height:
            size -= 1
        y = 0
        for line in lines:
            ink = _ink(line, size, self._skin)
            left = size if line.alert else 0
            rows = wrapped(line.text, width - left, ink)
            high = round(1.35 * ink.size)
            if line.alert and rows:
                canvas.box((0, y + 3, max(3, size // 3), high * len(rows) - 5), self._skin.alert)
            for row in rows:
                canvas.text(row, (left, y), ink)
                y += high
            y += size // 4
        return canvas.picture

    def _bar(self, bar: _Bar, box: Box) -> Picture:
        """The status line and the keys, at the lower edge."""
        canvas = Canvas(box[2:], self._skin.bar)
        y = bar.pad
        for row, ink in bar.rows:
            canvas.text(row, (2 * bar.pad, y), ink)
            y += round(1.4 * ink.size)
        return canvas.picture


@dataclass(frozen=True, slots=True)
class _Bar:
    """The rows at the lower edge, before they are drawn."""

    rows: tuple[tuple[str, Ink], ...]
    pad: int

    @property
    def height(self) -> int:
        return sum(round(1.4 * ink.size) for _, ink in self.rows) + 2 * self.pad

    @property
    def key(self) -> Hashable:
        return self.rows


def _rows_of(scene: Scene, width: int, letters: int, skin: Skin) -> _Bar:
    status = Ink(round(letters * 0.9), skin.text, 600)
    keys = Ink(max(12, round(letters * skin.small)), skin.muted)
    rows = [(row, status) for row in wrapped(scene.status, width - letters, status) or [""]]
    rows += [(row, keys) for row in wrapped(scene.keys, width - letters, keys)]
    return _Bar(tuple(rows), letters // 4)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def _ink(line: Line, size: int, skin: Skin) -> Ink:
    colour = skin.text if line.headline or line.alert else skin.muted
    return Ink(round(1.4 * size) if line.headline else size, colour, 650 if line.headline else 450)


def _height(lines: Sequence[Line], width: int, size: int) -> int:
    total = 0
    for line in lines:
        ink = _ink(line, size, NORMAL)
        total += round(1.35 * ink.size) * len(wrapped(line.text, width - (size if line.alert else 0), ink)) + size // 4
    return total


def shrunk(drawing: Drawing, scale: float) -> Drawing:
    """The same marks on a picture of another size, without sentences."""
    factor = np.float32(scale)
    marks = [replace(mark, corners=mark.corners * factor) for mark in drawing.marks]
    arrows = [(start * factor, end * factor) for start, end in drawing.arrows]
    return Drawing(marks, arrows, [target * factor for target in drawing.targets])
