#!/usr/bin/env python3
"""Start Kibitz from a fresh clone: `python3 scripts/run.py`, with a picture `python3 scripts/run.py table.jpg`.

Makes `.venv`, installs Kibitz into it, then watches the table through the camera. With picture files it checks those
instead; with neither camera nor picture it checks a picture that comes with the project. Any other words are handed to
the `kibitz` command as they are (`python3 scripts/run.py play --game klondike`).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from environment import ROOT, RUN_NEEDS, check_python, environment, say, system_packages


def shipped_picture() -> Path:
    """A picture that comes with the project."""
    pictures = sorted((ROOT / "fixtures" / "images").glob("klondike*.jpg"))
    if not pictures:
        raise SystemExit("[kibitz] no picture in fixtures/images: is the clone complete?")
    return pictures[0]


def kibitz(python: Path, words: list[str]) -> int:
    """Runs the kibitz command."""
    say("kibitz " + " ".join(words))
    return subprocess.run([str(python), "-m", "kibitz.assistant", *words], check=False).returncode


def main() -> int:
    """Runs the command line."""
    check_python()
    system_packages(RUN_NEEDS)
    python = environment(ROOT / ".venv")
    words = sys.argv[1:]
    if words and all(Path(word).is_file() for word in words):
        return kibitz(python, ["check", *words, "--game", "klondike", "--speak"])
    if words and not words[0].startswith("-"):
        return kibitz(python, words)
    if "--camera" in words or kibitz(python, ["doctor", "--only", "camera"]) == 0:
        return kibitz(python, ["watch", *words])
    picture = shipped_picture()
    say("no camera can be used here, so a picture that comes with the project is checked instead")
    return kibitz(python, ["check", str(picture), "--game", "klondike", "--speak", *words])


if __name__ == "__main__":
    raise SystemExit(main())
