"""How a rendered table is looked at: camera, light, photo, deck and hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kibitz.models.synth.laying import Hand
from kibitz.models.synth.spec import CameraSpec, DeckChoice, LightSpec, PhotoSpec, SpecError

CAMERAS = ("straight", "tilted", "opposite", "720p")
CAMERA = CameraSpec(1920, 1080, tilt=8, fill=0.94)
PLAIN = DeckChoice("plain")


@dataclass(frozen=True, slots=True)
class View:
    """How a table is looked at and shown.

    Attributes:
        camera: where it is and what it resolves.
        light: on the table.
        photo: what the camera makes of it.
        deck: of cards, and whether one kept out of training is meant where none is named.
        hand: how crooked the cards lie.
        card_height: millimetres.
        clutter: things beside the cards.
    """

    camera: CameraSpec = CAMERA
    light: LightSpec = field(default_factory=LightSpec)
    photo: PhotoSpec = field(default_factory=PhotoSpec)
    deck: DeckChoice = PLAIN
    hand: Hand = field(default_factory=Hand)
    card_height: float = 88.0
    clutter: int = 0


def camera_of(name: str, rng: np.random.Generator) -> CameraSpec:
    """One of the four cameras, not quite the same each time.

    Args:
        name: one of CAMERAS.
        rng: chooses what differs.
    """
    if name not in CAMERAS:
        raise SpecError(f"expected a camera of {', '.join(CAMERAS)}, got {name!r}")
    near = {"straight": (0, 8), "tilted": (32, 38), "opposite": (8, 28), "720p": (3, 22)}[name]
    size = (1280, 720) if name == "720p" else (1920, 1080)
    return CameraSpec(
        *size,
        tilt=float(rng.uniform(*near)),
        azimuth=float(rng.normal(180 if name == "opposite" else 0, 4)),
        roll=float(rng.normal(0, 1.5)),
        field_of_view=float(rng.uniform(52, 75)),
        fill=float(rng.uniform(0.9, 0.97)),
        barrel=float(rng.choice([0.0, rng.uniform(-0.02, 0.06)])),
    )


def _light(rng: np.random.Generator) -> LightSpec:
    return LightSpec(
        gradient=float(rng.uniform(0.0, 0.35)),
        lamp=float(rng.choice([0.0, rng.uniform(0.2, 0.7)])),
        window=float(rng.choice([0.0, 0.0, rng.uniform(0.1, 0.5)])),
        shadow=float(rng.choice([0.0, 0.0, rng.uniform(0.1, 0.4)])),
        gloss=float(rng.choice([0.0, rng.uniform(0.1, 0.4)])),
        warmth=float(rng.normal(0, 0.3)),
        contact=float(rng.uniform(0.2, 0.6)),
    )


def _photo(rng: np.random.Generator) -> PhotoSpec:
    level = float(np.clip(rng.normal(200, 22), 140, 245))
    tint = np.exp(rng.normal(0, 0.06) * np.array([1.0, 0.1, -0.8]))
    return PhotoSpec(
        paper=tuple(float(v) for v in level * tint),  # type: ignore[arg-type]
        veil=float(rng.uniform(0.0, 0.04)),
        contrast=float(rng.uniform(0.0, 0.4)),
        saturation=float(rng.uniform(0.8, 1.15)),
        defocus=float(rng.uniform(0.25, 0.75)),
        noise=float(rng.uniform(0.003, 0.02)),
        smear=float(rng.choice([0.0, 0.0, rng.uniform(0.2, 0.6)])),
        sharpen=float(rng.choice([0.0, rng.uniform(0.2, 0.8)])),
        jpeg=int(rng.integers(70, 96)),
        vignette=float(rng.uniform(0, 0.2)),
    )


def random_view(camera: str, rng: np.random.Generator, deck: DeckChoice | None = None) -> View:
    """A view through one of the four cameras with light, faults of the photo and a hand as they come.

    Args:
        camera: one of CAMERAS.
        rng: chooses.
        deck: None = any deck of those kept out of training.
    """
    hand = Hand(
        float(rng.choice([0.7, 1.5, 2.5, 4.0])),
        float(rng.uniform(0.4, 3.0)),
        float(rng.choice([0.0, 0.1, 0.3])),
        int(rng.integers(2**31)),
    )
    height = float(rng.choice([88.0, 88.0, 88.0, 92.0, 65.0]))
    clutter = int(rng.choice([0, 0, 1, 2]))
    return View(camera_of(camera, rng), _light(rng), _photo(rng), deck or DeckChoice(), hand, height, clutter)
