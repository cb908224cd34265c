"""One deliberate fault put on a table: what a camera must notice and name."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.engine.cards import Card, PileCard
from kibitz.engine.piles import PileId, PileKind, Slot
from kibitz.engine.position import Position
from kibitz.engine.registry import rules_of
from kibitz.models.synth.spec import SpecError


@dataclass(frozen=True, slots=True)
class Fault:
    """What was put wrong.

    Attributes:
        kind: duplicate, illegal-run, missing-card, wrong-count or five-in-a-fan.
        problem: code of the problem that names it.
        cards: labels that the problem must name; empty where none is to be named.
        pile: the pile concerned, long name.
    """

    kind: str
    problem: str
    cards: tuple[str, ...] = ()
    pile: str = ""

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return {"kind": self.kind, "problem": self.problem, "cards": list(self.cards), "pile": self.pile}


def _open(position: Position) -> list[Slot]:
    """Places of cards in the tableau that are seen whole, or at least by their index."""
    seen = rules_of(position).visible(position)
    return [slot for slot in seen if slot.pile.kind is PileKind.TABLEAU]


def _card(position: Position, slot: Slot) -> Card:
    card = position.pile(slot.pile)[slot.index].card
    if card is None:
        raise SpecError(f"expected a known card at {slot}, got none; give a complete position")
    return card


def _duplicate(position: Position, chooser: random.Random) -> tuple[Position, Fault]:
    """A card of another pack has come in: a card that is in sight as often as it can be, once more."""
    rules, places = rules_of(position), _open(position)
    seen = [_card(position, slot) for slot in places]
    full = sorted({card for card in seen if seen.count(card) == rules.decks}, key=str)
    if not full:  # two packs: make the pair complete first
        one, two = chooser.sample(places, 2)
        position = position.replace_slot(two, _card(position, one), True)
        full = [_card(position, one)]
        places = [slot for slot in places if slot not in (one, two)]
    card = chooser.choice(full)
    where = chooser.choice([slot for slot in places if _card(position, slot) != card])
    return position.replace_slot(where, card, True), Fault("duplicate", "duplicate", (str(card),), str(where.pile))


def _illegal_run(position: Position, chooser: random.Random) -> tuple[Position, Fault]:
    """The last card of one column laid on another on which it may not lie."""
    rules = rules_of(position)
    piles = [PileId.of(PileKind.TABLEAU, n) for n, pile in enumerate(position.tableau) if pile and pile[-1].face_up]
    chooser.shuffle(piles)
    for source in piles:
        for target in piles:
            moved = position.replace_piles(
                (source, position.pile(source)[:-1]), (target, (*position.pile(target), position.pile(source)[-1]))
            )
            found = [p for p in rules.problems(moved) if p.kind.code == "impossible-run"]
            if source != target and found and position.pile(source)[:-1]:
                names = tuple(map(str, found[0].cards))
                return moved, Fault("illegal-run", "impossible-run", names, str(target))
    raise SpecError(f"expected a column for a wrong card, got none in {position}")


def _missing(position: Position, chooser: random.Random) -> tuple[Position, Fault]:
    """A card has fallen off the table."""
    slot = chooser.choice(_open(position))
    pile, card = position.pile(slot.pile), _card(position, slot)
    gone = position.replace_pile(slot.pile, (*pile[: slot.index], *pile[slot.index + 1 :]))
    return gone, Fault("missing-card", "too-few-cards", (str(card),), str(slot.pile))


def _wrong_count(position: Position, chooser: random.Random) -> tuple[Position, Fault]:
    """Klondike: more face-down cards in the columns than the deal gives; the nineteenth fan's trial has four cards."""
    if position.auxiliary or position.game == "nineteenth-fan":
        pile, stock = PileId.of(PileKind.AUXILIARY), position.stock
        count = 4 - len(position.auxiliary)
        cards = (*position.auxiliary, *(PileCard.of(one.card) for one in stock[-count:]))
        return position.replace(auxiliary=cards, stock=stock[:-count]), Fault("wrong-count", "bad-count", (), str(pile))
    name = PileId.of(PileKind.TABLEAU, 0)
    down = tuple(PileCard.of(one.card, False) for one in position.stock[-2:])
    more = position.replace(stock=position.stock[:-2])
    wrong = more.replace_pile(name, (*down, *position.pile(name)))
    return wrong, Fault("wrong-count", "bad-count", (), str(name))


def _five(position: Position, chooser: random.Random) -> tuple[Position, Fault]:
    """Walter: the free card of one fan laid on a full one."""
    names = [PileId.of(PileKind.TABLEAU, n) for n, pile in enumerate(position.tableau) if len(pile) == 4]
    target, source = chooser.sample(names, 2)
    card = position.pile(source)[-1]
    piles = ((source, position.pile(source)[:-1]), (target, (*position.pile(target), card)))
    return position.replace_piles(*piles), Fault("five-in-a-fan", "bad-count", (), str(target))


Maker = Callable[[Position, random.Random], tuple[Position, Fault]]
_MAKERS: Mapping[str, Maker] = {
    "duplicate": _duplicate,
    "illegal-run": _illegal_run,
    "missing-card": _missing,
    "wrong-count": _wrong_count,
    "five-in-a-fan": _five,
}
_OF_GAME: Mapping[str, tuple[str, ...]] = {
    "klondike": ("duplicate", "illegal-run", "wrong-count"),
    "canfield": ("duplicate", "illegal-run"),
    "mrs-mop": ("duplicate", "missing-card"),
    "walter": ("duplicate", "missing-card", "five-in-a-fan"),
    "nineteenth-fan": ("duplicate", "wrong-count"),
    "eleven-points": ("duplicate",),
}
"""Faults that show: a card missing from a game with a face-down stock is only one card less in the stock."""


def faults_of(game: str) -> tuple[str, ...]:
    """Kinds of faults that can be seen on a table of this patience."""
    return _OF_GAME[game]


def faulty(position: Position, kind: str, seed: int) -> tuple[Position, Fault]:
    """The table with one thing wrong.

    Args:
        position: all cards known.
        kind: one of `faults_of` its patience.
        seed: chooses cards and piles.

    Raises:
        SpecError: the position has no place for such a fault.
    """
    if kind not in faults_of(position.game):
        raise SpecError(f"expected a fault of {', '.join(faults_of(position.game))}, got {kind!r}")
    for attempt in range(20):
        try:
            return _MAKERS[kind](position, random.Random(f"{seed} {attempt}"))
        except (ValueError, IndexError):
            continue
    raise SpecError(f"expected a place for the fault {kind!r}, got none in {position}")
