"""The bench: resumable, replayed, and its intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.engine import get_rules
from kibitz.engine.errors import KibitzError
from kibitz.engine.search.bench import PlayResult, bench_play, bench_solve, interval
from kibitz.engine.search.values import Limit


def test_wilson_interval() -> None:
    half = interval(50, 100)
    assert half.share == 0.5
    assert half.low == pytest.approx(0.4038, abs=1e-3)
    assert half.high == pytest.approx(0.5962, abs=1e-3)
    assert interval(0, 10).low == 0.0
    with pytest.raises(KibitzError, match="hits"):
        interval(3, 2)


def test_solving_goes_on_where_it_stopped(tmp_path: Path) -> None:
    rules = get_rules("walter")
    deals = [(f"walter-{seed}", rules.deal(seed)) for seed in (2, 5, 6)]
    results = tmp_path / "walter.jsonl"
    first = bench_solve(deals[:2], 20.0, results)
    assert [row.outcome for row in first] == ["solved", "solved"]
    assert all(row.length >= 52 for row in first)
    results.write_text(results.read_text() + '{"deal": "walter-6", "outc')  # cut off while writing
    asked: list[str] = []
    with results.open("a") as out:
        out.write("\n")
    everything = bench_solve(deals, 20.0, results, progress=lambda row: asked.append(row.deal))
    assert asked == ["walter-6"]
    assert len(everything) == 3


def test_playing_is_repeatable(tmp_path: Path) -> None:
    def games(name: str) -> list[PlayResult]:
        return bench_play("eleven-points", range(1, 4), Limit(samples=50), tmp_path / name)

    first, again = games("a"), games("b")
    assert [(row.won, row.moves, row.score) for row in first] == [(row.won, row.moves, row.score) for row in again]
    assert all(row.won == (row.score == 52) for row in first)
