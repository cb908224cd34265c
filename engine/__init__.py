"""Rules and search; knows nothing of pictures.

```python
from kibitz.engine import get_rules

rules = get_rules("klondike")
position = rules.deal(seed=1)
for move in rules.legal_moves(position):
    print(move)
position = rules.apply(position, rules.legal_moves(position)[0])
print(position.multiline())
```
"""

from kibitz.engine.belief import Belief
from kibitz.engine.cards import LABELS, Card, PileCard, Suit
from kibitz.engine.errors import KibitzError
from kibitz.engine.moves import Move, MoveKind
from kibitz.engine.observation import Observation, Sighting
from kibitz.engine.options import Option
from kibitz.engine.piles import PileId, PileKind, Slot
from kibitz.engine.position import Position
from kibitz.engine.problems import Problem, ProblemKind
from kibitz.engine.registry import games, get_rules, rules_of
from kibitz.engine.rules import Rules

__all__ = [
    "LABELS",
    "Belief",
    "Card",
    "KibitzError",
    "Move",
    "MoveKind",
    "Observation",
    "Option",
    "PileCard",
    "PileId",
    "PileKind",
    "Position",
    "Problem",
    "ProblemKind",
    "Rules",
    "Sighting",
    "Slot",
    "Suit",
    "games",
    "get_rules",
    "rules_of",
]
