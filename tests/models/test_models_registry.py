"""The manifest, its files, and what is said when they are missing or altered."""

import hashlib
from pathlib import Path

import pytest

from kibitz.models import registry
from kibitz.models.registry import ModelEntry, ModelError

GOOD = "a" * 64


def entry(kind: str = "index", **changes: object) -> ModelEntry:
    values: dict[str, object] = {
        "kind": kind,
        "file": f"{kind}.onnx",
        "sha256": GOOD,
        "input": "images",
        "classes": ("index",),
        "run": "index1",
    }
    return ModelEntry(**(values | changes))  # type: ignore[arg-type]


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with a detector and a classifier of a few bytes."""
    source = tmp_path / "new.onnx"
    for kind in ("index", "classify"):
        source.write_bytes(kind.encode())
        settings = {"threshold": 0.3} if kind == "index" else {"symbol_temperature": 1.25, "suit_temperature": 1.5}
        registry.put(entry(kind, settings=settings, scores={"recall@0.3": 0.5}), source, tmp_path)
    return tmp_path


def test_put_writes_the_files_own_sha256(shelf: Path) -> None:
    assert registry.read_manifest(shelf)["index"].sha256 == hashlib.sha256(b"index").hexdigest()


def test_an_entry_reads_back_as_it_was_written(shelf: Path) -> None:
    got = registry.read_manifest(shelf)["classify"]
    assert got.settings == {"symbol_temperature": 1.25, "suit_temperature": 1.5}
    assert got.scores == {"recall@0.3": 0.5}
    assert got.classes == ("index",)


def test_model_paths_carry_thresholds_and_temperatures(shelf: Path) -> None:
    paths = registry.model_paths(shelf)
    assert paths.index.read_bytes() == b"index"
    assert (paths.index_threshold, paths.symbol_temperature, paths.suit_temperature) == (0.3, 1.25, 1.5)
    assert paths.cards is None


def test_an_altered_file_is_refused(shelf: Path) -> None:
    (shelf / "weights" / "index.onnx").write_bytes(b"indeX")
    with pytest.raises(ModelError, match=r"index\.onnx.*altered"):
        registry.model_paths(shelf)


def test_a_missing_file_is_named(shelf: Path) -> None:
    (shelf / "weights" / "classify.onnx").unlink()
    with pytest.raises(ModelError, match=r"classify\.onnx, found no file"):
        registry.model_paths(shelf)


def test_no_manifest_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"expected the list of networks at .*manifest\.toml, found none"):
        registry.model_paths(tmp_path)


def test_a_manifest_with_an_unknown_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.toml").write_text('[index]\nfile = "index.onnx"\ncolour = "red"\n')
    with pytest.raises(ModelError, match="colour"):
        registry.read_manifest(tmp_path)


@pytest.mark.parametrize(
    "changes",
    [{"kind": "ranks"}, {"sha256": "short"}, {"settings": {"threshold": 0.0}}],
    ids=["kind", "sha256", "threshold"],
)
def test_entries_check_themselves(changes: dict[str, object]) -> None:
    with pytest.raises(ModelError):
        entry(**changes)  # type: ignore[arg-type]
