"""Shards: files of training pieces outside git, written whole and read whole.

`tiles-*.npz` and `coarse-*.npz` hold JPEG pictures with quads; `patches-*.npz` hold raw surroundings of indices,
`columns-*.npz` JPEG crops of columns with their counts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.samples import ByteArray, ColumnCrop, FloatArray, IntArray, QuadPicture


@dataclass(frozen=True, slots=True)
class Patches:
    """(N, 96, 64, 3) surroundings of indices (or of nothing) with symbol (23 = not an index), suit and height in px."""

    pictures: ByteArray
    symbols: IntArray
    suits: IntArray
    heights: FloatArray


def save_quads(path: Path, pictures: Sequence[QuadPicture], quality: int = 94) -> None:
    """Writes pictures of one kind; the file appears only when complete."""
    _save(
        path,
        **_coded([one.picture for one in pictures], quality),
        quads=np.concatenate([one.quads for one in pictures]),
        boxes=np.concatenate([one.boxes for one in pictures]),
        classes=np.concatenate([one.classes for one in pictures]),
        quad_ends=np.cumsum([len(one.quads) for one in pictures]),
        ignore=np.concatenate([one.ignore for one in pictures]),
        ignore_ends=np.cumsum([len(one.ignore) for one in pictures]),
    )


def load_quads(path: Path) -> list[QuadPicture]:
    """Reads what `save_quads` wrote."""
    with np.load(path) as data:
        cut = data["quad_ends"][:-1]
        quads, boxes, classes = (np.split(data[name], cut) for name in ("quads", "boxes", "classes"))
        ignore = np.split(data["ignore"], data["ignore_ends"][:-1])
        pictures = _decoded(data)
    return [QuadPicture(*parts) for parts in zip(pictures, quads, boxes, classes, ignore, strict=True)]


def save_patches(path: Path, patches: Patches) -> None:
    """Writes patches; the file appears only when complete."""
    _save(path, pictures=patches.pictures, symbols=patches.symbols, suits=patches.suits, heights=patches.heights)


def load_patches(path: Path) -> Patches:
    """Reads what `save_patches` wrote."""
    with np.load(path) as data:
        return Patches(data["pictures"], data["symbols"], data["suits"], data["heights"])


def save_columns(path: Path, crops: Sequence[ColumnCrop]) -> None:
    """Writes column crops; the file appears only when complete."""
    counts = np.array([one.count for one in crops], np.int64)
    edges = np.stack([one.edges for one in crops])
    _save(path, **_coded([one.picture for one in crops], 96), counts=counts, edges=edges)


def load_columns(path: Path) -> list[ColumnCrop]:
    """Reads what `save_columns` wrote."""
    with np.load(path) as data:
        parts = zip(_decoded(data), data["counts"].tolist(), data["edges"], strict=True)
        return [ColumnCrop(*part) for part in parts]


def _coded(pictures: Sequence[ByteArray], quality: int) -> dict[str, NDArray[np.generic]]:
    codes = [cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].ravel() for one in pictures]
    return {"jpeg": np.concatenate(codes), "jpeg_ends": np.cumsum([len(code) for code in codes])}


def _decoded(data: Mapping[str, NDArray[np.generic]]) -> list[ByteArray]:
    codes = np.split(data["jpeg"], data["jpeg_ends"][:-1])
    return [np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8) for code in codes]


def shard_paths(folder: Path, kind: str) -> list[Path]:
    """Complete shards of a kind, oldest first."""
    return sorted(folder.glob(f"{kind}-*.npz"), key=lambda path: path.stat().st_mtime)


def prune(folder: Path, kind: str, keep: int) -> None:
    """Removes the oldest shards of a kind beyond `keep`."""
    paths = shard_paths(folder, kind)
    for path in paths[: max(0, len(paths) - keep)]:
        path.unlink(missing_ok=True)


def _save(path: Path, **arrays: NDArray[np.generic]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    with partial.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    os.replace(partial, path)
