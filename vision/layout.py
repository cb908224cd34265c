"""Cards on a table become the piles of a patience: one fitter for all patiences, which knows only table plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from kibitz.engine.piles import PileId
from kibitz.engine.table_plan import TablePlan
from kibitz.vision import hidden
from kibitz.vision.chains import Doubles, PlayerFrame, player_frame
from kibitz.vision.fitted import Fit, hiding, options, with_faint
from kibitz.vision.lone import LoneBack, lone_backs
from kibitz.vision.slots import Match, hides
from kibitz.vision.spots import place_points
from kibitz.vision.types import (
    N_LABELS,
    CardOutlines,
    FloatArray,
    Frame,
    Layout,
    PlacedCard,
    Question,
    QuestionKind,
    TableCard,
)

NEAR_BEST = 6.0
"""Fits that cost so much more than the best are no readings of the same table any more."""
STRANGE = 1.0
"""Weight of what the deal says of the face-down cards."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a picture gives besides its cards.

    Attributes:
        frame: the picture, whose size says which way is up.
        look: counts the face-down cards of a column by their strips; None = every count is doubtful.
        faint: outlines that may be piles of backs.
    """

    frame: Frame | None = None
    look: hidden.Look | None = None
    faint: CardOutlines = field(default_factory=CardOutlines.empty)


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
    return fits(cards, plan, Sight(frame, look), 1)[0]


def fits(cards: Sequence[TableCard], plan: TablePlan, sight: Sight, most: int = 8) -> tuple[Layout, ...]:
    """Different ways in which the cards may lie, the likeliest first; who knows the rules may choose otherwise.

    Args:
        cards: of one reading, in pixels of the displayed picture.
        plan: of the patience.
        sight: what else the picture gives.
        most: so many at most.
    """
    player = player_frame(cards, _size(cards, sight.frame))
    if player is None:
        return (_empty(plan, cards),)
    found: dict[tuple[object, ...], Fit] = {}
    for one in sorted(options(cards, plan, player), key=lambda one: one.match.cost):
        found.setdefault(one.key(), one)
    best = min(one.match.cost for one in found.values())
    near = [one for one in found.values() if one.match.cost <= best + NEAR_BEST][: max(most, 3 if hiding(plan) else 1)]
    looks: dict[PlayerFrame, hidden.Looked] = {}
    for one in near:
        backs = lone_backs(sight.faint, cards, one.player)
        with_faint(one, plan, backs, len(cards))
        every = [*cards, *(_faint_card(len(cards) + n, back) for n, back in enumerate(backs))]
        looks.setdefault(one.player, hidden.Looked(sight.look, every, one.player, len(cards)))
    layouts = [_layout(cards, plan, one, looks[one.player]) for one in near]
    return tuple(sorted(_weighed(layouts), key=lambda layout: layout.cost)[:most])


def _faint_card(number: int, back: LoneBack) -> TableCard:
    return TableCard(number, False, np.zeros(N_LABELS, np.float32), back.score, corners=back.corners)


def _weighed(layouts: Sequence[tuple[Layout, float]]) -> list[Layout]:
    """The layouts with what the deal says added to their cost; to leave a column out is no way to please the deal."""
    most = max(len(layout.counted) for layout, _ in layouts)
    worst = max(strangeness for _, strangeness in layouts)
    weights = [strangeness if len(layout.counted) == most else worst for layout, strangeness in layouts]
    return [
        replace(layout, cost=layout.cost + STRANGE * weight)
        for (layout, _), weight in zip(layouts, weights, strict=True)
    ]


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


def _layout(cards: Sequence[TableCard], plan: TablePlan, fitted: Fit, looked: hidden.Looked) -> tuple[Layout, float]:
    match, chains, player = fitted.match, fitted.chains, fitted.player
    starts = place_points(plan, match, chains)
    counts, strangeness = _hidden_counts(plan, fitted, looked)
    piles: dict[PileId, tuple[PlacedCard, ...]] = {}
    for place in plan.places():
        chain = chains[match.at[place.pile]] if place.pile in match.at else None
        pile = tuple(hidden.placed(looked.cards[k], looked.known) for k in chain.cards) if chain else ()
        piles[place.pile] = hidden.with_backs(pile, counts[place.pile].cards) if place.pile in counts else pile
    questions = [_how_many(pile, counted.choices) for pile, counted in counts.items() if not counted.clear]
    questions = [*_unread(piles), *questions]
    used = {k for c in match.at.values() for k in chains[c].cards if k < len(cards)}
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
    plan: TablePlan, fitted: Fit, looked: hidden.Looked
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
