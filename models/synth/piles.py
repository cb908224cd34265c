"""Positions to be shown: which cards lie in which pile.

These are plausible tables, not played games: the reader must not learn that columns always descend.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from kibitz.engine.cards import LABELS
from kibitz.models.synth.spec import TWO_DECKS, Kind, TableSpec

Piles = dict[str, list[str]]
"""Pile name -> card texts, bottom first: `TS` face up, `Ts` face down; `joker` and `blank` for cards that are none."""


NO_CARDS = ("joker", "blank")
"""Texts of what lies face up like a card and is none."""


class _Pack:
    """Shuffled cards that are drawn without replacement."""

    def __init__(self, decks: int, rng: np.random.Generator) -> None:
        self.rng = rng
        self.cards = [LABELS[i] for i in rng.permutation(52 * decks) % 52]

    def draw(self) -> str:
        """Any card that is left."""
        return self.cards.pop()

    def up(self, count: int) -> list[str]:
        """Face-up cards, as many as there are."""
        return [self.draw() for _ in range(min(count, len(self.cards)))]

    def down(self, count: int) -> list[str]:
        """Face-down cards, as many as there are."""
        return [text[0] + text[1].lower() for text in self.up(count)]

    def run(self, count: int) -> list[str]:
        """Face-up cards, descending in alternating colours where the pack still has such a card."""
        out = self.up(1)
        while out and len(out) < count and self.cards:
            rank, red = "A23456789TJQK".index(out[-1][0]), out[-1][1] in "DH"
            fitting = [c for c in self.cards if "A23456789TJQK".index(c[0]) == rank - 1 and (c[1] in "DH") != red]
            if not fitting:
                break
            self.cards.remove(fitting[0])
            out.append(fitting[0])
        return out

    def foundation(self, suit: str, height: int) -> list[str]:
        """Ace upward of one suit, as far as the pack still has the cards."""
        out = []
        for rank in "A23456789TJQK"[:height]:
            if rank + suit not in self.cards:
                break
            self.cards.remove(rank + suit)
            out.append(rank + suit)
        return out


def _klondike(pack: _Pack, progress: float, rng: np.random.Generator) -> Piles:
    piles: Piles = defaultdict(list)
    if progress:
        for number, suit in enumerate(rng.permutation(list("CDHS"))):
            piles[f"foundations/{number}"] = pack.foundation(suit, int(rng.integers(0, 2 + int(progress * 9))))
    if rng.random() < 0.06:  # white dummy cards mark the empty places
        for number in range(4):
            piles[f"foundations/{number}"].insert(0, "blank")
    for number in range(7):
        down = number if not progress else int(rng.integers(0, number + 1) * (1 - 0.7 * progress) + 0.5)
        length = 1 if not progress else int(rng.integers(1, 3 + int(7 * progress)))
        shown = pack.run(length) if rng.random() < 0.7 else pack.up(length)
        if progress and rng.random() < 0.08:
            shown, down = ([], 0) if rng.random() < 0.6 else ([], down)
        piles[f"tableau/{number}"] = pack.down(down) + shown
    left = len(pack.cards)
    waste = 0 if not progress else int(rng.integers(0, left + 1))
    piles["waste"] = pack.up(waste)
    piles["stock"] = pack.down(left - waste)
    return piles


def _canfield(pack: _Pack, progress: float, rng: np.random.Generator) -> Piles:
    piles: Piles = defaultdict(list)
    piles["foundations/0"] = pack.up(1)
    for number in range(1, 4):
        piles[f"foundations/{number}"] = pack.up(int(rng.integers(0, 2 + int(4 * progress)))) if progress else []
    for number in range(4):
        piles[f"tableau/{number}"] = pack.run(int(rng.integers(1, 2 + int(8 * progress))))
    piles["reserve"] = pack.up(int(13 * (1 - progress)))
    waste = int(rng.integers(0, 1 + len(pack.cards))) if progress else 0
    piles["waste"] = pack.up(waste)
    piles["stock"] = pack.down(len(pack.cards))
    return piles


def _mrs_mop(pack: _Pack, progress: float, rng: np.random.Generator) -> Piles:
    if not progress:
        return {f"tableau/{number}": pack.up(8) for number in range(13)}
    total = int(104 - 13 * int(rng.integers(0, 1 + int(7 * progress))))
    sizes = rng.multinomial(total, rng.dirichlet(np.full(13, 4.0)))
    return {f"tableau/{number}": pack.up(int(size)) for number, size in enumerate(sizes)}


def _walter(pack: _Pack, progress: float, rng: np.random.Generator) -> Piles:
    piles: Piles = defaultdict(list)
    for number in range(4):
        piles[f"bases/{number}"] = pack.up(int(rng.integers(0, 1 + int(12 * progress))))
    for number in range(13):
        piles[f"tableau/{number}"] = pack.up(4 if not progress else int(rng.integers(0, 5)))
    return piles


def _nineteenth(pack: _Pack, progress: float, rng: np.random.Generator) -> Piles:
    piles: Piles = defaultdict(list)
    for number in range(8):
        piles[f"foundations/{number}"] = pack.foundation(
            "CDHS"[number % 4], int(rng.integers(0, 1 + int(8 * progress)))
        )
    for number in range(18):
        piles[f"tableau/{number}"] = pack.up(3 if not progress else int(rng.integers(0, 6)))
    if rng.random() < 0.5 * progress:
        piles["auxiliary"] = pack.up(3)
        piles["aside/0"] = pack.down(3 * int(rng.integers(0, 4)))
    piles["stock"] = pack.down(int(len(pack.cards) * (1 - progress)))
    return piles


def _eleven(pack: _Pack, progress: float, rng: np.random.Generator) -> Piles:
    piles: Piles = {
        f"tableau/{number}": pack.up(1 + int(rng.integers(0, 1 + int(4 * progress)))) for number in range(12)
    }
    piles["stock"] = pack.down(len(pack.cards))
    return piles


_GAMES = {
    Kind.KLONDIKE: _klondike, Kind.CANFIELD: _canfield, Kind.MRS_MOP: _mrs_mop, Kind.WALTER: _walter,
    Kind.NINETEENTH_FAN: _nineteenth, Kind.ELEVEN_POINTS: _eleven,
}  # fmt: skip


def _loose(spec: TableSpec, pack: _Pack, rng: np.random.Generator) -> Piles:
    if spec.kind is Kind.EMPTY:
        return {}
    if spec.kind is Kind.FANS:
        return {f"cards/{number}": pack.up(int(rng.integers(5, 14))) for number in range(max(1, spec.count))}
    piles: Piles = {}
    for number in range(spec.count):
        backs = 0.0 if spec.kind in (Kind.GRID, Kind.SINGLE) else 0.12
        drawn = pack.down(1) if rng.random() < backs else pack.up(1)
        if rng.random() < 0.02:
            drawn = ["joker"]
        piles[f"cards/{number}"] = drawn
    return piles


def sample_piles(spec: TableSpec, rng: np.random.Generator) -> Piles:
    """The piles of a scene of this kind."""
    pack = _Pack(2 if spec.kind in TWO_DECKS else 1, rng)
    game = _GAMES.get(spec.kind)
    return _loose(spec, pack, rng) if game is None else game(pack, spec.progress, rng)
