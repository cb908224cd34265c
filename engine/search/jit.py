"""The one place that touches numba: every kernel is declared with `kernel` and compiled, or runs as plain Python.

It is compiled when the compiled code lies in the cache already (or when asked for by KIBITZ_COMPILE); otherwise it
runs as it is, a hundred times slower, and `scaled` makes the counts fit. So nothing ever waits for the compiler.
Modules that declare kernels are imported only when a kernel is about to be used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.search.warm import cache_folder, compiled_mode

Ints = NDArray[np.int64]
"""One-dimensional or two-dimensional int64 arrays: the only thing kernels take and give."""

F = TypeVar("F", bound=Callable[..., Any])

numba: Any = None
if compiled_mode():
    import numba as compiler

    numba = compiler
    numba.config.CACHE_DIR = str(cache_folder())

HAVE_NUMBA: bool = numba is not None
SLOWER = 60  # plain Python against compiled kernels, roughly


def scaled(count: int, least: int = 1) -> int:
    """Return a count of kernel steps made for compiled code, or what plain Python does in about the same time."""
    return count if HAVE_NUMBA else max(least, count // SLOWER)


def kernel(function: F) -> F:
    """Compile `function` with numba (cached on disk where possible); give it back unchanged without numba."""
    if numba is None:
        return function
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # no folder for the cache can be written: compile in memory
        compiled = numba.njit(nogil=True, error_model="numpy")(function)
    result: F = compiled
    return result
