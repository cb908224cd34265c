"""Mrs Mop: two packs face up in thirteen columns; whole suits leave the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from kibitz.engine.building import (
    ANY_SUIT,
    SAME_SUIT,
    Landings,
    faces_of,
    only_changes_place,
    run_problems,
    run_start,
)
from kibitz.engine.cards import CARDS, KING, Card, PileCard, Suit
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, ProblemKind, count_problems, face_down_problems, known, unexpected_piles
from kibitz.engine.rules import Rules
from kibitz.engine.table_plan import Faces, Group, Place, Spread, TablePlan, line

__all__ = ["MrsMop"]

COLUMNS = 13
COLUMN_CARDS = 8
RUNS = 8
_COLUMN = tuple(PileId.of(PileKind.TABLEAU, index) for index in range(COLUMNS))


class MrsMop(Rules):
    """Mrs Mop. The runs taken off are kept in `aside`, oldest first."""

    name = "mrs-mop"
    scored = "runs"
    decks = 2

    @property
    def shape(self) -> Mapping[PileKind, int]:
        """Thirteen columns; the finished runs leave the table."""
        return {PileKind.TABLEAU: COLUMNS, PileKind.ASIDE: 0}

    def deal_cards(self, pack: Sequence[Card]) -> Position:
        """Deal eight rows of thirteen, all face up."""
        columns = tuple(tuple(PileCard.of(card) for card in pack[column::COLUMNS]) for column in range(COLUMNS))
        return self._empty().replace(tableau=columns)

    def pending(self, position: Position) -> tuple[Move, ...]:
        """Finished runs to be taken off."""
        due = []
        for name, pile in zip(_COLUMN, position.tableau, strict=False):
            if len(pile) >= KING and is_full_run(pile[-KING:]):
                due.append(Move(MoveKind.REMOVE, name, None, KING, cards=faces_of(pile[-KING:])))
        return tuple(due)

    def _moves(self, position: Position) -> Iterator[Move]:
        columns = list(zip(_COLUMN, position.tableau, strict=False))
        landings = Landings(columns, ANY_SUIT)
        spaces = [(name, None) for name, pile in columns if not pile]
        for name, pile in columns:
            for start in range(run_start(pile, SAME_SUIT), len(pile)):
                cards = faces_of(pile[start:])
                for target, onto in (*landings.of(pile[start]), *spaces):
                    yield Move.of(name, target, cards, onto)

    def is_idle(self, position: Position, move: Move) -> bool:
        """Tell whether a whole column only changes its place."""
        return only_changes_place(position, move)

    def is_won(self, position: Position) -> bool:
        """Tell whether all eight runs have left the table."""
        return len(position.aside) == RUNS and not any(position.tableau)

    def score(self, position: Position) -> int:
        """Return how many cards have left the table."""
        return sum(map(len, position.aside))

    def complete(self, position: Position) -> Position:
        """Fill in the runs that have left the table, where exactly whole suits are missing."""
        left = Counter(self.pack)
        left.subtract(position.cards())
        runs: list[Pile] = []
        for suit in Suit:
            cards = tuple(CARDS[suit * KING + rank - 1] for rank in range(KING, 0, -1))
            runs += [tuple(map(PileCard.of, cards))] * max(0, min(left[card] for card in cards))
        return position.replace(aside=(*position.aside, *runs))

    def problems(self, position: Position) -> tuple[Problem, ...]:
        """Return everything that is wrong with the table."""
        aside = [(PileId.of(PileKind.ASIDE, index), pile) for index, pile in enumerate(position.aside)]
        counts = (
            Problem(ProblemKind.BAD_COUNT, known(pile), (name,), KING, len(pile))
            for name, pile in aside
            if len(pile) != KING
        )
        return tuple(
            chain(
                count_problems(position, self.decks, len(self.pack)),
                face_down_problems(position),
                counts,
                chain.from_iterable(run_problems(pile, name, SAME_SUIT) for name, pile in aside),
                unexpected_piles(position, self.shape),
            )
        )

    def plan(self) -> TablePlan:
        """Thirteen columns side by side."""
        columns = line(PileKind.TABLEAU, COLUMNS)
        forms = [(Group("tableau", columns, Spread.DOWN, Faces.UP),)]
        for upper in (7, 6):
            lower = (
                Place(place.pile, place.x - columns[upper].x, 1.25) if n >= upper else place
                for n, place in enumerate(columns)
            )
            forms.append((Group("tableau", tuple(lower), Spread.DOWN, Faces.UP),))
        return TablePlan(self.name, forms[0], decks=self.decks, variations=tuple(forms[1:]))


def is_full_run(cards: Pile) -> bool:
    """Tell whether these are king to ace of one suit, all open and known."""
    first = cards[0].card if cards else None
    return len(cards) == KING and first is not None and first.rank == KING and run_start(cards, SAME_SUIT) == 0
