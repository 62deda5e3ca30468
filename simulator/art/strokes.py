"""Ranks as pen strokes of any weight, width and foot: index lettering that no font has, for drawn training decks."""

from __future__ import annotations

import re
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.art import Pixels
from simulator.art.glyphs import cropped, fitted
from simulator.art.paths import SERIFS, STROKES

_OTHER_FORMS = {
    "3": "M6,12 L6,0 L52,0 L26,40 C46,38 57,52 57,71 C57,108 8,108 4,80",
    "4": "M40,100 L40,0 L3,66 L60,66 M28,100 L53,100",
    "Q": "M30,0 C-5,0 -5,100 30,100 C65,100 65,0 30,0 Z M14,80 C26,66 40,82 58,106",
    "7": "M4,14 L4,0 L57,0 C40,28 24,62 22,100",
    "6": "M52,14 C44,-6 4,-8 4,62 C4,112 56,112 56,70 C56,34 12,34 4.5,64",
    "9": "M8,86 C16,106 56,108 56,38 C56,-12 4,-12 4,30 C4,66 48,66 55.5,36",
    "2": "M5,27 C5,-9 55,-9 55,26 C55,46 8,74 5,92 C22,84 36,108 57,92",
    "J": "M42,0 L42,72 C42,109 4,109 4,76",
    "A": "M4,100 L30,0 L56,100 M13,67 L47,67",
}
"""A second way to write some ranks: the flat-topped 3, the Q with a long tail, the curled 6 and 9."""


@dataclass(frozen=True)
class Pen:
    """How a deck's ranks are written: stroke width as a share of the height, feet, unsteadiness, which forms."""

    weight: float
    feet: bool
    unsteady: float
    forms: int
    """Bit i: the second form of the i-th sign of ``_OTHER_FORMS``."""
    seed: int


def stroke_mask(pen: Pen, sign: str, height: int, stretch: float = 1.0) -> Pixels:
    """The mask of *sign* (a rank, ``1``, ``0``, or a letter of JOKER), *height* pixels high."""
    text = _path(pen, sign)
    rng = np.random.default_rng([pen.seed, *sign.encode()])
    side = 4 * max(height, 16)
    scale = side / 100
    thick = max(1, round(pen.weight * side))
    room = thick + 12
    canvas = np.zeros((round(112 * scale) + 2 * room, round(105 * scale * stretch) + 2 * room), np.uint8)
    for line in _polylines(text, rng, pen.unsteady):
        points = line * [scale * stretch, scale] + room
        cv2.polylines(canvas, [np.round(points).astype(np.int32)], False, 255, thick)
    return fitted(cropped(canvas), height)


def _path(pen: Pen, sign: str) -> str:
    if sign == "1":
        return "M3,18 L20,0 L20,100" + (" M6,100 L34,100" if pen.feet else "")
    if sign == "0":
        return "M30,0 C0,0 0,100 30,100 C60,100 60,0 30,0 Z"
    order = list(_OTHER_FORMS)
    path = STROKES[sign][1]
    if sign in order and pen.forms >> order.index(sign) & 1:
        return _OTHER_FORMS[sign]
    return f"{path} {SERIFS.get(sign, '')}" if pen.feet else path


def _polylines(path: str, rng: np.random.Generator, unsteady: float) -> list[NDArray[np.float64]]:
    """The strokes of an SVG path of M, L, C and Z as point lists, each control point moved a little."""
    lines: list[NDArray[np.float64]] = []
    points: list[NDArray[np.float64]] = []
    for command, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", path):
        values = np.array([float(each) for each in re.findall(r"-?[0-9.]+", numbers)]).reshape(-1, 2)
        values = values + rng.normal(0, unsteady, values.shape)
        if command == "M":
            if len(points) > 1:
                lines.append(np.array(points))
            points = [values[0]]
        elif command == "L":
            points += list(values)
        elif command == "C":
            for i in range(0, len(values), 3):
                points += list(_curve(points[-1], *values[i : i + 3]))
        else:
            points.append(points[0])
    if len(points) > 1:
        lines.append(np.array(points))
    return lines


def _curve(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64], d: NDArray[np.float64]
) -> NDArray[np.float64]:
    t = np.linspace(0, 1, 16)[1:, None]
    return np.asarray((1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d)
