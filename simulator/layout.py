"""How people lay cards: the order along a play, the four styles of fan, small errors of place and angle.

Millimetres on the mat as in :mod:`vision.mat`. A seat's own frame: *along* is to the player's right, *toward* is to the
player; the origin is the centre of the seat's play zone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from random import Random
from typing import Final, NamedTuple

import numpy as np

from engine.cards import RANKS, Card
from engine.readings import CONSECUTIVE, Reading, power
from simulator.art import Deck
from vision import mat

STYLES: Final = ("fan", "row", "crooked", "arc")
"""A tight fan, a wide row, a row slightly turned, cards along a flat arc."""


class Pose(NamedTuple):
    """Where a card lies: its centre in mm and where its top points, degrees clockwise from up."""

    x: float
    y: float
    angle: float


def on_mat(seat: str, along: float, toward: float, turn: float = 0.0, zone: mat.Zone | None = None) -> Pose:
    """The pose of (along, toward) in a seat's frame around the centre of *zone* (the play zone by default)."""
    right = mat.RIGHT[seat]
    down = (-right[1], right[0])
    x, y = (zone or mat.PLAY[seat]).centre
    return Pose(
        x + right[0] * along + down[0] * toward, y + right[1] * along + down[1] * toward, (mat.UP[seat] + turn) % 360
    )


def in_order(cards: Sequence[Card], reading: Reading | None, level: str) -> list[Card]:
    """*cards* small to large as they are laid, each wild in the place of the card it stands for in *reading*."""
    naturals = [card for card in cards if not card.is_wild(level)]
    wilds = [card for card in cards if card.is_wild(level)]
    if reading is not None and reading.type in CONSECUTIVE and reading.rank is not None:
        return _along_run(naturals, wilds, reading)
    if reading is not None and reading.type == "full_house":
        return _full_house(naturals, wilds, reading, level)
    return sorted(cards, key=lambda card: (power(card.rank, level), card.is_wild(level), card.index))


def _along_run(naturals: list[Card], wilds: list[Card], reading: Reading) -> list[Card]:
    each = {"tube": 2, "plate": 3}.get(reading.type, 1)
    length = reading.size // each
    high = RANKS.index(reading.rank or "A")
    ranks = [RANKS[(high - length + 1 + step) % 13] for step in range(length)]
    left, order = list(naturals), []
    spare = list(wilds)
    for rank in ranks:
        here = [card for card in left if card.rank == rank][:each]
        for card in here:
            left.remove(card)
        while len(here) < each and spare:
            here.append(spare.pop())
        order += here
    return order + left + spare


def _full_house(naturals: list[Card], wilds: list[Card], reading: Reading, level: str) -> list[Card]:
    three = [card for card in naturals if card.rank == reading.rank][:3]
    two = [card for card in naturals if card not in three]
    spare = list(wilds)
    while len(three) < 3 and spare:
        three.append(spare.pop())
    two += spare
    # The pair's rank is that of its natural card; a pair of wilds is of the level's rank.
    pair_rank = next((card.rank for card in two if not card.is_wild(level)), level)
    groups = sorted(((power(pair_rank, level), two), (power(reading.rank or level, level), three)), key=lambda g: g[0])
    return [card for _, group in groups for card in group]


def lay(
    seat: str, count: int, rng: Random, before: int = 0, style: str | None = None, least_mm: float = 17.0
) -> list[Pose]:
    """Poses of a play of *count* cards, left to right for the player.

    *before* says how many plays of this seat lie there in this trick already: each next one is laid nearer to the mat's
    centre. *least_mm* is how far apart neighbours must lie for the lower one's index to show (:func:`index_reach`).
    """
    style = style or rng.choice(STYLES)
    zone = mat.PLAY[seat]
    horizontal = mat.RIGHT[seat][0] != 0
    width = (zone.x1 - zone.x0) if horizontal else (zone.y1 - zone.y0)
    room = (width - mat.CARD_MM[0] - 12) / max(count - 1, 1)
    wish = {"fan": 18.0, "row": 27.0, "crooked": 21.0, "arc": 20.0}[style] * rng.uniform(0.94, 1.18)
    step = min(max(wish, least_mm), room)
    toward = (22.0, -18.0, -50.0, -62.0)[min(before, 3)] + rng.uniform(-5, 5)
    aside = rng.uniform(-9, 9) * min(1.0, max(0.0, room - step) / 6)
    if count == 1:
        aside = rng.uniform(-26, 26)
    tilt = {"crooked": rng.choice((-1, 1)) * rng.uniform(3, 9)}.get(style, rng.gauss(0, 1.6))
    # A fan's cards turn about a point below the hand; the turn of one card to the next in degrees.
    turn = {"fan": rng.uniform(4.0, 6.5), "arc": rng.uniform(1.8, 3.2)}.get(style, 0.0)
    turn = min(turn, 34.0 / max(count - 1, 1))
    radius = step / max(0.001, radians(turn)) if turn else 0.0
    poses = []
    for place in range(count):
        out = place - (count - 1) / 2
        if turn:
            angle = radians(turn) * out
            along, away = radius * sin(angle), radius * (1 - cos(angle))
        else:
            along, away = step * out, 0.0
        lean = radians(tilt)
        poses.append(
            on_mat(
                seat,
                aside + along * cos(lean) - away * sin(lean) + rng.gauss(0, 0.9),
                toward + along * sin(lean) + away * cos(lean) + rng.gauss(0, 1.3),
                turn * out + tilt + rng.gauss(0, 1.1),
            )
        )
    return poses


def index_reach(deck: Deck) -> float:
    """Millimetres from a card's left edge to the end of its index: what a fan must leave uncovered."""
    reach = 0.0
    for name in ("SA", "HA", "ST", "HT", "DK"):
        face = deck.face(Card.parse(name))
        corner = face[: round(16 * deck.px_per_mm), : round(24 * deck.px_per_mm)]
        paper = np.median(corner[corner[:, :, 3] > 250][:, :3], axis=0)
        ink = (np.abs(corner[:, :, :3].astype(float) - paper).max(axis=2) > 70) & (corner[:, :, 3] > 250)
        ink[: round(1.5 * deck.px_per_mm)] = ink[:, : round(1.2 * deck.px_per_mm)] = False
        columns = np.flatnonzero(ink.any(axis=0))
        if len(columns):
            gaps = np.flatnonzero(np.diff(columns) > 1.3 * deck.px_per_mm)
            end = columns[gaps[0]] if len(gaps) else columns[-1]
            if end < corner.shape[1] - 2:  # what goes on is a frame or a picture, no index
                reach = max(reach, float(end) / deck.px_per_mm)
    return reach


def turned(seat: str, count: int, rng: Random) -> list[Pose]:
    """Poses of *count* cards turned down together in the seat's zone for turned cards: a loose packet on the heap."""
    along, toward, turn = rng.gauss(0, 7), rng.gauss(0, 7), rng.gauss(0, 7)
    return [
        on_mat(seat, along + rng.gauss(0, 2.5), toward + rng.gauss(0, 2.5), turn + rng.gauss(0, 3), mat.TURNED[seat])
        for _ in range(count)
    ]


def straightened(poses: Sequence[Pose], rng: Random) -> list[Pose]:
    """The same cards after a hand has tidied them: moved by a few millimetres and degrees, together and singly."""
    along, down, turn = rng.gauss(0, 2.0), rng.gauss(0, 2.0), rng.gauss(0, 0.8)

    def near(value: float) -> float:
        return value + rng.gauss(0, 0.4)

    return [Pose(near(p.x + along), near(p.y + down), near(p.angle + turn) % 360) for p in poses]
