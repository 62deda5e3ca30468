"""Signs for drawn cards: suits as paths of our own and from fonts, ranks from fonts.  Training and development only.

A glyph is an opacity mask (uint8) cropped to its ink.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.art import Pixels

Rng = np.random.Generator
Shape = NDArray[np.float64]


def suit_mask(suit: str, height: int, rng: Rng | None = None) -> Pixels:
    """A suit sign of our own, *height* pixels high; *rng* varies its proportions."""
    draw = {"S": _spade, "H": _heart, "C": _club, "D": _diamond}[suit]
    side = 8 * max(height, 12)
    canvas = np.zeros((side, side), np.uint8)
    for polygon in draw(_vary(rng)):
        cv2.fillPoly(canvas, [np.round((polygon * 0.42 + 0.5) * side).astype(np.int32)], 255)
    return fitted(cropped(canvas), height)


def _vary(rng: Rng | None) -> NDArray[np.float64]:
    """Six proportions, each 0 for the plain form and within -1..1."""
    return np.zeros(6) if rng is None else rng.uniform(-1, 1, 6)


def _bezier(points: list[tuple[float, float]], count: int = 24) -> Shape:
    p = np.array(points)
    t = np.linspace(0, 1, count)[:, None]
    return np.asarray((1 - t) ** 3 * p[0] + 3 * t * (1 - t) ** 2 * p[1] + 3 * t**2 * (1 - t) * p[2] + t**3 * p[3])


def _mirror(half: Shape) -> Shape:
    return np.concatenate([half, half[::-1] * [-1, 1]])


def _heart(v: NDArray[np.float64]) -> list[Shape]:
    wide, dip, belly, top = 0.9 + 0.08 * v[0], -0.45 + 0.15 * v[1], 0.15 + 0.25 * v[2], -1.0
    half = np.concatenate(
        [
            _bezier([(0, dip), (0.12, top - 0.02), (wide * 0.98, top - 0.12), (wide, -0.38 + 0.1 * v[3])]),
            _bezier([(wide, -0.38 + 0.1 * v[3]), (wide, belly), (0.3 + 0.15 * v[4], 0.5), (0, 1.0)]),
        ]
    )
    return [_mirror(half)]


def _stem(v: NDArray[np.float64], top: float) -> Shape:
    foot, waist = 0.38 + 0.14 * v[0], 0.06 + 0.04 * v[1]
    half = np.concatenate(
        [_bezier([(waist, top), (waist, 0.6), (foot * 0.5, 0.9), (foot, 1.0)]), np.array([[0.0, 1.0]])]
    )
    return _mirror(half)


def _spade(v: NDArray[np.float64]) -> list[Shape]:
    heart = _heart(v)[0] * [1.0, -0.86] + [0, -0.14]
    return [heart, _stem(v[4:], 0.15)]


def _club(v: NDArray[np.float64]) -> list[Shape]:
    radius = 0.44 + 0.04 * v[0]
    out, low, high = 0.5 + 0.05 * v[1], 0.22 + 0.06 * v[2], -0.54
    turn = np.linspace(0, 2 * np.pi, 60)
    circle = np.stack([np.cos(turn), np.sin(turn)], 1) * radius
    heart = np.array([[0, -0.3], [0.35, low], [0, 0.45], [-0.35, low]])
    return [circle + [0, high], circle + [out, low], circle + [-out, low], heart, _stem(v[3:], 0.0)]


def _diamond(v: NDArray[np.float64]) -> list[Shape]:
    wide, bend = 0.74 + 0.14 * v[0], 0.5 - 0.1 * max(v[1], -0.1)
    side = _bezier([(0, -1), (wide * (1 - bend) * 0.66, -0.34 / bend * 0.5), (wide * bend * 1.3, -0.17), (wide, 0)])
    right = np.concatenate([side, side[::-1] * [1, -1]])
    return [_mirror(right)]


def star_mask(height: int, spikes: int = 5, depth: float = 0.4) -> Pixels:
    """A star."""
    side = 6 * height
    turns = np.arange(2 * spikes) * np.pi / spikes
    reach = np.where(np.arange(2 * spikes) % 2, depth, 1.0) * side * 0.48
    points = side / 2 + np.stack([np.sin(turns), -np.cos(turns)], 1) * reach[:, None]
    canvas = np.zeros((side, side), np.uint8)
    cv2.fillPoly(canvas, [points.astype(np.int32)], 255)
    return fitted(cropped(canvas), height)


def cropped(mask: Pixels) -> Pixels:
    """*mask* without its empty margins; itself when it is empty."""
    rows, columns = np.nonzero(mask.max(axis=1) > 40)[0], np.nonzero(mask.max(axis=0) > 40)[0]
    if not len(rows):
        return mask
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def fitted(mask: Pixels, height: int, stretch: float = 1.0) -> Pixels:
    """*mask* scaled to *height*, its width multiplied by *stretch*."""
    width = max(1, round(mask.shape[1] * height / mask.shape[0] * stretch))
    kind = cv2.INTER_AREA if height < mask.shape[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(mask, (width, max(1, height)), interpolation=kind), np.uint8)


def flat_three(height: int, weight: float = 0.13, serif: bool = True) -> Pixels:
    """The flat-topped 3 that many decks print: a bar, a slant, a bowl; *weight* is the stroke's share of the height."""
    side = 4 * height
    canvas = np.zeros((side + 40, side + 40), np.uint8)
    thick = max(2, int(weight * side))
    inset = thick // 2 + 20
    left, right, top, bottom = inset, inset + int(side * 0.55), inset, side + 20 - thick // 2
    knee = (left + int((right - left) * 0.38), top + int((bottom - top) * 0.4))
    cv2.line(canvas, (left, top), (right, top), 255, thick)
    if serif:
        cv2.line(canvas, (left, top), (left, top + int(side * 0.12)), 255, thick)
    cv2.line(canvas, (right, top), knee, 255, thick)
    radius_y = (bottom - knee[1]) // 2
    centre = (left + int((right - left) * 0.42), knee[1] + radius_y)
    axes = (right - centre[0], radius_y)
    cv2.ellipse(canvas, centre, axes, 0, -95, 150, 255, thick)
    return fitted(cropped(canvas), height)
