"""What is said about the game that is followed, and what the player may tell about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from kibitz.assistant.describe import capital, pile_text
from kibitz.assistant.live.commands import Command, Wish
from kibitz.assistant.live.telling import Told, first_texts, outcome_told, seen_texts, setup_texts, table_texts
from kibitz.engine.cards import Card

if TYPE_CHECKING:
    from kibitz.assistant.live.coach import Hint
    from kibitz.assistant.live.follows import Follows, Outcome
    from kibitz.assistant.live.onlooker import Look, Seen
    from kibitz.assistant.live.talker import Talker
    from kibitz.assistant.words import Words
    from kibitz.engine.belief import Belief
    from kibitz.engine.piles import PileId
    from kibitz.engine.position import Position
    from kibitz.engine.rules import Rules

OTHER_GAME = 0.5
"""Below this quality of the fit the table is another patience or a heap of cards."""
SERIOUS = frozenset({"nothing-found", "too-far", "blurred", "too-dark", "more-than-a-pack"})


class Journal(Protocol):
    """Keeps what happened, so that the game can be resumed and replayed."""

    def looked(self, look: Look) -> None:
        """A look at the settled table and what it meant."""

    def ordered(self, command: Command, outcome: Outcome) -> None:
        """The player told something about the game."""

    def hinted(self, hint: Hint) -> None:
        """A hint or a warning was given."""


class GameTalk:
    """Follows the game's story and tells it."""

    def __init__(self, words: Words, rules: Rules, follower: Follows, talker: Talker, journal: Journal) -> None:
        self._words, self._rules, self._follower = words, rules, follower
        self._talker, self._journal = talker, journal
        self._outcome: Outcome | None = None
        self._complained: tuple[str, ...] = ()
        self._told = Told()
        self.started = False
        self.moves_aloud = False
        """Whether every move that is seen is said: for whoever plays without a window."""

    @property
    def position(self) -> Position | None:
        """The table that is believed; None before the first."""
        return self._follower.position if self.started else None

    @property
    def belief(self) -> Belief | None:
        """What else may lie where."""
        return self._follower.belief

    @property
    def held(self) -> bool:
        """Whether nothing may be advised until table and game agree."""
        return self._told.held

    @property
    def wrong(self) -> frozenset[PileId]:
        """Piles that are not as they should be."""
        if self._outcome is None or not self.held:
            return frozenset()
        return frozenset(one.pile for one in self._outcome.differences)

    def resume(self) -> None:
        """The follower knows the game already."""
        self.started = True

    def setup(self, seen: Seen) -> tuple[tuple[str, ...], bool]:
        """What to change about the camera, and whether the game cannot start like that. Runs in the worker."""
        if self.started:
            return (), False
        complaints = setup_texts(self._words, seen)
        if any(problem.kind.value.replace("_", "-") in SERIOUS for problem in seen.reading.problems):
            return complaints, True
        if seen.layout.quality < OTHER_GAME:
            from kibitz.assistant.findings import other_game

            return (*complaints, other_game(self._words, seen.layout.game).text), True
        return complaints, False

    def complain(self, complaints: tuple[str, ...]) -> None:
        """Says what to change about the camera; the same is not said twice in a row."""
        if complaints and complaints != self._complained:
            self._talker.say(complaints, "game", alert=True)
        self._complained = complaints

    def take(self, look: Look, complaints: tuple[str, ...]) -> bool:
        """Tells what a look meant; True when it was the first good one."""
        self._journal.looked(look)
        outcome = look.outcome
        first = not self.started and outcome.kind == "started"
        if first:
            self.started = True
            if self._complained and not complaints:
                self._talker.remark("setup-good")
            self.complain(complaints)
        if look.glance.nudge is not None:
            self._talker.remark("watch-nudged")
        self._tell(outcome)
        if first and (wrong := first_texts(self._words, self._rules, look.seen)):
            self._talker.say(wrong, "table", alert=True)
        return first

    def order(self, command: Command) -> Callable[[], Outcome] | None:
        """What the player told, as work for the follower; None (and said so) where it makes no sense now."""
        follower = self._follower
        if not self.started and command.wish is not Wish.ANSWER:
            self._talker.remark("watch-nothing-yet")
            return None
        if command.wish is Wish.TAKE:
            return follower.take_as_is
        if command.wish is Wish.UNDO:
            return follower.undo
        if command.wish is Wish.CORRECT and command.slot is not None and command.card is not None:
            slot, card = command.slot, command.card
            return lambda: follower.correct(slot.pile, slot.index, card)
        return self._answer(command)

    def ordered(self, command: Command, outcome: Outcome) -> None:
        """What the player told has been taken in."""
        self.started = True
        self._journal.ordered(command, outcome)
        self._confirm(command)
        self._tell(outcome)

    def _confirm(self, command: Command) -> None:
        """A short answer to what the player told."""
        if command.wish is Wish.TAKE:
            self._talker.remark("follow-taken")
        elif command.wish is Wish.UNDO:
            self._talker.remark("follow-undo-done")
        elif command.slot is not None:
            where = capital(pile_text(self._words, command.slot.pile, self._rules.name, "in"))
            self._talker.remark("follow-corrected", where=where, card=command.card)

    def tell_table(self) -> None:
        """Says where every card lies."""
        if self.position is None:
            self._talker.remark("watch-nothing-yet")
        else:
            self._talker.say(table_texts(self._words, self.position), "table")

    def hinted(self, hint: Hint) -> None:
        """A hint was given."""
        self._journal.hinted(hint)

    def _tell(self, outcome: Outcome) -> None:
        before = self._outcome.position if self._outcome is not None else None
        if self.moves_aloud and outcome.kind == "followed" and outcome.moves and before is not None:
            self._talker.say(seen_texts(self._words, before, outcome), "seen")
        told = outcome_told(self._words, self._rules, outcome)
        if told.texts and told != self._told:
            self._talker.say(told.texts, told.topic, told.alert)
        elif not told.texts:
            self._talker.over("game")
        self._outcome, self._told = outcome, told

    def _answer(self, command: Command) -> Callable[[], Outcome] | None:
        question = self._outcome.question if self._outcome is not None else None
        if question is None:
            self._talker.remark("watch-no-question")
            return None
        choice: Card | str | None = command.card
        if choice is None and command.text.isdigit():
            number = int(command.text) - 1
            choice = question.choices[number] if 0 <= number < len(question.choices) else None
        if choice is None:
            self._talker.remark("watch-not-known", text=command.text)
            return None
        chosen = choice
        return lambda: self._follower.answer(question, chosen)
