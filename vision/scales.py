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

BEST_PX: Final = 28.0
CLEAR: Final = (18.0, 40.0)
"""Heights at which a step shows an index well enough to take it from there."""
GOOD_SCORE: Final = 0.45
"""Most false finds score less than this, most true ones more."""
CREDIBLE: Final = 0.16
JOKER_CREDIBLE: Final = 0.4
"""Least product of the finder's score and the reader's probability."""
STEP: Final = 1.5
SMALLEST_SIDE: Final = 160
"""Longer side of the smallest step: one card that fills it has an index of about 30 pixels."""
LARGEST_PIXELS: Final = 16_000_000
MOST_ENLARGED: Final = 2.0
TRUSTED: Final = (9.5, 48.0)
"""Index heights in a step's pixels that the detector was trained on; a joker's star may be as small as the first."""
TALLEST_JOKER: Final = 150.0
"""A joker's lettering may be four times as tall as the other indices of the step that suits those best."""
CHEAP_PIXELS: Final = 1_000_000
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
        return self.score * float(np.exp(-((np.log(self.seen_px / BEST_PX) / 0.4) ** 2) / 2))


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
    """Every index of *image* once, in its pixels; false finds are among them.

    Heights measured at different steps differ a little, so all come from the one step that suits the picture best, and
    from the others only what that one did not see.
    """
    height, width = image.shape[:2]
    steps: list[list[Find]] = []
    for scale in ladder(width, height):
        if _seen_enough(steps, width * height * scale * scale, scale):
            break
        steps.append(find_at(image, detector, scale))
    if not steps:
        return []
    best = max(steps, key=lambda step: sum(find.worth for find in step if find.score > GOOD_SCORE))
    others = [find for step in steps if step is not best for find in step if find.score > GOOD_SCORE]
    return _once(best, [find for find in others if CLEAR[0] <= find.seen_px <= CLEAR[1]])


def _seen_enough(steps: Sequence[Sequence[Find]], pixels: float, scale: float) -> bool:
    """Whether a larger step can be left out: it is dear, and what there is has been seen large enough."""
    worth = [sum(find.worth for find in step if find.score > GOOD_SCORE) for step in steps]
    if len(worth) < 2 or max(worth) == 0:
        return False
    if scale > 1.0 or pixels > CHEAP_PIXELS:
        # The last step showed less than the best one, and only a few of its finds are still small.
        last = [find for find in steps[-1] if find.score > GOOD_SCORE]
        small = sum(find.seen_px < CLEAR[0] for find in last)
        return worth[-1] < 0.8 * max(worth) and small <= 0.25 * len(last)
    return False


def find_at(image: np.ndarray, detector: FindsIndices, scale: float) -> list[Find]:
    """What the detector finds in *image* scaled by *scale*, in pixels of *image*."""
    finds = []
    for found in detector.find(image, scale):
        seen = found.size * scale
        if TRUSTED[0] <= seen <= (TALLEST_JOKER if found.score > GOOD_SCORE else TRUSTED[1]):
            finds.append(Find(found.x, found.y, found.dx, found.dy, found.size, found.score, seen))
    return finds


def _once(best: Sequence[Find], others: Sequence[Find]) -> list[Find]:
    """*best* and those of *others* that lie elsewhere, one find for each place."""
    kept: list[Find] = []
    # Places are looked up in a grid as coarse as the largest index, one grid for each doubling of size.
    grid: dict[tuple[int, int, int], list[Find]] = {}
    for finds in (best, others):
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
    """The named indices of a picture of unknown scale, in its pixels; ghosts and misfits of size are dropped."""
    finds = find_all(image, detector)
    if not finds:
        return []
    reads = reader.read(image, finds)
    likely = [k for k, find in enumerate(finds) if find.seen_px <= TRUSTED[1] or reads[k].candidates[0][0].is_joker]
    indices = to_indices([finds[k] for k in likely], [reads[k] for k in likely])
    return fitting([index for index in indices if is_credible(index)])


def is_credible(index: Index) -> bool:
    """Whether finder and reader together make it an index worth naming; many things resemble a joker."""
    return index.score * index.confidence >= (JOKER_CREDIBLE if index.card.is_joker else CREDIBLE)


def fitting(indices: Sequence[Index]) -> list[Index]:
    """*indices* with the heights that they have together; without those whose own is far from it.

    The common height is a plane of logarithms over the picture, so that a table seen from one end fits. A joker keeps
    its own, which may be up to 2.5 times as much. A near misfit of which the reader is sure stays, but is not trusted.
    """
    if len(indices) < 2:
        return list(indices)
    heights = np.log([i.size for i in indices])
    expected = _plane(indices, heights)
    kept = []
    for index, height, common in zip(indices, heights, expected, strict=True):
        low, high = (-0.6, 0.95) if index.card.is_joker else (-0.5, 0.5)
        miss = height - common
        size = index.size if index.card.is_joker else float(np.exp(common + 0.2 * miss))
        if low <= miss <= high:
            kept.append(replace(index, size=size))
        elif index.card.is_joker and abs(miss) < 1.25 and index.confidence > 0.9 and index.score > 0.6:
            kept.append(index)
        elif low - 0.35 <= miss <= high + 0.35 and index.confidence > 0.9 and index.score > 0.5:
            probs = {card: p * 0.5 for card, p in index.probs.items()}
            kept.append(replace(index, probs=probs))
    return kept


def _plane(indices: Sequence[Index], heights: np.ndarray) -> np.ndarray:
    """Expected log height at each index."""
    weight = np.array([i.confidence * i.score * (0.05 if i.card.is_joker else 1.0) for i in indices])
    place = np.array([[1.0, i.x, i.y] for i in indices])
    place[:, 1:] -= np.average(place[:, 1:], axis=0, weights=weight + 1e-9)
    place[:, 1:] /= max(1.0, float(np.abs(place[:, 1:]).max()))
    # Start from the height that most agree on, not from the mean: false finds come in all sizes.
    agreement = np.exp(-(((heights[:, None] - heights[None]) / 0.25) ** 2) / 2) @ weight
    expected = np.full(len(indices), heights[int(np.argmax(agreement))])
    for _ in range(6):
        near = weight * np.exp(-(((heights - expected) / 0.25) ** 2) / 2)
        middle = float(np.average(heights, weights=near + 1e-12))
        # The ridge keeps a few indices in one corner from tilting the whole picture.
        ridge = np.diag([1e-6, 1.0, 1.0])
        tilt = np.linalg.solve(place.T @ (near[:, None] * place) + ridge, place.T @ (near * (heights - middle)))
        expected = middle + place @ tilt
    return np.asarray(expected)
