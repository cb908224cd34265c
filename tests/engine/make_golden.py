"""Writes the golden data of tests/playthroughs: run by hand after a wanted change of the rules, then read the diff."""

from __future__ import annotations

import json
import random
from pathlib import Path

from random_games import ends

from kibitz.engine import Rules, games, get_rules
from kibitz.engine.game import Game
from kibitz.engine.moves import MoveKind
from kibitz.engine.piles import PileKind
from kibitz.engine.position import Position
from kibitz.engine.record import Record, annotate

FOLDER = Path(__file__).parents[1] / "playthroughs"
PERFT = FOLDER / "perft.json"
ENDS = FOLDER / "ends.json"
GAMES = {"mrs-mop": 140, "klondike-common": 140, "nineteenth-fan": 60}
OTHER_GAMES = 210
"""So many random games of each patience and preset: 2,020 in all, fewer of those that last long."""
SEEDS = (1, 2, 3)
DEPTH = 3
MOVES = 40


def perft(rules: Rules, position: Position, depth: int) -> int:
    """How many sequences of so many moves there are."""
    if depth == 0:
        return 1
    moves = rules.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, rules.apply(position, move), depth - 1) for move in moves)


def counts(rules: Rules) -> dict[str, list[int]]:
    return {str(seed): [perft(rules, rules.deal(seed), d) for d in range(1, DEPTH + 1)] for seed in SEEDS}


def played(rules: Rules) -> Record:
    """A game of forty moves that likes progress, and tries the rarer kinds of moves where it can."""
    game = Game.deal(rules, 4)
    rng = random.Random(4)
    for _ in range(MOVES):
        moves = game.legal_moves()
        if not moves or rules.is_won(game.view):
            break
        ups = [m for m in moves if m.target and m.target.kind in (PileKind.FOUNDATIONS, PileKind.BASES)]
        rare = [m for m in moves if m.kind not in (MoveKind.MOVE, MoveKind.DRAW)]
        game.play(rng.choice(ups or rare or moves))
    return Record.of(game)


def main() -> None:
    PERFT.write_text(json.dumps({name: counts(get_rules(name)) for name in games()}, indent=1) + "\n")
    counted = {name: ends(name, GAMES.get(name, OTHER_GAMES)) for name in games()}
    ENDS.write_text(json.dumps(counted, indent=1) + "\n")
    for name in games():
        (FOLDER / f"{name}.txt").write_text(annotate(played(get_rules(name))))


if __name__ == "__main__":
    main()
