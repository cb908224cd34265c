"""Between the readable Klondike and its kernels: positions become arrays, kernel moves become moves at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.cards import CARDS, Card
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import klondike_columns as kc
from kibitz.engine.search import klondike_kernel as kk
from kibitz.engine.search import klondike_parts as kp
from kibitz.engine.search import klondike_text as ktx
from kibitz.engine.search.judge import step, turns_up
from kibitz.engine.stock_rules import STOCK, WASTE

__all__ = ["KlondikeState", "code_of", "from_position", "relaxed_state", "to_moves"]

_UNKNOWN = -1
_SUIT_CODE = (0, 2, 3, 1)  # C D H S of the engine in the kernel's order C S D H
_STEPS_OF_ONE = 80  # more deals and turnovers than bring up any stock card


def code_of(card: Card) -> int:
    """Return the kernel's number of a card."""
    return (card.rank - 1) * 4 + _SUIT_CODE[card.suit]


_CARD = {code_of(card): card for card in CARDS}


@dataclass(slots=True)
class KlondikeState:
    """A position as the kernels' arrays. The places of cards not seen hold these cards in code order."""

    world: kp.World
    known: int
    """Mask of the cards seen."""

    @property
    def unseen(self) -> int:
        """How many cards have not been seen."""
        return 52 - self.known.bit_count()

    def copy(self) -> KlondikeState:
        """Return a copy whose arrays can be changed."""
        return KlondikeState(kp.World(*(array.copy() for array in self.world)), self.known)

    def looks_left(self) -> bool:
        """Tell whether running through the stock would show a card that was not seen."""
        reach = np.empty(64, dtype=np.int64)
        world = self.world
        count = ktx.text_reachable(world.st, world.deck, reach) if world.st[kp.TEXT] else kp.reachable(world.st, reach)
        return any(not self.known >> int(world.deck[reach[i] >> 1]) & 1 for i in range(count))


def from_position(rules: Rules, position: Position) -> KlondikeState | None:
    """Return the kernel's state, or None where the kernel does not play by these rules or the table is not in order."""
    if rules.name != "klondike" or rules.problems(position):
        return None
    options = rules.options
    if options["move_part"]:
        playable = options["kings_only"] and not options["auto_aces"]
        return relaxed_state(rules, position) if playable else None
    if options["foundation_back"]:
        return None
    flags = {"auto_aces": kp.AUTO_ACES, "kings_only": kp.KINGS_ONLY, "space_end_card": kp.END_CARD}
    return _state(rules, position, kp.WHOLE_RUNS | sum(bit for name, bit in flags.items() if options[name]))


def relaxed_state(rules: Rules, position: Position) -> KlondikeState | None:
    """Return the state in which parts of runs may move and only kings take spaces, whatever the rules say of that."""
    return _state(rules, position, 0)


def _state(rules: Rules, position: Position, text: int) -> KlondikeState | None:
    if len(position) != len(CARDS) or rules.pending(position):
        return None
    seen = set(position.cards())
    unseen = iter(sorted(code_of(card) for card in CARDS if card not in seen))
    columns = len(position.tableau)
    world = kp.World(
        np.zeros(kp.STATE_SIZE, dtype=np.int64),
        np.full((columns, kp.MAX_HIDDEN), kp.NO_CARD, dtype=np.int64),
        np.zeros(2 * columns, dtype=np.int64),
        np.zeros(64, dtype=np.int64),
        np.full(64, kp.NO_CARD, dtype=np.int64),
    )
    world.st[kp.TEXT], world.st[kp.PILES] = text, columns
    world.st[kp.BACK] = int(bool(rules.options["foundation_back"]))
    for index, pile in enumerate(position.tableau):
        if pile and not _put_column(world, index, pile, unseen):
            return None
    if not _put_foundations(world, position):
        return None
    _put_stock(world, rules, position, unseen)
    return KlondikeState(world, sum(1 << code_of(card) for card in seen))


def _put_column(world: kp.World, index: int, pile: Pile, unseen: Iterator[int]) -> bool:
    start = sum(not card.face_up for card in pile)
    opened = [_code(card.card) for card in pile[start:]]
    if not opened or _UNKNOWN in opened or not all(card.face_up for card in pile[start:]):
        return False
    columns = len(world.hid)
    codes = [*(_known_or_next(card.card, unseen) for card in pile[:start]), *opened]
    if world.st[kp.TEXT]:
        world.hid[index, : len(codes)] = codes
        world.hcnt[index], world.hcnt[columns + index] = start, len(codes)
        return True
    for code in opened:
        world.st[kp.VIS] |= 1 << code
    if start == 0 and codes[0] >= 48:
        return True
    world.hid[index, : start + 1] = codes[: start + 1]
    world.pile_of[codes[: start + 1]] = index
    world.hcnt[index] = start + 1
    world.st[kp.LOCKED] |= 1 << codes[start]
    world.st[kp.N_LOCKED] += 1
    return True


def _put_foundations(world: kp.World, position: Position) -> bool:
    for pile in position.foundations:
        if pile:
            top = pile[-1].card
            if top is None or any(card.card is None for card in pile) or len(pile) != top.rank:
                return False
            world.st[kp.F0 + _SUIT_CODE[top.suit]] = top.rank
    return True


def _put_stock(world: kp.World, rules: Rules, position: Position, unseen: Iterator[int]) -> None:
    st = world.st
    cards = [_known_or_next(card.card, unseen) for card in (*position.waste, *reversed(position.stock))]
    world.deck[: len(cards)] = cards
    limit = rules.options["turnovers"]
    draw = rules.options["draw"]
    assert isinstance(draw, int)
    st[kp.N_DECK], st[kp.WASTE], st[kp.DRAW] = len(cards), len(position.waste), draw
    st[kp.PASSES] = -1 if limit is None else max(0, int(limit) - position.turnovers)
    waste = int(st[kp.WASTE])
    kp.canonical_waste(st)
    if st[kp.TEXT] & kp.AUTO_ACES and kc.stock_ace(st, world.deck):
        st[kp.WASTE] = waste


def _code(card: Card | None) -> int:
    return _UNKNOWN if card is None else code_of(card)


def _known_or_next(card: Card | None, unseen: Iterator[int]) -> int:
    return next(unseen) if card is None else code_of(card)


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
    if not rules.options["move_part"]:
        return _concrete_text(rules, position, code)
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


def _concrete_text(rules: Rules, position: Position, code: int) -> tuple[Move, ...]:
    """Return the moves for one by the text's rules: columns keep their places, aces go up by themselves."""
    kind, card = code & 15, _CARD[(code >> 4) & 63]
    if any(pile and pile[-1].card == card for pile in position.foundations):
        return ()
    target = PileId.of(PileKind.TABLEAU, code >> 20)
    if kind in (kc.DS, kc.DP):
        return _from_stock(rules, position, card, kind == kc.DS, None if kind == kc.DS else target)
    source = PileId.of(PileKind.TABLEAU, (code >> 10) & 1023)
    if kind == kc.TF:
        return (_move(rules, position, source, PileKind.FOUNDATIONS),)
    count = 1 if kind == kc.TE else sum(one.face_up for one in position.pile(source))
    return (_move(rules, position, source, PileKind.TABLEAU, count, target),)


def _from_stock(
    rules: Rules, position: Position, card: Card, up: bool, target: PileId | None = None
) -> tuple[Move, ...]:
    moves: list[Move] = []
    for _ in range(_STEPS_OF_ONE):
        if position.waste and position.waste[-1].card == card:
            kind = PileKind.FOUNDATIONS if up else PileKind.TABLEAU
            return (*moves, _move(rules, position, WASTE, kind, 1, target))
        if moves and any(pile and pile[-1].card == card for pile in position.foundations):
            return tuple(moves)  # an ace goes up by itself
        deal = _deal(rules, position)
        moves.append(deal)
        position = step(rules, position, deal)
    raise AssertionError(f"{card} cannot be reached by dealing in {position}")


def _deal(rules: Rules, position: Position) -> Move:
    """Return the next deal, or the turning over of the waste; made here, as listing all moves takes far longer."""
    draw = rules.options["draw"]
    assert isinstance(draw, int)
    if position.stock:
        cards = tuple(pile_card.card for pile_card in reversed(position.stock[-draw:]))
        return Move(MoveKind.DRAW, STOCK, WASTE, len(cards), cards=cards)
    return Move(MoveKind.TURNOVER, WASTE, STOCK, len(position.waste))


def _find(position: Position, card: Card) -> tuple[PileId, int]:
    for index, pile in enumerate(position.tableau):
        for place, pile_card in enumerate(pile):
            if pile_card.card == card and pile_card.face_up:
                return PileId.of(PileKind.TABLEAU, index), place
    raise AssertionError(f"{card} lies in no column of {position}")


def _move(
    rules: Rules, position: Position, source: PileId, kind: PileKind, count: int = 1, target: PileId | None = None
) -> Move:
    """Return the legal move of that many cards; where any target will do, onto a card rather than into a space."""
    fitting = [
        move
        for move in rules.legal_moves(position)
        if move.source == source and move.count == count and move.target is not None and move.target.kind is kind
        if target is None or move.target == target
    ]
    if not fitting:
        raise AssertionError(f"no move of {count} from {source} to {target or kind} in {position}")
    return min(fitting, key=lambda move: move.onto is None)
