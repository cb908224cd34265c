"""When to look: waits until nothing moves over the table, and tells whether it has changed since the last look."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Small = npt.NDArray[np.float32]

SIDE = 160
MOVING_SHARE = 0.004
CHANGED_SHARE = 0.0015
STEP = 18.0


def small(picture: Picture) -> Small:
    """A grey picture of about 160 pixels, each the mean of a block: cheap, and blind to the camera's noise."""
    height, width = picture.shape[:2]
    block = max(1, max(height, width) // SIDE)
    cut = picture[: height // block * block, : width // block * block, 1]
    blocks = cut.reshape(height // block, block, width // block, block)
    return np.asarray(blocks.mean(axis=(1, 3), dtype=np.float32), np.float32)


def changed_share(a: Small, b: Small) -> float:
    """Share of the blocks that differ; a change of the light as a whole does not count."""
    if a.shape != b.shape:
        return 1.0
    difference = b - a
    difference = difference - np.median(difference)
    return float((np.abs(difference) > STEP).mean())


@dataclass(slots=True)
class Stillness:
    """Follows the frames of a camera.

    Attributes:
        seconds: how long the table must be still.
    """

    seconds: float = 0.6
    _last: Small | None = field(default=None, init=False)
    _anchor: Small | None = field(default=None, init=False)
    _still_since: float = field(default=0.0, init=False)
    _looked: Small | None = field(default=None, init=False)

    def see(self, picture: Picture, now: float) -> None:
        """Takes a frame.

        Args:
            picture: (H, W, 3) BGR.
            now: seconds by any steady clock.
        """
        current = small(picture)
        moved = self._last is None or changed_share(self._last, current) > MOVING_SHARE
        # A hand may creep: the frame is also compared with the one from which the stillness began.
        crept = self._anchor is not None and changed_share(self._anchor, current) > MOVING_SHARE
        if moved or crept:
            self._still_since, self._anchor = now, current
        self._last = current

    def is_still(self, now: float) -> bool:
        """Whether nothing has moved for long enough."""
        return self._last is not None and now - self._still_since >= self.seconds

    def should_look(self, now: float) -> bool:
        """Whether the table is still and not the one that was looked at last."""
        if self._last is None or not self.is_still(now):
            return False
        return self._looked is None or changed_share(self._looked, self._last) > CHANGED_SHARE

    def looked(self) -> None:
        """Remembers the table as it is now as looked at."""
        self._looked = self._last
