"""Games played by the program itself: where the positions of rendered tables and simulated games come from."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from kibitz.engine.belief import Belief
from kibitz.engine.game import Game
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileKind
from kibitz.engine.position import Position
from kibitz.engine.registry import get_rules, rules_of
from kibitz.engine.rules import Rules

MOST_MOVES = 160
WASTED = 0.03
"""How often a player makes any legal move instead of the best one."""
Chooser = Callable[[Game, random.Random], Move | None]


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a played game, with all cards known.

    Attributes:
        move: what was played.
        before: the settled table before it.
        after: the settled table after it.
    """

    move: Move
    before: Position
    after: Position


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from its settled deal on.

    Attributes:
        start: the deal with its consequences carried out.
        steps: the moves.
    """

    start: Position
    steps: tuple[Step, ...]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The deal and the table after every move."""
        return (self.start, *(step.after for step in self.steps))


def quick(game: Game, chooser: random.Random) -> Move | None:
    """A move as a player makes it who looks at the table only: cards up first, the stock last, nothing twice.

    Args:
        game: the game so far.
        chooser: decides between equally good moves.
    """
    rules, view = game.rules, game.view
    been = {rules.key(turn.view) for turn in game.turns}
    ranked = [(_merit(rules, view, move, been), chooser.random(), move) for move in game.legal_moves()]
    return max(ranked, key=lambda one: one[:2])[2] if ranked else None


def _merit(rules: Rules, view: Position, move: Move, been: set[tuple[object, ...]]) -> float:
    if move.kind is not MoveKind.MOVE:
        return {MoveKind.REDEAL: -3.0, MoveKind.TURNOVER: -1.0, MoveKind.DRAW: 0.0}.get(move.kind, 4.0)
    if rules.is_idle(view, move):
        return -4.0
    if move.target is not None and move.target.kind in (PileKind.FOUNDATIONS, PileKind.BASES):
        return 5.0
    if rules.key(rules.apply(view, move)) in been:
        return -2.0
    return 3.0 if rules.reveals(view, move) else 1.0


def advised(game: Game, chooser: random.Random) -> Move | None:
    """The move that the adviser proposes within a fixed count of positions.

    Args:
        game: the game so far.
        chooser: unused, so that both players have one form.
    """
    from kibitz.engine.search import Limit, advise

    nodes = 150_000 if game.view.game == "mrs-mop" else 3000
    return advise(game.view, Belief.from_position(game.view), Limit(nodes=nodes, samples=40)).move


def play_game(name: str, deal: int, choose: Chooser = quick, most: int = MOST_MOVES) -> PlayedGame:
    """Play a numbered deal.

    Args:
        name: of the patience.
        deal: number of the deal.
        choose: the player.
        most: so many moves at most.
    """
    rules, chooser = get_rules(name), random.Random(deal)
    game = Game.deal(rules, deal)
    while rules.pending(game.view):
        game.play(rules.pending(game.view)[0])
    start, steps = game.truth, list[Step]()
    while len(steps) < most and not rules.is_won(game.view):
        legal = game.legal_moves()
        move = choose(game, chooser) if chooser.random() > WASTED or not legal else chooser.choice(legal)
        if move is None:
            break
        before = game.truth
        game.play(move)
        steps.append(Step(move, before, game.truth))
    return PlayedGame(start, tuple(steps))


@cache
def _kept(name: str, deal: int, thoughtful: bool) -> PlayedGame:
    if thoughtful:
        from kibitz.engine.search import forget_plans
        from kibitz.engine.search.warm import wait_for_kernels

        wait_for_kernels(print)  # the plain kernels would take minutes a move
        forget_plans()
    return play_game(name, deal, advised if thoughtful else quick)


STAGES = ("deal", "middle", "end")


def position_at(name: str, stage: str, seed: int, thoughtful: bool = False) -> Position:
    """A settled table from the deal, the middle or the end of a game.

    Args:
        name: of the patience.
        stage: one of STAGES.
        seed: chooses deal and moment.
        thoughtful: play by the adviser, not by the quick player.
    """
    rng = random.Random(f"{name} {stage} {seed}")
    if stage == "deal":
        return play_game(name, rng.randrange(1, 10**6), quick, 0).start
    game = _kept(name, rng.randrange(1, 13), thoughtful)
    positions = [one for one in game.positions if any(one.tableau)]
    low, high = (0.15, 0.65) if stage == "middle" else (0.65, 1.0)
    return positions[min(int(rng.uniform(low, high) * len(positions)), len(positions) - 1)]


def unsettle(position: Position, seed: int) -> Position:
    """The table after a move of which nobody has carried out the consequences; as it is where no move has any.

    Args:
        position: settled, all cards known.
        seed: chooses the move.
    """
    rules = rules_of(position)
    moves = [move for move in rules.legal_moves(position) if move.kind is not MoveKind.REDEAL]
    random.Random(seed).shuffle(moves)
    for move in moves:
        after = rules.act(position, move)
        if rules.pending(after):
            return after
    return position
