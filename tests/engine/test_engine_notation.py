"""Formats in and out, and what happens to broken ones: narrow errors that say what was expected and got."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game as PysolGame
from pysol_cards.random import RandomBase
from tables import table

from kibitz.engine import KibitzError, Move, Observation, PileId, Position, Slot, games, get_rules, rules_of
from kibitz.engine.errors import NotationError, OptionError, UnknownGameError, ValueRangeError
from kibitz.engine.notation.deck_string import from_deck_string, to_deck_string
from kibitz.engine.notation.files import MOST_BYTES, read_position
from kibitz.engine.notation.pysol import from_pysol, pysol_deal, to_pysol
from kibitz.engine.notation.solvitaire import from_solvitaire, to_solvitaire
from kibitz.engine.record import Record

FUZZ = int(os.environ.get("KIBITZ_FUZZ", "200"))
"""Inputs a test; with KIBITZ_FUZZ=25000 the four tests together try a hundred thousand."""

MID_GAME = {
    "tableau piles": [["10h", "QC"], ["2S"], [], [], [], [], []],
    "foundations": ["AH", "2H", "AC"],
    "stock": ["4S", "5S"],
    "waste": ["10D"],
}


def test_one_line_form_of_a_known_table():
    text = (
        "klondike draw=1; turnovers: 2; stock: ####; waste: 5D; foundations: AS2S/-/-/-; tableau: ##KH/7sQC/-/-/-/-/-"
    )
    position = Position.parse(text)
    assert str(position) == text
    assert position.turnovers == 2
    assert [str(card) for card in position.tableau[1]] == ["7s", "QC"]


def test_multiline_form_is_for_people():
    position = Position.parse("klondike; waste: 5D; tableau: ##KH")
    lines = position.multiline().splitlines()
    assert lines[:4] == ["klondike", "waste: 5D", "foundations: - / - / - / -", "tableau 1: ## KH"]


def test_json_form_of_a_known_table():
    data = Position.parse("canfield; base: 5; foundations: 5H/-/-/-; reserve: ??4D; tableau: 9S").to_json()
    assert data == {
        "format": "kibitz/1",
        "game": "canfield",
        "options": {},
        "foundations": [["5H"], [], [], []],
        "tableau": [["9S"], [], [], []],
        "reserve": ["??", "4D"],
        "turnovers": 0,
        "attempt": 1,
        "base_rank": 5,
    }


def test_solvitaire_mid_game_position():
    position = from_solvitaire(MID_GAME)
    assert str(position) == ("klondike; stock: 4s5s; waste: TD; foundations: AH2H/AC/-/-; tableau: ThQC/2S/-/-/-/-/-")
    assert to_solvitaire(position) == MID_GAME


def test_solvitaire_both_spellings_of_foundations():
    nested = {key: value for key, value in MID_GAME.items() if key != "foundations"}
    nested["foundation"] = [["AH", "2H"], ["AC"], [], []]
    assert from_solvitaire(nested) == from_solvitaire(MID_GAME)


def test_solvitaire_games_and_options():
    assert from_solvitaire(MID_GAME, "klondike-common").options == get_rules("klondike-common").changed
    canfield = {"tableau piles": [["AC"], ["8S"], ["9D"], ["2C"]], "foundations": ["10C"], "reserve": ["KD"]}
    assert from_solvitaire(canfield).base_rank == 10
    assert from_solvitaire(canfield, draw=1).options == (("draw", 1),)
    run = [f"{rank}S" for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]]
    mop = from_solvitaire({"tableau piles": [["AS"], *[[]] * 12], "foundations": run})
    assert "".join(map(str, mop.aside[0])) == "KSQSJSTS9S8S7S6S5S4S3S2SAS"
    assert to_solvitaire(mop)["foundations"] == run


@pytest.mark.parametrize("game", ["klondike", "canfield", "mrs-mop"])
def test_solvitaire_deals_come_back(game):
    for seed in range(5):
        position = get_rules(game).deal(seed)
        assert from_solvitaire(json.loads(json.dumps(to_solvitaire(position)))) == position


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tableau piles": [[]] * 8}, "8 columns"),
        ({"tableau piles": [["11S"], *[[]] * 6]}, "tableau piles 1: expected a card such as 10S"),
        ({"stock": "AS"}, "stock: expected a list of cards"),
        ({"reserve": ["AS"]}, "reserve: expected no reserve in klondike"),
        ({"jokers": []}, "'jokers'"),
        ({"foundation": []}, "either foundations or foundation"),
    ],
)
def test_broken_solvitaire_files_are_explained(change, message):
    with pytest.raises(NotationError, match=message):
        from_solvitaire({**MID_GAME, **change})


@pytest.mark.parametrize("number", [1, 2, 617, 31999, 32000, 32001, 100_000, 123_456_789, 10**15])
def test_pysol_deals_are_those_of_pysol_cards(number):
    theirs = PysolGame("klondike", number, RandomBase.DEALS_PYSOLFC).calc_layout_string(CardRenderer(True))
    position = pysol_deal(number)
    assert to_pysol(position) == theirs
    assert from_pysol(theirs) == position
    assert read_position(theirs) == position
    assert rules_of(position).problems(position) == ()


def test_pysol_refuses_what_it_cannot_say():
    with pytest.raises(ValueRangeError):
        pysol_deal(0)
    with pytest.raises(NotationError, match="empty waste"):
        to_pysol(table("klondike; waste: 5D"))
    with pytest.raises(NotationError, match="column 1"):
        from_pysol("Talon: AS\n1S\n" + "KS\n" * 6)


def test_deck_strings_come_back():
    for seed in range(5):
        position = get_rules("klondike").deal(seed)
        digits = to_deck_string(position)
        assert len(digits) == 156
        assert from_deck_string(digits) == position
        assert read_position(digits + "\n", "klondike-common").options == get_rules("klondike-common").changed
    with pytest.raises(NotationError, match="a rank 01 to 13"):
        from_deck_string("000" * 52)
    with pytest.raises(NotationError, match="AC twice"):
        from_deck_string("011" * 52)
    with pytest.raises(NotationError, match="before the first move"):
        to_deck_string(table("klondike; waste: 5D; tableau: 7S"))


def test_files_of_every_format_are_told_apart():
    position = get_rules("klondike").deal(1)
    for content in (
        str(position),
        position.multiline(),
        json.dumps(position.to_json()),
        json.dumps(to_solvitaire(position)),
        to_deck_string(position),
        to_pysol(position),
    ):
        assert read_position(content) == position
        assert read_position(content.encode()) == position
        assert read_position(content, "klondike", draw=1).options == (("draw", 1),)


def test_a_file_of_another_patience_is_refused():
    with pytest.raises(NotationError, match="expected a position of canfield"):
        read_position("klondike; tableau: 7S", "canfield")


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("", NotationError, "an empty file"),
        (b"\xff\xfe\x00", NotationError, "text in UTF-8"),
        ('{"format": "kibitz/1", "game": "klondi', NotationError, "complete JSON"),
        ('{"format": "kibitz/2"}', NotationError, "kibitz/1"),
        ('{"format": "kibitz/1", "game": "whist"}', UnknownGameError, "whist"),
        ('{"format": "kibitz/1", "game": "klondike", "options": {"speed": 1}}', OptionError, "speed"),
        ('{"format": "kibitz/1", "game": "klondike", "options": {"draw": [3]}}', NotationError, "options"),
        ('{"format": "kibitz/1", "game": "klondike", "tableau": [["1S"]]}', NotationError, "tableau 1"),
        ('{"format": "kibitz/1", "game": "klondike", "turnovers": -1}', NotationError, "turnovers"),
        ("[" * 50_000, NotationError, "complete JSON"),
        ("klondike speed=1", OptionError, "speed"),
        ("klondike draw=2", OptionError, "draw"),
        ("klondike; tableau: 7", NotationError, "tableau 1"),
        ("klondike; tableau 9: 7S", NotationError, "7 tableau"),
        ("klondike; reserve: 7S", NotationError, "the piles of klondike"),
        ("klondike; cellar: 7S", NotationError, "cellar"),
        ("klondike; waste: 7S; waste: 8S", NotationError, "once"),
        ("klondike; attempt: 0", NotationError, "attempt"),
        ("klondike; base: 1", NotationError, "base"),
        ("x" * (MOST_BYTES + 1), NotationError, "at most"),
        (b"\x00\x01noise" * 1_500_000, NotationError, "10500000 bytes"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_broken_files_are_explained(content, error, message):
    with pytest.raises(error, match=message):
        read_position(content)


def test_a_53rd_card_is_a_problem_not_an_error():
    position = get_rules("klondike").deal(1)
    text = str(position).replace("; foundations: -", "; waste: 7S; foundations: -")
    position = read_position(text)
    assert {problem.kind.code for problem in rules_of(position).problems(position)} == {
        "too-many-cards",
        "duplicate",
        "bad-count",
    }


def outcome(parser, text):
    """The value read, or the narrow error; any other exception is a failure."""
    try:
        return parser(text)
    except KibitzError as error:
        return error


PARSERS = [Position.parse, Move.parse, Observation.parse, PileId.parse, Slot.parse, Record.parse, read_position]
WORDS = (
    "klondike canfield mrs-mop walter draw=1 tableau stock waste: foundations: 7S ?? ## Ts T1 T3-T5 W-F1 start see "
    "kibitz game 1 format kibitz/1 options null true 1e9 Talon: <3C> ; : / - * ^ + { } [ ] , #"
)
SCRAPS = st.sampled_from([*WORDS.split(), "\n", '"', "kibitz game 1"])
NOISE = st.one_of(st.text(max_size=80), st.lists(SCRAPS, max_size=25).map(" ".join), st.lists(SCRAPS).map("".join))


@settings(max_examples=FUZZ, deadline=None)
@given(NOISE)
def test_noise_gives_a_narrow_error_or_a_value_that_comes_back(noise):
    for parser in PARSERS:
        value = outcome(parser, noise)
        if isinstance(value, KibitzError):
            assert "expected" in str(value)
        else:
            again = Position.parse if isinstance(value, Position) else type(value).parse
            assert again(str(value)) == value


@settings(max_examples=FUZZ, deadline=None)
@given(st.sampled_from(games()), st.integers(0, 99), st.data())
def test_a_text_with_one_fault_gives_a_narrow_error_or_a_position(name, seed, data):
    position = get_rules(name).deal(seed)
    text = data.draw(st.sampled_from([str(position), position.multiline(), json.dumps(position.to_json())]))
    at = data.draw(st.integers(0, len(text) - 1))
    scrap = data.draw(st.one_of(st.text(max_size=2), SCRAPS))
    length = data.draw(st.integers(0, 3))
    value = outcome(read_position, text[:at] + scrap + text[at + length :])
    if isinstance(value, KibitzError):
        assert "expected" in str(value)
        assert len(str(value)) < 2000
    else:
        assert Position.parse(str(value)) == value
        rules_of(value).problems(value)
        rules_of(value).legal_moves(value)


CARDS = st.sampled_from(["7S", "##", "10S", "x"])
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 20)
    | st.floats(allow_nan=False)
    | st.sampled_from(["7S", "##", "10S", "x"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
KEYS = [
    "game",
    "options",
    "tableau",
    "stock",
    "waste",
    "foundations",
    "attempt",
    "turnovers",
    "base_rank",
    "waste_dead",
]


@settings(max_examples=FUZZ, deadline=None)
@given(st.sampled_from(games()), st.dictionaries(st.sampled_from(KEYS), JSON, max_size=3), st.booleans())
def test_json_with_strange_values_gives_a_narrow_error_or_a_position(name, strange, solvitaire):
    data = {"format": "kibitz/1", "game": name, **strange}
    if solvitaire:
        data = {
            "tableau piles": strange.pop("tableau", [[]] * 7),
            **{k: v for k, v in strange.items() if k in MID_GAME},
        }
    value = outcome(read_position, json.dumps(data))
    if isinstance(value, KibitzError):
        return
    assert Position.from_json(value.to_json()) == value
    rules_of(value).legal_moves(value)


@settings(max_examples=FUZZ, deadline=None)
@given(st.sampled_from(games()), st.integers(0, 20), NOISE)
def test_moves_of_noise_or_of_other_games_are_refused_narrowly(name, seed, noise):
    rules = get_rules(name)
    position = rules.deal(seed)
    for text in (noise, "X^2-A3", "remove T1*13", "redeal *52", "cover S-T1+T2*2"):
        move = outcome(lambda t: rules.find_move(position, t), text)
        assert isinstance(move, KibitzError) or move in rules.legal_moves(position)
