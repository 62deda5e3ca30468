"""Every index of one picture as an enrolment sees it: where it is, what the reader thinks, and the crop to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from engine.cards import Card
from vision.detector import Found
from vision.enrolment.prototypes import cut_crop
from vision.reader import IndexRead, Pose
from vision.scales import BEST_PX, find_all, find_at

LEAST_SCORE: Final = 0.12
"""An odd deck's indices are found less surely than a common one's."""
SURE_SCORE: Final = 0.4
NO_INDEX: Final = 0.6
"""What the reader rejects more surely than this, and the finder does not stand for, is left out."""
LEAST_PX: Final = 9.0
SIZES: Final = (0.62, 1.6)
"""A plain index's height over the picture's usual one; a joker's has its own."""
JOKER_SIZES: Final = (0.3, 3.2)


class Finds(Protocol):
    def find(self, image: np.ndarray, scale: float = ..., threshold: float | None = ...) -> Sequence[Found]: ...


class Reads(Protocol):
    def read(self, image: np.ndarray, founds: Sequence[Pose]) -> list[IndexRead]: ...


@dataclass(frozen=True)
class Sighting:
    """One index: centre, unit vector of its up and height in px of its picture, the finder's score, the reader's word,
    and the crop, (84, 60, 3) uint8."""

    x: float
    y: float
    dx: float
    dy: float
    size: float
    score: float
    read: IndexRead
    crop: np.ndarray

    @property
    def joker(self) -> bool:
        """Whether the reader takes it for a joker's, of either colour."""
        return self.read.joker > max(self.read.reject, float(self.read.rank_probs.max()))

    def chance(self, card: Card) -> float:
        """The reader's probability that it is *card*."""
        return next((p for other, p in self.read.candidates if other is card), 0.0)


class Keen:
    """A detector with a lower threshold: the faint ones too."""

    def __init__(self, detector: Finds, least: float = LEAST_SCORE) -> None:
        self._detector, self._least = detector, least

    def find(self, image: np.ndarray, scale: float = 1.0) -> Sequence[Found]:
        """Every index of *image* from the lower threshold on."""
        return self._detector.find(image, scale, self._least)


def sightings(image: np.ndarray, detector: Finds, reader: Reads, index_px: float | None = None) -> list[Sighting]:
    """The indices in *image* (H, W, 3) BGR uint8; misfits of size and weak finds are left out.

    *index_px* is a plain index's height where it is known; without it the picture is looked at in all sizes.
    """
    keen = Keen(detector)
    found = find_at(image, keen, BEST_PX / index_px) if index_px else find_all(image, keen)
    finds = [find for find in found if find.size >= LEAST_PX]
    if not finds:
        return []
    seen = [
        Sighting(find.x, find.y, find.dx, find.dy, find.size, find.score, read, cut_crop(image, find))
        for find, read in zip(finds, reader.read(image, finds), strict=True)
        if read.reject < NO_INDEX or find.score >= SURE_SCORE
    ]
    usual = usual_size(seen)
    kept = []
    for one in seen:
        low, high = JOKER_SIZES if one.joker or one.read.reject > NO_INDEX else SIZES
        if usual is None or low <= one.size / usual <= high:
            kept.append(one)
    return kept


def usual_size(seen: Sequence[Sighting]) -> float | None:
    """The height in px that most plain indices have; None of none."""
    sizes = np.array([one.size for one in seen if not one.joker and one.score >= SURE_SCORE and one.read.reject < 0.3])
    if not len(sizes):
        return None
    apart = np.abs(np.log(sizes[:, None] / sizes[None]))
    return float(sizes[int(np.argmax((apart < 0.2).sum(1)))])
