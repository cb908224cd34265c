"""A position: every pile of one patience at one moment, as far as it is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from kibitz.engine.cards import KING, Card, PileCard
from kibitz.engine.drafts import draft_of
from kibitz.engine.errors import ValueRangeError
from kibitz.engine.options import OptionValue
from kibitz.engine.piles import SINGLE_PILES, Pile, PileId, PileKind, Slot

__all__ = ["Position"]


@dataclass(frozen=True, slots=True)
class Position:
    """Every pile of one patience at one moment, bottom card first.

    A position may hold an impossible table, as a camera may have read one: `Rules.problems` tells what is wrong.
    It has a one-line text (`str`), a readable text of several lines (`multiline`) and a JSON value; all parse back.
    """

    game: str
    """Registered name of the patience."""
    options: tuple[tuple[str, OptionValue], ...] = ()
    """The rule options that differ from the defaults, sorted by name."""
    stock: Pile = ()
    """Cards still to be turned; the last one is turned next."""
    waste: Pile = ()
    """Cards turned from the stock."""
    foundations: tuple[Pile, ...] = ()
    """Piles built up by suit."""
    tableau: tuple[Pile, ...] = ()
    """Columns, fans or places."""
    reserve: Pile = ()
    """Canfield's reserve."""
    bases: tuple[Pile, ...] = ()
    """Walter's four base piles."""
    auxiliary: Pile = ()
    """The nineteenth fan."""
    aside: tuple[Pile, ...] = ()
    """Groups of cards set aside or taken off, oldest first."""
    turnovers: int = 0
    """How often the waste has been turned over."""
    attempt: int = 1
    """Which deal this is: 1 before the first redeal."""
    base_rank: int | None = None
    """Rank on which the foundations start, where the deal decides it."""
    waste_dead: bool = False
    """Whether the top of the waste may not be played because it had been covered before (Walter Scott)."""

    def __post_init__(self) -> None:
        """Check the counters; the cards are checked where they come from."""
        if self.turnovers < 0 or self.attempt < 1:
            raise ValueRangeError(
                f"expected turnovers from 0 and attempt from 1, got {self.turnovers!r} and {self.attempt!r}"
            )
        if self.base_rank is not None and not 1 <= self.base_rank <= KING:
            raise ValueRangeError(f"expected a base rank from 1 to 13, got {self.base_rank!r}")

    @property
    def piles(self) -> Mapping[PileKind, tuple[Pile, ...]]:
        """All piles by kind; a kind of which there is one pile at most holds one, perhaps empty."""
        return {kind: self.of_kind(kind) for kind in PileKind}

    def of_kind(self, kind: PileKind) -> tuple[Pile, ...]:
        """Return the piles of that kind."""
        value: Any = getattr(self, kind.value)
        return (value,) if kind in SINGLE_PILES else value

    def pile(self, pile: PileId) -> Pile:
        """Return one pile.

        Raises:
            ValueRangeError: The position has no such pile.
        """
        value: Any = getattr(self, pile.attribute)
        if pile.is_single:
            return value  # type: ignore[no-any-return]
        if pile.index >= len(value):
            raise self._no_pile(pile)
        return value[pile.index]  # type: ignore[no-any-return]

    def _no_pile(self, pile: PileId) -> ValueRangeError:
        return ValueRangeError(f"expected one of the {len(self.of_kind(pile.kind))} piles of {pile.kind}, got {pile}")

    def replace(self, **changes: Any) -> Position:
        """Return the position with other values in the fields named."""
        return self._changed(changes)

    def _changed(self, changes: dict[str, Any]) -> Position:
        values = list(_values(self))
        for name, value in changes.items():
            values[_PLACES[name]] = value
        after = _Draft(*values)
        after.__class__ = Position
        if not _CHECKED.isdisjoint(changes):
            after.__post_init__()
        return after  # type: ignore[no-any-return]

    def replace_pile(self, pile: PileId, cards: Pile) -> Position:
        """Return the position with other cards in one pile."""
        return self.replace_piles((pile, cards))

    def replace_piles(self, *changes: tuple[PileId, Pile]) -> Position:
        """Return the position with other cards in several piles."""
        values: dict[str, Any] = {}
        for pile, cards in changes:
            name = pile.attribute
            if pile.is_single:
                values[name] = cards
                continue
            piles: tuple[Pile, ...] = values[name] if name in values else getattr(self, name)
            if pile.index >= len(piles):
                raise self._no_pile(pile)
            values[name] = (*piles[: pile.index], cards, *piles[pile.index + 1 :])
        return self._changed(values)

    def replace_slot(self, slot: Slot, card: Card | None, face_up: bool) -> Position:
        """Return the position with another card at one place."""
        pile = self.pile(slot.pile)
        if slot.index >= len(pile):
            raise ValueRangeError(f"expected one of the {len(pile)} cards of {slot.pile}, got place {slot}")
        changed = (*pile[: slot.index], PileCard.of(card, face_up), *pile[slot.index + 1 :])
        return self.replace_pile(slot.pile, changed)

    def all_piles(self) -> Iterator[tuple[PileId, Pile]]:
        """Yield every pile with its name, kind by kind."""
        for kind in PileKind:
            for index, pile in enumerate(self.of_kind(kind)):
                yield PileId.of(kind, index), pile

    def cards(self) -> Iterator[Card]:
        """Yield every card whose face is known, wherever it lies."""
        for _, pile in self.all_piles():
            for pile_card in pile:
                if pile_card.card is not None:
                    yield pile_card.card

    def unknown(self) -> tuple[Slot, ...]:
        """Return the places of all cards whose face is not known."""
        return tuple(
            Slot(name, index)
            for name, pile in self.all_piles()
            for index, pile_card in enumerate(pile)
            if pile_card.card is None
        )

    def __len__(self) -> int:
        """Return how many cards are on the table."""
        return sum(len(pile) for _, pile in self.all_piles())

    def __str__(self) -> str:
        """Return the one-line text form."""
        from kibitz.engine.notation.text import one_line

        return one_line(self)

    def multiline(self) -> str:
        """Return the text form for people and files, one pile a line."""
        from kibitz.engine.notation.text import multiline

        return multiline(self)

    @staticmethod
    def parse(text: str) -> Position:
        """Return the position written in the one-line or the readable text form.

        Raises:
            NotationError: The text is no position.
            UnknownGameError: Its patience is not known.
            OptionError: Its options are not those of the patience.
        """
        from kibitz.engine.notation.text import parse

        return parse(text)

    def to_json(self) -> dict[str, Any]:
        """Return the position as a JSON value of the format `kibitz/1`."""
        from kibitz.engine.notation.json import to_json

        return to_json(self)

    @staticmethod
    def from_json(data: object) -> Position:
        """Return the position from a JSON value of the format `kibitz/1`.

        Raises:
            NotationError: The value is no such position.
            UnknownGameError: Its patience is not known.
            OptionError: Its options are not those of the patience.
        """
        from kibitz.engine.notation.json import from_json

        return from_json(data)


_FIELDS = tuple(field.name for field in fields(Position))
_PLACES = {name: place for place, name in enumerate(_FIELDS)}
_CHECKED = frozenset({"turnovers", "attempt", "base_rank"})
_values = attrgetter(*_FIELDS)
_Draft = draft_of(Position)
