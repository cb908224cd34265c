"""The fast loops of `simulate` give what the rules give, and small runs agree with the published figures."""

import pytest

from kibitz.engine import get_rules
from kibitz.engine.games.eleven_points import COURT_RULES
from kibitz.engine.moves import MoveKind
from kibitz.engine.piles import PileKind
from kibitz.engine.simulate import ELEVEN_TABLE, deal_figures, eleven_figure, eleven_wins, scott_figure, scott_placed


def played_out(rules, position):
    while not rules.is_won(position) and (moves := rules.legal_moves(position)):
        position = rules.apply(position, moves[-1])
    return position


def test_every_value_of_courts_has_its_row():
    assert set(ELEVEN_TABLE) == set(COURT_RULES)


@pytest.mark.parametrize("courts", COURT_RULES)
def test_eleven_points_loop_agrees_with_the_rules(courts):
    for places in (9, 12):
        rules = get_rules("eleven-points", places=places, courts=courts)
        for seed in range(6):
            position = rules.deal(seed)
            dealt = [*(pile[0] for pile in position.tableau), *reversed(position.stock)]
            won = rules.is_won(played_out(rules, position))
            assert eleven_wins([card.card.rank for card in dealt], places, courts) == won


@pytest.mark.parametrize("rebare", [False, True])
def test_walter_scott_loop_agrees_with_the_rules(rebare):
    rules = get_rules("walter-scott", waste_rebare=rebare)
    for seed in range(6):
        position = rules.deal(seed)
        stock = [card.card.rank for card in reversed(position.stock)]
        while moves := rules.legal_moves(position):
            ups = [move for move in moves if move.kind is MoveKind.MOVE and move.target.kind is PileKind.BASES]
            best = max(ups, key=lambda move: move.target.index) if ups else moves[-1]
            position = rules.apply(position, best)
        assert scott_placed(stock, rebare) == rules.score(position)


@pytest.mark.parametrize("courts", ELEVEN_TABLE)
def test_published_shares_are_met(courts):
    for places in (9, 12):
        figure = eleven_figure(courts, places, 400)
        assert figure.agrees, figure


def test_published_means_of_walter_scott_are_met():
    for rebare in (False, True):
        figure = scott_figure(rebare, 1000)
        assert figure.agrees, figure


def test_deal_facts():
    for figure in deal_figures(20):
        assert figure.measured == figure.published, figure
