"""The Nineteenth Fan: the deal, the moves, and every ambiguity row F1 to F12 with its alternatives."""

import random

import pytest
from tables import after, due, kinds, moves, table

from kibitz.engine import Belief, Move, get_rules, rules_of

G = "nineteenth-fan"
FULL = "/".join("".join(r + s for r in "A23456789TJQK") for s in "CDHS")


def test_deal_is_eighteen_fans_of_three_and_a_stock_of_50():
    position = get_rules(G).deal(1)
    assert [len(pile) for pile in position.tableau] == [3] * 18
    assert len(position.stock) == 50
    assert position.foundations == ((),) * 8


def test_free_aces_go_up_at_once_also_after_the_deal():
    assert due(f"{G}; tableau: 9CAD/8S") == ["T1-F1"]
    assert moves(f"{G}; tableau: 9CAD/8S") == {"T1-F1"}
    assert "foundations: AD2D/" in after(f"{G}; tableau: 9C2DAD/8S", "T1-F1"), "the two follows at once"


def test_an_emptied_fan_is_dealt_from_the_stock_at_its_place():
    text = after(f"{G}; stock: 9c8c7c6c; tableau: 5D/6S{'/KC' * 16}", "T1-T2")
    assert "stock: 9c;" in text
    assert "tableau: 6C7C8C/6S5D/KC" in text


def test_a_short_stock_deals_what_it_has():
    assert "tableau: 9C/6S5D/KC" in after(f"{G}; stock: 9c; tableau: 5D/6S{'/KC' * 16}", "T1-T2")


def test_an_unsettled_emptied_fan_is_dealt_first():
    text = f"{G}; stock: ########; tableau: -/6S5D/KC"
    assert due(text)[0] == "deal S-T1*3"
    assert moves(text) == {"deal S-T1*3"}
    assert "tableau: ??????/" in after(text + "/2C" * 15, "deal S-T1*3")


def test_f1_any_suit_by_default():
    assert moves(f"{G}; tableau: 5D/6D/6S/6H/6C") == {"T1-T2", "T1-T3", "T1-T4", "T1-T5", "redeal *5"}


def test_f1_suit_and_alternate():
    table_text = "tableau: 5D/6D/6S/6H/6C"
    assert moves(f"{G} fan_build=suit redeals=0; {table_text}") == {"T1-T2"}
    assert moves(f"{G} fan_build=alternate redeals=0; {table_text}") == {"T1-T3", "T1-T5"}


def test_nothing_goes_on_an_ace_and_no_king_moves():
    assert moves(f"{G} redeals=0 auto_foundation=false; foundations: {FULL}/AC/AD/AH/AS; tableau: KD/2C3C") == set()


def test_f2_what_can_go_up_goes_up_by_default():
    text = "foundations: AD/-/-/-/-/-/-/-; tableau: 4D3D2D/KC"
    assert due(f"{G}; {text}") == ["T1-F1"]
    assert "AD2D3D4D" in after(f"{G}; {text}", "T1-F1")


def test_f2_without_it_only_aces_are_forced_and_a_tail_goes_up_as_one_move():
    text = f"{G} auto_foundation=false redeals=0; foundations: AD/-/-/-/-/-/-/-; tableau: 4D3D2D/KC"
    assert due(text) == []
    assert moves(text) == {"T1-F1", "T1-F1*2", "T1-F1*3"}
    assert "AD2D3D/" in after(text, "T1-F1*2")
    assert due(f"{G} auto_foundation=false; tableau: 9CAD") == ["T1-F1"]


def test_f3_the_trial_fan_is_played_from_the_right():
    text = "tableau: 6S/TD/QD; auxiliary: 5D9SJC"
    assert moves(f"{G}; {text}") == {"X-T3"}
    assert moves(f"{G} aux_order=any; {text}") == {"X-T3", "X^1-T2", "X^2-T1"}
    assert "auxiliary: 5DJC" in after(f"{G} aux_order=any; {text}", "X^1-T2")


def test_f3_order_decides_whether_all_three_can_be_used():
    text = "tableau: 7S/QC/QD; auxiliary: 6D5CJC"
    assert moves(f"{G}; {text}") == {"aside X-A1*3"}, "5 before 6 is not possible from the right"
    assert "X^2-T1" in moves(f"{G} aux_order=any; {text}")


def test_f4_foundation_plays_made_possible_meanwhile_count():
    text = "foundations: AD/-/-/-/-/-/-/-; tableau: 7S3D/QC; auxiliary: 6H2DJC"
    assert moves(f"{G}; {text}") == {"X-T2"}
    assert moves(f"{G} aux_between=none; {text}") == {"aside X-A1*3"}


def test_f4_any_allows_preparing_moves():
    text = "tableau: 7S9H/TC/QC/3S; auxiliary: 6H2DJC"
    assert moves(f"{G}; {text}") == {"aside X-A1*3"}
    assert "T1-T2" in moves(f"{G} aux_between=any; {text}")


def test_f5_drawing_lays_three_open_cards_on_trial():
    text = after(f"{G}; stock: 9c8c7c6c; tableau: 5D/KC/KD" + "/KD" * 15, "draw S-X*3")
    assert "auxiliary: 6C7C8C" in text
    assert "stock: 9c;" in text


def test_f5_all_three_or_none():
    assert moves(f"{G}; tableau: 6S/TD/QD; auxiliary: 5D9SJC") == {"X-T3"}
    assert moves(f"{G}; tableau: 6S/TD/KD; auxiliary: 5D9SJC") == {"aside X-A1*3"}
    assert "aside: 5d9sJc" in after(f"{G}; tableau: 6S/TD/KD; auxiliary: 5D9SJC", "aside X-A1*3")
    assert moves(f"{G}; tableau: 6S; auxiliary: 9SJC") == {"aside X-A1*2"}, "a last group of two likewise"


def test_f5_unread_trial_cards_are_waited_for():
    position = table(f"{G}; tableau: 6S/TD/QD; auxiliary: ??????")
    rules = rules_of(position)
    assert rules.legal_moves(position) == ()
    assert not rules.is_lost(position)
    assert len(rules.unread(position)) == 3


def test_f6_nothing_goes_on_the_trial_fan():
    assert not {m for m in moves(f"{G} aux_between=any; tableau: 6S/TD/QD4C; auxiliary: 5D9SJC") if m.endswith("-X")}


def test_f7_drawing_is_the_players_choice_or_only_when_stuck():
    text = "stock: 9c8c7c6c; tableau: 9H5D/6S/" + "/".join(["KC"] * 16)
    assert "draw S-X*3" in moves(f"{G}; {text}")
    assert "draw S-X*3" in moves(f"{G} draw_when=stuck; {text}"), "moving the five frees nothing"
    emptying = text.replace("9H5D", "5D")
    assert "draw S-X*3" not in moves(f"{G} draw_when=stuck; {emptying}"), "the five empties its fan"


def test_f8_an_emptied_fan_is_refilled_at_once_not_at_the_next_draw():
    assert due(f"{G}; stock: 9c8c7c6c; tableau: -" + "/KC" * 17) == ["deal S-T1*3"]


def test_f9_set_aside_cards_are_remembered_unless_memory_is_off():
    text = "tableau: 6S/TD/KD; auxiliary: 5D9SJC"
    assert "aside: 5d9sJc" in after(f"{G}; {text}", "aside X-A1*3")
    assert "aside: ######" in after(f"{G} memory=false; {text}", "aside X-A1*3")


@pytest.mark.parametrize("redeals", [0, 1, 2])
def test_f10_so_many_redeals(redeals):
    for attempt in range(1, 4):
        text = f"{G} redeals={redeals}; attempt: {attempt}; tableau: KC/KD"
        assert ("redeal *2" in moves(text)) == (attempt <= redeals)


def test_f10_a_redeal_gathers_fans_and_set_aside_cards():
    text = after(f"{G}; tableau: KC/KD; aside: 5d9sJc/2c2d", "redeal *7")
    assert text.startswith(f"{G}; attempt: 2; ")
    assert "tableau: ??????/??????/??/-" in text
    assert "aside" not in text


def test_f10_cards_over_54_form_a_stock_without_trial_fan():
    fans = "/".join(["KC2C3C"] * 18)
    text = after(f"{G}; tableau: {fans}; aside: 5d9sJc/2c2d", "redeal *59")
    assert f"stock: {'##' * 5};" in text
    redealt = table(text)
    rules = rules_of(redealt)
    assert not {m for m in map(str, rules.legal_moves(redealt)) if m.startswith("draw")}
    assert "must-be-empty" in kinds(f"{G}; attempt: 2; auxiliary: 5D; tableau: KC")


def test_f11_an_empty_place_takes_nothing_a_king_or_any_card():
    text = "tableau: 4CKH/-/7D8S/" + "/".join(["KC"] * 15)
    spots = lambda found: {m for m in found if m.endswith("-T2")}  # noqa: E731
    assert spots(moves(f"{G}; {text}")) == set()
    assert "T1-T2" in spots(moves(f"{G} empty_place=king; {text}"))
    assert "T3-T2" not in spots(moves(f"{G} empty_place=king; {text}"))
    assert {"T1-T2", "T3-T2"} <= spots(moves(f"{G} empty_place=any; {text}"))


def test_f12_redeal_only_when_the_stock_is_gone():
    assert "redeal *2" not in moves(f"{G}; stock: 9c; tableau: KC/KD")
    assert "redeal *2" in moves(f"{G}; tableau: KC/KD")


def test_redeal_outcomes_are_drawn_from_the_cards_left():
    rules = get_rules(G)
    position = rules.deal(3)
    emptied = position.replace(aside=tuple((card.turned(False),) for card in position.stock), stock=())
    redealt = rules.act(emptied, Move.parse("redeal *104"))
    drawn = Belief.from_position(redealt).sample(random.Random(2))
    assert sorted(map(str, drawn.cards())) == sorted(map(str, rules.pack))
    assert (len(redealt.stock), redealt.attempt) == (50, 2)


def test_lost_when_the_fans_are_stuck_after_the_redeal():
    stuck = table(f"{G}; attempt: 2; foundations: AC/-/-/-/-/-/-/-; tableau: 4H9D/TC/KC")
    assert rules_of(stuck).is_lost(stuck), "the nine goes to and fro, nothing else happens"
    alive = table(f"{G}; attempt: 2; foundations: AC/-/-/-/-/-/-/-; tableau: 2C9D/TC/KC")
    assert not rules_of(alive).is_lost(alive)


def test_problems_are_flags():
    assert "bad-count" in kinds(f"{G}; auxiliary: 2C3C4C5C")
    assert "face-down" in kinds(f"{G}; tableau: 2c")
    assert "foundation-gap" in kinds(f"{G}; foundations: AC3C/-/-/-/-/-/-/-")
    assert "duplicate" in kinds(f"{G}; tableau: 2C2C2C")


def test_a_table_read_from_a_picture_is_completed():
    rules = get_rules(G)
    fans = "/".join(["KC"] * 18)
    early = rules.complete(table(f"{G}; stock: ##; foundations: 3H/-/-/-/-/-/-/-; tableau: {fans}"))
    assert [str(card) for card in early.foundations[0]] == ["AH", "2H", "3H"]
    assert (len(early), len(early.stock)) == (104, 104 - 3 - 18), "what was not seen lies in the stock"
    late = rules.complete(table(f"{G}; aside: ##; tableau: {fans}"))
    assert [len(pile) for pile in late.aside] == [104 - 18], "or among the cards set aside"
    alone = table(f"{G}; tableau: {fans}")
    assert rules.complete(alone) == alone


def test_after_the_redeal_nothing_may_lie_aside():
    assert "must-be-empty" in kinds(f"{G}; attempt: 2; aside: 2c; tableau: KC")
    assert "must-be-empty" not in kinds(f"{G}; attempt: 1; aside: 2c; tableau: KC")
