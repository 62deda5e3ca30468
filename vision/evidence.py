"""What may be kept of what the camera saw: the last seconds, masked, and the corners that a dispute is about.

Frames are masked before they are kept, so that nothing outside the mat's zones is ever stored, not even for a second.
Memory is bounded by the seconds that are kept; nothing here writes a file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from engine.cards import Card
from vision.camera import Frame
from vision.masking import mask
from vision.mat import View
from vision.observations import SeenCard

FPS: Final = 5.0
QUALITY: Final = 80
"""Of the JPEGs in memory."""
CLIP_QUALITY: Final = 60
CROP_HEIGHTS: Final = 2.2
"""Sides of a crop, in index heights: the index and what lies around it."""
INDEX_MM: Final = 16.0
MOST_SIDE: Final = 480
CANDIDATES: Final = 4
LARGEST_FRAME: Final = 200_000
"""Bytes of a frame in memory; what is larger is not kept."""


@dataclass(frozen=True)
class IndexCrop:
    """A disputed corner in full resolution: JPEG bytes, what it may be with probabilities, where the card points."""

    data: bytes
    candidates: tuple[tuple[Card, float], ...]
    sure: bool


class Ring:
    """The last *seconds* of the small stream, masked, at most :data:`FPS` frames a second."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._frames: deque[tuple[float, bytes]] = deque()
        self._most = round(seconds * FPS) + 2

    def wants(self, t: float) -> bool:
        """Whether a frame of *t* is due."""
        return not self._frames or t - self._frames[-1][0] >= 1 / FPS - 0.02 or t < self._frames[-1][0]

    def add(self, frame: Frame, view: View) -> None:
        """Keep *frame*, masked by *view*; the oldest go."""
        if self._frames and frame.t < self._frames[-1][0]:
            self._frames.clear()  # another camera's time
        data = cv2.imencode(".jpg", mask(frame, view).image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        if len(data) > LARGEST_FRAME:
            return
        self._frames.append((frame.t, data))
        while len(self._frames) > self._most or frame.t - self._frames[0][0] > self.seconds:
            self._frames.popleft()

    @property
    def latest(self) -> float | None:
        """The last frame's time."""
        return self._frames[-1][0] if self._frames else None

    @property
    def size(self) -> int:
        """Bytes of memory that the frames take."""
        return sum(len(data) for _, data in self._frames)

    def between(self, start: float, end: float) -> list[tuple[float, bytes]]:
        """The frames from *start* to *end*, both included."""
        return [(t, data) for t, data in self._frames if start <= t <= end]

    def clear(self) -> None:
        self._frames.clear()


def clip(frames: Sequence[tuple[float, bytes]]) -> bytes:
    """*frames* as a moving WebP picture, which every browser shows, in the time they were taken in.

    :raises ValueError: of no frames.
    """
    if not frames:
        raise ValueError("no frames")
    times = [t for t, _ in frames]
    # Each frame stands until the next; the last as long as one does.
    stands = [max(20, round(1000 * (b - a))) for a, b in zip(times, [*times[1:], times[-1] + 1 / FPS], strict=True)]
    moving = cv2.Animation()
    pictures = [cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for _, data in frames]
    moving.frames = [picture for picture in pictures if picture is not None]
    moving.durations = stands
    good, data = cv2.imencodeanimation(".webp", moving, [cv2.IMWRITE_WEBP_QUALITY, CLIP_QUALITY])
    if not good:
        raise ValueError("the clip could not be written")
    return data.tobytes()


def index_crops(cards: Sequence[SeenCard], still: Frame, view: View | None) -> list[IndexCrop]:
    """The corner of each of *cards* as the full *still* shows it, turned upright: a 6 is no 9. A card outside of it
    gives none.

    With *view* what lies outside the mat's zones is black; without one there is no telling, and nothing is cut.
    """
    if view is None:
        return []
    view = view.scaled(still.full_size)
    crops = []
    masked: Frame | None = None
    for card in cards:
        if not card.indices or not card.corners:
            continue
        x, y = card.indices[0][0] - still.origin[0], card.indices[0][1] - still.origin[1]
        height, width = still.image.shape[:2]
        if not (0 <= x < width and 0 <= y < height):
            continue
        masked = masked or mask(still, view)
        up = up_in_picture(card, view)
        reach = CROP_HEIGHTS * INDEX_MM * view.px_per_mm()
        side = min(round(reach), MOST_SIDE)
        scale = side / reach
        linear = scale * np.array([[-up[1], up[0]], [-up[0], -up[1]]])
        matrix = np.column_stack([linear, np.array([side / 2, side / 2]) - linear @ np.array([x, y])])
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        part = cv2.warpAffine(masked.image, matrix, (side, side), flags=way)
        data = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
        crops.append(IndexCrop(data, card.candidates[:CANDIDATES], card.sure))
    return crops


def up_in_picture(card: SeenCard, view: View) -> np.ndarray:
    """Unit vector, in pixels, of where the top of a card on the mat points at its first index."""
    turn = np.radians(card.angle)
    x, y = card.corners[0]
    here, there = view.to_px([(x, y), (x + 10 * np.sin(turn), y - 10 * np.cos(turn))])
    away = there - here
    return np.asarray(away / max(float(np.hypot(*away)), 1e-6))
