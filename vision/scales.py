"""The indices of a picture of unknown scale: the detector runs on a ladder of sizes, the reader names what it found.

The detector is at its best where an index is 24 to 36 pixels high. In a photo nobody has calibrated an index may be 12
pixels high (a whole table) or 900 (one card filling the picture), so the picture is looked at in steps of 1.5 from
small to large; each index is kept from the step that shows it best, and what does not fit the others' size is doubted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from vision.layout import FoundIndex, Index, ReadIndex, to_indices

BEST_PX: Final = 30.0
STEP: Final = 1.5
SMALLEST_SIDE: Final = 160
"""Longer side of the smallest step: one card that fills it has an index of about 30 pixels."""
LARGEST_PIXELS: Final = 24_000_000
MOST_ENLARGED: Final = 2.0
TRUSTED: Final = (13.0, 48.0)
"""Index heights in a step's pixels that the detector was trained on."""
CHEAP_PIXELS: Final = 1_500_000
"""Steps up to this size are always looked at; larger ones only while they may show something new."""


class FindsIndices(Protocol):
    def find(self, image: np.ndarray, scale: float = ...) -> Sequence[FoundIndex]: ...


class ReadsIndices(Protocol):
    def read(self, image: np.ndarray, founds: Sequence[FoundIndex]) -> Sequence[ReadIndex]: ...


@dataclass(frozen=True)
class Find:
    """An index found at one step of the ladder, in pixels of the picture."""

    x: float
    y: float
    dx: float
    dy: float
    size: float
    score: float
    seen_px: float
    """Its height in the step's own pixels."""

    @property
    def worth(self) -> float:
        return self.score * float(np.exp(-((np.log(self.seen_px / BEST_PX) / 0.5) ** 2) / 2))


def ladder(width: int, height: int) -> list[float]:
    """Scales to look at a picture of this size, small to large."""
    long = max(width, height)
    top = min(MOST_ENLARGED, (LARGEST_PIXELS / (width * height)) ** 0.5)
    scale = min(SMALLEST_SIDE / long, top)
    scales = []
    while scale < top * 0.999:
        scales.append(scale)
        scale *= STEP
    return [*scales, top]


def find_all(image: np.ndarray, detector: FindsIndices) -> list[Find]:
    """Every index at its best step, in pixels of *image*; false finds are among them."""
    height, width = image.shape[:2]
    finds: list[Find] = []
    counts: list[float] = []
    for scale in ladder(width, height):
        pixels = width * height * scale * scale
        if pixels > CHEAP_PIXELS and _seen_enough(counts):
            break
        if scale > 1.0 and not _may_be_smaller(finds, scale):
            break
        step = find_at(image, detector, scale)
        counts.append(sum(f.score for f in step if f.score > 0.4 and 18 <= f.seen_px <= 42))
        finds.extend(step)
    return _best_of_steps(finds)


def _seen_enough(counts: Sequence[float]) -> bool:
    """Whether the last two steps showed next to nothing of what an earlier one did."""
    return len(counts) >= 3 and max(counts[:-2]) > 2 and max(counts[-2:]) < 0.1 * max(counts[:-2])


def _may_be_smaller(finds: Sequence[Find], scale: float) -> bool:
    """Whether enlarging is worth it: what was found at full size is small, or nothing was found."""
    sure = [find for find in finds if find.score > 0.4]
    return not sure or sum(find.size * scale / STEP < 26 for find in sure) > 0.1 * len(sure)


def find_at(image: np.ndarray, detector: FindsIndices, scale: float) -> list[Find]:
    """What the detector finds in *image* scaled by *scale*, in pixels of *image*."""
    finds = []
    for found in detector.find(image, scale):
        seen = found.size * scale
        if TRUSTED[0] <= seen <= TRUSTED[1]:
            finds.append(Find(found.x, found.y, found.dx, found.dy, found.size, found.score, seen))
    return finds


def _best_of_steps(finds: Sequence[Find]) -> list[Find]:
    """One find for each place: that of the step (or tile) which shows it best."""
    kept: list[Find] = []
    if not finds:
        return kept
    # Places are looked up in a grid as coarse as the largest index, one grid for each doubling of size.
    grid: dict[tuple[int, int, int], list[Find]] = {}
    for find in sorted(finds, key=lambda f: -f.worth):
        level = round(np.log2(find.size))
        if any(_is_same(find, other) for other in _near(grid, find, level)):
            continue
        kept.append(find)
        cell = 2.0 ** (level + 1)
        grid.setdefault((level, int(find.x // cell), int(find.y // cell)), []).append(find)
    return kept


def _near(grid: dict[tuple[int, int, int], list[Find]], find: Find, level: int) -> Iterator[Find]:
    for near in (level - 1, level, level + 1):
        cell = 2.0 ** (near + 1)
        column, row = int(find.x // cell), int(find.y // cell)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                yield from grid.get((near, column + dx, row + dy), ())


def _is_same(a: Find, b: Find) -> bool:
    far = np.hypot(a.x - b.x, a.y - b.y)
    return far < 0.4 * min(a.size, b.size) or (
        far < 0.5 * max(a.size, b.size) and max(a.size, b.size) > 1.3 * min(a.size, b.size)
    )


def read_all(image: np.ndarray, detector: FindsIndices, reader: ReadsIndices) -> list[Index]:
    """The named indices of a picture of unknown scale, in its pixels; misfits of size are dropped."""
    finds = find_all(image, detector)
    if not finds:
        return []
    named = to_indices(finds, reader.read(image, finds))
    return fitting(named)


def fitting(indices: Sequence[Index]) -> list[Index]:
    """*indices* without those whose height is far from what the others lead one to expect at their place.

    The expectation is a plane of log heights over the picture, so that a table seen from one end fits; a joker's
    lettering may be up to 2.5 times as tall. A near misfit that the reader is sure of is kept, but no longer trusted.
    """
    if len(indices) < 2:
        return list(indices)
    weight = np.array([i.confidence * min(1.0, 2 * i.score) for i in indices])
    place = np.array([[1.0, i.x, i.y] for i in indices])
    place[:, 1:] -= np.average(place[:, 1:], axis=0, weights=weight + 1e-9)
    place[:, 1:] /= max(1.0, float(np.abs(place[:, 1:]).max()))
    heights = np.log([i.size for i in indices])
    # Start from the height that most agree on, not from the mean: false finds come in all sizes.
    agreement = np.exp(-(((heights[:, None] - heights[None]) / 0.25) ** 2) / 2) @ weight
    expected = np.full(len(indices), heights[int(np.argmax(agreement))])
    for _ in range(6):
        near = weight * np.exp(-(((heights - expected) / 0.3) ** 2) / 2)
        ridge = np.diag([1e-6, 1.0, 1.0])
        middle = float(np.average(heights, weights=near + 1e-12))
        plane = np.linalg.solve(place.T @ (near[:, None] * place) + ridge, place.T @ (near * (heights - middle)))
        expected = middle + place @ plane
    kept = []
    for index, miss in zip(indices, heights - expected, strict=True):
        limit = (-0.6, 0.95) if index.card.is_joker else (-0.5, 0.5)
        if limit[0] <= miss <= limit[1]:
            kept.append(index)
        elif limit[0] - 0.35 <= miss <= limit[1] + 0.35 and index.confidence > 0.9 and index.score > 0.5:
            probs = {card: p * 0.5 for card, p in index.probs.items()}
            kept.append(replace(index, probs=probs))
    return kept
