"""Photographic table tops and things, gathered once from installed packages into the cache.

Sources (shared/ASSETS.md): patterns of gimp-data, textures of sweethome3d, mate-backgrounds, stamps of
tuxpaint-stamps-default. Nothing of them is in this repository.
"""

import struct
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from kibitz.models.synth.decks import ByteArray

PACKAGES = ("gimp-data", "sweethome3d", "mate-backgrounds", "tuxpaint-stamps-default")
_GIMP = Path("/usr/share/gimp/2.0/patterns")
_HOME3D = Path("/usr/share/sweethome3d/sweethome3d.jar")
_MATE = Path("/usr/share/backgrounds/mate/nature")
_STAMPS = Path("/usr/share/tuxpaint/stamps")
_THINGS = (
    "household", "food", "hobbies", "clothes", "sports", "symbols/money", "symbols/chess", "medical",
    "plants/flowers", "seasonal/christmas", "people/toys",
)  # fmt: skip
LARGEST = 1024


def gather_photographs(cache: Path) -> tuple[int, int]:
    """Fills cache/textures and cache/things; returns how many of each."""
    counts = []
    for folder, pictures, largest in (("textures", _textures(), LARGEST), ("things", _things(), 360)):
        target = cache / folder
        target.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures:
            scale = min(1.0, largest / max(picture.shape[:2]))
            small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            suffix = ".jpg" if folder == "textures" else ".png"
            cv2.imwrite(str(target / (name + suffix)), small)
        counts.append(len(list(target.iterdir())))
    return counts[0], counts[1]


def kept_out(name: str) -> bool:
    """Every seventh picture or so is only used where held-out table tops are asked for."""
    return sum(map(ord, name)) % 7 == 3


@lru_cache(maxsize=8)
def picture_files(folder: Path, kept: bool) -> tuple[Path, ...]:
    """Gathered pictures of a folder, of the training part or the held-out part."""
    return tuple(path for path in sorted(folder.glob("*.*")) if kept_out(path.stem) == kept)


@lru_cache(maxsize=24)
def read_picture(path: Path) -> ByteArray:
    """One gathered picture, kept in memory."""
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), np.uint8)


def _textures() -> Iterator[tuple[str, ByteArray]]:
    for path in sorted(_GIMP.rglob("*.pat")):
        pattern = _read_pattern(path)
        if pattern is not None and min(pattern.shape[:2]) >= 100:
            yield f"gimp-{path.stem}", pattern
    if _HOME3D.exists():
        with zipfile.ZipFile(_HOME3D) as jar:
            for name in sorted(jar.namelist()):
                if "textures/" in name and name.lower().endswith((".jpg", ".png")):
                    picture = cv2.imdecode(np.frombuffer(jar.read(name), np.uint8), cv2.IMREAD_COLOR)
                    if picture is not None and min(picture.shape[:2]) >= 100:
                        yield f"home3d-{Path(name).stem}", np.asarray(picture, np.uint8)
    for path in sorted(_MATE.glob("*.jpg")):
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is not None:
            yield f"mate-{path.stem}", np.asarray(picture, np.uint8)


def _read_pattern(path: Path) -> ByteArray | None:
    """GIMP's .pat: a big-endian header, then raw rows of grey, RGB or RGBA."""
    data = path.read_bytes()
    header, _, width, height, depth, magic = struct.unpack(">5I4s", data[:24])
    if magic != b"GPAT" or depth not in (1, 3, 4):
        return None
    pixels = np.frombuffer(data, np.uint8, width * height * depth, header).reshape(height, width, depth)
    return np.ascontiguousarray(pixels[..., [2, 1, 0]] if depth >= 3 else np.repeat(pixels, 3, axis=2))


def _things() -> Iterator[tuple[str, ByteArray]]:
    for group in _THINGS:
        for path in sorted((_STAMPS / group).rglob("*.png")):
            picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
            if picture is not None and picture.ndim == 3 and picture.shape[2] == 4 and min(picture.shape[:2]) >= 60:
                yield f"tux-{path.stem}", np.asarray(picture, np.uint8)
