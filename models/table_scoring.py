"""One read table against its truth: which cards were found, missed, doubtful or invented, and whether all is right."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kibitz.engine.cards import LABELS
from kibitz.models.shares import share_text
from kibitz.vision.types import TableReading

if TYPE_CHECKING:
    from kibitz.models.synth.truth import Scene

READABLE, HINTED = 0.8, 0.05
"""A card is asked for where one of its indices is seen to this share at least; where less, but something, it may be
reported or not."""


@dataclass(frozen=True, slots=True)
class TableScore:
    """Counts of one table.

    Attributes:
        wanted: face-up cards with a readable index.
        found: those reported with their label and not unsure.
        doubted: those reported with their label but unsure.
        wrong: cards reported as sure that are not on the table, or not so often.
        sure: cards reported as sure.
        unsure: cards reported as unsure.
        height: median index height, pixels.
    """

    wanted: int
    found: int
    doubted: int
    wrong: int
    sure: int
    unsure: int
    height: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether every readable card is there and nothing else was said."""
        return self.found == self.wanted and not self.wrong and not self.unsure

    @property
    def honest(self) -> bool:
        """Whether nothing wrong was given as sure, and every card that is missing was at least doubted."""
        return not self.wrong and self.found + self.unsure >= self.wanted

    def to_json(self) -> dict[str, Any]:
        """The counts by name."""
        return asdict(self)


def readable(scene: Scene) -> tuple[Counter[str], Counter[str]]:
    """Labels of the cards that must be read, and of those that may be."""
    seen: dict[int, float] = defaultdict(float)
    for index in scene.indices:
        seen[index.card] = max(seen[index.card], index.visible)
    must: Counter[str] = Counter()
    may: Counter[str] = Counter()
    for card in scene.cards:
        if card.face_up and card.label is not None:
            share = seen[card.id]
            if share >= READABLE:
                must[LABELS[card.label]] += 1
            elif max(share, card.visible) >= HINTED:
                may[LABELS[card.label]] += 1
    return must, may


def score(reading: TableReading, must: Counter[str], may: Counter[str] | None = None) -> TableScore:
    """The counts of one reading.

    Args:
        reading: of the picture.
        must: labels that must be read.
        may: labels of cards that hardly show; to report them is right, to leave them out too.
    """
    cards = [card for card in reading.cards if card.face_up and card.label is not None]
    sure = Counter(str(card.label) for card in cards if not card.unsure)
    doubtful = Counter(str(card.label) for card in cards if card.unsure)
    missing = must - sure
    wrong = sure - (must + (may or Counter()))
    return TableScore(
        sum(must.values()),
        sum((must & sure).values()),
        sum((missing & doubtful).values()),
        sum(wrong.values()),
        sum(sure.values()),
        sum(card.face_up and card.unsure for card in reading.cards),
        round(reading.index_height, 1),
    )


def rows(groups: Mapping[str, Sequence[TableScore]], title: str) -> Iterator[str]:
    """A table in Markdown, a row for each group and one for all."""
    yield f"| {title} | tables | found | doubted | wrong though sure | unsure of reported | tables exact | honest |"
    yield "| --- | ---: | --- | ---: | --- | --- | --- | --- |"
    for name, scores in {**groups, "all": [one for part in groups.values() for one in part]}.items():
        yield f"| {name} | {len(scores)} | " + " | ".join(_cells(scores)) + " |"


def _cells(scores: Sequence[TableScore]) -> Iterator[str]:
    def total(name: str, of: Iterable[TableScore] = scores) -> int:
        return sum(int(getattr(one, name)) for one in of)

    yield share_text(total("found"), total("wanted"))
    yield str(total("doubted"))
    yield share_text(total("wrong"), total("sure"))
    yield share_text(total("unsure"), total("sure") + total("unsure"))
    yield share_text(total("exact"), len(scores))
    yield share_text(total("honest"), len(scores))
