"""The JSON objects that tools rely on (see DESIGN: one object a line and picture)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kibitz.assistant.describe import move_text, reason_text
from kibitz.engine.cards import PileCard
from kibitz.engine.piles import SINGLE_PILES, PileId, PileKind, Slot
from kibitz.engine.rules import Rules

if TYPE_CHECKING:
    from kibitz.assistant.check import Checked, Judged
    from kibitz.assistant.table import Table
    from kibitz.assistant.words import Words
    from kibitz.engine.moves import Move
    from kibitz.engine.position import Position
    from kibitz.engine.search.values import Advice
    from kibitz.vision.types import TableCard, TableReading

SCHEMA = 1


def dumps(value: dict[str, Any]) -> str:
    """One line of JSON."""
    return json.dumps(value, ensure_ascii=False)


def error_object(key: str, name: str, kind: str, text: str) -> dict[str, Any]:
    """An answer that could not be given; `key` is "image" or "file"."""
    return {"schema": SCHEMA, key: name, "error": {"kind": kind, "text": text}}


def reading_object(image: str, reading: TableReading, seconds: float) -> dict[str, Any]:
    """What was read on a picture."""
    width, height = reading.size
    return {
        "schema": SCHEMA,
        "image": image,
        "width": width,
        "height": height,
        "cards": [card_object(card) for card in reading.cards],
        "seconds": round(seconds, 3),
    }


def card_object(card: TableCard) -> dict[str, Any]:
    """One physical card."""
    corners = None
    if card.corners is not None:
        corners = [[round(float(x), 1), round(float(y), 1)] for x, y in card.corners]
    return {
        "id": card.id,
        "label": card.label,
        "face_up": card.face_up,
        "confidence": round(float(card.confidence), 4),
        "unsure": card.unsure,
        "alternatives": [
            {"label": label, "confidence": round(chance, 4)}
            for label, chance in card.alternatives()
            if label != card.label
        ],
        "corners": corners,
        "covered": card.covered,
    }


def checked_object(words: Words, rules: Rules, image: str, checked: Checked) -> dict[str, Any]:
    """The piles of a picture, on top of which `judged_object` is laid."""
    piles = piles_object(rules, checked.table, checked.layout.inferred)
    return {"piles": piles, **judged_object(words, rules, checked.judged)}


def piles_object(rules: Rules, table: Table, inferred: frozenset[PileId] = frozenset()) -> dict[str, Any]:
    """Every pile of the patience with its cards, covered end first.

    Args:
        rules: of the patience.
        table: the position in the picture.
        inferred: piles whose number of face-down cards follows from the deal, not from sight; theirs are marked so.
    """
    piles: dict[str, Any] = {}
    for kind in (*rules.shape, *([PileKind.ASIDE] if PileKind.ASIDE not in rules.shape else [])):
        rows = [
            [
                _entry(table, Slot(PileId.of(kind, n), i), card)
                | ({"inferred": True} if PileId.of(kind, n) in inferred and not card.face_up else {})
                for i, card in enumerate(pile)
            ]
            for n, pile in enumerate(table.position.of_kind(kind))
        ]
        if kind in SINGLE_PILES:
            piles[kind.value] = rows[0] if rows else []
        elif rows or kind in rules.shape:
            piles[kind.value] = rows
    return piles


def _entry(table: Table, slot: Slot, card: PileCard) -> dict[str, Any]:
    placed = table.seen.get(slot)
    seen = placed.card if placed is not None else None
    label = str(card.card) if card.card is not None else None
    unsure = card.face_up and label is None and seen is not None
    if unsure and seen is not None:
        label = seen.label
    return {"label": label, "face_up": card.face_up, "unsure": unsure, "card": seen.id if seen is not None else None}


def judged_object(words: Words, rules: Rules, judged: Judged) -> dict[str, Any]:
    """Position, problems, questions, moves and advice."""
    position = judged.position
    return {
        "game": position.game,
        "options": dict(rules.options),
        "position": str(position),
        "pending": [str(move) for move in judged.pending],
        "problems": [{"kind": f.kind, "text": f.text, "cards": list(f.cards)} for f in judged.findings],
        "questions": [{"text": q.text, "card": q.card, "choices": list(q.choices)} for q in judged.questions],
        "legal_moves": [{"move": str(move), "text": move_text(words, position, move)} for move in judged.legal],
        "advice": None if judged.advice is None else advice_object(words, position, judged.advice),
        "verdict": judged.verdict,
    }


def advice_object(words: Words, position: Position, advice: Advice) -> dict[str, Any] | None:
    """The advice; None when there is no move to propose."""
    if advice.move is None:
        return None
    return {
        **_ranked(words, position, advice.move, advice.reason.value),
        "line": [str(move) for move in advice.line],
        "win_chance": _rounded(advice.win_chance),
        "error": _rounded(advice.error),
        "alternatives": [
            {
                **_ranked(words, position, other.move, other.reason.value),
                "win_chance": _rounded(other.win_chance),
                "error": _rounded(other.error),
                "loses": other.loses,
            }
            for other in advice.alternatives
        ],
    }


def _ranked(words: Words, position: Position, move: Move, reason: str) -> dict[str, Any]:
    return {
        "move": str(move),
        "text": move_text(words, position, move),
        "reason": reason_text(words, position, move, reason),
        "reason_code": reason,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
