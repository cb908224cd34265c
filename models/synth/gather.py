"""Gathers card decks, backs and textures from installed packages into the cache, once.

    python -m kibitz.models.synth.gather --cache DIR [--install] [--sheets DIR] [--only NAME...]

``--install`` fetches the packages first (apt, npm, pip by their ordinary commands); without it what is installed or
already fetched is used, and what is missing is named. ``--sheets`` writes one contact sheet a deck: look at them.
"""

import argparse
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import cv2
import numpy as np

from kibitz.models.synth import fonts, photographs
from kibitz.models.synth.cut import RawDeck, read_source, trim
from kibitz.models.synth.decks import (
    ByteArray,
    Deck,
    DeckError,
    Face,
    IndexMark,
    default_cache,
    held_out,
    load_deck,
    save_deck,
)
from kibitz.models.synth.locate import find_indices
from kibitz.models.synth.sources import SOURCES, Source, printed_symbol

APT_PACKAGES = ("gnome-cards-data", "kdegames-card-data-kf5", *photographs.PACKAGES, *fonts.PACKAGES)


def fetch(package: str, folder: Path) -> Path | None:
    """Where the package's files are, unpacking an npm or pip archive if need be; None if it is not there."""
    kind, _, name = package.partition(":")
    if kind == "apt":
        return Path("/")
    target = folder / name.removeprefix("@").replace("@", "-").replace("/", "-").replace("==", "-")
    if not target.exists():
        archives = [*folder.glob(f"{target.name}.tgz"), *folder.glob(f"{target.name.replace('-', '_', 1)}*.whl")]
        if not archives:
            return None
        if archives[0].suffix == ".whl":
            with zipfile.ZipFile(archives[0]) as wheel:
                wheel.extractall(target)
        else:
            with tarfile.open(archives[0]) as ball:
                ball.extractall(target, filter="data")
    return target


def install(folder: Path) -> None:
    """Fetches every package; a failure is said and the rest goes on."""
    folder.mkdir(parents=True, exist_ok=True)
    packages = dict.fromkeys(source.package for source in SOURCES)
    # one package a command: a name that this release lacks must not stop the rest
    commands = [["apt-get", "install", "-y", "-q", "--no-install-recommends", name] for name in APT_PACKAGES]
    commands += [["npm", "pack", "--silent", name[4:]] for name in packages if name.startswith("npm:")]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
    commands += [[*pip, name[4:]] for name in packages if name.startswith("pip:")]
    for command in commands:
        print("$", *command, file=sys.stderr, flush=True)
        try:
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"  failed ({error}); going on without it", file=sys.stderr)


def build_deck(source: Source, raw: RawDeck) -> Deck:
    """Trimmed faces with their marks."""
    labels = sorted(raw.faces)
    cards = dict(zip(labels, trim([raw.faces[label] for label in labels], source.crop), strict=True))
    quads = find_indices({label: image for label, (image, _) in cards.items()}, source.corners, source.courts_apart)
    faces = []
    for label, places in quads.items():
        symbol = printed_symbol(source.alphabet, label % 13 + 1)
        image, alpha = cards[label]
        faces.append(Face(label, image, alpha, tuple(IndexMark(quad, symbol, label // 13) for quad in places)))
    extras = tuple(Face(None, image, alpha, ()) for image, alpha in trim(raw.extras, source.crop))
    return Deck(
        source.name,
        tuple(faces),
        extras,
        tuple(trim(raw.backs)),
        source.alphabet,
        source.licence,
        held_out(source.name),
    )


def contact_sheet(deck: Deck, height: int = 240) -> ByteArray:
    """All faces in label order with their index quads drawn, then extras and backs."""
    width = round(height * 0.72)
    sheet = np.full((5 * height, 13 * width, 3), (110, 80, 50), np.uint8)

    def put(place: int, image: ByteArray, alpha: ByteArray, marks: tuple[IndexMark, ...]) -> None:
        scale = (height - 6) / image.shape[0]
        size = (min(width - 4, round(image.shape[1] * scale)), height - 6)
        card = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        soft = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA)[..., None] / 255.0
        y, x = place // 13 * height, place % 13 * width
        area = sheet[y : y + size[1], x : x + size[0]]
        area[:] = (card * soft + area * (1 - soft)).astype(np.uint8)
        for mark in marks:
            points = (mark.quad * np.array(size) + np.array([x, y])).round().astype(np.int32)
            cv2.polylines(sheet, [points], True, (255, 0, 255), 1)
            cv2.circle(sheet, points[0].tolist(), 2, (0, 160, 0), -1)

    for face in deck.faces:
        if face.label is not None:
            put(face.label, face.image, face.alpha, face.marks)
    rest = [(extra.image, extra.alpha) for extra in deck.extras] + list(deck.backs)
    for place, (image, alpha) in enumerate(rest[:13]):
        put(52 + place, image, alpha, ())
    return sheet


def gather(cache: Path, only: set[str], sheets: Path | None) -> int:
    """Builds every deck that is asked for; returns how many failed."""
    failed = 0
    for source in SOURCES:
        if only and source.name not in only:
            continue
        folder = fetch(source.package, cache / "packages")
        if folder is None or not (folder / source.path).exists():
            print(f"{source.name}: not installed ({source.package})", file=sys.stderr)
            failed += 1
            continue
        try:
            deck = build_deck(source, read_source(source, folder))
        except DeckError as error:
            print(f"{source.name}: {error}", file=sys.stderr)
            failed += 1
            continue
        save_deck(cache / "decks" / f"{source.name}.npz", deck)
        print(f"{source.name}: {len(deck.faces)} faces, {len(deck.extras)} extras, {len(deck.backs)} backs", flush=True)
        if sheets is not None:
            sheets.mkdir(parents=True, exist_ok=True)
            loaded = load_deck(cache, source.name)
            cv2.imwrite(str(sheets / f"{source.name}.jpg"), contact_sheet(loaded), [cv2.IMWRITE_JPEG_QUALITY, 90])
    return failed


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cache", type=Path, default=None)
    parser.add_argument("--install", action="store_true", help="fetch the packages with apt, npm and pip first")
    parser.add_argument("--sheets", type=Path, default=None, help="folder for contact sheets")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    options = parser.parse_args()
    cache = options.cache or default_cache()
    if options.install:
        install(cache / "packages")
    failed = gather(cache, set(options.only), options.sheets)
    if not options.only:
        tops, things = photographs.gather_photographs(cache)
        print(f"{tops} photographed table tops, {things} things", flush=True)
    return 1 if failed == len(SOURCES) else 0


if __name__ == "__main__":
    sys.exit(main())
