"""Suit signs: cut from gathered decks, taken from fonts, or drawn."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from kibitz.models.synth.decks import ByteArray, deck_names, held_out, load_deck
from kibitz.models.synth.fonts import Coverage, can_print, figure
from kibitz.models.synth.plain_deck import pip

SIGNS = ("♣", "♦", "♥", "♠")
PipSet = tuple[Coverage, Coverage, Coverage, Coverage]
_SIGN_FONTS = (
    "DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "DejaVuSansMono.ttf", "FreeSerif.ttf",
    "FreeSans.ttf", "FreeMono.ttf", "NotoSansSymbols2-Regular.ttf", "NotoSansMath-Regular.ttf", "Junicode.ttf",
    "LinLibertine_R.otf", "LiberationSans-Regular.ttf", "LiberationSerif-Regular.ttf", "Carlito-Regular.ttf",
    "STIXTwoMath-Regular.otf", "Arimo-Regular.ttf",
)  # fmt: skip
_HEIGHT = 128


def _cut(face: ByteArray) -> Coverage | None:
    """The middle pip of a three."""
    h, w = face.shape[:2]
    paper = np.median(face[:: max(1, h // 40), :: max(1, w // 40)].reshape(-1, 3), axis=0)
    window = face[int(0.38 * h) : int(0.62 * h), int(0.3 * w) : int(0.7 * w)].astype(np.float32)
    away = np.abs(window - paper).max(axis=2)
    if away.max() < 60:
        return None
    mask = np.clip(away / np.percentile(away[away > 60], 50), 0, 1)
    count, _, stats, _ = cv2.connectedComponentsWithStats((mask > 0.4).astype(np.uint8))
    if count < 2:
        return None
    x, y, pw, ph, area = stats[1:][int(np.argmax(stats[1:, 4]))]
    if not 0.5 < pw / ph < 1.5 or area < 0.3 * pw * ph or y == 0 or y + ph >= mask.shape[0]:
        return None
    return np.asarray(mask[y : y + ph, x : x + pw], np.float32)


def _tight(mask: Coverage) -> Coverage:
    x, y, w, h = cv2.boundingRect((mask > 0.3).astype(np.uint8))
    return mask[y : y + h, x : x + w]


@lru_cache(maxsize=2)
def pip_sets(cache: Path) -> tuple[PipSet, ...]:
    """Signs of every deck that training may see, of fonts, and the drawn ones; kept in the cache."""
    stored = cache / "pips.npz"
    if not stored.exists():
        _collect(cache, stored)
    with np.load(stored) as data:
        flat = [(data[str(number)] / 255).astype(np.float32) for number in range(len(data.files))]
    return tuple((flat[i], flat[i + 1], flat[i + 2], flat[i + 3]) for i in range(0, len(flat), 4))


def drawn_pips() -> PipSet:
    """The built-in deck's signs."""
    masks = [_tight((pip(suit, _HEIGHT) / 255).astype(np.float32)) for suit in range(4)]
    return masks[0], masks[1], masks[2], masks[3]


def _collect(cache: Path, target: Path) -> None:
    sets: list[tuple[Coverage, ...]] = [drawn_pips()]
    for name in deck_names(cache):
        if name == "plain" or held_out(name):
            continue
        deck = load_deck(cache, name)
        faces = [deck.face(suit * 13 + 2) for suit in range(4)]
        cuts = [_cut(face.image) for face in faces if face is not None]
        good = [cut for cut in cuts if cut is not None]
        if len(good) == 4:
            sets.append(tuple(good))
    for font in _sign_fonts():
        sets.append(tuple(figure(font, sign) for sign in SIGNS))
    masks = [np.round(255 * _resize_height(mask, _HEIGHT)).astype(np.uint8) for group in sets for mask in group]
    target.parent.mkdir(parents=True, exist_ok=True)
    np.savez(target, **{str(number): mask for number, mask in enumerate(masks)})  # type: ignore[arg-type]


def _sign_fonts() -> list[str]:
    from kibitz.models.synth.fonts import FOLDERS

    found = [str(path) for folder in FOLDERS for name in _SIGN_FONTS for path in folder.rglob(name)]
    return [font for font in found if can_print(font, SIGNS)]


def _resize_height(mask: Coverage, height: int) -> Coverage:
    width = max(1, round(mask.shape[1] * height / mask.shape[0]))
    method = cv2.INTER_AREA if height < mask.shape[0] else cv2.INTER_CUBIC
    return np.clip(np.asarray(cv2.resize(mask, (width, height), interpolation=method), np.float32), 0, 1)
