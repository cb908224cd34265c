"""Shares with their intervals, and results gathered case by case in a file with which a new run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from kibitz.engine.errors import KibitzError
from kibitz.engine.search.bench_tables import interval


class ResultsError(KibitzError):
    """A file of results cannot be read or written."""


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; 0 to 1 where nothing was counted."""
    if not count:
        return 0.0, 1.0
    found = interval(hits, count)
    return found.low, found.high


def share_text(hits: int, count: int) -> str:
    """The share in per cent with interval and counts: "98.00 % [93.0, 99.4] (98/100)"."""
    if not count:
        return "- (0/0)"
    low, high = wilson(hits, count)
    return f"{100 * hits / count:.2f} % [{100 * low:.1f}, {100 * high:.1f}] ({hits}/{count})"


def gathered(
    path: Path | None, names: Iterable[str], make: Callable[[str], dict[str, Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The result of each name: from the file where it is there already, else made and written to it.

    Args:
        path: one JSON line a result; None = nothing is kept.
        names: of the cases.
        make: makes the result of a case.

    Raises:
        ResultsError: the file holds something else.
    """
    known = _known(path) if path is not None else {}
    for name in names:
        if name not in known:
            known[name] = make(name)
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"name": name, **known[name]}) + "\n")
        yield name, known[name]


def _known(path: Path) -> dict[str, dict[str, Any]]:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        return {}
    known = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
            known[row.pop("name")] = row
        except (ValueError, KeyError, AttributeError) as error:
            text = f"expected one JSON object with a name a line in {path}, got {line[:60]!r}"
            raise ResultsError(f"{text}; name another file with --results") from error
    return known
