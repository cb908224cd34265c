"""What is wrong and what must be asked, from reading, layout and rules, as one kind of value with its sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz.assistant.describe import capital, join, pile_text, problem_text
from kibitz.assistant.table import counts
from kibitz.engine.piles import Slot
from kibitz.engine.problems import ProblemKind, status_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kibitz.assistant.table import Table
    from kibitz.assistant.words import Words
    from kibitz.engine.position import Position
    from kibitz.engine.rules import Rules
    from kibitz.engine.search.values import Question as SearchQuestion
    from kibitz.vision.types import Layout, Question, TableReading

MISCOUNTED = ProblemKind.BAD_COUNT | ProblemKind.TOO_FEW_CARDS | ProblemKind.TOO_MANY_CARDS


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        kind: a word for programs.
        text: a sentence for people.
        cards: labels of the cards concerned.
    """

    kind: str
    text: str
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """One question.

    Attributes:
        text: the sentence.
        card: number of the card in the picture, or None.
        choices: possible answers, likeliest first.
        slot: the place of the position that it is about, or None.
    """

    text: str
    card: int | None = None
    choices: tuple[str, ...] = ()
    slot: Slot | None = None


def reading_findings(words: Words, reading: TableReading) -> tuple[Finding, ...]:
    """What is odd about a picture as a whole."""
    found = []
    for problem in reading.problems:
        kind = problem.kind.value.replace("_", "-")
        cards = tuple(label for n in problem.cards if (label := reading.cards[n].label) is not None)
        values: dict[str, object] = {
            "has": 0,
            "needs": 0,
            "got": len(reading.cards),
            "card": cards[0] if cards else None,
        }
        values |= {key: _short(value) for key, value in problem.values.items()}
        values["card"] = problem.values.get("label", values["card"])
        found.append(Finding(kind, capital(words.text(f"problem-{kind}", **values)), tuple(dict.fromkeys(cards))))
    return tuple(found)


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.0f}"


def layout_findings(words: Words, layout: Layout, any_card: bool, least_quality: float) -> tuple[Finding, ...]:
    """Cards beside all places, or a table that is none of this patience."""
    if not any_card:
        return ()
    strays = tuple(card.label or "##" for card in layout.strays)
    if layout.quality < least_quality:
        return (other_game(words, layout.game, strays),)
    if not strays:
        return ()
    signs = ", ".join(words.sign(label) for label in strays)
    return (Finding("stray", words.text("problem-stray", count=len(strays), cards=signs), strays),)


def other_game(words: Words, game: str, strays: tuple[str, ...] = ()) -> Finding:
    """A table that is none of this patience."""
    name = words.text(f"game-{game}") if words.has(f"game-{game}") else game
    return Finding("other-game", words.text("problem-other-game", game=name), strays)


def position_findings(words: Words, rules: Rules, position: Position) -> tuple[Finding, ...]:
    """What is wrong with a position by the rules."""
    return tuple(
        Finding(problem.kind.code, problem_text(words, problem, position.game), tuple(map(str, problem.cards)))
        for problem in rules.problems(position)
    )


def miscounted(rules: Rules, position: Position) -> bool:
    """Whether some pile cannot have as many cards as were counted or left over for it."""
    return bool(status_of(rules.problems(position)) & MISCOUNTED)


def layout_questions(words: Words, layout: Layout, table: Table, miscount: bool = False) -> tuple[Asked, ...]:
    """What the layout asks, and every doubtful card that it does not ask for itself.

    Args:
        words: the language.
        layout: the piles.
        table: the position in them.
        miscount: the cards do not add up: where no count was doubtful, the least sure one is asked for after all.
    """
    asked = [_layout_question(words, layout, question, table) for question in layout.questions]
    if miscount and layout.counted and not any(counts(one) for one in layout.questions):
        pile = min(layout.counted, key=lambda name: layout.counted[name])
        where = pile_text(words, pile, layout.game, "in")
        asked.append(Asked(words.text("question-how-many-hidden", where=where)))
    known = {one.card for one in asked}
    for soft in table.soft:
        card = table.seen[soft.slot].card
        if card is not None and card.id not in known:
            choices = tuple(str(choice) for choice, _ in soft.candidates)
            asked.append(which_card(words, layout.game, (soft.slot, card.id), choices))
    return tuple(asked)


def _layout_question(words: Words, layout: Layout, question: Question, table: Table) -> Asked:
    where = pile_text(words, question.pile, layout.game, "in") if question.pile else words.text("somewhere")
    slot = table.slot_of(question.card) if question.card is not None else None
    if counts(question):
        text = words.text("question-how-many-hidden", where=where)
        return Asked(text, question.card, question.choices, slot)
    if question.kind.value == "which_card":
        return Asked(_which(words, where, question.choices), question.card, question.choices, slot)
    if question.kind.value == "which_side":
        return Asked(words.text("question-which-side"), None, question.choices, None)
    text = words.text("question-which-place", card=_label_of(layout, question.card))
    return Asked(text, question.card, question.choices, slot)


def _label_of(layout: Layout, number: int | None) -> str | None:
    cards = [*(placed.card for pile in layout.piles.values() for placed in pile), *layout.strays]
    return next((card.label for card in cards if card is not None and card.id == number), None)


def which_card(words: Words, game: str, at: tuple[Slot, int | None], choices: tuple[str, ...]) -> Asked:
    """Asks which card lies at a place: `at` is the place and the card's number in the picture."""
    where = pile_text(words, at[0].pile, game, "in")
    return Asked(_which(words, where, choices), at[1], choices, at[0])


def _which(words: Words, where: str, choices: Iterable[str]) -> str:
    names = [words.text("a-card", card=choice) for choice in list(choices)[:3]]
    if not names:
        return capital(words.text("question-which-card-open", where=where))
    return capital(words.text("question-which-card", where=where, choices=join(words, names, "or")))


def search_question(
    words: Words, table: Table, question: SearchQuestion, asked: tuple[Asked, ...]
) -> tuple[Asked, ...]:
    """The questions with the one first on which the advice depends."""
    rest = tuple(one for one in asked if one.slot != question.slot)
    same = next((one for one in asked if one.slot == question.slot), None)
    placed = table.seen.get(question.slot)
    number = placed.card.id if placed is not None and placed.card is not None else None
    choices = tuple(map(str, question.choices))
    first = same or which_card(words, table.position.game, (question.slot, number), choices)
    return (first, *rest)
