"""The card designs of Debian's packages as decks with index geometry: training material only, nothing of it ships.

``gnome-cards-data`` holds sheets of 13 x 5 cards (ace to king across; clubs, diamonds, hearts, spades; then the jokers
and the back), ``kdegames-card-data-kf5`` sheets in other orders.  A sheet is rendered once by ``rsvg-convert`` and kept
in the cache folder.  Where an index lies is found
on the twos and threes, which have no pip beside their index, and refined on each card.  See ``SOURCES.md``.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.cards import DECK, Card
from simulator.art import Pixels, round_mask
from simulator.art.indexed import Box, IndexBoxes, IndexedDeck, paper_colour
from simulator.refusals import Unreadable

SHEETS: Final = Path("/usr/share/aisleriot/cards")
KDE: Final = Path("/usr/share/carddecks")
HELD_OUT: Final = ("tigullio", "paris", "anglo_modern_4_color", "neoclassical_4_color")
"""Whole designs that no model is ever trained on."""

PX_PER_MM: Final = 5.0
_HEIGHT: Final = 440
_COLUMNS: Final = "A23456789TJQK"
_ROWS: Final = "CDHS"
_DOWN: Final = "AKQJT98765432"


@dataclass(frozen=True)
class Design:
    """What a sheet does not say: which letters are ours, and where a joker's index lies (fractions of the card)."""

    ranks: str = _COLUMNS
    joker: Box | None = None
    four_jokers: bool = False
    """The joker's index stands in all four corners."""
    lettering: Box | None = None
    """A second place of the upper half where the joker is named."""
    four: bool = False
    """Every index stands in all four corners."""
    outline: int = 5
    """Pixels of printed outline that a real card does not have."""
    kde: str = ""
    """The sheet below ``/usr/share/carddecks``, if it is one of KDE's."""
    columns: str = "A23456789TJQK"
    rows: str = "CDHS"
    deep: int = 5
    """Rows of the sheet."""


_DIGITS: Final = "23456789T"
_ACROSS: Final = (0.3, 0.035, 0.7, 0.135)
_DOWNWARDS: Final = (0.79, 0.03, 0.94, 0.46)
DESIGNS: Final[dict[str, Design]] = {
    "anglo": Design(joker=(0.015, 0.04, 0.115, 0.27)),
    "anglo_bitmap": Design(joker=(0.03, 0.04, 0.125, 0.27)),
    "anglo_modern": Design(joker=(0.03, 0.04, 0.2, 0.16), four_jokers=True, lettering=_ACROSS),
    "anglo_poker": Design(joker=(0.02, 0.03, 0.21, 0.15)),
    "bellot": Design(joker=(0.03, 0.025, 0.31, 0.14)),
    "dondorf": Design(four=True, outline=8),
    "gnomangelo": Design(joker=(0.03, 0.04, 0.21, 0.16)),
    "gnomangelo_bitmap": Design(joker=(0.03, 0.025, 0.31, 0.14)),
    "neoclassical": Design(joker=(0.03, 0.04, 0.2, 0.17), lettering=_DOWNWARDS),
    "orell": Design(joker=(0.035, 0.03, 0.17, 0.155)),
    "ornamental": Design(joker=(0.05, 0.05, 0.22, 0.46)),
    "plastic": Design(joker=(0.02, 0.03, 0.21, 0.17), four_jokers=True, lettering=(0.25, 0.03, 0.75, 0.14)),
    "simplistic": Design(joker=(0.03, 0.03, 0.2, 0.16)),
    "tango": Design("A23456789JQK", joker=(0.05, 0.06, 0.235, 0.68)),
    "atlasnye": Design(joker=(0.03, 0.03, 0.15, 0.49)),
    "berlin": Design("A" + _DIGITS + "K", joker=(0.03, 0.03, 0.17, 0.14), four_jokers=True),
    "lattmann": Design("A" + _DIGITS + "K", joker=(0.04, 0.05, 0.19, 0.16)),
    "rheinland": Design("A" + _DIGITS + "K", joker=(0.05, 0.045, 0.215, 0.175), four_jokers=True),
    "slavic_costumes": Design(_DIGITS + "K", joker=(0.04, 0.04, 0.19, 0.16)),
    "tarocco": Design("A" + _DIGITS, joker=(0.03, 0.02, 0.17, 0.14), four_jokers=True),
    "ancient_french": Design(_DIGITS, joker=(0.03, 0.04, 0.48, 0.16)),
    "guyenne-classic": Design("A" + _DIGITS, joker=(0.03, 0.03, 0.3, 0.2), outline=8),
    "kde_standard": Design(kde="svg-standard/standard.svgz", columns=_DOWN, rows="SHCD", deep=4),
    "tigullio": Design(joker=(0.05, 0.05, 0.26, 0.17)),
    "paris": Design("A" + _DIGITS, joker=(0.03, 0.03, 0.3, 0.2), outline=8),
    "anglo_modern_4_color": Design(joker=(0.03, 0.04, 0.2, 0.16), four_jokers=True, lettering=_ACROSS),
    "neoclassical_4_color": Design(joker=(0.03, 0.04, 0.2, 0.17), lettering=_DOWNWARDS),
}


def cache_directory() -> Path:
    """Where rendered sheets are kept: ``$GUANDAN_ART_CACHE`` or ``~/.cache/guandan-table/art``."""
    path = Path(os.environ.get("GUANDAN_ART_CACHE") or Path.home() / ".cache" / "guandan-table" / "art")
    path.mkdir(parents=True, exist_ok=True)
    return path


def installed(name: str) -> bool:
    """Whether the design's sheet is on this machine."""
    return _path(name).exists()


def _path(name: str) -> Path:
    return KDE / DESIGNS[name].kde if DESIGNS[name].kde else SHEETS / f"{name}.svgz"


def training_names() -> list[str]:
    """The installed designs that are not held out."""
    return [name for name in DESIGNS if name not in HELD_OUT and installed(name)]


def training_decks() -> list[IndexedDeck]:
    """Every installed design that is not held out."""
    return [deck(name) for name in training_names()]


def held_out_decks() -> list[IndexedDeck]:
    """The held-out designs that are installed."""
    return [deck(name) for name in HELD_OUT if installed(name)]


def deck(name: str) -> IndexedDeck:
    """One design by its sheet's name.

    :raises Unreadable: when the design is unknown or its package is not installed.
    """
    design = DESIGNS.get(name)
    if design is None or not installed(name):
        raise Unreadable("design_installed", name=name)
    faces = _faces(name)
    height, width = faces.shape[1:3]
    size_mm = (width / PX_PER_MM, height / PX_PER_MM)
    mask = round_mask(width, height, 3.4 * PX_PER_MM)
    finder = IndexFinder(faces)

    def draw(key: str) -> Pixels:
        return np.dstack([faces[_place_on_sheet(key)], mask])

    def boxes(card: Card) -> list[IndexBoxes]:
        if card.is_joker:
            places = [place for place in (design.joker, design.lettering) if place]
            found = [finder.joker(_place_on_sheet(card.name), place) for place in places]
        else:
            found = [finder.index(card)]
        if found and (design.four_jokers if card.is_joker else design.four):
            found.append(_mirrored(found[0], size_mm[0]))
        return found

    cards = [card for card in DECK if card.rank in design.ranks or (card.is_joker and design.joker)]
    return IndexedDeck(f"debian:{name}", draw, boxes, cards, PX_PER_MM, size_mm)


def picture(name: str, key: str) -> Pixels:
    """One picture of a design (``"SK"``, ``"back"``), RGB without corners: texture for drawn decks."""
    return np.asarray(_faces(name)[_place_on_sheet(key)], np.uint8)


def _place_on_sheet(key: str) -> int:
    """The number of a picture in :func:`_faces`."""
    if key in ("SB", "HR", "back"):
        return 52 + ("SB", "HR", "back").index(key)
    return _ROWS.index(key[0]) * 13 + _COLUMNS.index(key[1])


def _faces(name: str) -> Pixels:
    """All 55 pictures of a sheet, RGB (55, h, w, 3), the printed outline painted over with paper."""
    path = cache_directory() / f"{name}.npy"
    if not path.exists():
        cells = _cut(_sheet(name), DESIGNS[name])
        temporary = path.with_suffix(f".{os.getpid()}.npy")
        np.save(temporary, cells)
        temporary.replace(path)
    return np.asarray(np.load(path, mmap_mode="r"), np.uint8)


def _sheet(name: str) -> Pixels:
    high = str(_HEIGHT * DESIGNS[name].deep)
    command = ["rsvg-convert", "-h", high, "--keep-aspect-ratio", str(_path(name))]
    try:
        data = subprocess.run(command, check=True, capture_output=True).stdout
    except FileNotFoundError as error:
        raise Unreadable("no_rsvg") from error
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise Unreadable("not_drawn", file=_path(name))
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA), np.uint8)


def _cut(sheet: Pixels, design: Design) -> Pixels:
    """The 55 pictures in the order of :func:`_faces`; white ones where a sheet has no jokers."""
    height, width = sheet.shape[0] / design.deep, sheet.shape[1] / 13
    places = [(design.rows.index(suit), design.columns.index(rank)) for suit in _ROWS for rank in _COLUMNS]
    places += [(4, 0), (4, 1), (4, 2)]
    cells: list[Pixels] = []
    for row, column in places:
        x, y = round(column * width), round(row * height)
        cell = sheet[y : y + int(height), x : x + int(width)]
        if design.kde:
            cell = _tight(cell, cells[0].shape[:2] if cells else None)
        cells.append(without_outline(cell, design.outline))
    return np.stack(cells)


def _tight(cell: Pixels, size: tuple[int, ...] | None) -> Pixels:
    """A card without the empty room around it, in the size of its fellows."""
    if not cell.size or not (cell[:, :, 3] > 200).any():
        return np.full((*(size or (_HEIGHT, 315)), 4), 255, np.uint8)
    solid = cell[:, :, 3] > 200
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    card = cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    high, wide = size or (_HEIGHT, round(card.shape[1] * _HEIGHT / card.shape[0]))
    return np.asarray(cv2.resize(np.ascontiguousarray(card), (wide, high), interpolation=cv2.INTER_CUBIC), np.uint8)


def without_outline(cell: Pixels, outline: int) -> Pixels:
    """A card's picture (RGBA) as RGB whose outermost rim is paper, as on a printed card."""
    solid = np.pad((cell[:, :, 3] > 200).astype(np.uint8), 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * outline + 1, 2 * outline + 1))
    inside = cv2.erode(solid, kernel)[1:-1, 1:-1]
    inside[:3], inside[-3:], inside[:, :3], inside[:, -3:] = 0, 0, 0, 0
    opacity = cell[:, :, 3:].astype(np.float32) / 255
    flat = cell[:, :, :3] * opacity + 255 * (1 - opacity)
    paper = paper_colour(flat[outline:-outline, outline:-outline].astype(np.uint8))
    if paper.max() < 150:
        paper = np.full(3, 245, np.float32)
    return np.where(inside[:, :, None] > 0, flat, paper).astype(np.uint8)


def _mirrored(boxes: IndexBoxes, width: float) -> IndexBoxes:
    """The same index in the card's other upper corner."""

    def flip(box: Box) -> Box:
        return (width - box[2], box[1], width - box[0], box[3])

    return IndexBoxes(flip(boxes.rank), flip(boxes.suit) if boxes.suit else None)


class IndexFinder:
    """Finds where a design prints its indices, from its faces alone."""

    def __init__(self, faces: Pixels, scale: float = PX_PER_MM) -> None:
        self._faces, self._scale = faces, scale
        self._ranks: list[tuple[int, int, int, int]] = []
        self._suits: dict[str, tuple[int, int, int, int]] = {}
        for suit in _ROWS:
            for rank in "23":
                parts = self._parts(faces[_place_on_sheet(suit + rank)])
                parts = [part for part in parts if part[0] < faces.shape[2] * 0.17 and part[2] < faces.shape[2] * 0.42]
                parts.sort(key=lambda part: part[1])
                if len(parts) >= 2:
                    self._ranks.append(parts[0])
                    self._suits.setdefault(suit, parts[1])
        if not self._ranks or len(self._suits) < 4:
            raise Unreadable("no_index")
        columns = np.array(self._ranks)
        self._rank = tuple(int(value) for value in (*columns[:, :2].min(0), *columns[:, 2:].max(0)))

    def _parts(self, face: Pixels) -> list[tuple[int, int, int, int]]:
        """Printed components of a face's upper left part: x0, y0, x1, y1 in pixels."""
        height, width = face.shape[0] * 45 // 100, face.shape[1] * 45 // 100
        patch = face[:height, :width].astype(np.float32)
        printed = (np.abs(patch - paper_colour(face)).max(axis=2) > 60).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(printed, connectivity=8)
        return [
            (int(x), int(y), int(x + w), int(y + h))
            for x, y, w, h, area in stats[1:count]
            if area >= 12 and h >= 6 and w >= 3
        ]

    def index(self, card: Card) -> IndexBoxes:
        """Rank and suit of the card's upper left index."""
        x0, y0, x1, y1 = self._rank
        suit = self._suits[card.suit]
        tall = y1 - y0
        chosen = [
            part
            for part in self._parts(self._faces[_place_on_sheet(card.name)])
            if part[0] < max(x1, suit[2])
            and y0 - 5 <= part[1] <= y0 + tall * 0.35
            and part[3] <= min(y1 + tall * 0.25, suit[1] + 2)
            and part[3] - part[1] >= tall * 0.6
            and part[2] - part[0] <= tall * 1.3
        ]
        if chosen:
            found = np.array(chosen)
            rank = (*found[:, :2].min(0), *found[:, 2:].max(0))
        else:
            rank = (x0, y0, x1, y1)
        return IndexBoxes(self._mm(rank), self._mm(suit))

    def joker(self, place: int, region: Box) -> IndexBoxes:
        """The joker's lettering or sign inside *region* (fractions of the card)."""
        face = self._faces[place]
        height, width = face.shape[:2]
        x0, y0, x1, y1 = (round(side * length) for side, length in zip(region, (width, height) * 2, strict=True))
        patch = face[y0:y1, x0:x1].astype(np.float32)
        rows, columns = np.nonzero(np.abs(patch - paper_colour(face)).max(axis=2) > 60)
        tight = (x0 + columns.min(), y0 + rows.min(), x0 + columns.max() + 1, y0 + rows.max() + 1)
        return IndexBoxes(self._mm(tight), None)

    def _mm(self, box: tuple[int, ...]) -> Box:
        x0, y0, x1, y1 = (float(side) / self._scale for side in box)
        return (x0, y0, x1, y1)
