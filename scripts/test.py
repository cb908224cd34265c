#!/usr/bin/env python3
"""Run every check of Kibitz: `python3 scripts/test.py`. CI runs the same.

Makes `.venv` (with `--fresh` a new, empty environment in a temporary folder), then: ruff, ruff format, the wheel,
mypy on the installed wheel, the wheel's command in a clean environment, and pytest. Words after `--` go to pytest.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from environment import ROOT, TEST_NEEDS, check_python, environment, python_of, require, say, system_packages

PACKAGES = ("kibitz.engine", "kibitz.vision", "kibitz.models", "kibitz.assistant")


def tool(python: Path, name: str, *words: str) -> list[str]:
    """The command line of a tool installed in the environment."""
    return [str(python), "-m", name, *words]


def lint(python: Path) -> None:
    """Style and formatting."""
    require(tool(python, "ruff", "check", "."), "`ruff check --fix .` mends most of it.")
    require(tool(python, "ruff", "format", "--check", "."), "`ruff format .` mends it.")


def build_wheel(python: Path, folder: Path) -> Path:
    """Builds the wheel from nothing, so that no file of an older build gets into it."""
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    require(tool(python, "build", "--wheel", "--outdir", str(folder), "."), "The wheel could not be built.")
    return next(folder.glob("kibitz-*.whl"))


def check_types(python: Path, wheel: Path, folder: Path) -> None:
    """Strict types, on the unpacked wheel: type checkers cannot follow an editable install of mapped packages."""
    target = folder / "unpacked"
    require(
        tool(python, "pip", "install", "-q", "--no-deps", "--target", str(target), str(wheel)), "The wheel is broken."
    )
    words = [word for package in PACKAGES for word in ("-p", package)]
    say(f"mypy --strict on {', '.join(PACKAGES)}")
    done = subprocess.run(
        tool(python, "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), *words),
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(target)},
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit("[kibitz] the types do not fit")


def smoke(wheel: Path, folder: Path) -> None:
    """The wheel in a clean environment, without the tools: the command starts and reads a shipped picture."""
    os.environ["KIBITZ_NO_COMPILE"] = "1"
    clean = folder / "clean"
    venv.create(clean, with_pip=True)
    python = python_of(clean)
    require(tool(python, "pip", "install", "-q", str(wheel)), "The wheel cannot be installed.")
    require([str(python), "-c", "import importlib.util as u; assert u.find_spec('torch') is None"], "torch came along.")
    require(tool(python, "kibitz.assistant", "--version"), "The installed command does not start.")
    require(tool(python, "kibitz.assistant", "games"), "The installed command does not list the games.")
    pictures = sorted((ROOT / "fixtures" / "images").glob("klondike*.jpg"))[:1]
    for picture in pictures:
        require(
            tool(python, "kibitz.assistant", "check", str(picture), "--game", "klondike"),
            "The installed command cannot check a picture.",
        )


def main() -> int:
    """Runs the command line."""
    check_python()
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--fresh", action="store_true", help="use a new environment in a temporary folder")
    parser.add_argument("--quick", action="store_true", help="only style and pytest")
    parser.add_argument("pytest", nargs="*", help="words for pytest, after --")
    options = parser.parse_args()
    system_packages(TEST_NEEDS)
    with tempfile.TemporaryDirectory(prefix="kibitz-test-") as name:
        folder = Path(name)
        python = environment(folder / "venv" if options.fresh else ROOT / ".venv", "dev")
        lint(python)
        if not options.quick:
            wheel = build_wheel(python, folder)
            check_types(python, wheel, folder)
            smoke(wheel, folder)
        say("pytest")
        return subprocess.run(tool(python, "pytest", *options.pytest), cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
