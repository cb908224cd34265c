"""Eleven Points: the chance of coming out. There is nothing to choose, so this is all an adviser can add.

Cards that add up to eleven are matched as they come, in whatever order one plays. So the places still taken by
unmatched cards follow from which cards have been seen, and the chance from the unseen cards alone: counted exactly
where each court is covered at once, and by sampling under the other rules for courts.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

from kibitz.engine.building import free_card
from kibitz.engine.cards import JACK, KING, QUEEN, Card
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.judge import reason_of
from kibitz.engine.search.values import Advice

__all__ = ["advise_points", "chance", "exact_chance"]

SAMPLES = 4000
POINTS = 11
Pairs = tuple[tuple[int, int], ...]
"""For each of the five pairs of ranks: how many of the lower and of the higher rank are unseen, larger first."""


def advise_points(rules: Rules, position: Position, clock: Clock) -> Advice | None:
    """Return any cover, and the chance that the pack runs out."""
    moves = rules.legal_moves(position)
    if not moves or rules.unread(position):
        return None
    found, error = chance(rules, position, clock)
    return Advice(moves[0], reason_of(rules, position, moves[:1]), moves[:1], found, error)


def chance(rules: Rules, position: Position, clock: Clock) -> tuple[float, float]:
    """Return the chance of a win and its standard error, 0 where it is exact."""
    places, courts = rules.options["places"], str(rules.options["courts"])
    assert isinstance(places, int)
    free = [card for pile in position.tableau if (card := free_card(pile)) is not None]
    order = [pile_card.card for pile_card in reversed(position.stock)]
    known = [card for card in order if card is not None]
    if len(known) == len(order):
        return float(_comes_out(free, known, places, courts)), 0.0
    left = Counter(rules.pack)
    left.subtract(position.cards())
    unseen = list(left.elements())
    if courts == "cover" and len(unseen) == len(order):
        seen = Counter(card.rank for card in unseen)
        blocked = sum(abs(seen[low] - seen[POINTS - low]) for low in range(1, 6))
        if blocked == sum(_unmatched(Counter(card.rank for card in free if card.rank < JACK))):
            return exact_chance(_pairs(seen), places), 0.0
    return _sampled(free, order, unseen, (places, courts), clock)


def _pairs(unseen: Counter[int]) -> Pairs:
    pairs = ((unseen[low], unseen[POINTS - low]) for low in range(1, 6))
    return tuple(sorted((max(pair), min(pair)) for pair in pairs))


@cache
def exact_chance(unseen: Pairs, places: int) -> float:
    """Return the chance that the unseen number cards can all be dealt; courts only pass through.

    Args:
        unseen: Unseen cards of each pair of ranks, larger number first, sorted.
        places: Places on the table.
    """
    total = sum(map(sum, unseen))
    if not total:
        return 1.0
    if sum(high - low for high, low in unseen) >= places:
        return 0.0
    result = 0.0
    for index, (high, low) in enumerate(unseen):
        rest = unseen[:index] + unseen[index + 1 :]
        for count, pair in ((high, (high - 1, low)), (low, (high, low - 1))):
            if count:
                after = tuple(sorted((*rest, (max(pair), min(pair)))))
                result += count / total * exact_chance(after, places)
    return result


def _unmatched(free: Counter[int]) -> list[int]:
    return [abs(free[low] - free[POINTS - low]) for low in range(1, 6)]


def _taken_by_courts(free: Counter[int], courts: str) -> int:
    """Return how many places the free courts keep after everything that can be covered has been covered."""
    jacks, queens, kings = free[JACK], free[QUEEN], free[KING]
    if courts == "trio":
        return jacks + queens + kings - 3 * min(jacks, queens, kings)
    if courts == "any3":
        return (jacks + queens + kings) % 3
    if courts == "pair_any":
        return (jacks + queens + kings) % 2
    if courts == "pair_equal":
        return jacks % 2 + queens % 2 + kings % 2
    if courts == "king_alone":
        return abs(jacks - queens)
    return 0


def _comes_out(free: Sequence[Card], order: Sequence[Card], places: int, courts: str) -> bool:
    """Tell whether the stock is dealt out in this order."""
    counts = Counter(card.rank for card in free)
    for card in order:
        if sum(_unmatched(counts)) + _taken_by_courts(counts, courts) >= places:
            return False
        counts[card.rank] += 1
    return True


def _sampled(
    free: Sequence[Card], order: Sequence[Card | None], unseen: list[Card], rule: tuple[int, str], clock: Clock
) -> tuple[float, float]:
    rng = random.Random(clock.limit.seed)
    won = tried = 0
    for _ in range(clock.samples(SAMPLES)):
        rng.shuffle(unseen)
        rest = iter(unseen)
        full = [card if card is not None else next(rest) for card in order]
        won += _comes_out(free, full, *rule)
        tried += 1
        if clock.expired:
            break
    share = won / tried
    smooth = (won + 1) / (tried + 2)
    return share, float((smooth * (1 - smooth) / tried) ** 0.5)
