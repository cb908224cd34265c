"""Stillness, reading and the real follower together: a move, one against the rules, and one taken back."""

import pytest
from assistant_tables import MIDGAME, lay
from live_fakes import SceneReader, scene

from kibitz.assistant.following import Follower
from kibitz.assistant.live.onlooker import Look, Onlooker
from kibitz.assistant.live.stillness import Stillness
from kibitz.engine import PileId, Position, get_rules

RULES = get_rules("klondike")
FIRST = Position.parse(MIDGAME)
MOVES = [RULES.find_move(FIRST, "T6-T7")]
SECOND = RULES.apply(FIRST, MOVES[0])
KING, ACE = PileId.parse("T3"), PileId.parse("T4")
WRONG = SECOND.replace_piles((KING, SECOND.pile(KING)[:-1]), (ACE, (*SECOND.pile(ACE), SECOND.pile(KING)[-1])))
TABLES = {60: lay(FIRST), 160: lay(SECOND), 260: lay(WRONG)}


def in_sight(position: Position) -> tuple[object, ...]:
    """What a camera can know: how a squared stock and waste share the cards is not to be seen."""
    return position.tableau, [pile[-1:] for pile in position.foundations], position.waste[-1:]


def watched(*shown: int) -> list[Look]:
    """The looks at these tables, one after the other, with a hand between them."""
    looker = Onlooker(SceneReader(TABLES), RULES, Follower(RULES), Stillness(0.5))  # type: ignore[arg-type]
    looks, now = [], 0.0
    for card_at in shown:
        for picture, count in ((scene(card_at, hand=True), 4), (scene(card_at), 40)):
            for _ in range(count):
                now += 0.1
                looks.append(looker.step(picture, now))
    return [look for look in looks if look is not None]


def test_a_move_is_followed() -> None:
    looks = watched(60, 160)
    assert [look.outcome.kind for look in looks] == ["started", "followed"]
    assert looks[1].outcome.moves == tuple(MOVES)
    assert in_sight(looks[1].outcome.position) == in_sight(SECOND)
    assert looks[1].at - looks[0].at == pytest.approx(4.4, abs=0.2)


def test_a_move_that_is_taken_back_is_no_new_move() -> None:
    looks = watched(60, 160, 60)
    assert [look.outcome.kind for look in looks] == ["started", "followed", "undone"]
    assert in_sight(looks[2].outcome.position) == in_sight(FIRST)


def test_a_move_against_the_rules_is_looked_at_twice_and_named() -> None:
    looks = watched(60, 160, 260, 160)
    assert [look.outcome.kind for look in looks] == ["started", "followed", "unsettled", "illegal", "unchanged"]
    illegal = looks[3].outcome
    assert in_sight(illegal.position) == in_sight(SECOND)
    assert [str(move) for move in illegal.moves] == ["T3-T4"]
    assert [str(move) for move in illegal.put_back] == ["T4-T3"]
