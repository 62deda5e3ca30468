"""Crops and their target maps for the detector, cut from stored scenes at any angle and scale."""

from __future__ import annotations

import cv2
import numpy as np

from vision.detector import STRIDE
from vision.training.augment import photograph
from vision.training.store import ANGLE, CARD, HEIGHT, JOKERS, RANK_VISIBLE, VISIBLE, SceneStore, StoredScene, X, Y

CROP = 256
CELLS = CROP // STRIDE
REFERENCE_HEIGHT = 28.0
"""Index height (px at the network's input) whose log size is 0."""
RANK_SEEN, RANK_GONE = 0.4, 0.08
"""An index with this share of its rank visible is wanted; between the two it is neither wanted nor punished."""

HEAT, OFFSET, DIRECTION, SIZE, SHAPE_WEIGHT, HEAT_WEIGHT = 0, slice(1, 3), slice(3, 5), 5, 6, 7
CHANNELS = 8


def usual_height(rows: np.ndarray) -> float:
    """Median height in px of the plain indices, by which scales are chosen; a joker's may be four times as tall."""
    plain = rows[rows[:, CARD] < JOKERS, HEIGHT]
    return float(np.median(plain)) if len(plain) else float(np.clip(np.median(rows[:, HEIGHT]), 16, 40))


def crop_matrix(rng: np.random.Generator, scene: StoredScene) -> np.ndarray:
    """A 2x3 matrix from scene to crop: usually round an index (jokers four times as often), any angle, any scale."""
    side = scene.image.shape[0]
    rows = scene.rows[scene.rows[:, RANK_VISIBLE] > RANK_SEEN]
    height, centre = 28.0, rng.uniform(0.1 * side, 0.9 * side, 2)
    if len(rows):
        weight = np.where(rows[:, CARD] >= JOKERS, 4.0, 1.0)
        chosen = rows[rng.choice(len(rows), p=weight / weight.sum())]
        height = usual_height(rows)
        if rng.random() < 0.88:
            centre = chosen[[X, Y]]
    wanted = rng.uniform(20, 38) if rng.random() < 0.45 else float(np.exp(rng.uniform(np.log(12), np.log(48))))
    zoom = float(np.clip(wanted / height, 0.4, 2.5))
    turn = np.deg2rad(rng.uniform(0, 360))
    stretch = np.exp(rng.normal(0, 0.06))
    shear = rng.normal(0, 0.04)
    linear = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.array(
        [[zoom * stretch, zoom * shear], [0, zoom / stretch]]
    )
    corners = np.array([[0, 0], [CROP, 0], [0, CROP], [CROP, CROP], [CROP / 2, CROP / 2]])
    back = np.linalg.inv(linear).T
    best, most = np.full(2, CROP / 2), -1
    for target in rng.uniform(0.12 * CROP, 0.88 * CROP, (4, 2)):
        # of a few places for it in the crop, the one that shows least beyond the scene's edge
        there = centre + (corners - target) @ back
        inside = int(((there > 0) & (there < side)).all(1).sum())
        if inside > most:
            best, most = target, inside
    return np.column_stack([linear, best - linear @ centre]).astype(np.float32)


def warp(
    image: np.ndarray, matrix: np.ndarray, size: tuple[int, int], border: tuple[float, float, float]
) -> np.ndarray:
    """*image* through *matrix* into *size* (w, h), averaged first where that shrinks it much."""
    zoom = float(np.sqrt(abs(np.linalg.det(matrix[:, :2].astype(np.float64)))))
    if zoom < 0.72:
        shrink = max(zoom * 1.1, 0.05)
        image = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        matrix = matrix.copy()
        # pixel centres: x_small + 0.5 = (x + 0.5) * shrink
        matrix[:, 2] += matrix[:, :2] @ np.full(2, 0.5 / shrink - 0.5, matrix.dtype)
        matrix[:, :2] /= shrink
    return cv2.warpAffine(
        image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=border
    )


def moved(rows: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Label rows through *matrix*: centre, angle and height."""
    linear = matrix[:, :2].astype(np.float64)
    out = rows.astype(np.float64)
    out[:, [X, Y]] = rows[:, [X, Y]] @ linear.T + matrix[:, 2]
    angle = np.deg2rad(rows[:, ANGLE])
    up = np.stack([np.sin(angle), -np.cos(angle)], 1) @ linear.T
    out[:, ANGLE] = np.rad2deg(np.arctan2(up[:, 0], -up[:, 1])) % 360
    out[:, HEIGHT] = rows[:, HEIGHT] * np.hypot(up[:, 0], up[:, 1])
    return out


def target_maps(rows: np.ndarray) -> np.ndarray:
    """(8, 64, 64) float32: heat, offset, direction, log size, weight of the four shape channels, weight of the heat.

    *rows* are in crop pixels. Heat is a Gaussian round the centre's cell; shape is given in the 3x3 cells there.
    """
    maps = np.zeros((CHANNELS, CELLS, CELLS), np.float32)
    maps[HEAT_WEIGHT] = 1
    grid = np.arange(CELLS, dtype=np.float32)
    nearest = np.full((CELLS, CELLS), np.inf, np.float32)
    for row in rows:
        x, y, cells = row[X] / STRIDE, row[Y] / STRIDE, row[HEIGHT] / STRIDE
        if not (-cells < x < CELLS + cells and -cells < y < CELLS + cells):
            continue
        inside = 0 <= x < CELLS and 0 <= y < CELLS
        half = 0.3 * min(cells, 12.0)
        whole = half < x < CELLS - half and half < y < CELLS - half
        seen = row[RANK_VISIBLE]
        least, most = (6, 180) if row[CARD] >= JOKERS else (9, 60)  # a star or a word across is small, JOKER tall
        if not (inside and whole) or seen < RANK_SEEN or not least <= row[HEIGHT] <= most:
            if seen > RANK_GONE or row[VISIBLE] > 0.2:
                far = np.hypot(grid[None] - x + 0.5, grid[:, None] - y + 0.5)
                reach = far < 0.35 * min(cells, 14.0) + 0.7
                maps[HEAT_WEIGHT][reach & (maps[HEAT] < 0.99)] = 0
            continue
        column, line = int(x), int(y)
        deviation = 0.6 + 0.06 * min(cells, 12.0)
        left, right = max(column - 5, 0), min(column + 6, CELLS)
        top, bottom = max(line - 5, 0), min(line + 6, CELLS)
        blob = np.exp(
            -((grid[None, left:right] - column) ** 2 + (grid[top:bottom, None] - line) ** 2) / (2 * deviation**2)
        )
        np.maximum(maps[HEAT, top:bottom, left:right], blob, out=maps[HEAT, top:bottom, left:right])
        maps[HEAT_WEIGHT, line, column] = 1.6 if row[CARD] >= JOKERS else 1.0
        angle = np.deg2rad(row[ANGLE])
        for v in range(max(line - 1, 0), min(line + 2, CELLS)):
            for u in range(max(column - 1, 0), min(column + 2, CELLS)):
                far = (u + 0.5 - x) ** 2 + (v + 0.5 - y) ** 2
                if far < nearest[v, u]:
                    nearest[v, u] = far
                    maps[1:7, v, u] = (
                        x - u - 0.5, y - v - 0.5, np.sin(angle), -np.cos(angle),
                        np.log(row[HEIGHT] / REFERENCE_HEIGHT), 1.0 if (v, u) == (line, column) else 0.4,
                    )  # fmt: skip
    return maps


def sample(rng: np.random.Generator, scene: StoredScene) -> tuple[np.ndarray, np.ndarray]:
    """One crop (256, 256, 3) uint8 and its target maps."""
    matrix = crop_matrix(rng, scene)
    border = tuple(float(v) for v in rng.uniform(0, 255, 3)) if rng.random() < 0.5 else (rng.uniform(0, 255),) * 3
    crop = photograph(rng, warp(scene.image, matrix, (CROP, CROP), border))
    return crop, target_maps(moved(scene.rows, matrix))


def batch(rng: np.random.Generator, store: SceneStore, size: int) -> tuple[np.ndarray, np.ndarray]:
    """*size* crops (n, 3, 256, 256) uint8 and maps (n, 8, 64, 64) float32 from scenes drawn at random."""
    pairs = [sample(rng, store[int(rng.integers(len(store)))]) for _ in range(size)]
    crops = np.stack([crop for crop, _ in pairs]).transpose(0, 3, 1, 2)
    return crops, np.stack([maps for _, maps in pairs])
