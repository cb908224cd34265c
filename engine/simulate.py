"""Plays patiences of chance by the thousand and compares the figures with those that RULES.md gives.

The loops work on ranks alone, for speed; tests play the same deals through the rules and compare the results.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from kibitz.engine.cards import JACK, KING, QUEEN, PileCard
from kibitz.engine.registry import get_rules

__all__ = ["ELEVEN_TABLE", "Figure", "eleven_wins", "figures", "scott_placed"]

SIZES = range(7, 14)
ELEVEN_TABLE: Mapping[str, tuple[float, ...]] = {
    "trio": (0.003, 0.025, 0.106, 0.264, 0.467, 0.664, 0.815),
    "cover": (0.214, 0.466, 0.705, 0.866, 0.950, 0.985, 0.996),
    "any3": (0.022, 0.123, 0.338, 0.592, 0.793, 0.913, 0.970),
    "pair_any": (0.084, 0.277, 0.534, 0.755, 0.894, 0.962, 0.988),
    "pair_equal": (0.013, 0.085, 0.259, 0.500, 0.719, 0.869, 0.950),
    "king_alone": (0.048, 0.180, 0.397, 0.627, 0.806, 0.915, 0.968),
}
"""Published shares of deals that come out, by `courts` and for 7 to 13 places."""
SCOTT_MEANS: Mapping[bool, float] = {True: 21.2, False: 19.5}
"""Published means of placed cards in Walter Scott under greedy play, by `waste_rebare`."""
_SHARE_ROUNDING, _MEAN_ROUNDING, _STUCK_ROUNDING = 0.0005, 0.05, 0.00005
"""By how much the published shares, means and the share of stuck deals may differ from the true ones by rounding."""
_DEVIATIONS = 4.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure measured beside the published one."""

    name: str
    """What was measured."""
    published: float
    """The figure that RULES.md gives."""
    measured: float
    """The figure of this run."""
    error: float
    """Standard error of the run and of the published figure together."""
    deals: int
    """How many deals were played."""

    @property
    def agrees(self) -> bool:
        """Whether the figures differ by less than chance and rounding explain."""
        return abs(self.measured - self.published) <= _DEVIATIONS * self.error


def eleven_wins(deal: Sequence[int], places: int, courts: str) -> bool:
    """Tell whether a deal of Eleven Points comes out.

    Args:
        deal: The 52 ranks in dealing order.
        places: How many cards are laid out.
        courts: The option `courts`.
    """
    free = [0] * (KING + 1)
    for rank in deal[:places]:
        free[rank] += 1
    following = places
    while following < len(deal):
        taken = _eleven_group(free, courts)
        if not taken:
            return False
        for rank in taken:
            free[rank] -= 1
        for rank in deal[following : following + len(taken)]:
            free[rank] += 1
        following += len(taken)
    return True


def _eleven_group(free: Sequence[int], courts: str) -> tuple[int, ...]:
    """Return the ranks of some group of free cards that may be covered; nothing if there is none."""
    jacks, queens, kings = free[JACK:]
    present = (JACK,) * jacks + (QUEEN,) * queens + (KING,) * kings
    if present and (group := _COURT_GROUP[courts](present, free)):
        return group
    for low in range(1, 6):
        if free[low] and free[11 - low]:
            return (low, 11 - low)
    return ()


def _trio(present: tuple[int, ...], free: Sequence[int]) -> tuple[int, ...]:
    return (JACK, QUEEN, KING) if all(free[JACK:]) else ()


def _pair_equal(present: tuple[int, ...], free: Sequence[int]) -> tuple[int, ...]:
    return next(((rank, rank) for rank in (JACK, QUEEN, KING) if free[rank] > 1), ())


def _king_alone(present: tuple[int, ...], free: Sequence[int]) -> tuple[int, ...]:
    if free[KING]:
        return (KING,)
    return (JACK, QUEEN) if free[JACK] and free[QUEEN] else ()


_COURT_GROUP: Mapping[str, Callable[[tuple[int, ...], Sequence[int]], tuple[int, ...]]] = {
    "cover": lambda present, free: present[:1],
    "trio": _trio,
    "any3": lambda present, free: present[:3] if len(present) > 2 else (),
    "pair_any": lambda present, free: present[:2] if len(present) > 1 else (),
    "pair_equal": _pair_equal,
    "king_alone": _king_alone,
}


def scott_placed(stock: Sequence[int], waste_rebare: bool) -> int:
    """Return how many cards greedy play places in Walter Scott, the four bases among them.

    A card that two piles want goes to the pile of the higher base.

    Args:
        stock: The 48 ranks in the order in which they are turned.
        waste_rebare: The option of that name.
    """
    tops = [1, 2, 3, 4]
    placed = 4
    waste: list[int] = []
    for rank in stock:
        waste.append(rank)
        while waste and (base := _wanting(tops, waste[-1])):
            tops[base - 1] = waste.pop()
            placed += 1
            if not waste_rebare:
                waste.clear()
    return placed


def _wanting(tops: Sequence[int], rank: int) -> int:
    """Return the highest base whose pile wants the rank, 0 for none."""
    for base in (4, 3, 2, 1):
        if tops[base - 1] != KING and (tops[base - 1] + base - 1) % KING + 1 == rank:
            return base
    return 0


@cache
def _shuffled(seed: int, without_bases: bool = False) -> bytes:
    """Return the ranks of one pack in random order; for Walter Scott without one of each base."""
    ranks = [rank for rank in range(1, KING + 1) for _ in range(3 if without_bases and rank <= 4 else 4)]
    random.Random(seed).shuffle(ranks)
    return bytes(ranks)


def eleven_figure(courts: str, places: int, deals: int, seed: int = 0) -> Figure:
    """Return the measured share of deals that come out beside the published one."""
    won = sum(eleven_wins(_shuffled(seed + number), places, courts) for number in range(deals))
    published = Published(
        ELEVEN_TABLE[courts][places - SIZES.start], 200_000 if courts in ("trio", "cover") else 100_000
    )
    return _share_figure(f"eleven-points courts={courts} places={places}", published, won, deals)


@dataclass(frozen=True, slots=True)
class Published:
    """A published share of deals."""

    share: float
    """The share."""
    deals: int
    """From how many deals it was measured."""
    rounding: float = _SHARE_ROUNDING
    """By how much it may differ from the true share by rounding."""


def _share_figure(name: str, published: Published, hits: int, deals: int) -> Figure:
    """Return the measured share of deals beside the published one; both have their error of chance."""
    chance = max(published.share * (1 - published.share), 1 / deals)
    error = math.sqrt(chance / deals + chance / published.deals + (published.rounding / 2) ** 2)
    return Figure(name, published.share, hits / deals, error, deals)


def scott_figure(waste_rebare: bool, deals: int, seed: int = 0) -> Figure:
    """Return the measured mean of placed cards beside the published one."""
    placed = [scott_placed(_shuffled(seed + number, without_bases=True), waste_rebare) for number in range(deals)]
    name = f"walter-scott waste_rebare={str(waste_rebare).lower()}, cards placed"
    return _mean_figure(name, SCOTT_MEANS[waste_rebare], placed, _MEAN_ROUNDING)


def _mean_figure(name: str, published: float, counts: Sequence[int], rounding: float = 0.0) -> Figure:
    """Return the mean of counts beside the published one, which was rounded to that precision."""
    deals = len(counts)
    mean = sum(counts) / deals
    variance = sum((count - mean) ** 2 for count in counts) / max(1, deals - 1)
    return Figure(name, published, mean, math.sqrt(variance / deals + (rounding / 2) ** 2), deals)


STUCK_SHARE = Published(1 / 400, 10**9, _STUCK_ROUNDING)
"""Klondike deals in which no card can ever be moved (known by counting all deals, hence no error of chance)."""


def deal_figures(deals: int) -> Iterator[Figure]:
    """Yield what the deals of Klondike and Canfield must have: counts that are always so, and means over deals.

    The share of Klondike deals without a single move has been counted by others: one in 400.
    """
    common = get_rules("klondike-common")
    klondike = [common.deal(seed) for seed in range(deals)]
    stuck = [common.is_lost(position) for position in klondike]
    canfield = [get_rules("canfield").deal(seed) for seed in range(deals)]
    opened = [[pile[-1] for pile in p.tableau] for p in klondike]
    yield _mean_figure("klondike: cards in the columns", 28, [sum(map(len, p.tableau)) for p in klondike])
    yield _mean_figure(
        "klondike: of these face up", 7, [sum(c.face_up for pile in p.tableau for c in pile) for p in klondike]
    )
    yield _mean_figure("klondike: cards in the stock", 24, [len(p.stock) for p in klondike])
    yield _mean_figure("klondike: draws in one run", 8, [-(-len(p.stock) // 3) for p in klondike])
    yield _mean_figure("klondike: aces among the open cards", 7 / 13, [_ranked(cards, 1) for cards in opened])
    yield _share_figure("klondike-common: deals without a move", STUCK_SHARE, sum(stuck), deals)
    yield _mean_figure("canfield: cards in the reserve", 13, [len(p.reserve) for p in canfield])
    yield _mean_figure("canfield: cards in the columns", 4, [sum(map(len, p.tableau)) for p in canfield])
    yield _mean_figure("canfield: cards in the stock", 34, [len(p.stock) for p in canfield])
    yield _mean_figure("canfield: draws in one run", 12, [-(-len(p.stock) // 3) for p in canfield])
    yield _mean_figure(
        "canfield: base cards in the reserve", 13 * 3 / 51, [_ranked(p.reserve, p.base_rank) for p in canfield]
    )


def _ranked(cards: Iterable[PileCard], rank: int | None) -> int:
    """Return how many of the cards have that rank."""
    return sum(pile_card.card is not None and pile_card.card.rank == rank for pile_card in cards)


def figures(deals: int = 20_000, seed: int = 0) -> Iterator[Figure]:
    """Yield every figure of RULES.md that simulation can reproduce, one by one as it is measured."""
    yield from deal_figures(deals)
    for waste_rebare in (True, False):
        yield scott_figure(waste_rebare, deals, seed)
    for courts in ELEVEN_TABLE:
        for places in SIZES:
            yield eleven_figure(courts, places, deals, seed)
