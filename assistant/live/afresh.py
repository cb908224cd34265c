"""Takes every settled table as it is read: for pictures that do not follow from each other, as in benches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.assistant.following import Outcome, OutcomeKind
from kibitz.assistant.table import table_of
from kibitz.engine.piles import Slot

if TYPE_CHECKING:
    from kibitz.engine.belief import Belief
    from kibitz.engine.cards import Card
    from kibitz.engine.piles import PileId
    from kibitz.engine.position import Position
    from kibitz.engine.rules import Rules
    from kibitz.vision.types import Layout


class Afresh:
    """Looks at each table as if it were the first."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.position: Position | None = None
        self.belief: Belief | None = None

    def look(self, layout: Layout, others: Sequence[Layout] = ()) -> Outcome:
        """Takes the table that the layout shows."""
        table = table_of(layout, self._rules)
        kind = OutcomeKind.STARTED if self.position is None else OutcomeKind.FOLLOWED
        if table.position == self.position:
            kind = OutcomeKind.UNCHANGED
        self.position, self.belief = table.position, table.belief()
        return Outcome(kind, table.position)

    def take_as_is(self) -> Outcome:
        """Nothing to do: every table is taken as it is."""
        return self._unchanged()

    def undo(self) -> Outcome:
        """Nothing to do: no moves are known."""
        return self._unchanged()

    def answer(self, question: object, choice: object) -> Outcome:
        """Nothing to do: nothing is asked."""
        return self._unchanged()

    def correct(self, pile: PileId, index: int, card: Card) -> Outcome:
        """Takes the player's word for a card until the next look."""
        if self.position is not None:
            up = self.position.pile(pile)[index].face_up
            self.position = self.position.replace_slot(Slot(pile, index), card, up)
        return self._unchanged()

    def _unchanged(self) -> Outcome:
        assert self.position is not None, "asked before the first look"
        return Outcome(OutcomeKind.UNCHANGED, self.position)
