"""An outside oracle: solutions of the solver pyksolve replay to a win under the common rules."""

from itertools import islice

import pyksolve.solver as pyksolve
import pytest

from kibitz.engine import Move, MoveKind, PileId, PileKind, Position, get_rules
from kibitz.engine.notation.deck_string import from_deck_string, to_deck_string
from kibitz.engine.notation.pysol import to_pysol

DEALS = 50
MOST_DEALS = 200
CLOSED = 20_000
SUITS = "CDHS"


def solution(deck: str) -> list[str] | None:
    """The moves of a solution, or None where the solver finds none within its limit."""
    solver = pyksolve.Solitaire()
    solver.load_solitaire(deck)
    solver.reset_game(3)
    result = solver.solve_fast(max_closed_count=CLOSED)
    if result.name not in ("SolvedMayNotBeMinimal", "SolvedMinimal"):
        return None
    return solver.moves_made().split()


def pile_of(position: Position, name: str) -> PileId:
    """Our pile for the solver's name: W, 1 to 7, or a suit's foundation (ours are numbered as they were started)."""
    if name == "W":
        return PileId.of(PileKind.WASTE)
    if name.isdigit():
        return PileId.of(PileKind.TABLEAU, int(name) - 1)
    for index, pile in enumerate(position.foundations):
        if pile and pile[0].card.suit == SUITS.index(name):
            return PileId.of(PileKind.FOUNDATIONS, index)
    return PileId.of(PileKind.FOUNDATIONS, next(i for i, pile in enumerate(position.foundations) if not pile))


def replay(deck: str, words: list[str]) -> Position:
    rules = get_rules("klondike-common")
    position = from_deck_string(deck, "klondike-common")
    for word in words:
        if word.startswith("F"):
            continue  # A card is turned: our moves do that themselves.
        if word == "NEW":
            position = rules.apply(position, rules.find_move(position, f"turnover W-S*{len(position.waste)}"))
        elif word.startswith("DR"):
            for _ in range(int(word[2:])):
                if not position.stock:
                    position = rules.apply(position, rules.find_move(position, f"turnover W-S*{len(position.waste)}"))
                count = min(3, len(position.stock))
                position = rules.apply(position, rules.find_move(position, f"draw S-W*{count}".removesuffix("*1")))
        else:
            piles, _, number = word.partition("-")
            source, target = (pile_of(position, name) for name in piles)
            position = rules.apply(position, Move(MoveKind.MOVE, source, target, int(number or 1)))
    return position


def test_solutions_of_fifty_deals_replay_to_a_win():
    rules = get_rules("klondike-common")
    decks = (to_deck_string(rules.deal(seed)) for seed in range(MOST_DEALS))
    found = ((deck, words) for deck in decks if (words := solution(deck)) is not None)
    solved = list(islice(found, DEALS))
    assert len(solved) == DEALS, "the oracle must have said something"
    for deck, words in solved:
        assert len(words) > 50
        assert rules.is_won(replay(deck, words)), deck


@pytest.mark.parametrize("seed", range(5))
def test_pyksolve_reads_our_deck_string_and_writes_our_pysol_layout(seed):
    position = get_rules("klondike").deal(seed)
    solver = pyksolve.Solitaire()
    solver.load_solitaire(to_deck_string(position))
    solver.reset_game(3)
    assert solver.get_pysol().split() == to_pysol(position).split()
