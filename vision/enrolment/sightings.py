"""Every index of one picture as an enrolment sees it: where it is, what the reader thinks, and the crop to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from engine.cards import Card
from vision.detector import Found
from vision.enrolment.crops import cut_crop
from vision.reader import IndexRead, Pose
from vision.scales import BEST_PX, find_all, find_at

LEAST_SCORE: Final = 0.12
"""An odd deck's indices are found less surely than a common one's."""
SURE_SCORE: Final = 0.4
NO_INDEX: Final = 0.6
"""What the reader rejects more surely than this, and the finder does not stand for, is left out."""
LEAST_PX: Final = 9.0
CARD_HEIGHTS: Final = 6.0
"""A card's length in usual index heights, and what more a corner is looked for around."""
CLOSER: Final = (0.5, 0.8, 1.2, 1.8)
"""Steps of size in which a joker's corner is looked at."""
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
    closer: bool = False
    """Found only by looking at a joker again: worth no question."""

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
        Sighting(find.x, find.y, find.dx, find.dy, find.size, find.score, read, cut_crop(image, read.place or find))
        for find, read in zip(finds, reader.read(image, finds), strict=True)
        if read.reject < NO_INDEX or find.score >= SURE_SCORE
    ]
    usual = usual_size(seen)
    seen += _closer(image, keen, reader, seen, usual)
    kept = []
    for one in seen:
        low, high = JOKER_SIZES if one.joker or one.read.reject > NO_INDEX else SIZES
        if usual is None or low <= one.size / usual <= high:
            kept.append(one)
    return kept


def _closer(
    image: np.ndarray, keen: Keen, reader: Reads, seen: Sequence[Sighting], usual: float | None
) -> list[Sighting]:
    """What else the finder may take for a joker's index on cards that show one: each size shows another part."""
    found: list[Sighting] = []
    covered: list[tuple[int, int, int, int]] = []
    for one in seen:
        if (
            not one.joker
            or one.score < SURE_SCORE
            or any(a <= one.x <= c and b <= one.y <= d for a, b, c, d in covered)
        ):
            continue
        unit = usual or one.size
        reach = CARD_HEIGHTS * unit
        x0, y0 = max(0, int(one.x - reach)), max(0, int(one.y - reach))
        part = np.ascontiguousarray(image[y0 : int(one.y + reach), x0 : int(one.x + reach)])
        covered.append(
            (int(one.x - 0.5 * unit), int(one.y - 0.5 * unit), int(one.x + 0.5 * unit), int(one.y + 0.5 * unit))
        )
        for step in CLOSER:
            finds = [find for find in find_at(part, keen, step * BEST_PX / unit) if find.size >= LEAST_PX]
            for find, read in zip(finds, reader.read(part, finds) if finds else [], strict=True):
                new = Sighting(find.x + x0, find.y + y0, find.dx, find.dy, find.size, find.score, read,
                               cut_crop(part, read.place or find), closer=True)  # fmt: skip
                if not any(_same(new, other) for other in (*seen, *found)):
                    found.append(new)
    return found


def _same(one: Sighting, two: Sighting) -> bool:
    apart = float(np.hypot(one.x - two.x, one.y - two.y))
    return apart < 0.15 * min(one.size, two.size) and 0.87 < one.size / two.size < 1.15


def usual_size(seen: Sequence[Sighting]) -> float | None:
    """The height in px that most plain indices have; None of none."""
    sizes = np.array([one.size for one in seen if not one.joker and one.score >= SURE_SCORE and one.read.reject < 0.3])
    if not len(sizes):
        return None
    apart = np.abs(np.log(sizes[:, None] / sizes[None]))
    return float(sizes[int(np.argmax((apart < 0.2).sum(1)))])
