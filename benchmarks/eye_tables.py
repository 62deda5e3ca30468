"""Held-out decks on the virtual mat with the truth about every card: where it lies, what of its indices shows.

Four play zones and the middle hold one group each: lone cards, two equal cards of two decks (beside, over and across
each other, nearly squared up), fans as players lay them with equal neighbours. The virtual camera's picture is made
only where it is asked for: the geometry alone needs none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final, cast

import numpy as np

from engine.cards import SEATS, Card
from simulator.art import debian, drawn
from simulator.art.indexed import IndexedDeck
from simulator.camera import VirtualCamera
from simulator.layout import Pose, lay, on_mat
from simulator.lens import Lens, Optics
from simulator.light import Light
from simulator.spread import Look, Spread
from simulator.world import World
from vision.zones import MIDDLE

HEIGHTS: Final = (8, 10, 12, 14, 16, 20, 24, 28, 32, 36, 40)
"""Index heights in px at the mat's middle."""
DESIGNS: Final = (*debian.HELD_OUT, "jumbo four-colour 71", "jumbo four-colour 72")
"""Whole designs that no model was trained on; the last two are drawn from a seed."""
LIGHTS: Final[dict[str, dict[str, Any]]] = {
    "even": {},
    "hard shadow": {"light": Light(hard_shadow=True, drift=0.06)},
    "dim": {"light": Light(bright=0.5, drift=0.06), "noise": 4.0},
    "warm": {"light": Light(colour=(0.68, 0.92, 1.1), bright=0.85)},
    "bright": {"light": Light(bright=1.25)},
    "defocused": {"defocus": 0.32},
}
PAIRS: Final = ("beside", "over", "across", "nearly squared")
_KINDS: Final = ("lone", "fan", *PAIRS)
_SHARES: Final = (0.12, 0.24, 0.16, 0.16, 0.16, 0.16)
_SHORT_MM: Final = 789.0
"""Of the table, along the picture's shorter side, as the virtual camera hangs."""
_JOKER_LEAST: Final = 0.35
"""Of a joker's lettering that must show before it is any joker, as in training."""


@dataclass(frozen=True)
class Corner:
    """The truth about one index: its card's number and name, centre and height in px, degrees clockwise from up, and
    the share of its rank that no other card hides."""

    number: int
    card: Card
    x: float
    y: float
    angle: float
    height: float
    shown: float


@dataclass(frozen=True)
class Group:
    """What lies in one place: its *kind*, the seat (or the middle) and its cards' numbers, left to right."""

    kind: str
    seat: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """One table: the deck, how large it is seen, what lies there."""

    number: int
    design: str
    height: int
    light: str
    size: tuple[int, int]
    look: Look
    groups: tuple[Group, ...]

    @property
    def deck(self) -> IndexedDeck:
        return deck_of(self.design)

    @property
    def lens(self) -> Lens:
        return Lens(Optics.over_mat(self.size), self.size)

    def picture(self) -> np.ndarray:
        """(H, W, 3) uint8: what the virtual camera sees."""
        spread = cast(World, Spread(self.deck, [self.look]))
        return VirtualCamera(spread, lambda: 2.0, self.size, seed=self.number, **LIGHTS[self.light]).still().image

    def corners(self) -> list[Corner]:
        """Every index that shows a twentieth of its rank or more."""
        lens, deck = self.lens, self.deck
        found = []
        for number, (card, pose) in enumerate(self.look):
            above = [
                other for _, other in self.look[number + 1 :] if np.hypot(other.x - pose.x, other.y - pose.y) < 112
            ]
            for place in deck.places(card):
                shown = float((~_hidden(_on_mat(pose, place.rank_ink), above, deck.size_mm)).mean())
                if card.is_joker:
                    shown = max(0.0, (shown - _JOKER_LEAST) / (1 - _JOKER_LEAST))
                if shown < 0.05:
                    continue
                size = max(place.height, place.width) if card.is_joker else place.height
                up, middle = np.array(place.up) * size / 2, np.array([place.x, place.y])
                x, top, bottom = lens.to_px(_on_mat(pose, np.stack([middle, middle + up, middle - up])))
                way = top - bottom
                angle = float(np.degrees(np.arctan2(way[0], -way[1])) % 360)
                found.append(Corner(number, card, float(x[0]), float(x[1]), angle, float(np.hypot(*way)), shown))
        return found


@cache
def deck_of(design: str) -> IndexedDeck:
    """One of DESIGNS."""
    if design in debian.HELD_OUT:
        return debian.deck(design)
    return drawn.held_out_deck(int(design.split()[-1]))


def table(number: int, seed: int = 31) -> Table:
    """Table *number* of *seed*: designs and heights take turns, the rest is drawn."""
    rng = Random(1_000_003 * seed + number)
    design, height = DESIGNS[number % len(DESIGNS)], HEIGHTS[number % len(HEIGHTS)]
    deck = deck_of(design)
    short = round(_SHORT_MM * height / deck.index_height() / 2) * 2
    look: Look = []
    groups = []
    for seat in (*SEATS, MIDDLE.seat):
        kind = rng.choices(_KINDS, _SHARES)[0]
        if kind == "fan" and seat == MIDDLE.seat:
            kind = "lone"
        laid = _laid(kind, seat, deck.cards, rng)
        groups.append(Group(kind, seat, tuple(range(len(look), len(look) + len(laid)))))
        look += laid
    light = rng.choice(list(LIGHTS))
    return Table(number, design, height, light, (round(short * 4 / 6) * 2, short), look, tuple(groups))


def _laid(kind: str, seat: str, cards: list[Card], rng: Random) -> Look:
    """The cards of one group, left to right and the lowest first."""
    if kind == "fan":
        count = rng.randint(3, 10)
        chosen = rng.sample(cards, count)
        for place in range(1, count):
            if rng.random() < 0.25:
                chosen[place] = chosen[place - 1]
        # Nobody lays a card so that its own index vanishes wholly, but a jumbo index is often half covered.
        return list(zip(sorted(chosen), lay(seat, count, rng), strict=True))
    card = rng.choice(cards)
    turn = rng.uniform(0, 360) if seat == MIDDLE.seat or rng.random() < 0.2 else rng.gauss(0, 8)
    along, toward, other = rng.uniform(-25, 25), rng.uniform(-12, 12), 0.0
    if kind == "lone":
        return [(card, _at(seat, along, toward, turn))]
    if kind == "beside":
        apart, down = rng.uniform(12, 78), rng.gauss(0, 4)
    elif kind == "over":
        apart, down = rng.gauss(0, 6), rng.uniform(10, 72) * rng.choice((-1, 1))
    elif kind == "across":
        apart, down, other = rng.uniform(-30, 30), rng.uniform(-30, 30), rng.uniform(45, 135) * rng.choice((-1, 1))
    else:
        apart, down = rng.uniform(2, 14) * rng.choice((-1, 1)), rng.uniform(2, 14) * rng.choice((-1, 1))
    other += rng.gauss(0, 4) + (180 if rng.random() < 0.25 else 0)
    lean = np.radians(turn)
    right, below = apart * np.cos(lean) - down * np.sin(lean), apart * np.sin(lean) + down * np.cos(lean)
    first = _at(seat, along - right / 2, toward - below / 2, turn)
    return [(card, first), (card, _at(seat, along + right / 2, toward + below / 2, turn + other))]


def _at(seat: str, along: float, toward: float, turn: float) -> Pose:
    if seat == MIDDLE.seat:
        return on_mat("S", along, toward, turn, MIDDLE)
    return on_mat(seat, along, toward, turn)


def _on_mat(pose: Pose, points: np.ndarray) -> np.ndarray:
    """(n, 2) mm in a card's frame to (n, 2) mm on the mat."""
    turn = np.radians(pose.angle)
    right, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    return np.asarray(np.array([pose.x, pose.y]) + points[:, :1] * right + points[:, 1:] * down)


def _hidden(points: np.ndarray, above: list[Pose], size_mm: tuple[float, float]) -> np.ndarray:
    """(n,) bool: which of *points* on the mat lie under one of the cards *above*."""
    hidden = np.zeros(len(points), bool)
    for pose in above:
        turn = np.radians(pose.angle)
        away = points - np.array([pose.x, pose.y])
        across = np.abs(away @ np.array([np.cos(turn), np.sin(turn)]))
        along = np.abs(away @ np.array([-np.sin(turn), np.cos(turn)]))
        hidden |= (across < size_mm[0] / 2) & (along < size_mm[1] / 2)
    return hidden
