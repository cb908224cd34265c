"""New indices on any deck: covers the printed ones and draws others, with the exact truth.

    python -m kibitz.models.synth.restyle --cache DIR --count 200 [--held-out 24] [--sheets DIR]

makes restyled decks into the cache ahead of training (350x490, loads in a fraction of a second).
"""

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from kibitz.models.synth.backs import draw_back
from kibitz.models.synth.cut import paper_colour, rounded
from kibitz.models.synth.decks import (
    HELD_OUT_PREFIX,
    ByteArray,
    Deck,
    Face,
    FloatArray,
    IndexMark,
    deck_names,
    default_cache,
    held_out,
    load_deck,
    save_deck,
    shrink,
)
from kibitz.models.synth.fonts import Coverage
from kibitz.models.synth.pips import PipSet, drawn_pips, pip_sets
from kibitz.models.synth.style import Colour, Style, choose_style, rank_mask

HEIGHT = 490
MARGIN = 0.04  # of the index height around the ink, as for printed indices
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.0), (0.5, 1.0)),
    3: ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0)),
    4: tuple((x, y) for x in (0.0, 1.0) for y in (0.0, 1.0)),
    5: (*((x, y) for x in (0.0, 1.0) for y in (0.0, 1.0)), (0.5, 0.5)),
    6: tuple((x, y) for x in (0.0, 1.0) for y in (0.0, 0.5, 1.0)),
    7: (*((x, y) for x in (0.0, 1.0) for y in (0.0, 0.5, 1.0)), (0.5, 0.25)),
    8: (*((x, y) for x in (0.0, 1.0) for y in (0.0, 0.5, 1.0)), (0.5, 0.25), (0.5, 0.75)),
    9: (*((x, y) for x in (0.0, 1.0) for y in (0.0, 1 / 3, 2 / 3, 1.0)), (0.5, 0.5)),
    10: (*((x, y) for x in (0.0, 1.0) for y in (0.0, 1 / 3, 2 / 3, 1.0)), (0.5, 1 / 6), (0.5, 5 / 6)),
}


@dataclass(frozen=True, slots=True)
class Layout:
    """What stays of the old deck."""

    own_pips: bool  # number cards are composed anew
    spread: float  # how much of the free field the pips use
    pip_size: float
    court_scale: float
    width: int


def restyle(deck: Deck, rng: np.random.Generator, pips: tuple[PipSet, ...] = ()) -> Deck:
    """The deck with new corner indices; some pip cards and courts without any index become extras."""
    small = shrink(deck, HEIGHT)
    style = choose_style(rng, pips or (drawn_pips(),), kept_out_fonts=deck.held_out and bool(pips))
    first = small.faces[0].image.shape
    layout = Layout(
        own_pips=bool(rng.random() < 0.6 or style.jumbo or style.four_colour),
        spread=float(rng.uniform(0.8, 1.0)),
        pip_size=float(rng.uniform(0.11, 0.17) if not style.jumbo else rng.uniform(0.06, 0.12)),
        court_scale=float(rng.uniform(0.6, 0.78)) if style.jumbo else float(rng.choice([1.0, 1.0, 0.86])),
        width=round(HEIGHT * np.clip(first[1] / first[0] * rng.uniform(0.94, 1.06), 0.6, 0.74)),
    )
    paper = _paper(rng)
    faces = []
    extras = [*small.extras]
    for face in small.faces:
        ground = _ground(face, style, layout, paper)
        if rng.random() < 0.06:
            extras.append(Face(None, ground.copy(), _alpha(layout, rng), ()))
        faces.append(_printed(ground, face, style, _alpha(layout, rng)))
    extras += [Face(None, np.full((HEIGHT, layout.width, 3), paper, np.uint8), _alpha(layout, rng), ())]
    backs = tuple(draw_back(rng, (HEIGHT, layout.width), style.pips) for _ in range(2)) + small.backs[:1]
    return replace(small, faces=tuple(faces), extras=tuple(extras), backs=backs, alphabet=style.alphabet)


def _alpha(layout: Layout, rng: np.random.Generator) -> ByteArray:
    del rng
    return rounded(HEIGHT, layout.width, layout.width * 0.055)


def _paper(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.6:
        tone = int(rng.integers(244, 256))
        return tone, tone, tone
    red = int(rng.integers(236, 254))
    return red - int(rng.integers(0, 26)), red - int(rng.integers(0, 10)), red


def _ground(face: Face, style: Style, layout: Layout, paper: Colour) -> ByteArray:
    """The card without any index."""
    label = face.label or 0
    canvas = np.full((HEIGHT, layout.width, 3), paper, np.uint8)
    if layout.own_pips and label % 13 < 10:
        _draw_pips(canvas, style, layout, label)
        return canvas
    size = (round(layout.width * layout.court_scale), round(HEIGHT * layout.court_scale))
    # what lies outside the rounded corners (rests of a drawn outline) must not come along
    inside = cv2.erode(face.alpha, np.ones((7, 7), np.uint8))[..., None].astype(np.float32) / 255
    bare = _without_index(face, paper) * inside + np.array(paper, np.float32) * (1 - inside)
    art = cv2.resize(bare.astype(np.uint8), size, interpolation=cv2.INTER_AREA)
    x, y = (layout.width - size[0]) // 2, (HEIGHT - size[1]) // 2
    canvas[y : y + size[1], x : x + size[0]] = art
    return canvas


def _without_index(face: Face, paper: Colour) -> ByteArray:
    """The printed index covered with paper, and old paper shifted to the new tone."""
    old = paper_colour(face.image).astype(np.float32)
    image = np.clip(face.image * (np.array(paper, np.float32) / np.maximum(old, 60)), 0, 255).astype(np.uint8)
    height, width = image.shape[:2]
    for mark in face.marks:
        low, high = mark.quad.min(axis=0), mark.quad.max(axis=0)
        reach = 0.03 * (high[1] - low[1])
        x0, y0 = np.floor((low - reach) * (width, height)).astype(int)
        x1, y1 = np.ceil((high + reach) * (width, height)).astype(int)
        image[max(0, y0) : y1, max(0, x0) : x1] = paper
    return image


def _draw_pips(canvas: ByteArray, style: Style, layout: Layout, label: int) -> None:
    """The usual arrangement of signs, turned in the lower half."""
    suit, rank = label // 13, label % 13 + 1
    height, width = canvas.shape[:2]
    size = round(height * layout.pip_size * (2.0 if rank == 1 and layout.pip_size < 0.14 else 1.0))
    mask = _fit(style.pips[suit], size, round(size * 1.05))
    side = 0.33 if style.jumbo else 0.30
    top = 0.22 if style.jumbo else 0.17
    for x, y in _PIPS[rank]:
        at_x = width * (side + (1 - 2 * side) * (0.5 + (x - 0.5) * layout.spread))
        at_y = height * (top + (1 - 2 * top) * y)
        turned = mask[::-1, ::-1] if y > 0.5 else mask
        _stamp(canvas, turned, round(at_x - mask.shape[1] / 2), round(at_y - mask.shape[0] / 2), style.colours[suit])


def _fit(mask: Coverage, height: int, widest: int) -> Coverage:
    width = min(max(2, round(mask.shape[1] * height / mask.shape[0])), widest)
    return np.clip(
        np.asarray(cv2.resize(mask, (width, max(2, height)), interpolation=cv2.INTER_AREA), np.float32), 0, 1
    )


def _stamp(canvas: ByteArray, mask: Coverage, left: int, top: int, colour: Colour) -> None:
    x0, y0 = max(0, left), max(0, top)
    area = canvas[y0 : top + mask.shape[0], x0 : left + mask.shape[1]]
    share = mask[y0 - top : y0 - top + area.shape[0], x0 - left : x0 - left + area.shape[1], None]
    area[:] = np.round(area * (1 - share) + np.array(colour, np.float32) * share).astype(np.uint8)


def _printed(ground: ByteArray, face: Face, style: Style, alpha: ByteArray) -> Face:
    """The card with its new index in two or four corners."""
    label = face.label or 0
    suit, rank = label // 13, label % 13 + 1
    height, width = ground.shape[:2]
    rank_ink = rank_mask(style, rank, round(style.rank_height * height), width)
    pip_ink = _fit(style.pips[suit], round(style.pip_height * height), round(style.widest * width))
    block, ink = _index(style, rank_ink, pip_ink, height)
    image = ground.copy()
    left, top = max(2, round(style.left * width)), max(2, round(style.top * height))
    places = [(left, top)] + ([(width - left - block.shape[1], top)] if style.corners == 4 else [])
    quads: list[FloatArray] = []
    for turned in (False, True):
        for x, y in places:
            _patch(image, x, y, block.shape, ground)
            _stamp(image, block, x, y, style.colours[suit])
            quad = _quad(x, y, ink, (height, width))
            quads.append((1 - quad).astype(np.float32) if turned else quad)
        image = np.ascontiguousarray(image[::-1, ::-1])
    marks = tuple(IndexMark(quad, style.symbol(rank), suit) for quad in quads)
    return Face(face.label, image, alpha, marks)


def _index(style: Style, rank_ink: Coverage, pip_ink: Coverage, height: int) -> tuple[Coverage, tuple[int, int]]:
    """Rank and suit on one block, and the block's ink size (width, height)."""
    gap = max(1, round(style.gap * height))
    rank_height, rank_width = rank_ink.shape
    pip_height, pip_width = pip_ink.shape
    if style.beside:
        block = np.zeros((max(rank_height, pip_height), rank_width + gap + pip_width), np.float32)
        block[:rank_height, :rank_width] = rank_ink
        drop = (block.shape[0] - pip_height) // 2
        block[drop : drop + pip_height, rank_width + gap :] = pip_ink
    else:
        block = np.zeros((rank_height + gap + pip_height, max(rank_width, pip_width)), np.float32)
        x = (block.shape[1] - rank_width) // 2
        block[:rank_height, x : x + rank_width] = rank_ink
        x = (block.shape[1] - pip_width) // 2
        block[rank_height + gap :, x : x + pip_width] = pip_ink
    return block, (block.shape[1], block.shape[0])


def _patch(image: ByteArray, x: int, y: int, shape: tuple[int, ...], ground: ByteArray) -> None:
    """Paper under an index that would touch the picture, as printers leave it free."""
    reach = max(2, round(0.05 * shape[0]))
    y0, y1, x0, x1 = max(0, y - reach), y + shape[0] + reach, max(0, x - reach), x + shape[1] + reach
    image[y0:y1, x0:x1] = ground[2, ground.shape[1] // 2]


def _quad(x: int, y: int, ink: tuple[int, int], size: tuple[int, int]) -> FloatArray:
    margin = MARGIN * ink[1]
    x0, y0, x1, y1 = x - margin, y - margin, x + ink[0] + margin, y + ink[1] + margin
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    return (corners / (size[1], size[0])).astype(np.float32)


def premake(cache: Path, count: int, kept: int, sheets: Path | None) -> None:
    """Fills cache/restyled; the number of a deck is its seed, so a run can be continued."""
    pips = pip_sets(cache)
    whole = [name for name in deck_names(cache) if name != "plain"]
    groups = (
        ("rs-", count, [n for n in whole if not held_out(n)]),
        (HELD_OUT_PREFIX, kept, [n for n in whole if held_out(n)]),
    )
    for prefix, number, names in groups:
        for seed in range(number):
            path = cache / "restyled" / f"{prefix}{seed:03d}.npz"
            if path.exists():
                continue
            rng = np.random.default_rng([seed, len(prefix)])
            base = load_deck(cache, names[int(rng.integers(len(names)))])
            deck = replace(restyle(base, rng, pips), name=path.stem)
            save_deck(path, deck)
            if sheets is not None:
                from kibitz.models.synth.gather import contact_sheet

                sheets.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(sheets / f"{path.stem}.jpg"), contact_sheet(deck))
            print(f"{path.stem}: from {base.name}, {deck.alphabet}", flush=True)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Makes restyled decks into the cache.")
    parser.add_argument("--cache", type=Path, default=None)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--held-out", type=int, default=24)
    parser.add_argument("--sheets", type=Path, default=None, help="folder for contact sheets")
    options = parser.parse_args()
    premake(options.cache or default_cache(), options.count, options.held_out, options.sheets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
