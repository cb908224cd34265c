"""Mrs Mop: the deal, the moves, and every ambiguity row M1 to M4."""

from collections import Counter

from tables import after, due, kinds, moves, table

from kibitz.engine import Move, get_rules, rules_of

RUN = "KSQSJSTS9S8S7S6S5S4S3S2S"


def test_deal_is_thirteen_columns_of_eight_face_up():
    position = get_rules("mrs-mop").deal(3)
    assert [len(pile) for pile in position.tableau] == [8] * 13
    assert all(card.face_up for pile in position.tableau for card in pile)
    assert set(Counter(position.cards()).values()) == {2}


def test_groups_of_one_suit_go_on_any_suit_and_nothing_on_an_ace():
    assert moves("mrs-mop; tableau: 5H4S3S/5D/AC/" + "/".join(["KH"] * 10)) == {"T1-T2*2"}


def test_m1_any_tail_of_a_run_may_move():
    found = moves("mrs-mop; tableau: 9S8S7S/TD/9C/8H/" + "/".join(["KH"] * 9))
    assert {"T1-T2*3", "T1-T3*2", "T1-T4"} <= found


def test_m2_a_whole_column_to_an_empty_one_is_legal_but_idle():
    position = table("mrs-mop; tableau: 9S8S/-/" + "/".join(["KH"] * 11))
    rules = rules_of(position)
    assert {"T1-T2", "T1-T2*2"} <= {str(m) for m in rules.legal_moves(position)}
    assert rules.is_idle(position, Move.parse("T1-T2*2"))
    assert not rules.is_idle(position, Move.parse("T1-T2"))


def test_m3_a_finished_run_leaves_at_once():
    text = f"mrs-mop; tableau: 4D{RUN}/AS/" + "/".join(["KH"] * 11)
    done = after(text, "T2-T1")
    assert f"aside: {RUN}AS" in done
    assert "tableau: 4D/-/KH" in done
    assert due(f"mrs-mop; tableau: {RUN}AS") == ["remove T1*13"]
    assert due(f"mrs-mop; tableau: {RUN}AH") == []
    assert moves(f"mrs-mop; tableau: {RUN}AS/9H") >= {"remove T1*13"}


def test_m4_lost_only_without_any_move():
    stuck = table("mrs-mop; tableau: " + "/".join(["KH"] * 13))
    assert rules_of(stuck).is_lost(stuck)
    reversible = table("mrs-mop; tableau: 9S/TD/TH/" + "/".join(["KH"] * 10))
    assert not rules_of(reversible).is_lost(reversible)


def test_won_when_eight_runs_are_off():
    runs = "/".join("".join(r + s for r in "KQJT98765432A") for s in "CDHSCDHS")
    position = table(f"mrs-mop; aside: {runs}")
    rules = rules_of(position)
    assert rules.is_won(position)
    assert rules.problems(position) == ()
    assert rules.score(position) == 104


def test_missing_whole_suits_are_runs_that_are_off():
    rules = get_rules("mrs-mop")
    runs = "/".join("".join(r + s for r in "KQJT98765432A") for s in "CDHSCDH")
    rest = table(f"mrs-mop; aside: {runs}; tableau: {RUN}/AS")
    seen = rest.replace(aside=())
    assert rules.problems(rules.complete(seen)) == ()
    assert sorted(map(len, rules.complete(seen).aside)) == [13] * 7


def test_problems_are_flags():
    assert "face-down" in kinds("mrs-mop; tableau: 7s")
    assert "duplicate" in kinds("mrs-mop; tableau: 7S7S7S")
    assert "duplicate" not in kinds("mrs-mop; tableau: 7S7S")
    assert {"bad-count", "impossible-run"} <= kinds("mrs-mop; aside: 7S5S")
    assert "must-be-empty" in kinds("mrs-mop; tableau: 7S") or "too-few-cards" in kinds("mrs-mop; tableau: 7S")
