"""Where the first card of each pile lies in one variation of a patience, in card widths and card heights."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kibitz.engine.piles import PileId, PileKind
from kibitz.engine.rules import Rules
from kibitz.models.synth.manner import ABOVE, BELOW, BESIDE, LEAST_FAN_STEP, Manner

Rooms = dict[PileId, int]
Spots = dict[PileId, tuple[float, float]]
LEAST_GAP = 0.14
"""Card widths between a fan and its right neighbour."""


def _ids(kind: PileKind, count: int) -> list[PileId]:
    return [PileId.of(kind, index) for index in range(count)]


def _row(names: Sequence[PileId], at: tuple[float, float], pitch: float) -> Spots:
    return {name: (at[0] + pitch * index, at[1]) for index, name in enumerate(names)}


def _upright(names: Sequence[PileId], at: tuple[float, float], pitch: float) -> Spots:
    return {name: (at[0], at[1] + pitch * index) for index, name in enumerate(names)}


def _depth(manner: Manner, rooms: Rooms) -> float:
    """Card heights that the longest column takes below the middle of its first card."""
    steps = [min(manner.step * max(rooms.get(name, 1) - 1, 0), 3.3) for name in rooms if name.kind is PileKind.TABLEAU]
    return max(steps, default=0.0)


def _end(spots: Spots) -> float:
    return max(x for x, _ in spots.values())


def _klondike(manner: Manner, rooms: Rooms) -> Spots:
    pitch, down = manner.pitch, manner.row_pitch
    columns = _row(_ids(PileKind.TABLEAU, 7), (0.0, down), pitch)
    hand = {PileId.of(PileKind.STOCK): (0.0, 0.0), PileId.of(PileKind.WASTE): (pitch, 0.0)}
    return {**hand, **columns, **_foundations(manner, rooms, (3 * pitch, 0.0), _end(columns) + pitch + 0.25)}


def _foundations(manner: Manner, rooms: Rooms, above: tuple[float, float], beside: float) -> Spots:
    names = _ids(PileKind.FOUNDATIONS, 4)
    if manner.foundations == BESIDE:
        return _upright(names, (beside, 0.0), manner.row_pitch)
    if manner.foundations == BELOW:
        return _row(names, (above[0], manner.row_pitch + _depth(manner, rooms) + 1.2), manner.pitch)
    return _row(names, above, manner.pitch)


def _canfield(manner: Manner, rooms: Rooms) -> Spots:
    pitch, down = manner.pitch, manner.row_pitch
    columns = _row(_ids(PileKind.TABLEAU, 4), (2 * pitch, down), pitch)
    stock, waste, reserve = (PileId.of(kind) for kind in (PileKind.STOCK, PileKind.WASTE, PileKind.RESERVE))
    if manner.reserve_fanned:
        columns = {name: (x + pitch * 0.6, y) for name, (x, y) in columns.items()}
        left = {stock: (0.0, 0.0), waste: (pitch, 0.0), reserve: (0.0, down)}
        above = (2.6 * pitch, 0.0)
    else:
        left = {reserve: (0.0, 0.0), stock: (0.0, down), waste: (0.0, 2 * down)}
        above = (2 * pitch, 0.0)
    return {**left, **columns, **_foundations(manner, rooms, above, _end(columns) + pitch + 0.25)}


def _mrs_mop(manner: Manner, rooms: Rooms) -> Spots:
    names = _ids(PileKind.TABLEAU, 13)
    first = names[: manner.columns]
    upper = {name: count for name, count in rooms.items() if name in first}
    lower = _depth(manner, upper) + 1.25
    return {**_row(first, (0.0, 0.0), manner.pitch), **_row(names[manner.columns :], (0.0, lower), manner.pitch)}


def _fan_grid(names: Sequence[PileId], manner: Manner, rooms: Rooms, at: tuple[float, float]) -> Spots:
    """Fans in rows; every column of the grid as wide as its widest fan."""
    spots: Spots = {}
    x = at[0]
    for column in range(manner.columns):
        here = names[column :: manner.columns]
        for row, name in enumerate(here):
            spots[name] = (x, at[1] + row * manner.row_pitch)
        longest = max((rooms.get(name, 1) for name in here), default=1)
        x += max(1.0 + manner.fan_step * (max(longest, 3) - 1) + LEAST_GAP, manner.pitch)
    return spots


def _walter(manner: Manner, rooms: Rooms) -> Spots:
    names = _ids(PileKind.TABLEAU, 13)
    fans = _fan_grid(names, manner, rooms, (0.0, 0.0))
    rows = -(-len(names) // manner.columns)
    bases = _ids(PileKind.BASES, 4)
    wide = _end(fans)
    if manner.foundations == BESIDE:
        return {**fans, **_upright(bases, (-1.6, 0.0), manner.row_pitch)}
    y = rows * manner.row_pitch + 0.1 if manner.foundations == BELOW else -manner.row_pitch - 0.1
    return {**fans, **_row(bases, (wide * 0.25, y), manner.pitch * 1.2)}


def _nineteenth(manner: Manner, rooms: Rooms) -> Spots:
    names, up = _ids(PileKind.TABLEAU, 18), _ids(PileKind.FOUNDATIONS, 8)
    fans = _fan_grid(names, manner, rooms, (0.0, 0.0))
    rows = -(-len(names) // manner.columns)
    under, over = rows * manner.row_pitch + 0.1, -manner.row_pitch - 0.1
    stock, aside, trial = PileId.of(PileKind.STOCK), PileId.of(PileKind.ASIDE), PileId.of(PileKind.AUXILIARY)
    far, near = (under, over) if manner.foundations == BELOW else (over, under)
    if manner.foundations == BESIDE:
        left = _upright(up[:4], (-2.6, 0.0), manner.row_pitch) | _upright(up[4:], (-1.4, 0.0), manner.row_pitch)
        return {**fans, **left, stock: (0.0, under), aside: (manner.pitch, under), trial: (3.2, under)}
    row = _row(up, (0.0, far), manner.pitch)
    if manner.pitch < 1.18:
        return {**fans, **row, stock: (0.0, near), aside: (manner.pitch, near), trial: (3.2, near)}
    end = _end(row) + 1.7
    return {**fans, **row, stock: (end, far), aside: (end + manner.pitch, far), trial: (_end(fans) * 0.4, near)}


def _eleven(manner: Manner, rooms: Rooms) -> Spots:
    names = [name for name in rooms if name.kind is PileKind.TABLEAU]
    pitch, down, columns = manner.pitch, manner.row_pitch, manner.columns
    places = {name: (index % columns * pitch, index // columns * down) for index, name in enumerate(names)}
    if manner.foundations == ABOVE:
        return {**places, PileId.of(PileKind.STOCK): (columns * pitch + 0.5, 0.0)}
    rows = -(-len(names) // columns)
    y = rows * down + 0.1 if manner.foundations == BELOW else (rows - 1) * down / 2
    x = (columns - 1) * pitch / 2 if manner.foundations == BELOW else columns * pitch + 0.5
    return {**places, PileId.of(PileKind.STOCK): (x, y)}


_SPOTS: dict[str, Callable[[Manner, Rooms], Spots]] = {
    "klondike": _klondike, "canfield": _canfield, "mrs-mop": _mrs_mop, "walter": _walter,
    "nineteenth-fan": _nineteenth, "eleven-points": _eleven,
}  # fmt: skip


def spots_of(rules: Rules, manner: Manner, rooms: Rooms) -> Spots:
    """The middle of the first card of every pile, x in card widths to the right, y in card heights to the player.

    Args:
        rules: of the patience.
        manner: the variation.
        rooms: the most cards that each pile holds.
    """
    spots = _SPOTS[rules.name](manner, rooms)
    return _turned_round(spots, manner, rooms) if manner.mirrored else spots


def _turned_round(spots: Spots, manner: Manner, rooms: Rooms) -> Spots:
    """The groups in opposite order; inside a group the order stays from left to right."""
    reach = {name: x + _width(name, manner, rooms) for name, (x, _) in spots.items()}
    total = min(x for x, _ in spots.values()) + max(reach.values())
    out: Spots = {}
    for kind in PileKind:
        for names in _rows_of([name for name in spots if name.kind is kind], spots):
            left, right = min(spots[name][0] for name in names), max(reach[name] for name in names)
            for name in names:
                out[name] = (spots[name][0] + total - left - right, spots[name][1])
    return out


def _rows_of(names: list[PileId], spots: Spots) -> list[list[PileId]]:
    """A grid keeps its left edge; anything else is turned as one group."""
    return [names] if names else []


def _width(name: PileId, manner: Manner, rooms: Rooms) -> float:
    return abs(manner.spread(name).face[0]) * max(rooms.get(name, 1) - 1, 0)


__all__ = ["LEAST_FAN_STEP", "Rooms", "Spots", "spots_of"]
