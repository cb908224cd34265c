"""Compiled kernels and the same kernels as plain Python answer the same, move for move; and when they are used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.engine.search import warm

ANSWERS = """
import json
from kibitz.engine import get_rules
from kibitz.engine.search import jit
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.klondike_bridge import from_position
from kibitz.engine.search.klondike_hidden import weigh
from kibitz.engine.search.klondike_solver import solve
from kibitz.engine.search.values import Limit
from kibitz.engine.search.canfield_text import advise_text, from_position as from_text
from kibitz.engine.search import fan_advice
from kibitz.engine.search.fan_advice import arrays, best_line, style_of
from kibitz.engine.search.mop_advice import _run as mop_beam, _Style as Style, columns_of
from kibitz.engine.search.walter_advice import codes
from kibitz.engine.search.walter_solver import beam, complete

fan_advice.LAYERS = 8  # the same for both
clock, rules, found = Clock(Limit()), get_rules("klondike-common"), []
for seed in range(3):
    known = rules.deal(seed)
    solution = solve(from_position(rules, known), clock, 400)
    view = from_position(rules, rules.reveal(rules.conceal(known), known))
    weighed = weigh(view, clock, 30, 80, seed)
    found.append([solution.outcome.value, solution.path, [(one.path, one.tried, one.won) for one in weighed]])
text = get_rules("klondike")
for seed in range(2):
    known = text.settle(text.deal(seed))
    view = from_position(text, text.reveal(text.conceal(known), known))
    found.append([(one.path, one.tried, one.won) for one in weigh(view, clock, 30, 80, seed)])
for seed in range(3):
    fans, bases = codes(get_rules("walter").deal(seed))
    searched, look = complete(fans, bases, clock, 700), beam(fans, bases, 5, seed, clock)
    found.append([searched.outcome.value, searched.nodes, searched.path, look.nodes, [end.path for end in look.ends]])
    columns = columns_of(get_rules("mrs-mop").deal(seed))
    layers = mop_beam(columns, 0, Style(4, seed, 30), clock, 3000)
    found.append([layers.outcome.value, layers.nodes, layers.path])
    rules = get_rules("nineteenth-fan")
    known = rules.settle(rules.deal(seed))
    line = best_line(arrays(known), style_of(known), clock, 4)
    found.append([line.path, line.gain, line.up])
    rules = get_rules("canfield")
    known = rules.deal(seed + 4)
    view = rules.reveal(rules.conceal(known), known).replace(stock=known.stock)
    advice = advise_text(rules, view, from_text(rules, view), Clock(Limit(nodes=60, samples=20)))
    found.append([str(advice.move), advice.win_chance, [one.win_chance for one in advice.alternatives]])
print(json.dumps([jit.HAVE_NUMBA, found]))
"""


def answers(**environment: str) -> tuple[bool, object]:
    clean = {name: value for name, value in os.environ.items() if name not in ("KIBITZ_NO_NUMBA", "KIBITZ_COMPILE")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ANSWERS], env={**clean, **environment}, capture_output=True, check=True
    )
    compiled, found = json.loads(done.stdout)
    return compiled, found


def test_compiled_and_plain_answers_are_equal() -> None:
    compiled, fast = answers(KIBITZ_COMPILE="1")
    plain, slow = answers(KIBITZ_NO_NUMBA="1")
    assert (compiled, plain) == (True, False)
    assert fast == slow


def test_kernels_are_ready_only_with_the_marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    warm.cache_folder.cache_clear()
    try:
        assert not warm.kernels_ready()
        warm.cache_folder().mkdir(parents=True)
        (warm.cache_folder() / "ready").touch()
        assert warm.kernels_ready()
    finally:
        warm.cache_folder.cache_clear()


def test_a_bench_waits_for_the_kernels_unless_forbidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    warm.cache_folder.cache_clear()
    said: list[str] = []
    compiled: list[bool] = []
    monkeypatch.setattr(warm, "compile_kernels", lambda: compiled.append(True))
    try:
        assert not warm.wait_for_kernels(said.append)  # KIBITZ_NO_COMPILE, as in all tests
        monkeypatch.delenv("KIBITZ_NO_COMPILE")
        assert warm.wait_for_kernels(said.append)
        assert (compiled, len(said)) == ([True], 1)
        warm.cache_folder().mkdir(parents=True)
        (warm.cache_folder() / "ready").touch()
        assert not warm.wait_for_kernels(said.append)
    finally:
        warm.cache_folder.cache_clear()


def test_one_compiler_at_a_time_and_none_without_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KIBITZ_NO_COMPILE")
    started: list[object] = []

    class Child:
        returncode: int | None = None

        def __init__(self, command: object, **_: object) -> None:
            started.append(command)

    monkeypatch.setattr(warm.subprocess, "Popen", Child)
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    warm.cache_folder.cache_clear()
    try:
        assert warm.start_compiling()
        assert "background" in capsys.readouterr().err
        assert not warm.start_compiling()
        blocked = tmp_path / "file"
        blocked.write_text("")
        monkeypatch.setenv("KIBITZ_CACHE", str(blocked))
        warm.cache_folder.cache_clear()
        assert not warm.start_compiling()
        assert len(started) == 1
    finally:
        warm.cache_folder.cache_clear()


def test_importing_the_adviser_loads_no_compiler() -> None:
    code = "import sys, kibitz.engine.search; print([m for m in ('numba', 'numpy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"


CHANGE_OVER = """
from kibitz.engine.search import warm
from kibitz.engine.search.values import Advice
first = warm.strong_advisers()
plain = first.advise_walter.__globals__["wk"].search
warm.cache_folder().mkdir(parents=True)
(warm.cache_folder() / "ready").touch()
second = warm.strong_advisers()
compiled = second.advise_walter.__globals__["wk"].search
assert second is warm.strong_advisers()
assert second.Advice is Advice
print(type(plain).__name__, hasattr(compiled, "py_func"))
"""


def test_a_running_program_changes_over_to_compiled_kernels(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "KIBITZ_NO_NUMBA"}
    environment["KIBITZ_CACHE"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", CHANGE_OVER], env=environment, capture_output=True, check=True, text=True
    )
    assert done.stdout.split() == ["function", "True"]
