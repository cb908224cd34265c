"""What a rendered picture shows: the table, the camera over it, the light and the faults of the photograph.

A `SceneSpec` holds only numbers, so that a picture is named by its spec and a seed. `random_spec` draws a broad mix,
weighted to what people photograph; `score_specs` is the frozen set of decks and table tops kept out of training.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from kibitz.engine.errors import KibitzError

SCORE_SEED = 910_000_000
"""First seed of the frozen scoring set; training must stay below it."""


class SpecError(KibitzError):
    """A scene was asked for that cannot be rendered."""


class Kind(StrEnum):
    """How the cards lie."""

    KLONDIKE = "klondike"
    CANFIELD = "canfield"
    MRS_MOP = "mrs-mop"
    WALTER = "walter"
    NINETEENTH_FAN = "nineteenth-fan"
    ELEVEN_POINTS = "eleven-points"
    SCATTERED = "scattered"
    SINGLE = "single"
    PAIRS = "pairs"
    GRID = "grid"
    FANS = "fans"
    CHAOS = "chaos"
    EMPTY = "empty"


TWO_DECKS = frozenset({Kind.MRS_MOP, Kind.NINETEENTH_FAN})


@dataclass(frozen=True, slots=True)
class TableSpec:
    """Layout of the cards, in millimetres and shares of a card."""

    kind: Kind = Kind.KLONDIKE
    card_height: float = 88.0
    step: float = 0.28
    """How much of a card's height (fans: width) shows under the next face-up card."""
    back_step: float = 0.09
    crook: float = 2.0
    """Standard deviation of a card's turn, in degrees."""
    jitter: float = 1.2
    gap: float = 8.0
    progress: float = 0.0
    """0 the deal, 1 late in the game."""
    count: int = 12
    mirrored: bool = False
    bent: float = 0.1
    """Share of the cards that are not flat."""
    clutter: int = 0
    hands: int = 0
    drawn_top: bool = False
    """Only a table top drawn here, none of the gathered pictures."""

    def __post_init__(self) -> None:
        """Refuse numbers that mean nothing."""
        if not (20 <= self.card_height <= 160 and 0 < self.step <= 1.5 and self.count >= 0):
            raise SpecError(f"card height 20-160 mm, step up to 1.5 and a count expected, got {self}; correct the spec")


@dataclass(frozen=True, slots=True)
class CameraSpec:
    """A pin-hole camera with a lens."""

    width: int = 1280
    height: int = 720
    tilt: float = 15.0
    """Degrees from straight above."""
    azimuth: float = 0.0
    """Degrees round the table; 0 is the player's side, 180 the opposite one."""
    roll: float = 0.0
    field_of_view: float = 60.0
    fill: float = 0.85
    """Share of the picture that the cards take; above 1 some are cut off."""
    shift: tuple[float, float] = (0.0, 0.0)
    barrel: float = 0.0
    fringe: float = 0.0
    """Chromatic aberration at the edge, in pixels."""
    soft: float = 1.0
    """The sensor's true resolution as a share of the picture's."""

    def __post_init__(self) -> None:
        """Refuse cameras that see nothing."""
        if self.width < 64 or self.height < 64 or not 0 <= self.tilt <= 65 or not 0.2 <= self.soft <= 1:
            raise SpecError(f"picture from 64x64, tilt 0-65 and soft 0.2-1 expected, got {self}; correct the spec")


@dataclass(frozen=True, slots=True)
class LightSpec:
    """Light on the table; strengths 0..1."""

    gradient: float = 0.2
    lamp: float = 0.0
    window: float = 0.0
    shadow: float = 0.0
    """Soft or hard shadow of head, arm or tripod."""
    gloss: float = 0.0
    warmth: float = 0.0
    """Negative blue daylight, positive evening lamp: the tint of the second light."""
    contact: float = 0.4


@dataclass(frozen=True, slots=True)
class PhotoSpec:
    """What the camera makes of the light."""

    paper: tuple[float, float, float] = (212.0, 178.0, 165.0)
    """BGR of white paper in the middle of the table, 0..255 and above (burnt out)."""
    veil: float = 0.02
    contrast: float = 0.2
    saturation: float = 1.0
    defocus: float = 0.5
    motion: float = 0.0
    double: float = 0.0
    noise: float = 0.01
    smear: float = 0.0
    sharpen: float = 0.3
    jpeg: int = 85
    vignette: float = 0.1


@dataclass(frozen=True, slots=True)
class DeckChoice:
    """A deck by name (None: any of the pool, by the seed) and the seed of its restyling (None: as it is)."""

    name: str | None = None
    style: int | None = None


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """Everything but the seed."""

    table: TableSpec = field(default_factory=TableSpec)
    camera: CameraSpec = field(default_factory=CameraSpec)
    light: LightSpec = field(default_factory=LightSpec)
    photo: PhotoSpec = field(default_factory=PhotoSpec)
    deck: DeckChoice = field(default_factory=DeckChoice)
    held_out: bool = False
    """Decks and table tops kept out of training."""
    position: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """An exact position: (pile name such as `tableau/2`, cards as texts, bottom first); empty: any, by the seed."""


KIND_WEIGHTS: dict[Kind, float] = {
    Kind.KLONDIKE: 24, Kind.CANFIELD: 6, Kind.MRS_MOP: 9, Kind.WALTER: 6, Kind.NINETEENTH_FAN: 8, Kind.ELEVEN_POINTS: 5,
    Kind.SCATTERED: 8, Kind.SINGLE: 4, Kind.PAIRS: 4, Kind.GRID: 8, Kind.FANS: 11, Kind.CHAOS: 6, Kind.EMPTY: 1,
}  # fmt: skip
SIZES: tuple[tuple[int, int, float], ...] = (
    (640, 480, 12), (1280, 720, 32), (1920, 1080, 20), (960, 1280, 8), (1280, 960, 8), (1200, 1200, 5),
    (1200, 1600, 6), (1600, 900, 5), (2400, 1800, 1), (3840, 2160, 0.3), (3000, 4000, 0.3),
)  # fmt: skip


def _pick(rng: np.random.Generator, weights: list[float]) -> int:
    total = np.asarray(weights, dtype=np.float64)
    return int(rng.choice(len(weights), p=total / total.sum()))


def _chance(rng: np.random.Generator, probability: float, low: float, high: float) -> float:
    """A value between the bounds with the given probability, else 0."""
    value = rng.uniform(low, high)
    return float(value) if rng.random() < probability else 0.0


def _random_table(rng: np.random.Generator, kind: Kind) -> TableSpec:
    height = float(rng.choice([88.0, 88.0, 88.0, 92.0, 65.0]))
    squeezed = rng.random() < 0.35
    counts = {Kind.SINGLE: (1, 2), Kind.PAIRS: (2, 4), Kind.SCATTERED: (4, 28), Kind.GRID: (8, 53), Kind.FANS: (1, 5),
              Kind.CHAOS: (10, 52)}  # fmt: skip
    low, high = counts.get(kind, (0, 1))
    return TableSpec(
        kind=kind,
        card_height=height,
        step=float(rng.uniform(0.13, 0.21) if squeezed else rng.uniform(0.19, 0.42)),
        back_step=float(rng.uniform(0.02, 0.15)),
        crook=float(rng.choice([0.7, 1.5, 2.5, 4.0, 7.0], p=[0.25, 0.3, 0.25, 0.15, 0.05])),
        jitter=float(rng.uniform(0.3, 4.0)),
        gap=float(rng.choice([rng.uniform(1, 8), rng.uniform(5, 30)])),
        progress=float(rng.random()) if rng.random() < 0.75 else 0.0,
        count=int(rng.integers(low, high)),
        mirrored=bool(rng.random() < 0.15),
        bent=float(rng.choice([0.0, 0.15, 0.6], p=[0.4, 0.45, 0.15])),
        clutter=int(rng.choice([0, 1, 2, 4], p=[0.4, 0.25, 0.2, 0.15])),
        hands=int(rng.random() < 0.12),
    )


def _random_camera(rng: np.random.Generator, kind: Kind) -> CameraSpec:
    width, height, _ = SIZES[_pick(rng, [size[2] for size in SIZES])]
    side = rng.random()
    azimuth = rng.normal(0, 8)
    if side > 0.6:
        azimuth += float(rng.choice([90, 180, 270]))
    if side > 0.88:
        azimuth = rng.uniform(0, 360)
    tilt = abs(rng.normal(0, 12)) if rng.random() < 0.6 else rng.uniform(10, 50)
    close = kind in (Kind.SINGLE, Kind.PAIRS)
    return CameraSpec(
        width=width,
        height=height,
        tilt=float(min(tilt, 50)),
        azimuth=float(azimuth),
        roll=float(rng.normal(0, 3)),
        field_of_view=float(rng.uniform(45, 82)),
        fill=float(rng.uniform(0.25, 0.9) if close else rng.choice([rng.uniform(0.6, 0.97), rng.uniform(0.95, 1.5)])),
        shift=(float(rng.normal(0, 0.05)), float(rng.normal(0, 0.05))),
        barrel=_chance(rng, 0.5, -0.04, 0.14),
        fringe=_chance(rng, 0.4, 0.2, 1.6),
        soft=float(rng.uniform(0.45, 1.0)) if rng.random() < 0.3 else 1.0,
    )


def _random_light(rng: np.random.Generator) -> LightSpec:
    return LightSpec(
        gradient=float(rng.uniform(0.0, 0.5)),
        lamp=_chance(rng, 0.35, 0.2, 1.0),
        window=_chance(rng, 0.22, 0.2, 1.0),
        shadow=_chance(rng, 0.35, 0.2, 0.7),
        gloss=_chance(rng, 0.4, 0.1, 1.0),
        warmth=float(rng.normal(0, 0.4)),
        contact=float(rng.uniform(0.1, 0.7)),
    )


def _random_photo(rng: np.random.Generator) -> PhotoSpec:
    level = float(np.clip(rng.normal(195, 34), 85, 275))
    tint = np.exp(rng.normal(0, 0.09) * np.array([1.0, 0.1, -0.8]) + np.array([0.08, -0.01, -0.05]))
    if rng.random() < 0.1:  # a yellow lamp, or yellowed cards
        tint = tint * np.array([rng.uniform(0.5, 0.8), 0.97, 1.05])
    dim = rng.random() < 0.12
    return PhotoSpec(
        paper=tuple(float(v) for v in level * (0.6 if dim else 1.0) * tint),  # type: ignore[arg-type]
        veil=float(rng.uniform(0.0, 0.06)),
        contrast=float(rng.uniform(-0.1, 0.5)),
        saturation=float(rng.uniform(0.6, 1.25)),
        defocus=float(rng.choice([rng.uniform(0.2, 0.8), rng.uniform(0.6, 2.2)], p=[0.7, 0.3])),
        motion=_chance(rng, 0.2, 2.0, 9.0),
        double=_chance(rng, 0.08, 1.5, 7.0),
        noise=float(rng.uniform(0.02, 0.07) if dim else rng.uniform(0.0, 0.03)),
        smear=_chance(rng, 0.35, 0.3, 1.0),
        sharpen=_chance(rng, 0.55, 0.2, 1.6),
        jpeg=int(rng.integers(30, 97)),
        vignette=float(rng.uniform(0, 0.35)),
    )


def random_spec(rng: np.random.Generator, deck: DeckChoice | None = None) -> SceneSpec:
    """A scene as somebody might photograph it. Give `deck` to render many scenes with one deck: loading is slow."""
    kinds = list(KIND_WEIGHTS)
    kind = kinds[_pick(rng, [KIND_WEIGHTS[k] for k in kinds])]
    chosen = deck or DeckChoice(style=int(rng.integers(0, 2**31)) if rng.random() < 0.45 else None)
    return SceneSpec(
        table=_random_table(rng, kind),
        camera=_random_camera(rng, kind),
        light=_random_light(rng),
        photo=_random_photo(rng),
        deck=chosen,
    )


def score_specs(count: int) -> tuple[tuple[int, SceneSpec], ...]:
    """The frozen scoring set: (seed, spec) pairs with decks and table tops that no training scene uses."""
    pairs = []
    for number in range(count):
        seed = SCORE_SEED + number
        spec = random_spec(np.random.default_rng([seed, 1]), DeckChoice())
        kind = list(Kind)[number % 6]
        pairs.append((seed, replace(spec, table=_random_table(np.random.default_rng([seed, 2]), kind), held_out=True)))
    return tuple(pairs)
