"""Columns over face-down cards, as the strip counter sees them: upright crops with the number of backs in them.

A crop holds the upper edge of the anchor card (the first face-up one) and what lies above it, as `vision.strips` cuts
it. Rendered small and fast: the column, its neighbours, and now and then a pile beyond its far end.

python -m kibitz.models.columns --cache DECKS --out DATA [--seed 1] [--limit 0] [--held-out]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from kibitz.models.lens import photograph
from kibitz.models.minis import (
    CARD_SHAPE,
    Backs,
    DeckLike,
    MiniSpec,
    PlacedFace,
    forget_levels,
    paint_card,
    place_card,
    shift,
    turn,
)
from kibitz.models.samples import ByteArray, ColumnCrop, FloatArray, warp_points
from kibitz.models.shards import prune, save_columns
from kibitz.models.synth.backs import draw_back
from kibitz.models.synth.pips import drawn_pips
from kibitz.vision.strips import ABOVE, ACROSS, BELOW, CROP_HEIGHT, CROP_WIDTH, MOST, upright

TOP_SIDE = 900
CROPS_PER_TOP, CROPS_PER_BACK, CROPS_PER_DECK, SHARD = 12, 8, 48, 1024
BACK_SIZE = (420, 300)  # px
Back = tuple[ByteArray, ByteArray]
ONLY_AS_TOLD = MiniSpec(back_share=0.0)
FULL = np.array([[0, 0], [CROP_WIDTH, 0], [CROP_WIDTH, CROP_HEIGHT], [0, CROP_HEIGHT]], np.float32)


@dataclass(frozen=True, slots=True)
class Hand:
    """What one column is made of, and where: card size in px, place of the anchor card's upper middle."""

    rng: np.random.Generator
    deck: DeckLike
    backs: Backs
    size: tuple[float, float]
    origin: tuple[float, float]

    def card(self, at: tuple[float, float], lean: float, down: bool) -> PlacedFace:
        """A card whose upper middle lies at `at` card widths and heights from the anchor's, a little crooked."""
        width, height = self.size
        x = self.origin[0] + (at[0] + self.rng.normal(0, 0.022)) * width
        y = self.origin[1] + at[1] * height
        pose = shift(x, y) @ turn(lean + self.rng.normal(0, 1.2)) @ np.diag([width, height, 1.0]) @ shift(-0.5, 0.0)
        return place_card(self.rng, (self.deck, self.backs), pose, (ONLY_AS_TOLD, down))


def column_crop(rng: np.random.Generator, deck: DeckLike, back: Back, top: ByteArray) -> ColumnCrop:
    """Renders one column and cuts its crop; `back` has a mask, `top` is square (`TOP_SIDE`)."""
    height = float(np.exp(rng.uniform(np.log(62), np.log(230))))
    width = height * CARD_SHAPE * rng.uniform(0.92, 1.06)
    rows, columns = int(height * (ABOVE + 1.4)), int(width * 3.0)
    y, x = int(rng.integers(top.shape[0] - rows + 1)), int(rng.integers(top.shape[1] - columns + 1))
    canvas = top[y : y + rows, x : x + columns].copy()
    hand = Hand(rng, deck, (back,), (width, height), (columns / 2, rows - 1.2 * height))
    offsets = _offsets(rng)
    own = _column(hand, offsets)
    owner = np.full((rows, columns), -1, np.int16)
    shade = (float(rng.uniform(0.1, 0.65)), rng.normal(0, 0.012 * height, 2))
    for number, card in enumerate([*_beyond(hand, offsets), *_neighbours(hand), *own]):
        paint_card(canvas, owner, card, number, shade)
    picture = photograph(rng, canvas, min(0.35 + 0.0055 * height, 2.2))
    tops = np.array([_top(card) for card in own[: len(offsets)]], np.float32).reshape(-1, 2)
    return _cut(hand, picture, tops)


def _top(card: PlacedFace) -> FloatArray:
    """(2,) middle of the upper edge as the player sees it; half of the cards are laid the other way round."""
    ends = np.stack([card.outline[:2].mean(axis=0), card.outline[2:].mean(axis=0)])
    return np.asarray(ends[ends[:, 1].argmin()], np.float32)


def _offsets(rng: np.random.Generator) -> list[float]:
    """By how many card heights each back lies above the anchor card, far end first."""
    count = int(rng.integers(0, MOST + 1))
    step = min(max(float(np.exp(rng.normal(np.log(0.17), 0.38))), 0.055), 0.42)
    offsets = np.cumsum(np.maximum(step * np.exp(rng.normal(0, 0.16, count)), 0.04))
    return [float(v) for v in offsets[::-1] * min(1.0, (ABOVE - 0.1) / float(offsets[-1]))] if count else []


def _column(hand: Hand, offsets: list[float]) -> list[PlacedFace]:
    """The backs, the anchor card (rarely a back itself) and perhaps face-up cards on it."""
    rng = hand.rng
    lean, drift = rng.normal(0, 0.9), rng.normal(0, 0.04)
    cards = [hand.card((drift * offset, -offset), lean, True) for offset in offsets]
    cards.append(hand.card((0.0, 0.0), lean, rng.random() < 0.06))
    y = 0.0
    for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.6 else 0):
        y += rng.uniform(0.12, 0.34)
        cards.append(hand.card((0.0, y), lean, False))
    return cards


def _beyond(hand: Hand, offsets: list[float]) -> list[PlacedFace]:
    """A pile farther off than the column: a foundation, the stock; never touching it."""
    rng = hand.rng
    if rng.random() < 0.4:
        return []
    far = (offsets[0] if offsets else 0.0) + rng.uniform(1.03, 1.5)
    aside, down, lean = rng.normal(0, 0.3), rng.random() < 0.4, rng.normal(0, 1.5)
    return [hand.card((aside, -far + rng.normal(0, 0.006)), lean, down) for _ in range(int(rng.integers(1, 4)))]


def _neighbours(hand: Hand) -> list[PlacedFace]:
    """Columns to the left and right, near enough to reach into the crop now and then."""
    rng, cards = hand.rng, []
    for side in (-1, 1):
        if rng.random() < 0.4:
            continue
        away, start, step = side * rng.uniform(1.02, 1.4), -rng.uniform(0, 1.6), rng.uniform(0.08, 0.3)
        backs = int(rng.integers(0, 7))
        cards += [hand.card((away, start + n * step), 0.0, n < backs) for n in range(int(rng.integers(2, 9)))]
    return cards


def _cut(hand: Hand, picture: ByteArray, tops: FloatArray) -> ColumnCrop:
    """Cuts as loosely as the reader knows the anchor card."""
    rng, (width, height) = hand.rng, hand.size
    half = ACROSS / 2
    box = np.array([[-half, -ABOVE], [half, -ABOVE], [half, BELOW], [-half, BELOW]])
    box = (box * np.exp(rng.normal(0, 0.03, 2)) + rng.normal(0, [0.04, 0.03])) * [width, height]
    slack = rng.normal(0, 0.012 * height, (4, 2))
    moved = warp_points(shift(*hand.origin) @ turn(rng.normal(0, 1.5)), box.astype(np.float32)) + slack
    area: FloatArray = np.asarray(moved, np.float32)
    crop = upright(picture, area)
    edges = np.full(MOST, np.nan, np.float32)
    if len(tops):
        edges[: len(tops)] = warp_points(np.asarray(cv2.getPerspectiveTransform(area, FULL), np.float64), tops)[:, 1]
    return ColumnCrop(crop, len(tops), edges)


def column_crops(cache: Path, rng: np.random.Generator, held_out: bool) -> Iterator[ColumnCrop]:
    """Endless crops from a slowly changing deck and table top."""
    from kibitz.models.sources import some_deck, table_top

    made = 0
    while True:
        if made % CROPS_PER_DECK == 0:
            forget_levels()
            deck = some_deck(cache, rng, held_out)
        if made % CROPS_PER_TOP == 0:
            top = table_top(rng, TOP_SIDE)
        if made % CROPS_PER_BACK == 0:
            # Decks have few backs, and held-out ones must be new: most are drawn.
            drawn = rng.random() < 0.7 or not deck.backs or held_out
            back = draw_back(rng, BACK_SIZE, drawn_pips()) if drawn else deck.backs[int(rng.integers(len(deck.backs)))]
        yield column_crop(rng, deck, back, top)
        made += 1


def main() -> None:
    """Command line: writes shards until stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0, help="crops, 0 = no end")
    parser.add_argument("--keep", type=int, default=100, help="shards")
    parser.add_argument("--held-out", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    pieces: list[ColumnCrop] = []
    for done, piece in enumerate(column_crops(args.cache, np.random.default_rng(args.seed), args.held_out), start=1):
        pieces.append(piece)
        if len(pieces) == SHARD or done == args.limit:
            save_columns(args.out / f"columns-{args.seed:04d}-{done:07d}.npz", pieces)
            prune(args.out, "columns", args.keep)
            print(f"{done} crops", flush=True)
            pieces.clear()
        if done == args.limit:
            break


if __name__ == "__main__":
    main()
