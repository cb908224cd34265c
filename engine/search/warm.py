"""When the compiled kernels may be used, and the detached process that compiles them once.

Compiling takes half a minute, so nobody waits for it: until the marker file says that the compiled kernels lie in the
cache, the same kernels run as plain Python with smaller counts. `compile_kernels` compiles at once, for scripts that
want to wait.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

__all__ = [
    "cache_folder",
    "compile_kernels",
    "compiled_mode",
    "kernels_ready",
    "start_compiling",
    "strong_advisers",
    "wait_for_kernels",
]

LOCK_SECONDS = 900.0  # a compiling process older than this has died
NOTE = "kibitz: compiling the search kernels once, in the background; until they are ready the advice is simpler\n"


def _user_cache() -> Path:
    if base := os.environ.get("KIBITZ_CACHE") or os.environ.get("XDG_CACHE_HOME"):
        return Path(base)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local")))
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


@cache
def cache_folder() -> Path:
    """Return the folder of the compiled kernels of exactly this source, Python and machine."""
    digest = hashlib.sha256(f"{sys.version} {platform.machine()} {platform.processor()}".encode())
    here = Path(__file__).parent
    digest.update(str(here).encode())
    for source in sorted(here.glob("*.py")):
        code = source.read_bytes()
        if b"\n@kernel\n" in code:
            digest.update(code)
    return _user_cache() / "kibitz" / "kernels" / digest.hexdigest()[:16]


@cache
def _numba_there() -> bool:
    return not os.environ.get("KIBITZ_NO_NUMBA") and importlib.util.find_spec("numba") is not None


def kernels_ready() -> bool:
    """Tell whether compiled kernels can be loaded without compiling; costs no import of numba."""
    return _numba_there() and (cache_folder() / "ready").exists()


def compiled_mode() -> bool:
    """Tell whether a module with kernels that is imported now gets them compiled."""
    return _numba_there() and (bool(os.environ.get("KIBITZ_COMPILE")) or kernels_ready())


def strong_advisers() -> ModuleType:
    """Return the module with the strong advisers; import it anew once its kernels have been compiled meanwhile."""
    jit = sys.modules.get("kibitz.engine.search.jit")
    if jit is not None and not jit.HAVE_NUMBA and compiled_mode():
        for source in Path(__file__).parent.glob("*.py"):
            if b"kernel" in source.read_bytes() and source.stem not in _PLAIN_MODULES:
                sys.modules.pop(f"kibitz.engine.search.{source.stem}", None)
                vars(sys.modules["kibitz.engine.search"]).pop(source.stem, None)
    return importlib.import_module("kibitz.engine.search.strong")


_PLAIN_MODULES = frozenset({"__init__", "adviser", "plain", "warm"})


def start_compiling() -> bool:
    """Start the detached process that compiles the kernels, unless one is at work; tell whether it was started now.

    Where no cache can be written nothing is started: the plain adviser stays.
    """
    if not _numba_there() or os.environ.get("KIBITZ_NO_COMPILE") or not _lock():
        return False
    sys.stderr.write(NOTE)
    command = [sys.executable, "-c", "from kibitz.engine.search.warm import compile_kernels; compile_kernels()"]
    quiet = subprocess.DEVNULL
    detached = 0x00000208 if sys.platform == "win32" else 0  # DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP
    child = subprocess.Popen(
        command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True, creationflags=detached, close_fds=True
    )
    child.returncode = 0  # it outlives us and nobody waits for it: no warning about that
    return True


def _lock() -> bool:
    """Take the lock file; False when another process compiles or the cache cannot be written."""
    path = cache_folder() / "compiling"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and time.time() - path.stat().st_mtime > LOCK_SECONDS:
            path.unlink()
        with path.open("x"):
            return True
    except OSError:
        return False


def wait_for_kernels(say: Callable[[str], None]) -> bool:
    """Compile the kernels now where that is still to be done, for benches; tell whether the caller had to wait.

    Without numba, and where `KIBITZ_NO_COMPILE` forbids it, nothing is compiled.
    """
    if not _numba_there() or kernels_ready() or os.environ.get("KIBITZ_NO_COMPILE"):
        return False
    say("compiling the search kernels once: about a minute")
    compile_kernels()
    return True


def compile_kernels() -> None:
    """Compile every kernel into the cache and leave the marker that says so."""
    os.environ["KIBITZ_COMPILE"] = "1"
    strong_advisers().warm_up()
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ready").touch()
    (folder / "compiling").unlink(missing_ok=True)
