"""Tables that no sequence of moves explains: what differs, moves against the rules, dealing anew, overlooked cards."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from kibitz.assistant.following.evidence import NOTHING, Evidence, seen_card
from kibitz.assistant.following.outcome import Difference
from kibitz.assistant.following.search import DIFFERS, MOST_UNDONE, Story, physical_moves, read_new
from kibitz.engine.moves import Move
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import ProblemKind
from kibitz.engine.rules import Rules

MOVED_PILE = 2.2
"""What may stay unexplained of a pile that took part in a move, or that does not differ."""
LEFT_ILLEGAL = 3.6
"""What a move against the rules may leave unexplained."""
STOCK = PileId.of(PileKind.STOCK)
STRANGE = ProblemKind.DUPLICATE | ProblemKind.TOO_MANY_CARDS | ProblemKind.FOUNDATION_GAP | ProblemKind.BAD_COUNT
"""What a table that was dealt anew cannot have."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move that was followed, and the table before it."""

    before: Position
    move: Move


def differing(position: Position, evidence: Evidence) -> tuple[Difference, ...]:
    """The piles that are not as the position says."""
    piles = dict(position.all_piles())
    found = []
    for name, cost in evidence.costs(position).items():
        if cost > MOVED_PILE:
            pile = piles.get(name, ())
            seen = seen_card(evidence.piles.get(name, NOTHING))
            found.append(Difference(name, seen, pile[-1] if pile else None))
    return tuple(found)


def illegal_move(rules: Rules, position: Position, evidence: Evidence) -> Move | None:
    """The one move against the rules that explains the table, or None."""
    there = {name for name, _ in position.all_piles()}
    piles = {name for name, cost in evidence.costs(position).items() if cost > DIFFERS} & there
    found: list[tuple[float, Move]] = []
    for move, after in physical_moves(position, piles):
        after = read_new(rules, evidence, after)
        found.append((sum(evidence.costs(after).values()), move))
    cost, best = min(found, key=lambda one: one[0], default=(math.inf, None))
    return best if cost <= LEFT_ILLEGAL else None


def dealt_anew(rules: Rules, before: Position, redeal: Move, seen: Position) -> Position | None:
    """The table after the cards were gathered and dealt anew, or None where it cannot be that."""
    after = rules.act(before, redeal)
    seen = seen.replace(turnovers=after.turnovers, attempt=after.attempt)
    if STRANGE & rules.status(seen) or len(seen) != len(before):
        return None
    for name, pile in before.all_piles():  # what lies squared there was seen before, card by card
        there = seen.pile(name) if name.kind in rules.squared and pile else ()
        if there and len(there) == len(pile) and there[-1] == pile[-1]:
            seen = seen.replace_pile(name, pile)
    return seen


def with_overlooked(story: Story, left: Iterable[PileId]) -> Position:
    """The position with cards that were overlooked before: seen surely now and known nowhere.

    Args:
        story: that explains the rest of the table.
        left: piles that it does not explain.
    """
    position = story.position
    for name in left:
        spare = bool(position.stock) and position.stock[0].card is None
        faces = story.evidence.sure_faces(name)
        pile = position.pile(name)
        downs = tuple(card for card in pile if not card.face_up)
        known = [card.card for card in pile if card.face_up]
        if spare and len(faces) == len(known) + 1 and story.evidence.cost(name, (*downs, *faces)) < MOVED_PILE:
            new = next((one.card for one in faces if one.card not in known), None)
            if new is not None and story.evidence.fresh[new.index]:
                position = position.replace_piles((name, (*downs, *faces)), (STOCK, position.stock[1:]))
    return position


def remember(history: list[Step], position: Position) -> None:
    """What was seen only later becomes known of the tables before, as long as its place was not disturbed."""
    after = position
    for k in range(len(history) - 1, max(-1, len(history) - MOST_UNDONE - 1), -1):
        before = history[k].before
        for slot in before.unknown():
            pile = after.pile(slot.pile) if before.pile(slot.pile)[slot.index].face_up else ()
            card = pile[slot.index].card if slot.index < len(pile) else None
            if card is not None:
                before = before.replace_slot(slot, card, True)
        history[k] = Step(before, history[k].move)
        after = before
