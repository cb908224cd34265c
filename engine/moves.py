"""Moves as values: what is moved from where to where. Sentences are made of them elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from kibitz.engine.cards import Card
from kibitz.engine.drafts import draft_of
from kibitz.engine.errors import NotationError, ValueRangeError
from kibitz.engine.piles import PileId

__all__ = ["Move", "MoveKind"]


class MoveKind(StrEnum):
    """What is done."""

    MOVE = "move"
    """Cards go from one pile to another."""
    DRAW = "draw"
    """Cards are turned from the stock onto the waste or into the auxiliary fan."""
    TURNOVER = "turnover"
    """The waste is turned over and becomes the stock."""
    REDEAL = "redeal"
    """What is left is gathered, shuffled and dealt again."""
    FLIP = "flip"
    """A bared face-down card is turned face up."""
    DEAL = "deal"
    """Cards are dealt from the stock to an emptied place."""
    COVER = "cover"
    """Free cards are covered from the stock (Eleven Points)."""
    REMOVE = "remove"
    """A finished sequence leaves the table."""
    ASIDE = "aside"
    """The auxiliary cards are set aside."""


MOST_CARDS = 999
_PATTERN = re.compile(
    r"(?:(?P<kind>[a-z]+)(?: |$))?(?P<source>[A-Z][0-9]{0,2})?(?:\^(?P<depth>[1-9][0-9]{0,2}))?"
    r"(?:-(?P<target>[A-Z][0-9]{0,2}))?(?P<others>(?:\+[A-Z][0-9]{0,2})*)(?:\*(?P<count>[1-9][0-9]{0,2}))?"
)


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a patience, with everything a sentence about it needs.

    Text form: `T3-T5*4` (four cards from column 3 to column 5), `W-F1`, `draw S-W*3`, `flip T2`, `redeal`. The
    cards are told for people; they take no part in comparison and in the text form, for piles and count say all.
    """

    kind: MoveKind
    """What is done."""
    source: PileId | None = None
    """The pile from which cards are taken, or whose card is turned."""
    target: PileId | None = None
    """The pile to which they go."""
    count: int = 1
    """How many cards."""
    others: tuple[PileId, ...] = ()
    """Further piles that are covered together with the target (Eleven Points)."""
    depth: int = 0
    """How many cards lie between the cards moved and the free end; they stay (the nineteenth fan in any order)."""
    cards: tuple[Card | None, ...] = field(default=(), compare=False)
    """The cards concerned, from the covered end to the free end; None where one is not known."""
    onto: Card | None = field(default=None, compare=False)
    """The card on which they land, if there is one."""

    def __post_init__(self) -> None:
        """Check the count."""
        if not 1 <= self.count <= MOST_CARDS or not 0 <= self.depth <= MOST_CARDS:
            raise ValueRangeError(f"expected a count from 1 and a depth from 0 on, got {self.count!r}, {self.depth!r}")

    @staticmethod
    def of(
        source: PileId,
        target: PileId,
        cards: tuple[Card | None, ...],
        onto: Card | None = None,
        kind: MoveKind = MoveKind.MOVE,
    ) -> Move:
        """Return the move of these cards from pile to pile: what the constructor gives, but quicker."""
        move = _Draft(kind, source, target, len(cards), (), 0, cards, onto)
        move.__class__ = Move
        return move  # type: ignore[no-any-return]

    @property
    def card(self) -> Card | None:
        """The first of the cards concerned: the one that lands on the target's card."""
        return self.cards[0] if self.cards else None

    @staticmethod
    def parse(text: str) -> Move:
        """Return the move written in the short notation (without its cards: see `Rules.find_move`).

        Raises:
            NotationError: The text is no move.
        """
        expected = "a move such as T3-T5*2, W-F1, draw S-W*3 or flip T2"
        match = _PATTERN.fullmatch(text) if isinstance(text, str) and text else None
        if match is None or not (match["kind"] or (match["source"] and match["target"])):
            raise NotationError(expected, text)
        word = match["kind"] or "move"
        if word not in MoveKind.__members__.values():
            raise NotationError(f"one of {', '.join(MoveKind)}", word, f"move {text[:20]!r}")
        return Move(
            MoveKind(word),
            PileId.parse(match["source"]) if match["source"] else None,
            PileId.parse(match["target"]) if match["target"] else None,
            int(match["count"] or 1),
            tuple(PileId.parse(pile) for pile in match["others"].split("+")[1:]),
            int(match["depth"] or 0),
        )

    def __str__(self) -> str:
        """Return the short notation."""
        words = [] if self.kind is MoveKind.MOVE else [str(self.kind)]
        piles = self.source.short if self.source else ""
        if self.depth:
            piles += f"^{self.depth}"
        if self.target:
            piles += "-" + self.target.short
        piles += "".join("+" + pile.short for pile in self.others)
        if self.count != 1:
            piles += f"*{self.count}"
        return " ".join([*words, piles] if piles else words)


_Draft = draft_of(Move)
