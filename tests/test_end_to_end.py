"""The whole way with the shipped networks: a rendered picture is read, understood, advised, drawn and spoken."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "images"
KLONDIKES = ("klondike_deal", "klondike_midgame", "klondike_opposite", "klondike_unsettled")


def kibitz(*words: object) -> subprocess.CompletedProcess[str]:
    """Runs the installed command as a person would."""
    command = [sys.executable, "-m", "kibitz.assistant", *map(str, words)]
    env = {**os.environ, "KIBITZ_NO_COMPILE": "1", "KIBITZ_CONFIG": os.devnull}
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=env, check=False)


@cache
def checked() -> dict[str, dict[str, Any]]:
    """All Klondike fixtures, checked in one run."""
    done = kibitz("check", *(FIXTURES / f"{name}.jpg" for name in KLONDIKES), "--game", "klondike", "--json")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return dict(zip(KLONDIKES, found, strict=True))


def truth(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return value


def is_face(card: dict[str, Any]) -> bool:
    return bool(card["face_up"]) and card["label"] not in (None, "joker")


def faces(pile: list[dict[str, Any]]) -> list[str]:
    return [entry["label"] for entry in pile if entry["face_up"]]


@pytest.mark.parametrize("name", KLONDIKES)
def test_every_face_up_card_of_a_rendered_klondike_is_at_its_place(name: str) -> None:
    found, true = checked()[name]["piles"], truth(name)["layout"]
    columns = [[label for label in column or [] if label != "back"] for column in true["tableau"]]
    assert [faces(pile) for pile in found["tableau"]] == columns
    tops = sorted(faces(pile)[-1] for pile in found["foundations"] if faces(pile))
    assert tops == sorted(label for label in true["foundations"] if label)
    assert faces(found["waste"])[-1:] == [label for label in true.get("waste") or [] if label][-1:]


@pytest.mark.parametrize("name", KLONDIKES)
def test_the_advice_is_a_legal_move_in_words(name: str) -> None:
    found = checked()[name]
    assert found["verdict"] == "open"
    assert found["advice"]["move"] in {move["move"] for move in found["legal_moves"]}
    assert found["advice"]["text"].endswith(".")


def test_a_table_that_is_not_settled_names_what_is_due() -> None:
    pending = checked()["klondike_unsettled"]["pending"]
    assert "flip T5" in pending


def test_the_loose_cards_are_read() -> None:
    done = kibitz("read", FIXTURES / "scattered.jpg", "--json")
    cards = json.loads(done.stdout)["cards"]
    true = sorted(card["label"] for card in truth("scattered")["cards"] if is_face(card) and card["visible"] > 0.5)
    sure = sorted(card["label"] for card in cards if card["face_up"] and not card["unsure"])
    assert set(sure) <= {card["label"] for card in truth("scattered")["cards"]}
    assert len(set(sure) & set(true)) >= 0.9 * len(true)


def test_a_picture_without_cards_gives_one_clear_sentence() -> None:
    done = kibitz("check", FIXTURES / "no_cards.jpg")
    assert done.returncode == 0
    assert "No card can be seen in the picture" in done.stdout
    assert done.stderr == ""


def test_another_patience_is_told() -> None:
    done = kibitz("check", FIXTURES / "mrs_mop_deal.jpg", "--game", "klondike", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert [problem["kind"] for problem in found["problems"]] == ["other-game", "more-than-a-pack"]
    assert found["questions"] == []
    assert found["advice"] is None


def test_speech_and_picture_in_russian(tmp_path: Path) -> None:
    wav = tmp_path / "advice.wav"
    picture = FIXTURES / "klondike_midgame.jpg"
    done = kibitz("check", picture, "--speech-file", wav, "--out", tmp_path, "--lang", "ru")
    assert done.returncode == 0
    assert wav.stat().st_size > 40_000
    assert (tmp_path / "klondike_midgame.kibitz.jpg").stat().st_size > 50_000
