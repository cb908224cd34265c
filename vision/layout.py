"""Cards on a table become the piles of a patience: one fitter for all patiences, which knows only table plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from kibitz.engine.piles import PileId
from kibitz.engine.table_plan import Faces, TablePlan
from kibitz.vision import hidden
from kibitz.vision.chains import Chain, Doubles, PlayerFrame, find_chains, player_frame
from kibitz.vision.gapped import joinings
from kibitz.vision.rows import matches
from kibitz.vision.slots import Match, has_grid, hides
from kibitz.vision.spots import place_points
from kibitz.vision.types import (
    FloatArray,
    Frame,
    Layout,
    PlacedCard,
    Question,
    QuestionKind,
    TableCard,
)

SURE_SIDE = 1.5
"""Votes of covered cards from which the player's side is taken as known."""
OTHER_SIDE = 1.5
"""Cost of a table seen from the side against the cards' votes, each."""
NEAR_BEST = 6.0
"""Fits that cost so much more than the best are no readings of the same table any more."""
STRANGE = 1.0
"""Weight of what the deal says of the face-down cards."""
WRONG_END = 0.6
"""Cost of a stock at the side of a grid at which it usually does not lie."""


def fit(
    cards: Sequence[TableCard], plan: TablePlan, frame: Frame | None = None, look: hidden.Look | None = None
) -> Layout:
    """Puts the cards of a reading to the places of a plan.

    Args:
        cards: of one reading, in pixels of the displayed picture.
        plan: of the patience.
        frame: the picture, whose size says which way is up.
        look: counts the face-down cards of a column by their strips; None = every count is doubtful.
    """
    return fits(cards, plan, frame, look, 1)[0]


def fits(
    cards: Sequence[TableCard],
    plan: TablePlan,
    frame: Frame | None = None,
    look: hidden.Look | None = None,
    most: int = 8,
) -> tuple[Layout, ...]:
    """Different ways in which the cards may lie, the likeliest first; who knows the rules may choose otherwise.

    Args:
        cards: of one reading, in pixels of the displayed picture.
        plan: of the patience.
        frame: the picture, whose size says which way is up.
        look: counts the face-down cards of a column by their strips; None = every count is doubtful.
        most: so many at most.
    """
    player = player_frame(cards, _size(cards, frame))
    if player is None:
        return (_empty(plan, cards),)
    found: dict[tuple[object, ...], _Fit] = {}
    for one in sorted(_options(cards, plan, player), key=lambda one: one.match.cost):
        found.setdefault(one.key(), one)
    best = min(one.match.cost for one in found.values())
    near = [one for one in found.values() if one.match.cost <= best + NEAR_BEST][: max(most, 3 if _hidden(plan) else 1)]
    looks = {side: hidden.Looked(look, cards, side) for side in {one.player for one in near}}
    layouts = [_layout(cards, plan, one, looks[one.player]) for one in near]
    return tuple(sorted(_weighed(layouts), key=lambda layout: layout.cost)[:most])


def _weighed(layouts: Sequence[tuple[Layout, float]]) -> list[Layout]:
    """The layouts with what the deal says added to their cost; to leave a column out is no way to please the deal."""
    most = max(len(layout.counted) for layout, _ in layouts)
    worst = max(strangeness for _, strangeness in layouts)
    weights = [strangeness if len(layout.counted) == most else worst for layout, strangeness in layouts]
    return [
        replace(layout, cost=layout.cost + STRANGE * weight)
        for (layout, _), weight in zip(layouts, weights, strict=True)
    ]


def _options(cards: Sequence[TableCard], plan: TablePlan, player: PlayerFrame) -> Iterator[_Fit]:
    """Fits seen from both sides, with columns in two parts joined or not."""
    spreads = frozenset(group.spread for group in plan.groups)
    for side in (player, player.turned()):
        if side is not player and abs(player.votes) > SURE_SIDE:
            continue
        extra = OTHER_SIDE * min(abs(player.votes), 1.0) if side is not player else 0.0
        single = find_chains(cards, side, spreads)
        for chains in joinings(single) if _hidden(plan) else (single,):
            for match in matches(chains, plan):
                match.cost += extra + _stock_cost(chains, match, plan)
                yield _Fit(side, _adopt(chains, match, plan), chains, side is not player)


def _hidden(plan: TablePlan) -> bool:
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


@dataclass(frozen=True, slots=True)
class _Fit:
    """A finished match with the frame and the chains it was made in."""

    player: PlayerFrame
    match: Match
    chains: list[Chain]
    turned: bool

    def key(self) -> tuple[object, ...]:
        """Equal for fits that say the same."""
        at = sorted((str(pile), self.chains[c].cards) for pile, c in self.match.at.items())
        return (self.turned, tuple(at))


def _size(cards: Sequence[TableCard], frame: Frame | None) -> tuple[int, int]:
    if frame is not None:
        return frame.size
    points = np.concatenate(
        [card.corners for card in cards if card.corners is not None] or [np.zeros((1, 2), np.float32)]
    )
    return max(1, round(float(points[:, 0].max()))), max(1, round(float(points[:, 1].max())))


def _empty(plan: TablePlan, cards: Sequence[TableCard]) -> Layout:
    piles: dict[PileId, tuple[PlacedCard, ...]] = {place.pile: () for place in plan.places()}
    return Layout(plan.game, MappingProxyType(piles), tuple(cards), quality=0.0)


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


def _layout(cards: Sequence[TableCard], plan: TablePlan, fitted: _Fit, looked: hidden.Looked) -> tuple[Layout, float]:
    match, chains, player = fitted.match, fitted.chains, fitted.player
    starts = place_points(plan, match, chains)
    counts, strangeness = _hidden_counts(plan, fitted, looked)
    piles: dict[PileId, tuple[PlacedCard, ...]] = {}
    for place in plan.places():
        chain = chains[match.at[place.pile]] if place.pile in match.at else None
        pile = tuple(PlacedCard(cards[k], cards[k].face_up, cards[k].corners) for k in chain.cards) if chain else ()
        piles[place.pile] = hidden.with_backs(pile, counts[place.pile].cards) if place.pile in counts else pile
    questions = [_how_many(pile, counted.choices) for pile, counted in counts.items() if not counted.clear]
    questions = [*_unread(piles), *questions]
    used = {k for c in match.at.values() for k in chains[c].cards}
    strays = tuple(card for k, card in enumerate(cards) if k not in used)
    layout = Layout(
        plan.game,
        MappingProxyType(piles),
        strays,
        tuple(questions),
        MappingProxyType({pile: _outline(player, point) for pile, point in starts.items()}),
        _quality(match, len(used), len(cards)),
        match.pose.mirror,
        MappingProxyType({pile: counted.confidence for pile, counted in counts.items()}),
        frozenset(pile for pile, counted in counts.items() if counted.inferred),
        match.cost,
        fitted.turned,
    )
    return layout, strangeness


def _outline(player: PlayerFrame, point: Doubles) -> FloatArray:
    corners = point + np.asarray([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return player.picture(corners)


def _quality(match: Match, used: int, total: int) -> float:
    """Share of the cards that found a place, lowered by what the fit costs for each pile."""
    if not match.at or not total:
        return 0.0
    strain = max(match.cost, 0.0) / (len(match.at) + 4)
    return float(used / total * np.exp(-0.5 * max(strain - 0.5, 0)))


def _hidden_counts(
    plan: TablePlan, fitted: _Fit, looked: hidden.Looked
) -> tuple[dict[PileId, hidden.HiddenCount], float]:
    """The face-down cards of every column that may have some, and how badly they fit the deal."""
    at, chains = fitted.match.at, fitted.chains
    columns = [
        (place.pile, dealt)
        for group in plan.groups
        if hides(group)
        for place, dealt in zip(group.places, group.dealt_down or (None,) * len(group), strict=True)
        if place.pile in at
    ]
    counted = hidden.counts([chains[at[pile]] for pile, _ in columns], [dealt for _, dealt in columns], looked)
    return {pile: one for (pile, _), one in zip(columns, counted.columns, strict=True)}, counted.strangeness


def _how_many(pile: PileId, choices: Sequence[int]) -> Question:
    near = [*choices, *(n for n in (choices[0] + 1, choices[0] - 1) if n >= 0 and n not in choices)]
    return Question(QuestionKind.HOW_MANY_HIDDEN, None, pile, tuple(str(n) for n in near[:3]))


def _unread(piles: dict[PileId, tuple[PlacedCard, ...]]) -> list[Question]:
    """A question for every doubtful face-up card, with what it may be."""
    seen = Counter(
        placed.card.label for pile in piles.values() for placed in pile if placed.card and not placed.card.unsure
    )
    questions = []
    for pile, placed_cards in piles.items():
        for placed in placed_cards:
            if placed.card is not None and placed.face_up and placed.card.unsure:
                choices = tuple(label for label, _ in placed.card.alternatives(4) if not seen[label])
                questions.append(Question(QuestionKind.WHICH_CARD, placed.card.id, pile, choices))
    return questions
