"""From package art to plain card pictures: rasterise, take sheets apart, cut off drawn outlines, round the corners."""

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from kibitz.models.synth.decks import ByteArray, DeckError
from kibitz.models.synth.sources import Kind, Source

HEIGHT = 700
_SUITS = "CDHS"


@dataclass(slots=True)
class RawDeck:
    """BGRA pictures as they came, by label, before trimming."""

    faces: dict[int, ByteArray] = field(default_factory=dict)
    extras: list[ByteArray] = field(default_factory=list)
    backs: list[ByteArray] = field(default_factory=list)


def rasterise(path: Path, height: int) -> ByteArray:
    """One picture file as BGRA, vector art at the given height."""
    if path.suffix == ".png":
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if picture is None:
            raise DeckError(f"expected a picture, got {path}: install its package again")
        code = {2: cv2.COLOR_GRAY2BGRA, 3: cv2.COLOR_BGR2BGRA}.get(
            picture.ndim if picture.ndim == 2 else picture.shape[2]
        )
        return np.asarray(picture if code is None else cv2.cvtColor(picture, code), np.uint8)
    import resvg_py

    # 96 dpi: sizes in pt or mm fail without it
    packed = resvg_py.svg_to_bytes(svg_path=str(path), height=height, dpi=96)
    return np.asarray(cv2.imdecode(np.frombuffer(bytes(packed), np.uint8), cv2.IMREAD_UNCHANGED), np.uint8)


def read_source(source: Source, folder: Path) -> RawDeck:
    """All pictures of one deck; ``folder`` is where its package was unpacked."""
    path = folder / source.path
    if source.kind == Kind.FILES:
        return _read_files(source, path)
    cell = 5 * HEIGHT if source.rows == 5 else 4 * HEIGHT
    sheet = rasterise(path, cell)
    if source.kind == Kind.GRID:
        return _cut_grid(source, sheet)
    scale = HEIGHT * 1.05 / float(np.median([box[3] for box in _parts(sheet)]))
    return _cut_parts(source, rasterise(path, round(cell * scale)) if scale > 1.2 else sheet)


def _label(suit: str, rank: int) -> int:
    return _SUITS.index(suit) * 13 + rank - 1


def _read_files(source: Source, folder: Path) -> RawDeck:
    raw = RawDeck()
    for suit, suit_word in zip(_SUITS, source.suit_words, strict=True):
        for rank, rank_word in enumerate(source.rank_words, start=1):
            text = "A23456789TJQK"[rank - 1] + suit
            if text not in source.broken:
                path = folder / source.names.format(suit=suit_word, rank=rank_word)
                better = path.with_stem(path.stem + "2")  # the package's second, finished courts
                raw.faces[_label(suit, rank)] = rasterise(better if better.exists() else path, HEIGHT + 30)
    for pattern in source.backs:
        base, _, name = pattern.rpartition("/")
        raw.backs += [rasterise(path, HEIGHT) for path in sorted((folder / base).resolve().glob(name))]
    for pattern in source.extras:
        raw.extras += [rasterise(path, HEIGHT) for path in sorted(folder.glob(pattern))]
    return raw


def _cut_grid(source: Source, sheet: ByteArray) -> RawDeck:
    raw = RawDeck()
    solid = sheet[..., 3] > 8
    columns, rows = np.flatnonzero(solid.any(axis=0)), np.flatnonzero(solid.any(axis=1))
    left, right, top, bottom = columns[0], columns[-1] + 1, rows[0], rows[-1] + 1
    xs = np.linspace(left, right, 14).round().astype(int)
    ys = np.linspace(top, bottom, source.rows + 1).round().astype(int)
    for row, suit in enumerate(source.suits):
        for column, rank in enumerate(source.ranks):
            if "A23456789TJQK"[rank - 1] + suit not in source.broken:
                raw.faces[_label(suit, rank)] = sheet[ys[row] : ys[row + 1], xs[column] : xs[column + 1]]
    if source.rows == 5:
        rest = [sheet[ys[4] :, xs[column] : xs[column + 1]] for column in range(13)]
        kept = [cell for cell in rest if (cell[..., 3] > 128).mean() > 0.8]
        _sort_rest(raw, kept, source.rest)
    return raw


def _sort_rest(raw: RawDeck, cells: list[ByteArray], rest: str) -> None:
    for cell, kind in zip(cells, rest, strict=False):
        if kind != "-":
            (raw.extras if kind == "e" else raw.backs).append(cell)


def _parts(sheet: ByteArray) -> list[tuple[int, int, int, int]]:
    _, _, stats, _ = cv2.connectedComponentsWithStats((sheet[..., 3] > 40).astype(np.uint8))
    boxes = [
        tuple(int(v) for v in stat[:4]) for stat in stats[1:] if stat[4] > 0.0008 * sheet.shape[0] * sheet.shape[1]
    ]
    return [(x, y, w, h) for x, y, w, h in boxes if 1.15 < h / w < 1.8]


def _cut_parts(source: Source, sheet: ByteArray) -> RawDeck:
    boxes = _parts(sheet)
    height = float(np.median([box[3] for box in boxes]))
    boxes = [box for box in boxes if abs(box[3] - height) < 0.2 * height]
    rows: list[list[tuple[int, int, int, int]]] = []
    for box in sorted(boxes, key=lambda box: box[1]):
        if rows and abs(box[1] - rows[-1][0][1]) < 0.4 * height:
            rows[-1].append(box)
        else:
            rows.append([box])
    raw = RawDeck()

    def take(box: tuple[int, int, int, int]) -> ByteArray:
        x, y, w, h = box
        return sheet[y : y + h, x : x + w]

    for suit, row in zip(source.suits, rows, strict=False):
        if len(row) != 13:
            raise DeckError(f"expected 13 cards in a row of {source.name}, got {len(row)}: look at the sheet")
        for rank, box in zip(source.ranks, sorted(row), strict=True):
            raw.faces[_label(suit, rank)] = take(box)
    _sort_rest(raw, [take(box) for row in rows[4:] for box in sorted(row)], source.rest)
    return raw


def rounded(height: int, width: int, radius: float) -> ByteArray:
    """Alpha of a card: a rounded rectangle with soft edges."""
    big = np.zeros((height * 2, width * 2), np.uint8)
    r = max(1, round(radius * 2))
    cv2.rectangle(big, (r, 0), (width * 2 - r - 1, height * 2 - 1), 255, -1)
    cv2.rectangle(big, (0, r), (width * 2 - 1, height * 2 - r - 1), 255, -1)
    for x in (r, width * 2 - r - 1):
        for y in (r, height * 2 - r - 1):
            cv2.circle(big, (x, y), r, 255, -1)
    return np.asarray(cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def paper_colour(picture: ByteArray) -> ByteArray:
    """The commonest bright colour."""
    pixels = picture[..., :3].reshape(-1, 3)[:: max(1, picture.shape[0] * picture.shape[1] // 20000)]
    bright = pixels[pixels.max(axis=1) >= np.percentile(pixels.max(axis=1), 40)]
    return np.asarray(np.median(bright, axis=0), np.uint8)


def outline(picture: ByteArray) -> float | None:
    """Thickness of a drawn frame at the card's edge, as a share of the width; None where no paper shows."""
    _h, w = picture.shape[:2]
    paper = paper_colour(picture).astype(int)
    found = []
    sides = (picture, picture[:, ::-1], picture.transpose(1, 0, 2), picture[::-1].transpose(1, 0, 2))
    for side in sides:
        length = side.shape[0]
        lines = side[int(length * 0.3) : int(length * 0.7) : 7, : int(0.06 * w), :3].astype(int)
        away = np.abs(lines - paper).max(axis=2) > 24
        found += [int(np.flatnonzero(~line)[0]) for line in away if not line.all()]
    return float(np.percentile(found, 80)) / w if len(found) > 20 else None


def corner_radius(alpha: ByteArray) -> float:
    """Radius of the round corners in pixels, from the first solid pixel on the diagonal."""
    diagonal = np.array([alpha[i, i] for i in range(min(alpha.shape) // 4)])
    solid = np.flatnonzero(diagonal > 128)
    return float(solid[0]) / (1 - 0.7071) if len(solid) else 0.0


def trim(pictures: list[ByteArray], crop: float = 0.0) -> list[tuple[ByteArray, ByteArray]]:
    """Cards of one deck without outline, on paper, at most HEIGHT high, each with its alpha."""
    boxed = [_to_content(picture) for picture in pictures]
    if not boxed:
        return []
    thick = [value for value in map(outline, boxed) if value is not None]
    share = crop or (float(np.median(thick)) if thick else 0.0) + 0.004
    radius_share = float(np.median([corner_radius(np.ascontiguousarray(p[..., 3])) / p.shape[1] for p in boxed]))
    radius_share = min(0.09, max(radius_share - share, 0.035))
    return [_finish(picture, share, radius_share) for picture in boxed]


def _to_content(picture: ByteArray) -> ByteArray:
    solid = picture[..., 3] > 128
    columns, rows = np.flatnonzero(solid.mean(axis=0) > 0.5), np.flatnonzero(solid.mean(axis=1) > 0.5)
    if len(columns) < 10 or len(rows) < 10:  # transparent ground: the whole picture is the card
        return picture
    return picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _finish(picture: ByteArray, share: float, radius_share: float) -> tuple[ByteArray, ByteArray]:
    h, w = picture.shape[:2]
    edge = round(share * w)
    picture = picture[edge : h - edge, edge : w - edge]
    alpha = picture[..., 3:].astype(np.float32) / 255
    solid = picture[picture[..., 3] > 200]
    see_through = float((picture[..., 3] > 128).mean()) < 0.9
    paper = np.array([252, 253, 253]) if see_through else paper_colour(solid[None])
    flat = picture[..., :3] * alpha + paper.astype(np.float32) * (1 - alpha)
    image = np.clip(flat, 0, 255).astype(np.uint8)
    if image.shape[0] > HEIGHT:
        size = (round(image.shape[1] * HEIGHT / image.shape[0]), HEIGHT)
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return image, rounded(image.shape[0], image.shape[1], radius_share * image.shape[1])
