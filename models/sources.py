"""Where training pictures come from: small scenes (`minis`) and full tables (`synth`), endlessly and mixed by time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from kibitz.models import minis
from kibitz.models.samples import ByteArray, Truth, covered_suit

if TYPE_CHECKING:
    from kibitz.models.dataset import DatasetOptions
    from kibitz.models.synth.truth import Scene

# Corner figures without a suit beside them, or marks found wrong on the contact sheet: nothing to learn from.
SKIPPED_DECKS = frozenset({"ar-tango", "ar-bellot", "bellot-svgcards", "ar-guyenne-classic"})
DECKS_AT_ONCE = 4
SCENES_PER_DECK = 10
MINIS_PER_DECK = 160
SMALL = minis.MiniSpec()
WIDE = minis.MiniSpec(side=640, card_height=(55.0, 330.0), back_share=0.07, covered_columns=0.6)  # for `cards` too
MINIS_PER_TOP = 12  # table tops are dearer to make than small scenes


def pictures(options: DatasetOptions, rng: np.random.Generator) -> Iterator[tuple[Truth, bool]]:
    """Pictures with their truth, and whether the coarse network should learn from them."""
    if options.source == "minis":
        yield from ((truth, False) for truth in mini_pictures(options.cache, rng, options.held_out))
        return
    scenes = scene_pictures(options, rng)
    if options.source == "scenes":
        yield from ((truth, True) for truth in scenes)
        return
    makers = {
        "scene": (scenes, options.scene_share),
        "mini": (mini_pictures(options.cache, rng, options.held_out), (1 - options.scene_share) * 0.6),
        "wide": (mini_pictures(options.cache, rng, options.held_out, WIDE), (1 - options.scene_share) * 0.4),
    }
    spent = dict.fromkeys(makers, 1e-6)
    while True:
        kind = min(makers, key=lambda name: spent[name] / max(makers[name][1], 1e-6))
        start = time.process_time()
        truth = next(makers[kind][0])
        spent[kind] += time.process_time() - start
        yield truth, kind != "mini"


def mini_pictures(
    cache: Path, rng: np.random.Generator, held_out: bool, spec: minis.MiniSpec = SMALL
) -> Iterator[Truth]:
    """Small scenes from a slowly changing hand of decks."""
    decks = [some_deck(cache, rng, held_out) for _ in range(DECKS_AT_ONCE)]
    made = 0
    top: ByteArray = table_top(rng, 2 * spec.side)
    while True:
        if made % MINIS_PER_TOP == 0:
            top = table_top(rng, 2 * spec.side)
        if made % MINIS_PER_DECK == MINIS_PER_DECK - 1:
            minis.forget_levels()
            decks[int(rng.integers(len(decks)))] = some_deck(cache, rng, held_out)
        x, y = rng.integers(0, spec.side, 2)
        background = np.ascontiguousarray(top[y : y + spec.side, x : x + spec.side])
        yield minis.mini_scene(rng, decks[int(rng.integers(len(decks)))], background, spec)
        made += 1


def table_top(rng: np.random.Generator, side: int) -> ByteArray:
    """A drawn square table top, sometimes with printed pages on it."""
    from kibitz.models.synth.surroundings import drawn_top

    top = np.asarray(drawn_top((side, side), rng), np.uint8)
    for _ in range(int(rng.integers(1, 5)) if rng.random() < 0.3 else 0):
        _lay_page(rng, top)
    return top


def _lay_page(rng: np.random.Generator, top: ByteArray) -> None:
    """A sheet of print, turned anyhow, somewhere on a square table top."""
    from kibitz.models.synth.clutter import page

    sheet = page(rng)
    rows, columns = sheet.shape[:2]
    matrix = cv2.getRotationMatrix2D((columns / 2, rows / 2), float(rng.uniform(0, 360)), float(rng.uniform(0.6, 1.5)))
    matrix[:, 2] += rng.uniform(0, top.shape[0], 2) - [columns / 2, rows / 2]
    laid = cv2.warpAffine(sheet, matrix, top.shape[1::-1])
    cover = laid[..., 3:].astype(np.float32) / 255
    top[:] = (top * (1 - cover) + laid[..., :3] * cover).astype(np.uint8)


def some_deck(cache: Path, rng: np.random.Generator, held_out: bool) -> minis.DeckLike:
    """A deck by chance, natural or restyled."""
    from kibitz.models.synth.decks import deck_names, load_deck
    from kibitz.models.synth.decks import held_out as is_held_out

    natural = [name for name in deck_names(cache) if is_held_out(name) == held_out]
    styled = [name for name in deck_names(cache, restyled=True) if is_held_out(name) == held_out]
    while True:
        pool = styled if styled and rng.random() < 0.6 else natural
        name = str(rng.choice(pool))
        if name not in SKIPPED_DECKS and (deck := load_deck(cache, name)).faces:
            return deck


def scene_pictures(options: DatasetOptions, rng: np.random.Generator) -> Iterator[Truth]:
    """Full tables of the renderer; a few with each deck, because loading a deck is slow."""
    from kibitz.models.synth.scene import render_scene
    from kibitz.models.synth.shelf import DeckShelf
    from kibitz.models.synth.spec import SCORE_SEED, DeckChoice, random_spec

    shelf = DeckShelf(options.cache, keep=4)
    names = [name for name in shelf.names(options.held_out) if name not in SKIPPED_DECKS and shelf.get(name).faces]
    hand: list[str] = []
    while True:
        if not hand:
            hand = [str(name) for name in rng.choice(names, 3) for _ in range(SCENES_PER_DECK)]
            rng.shuffle(hand)
        spec = replace(random_spec(rng, DeckChoice(hand.pop())), held_out=options.held_out)
        yield scene_truth(render_scene(int(rng.integers(SCORE_SEED)), spec, shelf))


def scene_truth(scene: Scene) -> Truth:
    """The renderer's truth in plain arrays; suit -1 where only the rank of an index can be seen."""
    cards, marks = scene.cards, scene.indices
    only_rank = [mark.rank_visible >= 0.95 and mark.suit_visible < 0.45 for mark in marks]
    return Truth(
        scene.picture,
        np.array([mark.quad for mark in marks], np.float32).reshape(-1, 4, 2),
        np.array([mark.symbol for mark in marks], np.int64),
        np.array(
            [covered_suit(m.suit) if half else m.suit for m, half in zip(marks, only_rank, strict=True)], np.int64
        ),
        np.array([mark.visible for mark in marks], np.float32),
        np.array([card.corners for card in cards], np.float32).reshape(-1, 4, 2),
        np.array([card.box for card in cards], np.float32).reshape(-1, 4),
        np.array([card.face_up for card in cards], bool),
        np.array([card.visible for card in cards], np.float32),
    )
