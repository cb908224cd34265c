"""Plain best-first look-ahead for any patience: which lines lead to something that cannot be lost again.

It plays on through positions in which nothing new is seen, and stops a line where a card is turned up. A line is a
*prospect* when it turns up a card or makes progress; if none exists and nothing was cut off, nothing is left to do.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kibitz.engine.moves import Move
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.judge import outlook, progress, step, turns_up

__all__ = ["Exploration", "Prospect", "explore", "useful_moves"]

LENGTH_COST = 0.4
REVEAL_BONUS = 6.0


@dataclass(frozen=True, slots=True)
class Prospect:
    """A line of moves with what it leads to."""

    line: tuple[Move, ...]
    """The moves from the root."""
    position: Position
    """The position after them."""
    value: float
    """How promising it looks; comparable within one exploration."""
    reveals: bool
    """Whether its last move turns up an unknown card."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What a look-ahead found."""

    prospects: tuple[Prospect, ...]
    """The lines worth making, best first."""
    win: tuple[Move, ...] | None
    """A line that wins, if one was found."""
    complete: bool
    """Whether every line was followed to its end or to an unknown card."""
    nodes: int
    """Positions looked at."""
    quiet: tuple[Prospect, ...] = ()
    """Lines without progress, best looking first."""


@dataclass(slots=True)
class _Node:
    position: Position
    move: Move | None
    parent: _Node | None
    depth: int

    def line(self) -> tuple[Move, ...]:
        moves: list[Move] = []
        node: _Node | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))


def useful_moves(rules: Rules, position: Position) -> tuple[Move, ...]:
    """Return the legal moves without those that change nothing; what is due comes alone."""
    due = rules.pending(position)
    if due:
        return due[:1]
    return tuple(move for move in rules.legal_moves(position) if not rules.is_idle(position, move))


def explore(rules: Rules, root: Position, clock: Clock, nodes: int) -> Exploration:
    """Look ahead from `root` over at most `nodes` positions."""
    return _Search(rules, root, clock).run(nodes)


class _Search:
    """The open list and what has been found."""

    def __init__(self, rules: Rules, root: Position, clock: Clock) -> None:
        self.rules, self.root, self.clock = rules, root, clock
        self.start = progress(rules, root)
        self.found: list[Prospect] = []
        self.quiet: list[Prospect] = []
        self.seen = {rules.key(root)}
        self.queue: list[tuple[float, int, _Node]] = [(0.0, 0, _Node(root, None, None, 0))]
        self.count = 0
        self.win: tuple[Move, ...] | None = None

    def run(self, nodes: int) -> Exploration:
        while self.queue and self.count < nodes and self.win is None:
            node = heapq.heappop(self.queue)[2]
            for child in self._children(node):
                self._take(child)
                if self.win is not None or self.clock.expired:
                    break
            if self.clock.expired:
                break
        complete = not self.queue and self.win is None and not self.clock.expired
        self.found.sort(key=_worth)
        self.quiet.sort(key=_worth)
        return Exploration(tuple(self.found), self.win, complete, self.count, tuple(self.quiet[:20]))

    def _children(self, node: _Node) -> Iterator[_Node]:
        for move in useful_moves(self.rules, node.position):
            yield _Node(step(self.rules, node.position, move), move, node, node.depth + 1)

    def _take(self, node: _Node) -> None:
        self.count += 1
        rules = self.rules
        if rules.is_won(node.position):
            self.win = node.line()
            return
        assert node.parent is not None
        reveals = turns_up(rules, node.parent.position, node.position)
        if not reveals:
            key = rules.key(node.position)
            if key in self.seen:
                return
            self.seen.add(key)
        value = outlook(rules, node.position) - LENGTH_COST * node.depth + (REVEAL_BONUS if reveals else 0.0)
        gain = reveals or progress(rules, node.position) > self.start
        keep: Callable[[Prospect], None] = self.found.append if gain else self.quiet.append
        keep(Prospect(node.line(), node.position, value, reveals))
        if not reveals:
            heapq.heappush(self.queue, (-value, self.count, node))


def _worth(prospect: Prospect) -> tuple[float, int]:
    return (-prospect.value, len(prospect.line))
