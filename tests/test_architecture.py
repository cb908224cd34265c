"""Who may import whom, what the wheel holds, and that importing does nothing (on syntax trees, in fresh processes)."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("engine", "vision", "models", "assistant")
SOURCES = {layer: sorted((ROOT / layer).rglob("*.py")) for layer in LAYERS}
CV2_IN_ASSISTANT = {"overlay.py", "window.py", "window_child.py", "window_canvas.py"}
TRAINING = re.compile(
    r"models/(train_|synth/|dataset|export|nets|losses|training|evaluate|augment|samples|shards|stream)"
)


@cache
def modules_imported(path: Path, only_top_level: bool = False) -> tuple[str, ...]:
    """Names of the modules that a file imports."""
    return tuple(_imports(path, only_top_level))


def _imports(path: Path, only_top_level: bool) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = _top_level(tree) if only_top_level else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _top_level(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes outside of functions and `if TYPE_CHECKING`."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
            continue
        yield node
        waiting += list(ast.iter_child_nodes(node))


def files_importing(layer: str, library: str, only_top_level: bool = False) -> list[str]:
    return [
        path.relative_to(ROOT).as_posix()
        for path in SOURCES[layer]
        if any(name.split(".")[0] == library for name in modules_imported(path, only_top_level))
    ]


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_sees_only_what_is_to_its_left(layer: str) -> None:
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in SOURCES[layer]
        for name in modules_imported(path)
        if name.startswith("kibitz.") and name.split(".")[1] not in allowed
    ]
    assert wrong == []


@pytest.mark.parametrize("layer", LAYERS)
def test_no_bare_names(layer: str) -> None:
    wrong = [path for path in SOURCES[layer] for name in modules_imported(path) if name.split(".")[0] in LAYERS]
    assert wrong == []


def test_no_bare_name_was_imported_in_this_run() -> None:
    assert [layer for layer in LAYERS if layer in sys.modules] == []


def test_engine_needs_nothing_outside_its_search() -> None:
    libraries = ("numpy", "numba", "scipy", "cv2", "onnxruntime", "rich", "typer")
    wrong = [file for library in libraries for file in files_importing("engine", library)]
    assert [file for file in wrong if not file.startswith("engine/search/")] == []
    inside = {library for library in libraries[2:] for file in files_importing("engine", library)}
    assert inside == set()


def test_cv2_only_where_pictures_are_drawn_in_the_assistant() -> None:
    assert {Path(file).name for file in files_importing("assistant", "cv2")} <= CV2_IN_ASSISTANT


def test_pyttsx3_only_in_the_voice() -> None:
    assert files_importing("assistant", "pyttsx3") == ["assistant/voice_child.py"]
    assert [file for layer in LAYERS[:3] for file in files_importing(layer, "pyttsx3")] == []


@pytest.mark.parametrize("library", ["torch", "torchvision", "ultralytics"])
def test_training_libraries_stay_in_the_training(library: str) -> None:
    assert files_importing("engine", library) == []
    assert files_importing("assistant", library) == []
    assert set(files_importing("vision", library)) <= {"vision/detectors/ultralytics.py"}
    assert files_importing("vision", library, only_top_level=True) == []
    assert [file for file in files_importing("models", library) if not TRAINING.match(file)] == []


def packages_in_pyproject() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages: list[str] = project["tool"]["setuptools"]["packages"]
    return packages


def test_every_folder_with_an_init_is_in_the_wheel() -> None:
    folders = sorted(
        "kibitz." + path.parent.relative_to(ROOT).as_posix().replace("/", ".")
        for layer in LAYERS
        for path in (ROOT / layer).rglob("__init__.py")
    )
    assert sorted(packages_in_pyproject()) == folders


def test_tests_are_no_packages() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def importable_modules() -> list[str]:
    """Every module that the default install can import: the training needs the extra `train`."""
    found = []
    for layer in LAYERS:
        for path in SOURCES[layer]:
            relative = path.relative_to(ROOT).as_posix()
            if TRAINING.match(relative) or path.name in ("__main__.py",):
                continue
            found.append("kibitz." + relative.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    return found


IMPORT_ALL = """
import builtins, importlib, sys, time, os
opened = []
def hook(event, args):
    if event == "open" and isinstance(args[0], str):
        name = args[0]
        if name.startswith("/dev/") and name not in ("/dev/null", "/dev/urandom") or name.endswith((".onnx", ".pt")):
            opened.append(name)
    if event == "socket.connect":
        opened.append("socket")
sys.addaudithook(hook)
for name in sys.argv[1:]:
    importlib.import_module(name)
assert not opened, opened
for library in ("torch", "ultralytics", "pyttsx3", "onnxruntime"):
    assert library not in sys.modules, library
"""


def run_python(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": ""}
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, env=env, check=False)


def test_importing_opens_nothing_and_prints_nothing() -> None:
    done = run_python(IMPORT_ALL, *importable_modules())
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_command_line_starts_without_pictures_and_networks() -> None:
    code = (
        "import sys, kibitz.assistant.cli; print([n for n in ('cv2', 'numpy', 'numba', 'scipy') if n in sys.modules])"
    )
    done = run_python(code)
    assert done.stdout == "[]\n", done.stderr
