"""What is drawn on a picture: from a reading and advice to marks, arrows and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kibitz.assistant.overlay import Corners, Drawing, Mark, Style
from kibitz.assistant.speech import Line, advice_lines
from kibitz.engine.moves import MoveKind
from kibitz.engine.piles import PileId, PileKind, Slot

if TYPE_CHECKING:
    from kibitz.assistant.check import Checked
    from kibitz.assistant.words import Words
    from kibitz.engine.moves import Move
    from kibitz.vision.types import TableCard, TableReading


def reading_drawing(words: Words, reading: TableReading, lines: tuple[Line, ...] = ()) -> Drawing:
    """Outlines and names of all cards of a reading."""
    cards = sorted(reading.cards, key=lambda card: (not card.covered, _height(card)))
    return Drawing(_marks(words, cards, frozenset()), lines=lines)


def checked_drawing(words: Words, checked: Checked) -> Drawing:
    """The same with the arrow of the advice and its sentences."""
    judged = checked.judged
    move = judged.advice.move if judged.advice is not None else None
    chosen = _chosen(checked, move) if move is not None else frozenset()
    marks = _marks(words, _stacked(checked), chosen)
    arrows: list[tuple[Corners, Corners]] = []
    targets: list[Corners] = []
    if move is not None:
        start, end = _start(checked, move), _end(checked, move)
        if start is not None and end is not None and float(np.abs(start - end).max()) > 1:
            arrows.append((start, end))
        if end is not None and move.target is not None and not judged.position.pile(move.target):
            targets.append(end)
    return Drawing(marks, arrows, targets, advice_lines(words, judged))


def _height(card: TableCard) -> float:
    return float(card.corners[:, 1].mean()) if card.corners is not None else 0.0


def _stacked(checked: Checked) -> list[TableCard]:
    """The cards of a table, each before those that lie on it."""
    order = {placed.card.id: slot.index for slot, placed in checked.table.seen.items() if placed.card is not None}
    return sorted(checked.reading.cards, key=lambda card: (order.get(card.id, -1), _height(card)))


def _marks(words: Words, cards: Sequence[TableCard], chosen: frozenset[int]) -> list[Mark]:
    marks = []
    for card in cards:
        if card.corners is None:
            continue
        style = Style.SURE
        if not card.face_up:
            style = Style.DOWN
        elif card.unsure or card.label is None:
            style = Style.UNSURE
        if card.id in chosen and style is not Style.UNSURE:
            style = Style.CHOSEN
        name = words.sign(card.label) if card.face_up and card.label else ""
        marks.append(Mark(card.corners, name, style, not card.covered))
    return marks


def _moved(checked: Checked, move: Move) -> list[Slot]:
    """The places of the cards that a move takes."""
    if move.source is None:
        return []
    size = len(checked.table.position.pile(move.source))
    return [Slot(move.source, n) for n in range(max(0, size - move.count), size)]


def _chosen(checked: Checked, move: Move) -> frozenset[int]:
    slots = _moved(checked, move)
    if move.kind is MoveKind.COVER:
        slots = [slot for pile in (move.target, *move.others) if pile and (slot := _last(checked, pile))]
    placed = [checked.table.seen[slot] for slot in slots if slot in checked.table.seen]
    return frozenset(one.card.id for one in placed if one.card is not None)


def _last(checked: Checked, pile: PileId) -> Slot | None:
    size = len(checked.table.position.pile(pile))
    return Slot(pile, size - 1) if size else None


def _corners(checked: Checked, slot: Slot | None) -> Corners | None:
    placed = checked.table.seen.get(slot) if slot is not None else None
    return None if placed is None else placed.corners if placed.corners is not None else _card_corners(placed.card)


def _card_corners(card: TableCard | None) -> Corners | None:
    return card.corners if card is not None else None


def _start(checked: Checked, move: Move) -> Corners | None:
    slots = _moved(checked, move)
    if slots and move.source is not None and move.source.kind is PileKind.STOCK:
        slots = slots[-1:]
    return _corners(checked, slots[0]) if slots else None


def _end(checked: Checked, move: Move) -> Corners | None:
    if move.target is None:
        return None
    on_top = _corners(checked, _last(checked, move.target))
    return on_top if on_top is not None else checked.layout.spots.get(move.target)
