"""Canfield: the deal, the moves, and every ambiguity row C1 to C7 with its alternatives."""

import pytest
from tables import after, due, kinds, moves, runs_through_the_stock, table

from kibitz.engine import get_rules, rules_of

EMPTY_COLUMN = "base: 5; foundations: 5H/-/-/-; tableau: 9S8D/-/KC/2S; reserve: 3C4D; waste: 7C"
NO_RESERVE = "base: 5; foundations: 5H/-/-/-; tableau: 9S8D/-/KC/2S; waste: 7C"


def test_deal_counts_off_thirteen_then_a_base_four_columns_and_34():
    rules = get_rules("canfield")
    position = rules.deal_cards(rules.pack)
    assert [str(card) for card in position.reserve] == [f"{r}C" for r in "KQJT98765432A"]
    assert str(position.foundations[0][0]) == "AD"
    assert position.base_rank == 1
    assert [str(pile[0]) for pile in position.tableau] == ["2D", "3D", "4D", "5D"]
    assert len(position.stock) == 34
    assert str(position.stock[-1]) == "6d"


def test_columns_and_foundations_wrap_round():
    text = "canfield; base: Q; foundations: QH/-/-/-; tableau: AS/KH/QS/AC"
    assert {"T2-T1", "T2-T4", "T3-T2", "T2-F1", "T3-F2"} == moves(text)
    assert "T1-F1" in moves("canfield; base: Q; foundations: QSKS/-/-/-; tableau: AS/2H/4S/6C")


def test_a_full_foundation_takes_no_card_of_the_base_rank():
    pile = "".join(r + "H" for r in "QKA23456789TJ")
    assert "T1-F2" in moves(f"canfield; base: Q; foundations: {pile}/-/-/-; tableau: QS/2H/4S/6C")
    assert not {m for m in moves(f"canfield; base: Q; foundations: {pile}/-/-/-; tableau: QH/2H/4S/6C") if "F1" in m}


def test_stock_moves_turn_three_and_turn_over():
    text = "canfield; base: 5; foundations: 5H/-/-/-; stock: 2c; waste: 9C"
    assert "draw S-W" in moves(text)
    assert "waste: 9C2C" in after(text, "draw S-W")
    assert after(after(text, "draw S-W"), "turnover W-S*2").startswith("canfield; turnovers: 1; base: 5; stock: 2c9c;")


def test_draw_one_in_one_run():
    text = "canfield draw=1 turnovers=0; base: 5; foundations: 5H/-/-/-; tableau: 9S/9C/KC/KS; waste: 7C"
    assert moves(text) == set()


def test_c1_only_whole_columns_move():
    text = "base: 5; foundations: 5H/-/-/-; tableau: 9S8D/9C/KC/TD"
    assert {m for m in moves(f"canfield; {text}") if m[0] == "T"} == {"T1-T4*2", "T2-T4"}
    assert {"T1-T2", "T1-T4*2"} <= moves(f"canfield move_part=true; {text}")


def test_c2_an_empty_column_may_wait():
    assert due(f"canfield; {EMPTY_COLUMN}") == []
    assert {"R-T2"} == {m for m in moves(f"canfield; {EMPTY_COLUMN}") if m.endswith("T2")}


def test_c2_auto_fills_it_from_the_reserve_at_once():
    assert due(f"canfield fill=auto; {EMPTY_COLUMN}") == ["R-T2"]
    text = after("canfield fill=auto; base: 5; foundations: 5H/-/-/-; tableau: 8D/9S/KC/2S; reserve: 3C4D", "T1-T2")
    assert "tableau: 4D/9S8D/KC/2S; reserve: 3C" in text
    assert due(f"canfield fill=auto; {NO_RESERVE}") == []


def test_c3_after_the_reserve_only_the_waste_fills_a_column():
    assert {"W-T2"} == {m for m in moves(f"canfield; {NO_RESERVE}") if m.split("*")[0].endswith("T2")}


def test_c3_any_lets_columns_move_too():
    found = moves(f"canfield after_reserve=any; {NO_RESERVE}")
    assert {"W-T2", "T1-T2*2", "T1-T2", "T3-T2", "T4-T2"} == {m for m in found if m.split("*")[0].endswith("T2")}
    position = table(f"canfield after_reserve=any; {NO_RESERVE}")
    idle = {str(m) for m in rules_of(position).legal_moves(position) if rules_of(position).is_idle(position, m)}
    assert idle == {"T1-T2*2", "T3-T2", "T4-T2"}


def test_columns_go_on_below_the_base_rank_unless_past_base_is_off():
    text = "base: 5; foundations: 5H/-/-/-; tableau: 5C/4D/KC/KS; reserve: 4H"
    assert moves(f"canfield; {text}") == {"T1-F2", "T2-T1", "R-T1"}
    assert moves(f"canfield past_base=false; {text}") == {"T1-F2"}
    assert get_rules("canfield").options["past_base"] is True, "the text builds on without end"
    assert get_rules("canfield-common").options["past_base"] is False, "the programs compared with do not"


@pytest.mark.parametrize(("option", "allowed"), [("null", 99), ("3", 3), ("2", 2), ("0", 0)])
def test_c4_so_many_turnings_and_one_run_more(option, allowed):
    for done in range(5):
        text = f"canfield turnovers={option}; turnovers: {done}; base: 5; foundations: 5H/-/-/-; waste: 7C"
        assert ("turnover W-S" in moves(text)) == (done < allowed)
    stock = "base: 5; foundations: 5H/-/-/-; stock: 7c8c9cTc; tableau: KC/KS/QC/QS"
    assert runs_through_the_stock(f"canfield turnovers={option}; {stock}") == min(allowed + 1, 10)


def test_c5_the_covered_reserve_is_hidden_unless_known():
    rules = get_rules("canfield")
    view = rules.conceal(rules.deal(1))
    assert [card.card is None for card in view.reserve] == [True] * 12 + [False]
    assert rules.unread(view) == ()
    known = get_rules("canfield", reserve_known=True)
    assert all(card.card for card in known.conceal(known.deal(1)).reserve)


def test_c5_a_bared_reserve_card_is_unread():
    text = after("canfield; base: 5; foundations: 5H/-/-/-; tableau: 9S/2C/KC/2S; reserve: ??8D", "R-T1")
    position = table(text)
    assert [str(slot) for slot in rules_of(position).unread(position)] == ["R.1"]


def test_c6_base_cards_wait_by_default_and_go_up_at_once_with_the_option():
    text = "base: 5; foundations: 5H/-/-/-; tableau: 5S/2C/KC/2S; reserve: 3C5D; waste: 5C"
    assert due(f"canfield; {text}") == []
    assert due(f"canfield auto_base=true; {text}") == ["T1-F2", "R-F2"]
    assert {"T1-F2", "R-F2", "W-F2"} <= moves(f"canfield; {text}")
    settled = after(f"canfield auto_base=true; {text}", "T1-F2")
    assert "foundations: 5H/5S/5D/-; tableau: -/2C/KC/2S; reserve: 3C" in settled, "the waste's five may wait"
    assert "waste: 5C" in settled


def test_c7_foundation_cards_may_return_the_base_card_too():
    text = "base: 5; foundations: 5H6H/5D/-/-; tableau: 7S/6C/KC/2S; reserve: 3C"
    assert not {m for m in moves(f"canfield; {text}") if m[0] == "F"}
    assert {"F1-T1", "F2-T2"} == {m for m in moves(f"canfield foundation_back=true; {text}") if m[0] == "F"}


def test_lost_when_a_full_run_offers_nothing():
    position = table("canfield; base: 5; foundations: 5H/-/-/-; tableau: 9S/9C/KC/KS; stock: 3c3d; reserve: 2D")
    assert rules_of(position).is_lost(position)


def test_score_counts_the_cards_on_foundations():
    position = table("canfield; base: 5; foundations: 5H6H/5D/-/-")
    assert rules_of(position).score(position) == 3


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tableau: 7S7H", "impossible-run"),
        ("base: 5; foundations: 6H/-/-/-", "wrong-base"),
        ("base: 5; foundations: 5H7H/-/-/-", "foundation-gap"),
        (f"reserve: {'??' * 14}", "bad-count"),
        (f"stock: {'##' * 30}; waste: {'??' * 5}", "bad-count"),
        ("tableau: 7s", "face-down"),
        ("reserve: 7S; tableau: 7S", "duplicate"),
    ],
)
def test_problems_are_flags(text, code):
    assert code in kinds(f"canfield; {text}")


def test_a_picture_of_the_deal_is_completed():
    rules = get_rules("canfield")
    whole = rules.complete(table("canfield; stock: ##; reserve: 4D; foundations: 5H/-/-/-; tableau: 9S/9C/KC/KS"))
    assert (len(whole.reserve), len(whole.stock), whole.base_rank) == (13, 34, 5)
