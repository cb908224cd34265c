"""Advice for Walter: a win within the attempt if there is one, else the dead end from which a new deal does best."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import walter_kernel as wk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import Ints, scaled
from kibitz.engine.search.judge import reason_of, step
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.table import new_table, rehash
from kibitz.engine.search.values import Advice, Reason, Verdict

__all__ = ["WalterSolution", "advise_walter", "solve_walter"]

SOLVE_NODES = scaled(4_000_000)
SLICE = scaled(40_000, 400)
RESTART = scaled(100_000, 1_000)  # moves of one search in random order
TABLE_BITS, MOST_TABLE_BITS = 14, 26
ENDS_COMPARED = 4
REDEALS = 12  # new deals sampled for every dead end
REDEAL_NODES = scaled(20_000, 400)


@dataclass(frozen=True, slots=True)
class WalterSolution:
    """What is known of one attempt."""

    outcome: Outcome
    path: tuple[int, ...]
    ends: tuple[tuple[int, tuple[int, ...]], ...]
    """Dead ends: cards placed and the way there, most cards first."""
    nodes: int


class _Search:
    """One depth-first search that can be gone on with."""

    def __init__(self, fans: Sequence[int], bases: Sequence[int], seed: int = 0) -> None:
        self.fans, self.bases = np.array(fans, dtype=np.int64), np.array(bases, dtype=np.int64)
        self.left = np.zeros(14, dtype=np.int64)
        for fan in fans:
            while fan:
                self.left[fan & 15] += 1
                fan >>= 4
        self.ctl, self.frames, self.moves, self.ends = wk.empty_workspace()
        self.ctl[wk.RANDOM] = seed
        self.table: Ints = new_table(TABLE_BITS)
        self.status = wk.RUNNING

    @property
    def nodes(self) -> int:
        return int(self.ctl[wk.NODES])

    @property
    def path(self) -> tuple[int, ...]:
        return tuple(int(move) for move in self.frames[1 : int(self.ctl[wk.DEPTH]) + 1, 2])

    def run(self, limit: int) -> None:
        """Go on for that many moves."""
        if self.status == wk.TABLE_FULL:
            bits = self.table.shape[0].bit_length() + 1
            if bits > MOST_TABLE_BITS:
                return
            larger = new_table(bits)
            rehash(self.table, larger)
            self.table = larger
        self.status = wk.search(
            self.fans, self.bases, self.left, self.ctl, self.frames, self.moves, self.table, self.ends, limit
        )

    def collected(self) -> dict[int, tuple[int, ...]]:
        """Return the dead ends found, by cards placed."""
        rows = ((placed, self.ends[placed]) for placed in range(53) if self.ends[placed, 0])
        return {placed: tuple(int(move) for move in row[1 : int(row[0]) + 1]) for placed, row in rows}


def solve_walter(fans: Sequence[int], bases: Sequence[int], clock: Clock, limit: int, seed: int = 0) -> WalterSolution:
    """Search one attempt: half the time systematically, half in random orders begun anew, for wins hide in the tail."""
    main = _Search(fans, bases)
    ends: dict[int, tuple[int, ...]] = {}
    spent, number = 0, 0
    other: _Search | None = None
    while spent < limit and not clock.expired:
        turn = main if other is None or main.nodes <= spent // 2 else other
        before = turn.nodes
        turn.run(min(SLICE, limit - spent))
        spent += turn.nodes - before
        if turn.status == wk.WON:
            return WalterSolution(Outcome.WON, turn.path, (), spent)
        if turn.status == wk.EXHAUSTED:
            ends |= turn.collected()
            return WalterSolution(Outcome.LOST, (), _most_first(ends), spent)
        if turn is main and main.status == wk.TABLE_FULL and main.nodes == before:
            break
        if other is None or other.nodes >= RESTART:
            if other is not None:
                ends |= other.collected()
            number += 1
            other = _Search(fans, bases, (seed + 1) * 0x9E3779B1 + number * 0x85EBCA6B)
    ends |= main.collected()
    return WalterSolution(Outcome.UNDECIDED, (), _most_first(ends), spent)


def _most_first(ends: dict[int, tuple[int, ...]]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return tuple(sorted(ends.items(), reverse=True))


def advise_walter(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return the advice, or None where cards are hidden or the table is not in order."""
    if position.unknown() or rules.problems(position) or len(position) != 52:
        return None
    if (redeal := _only_redeal(rules, position)) is not None:
        return Advice(redeal, Reason.REDEALS, (redeal,))
    fans, bases = codes(position)
    solution = solve_walter(fans, bases, clock, clock.nodes(SOLVE_NODES), clock.limit.seed)
    if solution.outcome is Outcome.WON:
        line = to_moves(rules, position, solution.path)
        return Advice(line[0], Reason.WINS, line, 1.0, 0.0)
    attempts = rules.options["attempts"]
    assert isinstance(attempts, int)
    if position.attempt < attempts:
        return _for_redeal(rules, position, solution, clock)
    if solution.outcome is Outcome.LOST:
        return Advice(None, Reason.NOTHING_LEFT, (), 0.0, 0.0, verdict=Verdict.LOST, loses=True)
    if not solution.ends:
        return None
    line = to_moves(rules, position, solution.ends[0][1])
    return Advice(line[0], reason_of(rules, position, line), line, verdict=Verdict.NO_WIN_FOUND)


def _only_redeal(rules: Rules, position: Position) -> Move | None:
    """Return the redeal where it is legal because nothing can be placed."""
    if rules.options["redeal_when"] != "stuck":
        return None
    return next((move for move in rules.legal_moves(position) if move.kind is MoveKind.REDEAL), None)


def _for_redeal(rules: Rules, position: Position, solution: WalterSolution, clock: Clock) -> Advice | None:
    if not solution.ends:
        return None
    rng = random.Random(clock.limit.seed)
    best, best_chance = solution.ends[0], -1.0
    for placed, path in solution.ends[:ENDS_COMPARED]:
        chance = _redeal_chance(position, path, rng, clock)
        if chance > best_chance:
            best, best_chance = (placed, path), chance
        if clock.expired:
            break
    line = to_moves(rules, position, best[1])
    error = (best_chance * (1 - best_chance) / REDEALS) ** 0.5 + 0.5 / REDEALS
    return Advice(line[0], reason_of(rules, position, line), line, max(best_chance, 0.0), error)


def _redeal_chance(position: Position, path: Sequence[int], rng: random.Random, clock: Clock) -> float:
    """Return the share of sampled new deals after that dead end that are won at once."""
    fans, bases = (np.array(codes_, dtype=np.int64) for codes_ in codes(position))
    left = np.zeros(14, dtype=np.int64)
    total = 0
    for move in path:
        total = wk.make(fans, bases, left, total, move)
    ranks = [int(fan) >> 4 * i & 15 for fan in fans for i in range(4) if int(fan) >> 4 * i & 15]
    won = 0
    for _ in range(REDEALS):
        rng.shuffle(ranks)
        dealt = [sum(rank << 4 * i for i, rank in enumerate(ranks[at : at + 4])) for at in range(0, len(ranks), 4)]
        dealt += [0] * (wk.FANS - len(dealt))
        search = _Search(dealt, [int(base) for base in bases])
        search.run(REDEAL_NODES)
        won += search.status == wk.WON
        if clock.expired:
            break
    return won / REDEALS


def codes(position: Position) -> tuple[list[int], list[int]]:
    """Return the fans and base piles of a position with all cards known, as the kernel has them."""
    fans = [
        sum(card.card.rank << 4 * i for i, card in enumerate(pile) if card.card is not None)
        for pile in position.tableau
    ]
    return fans, [len(pile) for pile in position.bases]


def to_moves(rules: Rules, position: Position, path: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves at the table for kernel moves from this position."""
    line = []
    for code in path:
        source = PileId.of(PileKind.TABLEAU, code >> 4 & 15)
        kind = PileKind.TABLEAU if code & wk.TRANSFER else PileKind.BASES
        target = PileId.of(kind, code & 15)
        onto = position.pile(target)
        cards = (position.pile(source)[-1].card,)
        move = Move(MoveKind.MOVE, source, target, cards=cards, onto=onto[-1].card if onto else None)
        line.append(move)
        position = step(rules, position, move)
    return tuple(line)
