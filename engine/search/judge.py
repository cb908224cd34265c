"""Plain judgement of positions: what counts as progress, how promising a position looks, and why a move is good."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine.building import free_card, rank_after
from kibitz.engine.cards import ACE, KING, Card
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules, is_stock_move
from kibitz.engine.search.values import Reason

__all__ = ["outlook", "progress", "reason_of", "step", "turns_up"]


def step(rules: Rules, position: Position, move: Move) -> Position:
    """Return the position after a move known to be legal, with its consequences."""
    return rules.settle(rules.act(position, move))


def turns_up(rules: Rules, before: Position, after: Position) -> bool:
    """Tell whether a card lies open afterwards that is not known and was not seen before."""
    unread = rules.unread(after)
    return bool(unread) and not set(unread) <= set(rules.unread(before))


def progress(rules: Rules, position: Position) -> tuple[int, int]:
    """Return what can never be undone, then the score: a line is worth making when this grows."""
    hidden = sum(not pile_card.face_up for pile in position.tableau for pile_card in pile)
    waiting = len(position.stock) + len(position.waste) + len(position.reserve) + len(position.auxiliary)
    return (position.attempt * 1000 - hidden - waiting, rules.score(position))


def outlook(rules: Rules, position: Position) -> float:
    """Return how promising a position looks; made for comparing positions of one game only."""
    hidden, empty, order = 0, 0, 0.0
    for pile in position.tableau:
        if not pile:
            empty += 1
            continue
        order += _order(pile)
        hidden += sum(not pile_card.face_up for pile_card in pile)
    waiting = len(position.stock) + len(position.waste) + 2 * len(position.reserve)
    return 10.0 * rules.score(position) - 8.0 * hidden - 4.0 * waiting + 5.0 * min(empty, 3) + order


def _order(pile: Pile) -> float:
    """Return points for neighbours in order, minus points for cards that lie on a lower one."""
    value = 0.0
    lowest = KING + 1
    below: Card | None = None
    for pile_card in pile:
        card = pile_card.card
        if card is None or not pile_card.face_up:
            below = None
            continue
        if below is not None and card.rank + 1 == below.rank:
            value += 2.0 if card.suit == below.suit else 1.0
        elif lowest < card.rank:
            value -= 1.5
        lowest = min(lowest, card.rank)
        below = card
    return value


def reason_of(rules: Rules, position: Position, line: Sequence[Move]) -> Reason:
    """Return the reason code of a line's first move."""
    move = line[0]
    if move in rules.pending(position):
        return Reason.DUE
    while len(line) > 1 and is_stock_move(line[0]):  # the stock is run through for the sake of what follows
        position, line = step(rules, position, line[0]), line[1:]
    move = line[0]
    after = step(rules, position, move)
    return _by_kind(move) or _by_target(rules, position, move, after) or _by_line(rules, position, line, after)


def _by_kind(move: Move) -> Reason | None:
    if move.kind in (MoveKind.DRAW, MoveKind.TURNOVER):
        return Reason.LOOKS_AT_STOCK
    if move.kind is MoveKind.REDEAL:
        return Reason.REDEALS
    if move.kind is MoveKind.ASIDE:
        return Reason.SETS_ASIDE
    if move.kind is MoveKind.COVER:
        return Reason.ANY_MOVE
    if move.kind is MoveKind.REMOVE:
        return Reason.COMPLETES_RUN
    return None


def _by_target(rules: Rules, position: Position, move: Move, after: Position) -> Reason | None:
    source, target = move.source, move.target
    if target is not None and target.kind in (PileKind.FOUNDATIONS, PileKind.BASES):
        return Reason.ACE_UP if move.card is not None and move.card.rank == ACE else Reason.TO_FOUNDATION
    if source is None or source.kind in (PileKind.FOUNDATIONS, PileKind.BASES):
        return None
    if len(after.aside) > len(position.aside) and move.kind is MoveKind.MOVE:
        return Reason.COMPLETES_RUN
    if source.kind is PileKind.TABLEAU and _hidden(after) < _hidden(position):
        return Reason.REVEALS_CARD
    if source.kind is PileKind.RESERVE:
        return Reason.FROM_RESERVE
    if target is not None and not position.pile(target) and move.card is not None and move.card.rank == KING:
        return Reason.KING_TO_PLACE
    emptied = source.kind is PileKind.TABLEAU and not after.pile(source)
    return Reason.EMPTIES_COLUMN if emptied and (target is None or position.pile(target)) else None


def _by_line(rules: Rules, position: Position, line: Sequence[Move], after: Position) -> Reason:
    move = line[0]
    source = move.source
    if source is not None and source.kind is PileKind.TABLEAU and after.pile(source):
        bared = free_card(after.pile(source))
        if bared is not None and _wanted(after, bared):
            return Reason.FREES_ACE if bared.rank == ACE else Reason.FREES_NEEDED
    for later in line[1:]:
        if later.kind is not MoveKind.MOVE or later.target is None:
            continue
        if later.target.kind in (PileKind.FOUNDATIONS, PileKind.BASES):
            return Reason.LEADS_TO_FOUNDATION
        if later.source is not None and later.source.kind is PileKind.TABLEAU and _has_hidden(position, later):
            return Reason.LEADS_TO_REVEAL
    if source is not None and source.kind is PileKind.WASTE:
        return Reason.FROM_STOCK
    return Reason.BUILDS_RUN


def _has_hidden(position: Position, move: Move) -> bool:
    pile = position.pile(move.source) if move.source is not None else ()
    return bool(pile) and not pile[0].face_up


def _hidden(position: Position) -> int:
    return sum(not pile_card.face_up for pile in position.tableau for pile_card in pile)


def _wanted(position: Position, card: Card) -> bool:
    """Tell whether a foundation takes the card next (an ace always, where foundations start with aces)."""
    tops = [pile[-1].card for pile in position.foundations if pile]
    if any(top is not None and top.suit == card.suit and rank_after(top.rank) == card.rank for top in tops):
        return True
    return card.rank == (position.base_rank or ACE) and any(not pile for pile in position.foundations)
