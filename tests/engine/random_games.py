"""Random games in which every position is judged by the second reading of the rules.

`python tests/engine/random_games.py 2000` plays so many games of every patience and preset and prints how they ended.
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

MOST_STEPS = 200
UNJUDGED = {("aux_between", "any"), ("draw_when", "stuck")}
"""Option values that the second reading leaves out, because they need a search of their own."""


def judge(rules: Rules, position: Position) -> None:
    """Compare the engine's answers about a position with the second reading."""
    data = position.to_json()
    due = brute_force.due(rules.name, data, rules.options)
    assert {str(move) for move in rules.pending(position)} == due, str(position)
    legal = {str(move) for move in rules.legal_moves(position)}
    assert len(legal) == len(rules.legal_moves(position)), "every move once"
    if due:
        assert [str(m) for m in rules.legal_moves(position)[: len(due)]] == [str(m) for m in rules.pending(position)]
    else:
        assert legal == brute_force.legal(rules.name, data, rules.options), str(position)


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


def play(rules: Rules, seed: int, most: int = MOST_STEPS, every: int = 1) -> str:
    """Play one random game to its end, every so-many-th position judged; return how it ended."""
    game = Game.deal(rules, seed)
    rng = random.Random(seed)
    judged = not UNJUDGED.intersection(rules.options.items())
    been: set[object] = set()
    for step in range(most):
        if step % every == 0:
            check_cards(rules, game.truth, game.view)
        if judged and step % every == 0:
            judge(rules, game.truth if step % 4 == 3 else game.view)
        if step % 16 == 0:
            check_texts(rules, game.truth)
            check_texts(rules, game.view)
            refuses(rules, game.view, rng)
        if rules.is_won(game.view):
            return "won"
        if rules.is_lost(game.view):
            return "lost"
        moves = list(game.legal_moves())
        rng.shuffle(moves)
        if rng.random() < 0.5:
            moves.sort(key=lambda m: not (m.target and m.target.kind in (PileKind.FOUNDATIONS, PileKind.BASES)))
        fresh = next((m for m in moves if rules.key(rules.apply(game.view, m)) not in been), None)
        if fresh is None:
            return "cycling"
        game.play(fresh)
        been.add(rules.key(game.view))
    return "given up"


def main(count: int, names: list[str]) -> None:
    for name in names or games():
        rules = get_rules(name)
        ends = Counter(play(rules, seed, every=4) for seed in range(count))
        print(name, dict(ends), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
