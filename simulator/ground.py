"""The empty table: a wooden top with the printed mat on it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision import mat

_MAT_PICTURE: Final = Path(__file__).resolve().parent.parent / "assets" / "mat" / "mat.png"
GROUNDS: Final = ("wood", "cloth", "stone")


@cache
def _mat_picture() -> np.ndarray:
    picture = cv2.imread(str(_MAT_PICTURE), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(f"{_MAT_PICTURE} is missing: fetch the project's files again")
    return picture


def ground(size: tuple[int, int], origin: tuple[float, float], scale: float, kind: str = "wood") -> np.ndarray:
    """(h, w, 3) uint8: the table's top, *scale* px/mm, pixel (0, 0) at *origin* mm, unlit."""
    top = _top(size, scale, kind)
    side = round(mat.SIZE_MM * scale)
    way = cv2.INTER_AREA if side < _mat_picture().shape[0] else cv2.INTER_LINEAR
    cloth = cv2.resize(_mat_picture(), (side, side), interpolation=way)
    # Printed cloth: its dark is grey in the light, and it has a weave.
    rng = np.random.default_rng(11)
    weave = rng.normal(0, 1.7, (side, side, 1)).astype(np.float32)
    if scale > 1.5:
        weave = cv2.GaussianBlur(weave, (0, 0), 0.25 * scale).reshape(side, side, 1) * 1.5
    cloth = cv2.add(cv2.convertScaleAbs(cloth, alpha=0.9, beta=11), weave.repeat(3, 2), dtype=cv2.CV_8U)
    # The cloth's pixel i is centred on (i + 0.5) / scale mm, the canvas's on origin + i / scale.
    ratio = side / mat.SIZE_MM / scale
    matrix = np.array([[ratio, 0, origin[0] * ratio * scale - 0.5], [0, ratio, origin[1] * ratio * scale - 0.5]])
    x, y = int(np.ceil(-origin[0] * scale)), int(np.ceil(-origin[1] * scale))
    _throw_shadow(top, (x, y, x + side, y + side), scale)
    laid = cv2.warpAffine(
        cloth, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    x0, y0, x1, y1 = max(0, x), max(0, y), min(size[0], x + side), min(size[1], y + side)
    if x0 < x1 and y0 < y1:
        top[y0:y1, x0:x1] = laid[y0:y1, x0:x1]
    return top


def _throw_shadow(top: np.ndarray, rect: tuple[int, int, int, int], scale: float) -> None:
    dark: np.ndarray = np.zeros(top.shape[:2], np.uint8)
    shift = round(2.2 * scale)
    cv2.rectangle(dark, (rect[0] + shift, rect[1] + shift), (rect[2] + shift, rect[3] + shift), 110, -1)
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.5, 2.5 * scale))
    cv2.multiply(top, cv2.cvtColor(cv2.bitwise_not(dark), cv2.COLOR_GRAY2BGR), dst=top, scale=1 / 255)


def _top(size: tuple[int, int], scale: float, kind: str) -> np.ndarray:
    width, height = size
    rng = np.random.default_rng(5)
    if kind == "wood":
        # Growth rings cut along the board: stripes that wander, in planks.
        small = (max(8, width // 4), max(8, height // 4))
        y = np.arange(small[1], dtype=np.float32)[:, None] * 4 / scale
        x = np.arange(small[0], dtype=np.float32)[None, :] * 4 / scale
        drift = cv2.resize(rng.normal(0, 1, (7, 5)).astype(np.float32), small, interpolation=cv2.INTER_CUBIC)
        plank: np.ndarray = np.floor(y / 118)
        rings = np.sin((y + drift * 16 + 7 * np.sin(x / 260 + plank * 2.1)) / (3.1 + plank % 3 * 0.6))
        fine: np.ndarray = rng.normal(0, 1, (small[1], max(2, small[0] // 30))).astype(np.float32)
        fine = cv2.resize(fine, small, interpolation=cv2.INTER_LINEAR)
        tone = 1 + 0.05 * rings + 0.045 * fine + 0.05 * np.sin(plank * 5.3) - 0.35 * ((y % 118) < 1.2)
        colour = np.array([72, 108, 150], np.float32)
    elif kind == "cloth":
        small = (width, height)
        tone = 1 + rng.normal(0, 0.035, (height, width)).astype(np.float32)
        colour = np.array([70, 92, 52], np.float32)
    else:
        small = (max(8, width // 2), max(8, height // 2))
        tone = np.ones((small[1], small[0]), np.float32)
        for cells in (6, 24, 90):
            spots = rng.normal(0, 0.05, (cells, cells)).astype(np.float32)
            tone += cv2.resize(spots, small, interpolation=cv2.INTER_CUBIC)
        colour = np.array([168, 172, 176], np.float32)
    picture = (tone[:, :, None] * colour).clip(0, 255).astype(np.uint8)
    return cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR) if small != size else picture
