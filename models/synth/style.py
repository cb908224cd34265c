"""How a restyled deck looks: letters, font, sizes and colours, drawn at random in the proportions of real decks."""

from dataclasses import dataclass

import cv2
import numpy as np

from kibitz.models.synth.fonts import Coverage, can_print, figure, installed, kept_out
from kibitz.models.synth.pips import PipSet
from kibitz.vision.symbols import ALPHABETS, SYMBOLS

Colour = tuple[int, int, int]  # BGR

_ALPHABET_SHARES = {
    "latin": 0.46,
    "cyrillic": 0.15,
    "german": 0.12,
    "french": 0.07,
    "nordic": 0.10,
    "dutch": 0.05,
    "italian": 0.05,
}
# ace, jack, queen, king: every way a letter set is printed
_VARIANTS: dict[str, tuple[tuple[str, str, str, str], ...]] = {
    "latin": (("A", "J", "Q", "K"),),
    "cyrillic": (("T", "B", "Д", "K"),),
    "german": (("A", "B", "D", "K"),),
    "french": (("1", "V", "D", "R"), ("A", "V", "D", "R")),
    "nordic": (
        ("1", "B", "D", "K"), ("E", "J", "D", "K"), ("1", "J", "D", "K"), ("A", "B", "D", "K"), ("E", "B", "D", "K"),
    ),
    "dutch": (("A", "B", "V", "H"),),
    "italian": (("A", "F", "D", "R"), ("1", "F", "D", "R"), ("A", "J", "Q", "R")),
}  # fmt: skip
# what the font has to draw for a symbol
_GLYPHS = {"T": "Т", "Д": "Д"}
_REDS: tuple[Colour, ...] = (
    (40, 25, 195),
    (50, 30, 170),
    (25, 45, 215),
    (30, 60, 225),
    (60, 40, 205),
    (35, 20, 150),
    (20, 20, 230),
)
_BLACKS: tuple[Colour, ...] = ((20, 18, 18), (35, 32, 32), (55, 50, 48), (45, 30, 28), (10, 10, 10), (70, 66, 64))
_GREENS: tuple[Colour, ...] = ((60, 120, 20), (80, 140, 40), (40, 90, 10))
_BLUES: tuple[Colour, ...] = ((180, 80, 30), (150, 60, 20), (200, 120, 60))
_ORANGES: tuple[Colour, ...] = ((40, 150, 230), (20, 120, 225), (60, 180, 235))


@dataclass(frozen=True, slots=True)
class Style:
    """One print design; lengths are shares of the card's height unless said otherwise."""

    alphabet: str
    letters: tuple[str, str, str, str]
    font: str
    pips: PipSet
    colours: tuple[Colour, Colour, Colour, Colour]
    corners: int
    rank_height: float
    pip_height: float
    gap: float
    beside: bool
    widest: float  # of the card's width
    stretch: float
    weight: int  # pixels of growth at the drawn size
    ten: str  # plain, narrow or joined
    left: float  # of the card's width
    top: float
    tail: bool = (
        False  # a queen's letter with a stroke that sweeps across and out on both sides, as on many poker decks
    )

    @property
    def jumbo(self) -> bool:
        """Index over a fifth of the card's height."""
        return self.rank_height + (0 if self.beside else self.gap + self.pip_height) > 0.2

    @property
    def four_colour(self) -> bool:
        """More than the usual two inks."""
        return len(set(self.colours)) > 2

    def symbol(self, rank: int) -> int:
        """Index into SYMBOLS of what is printed for a rank 1..13."""
        text = {1: self.letters[0], 11: self.letters[1], 12: self.letters[2], 13: self.letters[3]}.get(rank, str(rank))
        return SYMBOLS.index(text)


def choose_style(rng: np.random.Generator, pips: tuple[PipSet, ...], kept_out_fonts: bool = False) -> Style:
    """A plausible print design."""
    alphabet = str(rng.choice(list(_ALPHABET_SHARES), p=list(_ALPHABET_SHARES.values())))
    variants = _VARIANTS[alphabet]
    letters = variants[int(rng.integers(len(variants)))]
    total, corners, widest = _size(rng)
    beside = bool(rng.random() < (0.12 if total < 0.2 else 0.05))
    rank_share = rng.uniform(0.48, 0.66)
    gap_share = rng.uniform(0.02, 0.13)
    rank_height = total * (0.62 if beside else rank_share)
    pip_height = rank_height * rng.uniform(0.6, 1.0) if beside else total * (1 - rank_share - gap_share)
    return Style(
        alphabet=alphabet,
        letters=letters,
        font=_choose_font(rng, tuple(_printed(letters)), kept_out_fonts),
        pips=pips[int(rng.integers(len(pips)))],
        colours=_choose_colours(rng),
        corners=corners,
        rank_height=rank_height,
        pip_height=float(pip_height),
        gap=total * gap_share,
        beside=beside,
        widest=widest,
        stretch=float(rng.uniform(0.68, 1.12)),
        weight=int(rng.choice([-3, 0, 0, 0, 3, 6, 10])),
        ten=str(rng.choice(["plain", "narrow", "joined"], p=[0.45, 0.3, 0.25])),
        left=float(rng.uniform(0.022, 0.055)),
        top=float(rng.uniform(0.018, 0.045)),
        tail=bool(rng.random() < 0.4),
    )


def _size(rng: np.random.Generator) -> tuple[float, int, float]:
    """Index height, corners, greatest width: poker, medium with four indices, tiny and jumbo decks."""
    kind = rng.choice(["ordinary", "medium", "tiny", "large", "jumbo"], p=[0.3, 0.35, 0.08, 0.12, 0.15])
    low, high, four, widest = {
        "ordinary": (0.125, 0.165, 0.3, 0.14),
        "medium": (0.15, 0.195, 0.6, 0.165),
        "tiny": (0.09, 0.125, 0.4, 0.12),
        "large": (0.19, 0.25, 0.25, 0.21),
        "jumbo": (0.25, 0.37, 0.12, 0.34),
    }[str(kind)]
    return float(rng.uniform(low, high)), 4 if rng.random() < four else 2, widest


def _printed(letters: tuple[str, ...]) -> list[str]:
    return [_GLYPHS.get(letter, letter) for letter in letters] + [str(rank) for rank in range(2, 11)]


def _choose_font(rng: np.random.Generator, texts: tuple[str, ...], kept: bool) -> str:
    for _ in range(60):
        kind = str(rng.choice(["sans", "serif", "slab"], p=[0.36, 0.36, 0.28]))
        pool = [font for font in installed()[kind] if kept_out(font) == kept]
        if pool and can_print(font := pool[int(rng.integers(len(pool)))], texts):
            return font
    return "cv2:sans"


def _choose_colours(rng: np.random.Generator) -> tuple[Colour, Colour, Colour, Colour]:
    def some(pool: tuple[Colour, ...]) -> Colour:
        blue, green, red = np.clip(np.array(pool[int(rng.integers(len(pool)))]) + rng.integers(-12, 13, 3), 0, 255)
        return int(blue), int(green), int(red)

    red, black = some(_REDS), some(_BLACKS)
    if rng.random() < 0.85:
        return black, red, red, black
    kind = rng.random()
    if kind < 0.5:  # the poker convention
        return some(_GREENS), some(_BLUES), red, black
    if kind < 0.8:  # the German one
        return black, some(_ORANGES), red, some(_GREENS)
    return some(_GREENS), some(_ORANGES), red, some(_BLUES)


def rank_mask(style: Style, rank: int, height: int, card_width: int) -> Coverage:
    """The rank symbol at its printed size."""
    symbol = SYMBOLS[style.symbol(rank)]
    if symbol == "10" and style.ten != "plain":
        one, zero = figure(style.font, "1"), figure(style.font, "0")
        mask = _join_ten(one, zero, 0.06 if style.ten == "joined" else 0.12)
    elif symbol == "Q" and style.tail:
        mask = _swash_queen(figure(style.font, "O"))
    else:
        mask = figure(style.font, _GLYPHS.get(symbol, symbol))
    mask = _weigh(mask, style.weight)
    stretch = style.stretch
    if symbol == "10":
        stretch *= {"plain": 0.85, "narrow": 0.62, "joined": 0.75}[style.ten]
    if symbol == "Q" and mask.shape[0] > 1.12 * mask.shape[1] / 0.9:
        height = round(height * 1.08)  # the tail hangs below the line
    width = min(mask.shape[1] * height / mask.shape[0] * stretch, style.widest * card_width)
    size = (max(3, round(width)), max(4, height))
    return np.clip(np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.float32), 0, 1)


def _swash_queen(ring: Coverage) -> Coverage:
    """A narrow O with a tail: from outside on the left, through the lower bowl, out at the right foot."""
    height = ring.shape[0]
    ring = cv2.resize(ring, (min(ring.shape[1], round(0.62 * height)), height)).astype(np.float32)
    width = ring.shape[1]
    aside = round(0.25 * width)
    padded = np.pad(ring, ((0, round(0.05 * height)), (aside, aside)))
    way = np.array([[-0.22, 0.84], [-0.05, 0.74], [0.2, 0.71], [0.45, 0.76], [0.7, 0.88], [0.9, 0.99], [1.2, 0.97]])
    points = np.round(way * [width, height] + [aside, 0]).astype(np.int32)
    cv2.polylines(padded, [points], False, (1.0,), max(2, round(0.075 * height)), cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect((padded > 0.15).astype(np.uint8))
    return np.asarray(padded[y : y + h, x : x + w], np.float32)


def _join_ten(one: Coverage, zero: Coverage, gap: float) -> Coverage:
    height = max(one.shape[0], zero.shape[0])
    space = np.zeros((height, round(gap * height)), np.float32)
    parts = [cv2.resize(one, (one.shape[1], height)), space, cv2.resize(zero, (zero.shape[1], height))]
    return np.asarray(np.hstack(parts), np.float32)


def _weigh(mask: Coverage, weight: int) -> Coverage:
    """Bolder or thinner strokes."""
    if weight == 0:
        return mask
    size = abs(weight)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    padded = np.pad(mask, size)
    changed = cv2.dilate(padded, kernel) if weight > 0 else cv2.erode(padded, kernel)
    x, y, w, h = cv2.boundingRect((changed > 0.15).astype(np.uint8))
    if w < 4 or h < 0.8 * mask.shape[0]:
        return mask
    return np.asarray(changed[y : y + h, x : x + w], np.float32)


def known_alphabet(style: Style) -> bool:
    """Every letter of the style has its rank in the alphabet it claims."""
    ranks = ALPHABETS[style.alphabet]
    return all(ranks.get(letter) == rank for letter, rank in zip(style.letters, (1, 11, 12, 13), strict=True))
