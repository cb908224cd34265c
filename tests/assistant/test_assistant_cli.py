"""The commands as they are called: JSON, exit statuses, and one clear line for every bad input."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from assistant_tables import MIDGAME, lay

from kibitz.assistant import cli
from kibitz.engine import Position, get_rules

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Calls the command line in this process: status, stdout, stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["kibitz", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        code = ended.value.code
        return (0 if code is None else int(code)), out, err

    return call


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, midgame: Position) -> Path:
    """A picture of the midgame table, which the reader of this test sees in any picture that opens."""
    imaginary = lay(midgame)
    monkeypatch.setattr("kibitz.assistant.commands_pictures.make_reader", lambda *words: imaginary.reader())
    path = tmp_path / "table.jpg"
    cv2.imwrite(str(path), imaginary.frame().picture)
    return path


@pytest.fixture
def position_file(tmp_path: Path) -> Path:
    path = tmp_path / "position.txt"
    path.write_text(MIDGAME, encoding="utf-8")
    return path


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_version(run: Run) -> None:
    status, out, _ = run("--version")
    assert status == 0
    assert re.fullmatch(r"kibitz \d+\.\d+\.\d+\n", out)


def test_read_gives_every_card_once(run: Run, table: Path) -> None:
    status, out, err = run("read", table, "--json")
    assert (status, err) == (0, "")
    (found,) = objects(out)
    assert (found["schema"], found["image"], found["width"], found["height"]) == (1, str(table), 1500, 1200)
    labels = sorted(card["label"] for card in found["cards"] if card["face_up"])
    shown = "2S 3D 4C 5H 8D 9C 9S AH JD JS KS QH TD TH".split()  # noqa: SIM905
    assert labels == shown
    assert [card["id"] for card in found["cards"]] == list(range(len(found["cards"])))
    down = [card for card in found["cards"] if not card["face_up"]]
    assert down
    assert all(card["label"] is None for card in down)


def test_read_as_text_and_picture(run: Run, table: Path, tmp_path: Path) -> None:
    status, out, err = run("read", table, "--out", tmp_path / "out", "--lang", "ru")
    assert status == 0
    assert "14 открытых карт" in out
    assert "10♦" in out
    assert (tmp_path / "out" / "table.kibitz.jpg").exists()
    assert "Картинка с пометками" in err


def test_check_in_json(run: Run, table: Path) -> None:
    status, out, _ = run("check", table, "--game", "klondike", "--json", "--option", "turnovers=3")
    (found,) = objects(out)
    assert status == 0
    assert found["game"] == "klondike"
    assert found["options"]["turnovers"] == 3
    assert found["advice"]["move"] in {move["move"] for move in found["legal_moves"]}
    assert found["verdict"] == "open"


@pytest.mark.parametrize(("language", "word"), [("en", "column 3"), ("ru", "третьего столбца")])
def test_check_speaks_to_a_file_and_draws(run: Run, table: Path, tmp_path: Path, language: str, word: str) -> None:
    wav = tmp_path / "advice.wav"
    status, out, err = run("check", table, "--speech-file", wav, "--out", tmp_path, "--lang", language)
    assert status == 0
    assert wav.stat().st_size > 20_000
    assert (tmp_path / "table.kibitz.jpg").stat().st_size > 10_000
    assert out.splitlines()[-1].startswith("  > ")
    assert len(err.splitlines()) == 2
    assert word


def bad_pictures(folder: Path) -> dict[str, Path]:
    good = np.full((300, 400, 3), 90, np.uint8)
    coded = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8))[1].tobytes()
    (folder / "text.jpg").write_text("this is no picture")
    (folder / "cut.jpg").write_bytes(coded[: len(coded) // 2])
    (folder / "empty.jpg").write_bytes(b"")
    cv2.imwrite(str(folder / "tiny.png"), good[:1, :1])
    return {
        "not-found": folder / "none.jpg",
        "directory": folder,
        "not-a-picture": folder / "text.jpg",
        "truncated": folder / "cut.jpg",
        "too-small": folder / "tiny.png",
    }


@pytest.mark.parametrize("command", ["read", "check"])
def test_bad_pictures_are_told_in_one_line_and_the_others_are_answered(
    run: Run, table: Path, tmp_path: Path, command: str
) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    bad = bad_pictures(folder)
    status, out, err = run(command, *bad.values(), table, "--json")
    found = objects(out)
    assert status == 1
    assert [one["error"]["kind"] for one in found[:-1]] == list(bad)
    assert [one["image"] for one in found] == [str(path) for path in (*bad.values(), table)]
    assert all(set(one) == {"schema", "image", "error"} for one in found[:-1])
    assert "cards" in found[-1]
    assert len(err.splitlines()) == len(bad)


def odd_pictures(folder: Path) -> list[Path]:
    from PIL import Image

    noise = np.random.default_rng(2).integers(0, 255, (480, 640, 3), np.uint8)
    cv2.imwrite(str(folder / "deep.png"), noise.astype(np.uint16) * 257)
    Image.fromarray(noise).convert("CMYK").save(folder / "cmyk.jpg")
    cv2.imwrite(str(folder / "large.jpg"), np.full((6000, 8000, 3), 90, np.uint8))
    return [folder / "deep.png", folder / "cmyk.jpg", folder / "large.jpg"]


def test_deep_cmyk_and_48_megapixel_pictures_are_read(run: Run, table: Path, tmp_path: Path) -> None:
    pictures = odd_pictures(tmp_path)
    status, out, _ = run("read", *pictures, "--json")
    assert status == 0
    assert [(one["width"], one["height"]) for one in objects(out)] == [(640, 480), (640, 480), (8000, 6000)]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("check", "x.jpg", "--game", "poker"), "expected a patience among"),
        (("check", "x.jpg", "--option", "draw"), "expected --option NAME=VALUE, got 'draw'"),
        (("check", "x.jpg", "--option", "draw=5"), "option draw: expected 3, 1, got 5"),
        (("check", "x.jpg", "--option", "nonsense=5"), "expected an option among draw"),
        (("check", "x.jpg", "--lang", "de"), "language: expected one of en, ru, got 'de'"),
        (("check", "x.jpg", "--config", "none.toml"), "the settings file none.toml does not exist"),
        (("read", "x.jpg", "--decks", "7"), "expected --decks 1, 2 or auto, got '7'"),
        (("rules", "poker"), "expected a patience among"),
        (("read",), "Missing argument"),
        (("nonsense",), "No such command"),
    ],
)
def test_wrong_usage_is_told_with_status_2(run: Run, words: tuple[str, ...], told: str) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert told in err


def test_advise_and_moves_in_both_languages(run: Run, position_file: Path) -> None:
    status, out, _ = run("moves", position_file)
    assert status == 0
    assert "Move the nine of clubs onto the ten of hearts." in out
    status, out, _ = run("moves", position_file, "--lang", "ru")
    assert "Переложите девятку треф на десятку червей." in out
    status, out, _ = run("advise", position_file, "--json")
    (found,) = objects(out)
    assert (status, found["file"], found["schema"]) == (0, str(position_file), 1)
    assert found["advice"]["move"] in {move["move"] for move in found["legal_moves"]}


def test_positions_in_other_formats(run: Run, tmp_path: Path) -> None:
    from kibitz.engine.notation.solvitaire import to_solvitaire

    deal = get_rules("klondike").deal(4)
    (tmp_path / "ours.json").write_text(json.dumps(deal.to_json()))
    (tmp_path / "theirs.json").write_text(json.dumps(to_solvitaire(deal)))
    (tmp_path / "lines.txt").write_text(deal.multiline())
    texts = {run("moves", tmp_path / name, "--json")[1] for name in ("ours.json", "lines.txt")}
    assert len({json.dumps(objects(text)[0]["legal_moves"]) for text in texts}) == 1
    status, out, _ = run("moves", tmp_path / "theirs.json", "--game", "klondike", "--json")
    assert status == 0
    assert objects(out)[0]["game"] == "klondike"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"klondike; tableau: ZZ", b"\xff\xfe\x00", b'{"game": 3}', b"poker; stock: AS"]
)
def test_broken_position_files_are_told(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.txt"
    path.write_bytes(content)
    status, out, err = run("advise", path, "--json")
    assert status == 1
    assert set(objects(out)[0]) == {"schema", "file", "error"}
    assert len(err.splitlines()) == 1


def test_a_missing_position_file_is_told(run: Run, tmp_path: Path) -> None:
    status, _, err = run("moves", tmp_path / "none.txt")
    assert status == 1
    assert "does not exist" in err


def test_games_and_rules(run: Run) -> None:
    from kibitz.engine import games

    status, out, _ = run("games", "--json")
    assert status == 0
    assert [one["game"] for one in objects(out)] == list(games())
    for name in games():
        for language in ("en", "ru"):
            status, out, _ = run("rules", name, "--lang", language)
            assert status == 0
            assert len(out) > 400


def test_replay(run: Run, tmp_path: Path) -> None:
    from kibitz.engine.game import Game
    from kibitz.engine.record import Record

    game = Game.deal(get_rules("klondike"), 3)
    game.play(game.legal_moves()[0])
    game.play(game.legal_moves()[-1])
    log = tmp_path / "game.txt"
    log.write_text(str(Record.of(game)))
    status, out, _ = run("replay", log, "--json")
    assert status == 0
    assert [one["move"] for one in objects(out)] == [str(turn.move) for turn in game.turns]
    status, _, err = run("replay", tmp_path)
    assert status == 1
    assert len(err.splitlines()) == 1


def test_the_demo_advises_without_camera_and_picture(run: Run) -> None:
    status, out, _ = run("demo", "--lang", "ru")
    assert status == 0
    assert sum(line.startswith("> ") for line in out.splitlines()) == 6


def test_no_camera_is_told(run: Run, tmp_path: Path) -> None:
    status, out, err = run("watch", "--camera", tmp_path / "none.mkv")
    assert (status, out) == (1, "")
    assert "does not open" in err


def test_a_folder_that_cannot_be_made_is_wrong_usage(run: Run, table: Path) -> None:
    status, _, err = run("read", table, "--out", table)
    assert status == 2
    assert "expected a folder for --out" in err
