"""Stored scenes, mapped into memory by any number of trainers while the simulator still adds to them.

``simulator.scenes`` writes compressed shards ``scenes-00012.npz``. Unpacking a picture for every crop would cost as
much as the network does, so each shard is unpacked once, beside itself: ``raw-00012.npy``, (scenes, side, side, 3)
uint8 BGR, and ``raw-00012.labels.npy``, one float32 row for each index: scene in the shard, card's index in
``engine.cards.DECK``, x, y (px), angle (degrees clockwise from up), height (px), visible, rank_visible (fractions).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

SCENE, CARD, X, Y, ANGLE, HEIGHT, VISIBLE, RANK_VISIBLE = range(8)
JOKERS = 52
"""Cards from this index on are jokers."""


class StoredScene(NamedTuple):
    """One scene: *image* (side, side, 3) uint8 and *rows* (n, 8) float32 with the columns named above.

    *mined* (m, 6): the detector's peaks, if :mod:`vision.training.mine` has been there.
    """

    image: np.ndarray
    rows: np.ndarray
    mined: np.ndarray = np.zeros((0, 6), np.float32)


def save_whole(path: Path, array: np.ndarray) -> None:
    """Write *array* so that *path* appears complete or not at all."""
    part = path.with_name(f".{os.getpid()}-{path.name}")
    with part.open("wb") as file:
        np.save(file, array)
    part.rename(path)


def unpack(shard: Path) -> tuple[Path, Path]:
    """The raw pictures and labels of a ``scenes-*.npz``, unpacked if that has not been done yet."""
    stem = shard.name.removesuffix(".npz").replace("scenes-", "raw-")
    images, labels = shard.with_name(stem + ".npy"), shard.with_name(stem + ".labels.npy")
    if not labels.exists():
        with np.load(shard) as data:
            jpeg, starts, rows = data["jpeg"], data["starts"], data["labels"]
        save_whole(images, np.stack([cv2.imdecode(jpeg[a:b], cv2.IMREAD_COLOR) for a, b in pairwise(starts)]))
        save_whole(labels, rows.astype(np.float32))
    return images, labels


class SceneStore:
    """All shards of some folders; :meth:`refresh` takes in what was added meanwhile."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders
        self._known: set[Path] = set()
        self._images: list[np.ndarray] = []
        self._rows: list[np.ndarray] = []
        self._mined: list[np.ndarray] = []
        self._awaited: dict[Path, int] = {}
        """Files of mined peaks that were not there yet, and the number of their shard's first scene."""
        self._where: list[tuple[int, int]] = []
        self.refresh()
        self.refresh(0)

    def refresh(self, most: int | None = None) -> int:
        """Map shards that are new, *most* of them at a time, and peaks mined since; the number of scenes known now."""
        for peaks, start in list(self._awaited.items()):
            if peaks.exists():
                del self._awaited[peaks]
                self._take_mined(np.load(peaks), start)
        there = [path for folder in self.folders for path in sorted(folder.glob("scenes-*.npz"))]
        for path in [path for path in there if path not in self._known][:most]:
            self._known.add(path)
            raw, labels = unpack(path)
            images, rows = np.load(raw, mmap_mode="r"), np.load(labels)
            peaks = raw.with_name(raw.name.replace(".npy", ".mined.npy"))
            self._awaited[peaks] = len(self._where)
            shard = len(self._images)
            self._images.append(images)
            for scene in range(len(images)):
                self._where.append((shard, scene))
                self._rows.append(rows[rows[:, SCENE] == scene])
                self._mined.append(np.zeros((0, 6), np.float32))
        return len(self._where)

    def _take_mined(self, mined: np.ndarray, start: int) -> None:
        for scene in np.unique(mined[:, SCENE]).astype(int):
            self._mined[start + scene] = mined[mined[:, SCENE] == scene]

    def __len__(self) -> int:
        return len(self._where)

    def __getitem__(self, k: int) -> StoredScene:
        shard, scene = self._where[k]
        return StoredScene(self._images[shard][scene], self._rows[k], self._mined[k])

    def __iter__(self) -> Iterator[StoredScene]:
        return (self[k] for k in range(len(self)))
