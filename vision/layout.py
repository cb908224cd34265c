"""Cards on a table become the piles of a patience: one fitter for all patiences, which knows only table plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType

import numpy as np

from kibitz.engine.piles import PileId
from kibitz.engine.table_plan import Faces, Spread, TablePlan
from kibitz.vision import hidden
from kibitz.vision.chains import Chain, Doubles, PlayerFrame, find_chains, player_frame
from kibitz.vision.rows import best_match
from kibitz.vision.slots import Match
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
OTHER_SIDE = 3.0
"""Cost of a table seen from the side against the cards' votes."""


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
    player = player_frame(cards, _size(cards, frame))
    if player is None:
        return _empty(plan, cards)
    spreads = frozenset(group.spread for group in plan.groups)
    options: list[tuple[float, int, PlayerFrame, list[Chain], Match]] = []
    for side in (player, player.turned()):
        if side is not player and abs(player.votes) > SURE_SIDE:
            continue
        chains = find_chains(cards, side, spreads)
        match = best_match(chains, plan)
        extra = OTHER_SIDE * min(abs(player.votes), 1.0) if side is not player else 0.0
        options.append((match.cost + extra, len(options), side, chains, match))
    _, _, side, chains, match = min(options, key=lambda option: option[:2])
    return _layout(cards, plan, _Fit(side, _adopt(chains, match, plan), chains), look)


class _Fit:
    """A finished match with the frame and the chains it was made in."""

    def __init__(self, player: PlayerFrame, match: Match, chains: list[Chain]) -> None:
        self.player, self.match, self.chains = player, match, chains


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


def _layout(cards: Sequence[TableCard], plan: TablePlan, fitted: _Fit, look: hidden.Look | None) -> Layout:
    match, chains, player = fitted.match, fitted.chains, fitted.player
    starts = place_points(plan, match, chains)
    counts = _hidden_counts(cards, plan, fitted, look)
    piles: dict[PileId, tuple[PlacedCard, ...]] = {}
    for place in plan.places():
        chain = chains[match.at[place.pile]] if place.pile in match.at else None
        pile = tuple(PlacedCard(cards[k], cards[k].face_up, cards[k].corners) for k in chain.cards) if chain else ()
        piles[place.pile] = hidden.with_backs(pile, counts[place.pile].cards) if place.pile in counts else pile
    questions = [_how_many(pile, counted.choices) for pile, counted in counts.items() if not counted.clear]
    questions = [*_unread(piles), *questions]
    used = {k for c in match.at.values() for k in chains[c].cards}
    strays = tuple(card for k, card in enumerate(cards) if k not in used)
    return Layout(
        plan.game,
        MappingProxyType(piles),
        strays,
        tuple(questions),
        MappingProxyType({pile: _outline(player, point) for pile, point in starts.items()}),
        _quality(match, len(used), len(cards)),
        match.pose.mirror,
        MappingProxyType({pile: counted.confidence for pile, counted in counts.items()}),
    )


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
    cards: Sequence[TableCard], plan: TablePlan, fitted: _Fit, look: hidden.Look | None
) -> dict[PileId, hidden.HiddenCount]:
    """The face-down cards of every column that may have some."""
    at, chains = fitted.match.at, fitted.chains
    columns = [
        place.pile
        for group in plan.groups
        if group.faces is Faces.MIXED and group.spread is not Spread.SQUARED
        for place in group.places
        if place.pile in at
    ]
    counted = hidden.count([chains[at[pile]] for pile in columns], cards, fitted.player, look)
    return dict(zip(columns, counted, strict=True))


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
