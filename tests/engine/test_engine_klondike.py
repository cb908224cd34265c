"""Klondike: the deal, the moves, and every ambiguity row K1 to K7 with its alternatives."""

import pytest
from tables import after, due, kinds, moves, runs_through_the_stock, table

from kibitz.engine import Card, Move, Observation, ProblemKind, get_rules, rules_of
from kibitz.engine.errors import IllegalMoveError, ObservationError

KINGS_PLACED = "foundations: AC2C3C4C5C6C7C8C9CTCJCQCKC/-/-/-; tableau: KD/KHQS/KS/6H5S4H/-/9D8S/-; waste: 7C"


def test_deal_has_columns_of_one_to_seven_and_a_stock_of_24():
    position = get_rules("klondike").deal(17)
    assert [len(pile) for pile in position.tableau] == [1, 2, 3, 4, 5, 6, 7]
    assert all([card.face_up for card in pile] == [False] * n + [True] for n, pile in enumerate(position.tableau))
    assert len(position.stock) == 24
    assert not any(card.face_up for card in position.stock)


def test_deal_goes_row_by_row_and_the_rest_is_turned_in_order():
    rules = get_rules("klondike")
    position = rules.deal_cards(rules.pack)
    assert [str(pile[0].card) for pile in position.tableau] == ["AC", "2C", "3C", "4C", "5C", "6C", "7C"]
    assert str(position.tableau[1][1]) == "8C"
    drawn = rules.apply(position, Move.parse("draw S-W*3"))
    assert [str(card) for card in drawn.waste] == ["3H", "4H", "5H"]


def test_draws_three_and_the_last_group_may_be_smaller():
    assert after("klondike; stock: 2c3c4c5c; tableau: 7S", "draw S-W*3").startswith(
        "klondike; stock: 2c; waste: 5C4C3C;"
    )
    assert "draw S-W" in moves("klondike; stock: 2c; tableau: 7S")


def test_turning_the_waste_over_keeps_its_order():
    text = after("klondike; waste: 5C4C3C; tableau: 7S", "turnover W-S*3")
    assert text.startswith("klondike; turnovers: 1; stock: 3c4c5c;")


def test_unknown_cards_drawn_are_unread_until_observed():
    rules = get_rules("klondike")
    start = table("klondike; stock: ######; tableau: 7S")
    drawn = rules.apply(start, Move.parse("draw S-W*3"))
    assert [str(card) for card in drawn.waste] == ["??", "??", "??"]
    assert [str(slot) for slot in rules.unread(drawn)] == ["W.3"]
    assert rules.reveals(start, Move.parse("draw S-W*3"))
    seen = rules.observe(drawn, Observation.parse("W.3=6H"))
    assert "W-T1" in {str(move) for move in rules.legal_moves(seen)}
    with pytest.raises(ObservationError, match=r"expected 6H at W\.3"):
        rules.observe(seen, Observation.parse("W.3=6D"))


def test_a_bared_card_is_turned_as_part_of_the_move():
    assert "tableau: QC/KHQSJD/" in after("klondike; tableau: QcJD/KHQS/KD/-/-/-/-", "T1-T2")
    assert after("klondike; tableau: ##JD/KHQS", "T1-T2") == (
        "klondike; foundations: -/-/-/-; tableau: ??/KHQSJD/-/-/-/-/-"
    )


def test_unsettled_table_offers_turning_first():
    text = "klondike; tableau: 9c##/5H/-/-/-/-/4S"
    assert due(text) == ["flip T1"]
    position = table(text)
    assert [str(move) for move in rules_of(position).legal_moves(position)] == ["flip T1", "T7-T2"]
    assert "9c??" in after(text, "flip T1")


def test_k1_part_of_a_sequence_stays_put_by_default():
    text = "tableau: ##9H8S7D/8C/-/-/-/-/9D"
    assert moves(f"klondike; {text}") == {"T2-T7"}
    assert "T1-T2" in moves(f"klondike move_part=true; {text}")
    assert "T1-T7*2" in moves(f"klondike move_part=true; {text}")


def test_k2_foundation_cards_come_back_only_with_the_option():
    text = "foundations: AH2H3H/-/-/-; tableau: 4S/-/-/-/-/-/-"
    assert moves(f"klondike; {text}") == set()
    assert moves(f"klondike foundation_back=true; {text}") == {"F1-T1"}


def test_k2_with_forced_aces_an_ace_does_not_come_back():
    text = "foundations: AH/-/-/-; tableau: 2S/-/-/-/-/-/-"
    assert moves(f"klondike foundation_back=true; {text}") == set()
    assert moves(f"klondike foundation_back=true auto_aces=false; {text}") == {"F1-T1"}


def test_k3_spaces_take_any_card_once_every_king_has_its_place():
    assert {"W-T5", "T6-T5*2", "T4-T7*3"} <= moves(f"klondike; {KINGS_PLACED}")
    unplaced = KINGS_PLACED.replace("tableau: KD/", "tableau: ##KD/")
    to_spaces = {m for m in moves(f"klondike; {unplaced}") if m.split("*")[0][-2:] in ("T5", "T7")}
    assert to_spaces == {"T1-T5", "T1-T7", "T2-T5*2", "T2-T7*2", "T3-T5", "T3-T7"}


def test_k3_kings_only_never_relaxes():
    found = moves(f"klondike kings_only=true; {KINGS_PLACED}")
    assert "W-T5" not in found
    assert {"T1-T5", "T2-T7*2"} <= found


def test_k4_a_columns_last_card_alone_may_take_the_space():
    assert "T4-T5" in moves(f"klondike; {KINGS_PLACED}")
    found = moves(f"klondike space_end_card=false; {KINGS_PLACED}")
    assert "T4-T5" not in found
    assert {"T4-T5*3", "W-T5"} <= found


def test_k5_moving_a_bottom_king_to_another_space_is_legal_but_idle():
    position = table("klondike; tableau: KS/-/-/-/-/-/-")
    rules = rules_of(position)
    assert {str(m) for m in rules.legal_moves(position)} == {f"T1-T{n}" for n in range(2, 8)}
    assert all(rules.is_idle(position, move) for move in rules.legal_moves(position))
    assert not rules.is_idle(table("klondike; tableau: ##KS/-"), Move.parse("T1-T2"))


@pytest.mark.parametrize(("option", "allowed"), [("3", 3), ("2", 2), ("0", 0)])
def test_k6_so_many_turnings_and_one_run_more(option, allowed):
    for done in range(5):
        found = moves(f"klondike turnovers={option}; turnovers: {done}; waste: 5C4C3C; tableau: 7S")
        assert ("turnover W-S*3" in found) == (done < allowed)
    assert "turnover W-S*3" in moves("klondike; turnovers: 99; waste: 5C4C3C; tableau: 7S")
    assert runs_through_the_stock(f"klondike turnovers={option}; stock: 2c3c4c5c6c7c; tableau: KS") == allowed + 1
    assert runs_through_the_stock("klondike; stock: 2c3c4c5c6c7c; tableau: KS") == 10, "no end by default"


def test_k7_aces_go_up_at_once_by_default():
    assert due("klondike; waste: 5CAD; tableau: ##AH/2H") == ["T1-F1", "W-F1"]
    text = after("klondike; stock: Ad5c4c; tableau: AhAS/8H", "draw S-W*3")
    assert "foundations: AS/AH/AD/-" in text, "the ace under the ace too"
    assert "waste: 4C5C" in text


def test_k7_aces_may_stay_with_the_option():
    assert due("klondike auto_aces=false; waste: 5CAD; tableau: ##AH/2H") == []
    assert {"T1-F1", "W-F1"} <= moves("klondike auto_aces=false; waste: 5CAD; tableau: ##AH/2H")


def test_draw_one_with_one_run():
    text = "klondike draw=1 turnovers=0; stock: 2c3c; tableau: 7S"
    assert moves(text) == {"draw S-W"}
    assert moves(after(text, "draw S-W")) == {"draw S-W"}
    assert moves(after(after(text, "draw S-W"), "draw S-W")) == set()


def test_lost_when_a_full_run_through_the_stock_offers_nothing():
    position = table("klondike; stock: 2c3c4c; tableau: 7S/9S/-/-/-/-/-; foundations: -/-/-/-")
    assert rules_of(position).is_lost(position)
    position = table("klondike; stock: 2c3c6d4c; tableau: 7S/9S/-/-/-/-/-; foundations: -/-/-/-")
    assert rules_of(position).is_lost(position), "the red six always lies under the three"
    position = table("klondike draw=1; stock: 2c3c6d4c; tableau: 7S/9S/-/-/-/-/-; foundations: -/-/-/-")
    assert not rules_of(position).is_lost(position)
    hidden = table("klondike; stock: ########; tableau: 7S/9S/-/-/-/-/-; foundations: -/-/-/-")
    assert not rules_of(hidden).is_lost(hidden)


def test_won_with_the_whole_pack_up():
    rules = get_rules("klondike")
    suits = "/".join("".join(r + s for r in "A23456789TJQK") for s in "CDHS")
    assert rules.is_won(table(f"klondike; foundations: {suits}"))
    assert rules.score(table("klondike; foundations: AC2C/AD/-/-")) == 3


def test_illegal_moves_say_what_is_legal():
    rules = get_rules("klondike")
    position = table("klondike; tableau: 7S/6H")
    with pytest.raises(IllegalMoveError, match=r"expected a legal move \(T2-T1\), got T1-T2"):
        rules.apply(position, Move.parse("T1-T2"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tableau: 7S/7S", "duplicate"),
        ("tableau: 7S", "too-few-cards"),
        ("tableau: 7S7H", "impossible-run"),
        ("foundations: AH3H/-/-/-", "foundation-gap"),
        ("foundations: 2H3H/-/-/-", "wrong-base"),
        ("tableau: 7S##", "hidden-above-open"),
        ("tableau: #######7S/######5H/############2C/############3C", "bad-count"),
        ("stock: 7S", "face-up"),
        ("waste: 7s", "face-down"),
        (f"stock: {'##' * 25}", "bad-count"),
        (f"stock: {'##' * 53}", "too-many-cards"),
    ],
)
def test_problems_are_flags(text, code):
    if code == "bad-count" and "tableau" in text:
        text = "tableau: ############7S/############5H"
    assert code in kinds(f"klondike; {text}")


def test_problems_name_the_cards_and_piles():
    position = table("klondike; tableau: 7S7H/7S")
    rules = rules_of(position)
    found = {problem.kind: problem for problem in rules.problems(position)}
    assert found[ProblemKind.DUPLICATE].cards == (Card.parse("7S"),)
    assert [str(pile) for pile in found[ProblemKind.DUPLICATE].piles] == ["tableau/0", "tableau/1"]
    assert found[ProblemKind.IMPOSSIBLE_RUN].cards == (Card.parse("7S"), Card.parse("7H"))
    assert (found[ProblemKind.TOO_FEW_CARDS].expected, found[ProblemKind.TOO_FEW_CARDS].got) == (52, 3)
    assert rules.status(position) & ProblemKind.DUPLICATE


def test_a_table_read_from_a_picture_is_completed():
    rules = get_rules("klondike")
    seen = table("klondike; stock: ##; waste: 5D; foundations: 3H/-/-/-; tableau: 7S/##KD")
    whole = rules.complete(seen)
    assert [str(card) for card in whole.foundations[0]] == ["AH", "2H", "3H"]
    assert len(whole) == 52
    assert len(whole.stock) == 52 - 3 - 1 - 3
    assert rules.complete(whole) == whole
