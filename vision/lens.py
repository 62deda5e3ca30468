"""How a lens bends straight lines, as one number, and that number from points whose places are known.

A point at a distance r from the picture's middle, half the picture's width being one, would lie at r (1 + bend r²) with
a lens that bends nothing: 0.05 is a common module, 0.2 a wide webcam.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

BENDS: Final = (-0.15, 0.45)
"""What lenses do, from a pincushion to a very wide barrel."""
LESS: Final = 0.7
"""A bend is believed that leaves at most this share of the points' misses."""
STEPS: Final = 24
EXACT: Final = 1e-7
"""Of half the picture's width: a thousandth of a pixel."""

Points = np.ndarray | Sequence[tuple[float, float]]


def straight(points: Points, size: tuple[int, int], bend: float) -> np.ndarray:
    """(n, 2) pixels of a picture of *size* (width, height) to where a lens that bends nothing would show them."""
    if not bend:
        return np.asarray(points, float).reshape(-1, 2)
    from_middle, half, middle = _from_middle(points, size)
    return np.asarray(from_middle * (1 + bend * (from_middle**2).sum(axis=1, keepdims=True)) * half + middle)


def bent(points: Points, size: tuple[int, int], bend: float) -> np.ndarray:
    """The reverse of :func:`straight`."""
    if not bend:
        return np.asarray(points, float).reshape(-1, 2)
    wanted, half, middle = _from_middle(points, size)
    found = wanted
    for _ in range(STEPS):
        before, found = found, wanted / (1 + bend * (found**2).sum(axis=1, keepdims=True))
        if np.abs(found - before).max(initial=0.0) < EXACT:
            break
    return np.asarray(found * half + middle)


def bend_of(pixels: np.ndarray, flat: np.ndarray, size: tuple[int, int]) -> float:
    """The bend with which *pixels* (n, 2) are a plane seen from somewhere, on which they lie at *flat* (n, 2); 0 where
    that explains no more than their noise."""

    def miss(bend: float) -> float:
        seen = straight(pixels, size, bend)
        matrix, _ = cv2.findHomography(seen, flat)
        if matrix is None:
            return float("inf")
        there = cv2.perspectiveTransform(seen.reshape(-1, 1, 2), matrix).reshape(-1, 2)
        return float(np.sqrt(((there - flat) ** 2).mean()))

    low, high = BENDS
    for _ in range(STEPS):  # each leaves two thirds of what may be
        third = (high - low) / 3
        if miss(low + third) < miss(high - third):
            high -= third
        else:
            low += third
    best = (low + high) / 2
    return best if miss(best) < LESS * miss(0.0) else 0.0


def _from_middle(points: Points, size: tuple[int, int]) -> tuple[np.ndarray, float, np.ndarray]:
    half, middle = size[0] / 2, (np.array(size) - 1) / 2
    return (np.asarray(points, float).reshape(-1, 2) - middle) / half, half, middle
