"""The bench: resumable, replayed, and its intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.engine import get_rules
from kibitz.engine.errors import KibitzError
from kibitz.engine.search.bench import bench_play, bench_solve, solve_deal
from kibitz.engine.search.bench_tables import PlayResult, SolveResult, interval, play_table, quantile, solve_table
from kibitz.engine.search.stress import random_positions, stress, stress_table
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
        return bench_play(get_rules("eleven-points"), range(1, 4), Limit(samples=50), tmp_path / name)

    first, again = games("a"), games("b")
    assert [(row.won, row.moves, row.score) for row in first] == [(row.won, row.moves, row.score) for row in again]
    assert all(row.won == (row.score == 52) for row in first)


def test_settings_in_one_file_are_kept_apart(tmp_path: Path) -> None:
    """The same number under other rules is another game, and only what was asked for is given."""
    results = tmp_path / "points.jsonl"
    plain, fewer = get_rules("eleven-points"), get_rules("eleven-points", places=9)
    bench_play(plain, range(1, 4), Limit(samples=20), results)
    asked: list[str] = []
    games = bench_play(fewer, [2], Limit(samples=20), results, progress=lambda one: asked.append(one.deal))
    assert asked == ["eleven-points places=9 2"]
    assert [one.deal for one in games] == asked
    again = bench_play(plain, [3, 1], Limit(samples=20), results, progress=lambda one: asked.append(one.deal))
    assert [one.deal for one in again] == ["eleven-points 3", "eleven-points 1"]
    assert len(asked) == 1


def test_quantiles_are_values_that_occurred() -> None:
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([1.0] * 99 + [7.0], 0.99) == 7.0
    assert quantile([], 0.5) == 0.0
    with pytest.raises(KibitzError, match="share"):
        quantile([1.0], 1.5)


def test_tables_tell_counts_intervals_and_costs() -> None:
    games = [PlayResult(str(i), i < 40, 52 if i < 40 else 7, 90, 0.2, 1.5, (0.1, 0.2)) for i in range(100)]
    row = play_table("klondike-common", games).splitlines()[-1]
    assert row == "| klondike-common | 100 | 40 | 40.0% | 30.9% to 49.8% | 0.200 s | 0.200 s | 0.200 s | 2.0 |"
    answers = [SolveResult(str(i), "solved", 0.001, 100 + i) for i in range(7)]
    answers += [SolveResult("lost", "unsolvable", 0.5, 0), SolveResult("open", "not decided", 10.0, 0)]
    row = solve_table("klondike", answers).splitlines()[-1]
    assert row.startswith("| klondike | 9 | 7 | 1 | 1 | 45.3% to ")
    assert row.endswith("| 0.0010 s | 10.000 s | 10.00 s | 103 |")


def test_random_positions_are_repeatable_and_as_seen() -> None:
    rules = get_rules("klondike")
    first = list(random_positions(rules, 5, seed=3))
    assert first == list(random_positions(rules, 5, seed=3))
    assert all(not rules.problems(position) for position in first)
    columns = [pile for position in first for pile in position.tableau]
    assert all(pile_card.face_up == (pile_card.card is not None) for pile in columns for pile_card in pile)


@pytest.mark.parametrize("game", ["klondike", "klondike-common", "eleven-points"])
def test_advice_on_random_positions_is_legal(game: str) -> None:
    found = stress(get_rules(game), 15, seconds=0.02)
    assert found.illegal == ()
    assert len(found.seconds) == found.positions == 15
    assert stress_table(game, found).splitlines()[-1].startswith(f"| {game} | 15 | 0 | 20 ms |")


def test_klondike_is_decided_by_its_solver() -> None:
    """All 52 cards need a move of their own; what is not decided in the counts given is said to be so."""
    rules = get_rules("klondike-common")
    answers = [solve_deal(str(seed), rules.deal(seed), 20.0, nodes=400) for seed in range(1, 7)]
    assert {answer.outcome for answer in answers} <= {"solved", "unsolvable", "not decided"}
    assert any(answer.outcome == "solved" for answer in answers)
    assert all((answer.length >= 52) == (answer.outcome == "solved") for answer in answers)
