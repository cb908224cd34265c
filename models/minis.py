"""Small synthetic scenes: a few cards of one deck on a small canvas, made fast enough to feed training all the time.

The full tables of `kibitz.models.synth` are the truer pictures and the held-out tests; these add volume and variety
(about 25 a second and core): every scale, free rotation, columns, rows, fans, heaps, occluders, a short camera chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.lens import photograph
from kibitz.models.samples import ByteArray, FloatArray, Truth, bounds, covered_suit, warp_points
from kibitz.vision.symbols import NOT_AN_INDEX

Matrix = NDArray[np.float64]
Backs = tuple[tuple[ByteArray, ByteArray], ...]
CARD_SHAPE = 5 / 7  # width over height; decks differ by a few per cent
RANK_PART = 0.56  # of an index from its top
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


class Mark(Protocol):
    """One printed index: quad (4, 2) in shares of the upright card, symbol, suit."""

    @property
    def quad(self) -> FloatArray: ...
    @property
    def symbol(self) -> int: ...
    @property
    def suit(self) -> int: ...


class FaceLike(Protocol):
    """A card's face as `kibitz.models.synth` hands it out."""

    @property
    def image(self) -> ByteArray: ...
    @property
    def alpha(self) -> ByteArray: ...
    @property
    def marks(self) -> tuple[Mark, ...]: ...


class DeckLike(Protocol):
    """Faces and backs of one deck."""

    @property
    def faces(self) -> Sequence[FaceLike]: ...
    @property
    def extras(self) -> Sequence[FaceLike]: ...
    @property
    def backs(self) -> Backs: ...


@dataclass(frozen=True, slots=True)
class MiniSpec:
    """What small scenes look like."""

    side: int = 320  # px
    card_height: tuple[float, float] = (90.0, 430.0)  # px, log-uniform
    back_share: float = 0.12
    covered_columns: float = 0.0  # share of scenes of columns in which they begin with face-down cards
    tight_columns: float = 0.5  # share of scenes of columns so tight that the next card covers the suit sign
    extra_share: float = 0.06  # jokers and other cards without an index


@dataclass(slots=True)
class PlacedFace:
    """A card on the canvas: its picture, marks and homography from unit card to canvas."""

    image: ByteArray
    alpha: ByteArray
    marks: tuple[Mark, ...]
    matrix: Matrix
    face_up: bool
    outline: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.outline = warp_points(self.matrix, UNIT)


def mini_scene(rng: np.random.Generator, deck: DeckLike, background: ByteArray, spec: MiniSpec = MiniSpec()) -> Truth:
    """One small scene; `background` is (side, side, 3)."""
    side = spec.side
    low, high = np.log(spec.card_height)
    height = float(np.exp(rng.uniform(low, high)))
    camera = _camera(rng, side)
    backs = deck.backs if rng.random() < 0.2 else deck.backs[(k := int(rng.integers(len(deck.backs) or 1))) : k + 1]
    arranged = _arrange(rng, height, spec, deck)
    cards = [place_card(rng, (deck, backs), camera @ pose, (spec, down)) for pose, down in arranged]
    canvas = background.copy()
    owner = np.full((side, side), -1, np.int16)
    shade = rng.uniform(0.1, 0.6)
    offset = rng.normal(0, 0.012 * height, 2)
    for number, card in enumerate(cards):
        paint_card(canvas, owner, card, number, (float(shade), offset))
    if rng.random() < 0.25:
        _occlude(rng, canvas, owner, height)
    most = 0.35 + 0.0055 * height  # px; more would leave nothing to read of an index that small
    return _truth(photograph(rng, canvas, min(most, 2.2)), cards, owner)


def _camera(rng: np.random.Generator, side: int) -> Matrix:
    """Canvas homography around the middle: turned table, tilted camera, a little roll and perspective."""
    quarter = rng.choice([0, 0, 0, 90, 180, 270]) + rng.normal(0, 5) if rng.random() < 0.65 else rng.uniform(0, 360)
    tilt = np.cos(np.radians(min(55.0, abs(rng.normal(0, 28)))))
    roll = rng.normal(0, 4)
    matrix = turn(roll) @ np.diag([1.0, tilt, 1.0]) @ turn(float(quarter))
    lean = np.eye(3)
    lean[2, :2] = rng.normal(0, 0.12, 2) / side
    return shift(side / 2, side / 2) @ lean @ matrix


def turn(degrees: float) -> Matrix:
    """Homography that turns about the origin, clockwise on the picture."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def shift(x: float, y: float) -> Matrix:
    """Homography that moves."""
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def _arrange(rng: np.random.Generator, height: float, spec: MiniSpec, deck: DeckLike) -> list[tuple[Matrix, bool]]:
    """Poses (unit card -> table px around the middle) in painting order, and which cards surely lie face down."""
    width = height * CARD_SHAPE * rng.uniform(0.94, 1.06)
    reach = spec.side * 0.75
    kind = rng.choice(["columns", "row", "fan", "heap", "grid"], p=[0.4, 0.12, 0.2, 0.15, 0.13])
    size = np.diag([width, height, 1.0]) @ shift(-0.5, -0.5)
    if kind == "fan":
        poses = [(pose, False) for pose in _fan(rng, height, size)]
    elif kind == "heap":
        poses = [
            (shift(*rng.uniform(-reach / 1.5, reach / 1.5, 2)) @ turn(rng.uniform(0, 360)) @ size, False)
            for _ in range(int(np.clip((reach / height) ** 2 * 2, 2, 14)))
        ]
    else:
        covered = kind == "columns" and rng.random() < spec.covered_columns
        step = _tight_step(rng, deck) if kind == "columns" and rng.random() < spec.tight_columns else None
        poses = _lattice(rng, str(kind), (width, height, reach), (size, covered, step))
    return poses[:60]


def _fan(rng: np.random.Generator, height: float, size: Matrix) -> list[Matrix]:
    count = int(rng.integers(3, 14))
    step = rng.uniform(3.5, 13)
    radius = height * rng.uniform(0.7, 1.8)
    aside, ahead = rng.normal(0, 0.35 * height, 2)
    middle = shift(aside, ahead + radius)
    start = -step * (count - 1) / 2 + rng.normal(0, 10)
    return [
        middle @ turn(start + step * i + rng.normal(0, 0.8)) @ shift(rng.normal(0, 2), -radius) @ size
        for i in range(count)
    ]


def _tight_step(rng: np.random.Generator, deck: DeckLike) -> float | None:
    """A step of a column, card heights, at which the ranks are seen and their suit signs mostly are not."""
    upper = [mark.quad for face in deck.faces[:8] for mark in face.marks if mark.quad[0][1] < mark.quad[3][1]]
    if not upper:
        return None
    top, bottom = np.median([[quad[0][1], quad[3][1]] for quad in upper], axis=0)
    rank_end = top + RANK_PART * (bottom - top)
    return float(rng.uniform(rank_end, rank_end + 0.5 * (bottom - rank_end)))


def _lattice(
    rng: np.random.Generator, kind: str, room: tuple[float, float, float], of: tuple[Matrix, bool, float | None]
) -> list[tuple[Matrix, bool]]:
    """Columns (overlap downwards), rows (overlap sideways) or a grid without overlap, reaching over the canvas."""
    size, covered, step = of
    width, height, reach = room
    gap_x, gap_y = width * rng.uniform(1.03, 1.4), height * rng.uniform(1.03, 1.3)
    if kind == "columns":
        gap_y = height * (step or (rng.uniform(0.13, 0.34) if rng.random() < 0.7 else rng.uniform(0.09, 0.16)))
    elif kind == "row":
        gap_x = width * rng.uniform(0.16, 0.45) * rng.choice([1, 1, -1])
    across, down = int(np.clip(2 * reach / abs(gap_x), 1, 14)), int(np.clip(2 * reach / gap_y, 1, 14))
    start = rng.uniform(-0.5, 0.5, 2) * [gap_x, height]
    poses = []
    askew = 3.0 if step and rng.random() < 0.5 else 1.8
    for column in range(across):
        length = int(rng.integers(1, down + 1)) if kind == "columns" else down
        lead = rng.normal(0, 0.05 * height)
        backs = int(rng.integers(0, min(length, 7) + 1)) if covered else 0
        for line in range(length):
            x = start[0] + (column - across / 2 + 0.5) * gap_x + rng.normal(0, 0.02 * width)
            y = start[1] - reach + height / 2 + line * gap_y + lead + rng.normal(0, 0.012 * height)
            poses.append((shift(x, y) @ turn(rng.normal(0, askew)) @ size, line < backs))
    return poses


def place_card(
    rng: np.random.Generator, of: tuple[DeckLike, Backs], matrix: Matrix, how: tuple[MiniSpec, bool]
) -> PlacedFace:
    """One card of a deck under a homography: a back if asked for or by chance, else a face either way up."""
    (deck, backs), (spec, down) = of, how
    flip = shift(0.5, 0.5) @ turn(180) @ shift(-0.5, -0.5) if rng.random() < 0.5 else np.eye(3)
    kind = rng.random()
    if (down or kind < spec.back_share) and backs:
        image, alpha = backs[int(rng.integers(len(backs)))]
        return PlacedFace(image, alpha, (), matrix @ flip, False)
    pool = deck.extras if kind < spec.back_share + spec.extra_share and deck.extras else deck.faces
    face = pool[int(rng.integers(len(pool)))]
    marks = face.marks if pool is deck.faces or not deck.faces else _false_marks(deck.faces[0])
    return PlacedFace(face.image, face.alpha, marks, matrix @ flip, True)


@dataclass(frozen=True, slots=True)
class _FalseMark:
    """Where a joker has the word that is no index."""

    quad: FloatArray
    symbol: int = NOT_AN_INDEX
    suit: int = -1


def _false_marks(face: FaceLike) -> tuple[Mark, ...]:
    """The places of another face's indices, for a card that has none."""
    return tuple(_FalseMark(mark.quad) for mark in face.marks)


def paint_card(
    canvas: ByteArray,
    owner: NDArray[np.int16],
    card: PlacedFace,
    number: int,
    shadow: tuple[float, NDArray[np.float64]],
) -> None:
    """Lays one card on the canvas: soft shadow, then the warped face."""
    pad = 6
    x1, y1 = np.maximum(np.floor(card.outline.min(0)).astype(int) - pad, 0)
    x2, y2 = np.minimum(np.ceil(card.outline.max(0)).astype(int) + pad, canvas.shape[1::-1])
    if x2 <= x1 or y2 <= y1:
        return
    size = (int(x2 - x1), int(y2 - y1))
    image, alpha = _at_scale(card)
    to_pixels = shift(-float(x1), -float(y1)) @ card.matrix @ np.diag([1 / image.shape[1], 1 / image.shape[0], 1.0])
    face = cv2.warpPerspective(image, to_pixels, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(alpha, to_pixels, size, flags=cv2.INTER_LINEAR)
    region = canvas[y1:y2, x1:x2]
    moved = cv2.warpAffine(mask, np.array([[1, 0, shadow[1][0]], [0, 1, shadow[1][1]]], np.float64), size)
    dark = 255 - cv2.blur(moved, (5, 5)).astype(np.float32) * shadow[0]
    under = region * (dark / 255)[..., None]
    weight = (mask.astype(np.float32) / 255)[..., None]
    region[:] = (under + (face - under) * weight).astype(np.uint8)
    owner[y1:y2, x1:x2][mask > 127] = number


# (id of the image, level) -> the image itself, so that no other can get its id, and its shrunk copy and mask
_LEVELS: dict[tuple[int, int], tuple[ByteArray, ByteArray, ByteArray]] = {}


def forget_levels() -> None:
    """Drops the shrunk copies: call it when decks are exchanged (they are keyed by object)."""
    _LEVELS.clear()


def _at_scale(card: PlacedFace) -> tuple[ByteArray, ByteArray]:
    """Face and mask area-shrunk to 1 to 1.4 times the size they will have, so that the warp need not average."""
    tall = (
        float(np.linalg.norm(card.outline[3] - card.outline[0]) + np.linalg.norm(card.outline[2] - card.outline[1])) / 2
    )
    wide = (
        float(np.linalg.norm(card.outline[1] - card.outline[0]) + np.linalg.norm(card.outline[2] - card.outline[3])) / 2
    )
    rows, columns = card.image.shape[:2]
    level = int(np.floor(2 * np.log2(max(1.0, min(columns / max(wide, 6.0), rows / max(tall, 8.0))))))
    if level == 0:
        return card.image, card.alpha
    key = (id(card.image), level)
    if key not in _LEVELS:
        goal = (max(4, round(columns / 2 ** (level / 2))), max(4, round(rows / 2 ** (level / 2))))
        _LEVELS[key] = (
            card.image,
            np.asarray(cv2.resize(card.image, goal, interpolation=cv2.INTER_AREA), np.uint8),
            np.asarray(cv2.resize(card.alpha, goal, interpolation=cv2.INTER_AREA), np.uint8),
        )
    return _LEVELS[key][1:]


def _occlude(rng: np.random.Generator, canvas: ByteArray, owner: NDArray[np.int16], height: float) -> None:
    """A finger, a pen, a cup: a rounded bar in one smooth colour."""
    side = canvas.shape[0]
    mask = np.zeros((side, side), np.uint8)
    start = rng.uniform(0, side, 2)
    way = start + rng.normal(0, height, 2)
    thick = max(3, int(height * rng.uniform(0.05, 0.4)))
    cv2.line(mask, tuple(start.astype(int).tolist()), tuple(way.astype(int).tolist()), 255, thick, cv2.LINE_AA)
    skin = rng.random() < 0.6
    colour = (
        np.array([100, 140, 200], np.float32) * rng.uniform(0.35, 1.15)
        if skin
        else rng.uniform(0, 255, 3).astype(np.float32)
    )
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    light = 0.65 + 0.35 * np.sqrt(np.clip(depth / (thick / 2), 0, 1))
    weight = (mask.astype(np.float32) / 255)[..., None]
    canvas[:] = (canvas * (1 - weight) + np.clip(colour * light[..., None], 0, 255) * weight).astype(np.uint8)
    owner[mask > 127] = -2


def visible_share(owner: NDArray[np.int16], number: int, quad: FloatArray) -> float:
    """Share of a quad's pixels that card `number` owns; what lies off the canvas counts as hidden."""
    side_y, side_x = owner.shape
    area = abs(float(cv2.contourArea(quad)))
    x1, y1 = np.floor(quad.min(0)).astype(int)
    x2, y2 = np.ceil(quad.max(0)).astype(int) + 1
    if area < 1 or x2 <= 0 or y2 <= 0 or x1 >= side_x or y1 >= side_y:
        return 0.0
    mask = np.zeros((y2 - y1, x2 - x1), np.uint8)
    cv2.fillConvexPoly(mask, np.round((quad - [x1, y1]) * 16).astype(np.int32), 1, shift=4)
    cx1, cy1, cx2, cy2 = max(x1, 0), max(y1, 0), min(x2, side_x), min(y2, side_y)
    part = owner[cy1:cy2, cx1:cx2] == number
    return float((part & (mask[cy1 - y1 : cy2 - y1, cx1 - x1 : cx2 - x1] > 0)).sum()) / max(1.0, float(mask.sum()))


def _only_rank(owner: NDArray[np.int16], number: int, quad: FloatArray) -> bool:
    """Whether the rank is seen whole and the suit sign below it is mostly hidden."""
    left, right = quad[3] - quad[0], quad[2] - quad[1]
    rank = np.stack([quad[0], quad[1], quad[1] + RANK_PART * right, quad[0] + RANK_PART * left])
    suit = np.stack([quad[0] + RANK_PART * left, quad[1] + RANK_PART * right, quad[2], quad[3]])
    return visible_share(owner, number, rank) > 0.93 and visible_share(owner, number, suit) < 0.45


def _truth(picture: ByteArray, cards: list[PlacedFace], owner: NDArray[np.int16]) -> Truth:
    quads, symbols, suits, visible = [], [], [], []
    for number, card in enumerate(cards):
        for mark in card.marks:
            quad = warp_points(card.matrix, np.asarray(mark.quad, np.float32))
            share = visible_share(owner, number, quad)
            if share > 0:
                quads.append(quad)
                symbols.append(mark.symbol)
                suits.append(covered_suit(mark.suit) if _only_rank(owner, number, quad) else mark.suit)
                visible.append(share)
    outlines = np.array([card.outline for card in cards], np.float32).reshape(-1, 4, 2)
    boxes, shares = visible_boxes(owner, outlines)
    return Truth(
        picture,
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.array(symbols, np.int64),
        np.array(suits, np.int64),
        np.array(visible, np.float32),
        outlines,
        boxes,
        np.array([card.face_up for card in cards], bool),
        shares,
    )


def visible_boxes(owner: NDArray[np.int16], outlines: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Bounding boxes (M, 4) of what each card owns of the picture, and the share of its outline that is seen (M,)."""
    boxes, shares = bounds(outlines).copy(), np.zeros(len(outlines), np.float32)
    for number, outline in enumerate(outlines):
        rows, columns = np.nonzero(owner == number)
        if len(rows):
            boxes[number] = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
            shares[number] = len(rows) / max(1.0, abs(float(cv2.contourArea(outline))))
    return boxes, shares
