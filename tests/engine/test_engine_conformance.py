"""Every registered patience and preset keeps the same promises; one without golden data fails."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make_golden import ENDS, PERFT, perft
from random_games import ENDINGS, check_texts, ends, play

from kibitz.engine import Position, games, get_rules, rules_of
from kibitz.engine.game import Game
from kibitz.engine.options import OptionValue, option_text
from kibitz.engine.record import Record, annotate
from kibitz.engine.registry import game_classes, preset_of

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
EVERY = pytest.mark.parametrize("name", games())
MORE_GAMES = int(os.environ.get("KIBITZ_GAMES", "0"))
ALTERNATIVES = [
    (name, option.name, value)
    for name, game in game_classes().items()
    for option in game.declared
    for value in option.values
    if value != option.default
]


def test_the_eleven_names_of_the_rules_are_registered():
    assert sorted(games()) == sorted(
        [
            "klondike",
            "klondike-common",
            "canfield",
            "canfield-common",
            "mrs-mop",
            "walter",
            "walter-scott",
            "nineteenth-fan",
            "eleven-points",
            "eleven-10",
            "elevens",
        ]
    )


ROWS = [
    *(f"m{n}" for n in range(1, 5)),
    *(f"w{n}" for n in range(1, 10)),
    *(f"s{n}" for n in range(1, 4)),
    *(f"f{n}" for n in range(1, 13)),
    *(f"c{n}" for n in range(1, 8)),
    *(f"k{n}" for n in range(1, 8)),
    "courts",
    "places",
]


@pytest.mark.parametrize("row", ROWS)
def test_every_ambiguity_of_the_rules_has_a_test_named_after_it(row):
    sources = "".join(file.read_text() for file in Path(__file__).parent.glob("test_engine_*.py"))
    assert f"def test_{row}_" in sources


@pytest.mark.parametrize(("name", "option", "value"), ALTERNATIVES)
def test_every_alternative_value_is_tried_by_the_tests_of_its_patience(name, option, value):
    file = {"walter-scott": "walter"}.get(name, name.replace("-", "_"))
    source = (Path(__file__).parent / f"test_engine_{file}.py").read_text()
    written = f"{option}={option_text(value)}" in source or f"{option}={value!r}" in source
    by_parameter = (
        f"{option}={{{option}}}" in source or f"{option}={option}" in source or f"{option}={{option}}" in source
    )
    assert written or by_parameter, f"no test of {name} uses {option}={option_text(value)}"


@EVERY
def test_the_deal_is_a_full_pack_without_problems(name):
    rules = get_rules(name)
    for seed in range(20):
        position = rules.deal(seed)
        assert Counter(position.cards()) == Counter(rules.pack)
        assert len(position) == 52 * rules.decks
        assert rules.problems(position) == ()
        assert rules.deal(seed) == position
    assert rules.deal(1) != rules.deal(2)


@EVERY
def test_a_new_player_sees_only_what_lies_open(name):
    rules = get_rules(name)
    truth = rules.deal(5)
    view = rules.conceal(truth)
    assert rules.unread(view) == ()
    assert rules.problems(view) == ()
    assert {str(card) for pile in [view.stock] for card in pile} <= {"##"}
    assert rules.reveal(view, truth) == view


@EVERY
def test_rules_of_a_position_are_the_rules_it_came_from(name):
    rules = get_rules(name)
    assert rules_of(rules.deal(1)) is rules
    assert get_rules(name) is rules
    assert preset_of(rules) == name


@EVERY
def test_random_games_keep_every_card_obey_a_second_reading_of_the_rules_and_end(name):
    """Two thousand games over all patiences; KIBITZ_GAMES=2000 plays so many of each, `random_games.py` tells the ends.

    Every sixteenth position and the last one are judged: cards, due consequences, legal moves, texts, a wrong move.
    """
    golden = json.loads(ENDS.read_text())
    assert name in golden, f"{name} has no golden ends: run make_golden.py and read what it writes"
    if MORE_GAMES:
        assert sum(ends(name, MORE_GAMES).values()) == MORE_GAMES
    else:
        assert ends(name, sum(golden[name].values())) == golden[name]


def test_two_thousand_random_games_are_played():
    assert sum(sum(counts.values()) for counts in json.loads(ENDS.read_text()).values()) >= 2000


@pytest.mark.parametrize(("name", "option", "value"), ALTERNATIVES)
def test_random_games_under_every_alternative_value(name: str, option: str, value: OptionValue):
    assert play(get_rules(name, **{option: value}), 7, every=4) in ENDINGS


@EVERY
@settings(max_examples=max(8, int(os.environ.get("KIBITZ_FUZZ", "0")) // 250), deadline=None)
@given(seed=st.integers(0, 10**6), moves=st.lists(st.integers(0, 40), max_size=10))
def test_texts_json_keys_and_hashes_come_back(name, seed, moves):
    rules = get_rules(name)
    game = Game.deal(rules, seed)
    for choice in moves:
        legal = game.legal_moves()
        if not legal:
            break
        game.play(legal[choice % len(legal)])
    check_texts(rules, game.view)
    check_texts(rules, game.truth)
    record = Record.of(game)
    assert Record.parse(str(record)) == record
    assert list(record.replay())[-1] == game.view


@EVERY
def test_undo_and_redo_bring_the_same_positions_back(name):
    game = Game.deal(get_rules(name), 3)
    states = [(game.view, game.truth)]
    for _ in range(12):
        moves = game.legal_moves()
        if not moves:
            break
        game.play(moves[-1])
        states.append((game.view, game.truth))
    for state in reversed(states[:-1]):
        assert game.undo()
        assert (game.view, game.truth) == state
    assert not game.undo()
    for state in states[1:]:
        assert game.redo()
        assert (game.view, game.truth) == state
    assert not game.redo()


@EVERY
def test_key_does_not_depend_on_the_order_of_columns(name):
    rules = get_rules(name)
    position = rules.deal(2)
    turned = position.replace(tableau=position.tableau[::-1])
    assert rules.key(turned) == rules.key(position)
    assert rules.key(rules.deal(3)) != rules.key(position)


@EVERY
def test_counts_of_move_sequences_are_golden(name):
    golden = json.loads(PERFT.read_text())
    assert name in golden, f"{name} has no golden counts: run make_golden.py and read what it writes"
    rules = get_rules(name)
    for seed, expected in golden[name].items():
        assert [perft(rules, rules.deal(int(seed)), depth) for depth in (1, 2, 3)] == expected


@EVERY
def test_the_golden_playthrough_replays_line_by_line(name):
    file = PLAYTHROUGHS / f"{name}.txt"
    assert file.exists(), f"{name} has no golden playthrough: run make_golden.py and read what it writes"
    text = file.read_text()
    assert annotate(Record.parse(text)) == text


@EVERY
def test_the_table_plan_names_the_piles_of_the_patience(name):
    rules = get_rules(name)
    piles = Counter(place.pile.kind for place in rules.plan().places())
    for kind, count in rules.shape.items():
        assert piles[kind] in ((count,) if count else (0, 1))
    assert rules.plan().decks == rules.decks


@EVERY
def test_a_position_of_other_rules_is_refused(name):
    other = "mrs-mop" if name != "mrs-mop" else "walter"
    with pytest.raises(ValueError, match="expected a position of"):
        get_rules(name).legal_moves(get_rules(other).deal(1))


def test_every_option_is_documented_and_offers_its_default_first():
    for game in game_classes().values():
        for option in game.declared:
            assert option.values[0] == option.default
            assert option.doc.endswith(".")


def test_positions_are_values():
    position = get_rules("klondike").deal(1)
    assert Position.parse(str(position)) in {position}
