"""Index figures from the fonts of the machine: which there are, and one figure as a tight coverage mask."""

import re
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Coverage = npt.NDArray[np.float32]

FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts", Path("/Library/Fonts"))
# apt packages that `gather --install` adds; any subset works
PACKAGES = (
    "fonts-adf-accanthis", "fonts-adf-baskervald", "fonts-adf-gillius", "fonts-adf-libris", "fonts-adf-mekanus",
    "fonts-adf-romande", "fonts-adf-switzera", "fonts-adf-tribun", "fonts-adf-universalis", "fonts-bebas-neue",
    "fonts-cabin", "fonts-cantarell", "fonts-clear-sans", "fonts-courier-prime", "fonts-croscore",
    "fonts-crosextra-caladea", "fonts-crosextra-carlito", "fonts-dejavu-core", "fonts-dejavu-extra",
    "fonts-ebgaramond", "fonts-freefont-ttf", "fonts-gfs-didot", "fonts-gnutypewriter", "fonts-goudybookletter",
    "fonts-inter", "fonts-junicode", "fonts-lato", "fonts-liberation", "fonts-linuxlibertine", "fonts-noto-core",
    "fonts-oldstandard", "fonts-open-sans", "fonts-opendin", "fonts-paratype", "fonts-play", "fonts-quattrocento",
    "fonts-roboto-slab", "fonts-roboto-unhinted", "fonts-sil-charis", "fonts-sil-doulos", "fonts-sil-gentium",
    "fonts-stix", "fonts-urw-base35", "fonts-vollkorn", "fonts-yanone-kaffeesatz",
)  # fmt: skip

_SLAB = (
    r"CourierPrime|LiberationMono|FreeMono|NimbusMono|Cousine|gnutypewriter|RobotoSlab|Mekanus|DejaVuSansMono|"
    r"DejaVuSerif"
)
_SERIF = (
    r"LiberationSerif|FreeSerif|NimbusRoman|C059|P052|Bookman|Junicode|EBGaramond|GFSDidot|LinLibertine|Gentium|Caladea|"
    r"Tinos|PT_Serif|PTF|NotoSerif-|NotoSerifDisplay|Accanthis|Baskervald|Romande|Tribun|OldStandard|Charis|Doulos|STIX|"
    r"Vollkorn|Quattrocento-|Goudy"
)
_SANS = (
    r"Lato|OpenSans|Roboto-|RobotoCondensed|Cantarell|Carlito|DejaVuSans(Condensed)?[-.]|FreeSans|NimbusSans|Gothic-|PTS|"
    r"PTN|Play|LiberationSans|NotoSans-|NotoSansDisplay|Arimo|Bebas|Yanone|Gillius|Libris|Switzera|Universalis|Inter-|"
    r"Cabin|ClearSans|OpenDin|QuattrocentoSans"
)
KINDS = {"slab": re.compile(_SLAB), "serif": re.compile(_SERIF), "sans": re.compile(_SANS)}
_UNFIT = re.compile(
    r"Italic|Oblique|Ita\b|-It\b|RI\b|RBI|BI\b|Thin|Hairline|ExtraLight|Symbol|Math|Initial|Outline|Swash|Keyboard|-I\.|_I\."
)
BUILT_IN = ("cv2:sans", "cv2:uni")  # always there
_DRAWN = 200  # pixels of the em


@lru_cache(maxsize=1)
def installed() -> dict[str, tuple[str, ...]]:
    """Fit font files by kind; only OpenCV's own when pillow or the fonts are missing."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for folder in FOLDERS:
        for path in sorted([*folder.rglob("*.ttf"), *folder.rglob("*.otf")]):
            if not _UNFIT.search(path.name):
                kind = next((kind for kind, pattern in KINDS.items() if pattern.search(path.name)), None)
                if kind is not None:
                    found[kind].append(str(path))
    return {kind: tuple(paths) if paths else BUILT_IN for kind, paths in found.items()}


def kept_out(font: str) -> bool:
    """Every eighth font family or so is used by held-out decks only."""
    family = re.split(r"[-_.]", Path(font).name)[0]
    return sum(map(ord, family)) % 8 == 3 and not font.startswith("cv2:")


def can_print(font: str, texts: tuple[str, ...]) -> bool:
    """Whether the font has all these figures, each with ink of its own."""
    try:
        drawn = [figure(font, text) for text in texts]
    except (OSError, ValueError):
        return False
    missing = _raw(font, "\ufffe") if not font.startswith("cv2:") else None
    for text, mask in zip(texts, drawn, strict=True):
        if mask.shape[0] < 40 or (
            missing is not None and missing.shape == mask.shape and len(text) == 1 and np.allclose(missing, mask)
        ):
            return False
    return True


def figure(font: str, text: str) -> Coverage:
    """Coverage 0..1 of the text, cut to its ink."""
    mask = _raw(font, text)
    if mask.size == 0:
        raise ValueError(f"expected {text!r} in {font}, got nothing: choose another font")
    return mask


@lru_cache(maxsize=512)
def _raw(font: str, text: str) -> Coverage:
    if font.startswith("cv2:"):
        canvas = np.zeros((2 * _DRAWN, (1 + len(text)) * _DRAWN), np.uint8)
        cv2.putText(canvas, text, (_DRAWN // 2, int(1.5 * _DRAWN)), (255,), cv2.FontFace(font[4:]), _DRAWN, 600)
    else:
        from PIL import Image, ImageDraw, ImageFont

        face = ImageFont.truetype(font, _DRAWN)
        picture = Image.new("L", ((1 + len(text)) * _DRAWN, 2 * _DRAWN))
        ImageDraw.Draw(picture).text((_DRAWN // 2, _DRAWN // 2), text, fill=255, font=face)
        canvas = np.asarray(picture)
    x, y, w, h = cv2.boundingRect((canvas > 40).astype(np.uint8))
    return np.asarray(canvas[y : y + h, x : x + w].astype(np.float32) / 255)
