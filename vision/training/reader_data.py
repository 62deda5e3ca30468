"""Patches for the reader: cut upright from photographed scenes, with the pose errors that the detector makes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.reader import PATCH_HEIGHT, PATCH_WIDTH, SHIFT_UNIT, SIZE_UNIT, TURN_UNIT, patch_matrix
from vision.training.augment import photograph
from vision.training.detector_data import usual_height
from vision.training.store import ANGLE, CARD, HEIGHT, JOKERS, RANK_VISIBLE, VISIBLE, SceneStore, StoredScene, X, Y

JOKER, REJECT = 13, 14
"""Rank classes after the thirteen ranks 2 … A."""
NO_SUIT = -100
"""Suit label of patches that have none (torch's ignore_index)."""
READ, GONE = 0.33, 0.12
"""Rank shares: from the first on the patch carries the card's name, up to the second it is to be rejected."""


def labels(card: int) -> tuple[int, int]:
    """Rank and suit class of a card's index in ``DECK``: suits S H C D, then the black and the red joker."""
    return (JOKER, 4 + card - JOKERS) if card >= JOKERS else (card % 13, card // 13)


def pose_error(rng: np.random.Generator) -> tuple[float, float, float, float]:
    """How the detector's pose may be off: x and y in index heights, degrees, factor of the size."""
    wide = rng.random() < 0.15
    shift = rng.normal(0, 0.09 if wide else 0.035, 2)
    turn = rng.normal(0, 9.0 if wide else 4.0)
    return float(shift[0]), float(shift[1]), float(turn), float(np.exp(rng.normal(0, 0.13 if wide else 0.06)))


def residual(pose: Sequence[float], true: Sequence[float]) -> tuple[float, float, float, float]:
    """How the index lies off the patch that was cut at *pose* (x, y, degrees, height): right and down in eighths of the
    pose's height, turn in tens of degrees, log of the height in fifths, so that most parts are within -1..1."""
    (x, y, angle, height), (true_x, true_y, true_angle, true_height) = pose, true
    cosine, sine = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    dx, dy = (true_x - x) / height, (true_y - y) / height
    turn = (true_angle - angle + 180) % 360 - 180
    parts = ((dx * cosine + dy * sine) / SHIFT_UNIT, (dy * cosine - dx * sine) / SHIFT_UNIT, turn / TURN_UNIT)
    right, down, turned = (float(np.clip(part, -4, 4)) for part in parts)
    return right, down, turned, float(np.clip(np.log(true_height / height) / SIZE_UNIT, -4, 4))


def cut(image: np.ndarray, x: float, y: float, angle: float, height: float, stretch: float = 1.0) -> np.ndarray:
    """The upright patch (56, 40, 3) of an index at (*x*, *y*), px, its top towards *angle* degrees."""
    turn = np.deg2rad(angle)
    matrix = patch_matrix(x, y, np.sin(turn), -np.cos(turn), height)
    matrix[0] *= stretch
    matrix[0, 2] += PATCH_WIDTH / 2 * (1 - stretch)
    return cv2.warpAffine(
        image, matrix, (PATCH_WIDTH, PATCH_HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def scene_patches(
    rng: np.random.Generator, scene: StoredScene, rejects: float = 0.3
) -> tuple[list[np.ndarray], list[tuple[int, int]], list[tuple[float, float, float, float]]]:
    """Every readable index of *scene* once, each joker three times, and *rejects* of their number of other places:
    patches, (rank, suit) and pose residuals."""
    image, rows = scene.image, scene.rows
    heights = rows[:, HEIGHT]
    typical = usual_height(rows) if len(rows) else 30.0
    zoom = 1.0
    if rng.random() < 0.3:
        zoom = float(np.clip(np.exp(rng.uniform(np.log(12), np.log(max(typical, 13)))) / typical, 0.2, 1.0))
    blur = float(np.clip(typical * zoom * 0.055, 0.5, 2.2))
    if zoom < 1:
        image = cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.55:
        image = photograph(rng, image, blur)
    centres = (rows[:, [X, Y]] + 0.5) * zoom - 0.5
    patches: list[np.ndarray] = []
    names: list[tuple[int, int]] = []
    poses: list[tuple[float, float, float, float]] = []

    def add(
        x: float, y: float, angle: float, height: float, rank: int, suit: int, true: Sequence[float] | None = None
    ) -> None:
        poses.append(residual((x, y, angle, height), true) if true is not None else (0.0, 0.0, 0.0, 0.0))
        patch = cut(image, x, y, angle, height, float(np.exp(rng.normal(0, 0.07))))
        if rng.random() < 0.12:
            patch = np.clip(patch * np.exp(rng.normal(0, 0.2, 3)) + rng.normal(0, 8, 3), 0, 255).astype(np.uint8)
        patches.append(patch)
        names.append((rank, suit))

    for row, (x, y) in zip(rows, centres, strict=True):
        card, seen = int(row[CARD]), row[RANK_VISIBLE]
        if GONE < seen < READ:
            continue
        height = float(row[HEIGHT]) * zoom
        if height < (5 if card >= JOKERS else 8):
            continue
        gone = seen <= GONE
        if gone and (row[VISIBLE] > 0.35 or rng.random() < 0.6):
            continue
        for copy in range(3 if card >= JOKERS and not gone else 1):
            right, down, turn, size = pose_error(rng)
            if copy == 2:  # which way is up a word across does not tell: of two ways the detector takes the middle
                turn = rng.uniform(-55, 55)
            pose = (x + right * height, y + down * height, row[ANGLE] + turn, height * size)
            add(*pose, *((REJECT, NO_SUIT) if gone else labels(card)), true=(x, y, float(row[ANGLE]), height))
    for _, name, x, y, angle, height in scene.mined:
        # what the detector really found there, as it found it
        if name > -2 and rng.random() < (0.7 if name < 0 else 0.5):
            x, y, height = (x + 0.5) * zoom - 0.5, (y + 0.5) * zoom - 0.5, height * zoom
            turn, size = rng.normal(0, 2), np.exp(rng.normal(0, 0.03))
            true = None
            if name >= 0:
                k = int(np.argmin(np.hypot(centres[:, 0] - x, centres[:, 1] - y) + 1e6 * (rows[:, CARD] != name)))
                true = (*centres[k], float(rows[k, ANGLE]), float(heights[k]) * zoom)
            target = (REJECT, NO_SUIT) if name < 0 else labels(int(name))
            add(x, y, angle + turn, max(height * size, 8.0), *target, true=true)
    side = image.shape[0]
    for _ in range(int(len(patches) * rejects * (0.5 if len(scene.mined) else 1)) + 2):
        roll = rng.random()
        if len(rows) and roll < 0.55:
            k = int(rng.integers(len(rows)))
            x, y = centres[k]
            angle, height = float(rows[k, ANGLE]), float(rows[k, HEIGHT]) * zoom
            if roll < 0.22 and rows[k, CARD] >= JOKERS:
                if rows[k, RANK_VISIBLE] >= READ and height >= 5:  # turned round it is a joker all the same
                    add(x, y, rng.uniform(0, 360), height, *labels(int(rows[k, CARD])), true=(np.nan,) * 4)
                continue
            if roll < 0.22:
                angle += rng.uniform(140, 220) if rng.random() < 0.7 else rng.choice([-1, 1]) * rng.uniform(60, 120)
            else:
                far, way = rng.uniform(0.6, 1.3) * height, rng.uniform(0, 2 * np.pi)
                x, y = x + far * np.cos(way), y + far * np.sin(way)
                angle += rng.normal(0, 10)
                apart = np.hypot(centres[:, 0] - x, centres[:, 1] - y) / (heights * zoom)
                if apart.min() < 0.45:
                    continue
        else:
            x, y = rng.uniform(0, side, 2)
            angle, height = rng.uniform(0, 360), typical * zoom * np.exp(rng.normal(0, 0.35))
            if len(rows) and (np.hypot(centres[:, 0] - x, centres[:, 1] - y) / (heights * zoom)).min() < 0.45:
                continue
        add(float(x), float(y), angle, max(height, 8.0), REJECT, NO_SUIT)
    return patches, names, poses


class PatchPool:
    """A few thousand patches of many scenes, slowly replaced, so that a batch is not of two or three pictures."""

    def __init__(self, rng: np.random.Generator, store: SceneStore, size: int = 6000) -> None:
        self.rng, self.store, self.size = rng, store, size
        self.patches = np.zeros((size, PATCH_HEIGHT, PATCH_WIDTH, 3), np.uint8)
        self.names = np.zeros((size, 2), np.int64)
        self.poses = np.zeros((size, 4), np.float32)
        self.filled, self.next = 0, 0
        while self.filled < size:
            self.add_scene()

    def add_scene(self) -> int:
        """Cut one scene into the pool; the number of patches that came in."""
        patches, names, poses = scene_patches(self.rng, self.store[int(self.rng.integers(len(self.store)))])
        for patch, name, pose in zip(patches, names, poses, strict=True):
            self.patches[self.next], self.names[self.next], self.poses[self.next] = patch, name, pose
            self.next = (self.next + 1) % self.size
            self.filled = min(self.filled + 1, self.size)
        return len(patches)

    def batch(self, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """*size* patches (n, 3, 56, 40) uint8, their (rank, suit) and pose residuals; half as many come in new."""
        fresh = 0
        while fresh < size * 0.5:
            fresh += self.add_scene()
        chosen = self.rng.integers(0, self.size, size)
        return self.patches[chosen].transpose(0, 3, 1, 2), self.names[chosen], self.poses[chosen]
