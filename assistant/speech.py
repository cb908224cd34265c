"""The sentences of an advice, in the order in which they are told: to the eye in the panel, to the ear by the voice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz.assistant.describe import move_text, reason_text, verdict_text

if TYPE_CHECKING:
    from kibitz.assistant.check import Judged
    from kibitz.assistant.words import Words

MOST_FINDINGS = 3
VAGUE = 0.15
"""A chance whose error is larger than this says nothing to a player."""
SERIOUS_KINDS = frozenset({"other-game", "nothing-found", "too-far", "blurred", "too-dark"})


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of the panel; the headline is larger, an alert has a warning bar."""

    text: str
    headline: bool = False
    alert: bool = False


def sentences(words: Words, judged: Judged) -> tuple[str, ...]:
    """What is said: the question or the move and why, or how it ended; first what is wrong, if that prevents advice."""
    texts = [finding.text for finding in judged.findings[:MOST_FINDINGS]] if blocked(judged) else []
    return (*texts, *_advice(words, judged))


def blocked(judged: Judged) -> bool:
    """Whether what is wrong matters more than the advice."""
    return judged.advice is None or any(finding.kind in SERIOUS_KINDS for finding in judged.findings)


def _advice(words: Words, judged: Judged) -> list[str]:
    advice = judged.advice
    if advice is None:
        return [judged.questions[0].text] if judged.questions else [words.text("no-advice")]
    if advice.question is not None and judged.questions:
        return [judged.questions[0].text]
    if advice.move is None:
        return [verdict_text(words, advice.verdict.value)]
    texts = [move_text(words, judged.position, advice.move)]
    texts.append(reason_text(words, judged.position, advice.move, advice.reason.value))
    return texts


def advice_lines(words: Words, judged: Judged) -> tuple[Line, ...]:
    """The panel: the advice as headline, its chance, then problems and questions."""
    told = _advice(words, judged)
    lines = [Line(told[0], headline=True), *(Line(text) for text in told[1:])]
    if (chance := chance_text(words, judged)) is not None:
        lines.append(Line(chance))
    alerts = [Line(finding.text, alert=True) for finding in judged.findings[:MOST_FINDINGS]]
    asked = [Line(question.text, alert=True) for question in judged.questions[:2] if question.text not in told]
    return (*(alerts + lines if blocked(judged) else lines + alerts), *asked)


def chance_text(words: Words, judged: Judged) -> str | None:
    """The chance to win, when it was estimated closely enough to be worth saying."""
    advice = judged.advice
    if advice is None or advice.move is None or advice.win_chance is None:
        return None
    if advice.error and advice.error > VAGUE:
        return None
    percent = round(100 * advice.win_chance)
    if not advice.error:
        return words.text("win-chance", percent=percent)
    return words.text("win-chance-error", percent=percent, error=max(1, round(100 * advice.error)))
