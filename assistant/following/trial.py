"""Games played by the program and seen through an imaginary camera that errs: how well they are followed.

The camera of this trial makes layouts straight from positions, so that thousands of looks take seconds; rendered
tables are tried by `kibitz bench watch` and `bench tables`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from kibitz.assistant.following.follower import Follower
from kibitz.assistant.following.outcome import Outcome, OutcomeKind
from kibitz.assistant.following.search import physical_moves
from kibitz.engine.belief import Belief
from kibitz.engine.cards import CARDS, Card
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.vision.types import Layout, PlacedCard, TableCard


@dataclass(frozen=True, slots=True)
class Camera:
    """How often the imaginary camera errs.

    Attributes:
        doubtful: share of cards whose label is given 45 to 80 % only.
        wrong: share of cards that are read wrongly and surely.
        missed: share of cards that are not seen.
        miscounted: share of columns whose face-down cards are counted one too many or too few.
    """

    doubtful: float = 0.02
    wrong: float = 0.001
    missed: float = 0.003
    miscounted: float = 0.1


@dataclass(slots=True)
class Tally:
    """What became of the moves of some games.

    Attributes:
        moves: made by the rules.
        right: after which the believed position was the true one.
        asked: looks that asked a question.
        illegal: moves against the rules that were put in, and how many were noticed.
        undone: moves taken back, and how many were recognised.
        wrong_ends: games at whose end a wrong position was believed without any doubt told.
        games: played.
        seconds: of every look.
        faults: what went wrong first in each game.
    """

    moves: int = 0
    right: int = 0
    asked: int = 0
    illegal: list[int] = field(default_factory=lambda: [0, 0])
    undone: list[int] = field(default_factory=lambda: [0, 0])
    wrong_ends: int = 0
    games: int = 0
    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def layout_of(position: Position, rules: Rules, camera: Camera, rng: random.Random) -> Layout:
    """What the camera makes of a table with all cards known."""
    piles: dict[PileId, tuple[PlacedCard, ...]] = {}
    for name, pile in position.all_piles():
        if name.index >= rules.shape.get(name.kind, 0):
            continue
        shown = pile[-1:] if name.kind in rules.squared else pile
        piles[name] = tuple(_placed(shown, name.kind not in rules.squared, camera, rng))
    return Layout(rules.name, piles)


def _placed(shown: Pile, spread: bool, camera: Camera, rng: random.Random) -> Iterator[PlacedCard]:
    downs = sum(not card.face_up for card in shown)
    if spread and downs and rng.random() < camera.miscounted:
        downs = max(1, downs + rng.choice((-1, 1)))
    yield from (PlacedCard(None, False) for _ in range(downs))
    for card in shown:
        if card.face_up and rng.random() >= camera.missed:
            assert card.card is not None, "the camera needs all cards"
            yield PlacedCard(_read(card.card, camera, rng), True)


def _read(card: Card, camera: Camera, rng: random.Random) -> TableCard:
    labels = np.full(len(CARDS), 0.0001, np.float32)
    other = rng.randrange(len(CARDS))
    chance = rng.random()
    if chance < camera.wrong:
        labels[other] = 0.98
        return TableCard(0, True, labels, 0.98)
    if chance < camera.wrong + camera.doubtful:
        best = rng.uniform(0.45, 0.8)
        labels[other] = 0.93 - best
        labels[card.index] = best
        return TableCard(0, True, labels, best, unsure=True)
    labels[card.index] = 0.985
    return TableCard(0, True, labels, 0.985)


def agrees(believed: Position, true: Position) -> bool:
    """Whether every pile has as many cards, lying the same way up, and no known card is another."""
    piles = dict(true.all_piles())
    return all(
        len(pile) == len(piles.get(name, ()))
        and all(
            one.face_up == two.face_up and one.card in (None, two.card)
            for one, two in zip(pile, piles.get(name, ()), strict=True)
        )
        for name, pile in believed.all_piles()
    )


_ANEW = frozenset({MoveKind.REDEAL, MoveKind.TURNOVER})


class Trial:
    """One game that is played and looked at, with moves taken back and moves against the rules put in."""

    def __init__(self, rules: Rules, seed: int, camera: Camera, tally: Tally) -> None:
        self._rng = random.Random(seed)
        self._camera, self._tally, self._rules = camera, tally, rules
        self.truth = rules.deal(seed)
        self.view = rules.conceal(self.truth)
        self._before: list[tuple[Position, Position, Move]] = []
        for due in self._due():
            self._act(due)
        self._follower = Follower(rules, self.view)

    def run(self, moves: int) -> None:
        """Plays so many moves, or to the end."""
        tally = self._tally
        tally.games += 1
        said = OutcomeKind.UNCHANGED
        for _ in range(moves):
            chance = self._rng.random()
            if chance < 0.03:
                self._put_in_illegal()
            elif chance < 0.06 and self._before and not self._dealt_anew():
                self._take_back()
            made = self._play()
            if not made:
                break
            said = self._look_until_calm(self.truth).kind
            tally.moves += made
            if self._right():
                tally.right += made
            elif len(tally.faults) < tally.games:
                tally.faults.append(f"{self._rules.name}: {said} {self._before[-1][2]}")
        bad = said not in (OutcomeKind.OUT_OF_STEP, OutcomeKind.ILLEGAL, OutcomeKind.UNSETTLED, OutcomeKind.QUESTION)
        tally.wrong_ends += bad and not self._right()

    def _right(self) -> bool:
        position = self._follower.position
        return position is not None and agrees(position, self.truth)

    def _dealt_anew(self) -> bool:
        """Whether taking back the last move looks like another: dealt, turned over, drawn to a fan, set aside."""
        truth, _, move = self._before[-1]
        hidden = move.kind is MoveKind.DRAW and not truth.waste and not self.truth.waste
        return hidden or move.kind in _ANEW or len(truth.aside) != len(self.truth.aside)

    def _act(self, move: Move) -> None:
        rules = self._rules
        self.truth = rules.act(self.truth, move)
        if move.kind is MoveKind.REDEAL:
            self.truth = Belief.from_position(self.truth).sample(self._rng)
        self.view = rules.reveal(rules.act(self.view, move), self.truth)

    def _play(self) -> int:
        """One move, or now and then two between looks; how many were made."""
        made = 0
        for _ in range(2 if self._rng.random() < 0.1 else 1):
            moves = [move for move in self._rules.legal_moves(self.view) if not self._rules.is_idle(self.view, move)]
            if made:  # nobody sees how often a squared stock was drawn from between two looks
                moves = [move for move in moves if move.kind is MoveKind.MOVE]
            if moves:
                move = max(moves, key=self._merit)
                self._before.append((self.truth, self.view, move))
                self._act(move)
                made += 1
                for steps, due in enumerate(self._due()):
                    if (
                        steps % 3 == 2
                        or (not steps and move.kind is MoveKind.DRAW)
                        or due.kind in (MoveKind.COVER, MoveKind.DEAL)
                        or self._rng.random() < 0.3
                    ):
                        self._look_until_calm(self.truth)  # cards that are covered at once are seen in between
                    self._act(due)
        return made

    def _due(self) -> Iterator[Move]:
        while due := self._rules.pending(self.view):
            yield due[0]

    def _merit(self, move: Move) -> float:
        value = self._rng.random() * 3
        if move.target is not None and move.target.kind is PileKind.FOUNDATIONS:
            value += 3
        return value + 2 * self._rules.reveals(self.view, move) - 2 * (move.kind is MoveKind.REDEAL)

    def _look(self, table: Position) -> Outcome:
        start = time.process_time()
        outcome = self._follower.look(layout_of(table, self._rules, self._camera, self._rng))
        self._tally.seconds.append(time.process_time() - start)
        if outcome.question is not None:
            self._tally.asked += 1
            slot = outcome.question.slot
            card = table.pile(slot.pile)[slot.index].card
            if card is not None:
                self._follower.answer(outcome.question, card)
        return outcome

    def _look_until_calm(self, table: Position) -> Outcome:
        """Looks as `kibitz watch` does: an unsettled table is looked at again, three times at most."""
        for _ in range(4):
            outcome = self._look(table)
            if outcome.kind not in (OutcomeKind.UNSETTLED, OutcomeKind.OUT_OF_STEP, OutcomeKind.ILLEGAL):
                break
        return outcome

    def _put_in_illegal(self) -> None:
        """Lays a card where it may not lie, looks, and puts it back."""
        legal = {(move.source, move.target) for move in self._rules.legal_moves(self.view)}
        open_piles = {name for name, pile in self.truth.all_piles() if name.kind is PileKind.TABLEAU and _top_up(pile)}
        wrong = [
            after
            for move, after in physical_moves(self.truth, open_piles)
            if move.count == 1 and (move.source, move.target) not in legal
        ]
        if wrong:
            table = self._rng.choice(wrong)
            kinds = [self._look(table).kind for _ in range(3)]
            self._tally.illegal[0] += 1
            self._tally.illegal[1] += bool({OutcomeKind.ILLEGAL, OutcomeKind.OUT_OF_STEP} & set(kinds))
            self._look_until_calm(self.truth)

    def _take_back(self) -> None:
        self.truth, self.view, _ = self._before.pop()
        kind = self._look_until_calm(self.truth).kind
        self._tally.undone[0] += 1
        self._tally.undone[1] += kind is OutcomeKind.UNDONE


def _top_up(pile: Pile) -> bool:
    return bool(pile) and pile[-1].face_up


__all__ = ["Camera", "Tally", "Trial", "agrees", "layout_of"]
