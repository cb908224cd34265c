"""Draws the table that is believed: every pile at its place of the plan, as clear signs instead of a photograph."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import pairwise

from kibitz.assistant.window import Picture
from kibitz.assistant.window_canvas import Box, Canvas, Colour, Ink, width_of
from kibitz.assistant.words import Words
from kibitz.engine.cards import PileCard
from kibitz.engine.moves import Move
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.table_plan import Group, Spread, TablePlan

CARD_HEIGHT = 1.4
"""Of a card, in card widths."""
STEPS = (0.30, 0.26, 0.23, 0.20, 0.18)
"""Shares of a card's height that an overlapped card shows; the first with which everything fits is taken."""
HIDDEN_STEP = 0.5
"""A face-down card shows so much of what a face-up one shows."""
SIDEWAYS = 0.34
OF_WASTE = 3
NUMBERED = frozenset({PileKind.TABLEAU, PileKind.BASES})


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the drawn table (BGR)."""

    felt: Colour = (52, 74, 38)
    card: Colour = (250, 250, 248)
    black: Colour = (30, 24, 20)
    red: Colour = (30, 30, 205)
    back: Colour = (150, 92, 52)
    back_line: Colour = (190, 140, 100)
    empty: Colour = (96, 118, 84)
    chosen: Colour = (40, 200, 255)
    wrong: Colour = (60, 70, 255)
    number: Colour = (190, 205, 180)


PLAIN = Palette()
HIGH_CONTRAST = Palette(
    felt=(0, 0, 0),
    card=(255, 255, 255),
    black=(0, 0, 0),
    red=(0, 0, 190),
    back=(120, 60, 20),
    back_line=(230, 200, 160),
    empty=(150, 150, 150),
    chosen=(0, 255, 255),
    number=(255, 255, 255),
)


@dataclass(frozen=True, slots=True)
class BoardScene:
    """What is drawn.

    Attributes:
        position: the table.
        move: the move that is advised, or None.
        wrong: piles that differ from what is seen.
    """

    position: Position
    move: Move | None = None
    wrong: Collection[PileId] = field(default_factory=frozenset)


class Board:
    """Draws positions of one patience."""

    def __init__(self, words: Words, plan: TablePlan, palette: Palette = PLAIN) -> None:
        self._words, self._plan = words, plan
        self._palette = palette

    def draw(self, scene: BoardScene, size: tuple[int, int]) -> Picture:
        """The table in a picture of that size (width, height)."""
        canvas = Canvas(size, self._palette.felt)
        grid = _Grid.fitting(self._plan, scene.position, size)
        for group in self._plan.groups:
            for place in group.places:
                self._pile(canvas, grid, group, (place.pile, scene))
        self._arrow(canvas, grid, scene)
        return canvas.picture

    def _pile(self, canvas: Canvas, grid: _Grid, group: Group, what: tuple[PileId, BoardScene]) -> None:
        name, scene = what
        pile = _pile_of(scene.position, name)
        boxes = grid.boxes(name, pile)
        edge = self._edge(name, scene)
        if not pile:
            canvas.frame(boxes[0], edge or self._palette.empty, 3 if edge else 1)
        moved = scene.move.count if scene.move is not None and scene.move.source == name else 0
        for number, box in enumerate(boxes[: len(pile)]):
            at = len(pile) - len(boxes[: len(pile)]) + number
            bright = at >= len(pile) - moved or (edge is not None and at == len(pile) - 1)
            self._card(canvas, box, (pile[at], group.spread, grid.letters), edge if bright else None)
        self._numbers(canvas, grid, boxes, (name, pile, group))

    def _edge(self, name: PileId, scene: BoardScene) -> Colour | None:
        if name in scene.wrong:
            return self._palette.wrong
        move = scene.move
        concerned = () if move is None else (move.source, move.target, *move.others)
        return self._palette.chosen if name in concerned else None

    def _card(self, canvas: Canvas, box: Box, what: tuple[PileCard, Spread, int], edge: Colour | None) -> None:
        (card, spread, letters), colours, (x, y, width, height) = what, self._palette, box
        wide = max(2, width // 16)
        canvas.box((x - 1, y - 1, width + 2, height + 2), colours.black, width // 9)
        if edge is not None:
            canvas.box((x - wide, y - wide, width + 2 * wide, height + 2 * wide), edge, width // 8)
        if not card.face_up:
            canvas.box(box, colours.back, width // 10)
            inner = (x + width // 8, y + width // 8, width - width // 4, height - width // 4)
            canvas.hatch(inner, colours.back_line)
            if card.card is None:
                return
        else:
            canvas.box(box, colours.card if card.card is not None else colours.chosen, width // 10)
        red = card.face_up and card.card is not None and card.card.is_red
        colour = colours.red if red else colours.black if card.face_up else colours.card
        self._sign(canvas, box, (self._words.sign(card.card), spread), Ink(letters, colour, 700, colours.red))

    def _sign(self, canvas: Canvas, box: Box, what: tuple[str, Spread], ink: Ink) -> None:
        """Rank and suit; one over the other where cards overlap sideways, as on a real card."""
        (text, spread), (x, y, width, _) = what, box
        sideways = spread in (Spread.FAN, Spread.RIGHT) and len(text) > 1
        rows = (text[:-1], text[-1]) if sideways else (text,)
        room = round(SIDEWAYS * width) if sideways else width - 4
        while ink.size > 8 and width_of(rows[0], ink) > room:
            ink = replace(ink, size=ink.size - 1)
        at = y + max(1, width // 40)
        for row in rows:
            canvas.text(row, (x + max(2, width // 14), at), ink)
            at += round(1.02 * ink.size)

    def _numbers(self, canvas: Canvas, grid: _Grid, boxes: list[Box], what: tuple[PileId, Pile, Group]) -> None:
        """The number of a column above it, and how many cards lie in a squared pile."""
        name, pile, group = what
        ink = Ink(max(9, round(0.26 * grid.width)), self._palette.number, 600)
        x, y, width, height = boxes[0]
        if name.kind in NUMBERED and grid.width >= 16:
            text = str(name.index + 1)
            canvas.text(text, (x + (width - width_of(text, ink)) // 2, y - round(1.25 * ink.size)), ink)
        hidden = len(pile) - len(boxes)
        if hidden > 0 and group.spread is not Spread.DOWN:
            text, low = str(len(pile)), y + height - round(1.3 * ink.size)
            room = width_of(text, ink) + 6
            canvas.box((x + 3, low, room, round(1.2 * ink.size)), self._palette.black, 3)
            canvas.text(text, (x + 6, low), ink)

    def _arrow(self, canvas: Canvas, grid: _Grid, scene: BoardScene) -> None:
        move = scene.move
        if move is None or move.source is None or move.target is None:
            return
        source, target = _pile_of(scene.position, move.source), _pile_of(scene.position, move.target)
        starts = grid.boxes(move.source, source)
        start = starts[-min(move.count, len(starts))]
        end = grid.boxes(move.target, target)[-1]
        canvas.arrow(_middle(start), _middle(end), self._palette.chosen, max(2, grid.width // 12))


def _middle(box: Box) -> tuple[int, int]:
    return box[0] + box[2] // 2, box[1] + box[3] // 2


def _pile_of(position: Position, name: PileId) -> Pile:
    kinds = position.of_kind(name.kind)
    return kinds[name.index] if name.index < len(kinds) else ()


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where the cards of a plan lie in a picture.

    Attributes:
        plan: of the patience.
        width: of a card, pixels.
        step: share of a card's height that an overlapped one shows.
        origin: pixels of the plan's upper left card corner.
    """

    plan: TablePlan
    width: int
    step: float
    origin: tuple[int, int]

    @property
    def letters(self) -> int:
        """Height of the letters on the cards, pixels: they must be seen on overlapped cards too."""
        return max(9, round(min(0.40, 0.92 * self.step * CARD_HEIGHT) * self.width))

    @staticmethod
    def fitting(plan: TablePlan, position: Position, size: tuple[int, int]) -> _Grid:
        """The largest grid with which the whole table is in the picture."""
        best = _Grid(plan, 0, STEPS[0], (0, 0))
        for step in STEPS:
            unit = _Grid(plan, 1000, step, (0, 0))
            boxes = [box for place in plan.places() for box in unit.boxes(place.pile, _pile_of(position, place.pile))]
            left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
            right, low = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
            wide, high = (right - left) / 1000 + 0.3, (low - top) / 1000 + 0.55
            width = int(min(size[0] / wide, size[1] / high))
            if width > 1.04 * best.width:
                x = round((size[0] - (right - left) / 1000 * width) / 2 - left / 1000 * width)
                best = _Grid(plan, max(4, width), step, (x, round(0.4 * width - top / 1000 * width)))
        return best

    def boxes(self, name: PileId, pile: Pile) -> list[Box]:
        """Where each card that is seen of a pile lies; one box for an empty pile."""
        group = self.plan.group_of(name)
        place = next(place for place in group.places if place.pile == name)
        height = CARD_HEIGHT * self.width
        x, y = self.origin[0] + place.x * self.width, self.origin[1] + place.y * height * 1.12
        shown = pile if group.spread is not Spread.SQUARED else pile[-1:]
        if group.spread is Spread.RIGHT:
            shown = pile[-OF_WASTE:]
        boxes: list[Box] = []
        for card in shown:
            boxes.append((round(x), round(y), self.width, round(height)))
            if group.spread is Spread.DOWN:
                y += self.step * height * (1 if card.face_up else HIDDEN_STEP)
            elif group.spread is not Spread.SQUARED:
                x += self._sideways(group, len(shown)) * self.width
        return boxes or [(round(x), round(y), self.width, round(height))]

    def _sideways(self, group: Group, cards: int) -> float:
        """How far a card of a fan lies beside the one under it, in card widths: fans must not touch each other."""
        row = sorted({place.x for place in group.places})
        room = min((b - a for a, b in pairwise(row)), default=1.0 + 2 * SIDEWAYS)
        return min(SIDEWAYS, max(0.08, (room - 1.06) / max(1, cards - 1)))
