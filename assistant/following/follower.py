"""Keeps the position of a game on a real table from look to look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from kibitz.assistant.following.evidence import MISREAD, Evidence
from kibitz.assistant.following.odd import (
    MOVED_PILE,
    Step,
    dealt_anew,
    differing,
    illegal_move,
    remember,
    with_overlooked,
)
from kibitz.assistant.following.outcome import CardQuestion, Difference, Outcome, OutcomeKind
from kibitz.assistant.following.search import MOST_UNDONE, Story, StorySearch, read_new
from kibitz.assistant.table import table_of
from kibitz.engine.belief import Belief, SoftSlot
from kibitz.engine.cards import Card
from kibitz.engine.errors import BeliefError
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, Slot
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.vision.types import Layout

LEFT = MISREAD + 0.6
"""What may stay unexplained: one card that is surely misread, or one overlooked."""
MARGIN = 0.8
"""How much dearer the next explanation must be."""
PATIENCE = 1
"""Odd looks in a row that are put down to a hand or a half-made move."""


class Follower:
    """Follows one game. Knows no clock and no files: a look goes in, what it means comes out."""

    def __init__(self, rules: Rules, position: Position | None = None, history: Sequence[Step] = ()) -> None:
        """Starts before the first look, or resumes.

        Args:
            rules: of the patience.
            position: the table that is believed.
            history: the moves that led to it, oldest first.
        """
        self._rules = rules
        self.position = position
        self.history = list(history)
        self._soft: tuple[SoftSlot, ...] = ()
        self._seen: Layout | None = None
        self._odd = 0
        self._known_left: set[PileId] = set()

    @property
    def belief(self) -> Belief | None:
        """What else may lie where; None before the first look, or where cards contradict each other."""
        if self.position is None:
            return None
        open_places = set(self.position.unknown())
        soft = tuple(one for one in self._soft if one.slot in open_places)
        for tried in (soft, ()):
            try:
                return Belief.from_position(self.position, tried)
            except BeliefError:
                continue
        return None

    def look(self, layout: Layout, others: Sequence[Layout] = ()) -> Outcome:
        """What a settled table means.

        Args:
            layout: the cards at their places.
            others: further ways to lay the same cards; the one that the game explains best counts.
        """
        if self.position is None:
            return self._start(layout)
        stories: list[Story] = []
        best: tuple[Layout, Evidence] | None = None
        for way in self._likeliest((layout, *others)):
            evidence = Evidence(self._rules, way, self.position)
            found = StorySearch(self._rules, evidence).run(
                self._roots(), [step.move for step in reversed(self.history)]
            )
            if not stories or found[0].cost < stories[0].cost - MARGIN:
                stories, best = found, (way, evidence)
        assert best is not None
        self._seen, evidence = best
        outcome = self._accepted(stories) or self._odd_look(stories[0], evidence)
        if outcome.kind not in (OutcomeKind.UNSETTLED, OutcomeKind.ILLEGAL, OutcomeKind.OUT_OF_STEP):
            self._odd = 0
        return outcome

    def take_as_is(self) -> Outcome:
        """Believes the table as it was seen last; the moves before it are forgotten."""
        if self._seen is None:
            return self._told(OutcomeKind.UNCHANGED)
        return self._start(self._seen)

    def undo(self) -> Outcome:
        """Forgets the last move, without a look."""
        if not self.history:
            return self._told(OutcomeKind.UNCHANGED)
        step = self.history.pop()
        self.position = step.before
        return self._told(OutcomeKind.UNDONE, (step.move,))

    def played(self, move: Move) -> Outcome:
        """Believes a legal move without a look.

        Raises:
            IllegalMoveError: it is not legal.
        """
        assert self.position is not None, "a move before the first look"
        after = self._rules.apply(self.position, move)
        self.history.append(Step(self.position, move))
        self.position = after
        return self._told(OutcomeKind.FOLLOWED, (move,))

    def answer(self, question: CardQuestion, choice: object) -> Outcome:
        """Takes the player's answer: a card, or its label."""
        card = choice if isinstance(choice, Card) else Card.parse(str(choice))
        return self.correct(question.slot.pile, question.slot.index, card)

    def correct(self, pile: PileId, index: int, card: Card) -> Outcome:
        """Takes the player's word for a card."""
        assert self.position is not None, "a correction before the first look"
        slot = Slot(pile, index)
        for other, held in self._rules_slots(card):
            if other != slot and held >= self._rules.decks:  # it cannot lie at both places: the old one was misread
                self.position = self.position.replace_slot(other, None, True)
        self.position = self.position.replace_slot(slot, card, self.position.pile(pile)[index].face_up)
        self._soft = tuple(one for one in self._soft if one.slot != slot)
        return self._told(OutcomeKind.UNCHANGED)

    def _rules_slots(self, card: Card) -> list[tuple[Slot, int]]:
        """Face-up places that hold the card, each with how many there are."""
        assert self.position is not None
        held = [
            Slot(name, k)
            for name, pile in self.position.all_piles()
            for k, one in enumerate(pile)
            if one.card == card and one.face_up
        ]
        return [(slot, len(held)) for slot in held]

    def _start(self, layout: Layout) -> Outcome:
        table = table_of(layout, self._rules)
        self.position, self._soft, self._seen = table.position, table.soft, layout
        self.history.clear()
        self._odd = 0
        return self._told(OutcomeKind.STARTED)

    def _told(self, kind: OutcomeKind, moves: tuple[Move, ...] = ()) -> Outcome:
        assert self.position is not None
        return Outcome(kind, self.position, moves)

    def _roots(self) -> list[Position]:
        assert self.position is not None
        return [self.position, *(step.before for step in reversed(self.history))]

    def _likeliest(self, ways: Sequence[Layout]) -> list[Layout]:
        """The two ways to lay the cards that differ least from the game."""
        assert self.position is not None
        if len(ways) == 1:
            return list(ways)
        believed = self.position
        cost = [sum(Evidence(self._rules, way, believed).costs(believed).values()) for way in ways]
        order = sorted(range(len(ways)), key=lambda k: cost[k])[:2]
        return [ways[k] for k in order]

    def _accepted(self, stories: Sequence[Story]) -> Outcome | None:
        """The cheapest story, where it is good enough and no other is nearly as good."""
        best = stories[0]
        assert self.position is not None
        if best.misfit > LEFT or not self._moved_piles_fit(best):
            return None
        if self._odd < PATIENCE and (self._overlooked(best) or self._left(best) - self._known_left):
            return None
        rival = next((one for one in stories[1:] if self._plays_otherwise(one, best)), None)
        margin = math.inf if rival is None else rival.cost - best.cost
        if margin < MARGIN and self._odd < PATIENCE:
            return None
        if margin < MARGIN / 4:
            return None
        return self._believe(best, 1 / (1 + math.exp(-margin)))

    def _left(self, story: Story) -> set[PileId]:
        """Piles that the story does not explain: a misread card; what is read so again and again is got used to."""
        return {name for name, cost in story.evidence.costs(story.position).items() if cost > MOVED_PILE}

    def _overlooked(self, story: Story) -> bool:
        """Whether a squared pile shows nothing at all: what was laid there meanwhile would not be noticed."""
        return any(
            name.kind in self._rules.squared and pile and pile[-1].face_up and story.evidence.is_bare(name)
            for name, pile in story.position.all_piles()
        )

    def _plays_otherwise(self, one: Story, best: Story) -> bool:
        return self._rules.key(one.position) != self._rules.key(best.position)

    def _moved_piles_fit(self, story: Story) -> bool:
        assert self.position is not None
        before = dict(self.position.all_piles())
        return all(
            story.evidence.cost(name, pile) <= MOVED_PILE
            for name, pile in story.position.all_piles()
            if before.get(name, ()) != pile
        )

    def _believe(self, story: Story, confidence: float) -> Outcome:
        story = self._as_taken_back(story)
        self._known_left = self._left(story)
        taken_back = self.history[len(self.history) - story.undone :]
        del self.history[len(self.history) - story.undone :]
        self.history += [Step(before, move) for before, move in zip(story.path, story.moves, strict=True)]
        self.position = read_new(self._rules, story.evidence, with_overlooked(story, self._left(story)))
        remember(self.history, self.position)
        kind, moves = OutcomeKind.UNCHANGED, story.moves
        if story.moves:
            kind = OutcomeKind.FOLLOWED
        elif story.undone:
            kind, moves = OutcomeKind.UNDONE, tuple(step.move for step in taken_back)
        question = self._question(story.evidence)
        kind = OutcomeKind.QUESTION if question is not None else kind
        return Outcome(kind, self.position, moves, confidence, question)

    def _as_taken_back(self, story: Story) -> Story:
        """The story as moves taken back, where its moves only lead back to an earlier table."""
        for k, step in enumerate(reversed(self.history[-MOST_UNDONE:]), 1):
            if story.moves and not story.undone and story.position == step.before:
                return replace(story, moves=(), path=(), undone=k)
        return story

    def _question(self, evidence: Evidence) -> CardQuestion | None:
        """The first card in sight that is doubtful; what it can be is kept for the adviser."""
        assert self.position is not None
        soft: dict[Slot, SoftSlot] = {}
        for slot in self._rules.unread(self.position):
            choices = evidence.new_card(slot.pile, len(self.position.pile(slot.pile)), slot.index)
            if len(choices) > 1:
                soft[slot] = SoftSlot(slot, choices)
        self._soft = tuple(soft.values())
        if not soft:
            return None
        slot, one = next(iter(soft.items()))
        return CardQuestion(slot, tuple(card for card, _ in one.candidates))

    def _odd_look(self, best: Story, evidence: Evidence) -> Outcome:
        """Nothing legal explains the table: a hand, then an illegal move, then out of step."""
        assert self.position is not None
        self._odd += 1
        differences = differing(self.position, evidence)
        if (dealt := self._dealt_anew(differences)) is not None:
            return dealt
        if self._odd <= PATIENCE:
            return Outcome(OutcomeKind.UNSETTLED, self.position, differences=differences)
        made = illegal_move(self._rules, self.position, evidence)
        if made is not None:
            assert made.source is not None
            assert made.target is not None
            back = Move.of(made.target, made.source, made.cards)
            return Outcome(OutcomeKind.ILLEGAL, self.position, (made,), differences=differences, put_back=(back,))
        return Outcome(OutcomeKind.OUT_OF_STEP, self.position, differences=differences)

    def _dealt_anew(self, differences: Sequence[Difference]) -> Outcome | None:
        """Where the rules allow to deal anew and nearly all piles differ: the table as it is seen, if complete."""
        assert self.position is not None
        assert self._seen is not None
        redeal = next((m for m in self._rules.legal_moves(self.position) if m.kind is MoveKind.REDEAL), None)
        if redeal is None or 2 * len(differences) < len(self.position.tableau):
            return None
        table = table_of(self._seen, self._rules)
        dealt = dealt_anew(self._rules, self.position, redeal, table.position)
        if dealt is None:
            return None
        self.position, self._soft, self._odd = dealt, table.soft, 0
        self.history.clear()
        return self._told(OutcomeKind.FOLLOWED, (redeal,))
