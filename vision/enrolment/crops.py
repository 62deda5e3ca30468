"""The crops of a deck profile: cut from a picture, and varied as other frames may show them."""

from __future__ import annotations

import cv2
import numpy as np

from vision.profiles import CROP_HEIGHT, CROP_WIDTH
from vision.reader import INDEX_HEIGHT, PATCH_HEIGHT, PATCH_WIDTH, Pose, patch_matrix


def cut_crop(image: np.ndarray, pose: Pose) -> np.ndarray:
    """(84, 60, 3) uint8: the index at *pose* as :func:`vision.reader.cut_patches` cuts it, with more around it."""
    matrix = patch_matrix(pose.x, pose.y, pose.dx, pose.dy, pose.size)
    matrix[:, 2] += (CROP_WIDTH - PATCH_WIDTH) / 2, (CROP_HEIGHT - PATCH_HEIGHT) / 2
    source = image
    reach = int(pose.size * 2) + 4
    x0, y0 = max(int(pose.x) - reach, 0), max(int(pose.y) - reach, 0)
    part = source[y0 : int(pose.y) + reach, x0 : int(pose.x) + reach]
    matrix[:, 2] += matrix[:, :2] @ np.array([x0, y0])
    if pose.size > 1.5 * INDEX_HEIGHT:
        part = cv2.GaussianBlur(part, (0, 0), 0.4 * pose.size / INDEX_HEIGHT)
    return cv2.warpAffine(
        part, matrix, (CROP_WIDTH, CROP_HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def vary(rng: np.random.Generator, crop: np.ndarray, how: float = 1.0) -> np.ndarray:
    """A (56, 40, 3) patch of *crop* as another frame may show it; *how* scales all of it, 0: as it is."""
    turn, size = rng.normal(0, 2.5) * how, float(np.exp(rng.normal(0, 0.06) * how))
    middle = (CROP_WIDTH / 2 - 0.5, CROP_HEIGHT / 2 - 0.5)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, turn, size), float)
    matrix[:, 2] += rng.normal(0, 1.1, 2) * how
    matrix[:, 2] -= np.array([CROP_WIDTH - PATCH_WIDTH, CROP_HEIGHT - PATCH_HEIGHT]) / 2
    patch = cv2.warpAffine(
        crop, matrix, (PATCH_WIDTH, PATCH_HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if not how:
        return patch
    if rng.random() < 0.5:
        small = float(rng.uniform(0.35, 0.9))
        size_px = (max(12, round(PATCH_WIDTH * small)), max(16, round(PATCH_HEIGHT * small)))
        patch = cv2.resize(
            cv2.resize(patch, size_px, interpolation=cv2.INTER_AREA), (PATCH_WIDTH, PATCH_HEIGHT),
            interpolation=cv2.INTER_LINEAR,
        )  # fmt: skip
    elif rng.random() < 0.6:
        patch = cv2.GaussianBlur(patch, (0, 0), float(rng.uniform(0.4, 1.6)))
    light = float(np.exp(rng.normal(-0.15, 0.3))) * np.exp(rng.normal(0, 0.07, 3))
    noise = rng.normal(0, rng.uniform(0, 9), patch.shape)
    slope = 1 + rng.normal(0, 0.12) * np.linspace(-1, 1, PATCH_WIDTH)[None, :, None]
    return np.clip(patch * light * slope + noise, 0, 255).astype(np.uint8)
