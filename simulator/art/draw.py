"""Draws our own card designs: ``python -m simulator.art.draw`` writes ``assets/cards/river`` and ``assets/cards/pine``.

The pictures are vector drawings of our own (:mod:`simulator.art.paths`, :mod:`simulator.art.courts`), turned into small
palette PNGs of 8 px/mm by ``rsvg-convert`` and Pillow.  Developers run it; what it writes is committed.
"""

# ruff: noqa: E501 - the long lines are path data

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from engine.cards import DECK, Card
from simulator.art import CARD_MM
from simulator.art.courts import court, jester
from simulator.art.paths import rank_svg, suit_svg

_WIDTH, _HEIGHT = CARD_MM
_PX_PER_MM = 8


@dataclass(frozen=True)
class Design:
    """Measures of a design in mm and its colours."""

    name: str
    paper: str
    black: str
    red: str
    rank: float
    suit: float
    gap: float
    column: float
    """Middle of the index column."""
    top: float
    weight: float
    serifs: bool
    squeeze: float
    pip: float
    court_box: tuple[float, float, float]
    """Left, top and width of the court's picture."""


DESIGNS = {
    "river": Design(
        "river", "#fdfdfb", "#181c24", "#c01f2e", 6.0, 4.2, 0.8, 5.4, 4.0, 0.115, True, 0.86, 10.6, (11.4, 6.9, 40.2)
    ),
    "pine": Design(
        "pine", "#fcfbf6", "#14181c", "#bd1b2b", 10.2, 7.0, 1.1, 8.2, 3.6, 0.16, False, 0.86, 10.2, (14.6, 12.73, 33.8)
    ),
}

_LEFT, _MIDDLE, _RIGHT = 20.5, 31.5, 42.5
_ROWS: dict[str, list[tuple[float, float]]] = {
    "2": [(_MIDDLE, 0)],
    "3": [(_MIDDLE, 0), (_MIDDLE, 3)],
    "4": [(_LEFT, 0), (_RIGHT, 0)],
    "5": [(_LEFT, 0), (_RIGHT, 0), (_MIDDLE, 3)],
    "6": [(_LEFT, 0), (_RIGHT, 0), (_LEFT, 3), (_RIGHT, 3)],
    "7": [(_LEFT, 0), (_RIGHT, 0), (_LEFT, 3), (_RIGHT, 3), (_MIDDLE, 1.5)],
    "8": [(_LEFT, 0), (_RIGHT, 0), (_LEFT, 3), (_RIGHT, 3), (_MIDDLE, 1.5)],
    "9": [(_LEFT, 0), (_RIGHT, 0), (_LEFT, 2), (_RIGHT, 2), (_MIDDLE, 3)],
    "T": [(_LEFT, 0), (_RIGHT, 0), (_LEFT, 2), (_RIGHT, 2), (_MIDDLE, 1)],
}
"""Pips of the upper half: column in mm and row, 0 the top one and 3 the middle of the card."""


def card_svg(design: Design, card: Card) -> str:
    """One face as an SVG document in mm."""
    colour = design.red if card.name in ("HR",) or (not card.is_joker and card.suit in "HD") else design.black
    half = _index(design, card, colour)
    body = []
    if card.is_joker:
        body.append(_joker_picture(design, card))
    elif card.rank == "A":
        body.append(_ace(design, card.suit, colour))
    elif card.rank in "JQK":
        left, top, width = design.court_box
        scale = width / 40
        frame = f'<rect width="40" height="74" rx="1.6" fill="none" stroke="{design.black}" stroke-width="0.55"/>'
        clip = '<clipPath id="frame"><rect width="40" height="74" rx="1.6"/></clipPath>'
        picture = f'<g clip-path="url(#frame)">{court(design.name, card.rank, card.suit, colour)}</g>'
        body.append(f'<g transform="translate({left},{top}) scale({scale:.4f})">{clip}{picture}{frame}</g>')
    else:
        body.append(_pips(design, card, colour))
    turned = f'<g transform="rotate(180 {_WIDTH / 2} {_HEIGHT / 2})">{half}</g>'
    return _document("".join(body) + half + turned, design.paper)


def _document(body: str, paper: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH * _PX_PER_MM}" height="{_HEIGHT * _PX_PER_MM}">'
        f'<clipPath id="card"><rect width="{_WIDTH}" height="{_HEIGHT}" rx="3.5"/></clipPath>'
        f'<g clip-path="url(#card)"><rect width="{_WIDTH}" height="{_HEIGHT}" fill="{paper}"/>{body}'
        f'<rect x="0.1" y="0.1" width="{_WIDTH - 0.2}" height="{_HEIGHT - 0.2}" rx="3.4" fill="none" stroke="#cfd2d2" stroke-width="0.2"/></g></svg>'
    )


def _index(design: Design, card: Card, colour: str) -> str:
    if card.is_joker:
        return _joker_index(design, card, colour)
    rank = rank_svg(
        card.rank, design.column, design.top, design.rank, colour, design.weight, design.serifs, design.squeeze
    )
    return rank + suit_svg(
        card.suit, design.column, design.top + design.rank + design.gap + design.suit / 2, design.suit, colour
    )


def _joker_index(design: Design, card: Card, colour: str) -> str:
    """River: JOKER downwards; pine: 大王 or 小王 downwards."""
    if design.name == "river":
        signs, height, gap, weight = "JOKER", 3.7, 0.75, 0.15
    else:
        signs, height, gap, weight = ("大王" if card.name == "HR" else "小王"), 8.6, 1.7, 0.135
    squeeze = 0.95 if design.name == "river" else 0.92
    return "".join(
        rank_svg(sign, design.column, design.top + i * (height + gap), height, colour, weight, False, squeeze)
        for i, sign in enumerate(signs)
    )


def _pips(design: Design, card: Card, colour: str) -> str:
    top = 14.2 if design.name == "river" else 15.5
    step = (_HEIGHT / 2 - top) / 3
    squeeze = 1.0 if design.name == "river" else 0.86
    marks = []
    for column, row in _ROWS[card.rank]:
        x, y = _MIDDLE + (column - _MIDDLE) * squeeze, top + row * step
        marks.append(suit_svg(card.suit, x, y, design.pip, colour))
        if row < 3 and not (card.rank == "7" and row == 1.5):
            marks.append(suit_svg(card.suit, _WIDTH - x, _HEIGHT - y, design.pip, colour, turned=True))
    return "".join(marks)


def _ace(design: Design, suit: str, colour: str) -> str:
    """A large sign with the design's ornament cut out of it."""
    height = 30.0 if suit == "S" else 24.0
    sign = suit_svg(suit, _MIDDLE, _HEIGHT / 2, height, colour)
    light = design.paper
    if design.name == "river":
        waves = "".join(
            f'<path d="M{_MIDDLE - 9},{_HEIGHT / 2 + 1.5 + i * 2.3} q1.5,-1.6 3,0 t3,0 t3,0 t3,0 t3,0 t3,0" fill="none" stroke="{light}" stroke-width="0.55"/>'
            for i in range(3)
        )
        clip = f'<clipPath id="ace"><g>{suit_svg(suit, _MIDDLE, _HEIGHT / 2, height * 0.8, "#000")}</g></clipPath>'
        inner = f'<g clip-path="url(#ace)">{waves}</g>'
        ring = (
            f'<ellipse cx="{_MIDDLE}" cy="{_HEIGHT / 2}" rx="19.5" ry="22" fill="none" stroke="{colour}" stroke-width="0.35" stroke-dasharray="0.4 1.1" stroke-linecap="round"/>'
            if suit == "S"
            else ""
        )
        return ring + sign + (clip + inner).replace("<g><path", "<path").replace("/></g></clipPath>", "/></clipPath>")
    tree = f'<path d="M{_MIDDLE},{_HEIGHT / 2 - 4.6} l2.6,4.2 l-1,0 l2.4,4 l-3.2,0 l0,1.8 l-1.6,0 l0,-1.8 l-3.2,0 l2.4,-4 l-1,0 Z" fill="{light}"/>'
    return sign + tree


def _joker_picture(design: Design, card: Card) -> str:
    left, top, width = (12.5, 9.0, 38.0) if design.name == "river" else (14.0, 13.0, 35.0)
    return (
        f'<g transform="translate({left},{top}) scale({width / 40:.4f})">{jester(card.name == "HR", design.name)}</g>'
    )


def back_svg(design: Design) -> str:
    """The back: water scales for the river, a pine wood for the pine."""
    marks = []
    if design.name == "river":
        ground, light, other = "#17375c", "#8fb9d3", "#d9a441"
        for row in range(26):
            for column in range(-1, 12):
                x, y = column * 6.0 + (row % 2) * 3.0 + 1.5, 84 - row * 3.2
                marks.append(
                    f'<g transform="translate({x},{y})"><circle r="3" fill="{ground}" stroke="{light}" stroke-width="0.4"/><circle r="2" fill="none" stroke="{light}" stroke-width="0.32"/><circle r="1" fill="none" stroke="{light}" stroke-width="0.28"/></g>'
                )
        marks = list(reversed(marks))
    else:
        ground, light, other = "#173a2c", "#8fbf9b", "#c99a3c"
        for row in range(17):
            for column in range(-1, 12):
                x, y = column * 6.0 + (row % 2) * 3.0 + 1.5, row * 5.4 - 2
                marks.append(
                    f'<path transform="translate({x},{y})" d="M0,0 L2,3 L1,3 L2.6,5.6 L-2.6,5.6 L-1,3 L-2,3 Z" fill="{light if (row + column) % 3 else other}" opacity="0.85"/>'
                )
    inner = f'<clipPath id="field"><rect x="4" y="4" width="{_WIDTH - 8}" height="{_HEIGHT - 8}" rx="1.8"/></clipPath>'
    field = (
        f'<g clip-path="url(#field)"><rect width="{_WIDTH}" height="{_HEIGHT}" fill="{ground}"/>{"".join(marks)}</g>'
    )
    border = f'<rect x="4" y="4" width="{_WIDTH - 8}" height="{_HEIGHT - 8}" rx="1.8" fill="none" stroke="{other}" stroke-width="0.7"/>'
    medal = (
        f'<ellipse cx="{_MIDDLE}" cy="{_HEIGHT / 2}" rx="11.5" ry="15" fill="{ground}" stroke="{other}" stroke-width="0.8"/>'
        + "".join(suit_svg(suit, _MIDDLE + dx, _HEIGHT / 2 + dy, 5.4, other if suit in "HD" else light, turned=dy > 0)
                  for suit, dx, dy in (("S", 0, -8), ("H", 5.2, 0), ("D", -5.2, 0), ("C", 0, 8)))
    )  # fmt: skip
    return _document(inner + field + border + medal, design.paper)


def _png(svg: str, colours: int = 224) -> bytes:
    from PIL import Image

    raw = subprocess.run(["rsvg-convert"], input=svg.encode(), check=True, capture_output=True).stdout
    picture = Image.open(io.BytesIO(raw)).convert("RGBA")
    small = picture.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


def draw(directory: Path, name: str) -> int:
    """Writes the 55 pictures of a design into *directory*; gives their size in bytes."""
    design = DESIGNS[name]
    directory.mkdir(parents=True, exist_ok=True)
    total = 0
    pictures = [(card.name, card_svg(design, card)) for card in DECK] + [("back", back_svg(design))]
    for key, svg in pictures:
        data = _png(svg)
        (directory / f"{key}.png").write_bytes(data)
        total += len(data)
    return total


def main() -> None:
    root = Path(__file__).resolve().parents[2] / "assets" / "cards"
    for name in DESIGNS:
        size = draw(root / name, name)
        sys.stdout.write(f"{root / name}: 55 pictures, {size // 1024} KiB\n")


if __name__ == "__main__":
    main()
