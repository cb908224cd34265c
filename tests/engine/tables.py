"""Short ways to write a table and what may be done on it."""

from __future__ import annotations

from kibitz.engine import MoveKind, Position, rules_of


def table(text: str) -> Position:
    """The position; the text names only what lies on the table."""
    return Position.parse(text)


def moves(text: str) -> set[str]:
    """The legal moves of the table, as texts."""
    position = table(text)
    return {str(move) for move in rules_of(position).legal_moves(position)}


def due(text: str) -> list[str]:
    """What is pending on the table, as texts."""
    position = table(text)
    return [str(move) for move in rules_of(position).pending(position)]


def after(text: str, move: str) -> str:
    """The table after a move and its consequences, as text."""
    position = table(text)
    rules = rules_of(position)
    return str(rules.apply(position, rules.find_move(position, move)))


def kinds(text: str) -> set[str]:
    """The codes of the table's problems."""
    position = table(text)
    return {problem.kind.code for problem in rules_of(position).problems(position)}


def runs_through_the_stock(text: str) -> int:
    """How often the stock can be run through if nothing else is done; at most ten times."""
    position = table(text)
    rules = rules_of(position)
    runs = 0
    for _ in range(100):
        stock_moves = [move for move in rules.legal_moves(position) if move.kind in (MoveKind.DRAW, MoveKind.TURNOVER)]
        if not stock_moves or runs == 10:
            return runs
        position = rules.apply(position, stock_moves[0])
        runs += stock_moves[0].kind is MoveKind.DRAW and not position.stock
    raise AssertionError("the stock has no end")
