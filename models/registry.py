"""The shipped networks: what `manifest.toml` says of them, and their files, checked before they are handed out.

python -m kibitz.models.registry                      prints the manifest's table and checks every file
python -m kibitz.models.registry put index FILE.onnx  takes a newly trained file into weights/ and the manifest
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from kibitz.engine.errors import KibitzError
from kibitz.vision.types import ModelPaths

HERE = Path(__file__).resolve().parent
KINDS = ("index", "classify", "cards", "strips")
Value = str | int | float | list[str]


class ModelError(KibitzError):
    """A shipped network is missing, altered, or not described."""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One network of the manifest; `settings` holds thresholds or temperatures, `scores` held-out figures."""

    kind: str
    file: str
    sha256: str
    input: str
    classes: tuple[str, ...]
    run: str
    settings: Mapping[str, float] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ModelError(
                f"expected a network of the kinds {', '.join(KINDS)}, got {self.kind!r}; correct the manifest"
            )
        if len(self.sha256) != 64 or not set(self.sha256) <= set("0123456789abcdef"):
            raise ModelError(f"expected 64 hexadecimal digits as sha256 of {self.file}, got {self.sha256!r}")
        if any(value <= 0 for value in self.settings.values()):
            raise ModelError(f"expected positive thresholds and temperatures, got {dict(self.settings)}")


def read_manifest(folder: Path = HERE) -> dict[str, ModelEntry]:
    """The manifest in `folder`, by kind.

    Raises:
        ModelError: no manifest, or one that is not understood.
    """
    path = folder / "manifest.toml"
    if not path.is_file():
        raise ModelError(f"expected the list of networks at {path}, found none; install kibitz again")
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
        return {kind: ModelEntry(kind=kind, **_entry(table)) for kind, table in tables.items()}
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise ModelError(f"expected tables of networks in {path}, got something else: {error}") from error


def _entry(table: Mapping[str, object]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}


def checked_path(entry: ModelEntry, folder: Path = HERE) -> Path:
    """The entry's file, after its sha256 was compared (once a process).

    Raises:
        ModelError: the file is missing or was altered.
    """
    path = folder / "weights" / entry.file
    if not path.is_file():
        raise ModelError(f"expected the network {entry.kind} at {path}, found no file; install kibitz again")
    if (got := _sha256(path, path.stat().st_mtime_ns)) != entry.sha256:
        raise ModelError(
            f"expected sha256 {entry.sha256[:12]}… of {path}, got {got[:12]}…: altered; install kibitz again"
        )
    return path


@cache
def _sha256(path: Path, _changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def model_paths(folder: Path = HERE) -> ModelPaths:
    """The shipped networks with their thresholds, ready for `kibitz.vision`.

    Raises:
        ModelError: the detector or the classifier is missing or altered (the others may be absent).
    """
    entries = read_manifest(folder)
    for kind in ("index", "classify"):
        if kind not in entries:
            raise ModelError(
                f"expected the network {kind} in {folder / 'manifest.toml'}, found none; install kibitz again"
            )
    index, classify = entries["index"], entries["classify"]
    cards, strips = entries.get("cards"), entries.get("strips")
    return ModelPaths(
        index=checked_path(index, folder),
        classify=checked_path(classify, folder),
        cards=checked_path(cards, folder) if cards else None,
        strips=checked_path(strips, folder) if strips else None,
        index_threshold=index.settings.get("threshold", 0.25),
        cards_threshold=cards.settings.get("threshold", 0.35) if cards else 0.35,
        symbol_temperature=classify.settings.get("symbol_temperature", 1.0),
        suit_temperature=classify.settings.get("suit_temperature", 1.0),
        strips_temperature=strips.settings.get("temperature", 1.0) if strips else 1.0,
    )


def put(entry: ModelEntry, source: Path, folder: Path = HERE) -> ModelEntry:
    """Copies a network into `weights/` and writes its entry (with the file's own sha256) into the manifest."""
    from dataclasses import replace

    target = folder / "weights" / entry.file
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.resolve() != target.resolve():
        shutil.copyfile(source, target)
    entry = replace(entry, sha256=hashlib.sha256(target.read_bytes()).hexdigest())
    entries = read_manifest(folder) if (folder / "manifest.toml").is_file() else {}
    entries[entry.kind] = entry
    text = "\n".join(_table(entries[kind]) for kind in KINDS if kind in entries)
    header = "# Written by `python -m kibitz.models.registry put`; figures are of decks kept out of training.\n\n"
    (folder / "manifest.toml").write_text(header + text, "utf-8")
    return entry


def _table(entry: ModelEntry) -> str:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def numbers(values: Mapping[str, float]) -> str:
        return (
            "{ " + ", ".join(f"{quoted(name)} = {value}" for name, value in values.items()) + " }" if values else "{}"
        )

    lines = [f"[{entry.kind}]"]
    lines += [f"{name} = {quoted(getattr(entry, name))}" for name in ("file", "sha256", "input", "run")]
    lines.append("classes = [" + ", ".join(map(quoted, entry.classes)) + "]")
    lines += [f"{name} = {numbers(getattr(entry, name))}" for name in ("settings", "scores")]
    return "\n".join(lines) + "\n"


def template(kind: str, run: str, settings: Mapping[str, float], scores: Mapping[str, float]) -> ModelEntry:
    """An entry with what is always the same of a kind filled in."""
    from kibitz.vision.symbols import SYMBOLS

    inputs = {
        "index": "images (1, 3, H, W) float32 RGB 0..1, H and W multiples of 32",
        "cards": "images (1, 3, H, W) float32 RGB 0..1, long side 640, H and W multiples of 32",
        "classify": "crops (N, 3, 64, 40) float32 RGB 0..1, the index enlarged by 15 % on each side",
        "strips": "crops (N, 3, 208, 64) float32 RGB 0..1, a column above its first face-up card",
    }
    classes = {"index": ("index",), "cards": ("face", "back"), "classify": (*SYMBOLS, "not an index")}
    classes["strips"] = (*map(str, range(7)), "7 or more")
    return ModelEntry(kind, f"{kind}.onnx", "0" * 64, inputs[kind], classes[kind], run, dict(settings), dict(scores))


def main() -> None:
    """Command line: list and check, or put."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command")
    adding = commands.add_parser("put")
    adding.add_argument("kind", choices=KINDS)
    adding.add_argument("file", type=Path)
    adding.add_argument("--run", required=True, help="which training run made it (models/LOG.md)")
    adding.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="threshold or temperature")
    adding.add_argument("--score", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    if args.command == "put":
        settings, scores = (
            {name: float(value) for name, value in (pair.split("=") for pair in pairs)}
            for pairs in (args.set, args.score)
        )
        put(template(args.kind, args.run, settings, scores), args.file)
    for entry in read_manifest().values():
        path = checked_path(entry)
        print(f"{entry.kind:9} {path.stat().st_size / 1e6:5.2f} MB  {entry.sha256[:12]}  {entry.run}  {entry.scores}")


if __name__ == "__main__":
    main()
