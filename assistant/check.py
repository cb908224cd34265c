"""A picture is read, put to the places of a patience, judged and advised: the way every look at the table takes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kibitz.assistant.findings import (
    Asked,
    Finding,
    layout_findings,
    layout_questions,
    miscounted,
    other_game,
    reading_findings,
)
from kibitz.assistant.placing import lay_out
from kibitz.assistant.table import Answers, Table, answered_layout, answered_reading, answered_table, table_of
from kibitz.engine.moves import Move
from kibitz.engine.position import Position
from kibitz.engine.rules import Rules
from kibitz.engine.search import Limit, advise
from kibitz.engine.search.values import Advice, Verdict

if TYPE_CHECKING:
    from kibitz.assistant.words import Words
    from kibitz.vision.pipeline import Reader
    from kibitz.vision.types import Frame, Layout, TableReading

OTHER_GAME = 0.5
"""Below this quality of the fit it is another patience or a heap of cards: no advice is given."""
CROWDED = "more-than-a-pack"
NO_ANSWERS = Answers({}, {}, {})


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known and advised of a position.

    Attributes:
        position: the table.
        pending: consequences that are still to be carried out.
        legal: every legal move.
        advice: None where there is nothing to build advice on.
        findings: what is wrong, in words.
        questions: what must be asked, in words.
    """

    position: Position
    pending: tuple[Move, ...]
    legal: tuple[Move, ...]
    advice: Advice | None
    findings: tuple[Finding, ...] = ()
    questions: tuple[Asked, ...] = ()

    @property
    def verdict(self) -> str:
        """How the game stands: open, won, lost or no win found."""
        if self.advice is None:
            return Verdict.OPEN.value
        return Verdict.LOST.value if self.advice.verdict is Verdict.CYCLING else self.advice.verdict.value


@dataclass(frozen=True, slots=True)
class Checked:
    """All that was found on one picture."""

    reading: TableReading
    layout: Layout
    table: Table
    judged: Judged


@dataclass(frozen=True, slots=True)
class Checker:
    """Looks at pictures of one patience.

    Attributes:
        rules: of the patience.
        words: the language of findings and questions.
        limit: how long to think.
    """

    rules: Rules
    words: Words
    limit: Limit = field(default_factory=Limit)

    def look(self, reader: Reader, frame: Frame, answers: Answers = NO_ANSWERS) -> Checked:
        """Reads a picture and advises.

        Args:
            reader: reads the cards.
            frame: the picture.
            answers: what the player has told.
        """
        reading = answered_reading(reader.read(frame, self.rules.decks), answers)
        layout = lay_out(reading, self.rules, frame, reader.look(frame), answers.side)
        return self.understand(reading, answered_layout(layout, answers), answers)

    def understand(self, reading: TableReading, layout: Layout, answers: Answers = NO_ANSWERS) -> Checked:
        """Judges and advises what was read and put to its places.

        Args:
            reading: the cards.
            layout: their places.
            answers: what the player has told.

        Raises:
            AnswerError: an answer fits nothing on the picture.
        """
        table = answered_table(table_of(layout, self.rules), answers)
        found = (
            *reading_findings(self.words, reading),
            *layout_findings(self.words, layout, bool(reading.cards), OTHER_GAME),
        )
        if any(finding.kind == CROWDED for finding in found):
            # Every card would be doubtful; the one thing worth saying is that the patience is another.
            found = (other_game(self.words, layout.game), *(one for one in found if one.kind == CROWDED))
            return Checked(reading, layout, table, _silent(table, found, ()))
        questions = layout_questions(self.words, layout, table, miscounted(self.rules, table.position))
        usable = bool(reading.cards) and layout.quality >= OTHER_GAME
        judged = judge(self, table, found, questions) if usable else _silent(table, found, questions)
        return Checked(reading, layout, table, judged)


def _silent(table: Table, found: tuple[Finding, ...], questions: tuple[Asked, ...]) -> Judged:
    """What is said of a table that is none of this patience."""
    return Judged(table.position, (), (), None, found, questions)


def without_chances(advice: Advice) -> Advice:
    """The move without figures and verdicts: on a table that cannot be, nothing is known of winning."""
    others = tuple(replace(other, win_chance=None, error=None, loses=False) for other in advice.alternatives)
    verdict = Verdict.OPEN if advice.move is not None else advice.verdict
    return replace(advice, win_chance=None, error=None, alternatives=others, verdict=verdict, loses=False)


def judge(checker: Checker, table: Table, found: tuple[Finding, ...] = (), asked: tuple[Asked, ...] = ()) -> Judged:
    """Problems, moves and advice of a position.

    Args:
        checker: rules, language and limit.
        table: the position with its doubtful cards.
        found: what was found before, on the picture.
        asked: what was asked before.
    """
    from kibitz.assistant.findings import position_findings, search_question

    rules, position = checker.rules, table.position
    wrong = position_findings(checker.words, rules, position)
    found = (*found, *wrong)
    belief = table.belief()
    advice = advise(position, belief, checker.limit) if belief is not None else None
    if advice is not None and wrong:
        advice = without_chances(advice)
    if advice is not None and advice.question is not None:
        asked = search_question(checker.words, table, advice.question, asked)
    return Judged(position, rules.pending(position), rules.legal_moves(position), advice, found, asked)
