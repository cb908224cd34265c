"""The log of a watched game: what was written before a crash is there after it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from kibitz.assistant.live.game_log import add_line, begin_anew, lines, log_file, resumed_steps
from kibitz.engine import Position, get_rules

RULES = get_rules("klondike")
FIRST = RULES.conceal(RULES.settle(RULES.deal(1)))
WRITER = """
import sys
from pathlib import Path
from kibitz.assistant.live.game_log import add_line
number = 0
while True:
    add_line(Path(sys.argv[1]), {"number": number, "position": "x" * 300})
    print(number, flush=True)
    number += 1
"""


def test_a_torn_line_is_left_out_and_the_next_stands_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    add_line(path, {"number": 1})
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"schema": 1, "numb')
    add_line(path, {"number": 2})
    assert [line["number"] for line in lines(path)] == [1, 2]


def test_a_killed_writer_loses_nothing_that_it_told_of(tmp_path: Path) -> None:
    for attempt in range(5):
        path = tmp_path / f"{attempt}.jsonl"
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            told = [int(process.stdout.readline()) for _ in range(3 + 7 * attempt)]
            os.kill(process.pid, signal.SIGKILL)
        written = [line["number"] for line in lines(path)]
        assert written[: len(told)] == told
        assert written == list(range(len(written)))


def test_moves_are_resumed_from_the_log() -> None:
    move = RULES.legal_moves(FIRST)[0]
    second = RULES.apply(FIRST, move)
    path = log_file("klondike")
    add_line(path, {"outcome": "started", "position": str(FIRST), "moves": []})
    add_line(path, {"outcome": "followed", "position": str(second), "moves": [str(move)]})
    add_line(path, {"said": ["…"], "kind": "hint", "move": None})
    steps = resumed_steps(RULES, Position.parse(str(second)))
    assert [(str(step.before), step.move) for step in steps] == [(str(FIRST), move)]
    assert resumed_steps(RULES, FIRST) == []  # the log ends at another table
    add_line(path, {"outcome": "undone", "position": str(FIRST), "moves": [str(move)]})
    assert resumed_steps(RULES, FIRST) == []


def test_a_new_game_puts_the_old_log_aside() -> None:
    add_line(log_file("klondike"), {"number": 1})
    begin_anew("klondike")
    assert not log_file("klondike").exists()
    assert [line["number"] for line in lines(log_file("klondike").with_suffix(".last.jsonl"))] == [1]
