"""Between the readable Klondike and its kernel: positions become arrays, kernel moves become moves at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.cards import CARDS, Card
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search.jit import Ints
from kibitz.engine.search.judge import step, turns_up

__all__ = ["KlondikeState", "code_of", "from_position", "relaxed_state", "to_moves"]

UNKNOWN = -1
NO_CARD = 62  # stands for an unknown stock card where moves are generated: fits nowhere
_SUIT_CODE = (0, 2, 3, 1)  # C D H S of the engine in the kernel's order C S D H
_STEPS_OF_ONE = 80  # more deals and turnovers than bring up any stock card


def code_of(card: Card) -> int:
    """Return the kernel's number of a card."""
    return (card.rank - 1) * 4 + _SUIT_CODE[card.suit]


_CARD = {code_of(card): card for card in CARDS}


@dataclass(slots=True)
class KlondikeState:
    """A position as the kernel's arrays; unknown cards are -1."""

    st: Ints
    hid: Ints
    hcnt: Ints
    deck: Ints
    pool: Ints
    """The cards not seen, in code order."""
    n_pool: int

    def copy(self) -> KlondikeState:
        """Return a copy whose arrays can be changed."""
        return KlondikeState(
            self.st.copy(), self.hid.copy(), self.hcnt.copy(), self.deck.copy(), self.pool.copy(), self.n_pool
        )

    def filled(self, cards: Sequence[int]) -> KlondikeState:
        """Return the state with the unknown places filled by these cards, columns first."""
        state = self.copy()
        left = iter(cards)
        for pile in range(len(state.hcnt)):
            for i in range(state.hcnt[pile]):
                if state.hid[pile, i] == UNKNOWN:
                    state.hid[pile, i] = next(left)
        for i in range(state.st[kk.N_DECK]):
            if state.deck[i] == UNKNOWN:
                state.deck[i] = next(left)
        return state

    def pile_of(self) -> Ints:
        """Return the column of every locked card."""
        column = np.zeros(64, dtype=np.int64)
        for pile in range(len(self.hcnt)):
            for i in range(self.hcnt[pile]):
                if self.hid[pile, i] >= 0:
                    column[self.hid[pile, i]] = pile
        return column

    def unknown_reachable(self) -> bool:
        """Tell whether running through the stock would show a card that is not known."""
        reach = np.empty(64, dtype=np.int64)
        count = kk.reachable(self.st, reach)
        return any(self.deck[reach[i] >> 1] == UNKNOWN for i in range(count))


def from_position(rules: Rules, position: Position) -> KlondikeState | None:
    """Return the kernel's state, or None where the kernel does not play by these rules or the table is not in order."""
    options = rules.options
    playable = rules.name == "klondike" and options["move_part"] and options["kings_only"] and not options["auto_aces"]
    if not playable or rules.problems(position):
        return None
    return relaxed_state(rules, position)


def relaxed_state(rules: Rules, position: Position) -> KlondikeState | None:
    """Return the state in which parts of runs may move and only kings take spaces, whatever the rules say of that."""
    if len(position) != len(CARDS) or rules.pending(position):
        return None
    columns = len(position.tableau)
    state = KlondikeState(
        np.zeros(kk.STATE_SIZE, dtype=np.int64),
        np.full((columns, kk.MAX_HIDDEN), UNKNOWN, dtype=np.int64),
        np.zeros(columns, dtype=np.int64),
        np.full(64, UNKNOWN, dtype=np.int64),
        np.zeros(52, dtype=np.int64),
        0,
    )
    for index, pile in enumerate(position.tableau):
        if pile and not _put_column(state, index, pile):
            return None
    if not _put_foundations(state, position):
        return None
    _put_stock(state, rules, position)
    seen = set(position.cards())
    unseen = sorted(code_of(card) for card in CARDS if card not in seen)
    state.pool[: len(unseen)] = unseen
    state.n_pool = len(unseen)
    state.st[kk.PILES] = columns
    state.st[kk.BACK] = int(bool(rules.options["foundation_back"]))
    return state


def _put_column(state: KlondikeState, index: int, pile: Pile) -> bool:
    start = sum(not card.face_up for card in pile)
    if start == len(pile) or any(card.face_up for card in pile[:start]):
        return False
    cards = [_code(card.card) for card in pile]
    if UNKNOWN in cards[start:]:
        return False
    for code in cards[start:]:
        state.st[kk.VIS] |= 1 << code
    if start == 0 and cards[0] >= 48:
        return True
    state.hid[index, : start + 1] = cards[: start + 1]
    state.hcnt[index] = start + 1
    state.st[kk.LOCKED] |= 1 << cards[start]
    state.st[kk.N_LOCKED] += 1
    return True


def _put_foundations(state: KlondikeState, position: Position) -> bool:
    for pile in position.foundations:
        if pile:
            top = pile[-1].card
            if top is None or any(card.card is None for card in pile) or len(pile) != top.rank:
                return False
            state.st[kk.F0 + _SUIT_CODE[top.suit]] = top.rank
    return True


def _put_stock(state: KlondikeState, rules: Rules, position: Position) -> None:
    cards = [_code(card.card) for card in (*position.waste, *reversed(position.stock))]
    state.deck[: len(cards)] = cards
    limit = rules.options["turnovers"]
    draw = rules.options["draw"]
    assert isinstance(draw, int)
    state.st[kk.N_DECK], state.st[kk.WASTE], state.st[kk.DRAW] = len(cards), len(position.waste), draw
    state.st[kk.PASSES] = -1 if limit is None else max(0, int(limit) - position.turnovers)
    kk.canonical_waste(state.st)


def _code(card: Card | None) -> int:
    return UNKNOWN if card is None else code_of(card)


def to_moves(rules: Rules, position: Position, path: Sequence[int]) -> tuple[tuple[Move, ...], Position]:
    """Return the moves at the table for a path of kernel moves, and the position after them.

    The line ends early where a move turns up a card that is not known.
    """
    line: list[Move] = []
    for code in path:
        for move in _concrete(rules, position, code):
            after = step(rules, position, move)
            line.append(move)
            if turns_up(rules, position, after):
                return tuple(line), after
            position = after
    return tuple(line), position


def _concrete(rules: Rules, position: Position, code: int) -> tuple[Move, ...]:
    kind, card = code & 15, _CARD[(code >> 4) & 63]
    if kind in (kk.DS, kk.DP):
        return _from_stock(rules, position, card, kind == kk.DS)
    if kind == kk.SP:
        source = next(
            PileId.of(PileKind.FOUNDATIONS, index)
            for index, pile in enumerate(position.foundations)
            if pile and pile[-1].card == card
        )
        return (_move(rules, position, source, PileKind.TABLEAU),)
    source, place = _find(position, card)
    above = len(position.pile(source)) - place
    if kind == kk.RV:
        return (_move(rules, position, source, PileKind.TABLEAU, above),)
    if above == 1:
        return (_move(rules, position, source, PileKind.FOUNDATIONS),)
    clear = _move(rules, position, source, PileKind.TABLEAU, above - 1)
    return (clear, _move(rules, step(rules, position, clear), source, PileKind.FOUNDATIONS))


def _from_stock(rules: Rules, position: Position, card: Card, up: bool) -> tuple[Move, ...]:
    moves: list[Move] = []
    waste = PileId.of(PileKind.WASTE)
    for _ in range(_STEPS_OF_ONE):
        if position.waste and position.waste[-1].card == card:
            return (*moves, _move(rules, position, waste, PileKind.FOUNDATIONS if up else PileKind.TABLEAU))
        deal = next(m for m in rules.legal_moves(position) if m.kind in (MoveKind.DRAW, MoveKind.TURNOVER))
        moves.append(deal)
        position = step(rules, position, deal)
    raise AssertionError(f"{card} cannot be reached by dealing in {position}")


def _find(position: Position, card: Card) -> tuple[PileId, int]:
    for index, pile in enumerate(position.tableau):
        for place, pile_card in enumerate(pile):
            if pile_card.card == card and pile_card.face_up:
                return PileId.of(PileKind.TABLEAU, index), place
    raise AssertionError(f"{card} lies in no column of {position}")


def _move(rules: Rules, position: Position, source: PileId, target: PileKind, count: int = 1) -> Move:
    """Return the legal move of that many cards; onto a card rather than into a space."""
    fitting = [
        move
        for move in rules.legal_moves(position)
        if move.source == source and move.count == count and move.target is not None and move.target.kind is target
    ]
    if not fitting:
        raise AssertionError(f"no move of {count} from {source} to {target} in {position}")
    return min(fitting, key=lambda move: move.onto is None)
