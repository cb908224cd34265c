"""When to look: waits until nothing moves over the table, and tells whether it has changed since the last look.

Pure: frames and the time go in, glances come out; no thread, no clock, no file.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from kibitz.vision.tracking import Nudge, Small, changed, changed_besides, changed_share, reaching_in, register, small
from kibitz.vision.types import ByteArray

MOVING_SHARE = 0.004
CHANGED_SHARE = 0.0015
"""Share of the blocks: a card in the farthest corner of a big table is about three times as much."""
NUDGED_PIXELS = 0.002
"""Share of the picture's width by which the whole table must move to have been nudged."""
EARLY = 0.4
"""Share of the still time after which a look may be prepared."""
ARM = 0.015
"""Share of the picture that a changed area coming in over an edge takes when it is an arm and no card."""

MOST_ARM = 0.35
"""What is larger than this is no arm either: new light, another table, a fresh deal."""


class State(StrEnum):
    """What is going on over the table."""

    NOTHING = "nothing"
    """No frame has come yet."""
    MOVING = "moving"
    """Something moves."""
    HAND = "hand"
    """Nothing moves, but an arm seems to rest over the table."""
    STILL = "still"
    """The table lies as it was looked at."""
    CHANGED = "changed"
    """The table is still and must be looked at."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What one frame shows.

    Attributes:
        state: what is going on.
        nudge: how the whole table has moved since the last look, where it has.
        share: part of the picture that has changed besides.
    """

    state: State
    nudge: Nudge | None = None
    share: float = 0.0


@dataclass(slots=True)
class Stillness:
    """Follows the frames of a camera.

    Attributes:
        seconds: how long the table must be still.
        hand_seconds: so long an arm at rest is waited for before the table is looked at nevertheless.
    """

    seconds: float = 0.6
    hand_seconds: float = 2.5
    period: int = field(default=0, init=False)
    """Number of the still time that lasts now: it grows with every movement."""
    _last: Small | None = field(default=None, init=False)
    _picture: ByteArray | None = field(default=None, init=False)
    _anchor: Small | None = field(default=None, init=False)
    _still_since: float = field(default=0.0, init=False)
    _looked: ByteArray | None = field(default=None, init=False)
    _looked_small: Small | None = field(default=None, init=False)
    _glance: Glance | None = field(default=None, init=False)
    _again_at: float | None = field(default=None, init=False)

    def see(self, picture: ByteArray, now: float) -> Glance:
        """Takes a frame.

        Args:
            picture: (H, W, 3) BGR; it is kept, not copied.
            now: seconds by any steady clock.
        """
        current = small(picture)
        moved = self._last is None or changed_share(self._last, current) > MOVING_SHARE
        # A hand may creep: the frame is also compared with the one from which the stillness began.
        crept = self._anchor is not None and changed_share(self._anchor, current) > MOVING_SHARE
        if moved or crept:
            self._still_since, self._anchor, self._glance = now, current, None
            self.period += 1
        self._last, self._picture = current, picture
        return self.glance(now)

    def glance(self, now: float) -> Glance:
        """What is going on by the frames seen so far."""
        if self._last is None or self._picture is None:
            return Glance(State.NOTHING)
        if not self.is_still(now):
            return Glance(State.MOVING)
        if self._again_at is not None and now >= self._again_at:
            return Glance(State.CHANGED)
        return self._judged(self._picture, self._last, now)

    def early(self, now: float) -> bool:
        """Whether the table will have to be looked at, should it stay as still as it has been for a moment."""
        if self._last is None or self._picture is None or now - self._still_since < EARLY * self.seconds:
            return False
        return self._judged(self._picture, self._last, now).state is State.CHANGED

    def _judged(self, picture: ByteArray, current: Small, now: float) -> Glance:
        # A card may come so quickly that no frame shows it moving, so a table as it was is compared with every frame.
        if self._glance is None or self._glance.state is State.STILL:
            self._glance = self._compared(picture, current)
        elif self._glance.state is State.HAND and now - self._still_since >= self.seconds + self.hand_seconds:
            self._glance = replace(self._glance, state=State.CHANGED)
        return self._glance

    def is_still(self, now: float) -> bool:
        """Whether nothing has moved for long enough."""
        return self._last is not None and now - self._still_since >= self.seconds

    def should_look(self, now: float) -> bool:
        """Whether the table is still and not the one that was looked at last."""
        return self.glance(now).state is State.CHANGED

    def looked(self) -> None:
        """Remembers the table as it is now as looked at."""
        self._looked, self._looked_small = self._picture, self._last
        self._glance, self._again_at = None, None

    def look_again(self, at: float) -> None:
        """Asks for another look at that time, even if nothing changes until then."""
        self._again_at = at

    def _compared(self, picture: ByteArray, current: Small) -> Glance:
        """The still table against the one looked at last."""
        if self._looked is None or self._looked_small is None or self._looked.shape != picture.shape:
            return Glance(State.CHANGED, share=1.0)
        share = changed_share(self._looked_small, current)
        if share <= CHANGED_SHARE:
            return Glance(State.STILL, share=share)
        mask = changed(self._looked_small, current)
        nudge = register(self._looked, picture)
        if nudge is not None and nudge.pixels > NUDGED_PIXELS * picture.shape[1]:
            mask = changed_besides(self._looked, picture, nudge)
        else:
            nudge = None
        state = State.HAND if ARM <= reaching_in(mask) <= MOST_ARM else State.CHANGED
        return Glance(state, nudge, float(np.mean(mask)))
