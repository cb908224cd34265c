"""Cards that overlap each other on the table: columns, fans and squared piles, before anything is known of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine.table_plan import Spread
from kibitz.vision import geometry, rectify
from kibitz.vision.types import FloatArray, TableCard

Doubles = npt.NDArray[np.float64]

LEAST_OVERLAP = 0.1
"""Share of a card that a neighbour of the same pile covers at least; crooked neighbours of other piles cover less."""
LONGEST_STEP = 0.75
"""Card widths or heights: neighbours that lie farther apart are of two piles that touch."""
SQUARED = 0.12
"""Middles nearer than this (card heights) lie squared upon each other, in no direction."""
PICTURE = 0.5
"""Vote of the picture for its lower edge being the player's side."""
SLANT = 35.0
"""Degrees that a column may lean."""


@dataclass(frozen=True, slots=True, eq=False)
class PlayerFrame:
    """The table as the player sees it.

    Attributes:
        plane: straightened plane of the table.
        right: (2,) step of one card width to the player's right, in the plane.
        down: (2,) step of one card height towards the player.
        votes: how strongly the cards say that `down` points to the player and not away; may be negative.
    """

    plane: rectify.TableFrame
    right: Doubles
    down: Doubles
    votes: float = 0.0

    def place(self, points: FloatArray) -> Doubles:
        """(..., 2) picture points as card widths to the right and card heights towards the player."""
        axes = np.linalg.inv(np.stack([self.right, self.down], axis=1))
        return np.asarray(self.plane.flat(points).astype(np.float64) @ axes.T, np.float64)

    def picture(self, places: Doubles) -> FloatArray:
        """(..., 2) places back in picture points."""
        flat = places[..., :1] * self.right + places[..., 1:] * self.down
        return self.plane.back(np.asarray(flat, np.float32))

    def turned(self) -> PlayerFrame:
        """The same table seen by a player on the other side."""
        return PlayerFrame(self.plane, -self.right, -self.down, -self.votes)


@dataclass(frozen=True, slots=True)
class Chain:
    """Cards of one pile, from the covered end to the free end.

    Attributes:
        cards: rows of the cards given.
        points: (K, 2) their middles, card widths and heights.
        face_down: how many of them lie face down.
    """

    cards: tuple[int, ...]
    points: Doubles
    face_down: int

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def start(self) -> Doubles:
        """(2,) middle of the first card."""
        return np.asarray(self.points[0], np.float64)

    @property
    def extent(self) -> Doubles:
        """(2,) from the first card's middle to the last one's."""
        return np.asarray(self.points[-1] - self.points[0], np.float64)


def player_frame(cards: Sequence[TableCard], size: tuple[int, int]) -> PlayerFrame | None:
    """How the table lies before the player, by the reading direction of partly covered cards; None without outlines.

    Args:
        cards: of one reading.
        size: width and height of the picture (or of what is known of it).
    """
    quads = np.asarray([card.corners for card in cards if card.corners is not None], np.float32)
    if not len(quads):
        return None
    plane = rectify.fit_table(size, np.zeros((0, 4, 2), np.float32), quads)
    flat = plane.flat(quads)
    wide, high = float(np.median(geometry.widths(flat))), float(np.median(geometry.heights(flat)))
    downs = geometry.down_vectors(flat)
    downs = downs / np.maximum(np.linalg.norm(downs, axis=1, keepdims=True), 1e-6)
    # The long side's direction has no sign: average doubled angles.
    double = np.angle(np.sum((downs[:, 0] + 1j * downs[:, 1]) ** 2)) / 2
    down = np.asarray([np.cos(double), np.sin(double)])
    shown = [card for card in cards if card.corners is not None]
    votes = float(sum(np.sign(d @ down) for d, card in zip(downs, shown, strict=True) if card.face_up and card.covered))
    votes += _column_votes(shown, flat, down)
    # Without such signs the picture decides: cameras mostly stand on the player's side.
    votes += PICTURE if down[1] >= -0.2 else -PICTURE
    if votes < 0:
        down, votes = -down, -votes
    right = np.asarray([down[1], -down[0]])
    return PlayerFrame(plane, right * wide, down * high, votes)


def _column_votes(cards: Sequence[TableCard], flat: FloatArray, down: Doubles) -> float:
    """Votes of face-up cards that overlap face-down ones: they lie at the player's end of a column."""
    votes = 0.0
    for k in range(len(cards)):
        for j in range(len(cards)):
            if cards[k].face_up and not cards[j].face_up and geometry.iou(flat[k], flat[j]) > 0.3:
                step = float((flat[k].mean(axis=0) - flat[j].mean(axis=0)) @ down)
                votes += float(np.sign(step)) * 0.5
    return votes


def find_chains(cards: Sequence[TableCard], frame: PlayerFrame, spreads: frozenset[Spread]) -> list[Chain]:
    """All piles of the table as chains; cards without an outline are left out.

    Args:
        cards: of one reading.
        frame: as the player sees them.
        spreads: the ways in which piles of this patience can lie.
    """
    rows = [k for k, card in enumerate(cards) if card.corners is not None]
    quads = np.asarray([cards[k].corners for k in rows], np.float32).reshape(-1, 4, 2)
    placed = frame.place(quads)
    middles = placed.mean(axis=1)
    flat = np.asarray(placed * [1.0, 1.0], np.float32)
    owner = {n: [n] for n in range(len(rows))}
    for _, a, b in sorted(_links(flat, middles, spreads), reverse=True):
        x, y = np.abs(middles[b] - middles[a])
        # Between a face-down card and the next one towards the player there may be others.
        farther = a if middles[a][1] < middles[b][1] else b
        if x > LONGEST_STEP or (y > LONGEST_STEP and cards[rows[farther]].face_up):
            continue
        if owner[a] is not owner[b] and _agree(middles, owner[a] + owner[b], spreads):
            joint = owner[a] + owner[b]
            owner.update(dict.fromkeys(joint, joint))
    groups = {id(group): group for group in owner.values()}.values()
    return [_ordered(cards, rows, middles, group) for group in groups]


def _links(quads: FloatArray, middles: Doubles, spreads: frozenset[Spread]) -> list[tuple[float, int, int]]:
    links = []
    for a in range(len(quads)):
        near = np.flatnonzero((np.abs(middles[a + 1 :] - middles[a]) < 1.1).all(axis=1)) + a + 1
        for b in near:
            share = geometry.overlap(quads[a], quads[b])
            if share >= LEAST_OVERLAP and _fits(middles[b] - middles[a], spreads):
                links.append((share, a, int(b)))
    return links


def _fits(step: Doubles, spreads: frozenset[Spread]) -> bool:
    """Whether two cards of one pile may lie like this (step in card widths and heights)."""
    x, y = abs(step[0]) * 0.7, abs(step[1])
    if np.hypot(x, y) < 2 * SQUARED or Spread.FAN in spreads:
        return True
    slant = np.degrees(np.arctan2(x, y))
    return (Spread.DOWN in spreads and slant < SLANT) or (Spread.RIGHT in spreads and slant > 90 - SLANT)


def _agree(middles: Doubles, group: list[int], spreads: frozenset[Spread]) -> bool:
    """Whether all cards of a joint pile lie in one direction."""
    if Spread.FAN in spreads or len(group) == 2:
        return True
    points = middles[group]
    wide, high = np.ptp(points, axis=0) * [0.7, 1.0]
    if max(wide, high) < 2 * SQUARED:
        return True
    lean = 0.35 + 0.1 * max(wide, high)
    return (Spread.DOWN in spreads and wide < lean) or (Spread.RIGHT in spreads and high < lean)


def _ordered(cards: Sequence[TableCard], rows: list[int], middles: Doubles, group: list[int]) -> Chain:
    """The pile from the covered to the free end: along its line, so that the uncovered card comes last."""
    points = middles[group]
    spread = (points - points.mean(axis=0)) * [0.7, 1.0]
    axis = np.linalg.svd(spread)[2][0]
    # Down and to the right unless covering says otherwise.
    axis = axis if (axis[1] if abs(axis[1]) >= abs(axis[0]) else axis[0]) >= 0 else -axis
    order = sorted(range(len(group)), key=lambda n: float(spread[n] @ axis))
    first, last = cards[rows[group[order[0]]]], cards[rows[group[order[-1]]]]
    if last.covered and not first.covered:
        order.reverse()
    chosen = [group[n] for n in order]
    face_down = sum(not cards[rows[n]].face_up for n in chosen)
    return Chain(tuple(rows[n] for n in chosen), middles[chosen], face_down)
