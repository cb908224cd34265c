"""Advice where cards were read doubtfully: the same in all likely worlds, or a question about the card that matters."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from kibitz.engine.belief import Belief, SoftSlot
from kibitz.engine.cards import Card
from kibitz.engine.moves import Move
from kibitz.engine.position import Position
from kibitz.engine.search.clock import Clock
from kibitz.engine.search.values import Advice, Limit, Question, Reason

__all__ = ["advise_softly"]

LIKELY = 0.05  # worlds rarer than this do not hold up the game
MOST_WORLDS = 8
HARDLY_WORSE = 0.03  # chance that a move may cost in a world where another one is best, before a question is worth it
Certain = Callable[[Position, Limit, Clock], Advice]


def advise_softly(position: Position, belief: Belief, limit: Limit, advise: Certain) -> Advice:
    """Return the advice shared by all likely readings, or a question about one doubtful card.

    Args:
        position: The table as read.
        belief: Its doubtful places with their candidates.
        limit: How long to think in all.
        advise: Gives advice where every reading is certain.
    """
    worlds = _likely_worlds(belief)
    share = replace(limit, seconds=None if limit.seconds is None else limit.seconds / max(1, len(worlds)))
    answers: list[tuple[tuple[Card, ...], Advice]] = []
    for cards in worlds:
        world = belief.position
        for one, card in zip(belief.soft, cards, strict=True):
            face_up = world.pile(one.slot.pile)[one.slot.index].face_up
            world = world.replace_slot(one.slot, card, face_up)
        answers.append((cards, advise(world, share, Clock(share))))
    shared = _shared([advice for _, advice in answers])
    if shared is not None:
        return shared
    return Advice(None, Reason.NOTHING_LEFT, question=_question(belief.soft, answers))


def _shared(answers: Sequence[Advice]) -> Advice | None:
    """Return the advice whose move is as good as the best in all worlds, from the likeliest world that has it."""
    return next((one for one in answers if all(_as_good(one.move, other) for other in answers)), None)


def _as_good(move: Move | None, advice: Advice) -> bool:
    """Tell whether the move is the best one there or hardly worse."""
    if move == advice.move:
        return True
    if advice.win_chance is None or advice.move is None:
        return False
    chances = [one.win_chance for one in advice.alternatives if one.move == move and one.win_chance is not None]
    return bool(chances) and advice.win_chance - chances[0] <= HARDLY_WORSE


def _likely_worlds(belief: Belief) -> list[tuple[Card, ...]]:
    """Return the joint readings that are possible and not too rare, likeliest first."""
    weighed: list[tuple[float, tuple[Card, ...]]] = []
    for joint in itertools.islice(itertools.product(*(_normal(one) for one in belief.soft)), 4096):
        cards = tuple(card for card, _ in joint)
        if all(cards.count(card) <= belief.unseen.count(card) for card in cards):
            weight = 1.0
            for _, chance in joint:
                weight *= chance
            weighed.append((weight, cards))
    weighed.sort(key=lambda pair: -pair[0])
    total = sum(weight for weight, _ in weighed) or 1.0
    likely = [cards for weight, cards in weighed if weight / total >= LIKELY]
    return (likely or [cards for _, cards in weighed[:1]])[:MOST_WORLDS]


def _normal(one: SoftSlot) -> list[tuple[Card, float]]:
    total = sum(weight for _, weight in one.candidates)
    ranked = sorted(one.candidates, key=lambda pair: -pair[1])
    return [(card, weight / total) for card, weight in ranked[:4]]


def _question(soft: Sequence[SoftSlot], answers: Sequence[tuple[tuple[Card, ...], Advice]]) -> Question:
    """Return the question about the place whose card decides most about the move."""
    best, best_score = 0, -1.0
    for index in range(len(soft)):
        groups: dict[Card, list[Move | None]] = defaultdict(list)
        for cards, advice in answers:
            groups[cards[index]].append(advice.move)
        agreeing = sum(max(map(moves.count, moves)) for moves in groups.values())
        score = agreeing + 0.001 * len(groups)
        if len(groups) > 1 and score > best_score:
            best, best_score = index, score
    choices = sorted(_normal(soft[best]), key=lambda pair: -pair[1])
    return Question(soft[best].slot, tuple(card for card, _ in choices))
