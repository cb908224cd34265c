"""From frames to what happened in the game: stillness, reading and following in one, without thread, clock or file.

`step` does it all at once, for films and benches. `kibitz watch` calls the parts: it sees every frame, reads in a
thread, and follows when the reading is there.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from kibitz.assistant.live.stillness import Glance, State, Stillness
from kibitz.assistant.placing import chosen

if TYPE_CHECKING:
    from kibitz.assistant.live.follows import Follows, Outcome
    from kibitz.engine.rules import Rules
    from kibitz.vision.pipeline import Reader
    from kibitz.vision.types import ByteArray, Frame, Layout, TableReading

WAYS = 16
"""So many ways to lay the cards are looked at."""
AGAIN_SECONDS = 0.8
MOST_AGAIN = 3
"""So often an unsettled table is looked at again while nothing on it changes."""
UNSETTLED = "unsettled"


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read of one settled picture.

    Attributes:
        frame: the picture.
        reading: its cards.
        layout: their places.
        others: further ways to lay the same cards; the game so far may know better.
        seconds: how long each stage took.
    """

    frame: Frame
    reading: TableReading
    layout: Layout
    others: tuple[Layout, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the settled table.

    Attributes:
        seen: what was read.
        outcome: what that means in the game.
        glance: why it was looked at; tells of a nudge.
        at: the time of the frame.
    """

    seen: Seen
    outcome: Outcome
    glance: Glance
    at: float


class Onlooker:
    """Looks on while a game is played."""

    def __init__(self, reader: Reader, rules: Rules, follower: Follows, stillness: Stillness | None = None) -> None:
        """Puts the parts together.

        Args:
            reader: reads the cards.
            rules: of the patience.
            follower: knows the game so far.
            stillness: decides when to look.
        """
        self.stillness = stillness or Stillness()
        self.follower, self.rules = follower, rules
        self._reader = reader
        self._again = 0

    def step(self, picture: ByteArray, now: float) -> Look | None:
        """Takes a frame; if the table must be looked at, what was found.

        Args:
            picture: (H, W, 3) BGR; it is kept, not copied.
            now: seconds by any steady clock.
        """
        glance = self.stillness.see(picture, now)
        if glance.state is not State.CHANGED:
            return None
        self.stillness.looked()
        return self.follow(self.read(picture), glance, now)

    def read(self, picture: ByteArray) -> Seen:
        """The cards of a picture at their places; changes nothing here, so it may run in a thread."""
        from kibitz.vision.layout import Sight, fits
        from kibitz.vision.picture import frame_of

        start = time.perf_counter()
        frame = frame_of(picture)
        reading = self._reader.read(frame, self.rules.decks)
        read = time.perf_counter()
        sight = Sight(frame, self._reader.look(frame), reading.faint)
        ways = fits(reading.cards, self.rules.plan(), sight, WAYS)
        layout = chosen(ways, self.rules)
        seconds = {"read": read - start, "fit": time.perf_counter() - read}
        others = tuple(way for way in ways if way.piles is not layout.piles)
        return Seen(frame, reading, layout, others, MappingProxyType(seconds))

    def follow(self, seen: Seen, glance: Glance, now: float) -> Look:
        """What the reading means in the game; an unsettled table is looked at again soon."""
        outcome = self.follower.look(seen.layout, seen.others)
        if glance.share > 0:
            self._again = 0
        if outcome.kind == UNSETTLED and self._again < MOST_AGAIN:
            self._again += 1
            self.stillness.look_again(now + AGAIN_SECONDS)
        return Look(seen, outcome, glance, now)
