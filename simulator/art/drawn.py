"""Decks that are drawn from a seed: indices of hundreds of fonts in every layout, for training only.

A seed decides everything: size, paper, colours, fonts, suit signs, index layout, jokers, pictures.  Pictures in the
middle are texture, partly pieces of Debian's designs, and never ship.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from engine.cards import DECK, Card
from simulator.art import Pixels, round_mask
from simulator.art.drawn_jokers import KINDS, SHARES, joker_index, lettering
from simulator.art.drawn_pictures import back_picture, middle_picture
from simulator.art.fonts import index_fonts, suit_fonts, text_mask
from simulator.art.glyphs import fitted, flat_three, suit_mask
from simulator.art.indexed import IndexBoxes, IndexedDeck
from simulator.art.strokes import Pen, stroke_mask

Rng = np.random.Generator
Colour = tuple[int, int, int]

PX_PER_MM = 5.0
_SIGNS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_HELD_OUT_FONTS = ("RobotoSlab", "PTSans", "PT_Sans", "Vollkorn", "Dosis")
"""Fonts kept for the held-out drawn style."""


@dataclass
class Style:
    """Everything that a drawn deck decides once."""

    rng: Rng
    size_mm: tuple[float, float]
    paper: Colour
    colours: dict[str, Colour]
    font: str
    signs: str | None
    """Font of the suit signs; None for our own paths."""
    sign_seed: int
    rank_mm: float
    suit_mm: float
    gap_mm: float
    left_mm: float
    """Centre of the index column from the card's edge."""
    top_mm: float
    stretch: float
    ten_gap: float
    four_corners: bool
    flat_three: bool
    pictures: str
    joker: int
    coloured_joker: bool
    pen: Pen | None = None
    """Ranks written with strokes instead of a font."""
    extras: dict[str, float] = field(default_factory=dict)


def drawn_deck(seed: int) -> IndexedDeck:
    """The drawn training deck of *seed*."""
    rng = np.random.default_rng([9, seed])
    fonts = [font for font in index_fonts() if not any(part in font for part in _HELD_OUT_FONTS)]
    kind = str(rng.choice(["standard", "large", "jumbo", "big", "small"], p=[0.42, 0.24, 0.2, 0.08, 0.06]))
    style = _style(rng, kind, fonts)
    if rng.random() < 0.33:
        style.pen = Pen(
            weight=float(rng.choice([rng.uniform(0.025, 0.06), rng.uniform(0.05, 0.1), rng.uniform(0.08, 0.2)])),
            feet=bool(rng.random() < 0.6),
            unsteady=float(rng.uniform(0, 2.5)),
            forms=int(rng.integers(1 << 9)),
            seed=int(rng.integers(1 << 30)),
        )
    return _deck(f"drawn:{seed}", style)


def joker_deck(seed: int) -> IndexedDeck:
    """The two jokers of a drawn deck: there are as many kinds of joker as decks, so scenes mix in strangers."""
    deck = drawn_deck(seed)
    deck.cards = [card for card in deck.cards if card.is_joker]
    deck.jokers_only = True
    return deck


def held_out_deck(seed: int) -> IndexedDeck:
    """A drawn jumbo deck of the style that no model is trained on: fonts of its own, four colours, JOKER downwards."""
    rng = np.random.default_rng([8, seed])
    fonts = [font for font in index_fonts() if any(part in font for part in _HELD_OUT_FONTS)] or index_fonts()
    style = _style(rng, "jumbo", fonts)
    style.joker = 0
    style.colours = {"S": (20, 20, 24), "H": (200, 20, 30), "C": (10, 110, 60), "D": (20, 60, 170)}
    return _deck(f"held_out:{seed}", style)


_LAYOUTS = {  # rank mm, suit mm, gap mm
    "small": ((4.2, 5.5), (3.0, 4.2), (0.4, 1.4)),
    "standard": ((5.2, 7.8), (3.6, 5.6), (0.4, 2.0)),
    "large": ((7.5, 11.5), (4.8, 9.0), (0.4, 2.4)),
    "jumbo": ((11.0, 17.0), (7.0, 13.0), (0.6, 3.0)),
    "big": ((17.0, 26.0), (11.0, 22.0), (0.8, 4.0)),
}


def _style(rng: Rng, kind: str, fonts: list[str]) -> Style:
    size_mm = ((63.0, 88.0), (57.0, 88.0), (56.0, 87.0), (63.0, 93.0))[int(rng.choice(4, p=[0.65, 0.25, 0.05, 0.05]))]
    rank_range, suit_range, gap_range = _LAYOUTS[kind]
    rank_mm, suit_mm, gap_mm = (float(rng.uniform(*each)) for each in (rank_range, suit_range, gap_range))
    white = rng.uniform(238, 255)
    tint = np.clip(white + rng.normal(0, 2.5, 3) - [0, 0, abs(rng.normal(0, 5))], 205, 255)
    stretch = float(np.clip(rng.normal(0.85, 0.16), 0.5, 1.25))
    width = rank_mm * stretch * 0.62
    return Style(
        rng=rng,
        size_mm=size_mm,
        paper=(int(tint[0]), int(tint[1]), int(tint[2])),
        colours=_colours(rng),
        font=fonts[int(rng.integers(len(fonts)))],
        signs=suit_fonts()[int(rng.integers(len(suit_fonts())))] if rng.random() < 0.55 else None,
        sign_seed=int(rng.integers(1 << 30)),
        rank_mm=rank_mm,
        suit_mm=suit_mm,
        gap_mm=gap_mm,
        left_mm=max(width, suit_mm) / 2 + float(rng.uniform(1.0, 3.2)),
        top_mm=float(rng.uniform(1.6, 5.0)),
        stretch=stretch,
        ten_gap=float(rng.uniform(-0.02, 0.12)),
        four_corners=bool(rng.random() < 0.14),
        flat_three=bool(rng.random() < 0.22),
        pictures=str(rng.choice(["pips", "one", "none", "art"], p=[0.62, 0.16, 0.06, 0.16])),
        joker=int(rng.choice(KINDS, p=SHARES)),
        coloured_joker=bool(rng.random() < 0.45),
        extras={"frame": float(rng.random()), "outline": float(rng.random()), "pip": float(rng.uniform(7, 13))},
    )


def _colours(rng: Rng) -> dict[str, Colour]:
    def near(red: float, green: float, blue: float, spread: float = 14) -> Colour:
        r, g, b = np.clip(rng.normal((red, green, blue), spread), 0, 255)
        return int(r), int(g), int(b)

    black, red = near(20, 20, 24), near(205, 22, 32, 18)
    kind = rng.random()
    if kind < 0.66:
        return {"S": black, "C": black, "H": red, "D": red}
    if kind < 0.93:
        green = near(15, 125, 55, 20)
        blue = near(25, 70, 185, 22) if rng.random() < 0.75 else near(235, 130, 20, 15)
        four = {"S": black, "C": green, "H": red, "D": blue}
        if rng.random() < 0.15:
            four["C"], four["D"] = blue, green
        pale = max(0.0, float(rng.uniform(-0.5, 0.5)))
        if pale:
            # pastel prints: what a four-colour deck looks like in bright light, too
            return {suit: _paler(colour, pale) for suit, colour in four.items()}
        return four
    dark = near(30, 40, 110, 20) if rng.random() < 0.5 else near(60, 60, 60)
    other = near(220, 60, 90, 25)
    return {"S": dark, "C": dark, "H": other, "D": other}


def _paler(colour: Colour, share: float) -> Colour:
    red, green, blue = (int(part + (245 - part) * share) for part in colour)
    return red, green, blue


class Face:
    """A card's picture while it is drawn, RGB, with the boxes of its indices."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.width, self.height = (round(side * PX_PER_MM) for side in style.size_mm)
        self.picture = np.empty((self.height, self.width, 3), np.uint8)
        self.picture[:] = style.paper

    def print(self, mask: Pixels, centre_x: float, top: float, colour: Colour) -> tuple[float, float, float, float]:
        """Prints a glyph (pixels), its middle at *centre_x* and its top at *top* mm; gives its box in mm."""
        height, width = mask.shape
        x, y = round(centre_x * PX_PER_MM - width / 2), round(top * PX_PER_MM)
        x = min(max(x, 2), self.width - 4)
        x1, y1 = min(x + width, self.width), min(y + height, self.height)
        opacity = mask[: y1 - y, : x1 - x, None].astype(np.float32) / 255
        patch = self.picture[y:y1, x:x1]
        patch[:] = (patch * (1 - opacity) + np.array(colour, np.float32) * opacity).astype(np.uint8)
        return x / PX_PER_MM, y / PX_PER_MM, x1 / PX_PER_MM, y1 / PX_PER_MM


def _deck(name: str, style: Style) -> IndexedDeck:
    boxes: dict[str, list[IndexBoxes]] = {}
    width, height = (round(side * PX_PER_MM) for side in style.size_mm)
    mask = round_mask(width, height, PX_PER_MM * float(style.rng.uniform(2.4, 4.2)))
    seed = int(style.rng.integers(1 << 30))

    def draw(key: str) -> Pixels:
        rng = np.random.default_rng([seed, *key.encode()])
        if key == "back":
            return np.dstack([back_picture(rng, width, height), mask])
        card = Card.parse(key)
        face = Face(style)
        boxes[key] = _draw_joker(face, card, rng) if card.is_joker else _draw_card(face, card, rng)
        return np.dstack([face.picture, mask])

    def find(card: Card) -> list[IndexBoxes]:
        deck.face(card)
        return boxes[card.name]

    deck = IndexedDeck(name, draw, find, list(DECK), PX_PER_MM, style.size_mm)
    return deck


def _draw_card(face: Face, card: Card, rng: Rng) -> list[IndexBoxes]:
    style = face.style
    rank, sign = rank_glyph(style, card.rank), sign_glyph(style, card.suit, style.suit_mm)
    bottom = style.top_mm + style.rank_mm + style.gap_mm + style.suit_mm
    right = max(style.left_mm * 2, 0.0)
    big = sign_glyph(style, card.suit, style.extras["pip"])
    middle_picture(face.picture, card, rng, style.pictures, big, style.colours[card.suit], PX_PER_MM, right, bottom,
                   style.extras["frame"])  # fmt: skip
    return _print_index(face, rank, sign, style.colours[card.suit])


def _print_index(face: Face, rank: Pixels, sign: Pixels, colour: Colour) -> list[IndexBoxes]:
    """Prints the index at the upper left, the same upside down, and at the other corners where the style wants it."""
    style, width = face.style, face.style.size_mm[0]
    clear = max(rank.shape[1], sign.shape[1]) / PX_PER_MM
    found = []
    for x in (style.left_mm, width - style.left_mm)[: 2 if style.four_corners else 1]:
        _wipe(
            face,
            x - clear / 2 - 0.6,
            style.top_mm - 0.6,
            x + clear / 2 + 0.6,
            style.top_mm + style.rank_mm + style.gap_mm + style.suit_mm + 0.6,
        )
        rank_box = face.print(rank, x, style.top_mm, colour)
        suit_box = face.print(sign, x, style.top_mm + rank.shape[0] / PX_PER_MM + style.gap_mm, colour)
        found.append(IndexBoxes(rank_box, suit_box))
    _copy_turned(face, found)
    return found


def _wipe(face: Face, x0: float, y0: float, x1: float, y1: float) -> None:
    left, top, right, bottom = (max(0, round(side * PX_PER_MM)) for side in (x0, y0, x1, y1))
    face.picture[top:bottom, left:right] = face.style.paper


def _copy_turned(face: Face, found: list[IndexBoxes]) -> None:
    """Repeats the printed index areas upside down in the opposite corners."""
    for boxes in found:
        suit = boxes.suit or boxes.rank
        x0, y0 = (min(boxes.rank[i], suit[i]) - 0.5 for i in (0, 1))
        x1, y1 = (max(boxes.rank[i], suit[i]) + 0.5 for i in (2, 3))
        left, top, right, bottom = (max(0, round(side * PX_PER_MM)) for side in (x0, y0, x1, y1))
        patch = face.picture[top:bottom, left:right]
        turned = patch[::-1, ::-1].copy()
        height, width = face.picture.shape[:2]
        face.picture[height - top - patch.shape[0] : height - top, width - left - patch.shape[1] : width - left] = (
            turned
        )


def _draw_joker(face: Face, card: Card, rng: Rng) -> list[IndexBoxes]:
    style = face.style
    red = card.name == "HR"
    if style.coloured_joker:
        colour = style.colours["H"] if red else (70, 70, 74)
    else:
        colour = style.colours["H"] if red else style.colours["S"]
    mask, tint = joker_index(
        np.random.default_rng(style.sign_seed), style.joker, red, style.font, style.rank_mm, style.suit_mm, PX_PER_MM
    )
    middle_picture(
        face.picture, card, rng, style.pictures, mask, colour, PX_PER_MM, style.left_mm * 2, 30.0, style.extras["frame"]
    )
    if style.coloured_joker and not red:
        face.picture[:] = face.picture.mean(axis=2, keepdims=True).astype(np.uint8)
    wide = mask.shape[1] / PX_PER_MM
    found = []
    for side in (0, 1)[: 2 if style.four_corners and wide < 12 else 1]:
        x = max(style.left_mm, wide / 2 + 1.5)
        x = x if side == 0 else style.size_mm[0] - x
        _wipe(
            face,
            x - wide / 2 - 0.6,
            style.top_mm - 0.6,
            x + wide / 2 + 0.6,
            style.top_mm + mask.shape[0] / PX_PER_MM + 0.6,
        )
        box = face.print(mask, x, style.top_mm, tint or colour)
        found.append(IndexBoxes(box, None))
    second = lettering(np.random.default_rng([style.sign_seed, 1]), style.font, style.size_mm[0], PX_PER_MM)
    if second and len(found) == 1:
        word, x = second
        wide, high = word.shape[1] / PX_PER_MM, word.shape[0] / PX_PER_MM
        if x - wide / 2 > found[0].rank[2] + 1.5 and style.top_mm + high < style.size_mm[1] / 2 - 2:
            _wipe(face, x - wide / 2 - 0.6, style.top_mm - 0.6, x + wide / 2 + 0.6, style.top_mm + high + 0.6)
            found.append(IndexBoxes(face.print(word, x, style.top_mm, tint or colour), None))
    _copy_turned(face, found)
    return found


def rank_glyph(style: Style, rank: str) -> Pixels:
    """The rank's mask in the deck's font, ``rank_mm`` high."""
    height = round(style.rank_mm * PX_PER_MM)
    if style.pen:
        if rank != "T":
            return stroke_mask(style.pen, rank, height, style.stretch)
        parts = [stroke_mask(style.pen, digit, height, style.stretch * 0.86) for digit in "10"]
        return np.hstack([parts[0], np.zeros((height, round((style.ten_gap + 0.07) * height)), np.uint8), parts[1]])
    if rank == "3" and style.flat_three:
        mask = flat_three(height, 0.1 + 0.08 * (style.sign_seed % 7) / 7, serif=style.sign_seed % 2 == 0)
        return fitted(mask, height, style.stretch)
    if rank != "T":
        return fitted(_letter(style.font, rank), height, style.stretch)
    one, zero = (fitted(_letter(style.font, digit), height, style.stretch * 0.86) for digit in "10")
    gap = np.zeros((height, max(0, round(style.ten_gap * height))), np.uint8)
    return np.hstack([one, gap, zero])


@lru_cache(maxsize=600)
def _letter(font: str, letter: str) -> Pixels:
    return text_mask(font, letter, 96)


def sign_glyph(style: Style, suit: str, height_mm: float) -> Pixels:
    """The suit's mask in the deck's signs."""
    height = round(height_mm * PX_PER_MM)
    if style.signs is None:
        return suit_mask(suit, height, np.random.default_rng([style.sign_seed, ord(suit)]))
    return fitted(_letter(style.signs, _SIGNS[suit]), height, 1.0)
