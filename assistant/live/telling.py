"""What an outcome of following means to the player, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz.assistant.describe import capital, pile_text, pile_word
from kibitz.assistant.findings import layout_questions, miscounted, position_findings, reading_findings, which_card
from kibitz.assistant.table import table_of
from kibitz.engine.cards import PileCard
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import Pile, PileKind

if TYPE_CHECKING:
    from kibitz.assistant.live.follows import Differs, Outcome
    from kibitz.assistant.live.onlooker import Seen
    from kibitz.assistant.words import Words
    from kibitz.engine.position import Position
    from kibitz.engine.rules import Rules

MOST_DIFFERENCES = 3
MOST_MOVES, MOST_BARED, MOST_TEXTS = 3, 4, 2
SETUP_KINDS = frozenset({"nothing-found", "too-far", "blurred", "too-dark", "more-than-a-pack"})


@dataclass(frozen=True, slots=True)
class Told:
    """Sentences about one look.

    Attributes:
        texts: what is said.
        topic: what it is about.
        alert: whether it must be noticed at once.
        held: whether nothing may be advised until table and game agree.
    """

    texts: tuple[str, ...] = ()
    topic: str = ""
    alert: bool = False
    held: bool = False


def setup_texts(words: Words, seen: Seen) -> tuple[str, ...]:
    """What to change before a game can be followed: light, distance, the camera's place."""
    from kibitz.vision.view_check import cut_off, glaring

    texts = [one.text for one in reading_findings(words, seen.reading) if one.kind in SETUP_KINDS]
    cut = cut_off(seen.reading)
    texts += [words.text("setup-cut-off", side=side, count=count) for side, count in cut.items()]
    if glare := glaring(seen.frame, seen.reading):
        texts.append(words.text("setup-glare", count=len(glare)))
    return tuple(texts)


def first_texts(words: Words, rules: Rules, seen: Seen) -> tuple[str, ...]:
    """What is wrong with the table that a game is followed from, and what must be asked about it."""
    table = table_of(seen.layout, rules)
    found = position_findings(words, rules, table.position)
    asked = layout_questions(words, seen.layout, table, miscounted(rules, table.position))
    return (*(one.text for one in found[:MOST_TEXTS]), *(one.text for one in asked[:MOST_TEXTS]))


def outcome_told(words: Words, rules: Rules, outcome: Outcome) -> Told:
    """What the player is told after a look."""
    kind = outcome.kind.value
    if kind == "started":
        name = words.text(f"game-{rules.name}") if words.has(f"game-{rules.name}") else rules.name
        return Told((words.text("follow-started", game=name),), "game")
    if kind == "undone":
        return Told((words.text("follow-undone"),), "game")
    if kind == "followed" and rules.is_won(outcome.position):
        return Told((words.text("follow-won"),), "game", alert=True)
    if kind == "question":
        return Told((question_text(words, outcome),), "game", alert=True)
    differences = tuple(_difference_text(words, outcome, one) for one in outcome.differences[:MOST_DIFFERENCES])
    if kind == "illegal":
        return Told(_illegal_texts(words, outcome, differences), "game", alert=True, held=True)
    if kind == "out_of_step":
        texts = (words.text("follow-out-of-step"), *differences, words.text("follow-take"))
        return Told(texts, "game", alert=True, held=True)
    return Told()


def seen_texts(words: Words, before: Position, outcome: Outcome) -> tuple[str, ...]:
    """What the player did, for whoever cannot see the window: each move, and the cards that came in sight.

    Args:
        words: the language.
        before: the table before the moves.
        outcome: the moves that were followed, and the table after them.
    """
    texts = [text for move in outcome.moves[:MOST_MOVES] if (text := _seen_move(words, outcome.position, move))]
    if len(outcome.moves) > MOST_MOVES or not texts:
        texts = [words.text("follow-moved", count=len(outcome.moves))]
    known = {card.card for _, pile in before.all_piles() for card in pile if card.card is not None}
    shown = [card.card for _, pile in outcome.position.all_piles() for card in pile if card.face_up and card.card]
    bared = [words.card(card) for card in shown if card not in known]
    if bared:
        texts.append(words.text("seen-bared", cards=", ".join(bared[:MOST_BARED])))
    return tuple(texts)


def _seen_move(words: Words, after: Position, move: Move) -> str | None:
    """One move that was made; None where there is no short way to say it."""
    if move.kind is MoveKind.DRAW and after.waste:
        return words.text("seen-drawn", card=after.waste[-1].card)
    return _short_move(words, move, "seen")


def _short_move(words: Words, move: Move, prefix: str) -> str | None:
    """A card that went somewhere, by the messages `seen-…` or `illegal-…`."""
    if move.kind is not MoveKind.MOVE or move.card is None or move.target is None:
        return None
    if move.target.kind is PileKind.FOUNDATIONS:
        return words.text(f"{prefix}-up", card=move.card)
    if move.onto is not None:
        return words.text(f"{prefix}-onto", card=move.card, onto=move.onto)
    return words.text(f"{prefix}-place", card=move.card) if move.target.kind is PileKind.TABLEAU else None


def _illegal_texts(words: Words, outcome: Outcome, differences: tuple[str, ...]) -> tuple[str, ...]:
    """The move that was made against the rules, and how to put it back."""
    made = [text for move in outcome.moves[:MOST_MOVES] if (text := _short_move(words, move, "illegal"))]
    texts = made or [words.text("follow-illegal-plain"), *differences]
    for move in outcome.put_back[:MOST_MOVES]:
        if isinstance(move, Move) and move.card is not None and move.target is not None:
            kind = pile_word(move.target, outcome.position.game)
            texts.append(words.text("follow-put-back", card=move.card, kind=kind, n=move.target.index + 1))
    return (*texts, words.text("follow-take"))


def question_text(words: Words, outcome: Outcome) -> str:
    """The question about one card, with what it may be."""
    question = outcome.question
    if question is None:
        return ""
    choices = tuple(str(choice) for choice in question.choices)
    return which_card(words, outcome.position.game, (question.slot, None), choices).text


def _difference_text(words: Words, outcome: Outcome, one: Differs) -> str:
    """Where something else is seen than expected."""
    where = capital(pile_text(words, one.pile, outcome.position.game, "in"))
    expected = card_seen(words, one.expected, "nom")
    if one.seen is None:
        return words.text("follow-differs-empty", where=where, expected=expected)
    return words.text("follow-differs", where=where, seen=card_seen(words, one.seen, "acc"), expected=expected)


def table_texts(words: Words, position: Position) -> tuple[str, ...]:
    """Every pile in words, for whoever cannot see the window."""
    texts = []
    for name, pile in position.all_piles():
        if not pile and name.kind is not PileKind.TABLEAU:
            continue
        where = pile_text(words, name, position.game)
        texts.append(capital(words.text("table-pile", pile=where, cards=_cards_text(words, name.kind, pile))))
    return tuple(texts)


def _cards_text(words: Words, kind: PileKind, pile: Pile) -> str:
    """The cards of one pile: the top of a squared one, all open ones of a column."""
    if not pile:
        return words.text("table-empty")
    hidden = sum(1 for card in pile if not card.face_up)
    if kind in (PileKind.TABLEAU, PileKind.AUXILIARY):
        names = [words.card(card.card) for card in pile if card.face_up]
        return ", ".join([*([words.text("table-hidden", count=hidden)] if hidden else []), *names])
    if hidden == len(pile):
        return words.text("table-hidden", count=hidden)
    return words.text("table-top", card=words.card(pile[-1].card), count=len(pile))


def card_seen(words: Words, card: PileCard | None, case: str) -> str:
    """A card at a place, or what else is there, in a grammatical case: nom or acc."""
    if card is None:
        return words.text("follow-differs-none")
    if not card.face_up:
        return words.text("follow-differs-down" if case == "nom" else f"follow-differs-down.{case}")
    if words.language == "en":
        return words.text("a-card", card=card.card)
    return words.card(card.card, case)
