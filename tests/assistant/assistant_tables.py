"""Imaginary tables for the assistant's tests."""

from kibitz.engine import PileKind, Position, get_rules
from kibitz.vision.fakes import FakeTable, LaidCard

MIDGAME = (
    "klondike; stock: ############; waste: ##########JD; foundations: AD2D3D/AS2S/AH/-; "
    "tableau: -/-/KSQH/######TD9S8D/########5H4C/9C/##########JSTH"
)


def lay(position: Position, doubtful: dict[str, str] | None = None) -> FakeTable:
    """An imaginary table of a Klondike position; `doubtful` maps a label to another that looks the same."""
    plan = get_rules(position.game).plan()
    cards: list[LaidCard] = []
    for place in plan.places():
        pile = position.pile(place.pile)
        shown = pile if place.pile.kind is PileKind.TABLEAU else pile[-1:]
        for step, card in enumerate(shown):
            label = str(card.card) if card.face_up and card.card is not None else None
            x, y = 80 + 63 * place.x, 70 + 88 * place.y + 20 * step
            cards.append(LaidCard(label, x, y, like=(doubtful or {}).get(label or "")))
    return FakeTable(cards, size=(1500, 1200))
