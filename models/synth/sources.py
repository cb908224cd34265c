"""Where card art can be had: installable packages, their layout inside, letters and licences (shared/ASSETS.md).

The art itself never enters this repository; `gather` reads it from what apt, npm and pip installed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from kibitz.vision.symbols import SYMBOLS

ACE_TO_KING = tuple(range(1, 14))
ACE_DOWN = (1, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)
TWO_UP = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 11, 12, 13)

# ace, jack, queen, king as printed
LETTERS: Mapping[str, tuple[str, str, str, str]] = MappingProxyType(
    {
        "latin": ("A", "J", "Q", "K"),
        "cyrillic": ("T", "B", "Д", "K"),
        "german": ("A", "B", "D", "K"),
        "french": ("1", "V", "D", "R"),
        "nordic": ("1", "B", "D", "K"),
        "dutch": ("A", "B", "V", "H"),
        "italian": ("A", "F", "D", "R"),
    }
)


def printed_symbol(alphabet: str, rank: int) -> int:
    """Index into SYMBOLS of what this letter set prints for a rank 1..13."""
    ace, jack, queen, king = LETTERS[alphabet]
    text = {1: ace, 11: jack, 12: queen, 13: king}.get(rank, str(rank))
    return SYMBOLS.index(text)


class Kind(StrEnum):
    """How the art is stored."""

    GRID = "grid"  # one SVG sheet of equal cells
    PARTS = "parts"  # one SVG sheet of separate cards
    FILES = "files"  # one file a card


@dataclass(frozen=True, slots=True)
class Source:
    """One deck and how to take it apart."""

    name: str
    path: str
    licence: str
    kind: Kind = Kind.GRID
    alphabet: str = "latin"
    corners: int = 2
    suits: str = "CDHS"  # the sheet's rows
    ranks: tuple[int, ...] = ACE_TO_KING  # the sheet's columns
    rows: int = 5
    names: str = ""  # FILES: pattern with {suit} and {rank}
    suit_words: tuple[str, ...] = ()
    rank_words: tuple[str, ...] = ()
    broken: frozenset[str] = frozenset()
    package: str = ""
    backs: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    crop: float = 0.0  # cut off each side, as a share of the width; 0: found by looking for an outline
    courts_apart: bool = False  # courts have pips of another size
    rest: str = "eeb"  # what follows the four suits on a sheet: e extra (joker, blank), b back, - neither


GPL3 = "GPL-3.0-or-later"
GPL2 = "GPL-2.0-or-later"
LGPL3 = "LGPL-3.0-or-later"
CC0 = "CC0-1.0"
AISLERIOT = "/usr/share/aisleriot/cards"
KDE = "/usr/share/carddecks"


def _aisleriot(name: str, alphabet: str = "latin", file: str = "", **more: object) -> Source:
    path = f"{AISLERIOT}/{file or name}.svgz"
    licence = str(more.pop("licence", GPL3))
    return Source(f"ar-{name}", path, licence, alphabet=alphabet, package="apt:gnome-cards-data", **more)  # type: ignore[arg-type]


def _kde(name: str, path: str, suits: str, licence: str, **more: object) -> Source:
    return Source(f"kde-{name}", f"{KDE}/{path}", licence, suits=suits, package="apt:kdegames-card-data-kf5", **more)  # type: ignore[arg-type]


_MEUK_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
_WORDS = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")
_NUMBERS = tuple(str(rank) for rank in range(1, 14))


def _meuk(name: str) -> Source:
    return Source(
        f"meuk-{name}",
        f"package/src/images/{name}",
        f"{CC0} (art by Adrian Kennard)",
        kind=Kind.FILES,
        names="{rank}{suit}.svg",
        suit_words=("C", "D", "H", "S"),
        rank_words=_MEUK_RANKS,
        package="npm:@heruka_urgyen/react-playing-cards@0.5.0",
        backs=("../back.svg",),
    )


SOURCES: tuple[Source, ...] = (
    _aisleriot("anglo"),
    _aisleriot("anglo_bitmap"),
    _aisleriot("anglo_modern"),
    _aisleriot("anglo_modern_4_color"),
    _aisleriot("anglo_poker"),
    _aisleriot("simplistic", broken=frozenset({"3S"})),
    _aisleriot("atlasnye"),
    _aisleriot("atlasnye_russian", "cyrillic", file="Атласные"),
    _aisleriot("atlasnye_skat", "german"),
    _aisleriot("slavic_costumes", "cyrillic"),
    _aisleriot("ancient_french", "french", licence="LGPL-2.1-or-later"),
    _aisleriot("paris"),
    _aisleriot("berlin", "german"),
    _aisleriot("lattmann", "german"),
    _aisleriot("rheinland", "german"),
    _aisleriot("orell"),
    _aisleriot("tarocco", "italian"),
    _aisleriot("dondorf", corners=4),
    _aisleriot("tigullio", licence=LGPL3),
    _aisleriot("gnomangelo"),
    _aisleriot("gnomangelo_bitmap"),
    _aisleriot("neoclassical"),
    _aisleriot("neoclassical_4_color"),
    _aisleriot("ornamental", rest="eebbeeeeeeeee"),
    _aisleriot("plastic"),
    _kde("standard", "svg-standard/standard.svgz", "SHCD", GPL2, ranks=ACE_DOWN, rows=4),
    _kde("white", "svg-nicu-white/white.svgz", "CDHS", GPL2, kind=Kind.PARTS, ranks=TWO_UP, rest="ee--bbbbbbbb"),
    _kde("tigullio-international", "svg-tigullio-international/tigullio-international.svgz", "DHCS",
         "LGPL-2.0-or-later", rest="bbbbee"),
    Source(
        "aguilar-cardsjs",
        "package/cards",
        f"{LGPL3} (art by Chris Aguilar)",
        kind=Kind.FILES,
        names="{rank}{suit}.svg",
        suit_words=("C", "D", "H", "S"),
        rank_words=("A", *_NUMBERS[1:10], "J", "Q", "K"),
        package="npm:cardsJS@1.1.1",
        backs=("Blue_Back.svg", "Red_Back.svg"),
    ),
    Source(
        "aguilar-younestouati",
        "package/cards",
        f"{LGPL3} (art by Chris Aguilar)",
        kind=Kind.FILES,
        names="{rank}{suit}.svg",
        suit_words=("c", "d", "h", "s"),
        rank_words=_NUMBERS,
        broken=frozenset({"4S"}),
        package="npm:@younestouati/playing-cards-standard-deck@3.0.0",
    ),
    _meuk("2color"),
    _meuk("2color-bf"),
    _meuk("4color"),
    _meuk("4color-bf"),
    Source(
        "bellot-svgcards",
        "package/png/2x",
        "LGPL-2.1-or-later (art by David Bellot)",
        kind=Kind.FILES,
        names="{suit}_{rank}.png",
        suit_words=("club", "diamond", "heart", "spade"),
        rank_words=("1", *_NUMBERS[1:10], "jack", "queen", "king"),
        package="npm:svg-cards@4.0.2",
        backs=("back*.png",),
        extras=("joker*.png",),
        crop=0.014,
    ),
    Source(
        "knoll",
        "blackjack_gui/images",
        "public domain (art by Byron Knoll)",
        kind=Kind.FILES,
        names="{rank}_of_{suit}.png",
        suit_words=("clubs", "diamonds", "hearts", "spades"),
        rank_words=("ace", *_NUMBERS[1:10], "jack", "queen", "king"),
        package="pip:blackjack-gui==1.8.1",
        courts_apart=True,
    ),
)  # fmt: skip
