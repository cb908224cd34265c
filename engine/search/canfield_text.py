"""Advice for Canfield by the text: solved where all is known, otherwise the move that wins most sampled worlds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.cards import CARDS, Card, PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules, is_stock_move
from kibitz.engine.search import canfield_columns as cc
from kibitz.engine.search import canfield_hidden as ch
from kibitz.engine.search import canfield_kernel as ck
from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search.canfield_solver import RESERVE, WASTE, code_of, suit_code
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import Ints, scaled
from kibitz.engine.search.judge import reason_of, step
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.resumable import Resumable
from kibitz.engine.search.values import Advice, RankedMove, Reason, Verdict

__all__ = ["TextState", "advise_text", "from_position", "solve_text", "to_moves"]

WORLDS = scaled(200, 24)  # searches of sampled worlds for one piece of advice
WORLD_NODES = scaled(1000, 60)
NODES_A_SECOND = scaled(2_500_000)
SOLVE_NODES = scaled(2_000_000)
DEAL_COST = 10  # thousandths that dealing on must win more, for it sees all cards of a sampled world
MOST_OTHERS = 5
_STEPS_OF_ONE = 120
_TEXT = {"move_part": False, "after_reserve": "waste", "foundation_back": False, "auto_base": False}


@dataclass(slots=True)
class TextState:
    """A position as the kernel's arrays; cards not known are -1."""

    st: Ints
    cols: Ints
    size: Ints
    deck: Ints
    reserve: Ints
    pool: tuple[int, ...]
    """The cards not seen."""

    def copies(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Return copies of the arrays in the order in which kernels take them."""
        return self.st.copy(), self.cols.copy(), self.size.copy(), self.deck.copy(), self.reserve.copy()


def from_position(rules: Rules, position: Position) -> TextState | None:
    """Return the kernel's state; None for other rules, or a table that is not in order."""
    if rules.name != "canfield" or any(rules.options[name] != value for name, value in _TEXT.items()):
        return None
    base = position.base_rank
    if base is None or len(position) != len(CARDS) or rules.problems(position) or rules.pending(position):
        return None
    if rules.unread(position) or any(card.card is None for pile in position.tableau for card in pile):
        return None
    st = np.zeros(kk.STATE_SIZE, dtype=np.int64)
    cols, size = np.zeros((cc.COLUMNS, cc.MOST), dtype=np.int64), np.zeros(cc.COLUMNS, dtype=np.int64)
    for index, pile in enumerate(position.tableau):
        cols[index, : len(pile)] = _codes(pile, base)
        size[index] = len(pile)
    for pile in position.foundations:
        if pile and pile[0].card is not None:
            st[kk.F0 + suit_code(pile[0].card)] = len(pile)
    reserve, deck = np.full(64, -1, dtype=np.int64), np.full(64, -1, dtype=np.int64)
    order = (*position.waste, *reversed(position.stock))
    reserve[: len(position.reserve)] = _codes(position.reserve, base)
    deck[: len(order)] = _codes(order, base)
    draw, limit = rules.options["draw"], rules.options["turnovers"]
    assert isinstance(draw, int)
    st[kk.N_DECK], st[kk.WASTE], st[kk.DRAW] = len(order), len(position.waste), draw
    st[kk.PASSES] = -1 if limit is None else max(0, int(limit) - position.turnovers)
    st[ck.RESERVE], st[ck.PAST] = len(position.reserve), rules.options["past_base"] is True
    st[ck.AUTO] = rules.options["fill"] == "auto"
    kk.canonical_waste(st)
    seen = set(position.cards())
    return TextState(st, cols, size, deck, reserve, tuple(sorted(code_of(c, base) for c in CARDS if c not in seen)))


def _codes(pile: Sequence[PileCard], base: int) -> list[int]:
    return [-1 if card.card is None else code_of(card.card, base) for card in pile]


def solve_text(state: TextState, clock: Clock, limit: int) -> tuple[Outcome, tuple[int, ...]]:
    """Search a position with all cards known to the end or to the limit; the outcome and the kernel moves of a win."""
    arrays = state.copies()
    ctl, frames, moves, _, reach = ch.workspace()
    ctl[kk.DEPTH] = -1
    search = Resumable(lambda table, most: cc.search(*arrays, reach, ctl, frames, moves, table, most, 0), ctl)
    outcome = search.run(limit, clock)
    depth = int(ctl[kk.DEPTH]) if outcome is Outcome.WON else 0
    return outcome, tuple(int(move) for move in frames[1 : depth + 1, 2])


def advise_text(rules: Rules, position: Position, state: TextState, clock: Clock) -> Advice | None:
    """Return the advice, or None where only the plain adviser can help."""
    if not state.pool:
        outcome, path = solve_text(state, clock, clock.solver_nodes(SOLVE_NODES))
        if outcome is Outcome.LOST:
            return Advice(None, Reason.NOTHING_LEFT, (), 0.0, 0.0, verdict=Verdict.LOST, loses=True)
        if outcome is Outcome.WON:
            line = to_moves(rules, position, path)
            return Advice(line[0], Reason.WINS, line, 1.0, 0.0)
    reach, found = np.zeros(128, dtype=np.int64), np.zeros(cc.MOVES, dtype=np.int64)
    arrays = state.copies()
    number = int(ch.candidates(*arrays, reach, found))
    if number == 0:
        return Advice(None, Reason.NOTHING_LEFT, (), 0.0, 0.0, verdict=Verdict.LOST, loses=True)
    first = int(found[0])
    if number == 1:
        line = to_moves(rules, position, (first,))
        return Advice(line[0], reason_of(rules, position, line), line)
    if ch.looks_free(state.st) and int(found[number - 1]) & 15 == ch.DEAL:
        line = to_moves(rules, position, (int(found[number - 1]),))
        return Advice(line[0], Reason.LOOKS_AT_STOCK, line)
    return _weighed(rules, position, state, clock, found[:number])


def _weighed(rules: Rules, position: Position, state: TextState, clock: Clock, found: Ints) -> Advice:
    worlds, nodes = clock.samples(WORLDS), clock.nodes(WORLD_NODES)
    if clock.left is not None:
        worlds = max(len(found), min(worlds, int(clock.left * NODES_A_SECOND / nodes / 2)))
    settings = np.array([worlds, nodes, clock.limit.seed, DEAL_COST], dtype=np.int64)
    pool = np.zeros(64, dtype=np.int64)
    pool[: len(state.pool)] = state.pool
    counts = np.zeros((len(found), 2), dtype=np.int64)
    best = int(ch.choose(*state.copies(), pool, len(state.pool), found, len(found), settings, counts))
    order = sorted(range(len(found)), key=lambda i: (i != best, -counts[i, ch.TRIED], -counts[i, ch.WINS]))
    ranked: dict[Move, RankedMove] = {}
    for index in order[: MOST_OTHERS + 1]:
        line = to_moves(rules, position, (int(found[index]),))
        tried, won = int(counts[index, ch.TRIED]), int(counts[index, ch.WINS])
        chance = won / tried
        smooth = (won + 1) / (tried + 2)
        error = math.sqrt(smooth * (1 - smooth) / tried)
        ranked.setdefault(line[0], RankedMove(line[0], reason_of(rules, position, line), chance, error, line=line))
    top, *others = ranked.values()
    return Advice(top.move, top.reason, top.line, top.win_chance, top.error, tuple(others))


def to_moves(rules: Rules, position: Position, path: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves at the table for kernel moves from this position."""
    base = position.base_rank
    assert base is not None
    names = {code_of(card, base): card for card in CARDS}
    line: list[Move] = []
    for code in path:
        for move in _concrete(rules, position, code, names[code >> 4 & 63] if code & 15 != ch.DEAL else None):
            line.append(move)
            position = step(rules, position, move)
    return tuple(line)


def _concrete(rules: Rules, position: Position, code: int, card: Card | None) -> tuple[Move, ...]:
    kind = code & 15
    if kind == ch.DEAL:
        return (next(move for move in rules.legal_moves(position) if is_stock_move(move)),)
    source = PileId.of(PileKind.TABLEAU, code >> 20 & 3)
    deals: tuple[Move, ...] = ()
    if kind in (cc.RF, cc.RP, cc.RE):
        source = RESERVE
    elif kind in (cc.DF, cc.DP, cc.DE):
        source = WASTE
        deals, position = _dealt(rules, position, card)
    up = kind in (cc.TF, cc.RF, cc.DF)
    target = None if up else PileId.of(PileKind.TABLEAU, code >> 18 & 3)
    for move in rules.legal_moves(position):
        fits = move.target == target or (up and move.target is not None and move.target.kind is PileKind.FOUNDATIONS)
        if move.source == source and move.kind is MoveKind.MOVE and fits:
            return (*deals, move)
    raise AssertionError(f"no move from {source} to {target or 'a foundation'} in {position}")


def _dealt(rules: Rules, position: Position, card: Card | None) -> tuple[tuple[Move, ...], Position]:
    """Return the deals and turnovers that bring the card to the top of the waste, and the position then."""
    moves: list[Move] = []
    for _ in range(_STEPS_OF_ONE):
        if position.waste and position.waste[-1].card == card:
            return tuple(moves), position
        moves.append(next(move for move in rules.legal_moves(position) if is_stock_move(move)))
        position = step(rules, position, moves[-1])
    raise AssertionError(f"{card} cannot be reached by dealing in {position}")
