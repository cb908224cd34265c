"""Things that lie beside cards, as cut-outs with coverage: photographed ones from the cache, and drawn ones."""

from pathlib import Path

import cv2
import numpy as np

from kibitz.models.synth.backs import draw_back
from kibitz.models.synth.decks import ByteArray
from kibitz.models.synth.fonts import BUILT_IN, can_print, figure, installed
from kibitz.models.synth.photographs import picture_files, read_picture
from kibitz.models.synth.pips import drawn_pips

_SIDE = 300
_WORDS = ("CARDS", "POKER", "10", "A", "K", "BRIDGE", "JOKER", "52", "Q", "EXIT", "7 UP", "2026", "ИГРА", "MENU")


def clutter(rng: np.random.Generator, cache: Path | None, kept_out: bool = False) -> ByteArray:
    """One thing, BGRA."""
    if cache is not None and rng.random() < 0.5:
        files = picture_files(cache / "things", kept_out)
        if files:
            return read_picture(files[int(rng.integers(len(files)))])
    kinds = (_coin, _pen, _keyboard, _cable, _score_sheet, _page, _card_box, _blank_card, _remote, _mug)
    return kinds[int(rng.integers(len(kinds)))](rng)


def _empty(height: int = _SIDE, width: int = _SIDE) -> ByteArray:
    return np.zeros((height, width, 4), np.uint8)


def _ink(rng: np.random.Generator, low: int = 0, high: int = 256) -> tuple[int, int, int, int]:
    blue, green, red = (int(v) for v in rng.integers(low, high, 3))
    return blue, green, red, 255


def _coin(rng: np.random.Generator) -> ByteArray:
    thing = _empty(160, 160)
    metal = ((60, 130, 185), (150, 155, 160), (60, 170, 205))[int(rng.integers(3))]
    cv2.circle(thing, (80, 80), 76, (*metal, 255), -1, cv2.LINE_AA)
    cv2.circle(thing, (80, 80), 66, (*(int(0.75 * v) for v in metal), 255), 3, cv2.LINE_AA)
    text = str(rng.choice(["1", "2", "5", "10", "20", "50"]))
    cv2.putText(
        thing,
        text,
        (80 - 24 * len(text), 105),
        cv2.FONT_HERSHEY_DUPLEX,
        2.4,
        (*(int(0.55 * v) for v in metal), 255),
        6,
        cv2.LINE_AA,
    )
    return thing


def _pen(rng: np.random.Generator) -> ByteArray:
    thing = _empty(40, 400)
    colour = _ink(rng)
    cv2.line(thing, (20, 20), (340, 20), colour, int(rng.integers(12, 24)), cv2.LINE_AA)
    cv2.line(thing, (340, 20), (385, 20), (60, 60, 60, 255), 6, cv2.LINE_AA)
    cv2.line(thing, (30, 15), (330, 15), (*(min(255, v + 70) for v in colour[:3]), 255), 2, cv2.LINE_AA)
    return thing


def _keyboard(rng: np.random.Generator) -> ByteArray:
    thing = _empty(150, 420)
    body, key, ink = (
        ((40, 40, 40, 255), (20, 20, 20, 255), _ink(rng, 120))
        if rng.random() < 0.6
        else ((200, 200, 200, 255), (240, 240, 240, 255), (40, 40, 40, 255))
    )
    thing[:] = body
    rows = ("1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            x, y = 12 + column * 38 + row * 8, 8 + row * 34
            cv2.rectangle(thing, (x, y), (x + 32, y + 28), key, -1)
            cv2.putText(thing, letter, (x + 9, y + 21), cv2.FONT_HERSHEY_SIMPLEX, 0.55, ink, 1, cv2.LINE_AA)
    return thing


def _cable(rng: np.random.Generator) -> ByteArray:
    thing = _empty()
    points = np.cumsum(rng.normal(0, 1, (7, 2)), axis=0)
    points = (points - points.min(axis=0)) / (np.ptp(points, axis=0) + 1e-6) * (_SIDE - 40) + 20
    t = np.linspace(0, 6, 80)
    smooth = np.stack(
        [np.convolve(np.interp(t, np.arange(7), points[:, axis]), np.ones(13) / 13, "valid") for axis in (0, 1)], axis=1
    )
    cv2.polylines(
        thing, [smooth.round().astype(np.int32)], False, _ink(rng, 0, 250), int(rng.integers(4, 12)), cv2.LINE_AA
    )
    return thing


def _score_sheet(rng: np.random.Generator) -> ByteArray:
    thing = _empty(320, 240)
    paper = int(rng.integers(215, 256))
    thing[:] = (paper, paper, paper, 255)
    ink = ((120, 60, 30, 255), (40, 40, 40, 255), (60, 50, 170, 255))[int(rng.integers(3))]
    for x in (80, 160):
        cv2.line(thing, (x, 10), (x, 310), (150, 120, 90, 255), 1)
    for y in range(34, 310, 26):
        cv2.line(thing, (8, y), (232, y), (190, 170, 150, 255), 1)
        for x in (20, 95, 175):
            if rng.random() < 0.7:
                cv2.putText(
                    thing,
                    str(int(rng.integers(0, 120))),
                    (x, y - 4),
                    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
                    0.7,
                    ink,
                    2,
                    cv2.LINE_AA,
                )
    return thing


def page(rng: np.random.Generator, most: int = 380) -> ByteArray:
    """A sheet of a book or newspaper, with alpha: lines of words in one font, large or small."""
    thing = _empty(int(most * rng.uniform(0.5, 1.0)), int(most * rng.uniform(0.4, 0.9)))
    paper = rng.uniform(0.6, 1.0) * np.array([235, 245, 250]) * rng.uniform(0.92, 1.0, 3)
    thing[..., :3], thing[..., 3] = np.clip(paper, 0, 255).astype(np.uint8), 255
    fonts = installed()["serif" if rng.random() < 0.6 else "sans"]
    font = str(rng.choice(fonts))
    font = font if can_print(font, ("e", "Q", "7")) else BUILT_IN[0]
    ink = np.array([20, 20, 20] if rng.random() < 0.8 else rng.integers(0, 200, 3))
    y, x = 8, 8
    tall = int(np.exp(rng.uniform(np.log(9), np.log(44))))
    while y + 2 * tall < thing.shape[0]:
        mask = figure(font, _word(rng))
        size = (max(2, round(mask.shape[1] * tall / mask.shape[0])), tall)
        if x + size[0] + 4 > thing.shape[1]:
            y, x = y + round(tall * 1.7), 8
            if size[0] + 12 > thing.shape[1]:
                continue
            if rng.random() < 0.06:
                tall = int(np.exp(rng.uniform(np.log(9), np.log(44))))
            continue
        cover = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)[..., None]
        spot = thing[y : y + tall, x : x + size[0], :3]
        spot[:] = (spot * (1 - cover) + ink * cover).astype(np.uint8)
        x += size[0] + max(3, tall // 2)
    return thing


def _word(rng: np.random.Generator) -> str:
    letters = rng.choice(list("etaoinshrdlucmfwypvbgkqjxz"), int(rng.integers(1, 9)))
    word = "".join(letters)
    kind = rng.random()
    if kind < 0.12:
        return word.upper()
    if kind < 0.25:
        return word.capitalize()
    return str(int(rng.integers(1, 2100))) if kind < 0.35 else word


def _page(rng: np.random.Generator) -> ByteArray:
    """Print or a receipt: many small figures that are no index."""
    if rng.random() < 0.6:
        return page(rng)
    thing = _empty(int(rng.integers(200, 380)), int(rng.integers(120, 300)))
    paper = int(rng.integers(200, 256))
    thing[:] = (paper, paper, paper, 255)
    pitch = int(rng.integers(9, 30))
    letters = np.array(list("ABCDEFGHIJKQRTV1234567890 "))
    ink = (20, 20, 20, 255) if rng.random() < 0.8 else (40, 30, 180, 255)
    for y in range(pitch, thing.shape[0], round(pitch * 1.4)):
        text = "".join(rng.choice(letters, thing.shape[1] // max(6, pitch // 2)))
        cv2.putText(thing, text, (6, y), cv2.FONT_HERSHEY_SIMPLEX, pitch / 34, ink, 1 + pitch // 16, cv2.LINE_AA)
    return thing


def _card_box(rng: np.random.Generator) -> ByteArray:
    """The deck's box: a back pattern or a plain ground, a big sign, a word."""
    thing = _empty(300, 210)
    picture, _ = draw_back(rng, (300, 210), drawn_pips())
    thing[..., :3], thing[..., 3] = picture, 255
    if rng.random() < 0.6:
        thing[40:260, 30:180, :3] = rng.integers(0, 256, 3)
        mask = cv2.resize(drawn_pips()[int(rng.integers(4))], (90, 90))[..., None]
        spot = thing[90:180, 60:150, :3]
        spot[:] = (spot * (1 - mask) + np.array(_ink(rng)[:3]) * mask).astype(np.uint8)
    cv2.putText(
        thing,
        str(rng.choice(_WORDS[:10])),
        (38, 235),
        cv2.FONT_HERSHEY_TRIPLEX,
        float(rng.uniform(0.8, 1.5)),
        _ink(rng),
        2,
        cv2.LINE_AA,
    )
    return thing


def _blank_card(rng: np.random.Generator) -> ByteArray:
    """A white card without any print, or with a word on it."""
    thing = _empty(308, 220)
    tone = int(rng.integers(225, 256))
    cv2.rectangle(thing, (10, 0), (209, 307), (tone, tone, tone, 255), -1)
    cv2.rectangle(thing, (0, 10), (219, 297), (tone, tone, tone, 255), -1)
    for x in (10, 209):
        for y in (10, 297):
            cv2.circle(thing, (x, y), 10, (tone, tone, tone, 255), -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        word = str(rng.choice(_WORDS))
        cv2.putText(
            thing,
            word,
            (30, int(rng.integers(60, 280))),
            cv2.FONT_HERSHEY_DUPLEX,
            float(rng.uniform(0.7, 1.6)),
            _ink(rng, 0, 180),
            2,
            cv2.LINE_AA,
        )
    return thing


def _remote(rng: np.random.Generator) -> ByteArray:
    thing = _empty(320, 90)
    thing[:] = (*(int(v) for v in rng.integers(10, 60, 3)), 255)
    for y in range(40, 300, 30):
        for x in (22, 45, 68):
            cv2.circle(thing, (x, y), 8, _ink(rng, 60, 220), -1, cv2.LINE_AA)
    cv2.circle(thing, (68, 20), 9, (40, 30, 200, 255), -1, cv2.LINE_AA)
    return thing


def _mug(rng: np.random.Generator) -> ByteArray:
    thing = _empty()
    colour = _ink(rng)
    cv2.ellipse(thing, (265, 150), (26, 42), 0, 0, 360, colour, 13, cv2.LINE_AA)
    cv2.circle(thing, (140, 150), 125, colour, -1, cv2.LINE_AA)
    cv2.circle(
        thing,
        (140, 150),
        108,
        ((25, 45, 75, 255), (40, 90, 150, 255), (220, 225, 225, 255))[int(rng.integers(3))],
        -1,
        cv2.LINE_AA,
    )
    cv2.ellipse(thing, (110, 115), (30, 14), 40, 0, 360, (230, 235, 240, 255), -1, cv2.LINE_AA)
    return thing
