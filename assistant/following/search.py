"""The cheapest legal story from the believed position to what is seen: moves, and moves taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kibitz.assistant.following.evidence import Evidence
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules

MOVE, CONSEQUENCE, UNDO, GUESS = 1.0, 0.2, 1.6, 0.4
"""Costs of one move, of what a rule asks for after it, of taking one back, and of a card seen elsewhere only."""
MOST_MOVES, MOST_UNDONE, BEAM = 5, 5, 16
MOST_STORIES = 1200
"""A table that no story explains after so many is left to the next look."""
EXPLAINED, DIFFERS = 0.6, 0.4
"""Cost of all piles below which nothing needs explaining, and of one pile above which it does."""
MOST_WORSE = 1.0
"""A move that explains its own piles worse than before by more than this is no part of the story."""
AT_ONCE = 0.9
"""Chance of a label above which a card not known before is filled in."""
CONSEQUENCES = frozenset({MoveKind.FLIP, MoveKind.DEAL, MoveKind.REMOVE, MoveKind.ASIDE, MoveKind.COVER})


@dataclass(frozen=True, slots=True)
class Story:
    """One explanation.

    Attributes:
        position: the table it ends in.
        moves: made, after `undone` earlier ones were taken back.
        undone: moves taken back first.
        prior: what the moves cost.
        misfit: what the table does not explain.
        path: the position before each move.
        evidence: the reading, with the cards that were known when it began.
    """

    position: Position
    moves: tuple[Move, ...]
    undone: int
    prior: float
    misfit: float
    evidence: Evidence = field(compare=False)
    path: tuple[Position, ...] = ()

    @property
    def cost(self) -> float:
        """Less is likelier."""
        return self.prior + self.misfit


class StorySearch:
    """A beam over sequences of legal moves, led by the piles that differ."""

    def __init__(self, rules: Rules, evidence: Evidence) -> None:
        self._rules, self._evidence = rules, evidence
        self._best: dict[Position, Story] = {}
        self._made: tuple[Move | None, ...] = (None,)

    def run(self, roots: Sequence[Position], made: Sequence[Move] = ()) -> list[Story]:
        """All stories tried, the cheapest first.

        Args:
            roots: the believed position, and those before the last moves, newest first.
            made: the moves that led from each root but the first to the one before; taken back they are not made anew.
        """
        self._made = (None, *made)
        frontier = [_weighed(root, UNDO * k, self._evidence, k) for k, root in enumerate(roots[: MOST_UNDONE + 1])]
        for story in frontier:
            self._best.setdefault(story.position, story)
        for _ in range(MOST_MOVES):
            found: list[Story] = []
            for story in sorted(frontier, key=lambda one: one.cost)[:BEAM]:
                if len(self._best) > MOST_STORIES:
                    break
                if story.misfit > EXPLAINED and story.prior + CONSEQUENCE < self._limit():
                    found += self._improved(self._after(story))
            if not found:
                break
            frontier = found
        return sorted(self._best.values(), key=lambda one: one.cost)

    def _limit(self) -> float:
        return min(story.cost for story in self._best.values())

    def _improved(self, stories: Iterator[Story]) -> Iterator[Story]:
        for story in stories:
            known = self._best.get(story.position)
            if known is None or story.cost < known.cost - 1e-9:
                self._best[story.position] = story
                yield story

    def _after(self, story: Story) -> Iterator[Story]:
        evidence = story.evidence
        costs = evidence.costs(story.position)
        differing = {name for name, cost in costs.items() if cost > DIFFERS}
        due = set(self._rules.pending(story.position))
        for move in self._rules.legal_moves(story.position):
            if not _touches(move, differing) or (not story.moves and move == self._made[story.undone]):
                continue
            after = self._rules.act(story.position, move)
            if move.kind is MoveKind.MOVE and self._change(evidence, costs, move, after) > MOST_WORSE:
                continue
            prior = story.prior + (CONSEQUENCE if move in due or move.kind in CONSEQUENCES else MOVE)
            settled = self._rules.settle(after)
            for position in (after,) if settled == after else (after, settled):
                for filled, guess in self._filled(position, evidence):
                    found = _weighed(filled, prior + guess, evidence, story.undone)
                    yield replace(found, moves=(*story.moves, move), path=(*story.path, story.position))

    def _change(self, evidence: Evidence, costs: dict[PileId, float], move: Move, after: Position) -> float:
        """By how much the piles of a move explain the table worse than before."""
        touched = [name for name in (move.source, move.target) if name is not None]
        return sum(evidence.cost(name, after.pile(name)) - costs[name] for name in touched)

    def _filled(self, position: Position, evidence: Evidence) -> Iterator[tuple[Position, float]]:
        """The position with its new cards read where they lie; or, moved on at once, as a card seen elsewhere."""
        yield read_new(self._rules, evidence, position), 0.0
        places = self._rules.unread(position)
        if not places:
            return
        last, length = places[-1], len(position.pile(places[-1].pile))
        own = dict(evidence.new_card(last.pile, length, last.index))
        for card in evidence.fresh_labels():
            if card not in own:
                guessed = position.replace_slot(last, card, True)
                yield read_new(self._rules, evidence, guessed, last.pile), GUESS


def _weighed(position: Position, prior: float, evidence: Evidence, undone: int) -> Story:
    return Story(position, (), undone, prior, sum(evidence.costs(position).values()), evidence)


def read_new(rules: Rules, evidence: Evidence, position: Position, moving: PileId | None = None) -> Position:
    """The position with the cards filled in that came in sight and are clearly read.

    Args:
        rules: of the patience.
        evidence: what is seen.
        position: with cards not known.
        moving: a pile whose last card has already gone on when it is looked at.
    """
    for slot in rules.unread(position):
        length = len(position.pile(slot.pile)) - (slot.pile == moving)
        choices = evidence.new_card(slot.pile, length, slot.index)
        if choices and choices[0][1] >= AT_ONCE:
            position = position.replace_slot(slot, choices[0][0], True)
    return position


def _touches(move: Move, differing: set[PileId]) -> bool:
    """Whether a move concerns a pile that differs. Dealing anew is none of these: it leaves nothing to compare."""
    if move.kind in (MoveKind.TURNOVER, MoveKind.DRAW):
        return any(name.kind in (PileKind.STOCK, PileKind.WASTE, PileKind.AUXILIARY) for name in differing) or bool(
            {move.source, move.target} & differing
        )
    return move.kind is not MoveKind.REDEAL and bool({move.source, move.target, *move.others} & differing)


def physical_moves(position: Position, differing: set[PileId]) -> Iterator[tuple[Move, Position]]:
    """Every way to take cards off one differing pile and lay them on another, whatever the rules say."""
    for source in differing:
        pile = position.pile(source)
        faces = sum(card.face_up for card in pile)
        for count in range(1, min(faces, 4) + 1):
            cards = pile[-count:]
            for target in differing - {source}:
                onto = position.pile(target)
                moved = position.replace_piles((source, pile[:-count]), (target, (*onto, *cards)))
                under = onto[-1].card if onto else None
                yield Move.of(source, target, tuple(card.card for card in cards), under), moved
