"""The protocol that every patience keeps: `Rules`, and what is the same in all of them.

A patience is one file in `kibitz.engine.games` with one subclass. It says how to deal, which moves there are, which
consequences are due at once, when it is won, and what is wrong with a table; everything else follows here.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from kibitz.engine.cards import CARDS, Card, PileCard
from kibitz.engine.errors import IllegalMoveError, ValueRangeError
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.options import Option, OptionValue, check_options
from kibitz.engine.piles import SINGLE_PILES, Pile, PileId, PileKind, Slot
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, ProblemKind, status_of
from kibitz.engine.sight import Sight
from kibitz.engine.steps import STEPS
from kibitz.engine.table_plan import TablePlan

__all__ = ["Rules"]

_MOST_CONSEQUENCES = 1000
"""More consequences than any one move can have; reaching it would be a fault of the rules."""


class Rules(Sight, ABC):
    """One patience under one set of options. Stateless: positions go in and come out."""

    name: ClassVar[str]
    """Registered name, as in `--game` and in position texts."""
    decks: ClassVar[int] = 1
    """How many packs of 52 cards."""
    declared: ClassVar[tuple[Option, ...]] = ()
    """The options with their defaults and values."""
    presets: ClassVar[Mapping[str, Mapping[str, OptionValue]]] = {}
    """Named option sets, besides the game's own name for all defaults."""
    scored: ClassVar[str] = "foundations"
    """What `score` counts: cards on the `foundations`, in the `bases`, in finished `runs`, or `dealt`."""
    forced_first: ClassVar[bool] = False
    """Whether nothing else is legal while a consequence is due (because it decides which cards come next)."""

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Set the options; those not given have their defaults.

        Raises:
            OptionError: An option does not exist or does not accept the value.
        """
        self.options: dict[str, OptionValue] = check_options(self.name, self.declared, options or {})
        defaults = {option.name: option.default for option in self.declared}
        self.changed: tuple[tuple[str, OptionValue], ...] = tuple(
            sorted((name, value) for name, value in self.options.items() if value != defaults[name])
        )
        # The last answers, for callers who ask for the moves and then apply one of them.
        self._last: tuple[Position | None, tuple[Move, ...]] = (None, ())
        self._calm: Position | None = None

    # What each patience says for itself.

    @property
    @abstractmethod
    def shape(self) -> Mapping[PileKind, int]:
        """How many piles of each kind there are; kinds not named do not occur. Aside may have any number."""

    @abstractmethod
    def deal_cards(self, pack: Sequence[Card]) -> Position:
        """Return the layout dealt from the pack, whose first card is dealt first."""

    @abstractmethod
    def pending(self, position: Position) -> tuple[Move, ...]:
        """Return the consequences that are due at once, as moves, in the order in which they are carried out."""

    @abstractmethod
    def _moves(self, position: Position) -> Iterable[Move]:
        """Yield the moves that are legal when nothing is pending."""

    @abstractmethod
    def is_won(self, position: Position) -> bool:
        """Tell whether the patience has come out."""

    @abstractmethod
    def problems(self, position: Position) -> tuple[Problem, ...]:
        """Return everything that is wrong with the table."""

    @abstractmethod
    def plan(self) -> TablePlan:
        """Return where the piles lie on the table."""

    # Dealing and building positions.

    @property
    def pack(self) -> tuple[Card, ...]:
        """All cards of the game in label order."""
        return CARDS * self.decks

    def deal(self, seed: int) -> Position:
        """Return the deal of that number with all cards known; the same number always gives the same deal.

        It is the table as laid out: consequences of the deal itself (an open ace) are still pending.
        """
        pack = list(self.pack)
        random.Random(seed).shuffle(pack)
        return self.deal_cards(pack)

    def build(self, piles: Mapping[PileId, Sequence[PileCard]], **counters: int | None) -> Position:
        """Return the position with these piles, the others empty.

        Args:
            piles: The cards of each pile, covered end first.
            counters: Fields of `Position` such as `turnovers`, `attempt`, `base_rank`.

        Raises:
            ValueRangeError: The patience has no such pile.
        """
        shape = self.shape
        values: dict[str, list[Pile]] = {kind.value: [()] * count for kind, count in shape.items()}
        for name, cards in piles.items():
            of_kind = values.setdefault(name.kind.value, []) if name.kind is PileKind.ASIDE else None
            of_kind = values.get(name.kind.value, []) if of_kind is None else of_kind
            while name.kind is PileKind.ASIDE and len(of_kind) <= name.index:
                of_kind.append(())
            if name.index >= len(of_kind):
                raise ValueRangeError(f"{self.name}: expected one of its piles ({self._shape_text()}), got {name}")
            of_kind[name.index] = tuple(cards)
        fields = {
            kind: (tuple(lists[0]) if PileKind(kind) in SINGLE_PILES else tuple(lists))
            for kind, lists in values.items()
            if lists
        }
        return self.seated(Position(self.name, self.changed, **fields, **counters))  # type: ignore[arg-type]

    def complete(self, position: Position) -> Position:
        """Return a position read from a picture with the cards filled in that must lie unseen on the table."""
        return position

    def seated(self, position: Position) -> Position:
        """Return a position built from outside with what follows from its cards (Canfield: the base rank)."""
        return position

    def _shape_text(self) -> str:
        return ", ".join(f"{count} {kind}" for kind, count in self.shape.items())

    def _empty(self) -> Position:
        return self.build({})

    # Moves.

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Return every legal move; consequences that are still due come first."""
        last, moves = self._last
        if position is last:
            return moves
        if position.game != self.name or position.options != self.changed:
            raise ValueRangeError(
                f"expected a position of {self.name} {dict(self.changed)}, "
                f"got one of {position.game} {dict(position.options)}; ask rules_of(position) for its rules"
            )
        due = () if position is self._calm else self.pending(position)
        if not due:
            moves = tuple(self._moves(position))
        elif self.forced_first:
            moves = due
        else:
            moves = tuple(dict.fromkeys((*due, *self._moves(position))))
        self._last = (position, moves)
        return moves

    def is_legal(self, position: Position, move: Move) -> bool:
        """Tell whether the move is legal in the position."""
        legal = self.legal_moves(position)
        for one in legal:  # Most callers hand back one of the moves they were given, so comparing is seldom needed.
            if one is move:
                return True
        return move in legal

    def find_move(self, position: Position, text: str) -> Move:
        """Return the legal move written so, with its cards.

        Raises:
            NotationError: The text is no move.
            IllegalMoveError: The move is not legal here.
        """
        wanted = Move.parse(text)
        for move in self.legal_moves(position):
            if move == wanted:
                return move
        raise self._illegal(position, wanted)

    def apply(self, position: Position, move: Move) -> Position:
        """Return the position after the move and all its consequences; cards it reveals stay unknown.

        Raises:
            IllegalMoveError: The move is not legal.
        """
        if not self.is_legal(position, move):
            raise self._illegal(position, move)
        return self.settle(self.act(position, move))

    def act(self, position: Position, move: Move) -> Position:
        """Return the position after the move alone, its consequences still pending. Legality is not checked."""
        return STEPS[move.kind](position, move)

    def settle(self, position: Position) -> Position:
        """Return the position after everything that is pending."""
        for _ in range(_MOST_CONSEQUENCES):
            due = self.pending(position)
            if not due:
                self._calm = position
                return position
            position = self.act(position, due[0])
        raise AssertionError(f"{self.name}: consequences without end in {position}")

    def _illegal(self, position: Position, move: Move) -> IllegalMoveError:
        legal = [str(m) for m in self.legal_moves(position)]
        listed = ", ".join(legal[:12]) + (", …" if len(legal) > 12 else "") if legal else "no move at all"
        return IllegalMoveError(f"{self.name}: expected a legal move ({listed}), got {move}; position {position}")

    def is_idle(self, position: Position, move: Move) -> bool:
        """Tell whether the move changes nothing but the order of equal places; such moves are legal but not advised."""
        return False

    def reveals(self, position: Position, move: Move) -> bool:
        """Tell whether the move turns up a card that is not known."""
        return len(_unknown_up(self.settle(self.act(position, move)))) > len(_unknown_up(position))

    # Judging positions.

    def status(self, position: Position) -> ProblemKind:
        """Return the kinds of problems of the table as one flag value."""
        return status_of(self.problems(position))

    def is_lost(self, position: Position) -> bool:
        """Tell whether it is certain without a search that the patience cannot come out any more."""
        return not self.is_won(position) and not self.legal_moves(position) and not self.unread(position)

    def score(self, position: Position) -> int:
        """Return how far the patience has come, by default the cards on the foundations."""
        return sum(map(len, position.foundations))

    def key(self, position: Position) -> tuple[object, ...]:
        """Return a hashable value that is equal for positions in which the same play is possible.

        The order of columns and of foundations does not count, nor do counters without influence.
        """
        piles = [
            tuple(sorted(map(_codes, position.of_kind(kind))))
            if kind in _ORDERLESS
            else tuple(map(_codes, position.of_kind(kind)))
            for kind in PileKind
        ]
        return (*piles, *self._key_counters(position))

    def _key_counters(self, position: Position) -> tuple[object, ...]:
        return (position.attempt, position.base_rank, position.waste_dead)

    # Options by type.

    def _word(self, name: str) -> str:
        return str(self.options[name])

    def _flag(self, name: str) -> bool:
        return bool(self.options[name])

    def _number(self, name: str) -> int:
        value = self.options[name]
        assert isinstance(value, int)
        return value

    def _limit(self, name: str) -> int | None:
        return None if self.options[name] is None else self._number(name)

    def __repr__(self) -> str:
        """Return the name with the options that differ from the defaults."""
        return f"<Rules {self.name} {dict(self.changed)}>"


_ORDERLESS = frozenset({PileKind.TABLEAU, PileKind.FOUNDATIONS})


def _codes(pile: Pile) -> bytes:
    return bytes([pile_card.code for pile_card in pile])


def _slots(position: Position) -> Iterator[tuple[Slot, PileCard]]:
    for name, pile in position.all_piles():
        for index, pile_card in enumerate(pile):
            yield Slot(name, index), pile_card


def _unknown_up(position: Position) -> frozenset[Slot]:
    return frozenset(slot for slot, pile_card in _slots(position) if pile_card.card is None and pile_card.face_up)


def is_stock_move(move: Move) -> bool:
    """Tell whether the move only runs through the stock."""
    return move.kind in (MoveKind.DRAW, MoveKind.TURNOVER)
