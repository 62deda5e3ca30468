"""Decks that know where their corner indices are: what the eye's training scenes are made of.

An index is described in the card's own frame: millimetres from the card's centre, x right, y down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from simulator.art import CARD_MM, Deck, Pixels

Points = NDArray[np.float32]
Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in mm from the card's top-left corner."""

_MOST_POINTS = 48


@dataclass(frozen=True)
class IndexPlace:
    """One corner index of one face: centre, width and height in mm, whether it is upside down, and where its ink is."""

    x: float
    y: float
    width: float
    height: float
    turned: bool
    rank_ink: Points
    suit_ink: Points

    @property
    def up(self) -> tuple[float, float]:
        """The direction in which the index's top points."""
        return (0.0, 1.0) if self.turned else (0.0, -1.0)


@dataclass(frozen=True)
class IndexBoxes:
    """Rank and suit of one index at the top left or top right; a joker has its lettering as rank and no suit."""

    rank: Box
    suit: Box | None


class IndexedDeck(Deck):
    """A deck with the places of its indices; it may lack cards whose letters are not ours."""

    def __init__(
        self,
        name: str,
        draw: Callable[[str], Pixels],
        boxes: Callable[[Card], list[IndexBoxes]],
        cards: list[Card],
        px_per_mm: float,
        size_mm: tuple[float, float] = CARD_MM,
        corner_mm: float = 3.4,
    ) -> None:
        super().__init__(name, draw, px_per_mm, size_mm)
        self.cards = cards
        self.corner_mm = corner_mm
        self.jokers_only = False
        """Whether the deck only lends its jokers to other decks' groups."""
        self._boxes = boxes
        self._places: dict[str, list[IndexPlace]] = {}

    def places(self, card: Card) -> list[IndexPlace]:
        """Where *card* shows its indices; empty for a face without any."""
        found = self._places.get(card.name)
        if found is None:
            face = self.face(card)
            found = []
            for boxes in self._boxes(card):
                upright = _place(face, boxes, self.px_per_mm, self.size_mm)
                found += [upright, _turned(upright)]
            self._places[card.name] = found
        return found

    def index_height(self) -> float:
        """A usual index's height in mm."""
        plain = [card for card in self.cards if not card.is_joker]
        return self.places(plain[0])[0].height


def _place(face: Pixels, boxes: IndexBoxes, px_per_mm: float, size_mm: tuple[float, float]) -> IndexPlace:
    rank, suit = boxes.rank, boxes.suit or boxes.rank
    x0, x1 = min(rank[0], suit[0]), max(rank[2], suit[2])
    y0, y1 = min(rank[1], suit[1]), max(rank[3], suit[3])
    paper = paper_colour(face)
    rank_ink = _ink(face, boxes.rank, paper, px_per_mm, size_mm)
    suit_ink = _ink(face, boxes.suit, paper, px_per_mm, size_mm) if boxes.suit else np.zeros((0, 2), np.float32)
    return IndexPlace(
        (x0 + x1) / 2 - size_mm[0] / 2, (y0 + y1) / 2 - size_mm[1] / 2, x1 - x0, y1 - y0, False, rank_ink, suit_ink
    )


def _turned(place: IndexPlace) -> IndexPlace:
    return IndexPlace(-place.x, -place.y, place.width, place.height, True, -place.rank_ink, -place.suit_ink)


def paper_colour(face: Pixels) -> NDArray[np.float32]:
    """The face's ground colour, RGB: the commonest bright colour along its margin."""
    height, width = face.shape[:2]
    margin = max(2, width // 40)
    strips = [face[margin, width // 4 : -width // 4, :3], face[height // 4 : -height // 4, margin, :3]]
    return np.asarray(np.median(np.concatenate(strips), axis=0), np.float32)


def _ink(face: Pixels, box: Box, paper: NDArray[np.float32], scale: float, size_mm: tuple[float, float]) -> Points:
    """Points (mm from the centre) inside *box* that are printed: at most a few dozen, spread evenly."""
    x0, y0, x1, y1 = (round(side * scale) for side in box)
    patch = face[max(y0, 0) : y1, max(x0, 0) : x1, :3].astype(np.float32)
    rows, columns = np.nonzero(np.abs(patch - paper).max(axis=2) > 70)
    if len(rows) < 4:
        rows, columns = (each.ravel() for each in np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]])
    step = np.linspace(0, len(rows) - 1, min(_MOST_POINTS, len(rows))).astype(int)
    x = (columns[step] + max(x0, 0) + 0.5) / scale - size_mm[0] / 2
    y = (rows[step] + max(y0, 0) + 0.5) / scale - size_mm[1] / 2
    return np.stack([x, y], axis=1).astype(np.float32)
