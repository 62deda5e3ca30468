"""Players' arms seen from above: sleeve, wrist, a hand with its fingers; drawn once for each seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

ARM_MM: Final = (170.0, 820.0)
"""Width and length of the picture of an arm."""
TIP_MM: Final = (85.0, 16.0)
"""Where in it the middle finger's tip is."""
_DRAWN_AT: Final = 1.6  # px/mm; arms are soft things, finer shapes would not show

# Blue, green, red of skin in plain light, and of sleeves.
_SKINS: Final = ((150, 178, 222), (128, 160, 208), (112, 146, 196), (84, 116, 168), (62, 88, 132))
_SLEEVES: Final = (
    (92, 66, 44), (58, 58, 62), (170, 165, 160), (60, 52, 118), (96, 104, 58), (120, 92, 70), (140, 128, 60),
)  # fmt: skip

# Capsules (x, y, radius) to (x, y, radius) in mm from the middle finger's tip, y towards the player; drawn in order.
_FINGERS: Final = (
    ((-50, 66, 9.0), (-30, 118, 13.5)),
    ((36, 30, 6.6), (30, 86, 9.0)),
    ((20, 9, 7.4), (14, 80, 9.8)),
    ((1, 1, 7.8), (-4, 77, 10.2)),
    ((-17, 9, 7.6), (-21, 80, 10.0)),
)


@dataclass(frozen=True)
class Arm:
    """Premultiplied BGRA and its soft shadow (alpha only), both ``ARM_MM`` at ``scale`` px/mm."""

    picture: np.ndarray
    shadow: np.ndarray
    scale: float

    def at(self, scale: float) -> Arm:
        """The same arm for a canvas of *scale* px/mm."""
        size = (round(ARM_MM[0] * scale), round(ARM_MM[1] * scale))
        way = cv2.INTER_AREA if scale < self.scale else cv2.INTER_LINEAR
        return Arm(cv2.resize(self.picture, size, interpolation=way), cv2.resize(self.shadow, size), scale)


def draw_arm(seed: int, hard: bool = False) -> Arm:
    """The arm of one player, its colours by *seed*; *hard* light gives its shadow a hard edge."""
    rng = np.random.default_rng(seed)
    width, length = round(ARM_MM[0] * _DRAWN_AT), round(ARM_MM[1] * _DRAWN_AT)
    picture = np.zeros((length, width, 4), np.float32)
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))], np.float32) * rng.uniform(0.92, 1.06)
    cloth = np.array(_SLEEVES[int(rng.integers(len(_SLEEVES)))], np.float32) * rng.uniform(0.85, 1.15)
    lean = rng.uniform(-10, 14)  # the elbow is seldom straight behind the hand
    _solid(picture, [((2, 150, 27), (6 + lean * 0.2, 330, 36))], skin)
    _solid(picture, [((-17, 88, 15), (-14, 142, 21)), ((22, 94, 14), (18, 146, 18)), ((2, 84, 18), (2, 150, 25))], skin)
    for finger in _FINGERS:
        _solid(picture, [finger], skin * rng.uniform(0.97, 1.03))
        _nail(picture, finger, skin)
    cuff = rng.uniform(205, 265)
    _solid(picture, [((6 + lean * 0.1, cuff - 20, 43), (10 + lean, 860, 62))], cloth, rng, cut=cuff)
    for seam in (16, 20):
        edge = round((cuff + seam + TIP_MM[1]) * _DRAWN_AT)
        picture[edge : edge + 1, :, :3] *= 0.75
    picture[:, :, :3] = cv2.GaussianBlur(picture[:, :, :3], (0, 0), 0.8)
    alpha = cv2.GaussianBlur(np.ascontiguousarray(picture[:, :, 3]), (0, 0), 0.7)
    picture[:, :, :3] *= (alpha / 255)[:, :, None]
    picture[:, :, 3] = alpha
    shadow = cv2.GaussianBlur(alpha, (0, 0), (2.0 if hard else 8.0) * _DRAWN_AT)
    return Arm(picture.clip(0, 255).astype(np.uint8), shadow.clip(0, 255).astype(np.uint8), _DRAWN_AT)


_Capsule = tuple[tuple[float, float, float], tuple[float, float, float]]


def _solid(
    picture: np.ndarray, parts: list[_Capsule], colour: np.ndarray, cloth: np.random.Generator | None = None,
    cut: float = 0.0,
) -> None:  # fmt: skip
    """Round bodies joined into one, lit from above: bright along the middle, darker to the rim; nothing above *cut*."""
    circles = []
    for (x0, y0, r0), (x1, y1, r1) in parts:
        for part in np.linspace(0, 1, max(2, int(np.hypot(x1 - x0, y1 - y0) / 3))):
            centre = (x0 + (x1 - x0) * part + TIP_MM[0], y0 + (y1 - y0) * part + TIP_MM[1])
            circles.append((centre[0], centre[1], r0 + (r1 - r0) * part))
    xs, ys, rs = (np.array(circles).T[place] for place in range(3))
    top, left = max(0, int((ys - rs).min() * _DRAWN_AT) - 2), max(0, int((xs - rs).min() * _DRAWN_AT) - 2)
    low, right = int((ys + rs).max() * _DRAWN_AT) + 2, int((xs + rs).max() * _DRAWN_AT) + 2
    area = picture[top:low, left:right]
    mask: np.ndarray = np.zeros(area.shape[:2], np.uint8)
    for x, y, r in circles:
        at = (round(x * _DRAWN_AT) - left, round(y * _DRAWN_AT) - top)
        cv2.circle(mask, at, round(r * _DRAWN_AT), 255, -1)
    if cut:
        mask[: max(0, round((cut + TIP_MM[1]) * _DRAWN_AT) - top)] = 0
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 3) * (1 / (float(rs.max()) * _DRAWN_AT))
    light = 0.66 + 0.36 * np.sqrt(1 - (1 - np.minimum(inside, 1)) ** 2)
    if cloth is not None:
        light *= _folds(mask.shape, cloth)
    else:
        height, width = mask.shape[:2]
        grain = np.random.default_rng(7).normal(0, 0.015, (height // 4 + 1, width // 4 + 1)).astype(np.float32)
        light += cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    where = mask > 0
    area[where, :3] = colour * light[where][:, None]
    area[where, 3] = 255


def _folds(shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Folds of a sleeve: slow waves across it, and the weave."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    waves = np.ones(shape, np.float32)
    for _ in range(5):
        angle, length = rng.uniform(-0.7, 0.7), rng.uniform(40, 190)
        phase = (rows * np.cos(angle) + columns * np.sin(angle)) * 6.2832 / length + rng.uniform(0, 6.28)
        waves += 0.05 * np.sin(phase)
    return waves + rng.normal(0, 0.02, shape).astype(np.float32)


def _nail(picture: np.ndarray, finger: _Capsule, skin: np.ndarray) -> None:
    (x0, y0, r), (x1, y1, _) = finger
    length = np.hypot(x1 - x0, y1 - y0)
    ahead = ((x1 - x0) / length, (y1 - y0) / length)
    centre = (
        round((x0 + ahead[0] * r * 0.1 + TIP_MM[0]) * _DRAWN_AT),
        round((y0 + ahead[1] * r * 0.1 + TIP_MM[1]) * _DRAWN_AT),
    )  # fmt: skip
    turn = float(np.degrees(np.arctan2(ahead[1], ahead[0])))
    axes = (round(r * 0.75 * _DRAWN_AT), round(r * 0.56 * _DRAWN_AT))
    colour = (skin * 0.5 + np.array([168, 178, 232], np.float32) * 0.48).tolist()
    cv2.ellipse(picture, centre, axes, turn, 0, 360, (*colour, 255.0), -1, cv2.LINE_AA)
