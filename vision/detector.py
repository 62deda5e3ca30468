"""The detector: finds every visible corner index in a picture, with its direction and size.

One pass of a small fully convolutional network at a quarter of the input's resolution; an index is a peak of its heat
map, and the maps beside it say where exactly the centre lies, which way is up and how tall the index is. Nothing is
boxed, so overlapping fans lose nothing to box suppression.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.networks import opened

MODELS: Final = Path(__file__).resolve().parent.parent / "assets" / "models"
STRIDE: Final = 4
BLOCK: Final = 16
"""The network takes sides that are multiples of this."""
BEST_HEIGHT: Final = 28.0
"""Index height in px at the network's input where it works best; 24 to 36 are good, 14 to 46 usable."""
_TILE: Final = 1536
_OVERLAP: Final = 96
_SAME: Final = 0.3
"""Two peaks closer than this share of the index height are one index."""


@dataclass(frozen=True, slots=True)
class Found:
    """One corner index: centre (px of the picture given), unit vector of its up, height in px, score 0..1."""

    x: float
    y: float
    dx: float
    dy: float
    size: float
    score: float

    @property
    def angle(self) -> float:
        """Direction of its top, degrees clockwise from up in the picture, 0..360."""
        return float(np.degrees(np.arctan2(self.dx, -self.dy)) % 360)


class Detector:
    """The detecting network; ``Detector().find(image, scale)`` gives the indices of a picture."""

    def __init__(self, model_path: str | Path | None = None, threads: int = 1) -> None:
        path = Path(model_path) if model_path else MODELS / "detector.onnx"
        self._session = opened(path, threads, sizes_vary=True)
        about = path.with_name("models.json")
        facts = json.loads(about.read_text())["detector"] if about.exists() else {}
        self.threshold = float(facts.get("threshold", 0.3))

    def maps(self, image: np.ndarray) -> np.ndarray:
        """Raw maps (6, h/4, w/4) of *image* (h, w, 3) uint8, sides multiples of 16: heat 0..1, offset, up, log size."""
        result: np.ndarray = self._session.run(None, {"image": image[None]})[0][0]
        return result

    def find(self, image: np.ndarray, scale: float = 1.0, threshold: float | None = None) -> list[Found]:
        """Every index of *image* (H, W, 3) BGR uint8, best score first.

        *scale* is applied before the network looks; choose it so that an index comes out near BEST_HEIGHT px. The
        answer is in px of *image*. *threshold* (0..1) replaces the models' own.
        """
        height, width = image.shape[:2]
        small = image
        if scale != 1.0:
            size = (max(round(width * scale), 1), max(round(height * scale), 1))
            small = _resized(image, size)
        limit = self.threshold if threshold is None else threshold
        parts = [
            self._peaks(small[top:bottom, left:right], left, top, limit) for top, bottom, left, right in _tiles(small)
        ]
        peaks = _merged(np.concatenate(parts))
        across, down = width / small.shape[1], height / small.shape[0]
        return [
            Found((x + 0.5) * across - 0.5, (y + 0.5) * down - 0.5, dx, dy, size * down, score)
            for x, y, dx, dy, size, score in peaks.tolist()
        ]

    def _peaks(self, tile: np.ndarray, left: int, top: int, limit: float) -> np.ndarray:
        """(n, 6) of x, y, dx, dy, size, score in the whole picture's px, for a tile at (*left*, *top*)."""
        height, width = tile.shape[:2]
        below, beside = -height % BLOCK, -width % BLOCK
        if below or beside:
            tile = cv2.copyMakeBorder(tile, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=(127, 127, 127))
        maps = self.maps(np.ascontiguousarray(tile))
        heat = maps[0]
        # a tie on a plateau of two equal cells gives two peaks a cell apart; _merged joins them
        rows, columns = np.nonzero((heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat >= limit))
        score, right, down, dx, dy, size = maps[:, rows, columns]
        norm = np.maximum(np.hypot(dx, dy), 1e-6)
        x, y = (columns + 0.5 + right) * STRIDE, (rows + 0.5 + down) * STRIDE
        inside = (x < width) & (y < height)
        peaks = np.stack([x + left, y + top, dx / norm, dy / norm, BEST_HEIGHT * np.exp(size), score], 1)
        return peaks[inside].astype(np.float64)


def _resized(image: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """*image* at *size*: halved as often as it can be, the rest by interpolation.

    Every pixel counts then as well, at a seventh of what averaging over any other ratio costs.
    """
    while image.shape[1] >= 2 * size[0] and image.shape[0] >= 2 * size[1]:
        image = cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR))


def _tiles(image: np.ndarray) -> list[tuple[int, int, int, int]]:
    """(top, bottom, left, right) of overlapping tiles: one for all but large pictures, so that memory stays bounded."""

    def spans(length: int) -> list[tuple[int, int]]:
        if length <= _TILE:
            return [(0, length)]
        step = _TILE - _OVERLAP
        return [(start, min(start + _TILE, length)) for start in range(0, length - _OVERLAP, step)]

    return [
        (top, bottom, left, right) for top, bottom in spans(image.shape[0]) for left, right in spans(image.shape[1])
    ]


def _merged(peaks: np.ndarray) -> np.ndarray:
    """*peaks* best first, without those that lie on a better one."""
    peaks = peaks[np.argsort(-peaks[:, 5], kind="stable")]
    if len(peaks) < 2:
        return peaks
    apart = np.hypot(peaks[:, None, 0] - peaks[None, :, 0], peaks[:, None, 1] - peaks[None, :, 1])
    close = apart < _SAME * np.maximum(peaks[:, None, 4], peaks[None, :, 4])
    keep = np.ones(len(peaks), bool)
    for k in np.nonzero(np.triu(close, 1).any(1))[0]:
        if keep[k]:
            keep[k + 1 :] &= ~close[k, k + 1 :]
    return peaks[keep]
