"""How much a hint tells: that there is a move, which card it is about, or the whole move with its reason."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from kibitz.assistant.describe import join, move_text, pile_word, reason_text, verdict_text
from kibitz.assistant.findings import which_card
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.search.values import Advice, Verdict

if TYPE_CHECKING:
    from kibitz.assistant.words import Words
    from kibitz.engine.position import Position


class HintLevel(IntEnum):
    """How much is told."""

    THERE = 1
    CARD = 2
    MOVE = 3

    @property
    def more(self) -> HintLevel:
        """The next level; the highest stays."""
        return HintLevel(min(self + 1, HintLevel.MOVE))


class HintMode(StrEnum):
    """When a hint is given."""

    ASKED = "asked"
    """At a key or a typed word only."""
    PAUSE = "pause"
    """And when the player has made no move for a while."""
    ALWAYS = "always"
    """For every position."""


def hint_texts(words: Words, position: Position, advice: Advice, level: HintLevel) -> tuple[str, ...]:
    """The sentences of a hint; how it ended where nothing is left to do.

    Args:
        words: the language.
        position: the table.
        advice: for this table; where it hangs on a doubtful card, that card is asked for.
        level: how much to tell.
    """
    move = advice.move
    if advice.question is not None:
        question = advice.question
        asked = which_card(words, position.game, (question.slot, None), tuple(map(str, question.choices)))
        return (asked.text,)
    if move is None:
        return (verdict_text(words, advice.verdict.value),)
    if level is HintLevel.THERE:
        texts = [words.text("hint-there")]
    elif level is HintLevel.CARD:
        texts = [_card_text(words, position, move)]
    else:
        texts = [move_text(words, position, move), reason_text(words, position, move, advice.reason.value)]
    if advice.loses or advice.verdict is Verdict.LOST:
        texts.append(words.text("hint-lost"))
    return tuple(texts)


def _card_text(words: Words, position: Position, move: Move) -> str:
    """The card or the pile that the move is about."""
    if move.kind is MoveKind.COVER:
        piles = [position.pile(pile)[-1].card for pile in (move.target, *move.others) if pile and position.pile(pile)]
        return words.text("hint-cards", cards=join(words, [words.text("the-card", card=card) for card in piles], "and"))
    cards = move.cards or ()
    if move.source is not None and not cards:
        cards = tuple(card.card for card in position.pile(move.source)[-move.count :])
    if move.kind is MoveKind.MOVE and cards and cards[0] is not None:
        return words.text("hint-card", card=cards[0])
    if move.source is not None:
        return words.text("hint-pile", kind=pile_word(move.source, position.game), n=move.source.index + 1)
    return words.text("hint-deal")
