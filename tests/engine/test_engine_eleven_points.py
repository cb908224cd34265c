"""Eleven Points: the layout, the pairs, and every value of `courts`, `places` and `fill`."""

import pytest
from tables import after, due, kinds, moves, table

from kibitz.engine import get_rules, rules_of
from kibitz.engine.errors import OptionError

G = "eleven-points"
PLAIN = "stock: 9c8c7c6c; tableau: AS/TD/5D/6D/3C/3D"


@pytest.mark.parametrize("places", range(7, 17))
def test_places_from_seven_to_sixteen(places):
    rules = get_rules(G, places=places)
    position = rules.deal(1)
    assert len(position.tableau) == places
    assert len(position.stock) == 52 - places
    assert sum(len(group) for group in rules.plan().groups if group.name == "tableau") == places


@pytest.mark.parametrize("places", [6, 17])
def test_places_out_of_range_are_refused(places):
    with pytest.raises(OptionError, match="a number from 7 to 16"):
        get_rules(G, places=places)


def test_places_default_and_presets():
    assert get_rules(G).options["places"] == 12
    assert get_rules("eleven-10").options == {"places": 10, "courts": "cover", "fill": "cover"}
    assert get_rules("elevens").options == {"places": 9, "courts": "trio", "fill": "cover"}


def test_pairs_that_add_up_to_eleven_are_covered():
    assert moves(f"{G}; {PLAIN}") == {"cover S-T1+T2*2", "cover S-T3+T4*2"}
    text = after(f"{G}; {PLAIN}", "cover S-T1+T2*2")
    assert "tableau: AS6C/TD7C/5D/6D" in text


def test_a_short_stock_covers_what_it_can_and_the_patience_is_won():
    position = table(after(f"{G}; stock: 9c; tableau: AS/TD", "cover S-T1+T2"))
    assert rules_of(position).is_won(position)
    assert rules_of(position).legal_moves(position) == ()


def test_courts_cover_covers_each_court_at_once():
    text = f"{G}; stock: 9c8cJc6c; tableau: AS/QD/KD/TD"
    assert due(text) == ["cover S-T2", "cover S-T3"]
    assert moves(text) == {"cover S-T2", "cover S-T3"}, "nothing else before, for it decides which cards come"
    assert "tableau: AS/QD6C/KDJC8C/TD" in after(text, "cover S-T2")


COURTS = "stock: 9c8c7c6c; tableau: JS/QD/KD/JC/2D"


@pytest.mark.parametrize(
    ("courts", "expected"),
    [
        ("trio", {"cover S-T1+T2+T3*3", "cover S-T2+T3+T4*3"}),
        ("any3", {f"cover S-{g}*3" for g in ("T1+T2+T3", "T1+T2+T4", "T1+T3+T4", "T2+T3+T4")}),
        ("pair_any", {f"cover S-{g}*2" for g in ("T1+T2", "T1+T3", "T1+T4", "T2+T3", "T2+T4", "T3+T4")}),
        ("pair_equal", {"cover S-T1+T4*2"}),
        ("king_alone", {"cover S-T3", "cover S-T1+T2*2", "cover S-T2+T4*2"}),
    ],
)
def test_courts_alternatives(courts, expected):
    assert due(f"{G} courts={courts}; {COURTS}") == []
    assert moves(f"{G} courts={courts}; {COURTS}") == expected


def test_fill_discard_takes_the_pair_off():
    text = after(f"{G} fill=discard; {PLAIN}", "cover S-T1+T2*2")
    assert "tableau: 6C/7C/5D/6D" in text
    assert "aside: ASTD" in text


def test_lost_without_a_pair():
    position = table(f"{G}; stock: 9c; tableau: AS/2D")
    assert rules_of(position).is_lost(position)
    unread = table(f"{G}; stock: 9c; tableau: AS/??")
    assert not rules_of(unread).is_lost(unread)


def test_score_is_how_many_cards_are_dealt():
    assert get_rules(G).score(get_rules(G).deal(1)) == 12


def test_problems_are_flags():
    assert "face-down" in kinds(f"{G}; tableau: 2c")
    assert "duplicate" in kinds(f"{G}; tableau: 2C/2C")
    assert "must-be-empty" not in kinds(f"{G}; tableau: 2C/2C")


def test_cards_not_seen_are_in_the_stock_if_there_is_one():
    rules = get_rules(G)
    whole = rules.complete(table(f"{G}; stock: ##; tableau: 2C/3C/4C"))
    assert (len(whole), len(whole.stock)) == (52, 49)
    dealt = table(f"{G}; tableau: 2C/3C/4C")
    assert rules.complete(dealt) == dealt, "no stock in sight: it has been dealt out"
