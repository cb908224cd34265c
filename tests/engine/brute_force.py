"""A second, independent reading of the rules: tries every conceivable move on plain lists of texts.

It shares no code with the engine's generators. A card is a text as in JSON (`TS`, `Ts`, `##`, `??`); a pile is a list
with the free card last. `legal(position)` gives the texts of all legal moves of a position in which nothing is pending,
`due(position)` those of the consequences that are pending.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

RANKS = "A23456789TJQK"
MOST_STATES = 300
"""So many arrangements of the fans are looked at."""
PERHAPS = "perhaps draw"
"""Stands among the legal moves where that was not enough to tell whether cards may be drawn."""


def rank(card: str) -> int:
    return RANKS.index(card[0]) + 1


def known(card: str) -> bool:
    return card[1] in "CDHS" and card[0] in RANKS


def red(card: str) -> bool:
    return card[1] in "DH"


def top(pile: list[str]) -> str | None:
    return pile[-1] if pile and known(pile[-1]) else None


def pulled(data: dict[str, Any], kind: str) -> list[Any]:
    return data.get(kind, [])


class Table:
    """The piles of a position as lists, with the options filled in."""

    def __init__(self, data: dict[str, Any], options: dict[str, Any]) -> None:
        self.o = options
        self.t = [list(p) for p in data.get("tableau", [])]
        self.f = [list(p) for p in data.get("foundations", [])]
        self.b = [list(p) for p in data.get("bases", [])]
        self.s = list(data.get("stock", []))
        self.w = list(data.get("waste", []))
        self.r = list(data.get("reserve", []))
        self.x = list(data.get("auxiliary", []))
        self.a = [list(p) for p in data.get("aside", [])]
        self.turnovers = data.get("turnovers", 0)
        self.attempt = data.get("attempt", 1)
        self.base = data.get("base_rank")
        self.dead = data.get("waste_dead", False)


def up(t: Table, card: str, base: int) -> str | None:
    """The foundation that takes the card, as text; the first empty one for the base rank."""
    for i, pile in enumerate(t.f):
        if not pile and rank(card) == base:
            return f"F{i + 1}"
        if pile and known(pile[-1]) and pile[-1][1] == card[1]:
            nxt = rank(pile[-1]) % 13 + 1
            if nxt == rank(card) and nxt != base:
                return f"F{i + 1}"
    return None


def alternating(lower: str, upper: str, wrap: bool) -> bool:
    """Whether `upper` may lie on `lower`."""
    step = rank(lower) - rank(upper)
    return (step == 1 or (wrap and step == -12)) and red(lower) != red(upper)


def is_run(cards: list[str], wrap: bool) -> bool:
    return all(known(c) for c in cards) and all(
        alternating(cards[i], cards[i + 1], wrap) for i in range(len(cards) - 1)
    )


def text(source: str, target: str, count: int = 1) -> str:
    return f"{source}-{target}" + (f"*{count}" if count > 1 else "")


def stock_moves(t: Table) -> set[str]:
    if t.s:
        count = min(t.o["draw"], len(t.s))
        return {"draw S-W" + (f"*{count}" if count > 1 else "")}
    if t.w and (t.o["turnovers"] is None or t.turnovers < t.o["turnovers"]):
        return {"turnover W-S" + (f"*{len(t.w)}" if len(t.w) > 1 else "")}
    return set()


def klondike(t: Table) -> set[str]:
    found = stock_moves(t)
    bottoms = [p[0] for p in t.t if p and known(p[0]) and p[0][0] == "K"]
    kings = len(bottoms) + sum(p[-1][0] == "K" for p in t.f if p)
    relaxed = kings == 4 and not t.o["kings_only"]
    loose = [(f"T{i + 1}", p) for i, p in enumerate(t.t)] + [("W", t.w)]
    for name, pile in loose:
        if (card := top(pile)) and (f := up(t, card, 1)):
            found.add(text(name, f))
    units = []
    for name, pile in loose:
        opened = [c for c in pile if c[1].isupper() or c == "??"]
        for k in range(1, len(pile) + 1 if name != "W" else min(1, len(pile)) + 1):
            if not is_run(pile[-k:], False):
                continue
            whole = name == "W" or k == len(opened)
            units.append((name, pile[-k:], whole or t.o["move_part"], k == 1 and t.o["space_end_card"]))
    for i, pile in enumerate(t.f):
        if t.o["foundation_back"] and (card := top(pile)) and not (t.o["auto_aces"] and card[0] == "A"):
            units.append((f"F{i + 1}", [card], True, True))
    for name, cards, free, alone in units:
        for j, pile in enumerate(t.t):
            target = f"T{j + 1}"
            if target == name:
                continue
            if pile:
                ok = free and known(pile[-1]) and alternating(pile[-1], cards[0], False)
            else:
                ok = (free and (cards[0][0] == "K" or relaxed)) or (alone and relaxed)
            if ok:
                found.add(text(name, target, len(cards)))
    return found


def klondike_due(t: Table) -> set[str]:
    found = {f"flip T{i + 1}" for i, p in enumerate(t.t) if p and (p[-1] == "##" or p[-1][1].islower())}
    if t.o["auto_aces"]:
        for name, pile in [(f"T{i + 1}", p) for i, p in enumerate(t.t)] + [("W", t.w)]:
            if (card := top(pile)) and card[0] == "A" and (f := up(t, card, 1)):
                found.add(text(name, f))
    return found


def canfield(t: Table) -> set[str]:
    found = stock_moves(t)
    singles = [("R", t.r), ("W", t.w)]
    columns = [(f"T{i + 1}", p) for i, p in enumerate(t.t)]
    for name, pile in singles + columns:
        if (card := top(pile)) and (f := up(t, card, t.base)):
            found.add(text(name, f))
    units = [(name, [card]) for name, pile in singles if (card := top(pile))]
    if t.o["foundation_back"]:
        for i, pile in enumerate(t.f):
            card = top(pile)
            if card and not (t.o["auto_base"] and rank(card) == t.base):
                units.append((f"F{i + 1}", [card]))
    for name, pile in columns:
        for k in range(1, len(pile) + 1):
            if is_run(pile[-k:], True) and (t.o["move_part"] or k == len(pile)):
                units.append((name, pile[-k:]))
    for name, cards in units:
        for j, pile in enumerate(t.t):
            if f"T{j + 1}" == name or not pile or not known(pile[-1]):
                continue
            if alternating(pile[-1], cards[0], True) and (t.o["past_base"] or rank(pile[-1]) != t.base):
                found.add(text(name, f"T{j + 1}", len(cards)))
    for j, pile in enumerate(t.t):
        if pile:
            continue
        if t.r:
            if top(t.r):
                found.add(f"R-T{j + 1}")
            continue
        if top(t.w):
            found.add(f"W-T{j + 1}")
        if t.o["after_reserve"] == "any":
            for name, cards in units:
                if name[0] == "T":
                    found.add(text(name, f"T{j + 1}", len(cards)))
            found |= {f"{name}-T{j + 1}" for name, p in columns if top(p)}
    return found


def canfield_due(t: Table) -> set[str]:
    found = set()
    if t.o["fill"] == "auto" and t.r:
        found |= {f"R-T{j + 1}" for j, pile in enumerate(t.t) if not pile}
    if t.o["auto_base"]:
        for name, pile in [("R", t.r)] + [(f"T{i + 1}", p) for i, p in enumerate(t.t)]:
            if (card := top(pile)) and rank(card) == t.base and (f := up(t, card, t.base)):
                found.add(text(name, f))
    return found


def mrs_mop(t: Table) -> set[str]:
    found = set()
    for i, pile in enumerate(t.t):
        for k in range(1, len(pile) + 1):
            tail = pile[-k:]
            if any(a[1] != b[1] or rank(a) != rank(b) + 1 for a, b in pairwise(tail)):
                break
            for j, other in enumerate(t.t):
                if i != j and (not other or rank(other[-1]) == rank(tail[0]) + 1):
                    found.add(text(f"T{i + 1}", f"T{j + 1}", k))
    return found


def mrs_mop_due(t: Table) -> set[str]:
    whole = ["".join(r + suit for r in reversed(RANKS)) for suit in "CDHS"]
    return {f"remove T{i + 1}*13" for i, p in enumerate(t.t) if "".join(p[-13:]) in whole}


def walter_wants(t: Table, base: int) -> int | None:
    pile = t.b[base - 1]
    if not pile:
        return base
    if pile[-1][0] == "K":
        return None
    follows = rank(pile[-1]) + base
    return follows - 13 if follows > 13 else follows


def walter_ups(t: Table, sources: list[tuple[str, list[str]]]) -> set[str]:
    return {
        f"{name}-B{base}"
        for name, pile in sources
        if (card := top(pile))
        for base in (1, 2, 3, 4)
        if walter_wants(t, base) == rank(card)
    }


def fans(t: Table) -> list[tuple[str, list[str]]]:
    return [(f"T{i + 1}", p) for i, p in enumerate(t.t)]


def walter_transfers(t: Table) -> set[str]:
    return {
        f"{a}-{b}"
        for a, pile in fans(t)
        for b, other in fans(t)
        if a != b and top(pile) and top(other) and len(other) < 4 and rank(pile[-1]) == rank(other[-1])
    }


def walter_stuck(t: Table, been: set[str]) -> bool:
    """Whether no chain of transfers lets a card go to a base pile."""
    if walter_ups(t, fans(t)) or any(p and not known(p[-1]) for p in t.t):
        return False
    for move in walter_transfers(t):
        a, b = (int(name[1:]) - 1 for name in move.split("-"))
        card = t.t[a].pop()
        t.t[b].append(card)
        state = str(t.t)
        stuck = state in been or (been.add(state) or walter_stuck(t, been))
        t.t[b].pop()
        t.t[a].append(card)
        if not stuck:
            return False
    return True


def walter(t: Table) -> set[str]:
    found = walter_ups(t, fans(t)) | walter_transfers(t)
    left = sum(map(len, t.t))
    if left and t.attempt < t.o["attempts"] and (t.o["redeal_when"] == "any" or walter_stuck(t, {str(t.t)})):
        found.add(f"redeal *{left}" if left > 1 else "redeal")
    return found


def walter_scott(t: Table) -> set[str]:
    sources = [] if t.dead else [("W", t.w)]
    if t.o["stock_face_up"]:
        sources.append(("S", t.s))
    return walter_ups(t, sources) | ({"draw S-W"} if t.s else set())


def fan_fits(t: Table, lower: str, upper: str) -> bool:
    if rank(lower) != rank(upper) + 1:
        return False
    kind = t.o["fan_build"]
    return kind == "any" or (lower[1] == upper[1] if kind == "suit" else red(lower) != red(upper))


def space_takes(t: Table, card: str) -> bool:
    return not t.s and (t.o["empty_place"] == "any" or (t.o["empty_place"] == "king" and card[0] == "K"))


def fan_targets(t: Table, card: str, name: str = "") -> set[str]:
    return {
        other
        for other, pile in fans(t)
        if other != name and (space_takes(t, card) if not pile else known(pile[-1]) and fan_fits(t, pile[-1], card))
    }


def fan_ups(t: Table) -> list[str]:
    return [f"{name}-{f}" for name, pile in fans(t) if (card := top(pile)) and (f := up(t, card, 1))]


def forced(t: Table) -> list[str]:
    return [m for m in fan_ups(t) if t.o["auto_foundation"] or t.t[int(m.split("-")[0][1:]) - 1][-1][0] == "A"]


def trial_ok(t: Table) -> bool:
    """Whether the trial cards can all be used, fan moves between them left out (`aux_between=any` is not judged)."""
    if not t.x:
        return True
    quiet = t.o["aux_between"] == "none"
    between = [] if quiet else fan_ups(t)
    for move in [*between, *trial_steps(t)]:
        after = copied(t)
        do(after, move)
        while not quiet and after.x and (first := forced(after)):
            do(after, first[0])
        if trial_ok(after):
            return True
    return False


def trial_steps(t: Table) -> set[str]:
    found = set()
    for depth in range(len(t.x) if t.o["aux_order"] == "any" else 1):
        card = t.x[-1 - depth]
        name = "X" + (f"^{depth}" if depth else "")
        targets = fan_targets(t, card) | ({f} if (f := up(t, card, 1)) else set())
        found |= {f"{name}-{target}" for target in targets}
    return found


def copied(t: Table) -> Table:
    data = {"tableau": t.t, "foundations": t.f, "stock": t.s, "auxiliary": t.x, "aside": t.a, "attempt": t.attempt}
    return Table(data, t.o)


def do(t: Table, move: str) -> None:
    source, target = move.split("-")
    name, _, depth = source.partition("^")
    pile = t.x if name == "X" else t.t[int(name[1:]) - 1]
    card = pile.pop(len(pile) - 1 - int(depth or 0))
    (t.t if target[0] == "T" else t.f)[int(target[1:]) - 1].append(card)


def fans_progress(t: Table) -> bool | None:
    """Whether some chain of fan moves brings a card up or empties a fan; None where that would take too long."""
    waiting, been = [[list(pile) for pile in t.t]], set()
    while waiting:
        here = copied(t)
        here.t = waiting.pop(0)
        if fan_ups(here):
            return True
        for name, pile in fans(here):
            for target in fan_targets(here, pile[-1], name) if pile else ():
                if len(pile) == 1:
                    return True
                after = copied(here)
                after.t = [list(fan) for fan in here.t]
                do(after, f"{name}-{target}")
                if (state := str(sorted(map(tuple, after.t)))) not in been:
                    been.add(state)
                    waiting.append(after.t)
        if len(been) > MOST_STATES:
            return None
    return False


def nineteenth_fan(t: Table) -> set[str]:
    if t.x:
        if any(not known(card) for card in t.x):
            return set()
        good = set()
        quiet = t.o["aux_between"] == "none"
        for move in [*([] if quiet else fan_ups(t)), *trial_steps(t)]:
            after = copied(t)
            do(after, move)
            while not quiet and after.x and (first := forced(after)):
                do(after, first[0])
            if trial_ok(after):
                good.add(move)
        return good or {f"aside X-A{len(t.a) + 1}" + (f"*{len(t.x)}" if len(t.x) > 1 else "")}
    found = set()
    for move in fan_ups(t):
        pile = t.t[int(move.split("-")[0][1:]) - 1]
        for k in range(1, len(pile) + 1):
            tail = pile[-k:]
            if not all(
                known(c) and c[1] == pile[-1][1] and rank(c) == rank(pile[-1]) + k - 1 - i for i, c in enumerate(tail)
            ):
                break
            found.add(move + (f"*{k}" if k > 1 else ""))
    for name, pile in fans(t):
        if card := top(pile):
            found |= {f"{name}-{target}" for target in fan_targets(t, card, name)}
    if t.s and t.attempt == 1:
        count = min(3, len(t.s))
        progress = t.o["draw_when"] == "stuck" and fans_progress(t)
        if not progress:
            found.add(PERHAPS if progress is None else "draw S-X" + (f"*{count}" if count > 1 else ""))
    left = sum(map(len, t.t + t.a))
    if not t.s and left and t.attempt <= t.o["redeals"]:
        found.add(f"redeal *{left}" if left > 1 else "redeal")
    return found


def nineteenth_fan_due(t: Table) -> set[str]:
    if t.x and t.o["aux_between"] == "none":
        return set()
    if found := set(forced(t)):
        return found
    empty = [name for name, pile in fans(t) if not pile]
    if t.s and empty and not t.x:
        count = min(3, len(t.s))
        return {f"deal S-{empty[0]}" + (f"*{count}" if count > 1 else "")}
    return set()


def groups(t: Table) -> list[tuple[str, ...]]:
    """The groups of places that may be covered together."""
    free = [(name, card) for name, pile in fans(t) if (card := top(pile))]
    numbers = [place for place in free if rank(place[1]) <= 10]
    courts = [place for place in free if rank(place[1]) > 10]
    found = [(a[0], b[0]) for a, b in combinations(numbers, 2) if rank(a[1]) + rank(b[1]) == 11]
    kind = t.o["courts"]
    for size in (1, 2, 3):
        for group in combinations(courts, size):
            letters = "".join(sorted(card[0] for _, card in group))
            fits = {
                "cover": False,
                "trio": letters == "JKQ",
                "any3": size == 3,
                "pair_any": size == 2,
                "pair_equal": letters in ("JJ", "QQ", "KK"),
                "king_alone": letters in ("K", "JQ"),
            }[kind]
            if fits:
                found.append(tuple(name for name, _ in group))
    return found


def eleven_points(t: Table) -> set[str]:
    found = set()
    for names in groups(t) if t.s else []:
        count = min(len(names), len(t.s))
        found.add("cover S-" + "+".join(names) + (f"*{count}" if count > 1 else ""))
    return found


def eleven_points_due(t: Table) -> set[str]:
    if t.o["courts"] != "cover" or not t.s:
        return set()
    return {f"cover S-{name}" for name, pile in fans(t) if (card := top(pile)) and rank(card) > 10}


def legal(game: str, data: dict[str, Any], options: dict[str, Any]) -> set[str]:
    """The texts of all legal moves where nothing is pending."""
    judge = globals()[game.replace("-", "_")]
    return judge(Table(data, options))


def due(game: str, data: dict[str, Any], options: dict[str, Any]) -> set[str]:
    """The texts of the consequences that are pending."""
    judge = globals().get(game.replace("-", "_") + "_due")
    return judge(Table(data, options)) if judge else set()
