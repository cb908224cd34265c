"""Which of the ways to lay the cards a table shows: the fit knows distances, the rules know what can be.

Several ways to put the same cards to the places of a plan may fit nearly alike: an empty base place to the left or to
the right, the waste or the reserve, the player at the near or the far side. The rules then decide: the way with the
fewest things wrong, as long as it does not fit much worse. What they cannot decide is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kibitz.assistant.table import table_of
from kibitz.engine.errors import KibitzError
from kibitz.engine.rules import Rules

if TYPE_CHECKING:
    from kibitz.vision.hidden import Look
    from kibitz.vision.types import Frame, Layout, PlacedCard, Question, TableReading

WRONG = 2.0
"""What one thing wrong by the rules costs, in the unit of the fit: half a card that finds no place."""
MOST_WRONG = 4
"""More things wrong than this make no difference."""
CLOSE = 0.5
"""Ways that differ by less than this are asked about."""
CLOSE_SIDE = 1.2
"""The same for the player's side, which no card tells where none covers another."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to lay the cards, with what it costs in all."""

    layout: Layout
    cost: float
    key: object


def lay_out(
    reading: TableReading,
    rules: Rules,
    frame: Frame | None = None,
    look: Look | None = None,
    side: str | None = None,
) -> Layout:
    """Puts the cards of a reading to the places of a patience, by distances and rules together.

    Args:
        reading: of one picture.
        rules: of the patience.
        frame: the picture, whose size says which way is up.
        look: counts the face-down cards of a column by their strips; None = every count is doubtful.
        side: "near" or "far" edge of the picture where the player sits; None = by what is seen.
    """
    from kibitz.vision.layout import Sight, fits

    ways = fits(reading.cards, rules.plan(), Sight(frame, look, reading.faint), 16)
    told = [layout for layout in ways if side is not None and layout.turned == (side == "far")]
    return chosen(told or ways, rules)


def chosen(layouts: Sequence[Layout], rules: Rules) -> Layout:
    """The likeliest of some ways to lay the same cards, with a question where another is nearly as likely.

    Args:
        layouts: the likeliest by distances first.
        rules: of the patience.
    """
    if len(layouts) == 1:
        return layouts[0]
    ways = sorted((_way(layout, rules) for layout in layouts), key=lambda way: way.cost)
    best = ways[0]
    rivals = [way for way in ways[1:] if way.cost < best.cost + _close(best, way)]
    questions = _questions(best, rivals)
    return replace(best.layout, questions=(*best.layout.questions, *questions)) if questions else best.layout


def _close(best: _Way, way: _Way) -> float:
    return CLOSE if way.layout.turned == best.layout.turned else CLOSE_SIDE


def _way(layout: Layout, rules: Rules) -> _Way:
    try:
        position = table_of(layout, rules).position
        wrong = len(rules.problems(position))
        key: object = rules.key(position)
    except KibitzError:
        wrong, key = MOST_WRONG, None
    return _Way(layout, layout.cost + WRONG * min(wrong, MOST_WRONG), key)


def _questions(best: _Way, rivals: Sequence[_Way]) -> tuple[Question, ...]:
    """What to ask where the ways differ in what can be played, or in which side is left."""
    from kibitz.vision.types import Question, QuestionKind

    if any(way.layout.turned != best.layout.turned for way in rivals):
        sides = ("far", "near") if best.layout.turned else ("near", "far")
        return (Question(QuestionKind.WHICH_SIDE, None, None, sides),)
    for way in rivals:
        if way.key == best.key:
            continue
        for pile, placed in best.layout.piles.items():
            ids = [one.card.id for one in placed if one.card is not None]
            other = next(
                (name for name, cards in way.layout.piles.items() if ids and _holds(cards, ids[-1])),
                None,
            )
            if ids and other is not None and other != pile:
                return (Question(QuestionKind.WHICH_PLACE, ids[-1], pile, (pile.short, other.short)),)
    return ()


def _holds(cards: Sequence[PlacedCard], number: int) -> bool:
    return any(one.card is not None and one.card.id == number for one in cards)
