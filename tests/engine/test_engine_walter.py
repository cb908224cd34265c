"""Walter and Walter Scott: the base piles, and every ambiguity row W1 to W9 and S1 to S3 with its alternatives."""

import random

import pytest
from tables import after, due, kinds, moves, table

from kibitz.engine import Belief, Move, Observation, PileId, get_rules, rules_of
from kibitz.engine.cards import RANKS
from kibitz.engine.walter_piles import base_order

REST = "/".join(["9S"] * 10)


def test_deal_is_thirteen_fans_of_four_and_four_empty_base_places():
    position = get_rules("walter").deal(1)
    assert [len(pile) for pile in position.tableau] == [4] * 13
    assert position.bases == ((), (), (), ())


@pytest.mark.parametrize(
    ("base", "order"),
    [(1, "A23456789TJQK"), (2, "2468TQA3579JK"), (3, "369Q258JA47TK"), (4, "48Q37J26TA59K")],
)
def test_base_piles_go_up_by_their_base(base, order):
    assert "".join(RANKS[rank - 1] for rank in base_order(base)) == order
    for place in range(1, 13):
        pile = "".join(f"{rank}C" for rank in order[:place])
        bases = "/".join(pile if b == base else "-" for b in range(1, 5))
        assert f"T1-B{base}" in moves(f"walter; bases: {bases}; tableau: {order[place]}H")


def test_a_pile_is_closed_by_its_king():
    pile = "".join(f"{rank}C" for rank in "A23456789TJQK")
    for rank in RANKS:
        assert "T1-B1" not in moves(f"walter; bases: {pile}/-/-/-; tableau: {rank}H")


def test_only_free_cards_move_and_an_emptied_fan_is_abolished():
    text = after("walter; bases: AC/-/-/-; tableau: 3H2H/2D/5S", "T2-B1")
    assert "tableau: 3H2H/-/5S" in text
    assert not {m for m in moves(text) if m.endswith("-T2")}


def test_w1_transfers_join_equal_ranks_whatever_the_suit():
    assert moves("walter redeal_when=any; tableau: 5H9S/9D/9C9H8C9D") == {
        "T1-T2", "T2-T1", "T3-T1", "T3-T2", "redeal *7",
    }  # fmt: skip


def test_w2_redeal_only_when_no_transfers_help():
    helped = "walter; bases: AC/-/-/-; tableau: 2H9S/9D/7C"
    assert "redeal *4" not in moves(helped), "9S can leave the 2"
    stuck = "walter; bases: AC/-/-/-; tableau: 5H9S/9D/7C"
    assert "redeal *4" in moves(stuck)
    full = "walter; bases: AC/-/-/-; tableau: 2H9S/7D8C6H9D/7C"
    assert "redeal *7" in moves(full), "the other nine lies in a full fan"


def test_w2_any_lets_the_player_redeal_at_will():
    assert "redeal *4" in moves("walter redeal_when=any; bases: AC/-/-/-; tableau: 2H9S/9D/7C")


def test_w3_base_piles_survive_the_redeal():
    text = after("walter; bases: AC/-/-/-; tableau: 5H9S/9D/7C", "redeal *4")
    assert text == ("walter; attempt: 2; tableau: ????????/-/-/-/-/-/-/-/-/-/-/-/-; bases: AC/-/-/-")


def test_w4_the_last_fan_of_a_redeal_has_the_rest_and_takes_transfers():
    text = after("walter; tableau: 5H9S/8D/7C/QS6C", "redeal *6")
    assert "tableau: ????????/????/-" in text
    assert {"T1-T2"} <= moves("walter; attempt: 2; tableau: 5H8D7C9S/QS9D")


def test_w5_the_player_chooses_which_of_two_aces_is_the_base():
    assert {"T1-B1", "T2-B1"} <= moves("walter; tableau: 5HAS/8DAD")


@pytest.mark.parametrize("attempts", [1, 2, 3, 5])
def test_w6_so_many_attempts_in_all(attempts):
    for attempt in range(1, 7):
        text = f"walter attempts={attempts}; attempt: {attempt}; tableau: 5H9S/8D"
        assert ("redeal *3" in moves(text)) == (attempt < attempts)
        assert rules_of(table(text)).is_lost(table(text)) == (attempt >= attempts)


def test_w7_nothing_comes_back_from_a_base_pile():
    assert not {m for m in moves("walter; bases: AC2C/-/-/-; tableau: 2H/5S") if m[0] == "B"}


def test_w8_a_two_may_follow_the_ace_or_start_its_own_pile():
    assert {"T1-B1", "T1-B2"} <= moves("walter; bases: AC/-/-/-; tableau: 2H")


def test_w9_fans_show_every_card_stacks_only_the_top():
    assert get_rules("walter").conceal(get_rules("walter").deal(1)).unknown() == ()
    stack = get_rules("walter", display="stack")
    view = stack.conceal(stack.deal(1))
    assert len(view.unknown()) == 39
    assert all(pile[-1].card for pile in view.tableau)


def test_w9_a_bared_card_of_a_stack_is_unread_then_remembered():
    text = after("walter display=stack; bases: AC/-/-/-; tableau: ????2H", "T1-B1")
    position = table(text)
    rules = rules_of(position)
    assert [str(slot) for slot in rules.unread(position)] == ["T1.2"]
    assert rules.legal_moves(position) == (), "not to be called stuck before the card is read"
    assert not rules.is_lost(position)
    seen = rules.observe(position, Observation.parse("T1.2=9S"))
    covered = seen.replace_pile(
        PileId.parse("T2"), seen.pile(PileId.parse("T2")) + table("walter; tableau: 9D").tableau[0]
    )
    covered = rules.apply(covered, Move.parse("T2-T1"))
    assert str(covered.tableau[0][1]) == "9S", "covered again by the nine of diamonds, but remembered"
    assert [str(slot) for slot in rules.unread(covered)] == []


def test_redeal_outcomes_are_drawn_from_the_cards_left():
    position = table(after("walter; bases: AC/-/-/-; tableau: 5H9S/9D/7C", "redeal *4"))
    position = position.replace(bases=position.bases)
    full = get_rules("walter").deal(1)
    again = get_rules("walter", redeal_when="any")
    redealt = again.act(again.deal(1), Move.parse("redeal *52"))
    drawn = Belief.from_position(redealt).sample(random.Random(1))
    assert sorted(map(str, drawn.cards())) == sorted(map(str, full.cards()))
    assert drawn == Belief.from_position(redealt).sample(random.Random(1))


def test_won_with_four_closed_piles():
    pools = {rank: [f"{rank}{suit}" for suit in "CDHS"] for rank in RANKS}
    bases = "/".join("".join(pools[RANKS[r - 1]].pop() for r in base_order(b)) for b in range(1, 5))
    position = table(f"walter; bases: {bases}")
    assert rules_of(position).is_won(position)
    assert rules_of(position).problems(position) == ()
    assert rules_of(position).score(position) == 52


def test_problems_are_flags():
    assert "bad-count" in kinds("walter; tableau: 2C3C4C5C6C")
    assert "wrong-base" in kinds("walter; bases: 2C/-/-/-")
    assert "foundation-gap" in kinds("walter; bases: AC3C/-/-/-")
    assert "face-down" in kinds("walter; tableau: 2c")


def test_a_base_pile_seen_from_above_is_completed_by_rank():
    whole = get_rules("walter").complete(table("walter; bases: -/6H/-/-; tableau: 2C4C"))
    assert [str(card)[0] for card in whole.bases[1]] == ["2", "4", "6"]
    assert "2C" not in {str(card) for card in whole.bases[1]}


def test_nothing_is_forced():
    assert due("walter; tableau: AC/2C") == []


def test_scott_deal_lays_the_bases_and_a_stock_of_48():
    position = get_rules("walter-scott").deal(1)
    assert [pile[0].card.rank for pile in position.bases] == [1, 2, 3, 4]
    assert len(position.stock) == 48


def test_s1_a_bared_waste_card_is_dead_by_default():
    text = "walter-scott; waste: 2C2D; bases: AC/-/-/-"
    assert moves(text) == {"W-B1", "W-B2"}
    assert after(text, "W-B1") == "walter-scott; waste_dead: true; waste: 2C; bases: AC2D/-/-/-"
    assert moves(after(text, "W-B1")) == set()
    assert "waste_dead" not in after(
        "walter-scott; waste_dead: true; stock: 9c; waste: 2C; bases: AC/-/-/-", "draw S-W"
    )


def test_s1_rebare_makes_it_playable_again():
    text = "walter-scott waste_rebare=true; waste: 2C2D; bases: AC/-/-/-"
    assert moves(after(text, "W-B1")) == {"W-B2"}


def test_s2_the_stock_is_face_down_and_a_card_played_or_wasted_when_turned():
    assert moves("walter-scott; stock: 2c; waste: 9C; bases: AC/2D/3C/4C") == {"draw S-W"}


def test_s2_face_up_the_next_card_may_be_played_at_once():
    text = "walter-scott stock_face_up=true; stock: 9D2C; waste: 6C; bases: AC/2D/3C/4C"
    assert moves(text) == {"S-B1", "W-B3", "draw S-W"}
    assert "face-up" not in kinds(text)
    assert "face-up" in kinds("walter-scott; stock: 2C")


def test_s3_the_stock_is_run_through_once():
    text = "walter-scott; waste: 9C; bases: AC/2C/3C/4C"
    assert moves(text) == set()
    assert rules_of(table(text)).is_lost(table(text))


def test_scott_table_read_from_a_picture_is_completed():
    rules = get_rules("walter-scott")
    whole = rules.complete(table("walter-scott; stock: ##; waste: 9C; bases: AC/6H/3C/4C"))
    assert [str(card)[0] for card in whole.bases[1]] == ["2", "4", "6"]
    assert (len(whole), len(whole.stock)) == (52, 52 - 1 - 6)
    assert str(whole.stock[0]) == "##"
    shown = get_rules("walter-scott", stock_face_up=True)
    assert str(shown.complete(table("walter-scott stock_face_up=true; stock: 5D; bases: AC/-/-/-")).stock[0]) == "??"


def test_walters_rules_count_what_lies_in_the_base_piles():
    assert rules_of(table("walter-scott; bases: AC2C/2D/-/-")).score(table("walter-scott; bases: AC2C/2D/-/-")) == 3
