"""Canfield by the common rules with all cards known: the solver, and its way from and to the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.cards import CARDS, KING, Card
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import canfield_kernel as ck
from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.jit import Ints
from kibitz.engine.search.judge import step
from kibitz.engine.search.outcome import Outcome
from kibitz.engine.search.resumable import Resumable

__all__ = ["CanfieldState", "from_position", "relaxed_state", "solve", "to_moves"]

MOVES_A_DEPTH = 100
_SUIT_CODE = (0, 2, 3, 1)
_COMMON = {"move_part": True, "fill": "auto", "after_reserve": "any", "foundation_back": False, "auto_base": False}
_STEPS_OF_ONE = 120
RESERVE, WASTE = PileId.of(PileKind.RESERVE), PileId.of(PileKind.WASTE)


@dataclass(slots=True)
class CanfieldState:
    """A completely known position as the kernel's arrays."""

    st: Ints
    reserve: Ints
    deck: Ints
    base: int
    """Rank of the foundations' first cards."""


def code_of(card: Card, base: int) -> int:
    """Return the kernel's number of a card."""
    return (card.rank - base) % KING * 4 + _SUIT_CODE[card.suit]


def suit_code(card: Card) -> int:
    """Return the kernel's number of a card's suit."""
    return _SUIT_CODE[card.suit]


def from_position(rules: Rules, position: Position) -> CanfieldState | None:
    """Return the kernel's state; None for other rules, hidden cards, or a table that is not in order."""
    if rules.name != "canfield" or any(rules.options[name] != value for name, value in _COMMON.items()):
        return None
    return None if rules.problems(position) else relaxed_state(rules, position)


def relaxed_state(rules: Rules, position: Position) -> CanfieldState | None:
    """Return the state under the common rules, whatever the rules say; empty columns are filled from the reserve."""
    base = position.base_rank
    if base is None or position.unknown() or len(position) != len(CARDS) or rules.pending(position):
        return None
    for index, pile in enumerate(position.tableau):
        if not pile and position.reserve:
            position = position.replace_pile(PileId.of(PileKind.TABLEAU, index), position.reserve[-1:])
            position = position.replace(reserve=position.reserve[:-1])
    st = np.zeros(kk.STATE_SIZE, dtype=np.int64)
    reserve, deck = np.zeros(64, dtype=np.int64), np.zeros(64, dtype=np.int64)
    for pile in position.tableau:
        codes = [code_of(pile_card.card, base) for pile_card in pile if pile_card.card is not None]
        for code in codes:
            st[kk.VIS] |= 1 << code
        if codes:
            st[ck.BOTTOM] |= 1 << codes[0]
        else:
            st[ck.SPACES] += 1
    for pile in position.foundations:
        if pile and pile[0].card is not None:
            st[kk.F0 + _SUIT_CODE[pile[0].card.suit]] = len(pile)
    waiting = [code_of(pile_card.card, base) for pile_card in position.reserve if pile_card.card is not None]
    reserve[: len(waiting)] = waiting
    st[ck.RESERVE] = len(waiting)
    st[ck.PAST] = rules.options.get("past_base", True) is True
    order = (*position.waste, *reversed(position.stock))
    cards = [code_of(pile_card.card, base) for pile_card in order if pile_card.card is not None]
    deck[: len(cards)] = cards
    draw, limit = rules.options["draw"], rules.options["turnovers"]
    assert isinstance(draw, int)
    st[kk.N_DECK], st[kk.WASTE], st[kk.DRAW] = len(cards), len(position.waste), draw
    st[kk.PASSES] = -1 if limit is None else max(0, int(limit) - position.turnovers)
    kk.canonical_waste(st)
    return CanfieldState(st, reserve, deck, base)


def solve(state: CanfieldState, clock: Clock, limit: int) -> tuple[Outcome, tuple[int, ...], int]:
    """Search to the end or to the limit; the outcome, the kernel moves of a win, the moves made."""
    st, reserve, deck = state.st, state.reserve, state.deck
    ctl = np.zeros(kk.CTL_SIZE, dtype=np.int64)
    ctl[kk.DEPTH] = -1
    frames = np.zeros((kk.MAX_DEPTH, 4), dtype=np.int64)
    moves = np.zeros(kk.MAX_DEPTH * MOVES_A_DEPTH, dtype=np.int64)
    reach = np.zeros(128, dtype=np.int64)
    search = Resumable(lambda table, most: ck.search(st, reserve, deck, reach, ctl, frames, moves, table, most), ctl)
    outcome = search.run(limit, clock)
    depth = int(ctl[kk.DEPTH]) if outcome is Outcome.WON else 0
    return outcome, tuple(int(move) for move in frames[1 : depth + 1, 2]), search.nodes


def to_moves(rules: Rules, position: Position, path: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves at the table for kernel moves from this position."""
    base = position.base_rank
    assert base is not None
    names = {code_of(card, base): card for card in CARDS}
    line: list[Move] = []
    for code in path:
        for move in _concrete(rules, position, code & 15, names[code >> 4 & 63]):
            line.append(move)
            position = step(rules, position, move)
    return tuple(line)


def _concrete(rules: Rules, position: Position, kind: int, card: Card) -> tuple[Move, ...]:
    up = kind in (ck.TF, ck.DF, ck.RF)
    target = PileKind.FOUNDATIONS if up else PileKind.TABLEAU
    if kind in (ck.RF, ck.RP):
        return (_move(rules, position, RESERVE, target),)
    if kind in (ck.DF, ck.DP, ck.DE):
        return _from_stock(rules, position, card, target, space=kind == ck.DE)
    source, place = _find(position, card)
    above = len(position.pile(source)) - place
    if kind in (ck.BM, ck.PE):
        return (_move(rules, position, source, target, above, space=kind == ck.PE),)
    if above == 1:
        return (_move(rules, position, source, target),)
    clear = _move(rules, position, source, PileKind.TABLEAU, above - 1)
    return (clear, _move(rules, step(rules, position, clear), source, target))


def _from_stock(rules: Rules, position: Position, card: Card, target: PileKind, *, space: bool) -> tuple[Move, ...]:
    moves: list[Move] = []
    for _ in range(_STEPS_OF_ONE):
        if position.waste and position.waste[-1].card == card:
            return (*moves, _move(rules, position, WASTE, target, space=space))
        deal = next(m for m in rules.legal_moves(position) if m.kind in (MoveKind.DRAW, MoveKind.TURNOVER))
        moves.append(deal)
        position = step(rules, position, deal)
    raise AssertionError(f"{card} cannot be reached by dealing in {position}")


def _find(position: Position, card: Card) -> tuple[PileId, int]:
    for index, pile in enumerate(position.tableau):
        for place, pile_card in enumerate(pile):
            if pile_card.card == card:
                return PileId.of(PileKind.TABLEAU, index), place
    raise AssertionError(f"{card} lies in no column of {position}")


def _move(
    rules: Rules, position: Position, source: PileId, target: PileKind, count: int = 1, *, space: bool = False
) -> Move:
    """Return the legal move of that many cards, onto a card or, with `space`, into an empty column."""
    for move in rules.legal_moves(position):
        if move.source != source or move.count != count or move.target is None or move.target.kind is not target:
            continue
        if target is PileKind.FOUNDATIONS or bool(position.pile(move.target)) is not space:
            return move
    raise AssertionError(f"no move of {count} from {source} to {target} in {position}")
