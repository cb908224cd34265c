"""All ways in which the chains of a table may lie on a plan, seen from both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.engine.table_plan import Faces, TablePlan
from kibitz.vision.chains import Chain, Doubles, PlayerFrame, find_chains
from kibitz.vision.gapped import joinings
from kibitz.vision.lone import LoneBack, nearest
from kibitz.vision.rows import matches
from kibitz.vision.slots import Match, has_grid, hides
from kibitz.vision.spots import place_points
from kibitz.vision.types import TableCard

SURE_SIDE = 1.5
"""Votes of covered cards from which the player's side is taken as known."""
OTHER_SIDE = 1.5
"""Cost of a table seen from the side against the cards' votes, each."""
WRONG_END = 0.6
"""Cost of a stock at the side of a grid at which it usually does not lie."""
FAINT_STOCK = 0.12
"""Least score of a faint outline that is taken for a stock anywhere beside a grid."""
COLUMN_NEAR = 0.4
"""Card widths by which a column of nothing but backs may lie off its place."""
COLUMN_DEEP = 1.6
"""Card heights that its last card may lie below the row's line."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A finished match with the frame and the chains it was made in.

    Attributes:
        player: how the table lies.
        match: which chain lies where.
        chains: all piles.
        turned: whether the player was taken to sit at the far side.
    """

    player: PlayerFrame
    match: Match
    chains: list[Chain]
    turned: bool

    def key(self) -> tuple[object, ...]:
        """Equal for fits that say the same."""
        at = sorted((str(pile), self.chains[c].cards) for pile, c in self.match.at.items())
        return (self.turned, tuple(at))


def options(cards: Sequence[TableCard], plan: TablePlan, player: PlayerFrame) -> Iterator[Fit]:
    """Fits seen from both sides, with columns in two parts joined or not."""
    spreads = frozenset(group.spread for group in plan.groups)
    for side in (player, player.turned()):
        if side is not player and abs(player.votes) > SURE_SIDE:
            continue
        extra = OTHER_SIDE * min(abs(player.votes), 1.0) if side is not player else 0.0
        single = find_chains(cards, side, spreads)
        for chains in joinings(single) if hiding(plan) else (single,):
            for match in matches(chains, plan):
                match.cost += extra + _stock_cost(chains, match, plan)
                yield Fit(side, _adopt(chains, match, plan), chains, side is not player)


def hiding(plan: TablePlan) -> bool:
    """Whether some piles of the plan begin with face-down cards of which only strips are seen."""
    return any(hides(group) for group in plan.groups)


def _stock_cost(chains: Sequence[Chain], match: Match, plan: TablePlan) -> float:
    """Beside a grid the stock lies where the plan has it: at the right, unless mirrored, and rather far than near."""
    backs = [chain.start for chain in chains if chain.face_down == len(chain)]
    faces = [chain.start for chain in chains if chain.face_down == 0]
    if not has_grid(plan) or not backs or not faces:
        return 0.0
    stock, middle = backs[0], np.median(np.stack(faces), axis=0)
    side = -1 if match.pose.mirror else 1
    return WRONG_END * float(side * (stock[0] - middle[0]) < -1) + WRONG_END / 2 * float(stock[1] > middle[1] + 0.5)


def _adopt(chains: list[Chain], match: Match, plan: TablePlan) -> Match:
    """Gives a lone pile of backs to an empty place where only backs lie, wherever the player has put it."""
    free = [c for c in range(len(chains)) if c not in match.at.values()]
    for group in plan.groups:
        if group.faces is not Faces.DOWN:
            continue
        backs = [c for c in free if chains[c].face_down == len(chains[c])]
        for place in group.places:
            if place.pile not in match.at and backs:
                match.at[place.pile] = backs.pop(0)
                free.remove(match.at[place.pile])
    return match


def with_faint(fitted: Fit, plan: TablePlan, backs: Sequence[LoneBack], first: int) -> None:
    """Fills empty places at which backs are expected with piles that were seen faintly only.

    Args:
        fitted: is changed.
        plan: of the patience.
        backs: what may be such piles, the clearest first.
        first: number of the first of them as a card.
    """
    match, left = fitted.match, list(backs)
    numbers = {id(back): first + n for n, back in enumerate(backs)}
    if not left or not match.at:
        return
    points = place_points(plan, match, fitted.chains)
    for group in plan.groups:
        for place in group.places:
            if place.pile in match.at or place.pile not in points:
                continue
            found = None
            if group.faces is Faces.DOWN and not group.rare:
                found = nearest(left, points[place.pile])
                if found is None and has_grid(plan) and left[0].score >= FAINT_STOCK:
                    found = left[0]
            elif hides(group):
                found = _column(left, points[place.pile])
            if found is not None:
                left.remove(found)
                fitted.chains.append(Chain((numbers[id(found)],), found.middle[None], 1))
                match.at[place.pile] = len(fitted.chains) - 1
            if not left:
                return


def _column(backs: Sequence[LoneBack], point: Doubles) -> LoneBack | None:
    """The last card of a column of nothing but backs."""
    below = [
        back
        for back in backs
        if abs(back.middle[0] - point[0]) < COLUMN_NEAR and -COLUMN_NEAR < back.middle[1] - point[1] < COLUMN_DEEP
    ]
    return max(below, key=lambda back: back.score, default=None)
