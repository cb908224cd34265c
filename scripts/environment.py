"""Shared by run.py and test.py: an environment with Kibitz in it, and the system packages it needs.

Standard library only.
"""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
import time
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAMP = "kibitz-installed.txt"


@dataclass(frozen=True)
class Need:
    """One thing of the operating system: how to see that it is there, and what it is called in each packager."""

    what: str
    program: str | None = None
    library: str | None = None
    apt: str = ""
    dnf: str = ""
    pacman: str = ""

    def missing(self) -> bool:
        if self.program is not None:
            return shutil.which(self.program) is None
        return ctypes.util.find_library(self.library or "") is None


RUN_NEEDS = (
    Need("the window", library="GL", apt="libgl1", dnf="libglvnd-glx", pacman="libglvnd"),
    Need("the window", library="glib-2.0", apt="libglib2.0-0", dnf="glib2", pacman="glib2"),
    Need("the voice", program="espeak-ng", apt="espeak-ng", dnf="espeak-ng", pacman="espeak-ng"),
    Need("the sound", program="aplay", apt="alsa-utils", dnf="alsa-utils", pacman="alsa-utils"),
)
TEST_NEEDS = (
    *RUN_NEEDS,
    Need(
        "a screen for the window tests",
        program="Xvfb",
        apt="xvfb",
        dnf="xorg-x11-server-Xvfb",
        pacman="xorg-server-xvfb",
    ),
)
PACKAGERS = {
    "apt": ("apt-get", ["apt-get", "install", "-y", "--no-install-recommends"]),
    "dnf": ("dnf", ["dnf", "install", "-y"]),
    "pacman": ("pacman", ["pacman", "-S", "--noconfirm", "--needed"]),
}


def say(text: str) -> None:
    """Tells what is being done, on stderr, so that output of the job itself stays clean."""
    print(f"[kibitz] {text}", file=sys.stderr, flush=True)


def run(command: list[str], quiet: bool = False) -> int:
    """Runs a command in the project folder and says how long it took when it was long."""
    say("$ " + " ".join(command))
    start = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL if quiet else None)
    seconds = time.monotonic() - start
    if seconds > 5:
        say(f"  took {seconds:.0f} s")
    return done.returncode


def require(command: list[str], hint: str) -> None:
    """Runs a command and ends the program with a plain sentence if it fails."""
    if run(command) != 0:
        raise SystemExit(f"[kibitz] that failed. {hint}")


def system_packages(needs: tuple[Need, ...]) -> None:
    """Installs what is missing when that needs no password, else prints the exact command and goes on."""
    if not sys.platform.startswith("linux"):
        return
    missing = [need for need in needs if need.missing()]
    if not missing:
        return
    say("missing on this system: " + ", ".join(f"{need.apt} ({need.what})" for need in missing))
    for name, (program, install) in PACKAGERS.items():
        if shutil.which(program) is None:
            continue
        command = install + [getattr(need, name) for need in missing]
        if os.geteuid() == 0:
            if name == "apt":
                run(["apt-get", "update", "-q"], quiet=True)
            if run(command, quiet=True) == 0:
                return
        say("please run this once, then start again (going on without it for now):")
        say("    sudo " + " ".join(command))
        return
    say("please install them with your system's packager")


def python_of(folder: Path) -> Path:
    """The interpreter of a virtual environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def check_python() -> None:
    """Ends with a plain sentence on a Python that is too old."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the clone may be started with any Python
        raise SystemExit(f"[kibitz] Python 3.11 or newer is needed, this is {sys.version.split()[0]}")


def environment(folder: Path, extras: str = "") -> Path:
    """Makes (or reuses) a virtual environment with Kibitz installed in it and gives its interpreter.

    Args:
        folder: where the environment is.
        extras: extras to install, such as ``dev``.
    """
    python, wanted = python_of(folder), f"{extras}\n{(ROOT / 'pyproject.toml').read_text(encoding='utf-8')}"
    stamp = folder / STAMP
    if python.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    if not python.exists():
        say(f"making a Python environment in {folder}")
        try:
            venv.create(folder, with_pip=True)
        except (subprocess.CalledProcessError, OSError) as error:
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            hint = f"On Debian and Ubuntu: sudo apt-get install python{version}-venv"
            raise SystemExit(f"[kibitz] no environment could be made ({error}). {hint}") from error
    say("installing Kibitz and its libraries (a few hundred megabytes the first time)")
    target = f".[{extras}]" if extras else "."
    require(
        [str(python), "-m", "pip", "install", "--disable-pip-version-check", "-q", "-e", target],
        "Is the network reachable? The lines above say what pip missed.",
    )
    stamp.write_text(wanted, encoding="utf-8")
    return python
