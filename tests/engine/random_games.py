"""Random games to their end, in which positions are judged by the second reading of the rules.

`python tests/engine/random_games.py 2000` plays so many games of every patience and preset and prints how they ended.
The last full run, 22,000 games without a fault (won, lost, nothing new):

    canfield         3  983 1014    eleven-points 1973   27    0    klondike         54  941 1005
    canfield-common  1  626 1373    eleven-10     1748  252    0    klondike-common  28  114 1858
    mrs-mop          0  153 1847    elevens        207 1793    0    nineteenth-fan   10  142 1848
    walter          89 1793  118    walter-scott     0 2000    0
"""

from __future__ import annotations

import random
import sys
from collections import Counter

import brute_force
import pytest

from kibitz.engine import Belief, Move, MoveKind, Position, Rules, games, get_rules
from kibitz.engine.errors import IllegalMoveError
from kibitz.engine.game import Game
from kibitz.engine.piles import PileId, PileKind

FRESH_STEPS = 120
"""So many moves the player only keeps from coming back to a position; then no card is laid again where it has lain."""
ENDLESS = 10_000
"""No game can last so long: a card can lie on few others, and what the stock brings is counted by the positions."""
ENDINGS = ("won", "lost", "nothing new")
UNJUDGED = {("aux_between", "any")}
"""The option value that the second reading leaves out, because it needs a search of its own."""


def judge(rules: Rules, position: Position) -> None:
    """Compare the engine's answers about a position with the second reading."""
    data = position.to_json()
    due = brute_force.due(rules.name, data, rules.options)
    assert {str(move) for move in rules.pending(position)} == due, str(position)
    legal = {str(move) for move in rules.legal_moves(position)}
    assert len(legal) == len(rules.legal_moves(position)), "every move once"
    if due:
        assert [str(m) for m in rules.legal_moves(position)[: len(due)]] == [str(m) for m in rules.pending(position)]
        return
    expected = brute_force.legal(rules.name, data, rules.options)
    if brute_force.PERHAPS in expected:
        expected.remove(brute_force.PERHAPS)
        legal = {move for move in legal if not move.startswith("draw")}
    assert legal == expected, str(position)


def check_cards(rules: Rules, truth: Position, view: Position) -> None:
    """Check that no card got lost or doubled, and that nobody finds a fault with the table."""
    assert len(truth) == len(view) == 52 * rules.decks
    if not truth.unknown():
        assert sorted(map(str, truth.cards())) == sorted(map(str, rules.pack))
    assert rules.problems(truth) == ()
    assert rules.problems(view) == ()
    assert len(Belief.from_position(view).unseen) == len(view.unknown())


def check_texts(rules: Rules, position: Position) -> None:
    """Check that every text form parses back to the same value, key and hash."""
    for again in (
        Position.parse(str(position)),
        Position.parse(position.multiline()),
        Position.from_json(position.to_json()),
    ):
        assert again == position
        assert hash(again) == hash(position)
        assert rules.key(again) == rules.key(position)
    for move in rules.legal_moves(position):
        assert Move.parse(str(move)) == move
        assert hash(Move.parse(str(move))) == hash(move)


def random_move(rng: random.Random) -> Move:
    """Return any move at all, seldom a legal one."""

    def pile() -> PileId:
        kind = rng.choice(list(PileKind))
        several = kind in (PileKind.TABLEAU, PileKind.FOUNDATIONS, PileKind.BASES)
        return PileId.of(kind, rng.randrange(18) if several else 0)

    return Move(rng.choice(list(MoveKind)), pile(), pile(), rng.choice((1, 1, 2, 3, 13)))


def refuses(rules: Rules, position: Position, rng: random.Random) -> None:
    """Check that a move that is not legal is refused with a narrow error."""
    move = random_move(rng)
    if not rules.is_legal(position, move):
        with pytest.raises(IllegalMoveError, match="expected a legal move"):
            rules.apply(position, move)


class Player:
    """Makes random moves that lead somewhere new, so that every game comes to an end.

    No position comes twice. Between columns that could still take a long time (in Mrs Mop ten thousand moves), so after
    a while no card is laid a second time on a card, or on a bare place, on which it has lain.
    """

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules, self.rng = rules, random.Random(seed)
        self.been: set[object] = set()
        self.lain: set[tuple[object, object]] = set()
        self.moves = 0

    def choose(self, view: Position) -> Move | None:
        """A legal move that leads somewhere new, or None; goes up with half of its moves where that is possible."""
        self.been.add(self.rules.key(view))
        moves = list(self.rules.legal_moves(view))
        self.rng.shuffle(moves)
        if self.rng.random() < 0.5:
            moves.sort(key=lambda move: not goes_up(move))
        self.moves += 1
        for move in moves:
            again = between_columns(move) and (move.card, move.onto) in self.lain
            if (
                not (again and self.moves > FRESH_STEPS)
                and self.rules.key(self.rules.apply(view, move)) not in self.been
            ):
                self.lain.add((move.card, move.onto))
                return move
        return None


def goes_up(move: Move) -> bool:
    return move.target is not None and move.target.kind in (PileKind.FOUNDATIONS, PileKind.BASES)


def between_columns(move: Move) -> bool:
    return move.kind is MoveKind.MOVE and move.target is not None and move.target.kind is PileKind.TABLEAU


def check(rules: Rules, game: Game, number: int, rng: random.Random) -> None:
    """Look at one position of a game: cards, moves, and now and then texts and a wrong move."""
    check_cards(rules, game.truth, game.view)
    for move in game.legal_moves():
        assert len(rules.apply(game.view, move)) == 52 * rules.decks
    if not UNJUDGED.intersection(rules.options.items()):
        judge(rules, game.truth if number % 4 == 3 else game.view)
    if number % 4 == 0:
        check_texts(rules, game.truth)
        check_texts(rules, game.view)
        refuses(rules, game.view, rng)


def play(rules: Rules, seed: int, every: int = 1) -> str:
    """Play one random game to its end, every so-many-th position looked at; return how it ended."""
    game = Game.deal(rules, seed)
    player = Player(rules, seed)
    for step in range(ENDLESS):
        moves = game.legal_moves()
        if (step + seed) % every == 0 or not moves:
            check(rules, game, step // every, player.rng)
        if rules.is_won(game.view):
            return "won"
        if not any(map(goes_up, moves)) and rules.is_lost(game.view):
            return "lost"
        move = player.choose(game.view)
        if move is None:
            return "nothing new"
        game.play(move)
    raise AssertionError(f"{rules} {seed}: no end after {ENDLESS} moves")


def ends(name: str, count: int) -> dict[str, int]:
    """Play so many games of a patience, every sixteenth position looked at; return how often each end came."""
    return dict(sorted(Counter(play(get_rules(name), seed, every=16) for seed in range(count)).items()))


def main(count: int, names: list[str]) -> None:
    for name in names or games():
        print(name, ends(name, count), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
