"""Moves, problems, questions and verdicts in words: picks the message and hands it its values."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.assistant.words import Words
from kibitz.engine.cards import Card
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, ProblemKind

FANS = frozenset({"walter", "nineteenth-fan"})
PLACES = frozenset({"eleven-points"})
MOST_NAMED = 6
"""So many missing cards are named; of more only the number is told."""


def pile_word(pile: PileId | None, game: str) -> str:
    """What a pile is called in the messages: column, fan or place for the tableau, else its kind."""
    if pile is None:
        return "column"
    if pile.kind is not PileKind.TABLEAU:
        return pile.kind.value
    return "fan" if game in FANS else "place" if game in PLACES else "column"


def pile_text(words: Words, pile: PileId, game: str, form: str = "") -> str:
    """A pile's name, such as "third column"; form ``gen`` of it, ``in`` in it."""
    return words.text(f"pile.{form}" if form else "pile", kind=pile_word(pile, game), n=pile.index + 1)


def move_text(words: Words, position: Position, move: Move) -> str:
    """A move as one sentence.

    Args:
        words: the language.
        position: the position in which the move is made.
        move: a legal move, with its cards.
    """
    maker = _SENTENCES.get(move.kind)
    return maker(words, position, move) if maker else words.text(f"move-{move.kind}", game=position.game)


def _cards(position: Position, move: Move) -> tuple[Card | None, ...]:
    if move.cards or move.source is None:
        return move.cards
    return tuple(pile_card.card for pile_card in position.pile(move.source)[-move.count :])


def _values(position: Position, move: Move) -> dict[str, object]:
    cards = _cards(position, move)
    target = move.target or move.source
    return {
        "card": cards[0] if cards else None,
        "last": cards[-1] if cards else None,
        "onto": move.onto,
        "count": move.count,
        "source": "tableau" if move.source is None else move.source.kind.value,
        "pile": pile_word(target, position.game),
        "kind": pile_word(target, position.game),
        "n": target.index + 1 if target is not None else 1,
        "game": position.game,
    }


def _transfer(words: Words, position: Position, move: Move) -> str:
    values = _values(position, move)
    many = "cards" if move.count > 1 else "card"
    target = move.target
    if target is None or target.kind is PileKind.TABLEAU:
        empty = target is not None and not position.pile(target)
        return words.text(f"move-{many}-empty" if empty else f"move-{many}-onto", **values)
    if target.kind is PileKind.FOUNDATIONS:
        if move.count == 1 and not position.pile(target):
            return words.text("move-ace-up", **values)
        return words.text(f"move-{many}-up", **values)
    if target.kind is PileKind.BASES:
        return _base(words, position, target, values)
    if target.kind is PileKind.WASTE:
        return words.text("move-to-waste", **values)
    return words.text("move-card-onto", **values)


def _base(words: Words, position: Position, target: PileId, values: dict[str, object]) -> str:
    """Walter's base piles; the sum that the text teaches is said with the move: 8 + 4 = 12, a queen."""
    pile = position.pile(target)
    top = pile[-1].card if pile else None
    if top is None:
        return words.text("move-base-start", **values)
    step = target.index + 1
    raw = top.rank + step
    total = raw - 13 if raw > 13 else raw
    rank = words.text(f"rank-{'A23456789TJQK'[total - 1]}.art")
    numbers = {"top": top.rank, "sum": total, "raw": raw, "over": 1 if raw > 13 else 0}
    return words.text("move-base-play", **values, **numbers, rank=rank)


def _draw(words: Words, position: Position, move: Move) -> str:
    auxiliary = move.target is not None and move.target.kind is PileKind.AUXILIARY
    return words.text("move-draw-auxiliary" if auxiliary else "move-draw", count=move.count)


def _with_pile(words: Words, position: Position, move: Move) -> str:
    return words.text(f"move-{move.kind}", **_values(position, move))


def _cover(words: Words, position: Position, move: Move) -> str:
    piles = [pile for pile in (move.target, *move.others) if pile is not None]
    covered = [position.pile(pile)[-1].card if position.pile(pile) else None for pile in piles]
    names = join(words, [words.text("the-card", card=card) for card in covered], "and")
    known = [card for card in covered if card is not None]
    if len(known) == 2 and sum(card.rank for card in known) == 11:
        return words.text("move-cover-sum", cards=names, count=move.count, a=known[0].rank, b=known[1].rank)
    return words.text("move-cover", cards=names, count=move.count)


def _remove(words: Words, position: Position, move: Move) -> str:
    values = _values(position, move)
    return words.text("move-remove-plain" if values["card"] is None else "move-remove", **values)


_SENTENCES = {
    MoveKind.MOVE: _transfer,
    MoveKind.DRAW: _draw,
    MoveKind.FLIP: _with_pile,
    MoveKind.DEAL: _with_pile,
    MoveKind.COVER: _cover,
    MoveKind.REMOVE: _remove,
}


def join(words: Words, parts: Sequence[str], conjunction: str) -> str:
    """A list in words: "a, b and c"; conjunction ``and`` or ``or``."""
    if len(parts) < 2:
        return "".join(parts)
    return words.text(f"list-{conjunction}", head=", ".join(parts[:-1]), last=parts[-1])


def problem_text(words: Words, problem: Problem, game: str) -> str:
    """A problem of the position as one sentence."""
    where = pile_text(words, problem.piles[0], game, "in") if problem.piles else words.text("somewhere")
    first, last = (problem.cards[0], problem.cards[-1]) if problem.cards else (None, None)
    name = f"problem-{problem.kind.code}"
    if problem.kind in (ProblemKind.IMPOSSIBLE_RUN, ProblemKind.WRONG_BASE) and (
        first is None or (first == last and problem.kind is ProblemKind.IMPOSSIBLE_RUN)
    ):
        name += "-plain"
    if not words.has(name):
        return words.text("problem-unknown", kind=problem.kind.code)
    values: dict[str, object] = {
        "where": where,
        "card": first,
        "last": last,
        "got": problem.got or 0,
        "expected": problem.expected or 0,
    }
    if problem.kind is ProblemKind.TOO_FEW_CARDS:
        values |= _missing(words, problem)
    return capital(words.text(name, **values))


def _missing(words: Words, problem: Problem) -> dict[str, int | str | Card | None]:
    """Which cards are missing, and whether all of those named are."""
    lacking = (problem.expected or 0) - (problem.got or 0)
    count: int | str = 0
    if 0 < len(problem.cards) <= MOST_NAMED:
        count = "alone" if len(problem.cards) == lacking == 1 else "all" if len(problem.cards) == lacking else "some"
    return {"count": count, "lacking": lacking, "cards": ", ".join(words.sign(str(card)) for card in problem.cards)}


def capital(text: str) -> str:
    """The sentence with a capital first letter."""
    return text[:1].upper() + text[1:]


def verdict_text(words: Words, verdict: str) -> str:
    """How the game stands, in words."""
    return words.text("verdict-" + verdict.replace(" ", "-").replace("_", "-"))


def reason_text(words: Words, position: Position, move: Move | None, reason: str) -> str:
    """Why a move is proposed, as one sentence."""
    source = move.source if move is not None else None
    place = "" if source is None else pile_text(words, source, position.game, "gen" if words.language == "ru" else "")
    kind = "tableau" if source is not None and source.kind is PileKind.TABLEAU else "other"
    return words.text(f"reason-{reason}", **{"source": kind, "from": place})
