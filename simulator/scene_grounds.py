"""Grounds for training scenes: cloth, felt, cork, wood, stone, paper and printed mats."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.art import Pixels

Rng = np.random.Generator
_TEXTURES = 28
_SIDE = 1024


@lru_cache(maxsize=_TEXTURES)
def _texture(number: int) -> NDArray[np.float32]:
    """Texture *number*: a grey picture with mean 0 and deviation 1."""
    rng = np.random.default_rng(1000 + number)
    kind = number % 7
    if kind == 0:  # smooth cloth
        field = _noise(rng, 2) + 0.5 * _noise(rng, 60)
    elif kind == 1:  # weave
        y, x = np.mgrid[0:_SIDE, 0:_SIDE].astype(np.float32)
        period = rng.uniform(3, 9)
        field = np.sin(2 * np.pi * x / period) * np.sin(2 * np.pi * y / period) + 0.8 * _noise(rng, 1) + _noise(rng, 25)
    elif kind == 2:  # cork: grains of several sizes
        field = _noise(rng, 1) + 1.2 * _noise(rng, 2.5) + 0.8 * np.minimum(_noise(rng, 4), 0) + 0.3 * _noise(rng, 40)
    elif kind == 3:  # wood: stretched noise and rings
        grain = cv2.resize(_noise(rng, 2)[:, : _SIDE // 24], (_SIDE, _SIDE), interpolation=cv2.INTER_CUBIC)
        field = grain + 0.7 * np.sin(6 * _noise(rng, 120) + np.linspace(0, 60, _SIDE, dtype=np.float32)[:, None])
    elif kind == 4:  # felt
        field = 0.7 * _noise(rng, 0.8) + 0.4 * _noise(rng, 5) + 0.5 * _noise(rng, 120)
    elif kind == 5:  # speckled stone
        field = (
            np.where(_noise(rng, 1.5) > 1.2, 2.5, 0).astype(np.float32) + 0.4 * _noise(rng, 3) + 0.6 * _noise(rng, 50)
        )
    else:  # nearly plain
        field = _noise(rng, 150) + 0.12 * _noise(rng, 1)
    field -= field.mean()
    return np.asarray(field / (field.std() + 1e-6), np.float32)


def _noise(rng: Rng, sigma: float) -> NDArray[np.float32]:
    """Smooth noise of unit deviation with grains of about *sigma* pixels."""
    shrink = max(1, int(sigma / 2))
    side = _SIDE // shrink + 8
    field = cv2.GaussianBlur(rng.standard_normal((side, side)).astype(np.float32), (0, 0), max(0.5, sigma / shrink))
    field = cv2.resize(field, (_SIDE, _SIDE), interpolation=cv2.INTER_CUBIC)
    return np.asarray((field - field.mean()) / (field.std() + 1e-6), np.float32)


_COLOURS = np.array(
    [  # BGR of tables people play on
        (60, 100, 30), (40, 70, 20), (95, 60, 30), (110, 80, 40), (40, 30, 120), (30, 30, 32),
        (60, 60, 62), (70, 120, 180), (60, 100, 160), (40, 65, 105), (100, 130, 160), (150, 180, 205),
        (180, 185, 190), (215, 215, 215), (120, 110, 100), (140, 70, 60), (60, 40, 70), (35, 60, 80),
        (20, 22, 24), (200, 190, 170),
    ],
    np.float32,
)  # fmt: skip


def ground(rng: Rng, size: int) -> NDArray[np.float32]:
    """A table's surface, BGR float32 (size, size, 3)."""
    texture = _texture(int(rng.integers(_TEXTURES)))
    side = int(size * rng.uniform(0.5, 1.4))
    side = min(side, _SIDE - 1)
    x, y = rng.integers(0, _SIDE - side, size=2)
    patch = cv2.resize(texture[y : y + side, x : x + side], (size, size), interpolation=cv2.INTER_LINEAR)
    patch = np.rot90(patch, int(rng.integers(4)))
    colour = np.clip(_COLOURS[int(rng.integers(len(_COLOURS)))] * rng.uniform(0.7, 1.25) + rng.normal(0, 12, 3), 8, 240)
    contrast = rng.uniform(0.01, 0.16) * (colour + 25) * rng.uniform(0.7, 1.3, 3)
    picture = np.ascontiguousarray(colour[None, None, :] + patch[:, :, None] * contrast, dtype=np.float32)
    if rng.random() < 0.25:
        _second_area(rng, picture)
    if rng.random() < 0.3:
        _mat_print(rng, picture)
    return np.asarray(np.clip(picture, 0, 255), np.float32)


def _second_area(rng: Rng, picture: NDArray[np.float32]) -> None:
    """A table's edge, a cloth's border or a sheet of paper under the cards."""
    size = picture.shape[0]
    centre, turn = rng.uniform(0, size, 2), rng.uniform(0, np.pi)
    half = rng.uniform(0.2, 1.2, 2) * size
    box = cv2.boxPoints(
        ((float(centre[0]), float(centre[1])), (float(half[0]), float(half[1])), float(np.degrees(turn)))
    )
    mask = np.zeros((size, size), np.float32)
    cv2.fillPoly(mask, [box.astype(np.int32)], 1.0, cv2.LINE_AA)
    colour = _COLOURS[int(rng.integers(len(_COLOURS)))] if rng.random() < 0.6 else np.full(3, rng.uniform(190, 250))
    blend = (mask * rng.uniform(0.6, 1.0))[:, :, None]
    picture *= 1 - blend
    picture += blend * colour.astype(np.float32)


def _mat_print(rng: Rng, picture: NDArray[np.float32]) -> None:
    """Lines, circles, zones and letters printed on a mat."""
    size = picture.shape[0]
    base = picture[size // 2, size // 2]
    light = tuple(float(v) for v in np.clip(base + rng.choice([-1, 1]) * rng.uniform(15, 110), 0, 255))
    for _ in range(int(rng.integers(1, 6))):
        a, b = (tuple(int(v) for v in rng.integers(-50, size + 50, 2)) for _ in range(2))
        thick = int(rng.integers(1, 5))
        kind = rng.random()
        if kind < 0.35:
            cv2.rectangle(picture, a, b, light, thick, cv2.LINE_AA)
        elif kind < 0.6:
            cv2.line(picture, a, b, light, thick, cv2.LINE_AA)
        elif kind < 0.8:
            cv2.circle(picture, a, int(rng.integers(15, 250)), light, thick, cv2.LINE_AA)
        else:
            text = "".join(rng.choice(list("NESWABC 0123456789"), size=int(rng.integers(1, 9))))
            cv2.putText(
                picture, text, a, int(rng.integers(0, 8)), float(rng.uniform(0.4, 3)), light, thick, cv2.LINE_AA
            )


def shade(picture: Pixels, amount: float) -> Pixels:
    """*picture* made darker or lighter by a factor."""
    return np.asarray(np.clip(picture.astype(np.float32) * amount, 0, 255), np.uint8)
