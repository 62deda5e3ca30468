"""When to look: touch, release and stillness of every play zone, from the small stream alone.

The frame is brought to a small upright map of the mat, 4 mm a cell, in logarithms of its blue: there a change of
exposure adds the same everywhere (and is taken off), a shadow takes little, and skin, pips and a card's edge stand out
from a white card as well as from the dark mat. What moves is the difference between maps a frame and a fifth of a
second apart. An arm that rests is told from the mat by red as well, which even dark skin has more of than the mat.
Nothing here knows a card. About a millisecond a frame on one core.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import cv2
import numpy as np

from engine.cards import SEATS
from vision.mat import MARKER_MM, MARKERS, NEAR_MM, PLAY, REPORT, SIZE_MM, ZONES, View, Zone

MM_PER_CELL: Final = 4.0
CELLS: Final = round(SIZE_MM / MM_PER_CELL)
MOVED: Final = 0.5
"""Least logarithmic change of a cell between two frames that is no noise and no shadow (those reach 0.4)."""
CHANGED: Final = 0.45
"""Least change against the last settled map, likewise."""
NOISES: Final = 6.0
"""In bad light a change must be this many times the noise."""
TOUCH_MM2: Final = 400.0
"""Moving area that counts as a hand in a zone that lay still."""
REST_MM2: Final = 160.0
"""Moving area above which a touched zone is not still yet."""
AROUND_MM: Final = 64.0
"""A card whose centre lies in a zone may reach this far outside."""
STILL_S: Final = 0.2
"""How long a zone must lie still after the release before it is read."""
STEP_S: Final = 0.2
"""Slow movements show between maps this far apart."""
ARM_MM2: Final = 900.0
ARM_WAIT_S: Final = 3.0
"""Something that lies across the edge of the mat is an arm for this long; then it is part of the table."""
COVERED_S: Final = 1.0
PAPER: Final = 0.5
"""Logarithm by which paper is at least brighter than a dark ground."""
SURELY_PAPER: Final = 0.9
"""The same where what is less bright is not even looked at."""
MOSTLY: Final = 0.4
"""Where more of the mat than this share is so bright, it is no dark ground."""
SHOWS_CELLS: Final = 30
"""Least cells (of 16 mm²) of a card that must show to tell whether it still lies there: a twelfth of a card."""
UNCHANGED: Final = 0.5
"""Share of those that look as before when it does."""


@dataclass(frozen=True)
class Sight:
    """What one frame told: seats touched and settled at this frame, and whether the mat is in view."""

    touched: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Of the settled seats: those whose zone looks different from when it last lay still."""
    covered: bool = False
    markers_off: bool = False
    """The mat's markers are not where they were, for a while, though nothing moves there."""


@dataclass
class _Seat:
    zone: tuple[slice, slice]
    """The play zone and a finger's breadth round it, in cells."""
    edge: tuple[slice, slice]
    """Between the play zone and the mat's edge: where arms come from."""
    settled_map: np.ndarray | None = None
    settled_red: np.ndarray | None = None
    touched_at: float | None = None
    still_since: float | None = None
    arm_since: float | None = None


@dataclass
class Watch:
    """Watches the small stream of one view of the mat; :meth:`see` takes its frames in order."""

    view: View
    _maps: deque[tuple[float, np.ndarray]] = field(default_factory=deque)
    _seats: dict[str, _Seat] = field(default_factory=dict)
    _noise: float = 0.03
    _image: np.ndarray | None = None
    _red: np.ndarray | None = None
    """This frame's map in red, once somebody has asked for it."""
    _lookup: tuple[np.ndarray, np.ndarray] | None = None
    _lookup_size: tuple[int, int] = (0, 0)
    _marker_maps: dict[int, np.ndarray] = field(default_factory=dict)
    _dark_since: float | None = None
    _off_since: float | None = None

    def __post_init__(self) -> None:
        for seat in SEATS:
            self._seats[seat] = _Seat(cells_of(PLAY[seat].grown(16)), _edge_cells(seat))

    def touched_at(self, seat: str) -> float | None:
        """When the hand came to the seat's zone; None when it lies still."""
        return self._seats[seat].touched_at

    def still_since(self, seat: str) -> float | None:
        """Since when the seat's zone has been still; None while something moves there."""
        return self._seats[seat].still_since

    def changed_area(self, seat: str, paper: bool = False) -> Zone | None:
        """The rectangle of the mat round the seat's play zone that holds all that looks different from when the zone
        last lay still; with *paper* only what is as bright as cards on a darker ground, without the shadows beside
        them. None when it never has lain still, or nothing is different."""
        place = self._seats[seat]
        if place.settled_map is None or not self._maps:
            return None
        rows, columns = cells_of(PLAY[seat].grown(AROUND_MM))
        now = self._maps[-1][1]
        # Half the usual limit: this must miss nothing, and a little too much costs only time.
        limit = max(CHANGED / 2, NOISES * self._noise)
        different = _patches(_apart(now, place.settled_map)[rows, columns] > limit)
        if paper:
            bright = now > float(np.median(now[::3, ::3])) + PAPER
            if float(bright.mean()) < MOSTLY:  # else the ground is as bright as the cards
                different = cv2.bitwise_and(different, bright[rows, columns].astype(np.uint8))
        count, labels = cv2.connectedComponents(different)
        # What lies wholly in other zones (a heap of turned cards, a neighbour's play) is none of this one's.
        own = np.unique(labels[_own_cells(seat)[rows, columns]])
        down, across = np.nonzero(np.isin(labels, own[own > 0])) if count > 1 else (np.empty(0), np.empty(0))
        if not len(down):
            return None
        x0, y0 = (across.min() + columns.start) * MM_PER_CELL, (down.min() + rows.start) * MM_PER_CELL
        x1, y1 = (across.max() + columns.start + 1) * MM_PER_CELL, (down.max() + rows.start + 1) * MM_PER_CELL
        return Zone("play", seat, float(x0), float(y0), float(x1), float(y1))

    def paper_in(self, zone: Zone) -> Zone | None:
        """The rectangle of *zone* that holds all that is as bright as paper; None where that cannot be told from the
        ground, or nothing is."""
        if not self._maps:
            return None
        now = self._maps[-1][1]
        ground = float(np.median(now[::3, ::3]))
        rows, columns = cells_of(zone)
        here = now[rows, columns]
        bright = _patches(here > ground + PAPER)
        if not bright.any() or float((now > ground + PAPER).mean()) >= MOSTLY:
            return None
        if float(np.median(here[bright > 0])) < ground + SURELY_PAPER:
            return None
        down, across = np.nonzero(bright)
        return Zone(
            zone.kind, zone.seat,
            max(zone.x0, float(across.min() + columns.start) * MM_PER_CELL),
            max(zone.y0, float(down.min() + rows.start) * MM_PER_CELL),
            min(zone.x1, float(across.max() + columns.start + 1) * MM_PER_CELL),
            min(zone.y1, float(down.max() + rows.start + 1) * MM_PER_CELL),
        )  # fmt: skip

    def new_paper(self, seat: str, known: Sequence[np.ndarray]) -> tuple[Zone, float] | None:
        """The largest patch of the seat's zone that has become as bright as paper since it last lay still, outside of
        the *known* outlines ((4, 2) mm), and its square millimetres: cards of which nothing was read, whatever is
        printed on them. None where there is none, or the ground is as bright itself."""
        place = self._seats[seat]
        if place.settled_map is None or not self._maps:
            return None
        now = self._maps[-1][1]
        bright = now > float(np.median(now[::3, ::3])) + PAPER
        if float(bright.mean()) >= MOSTLY:
            return None
        new = bright & (_apart(now, place.settled_map) > max(CHANGED, NOISES * self._noise)) & _own_cells(seat)
        cells = new.astype(np.uint8)
        for outline in known:
            cv2.fillConvexPoly(cells, _on_map(outline), 0)
        cells = np.asarray(cv2.morphologyEx(cells, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
        count, _, stats, _ = cv2.connectedComponentsWithStats(cells)
        if count < 2:
            return None
        best = max(range(1, count), key=lambda k: int(stats[k, cv2.CC_STAT_AREA]))
        x, y, wide, high, area = (float(value) for value in stats[best])
        edges = (x * MM_PER_CELL, y * MM_PER_CELL, (x + wide) * MM_PER_CELL, (y + high) * MM_PER_CELL)
        return Zone("play", seat, *edges), area * MM_PER_CELL**2

    def accept(self, seat: str) -> None:
        """The zone as it lies now has been read: later changes are against this."""
        if self._maps:
            place = self._seats[seat]
            place.settled_map, place.settled_red = self._maps[-1][1], self._red_now()
            place.touched_at, place.arm_since = None, None

    @property
    def look(self) -> np.ndarray | None:
        """How the mat looks in the last frame, for :meth:`unchanged` later on."""
        return self._maps[-1][1] if self._maps else None

    def unchanged(self, look: np.ndarray, outline: np.ndarray, over: Sequence[np.ndarray] = ()) -> bool:
        """Whether what shows of the area in *outline* ((4, 2) mm) outside of *over* looks as in the earlier *look*: a
        card that lay there then lies there yet. False where too little of it shows to tell."""
        if not self._maps:
            return False
        shows = np.zeros((CELLS, CELLS), np.uint8)
        cv2.fillConvexPoly(shows, _on_map(outline), 1)
        for other in over:
            cv2.fillConvexPoly(shows, _on_map(other), 0)
        count = int(shows.sum())
        if count < SHOWS_CELLS:
            return False
        alike = _apart(self._maps[-1][1], look)[shows > 0] < max(CHANGED, NOISES * self._noise)
        return int(alike.sum()) > UNCHANGED * count

    def rectified(self, image: np.ndarray, channel: int = 0) -> np.ndarray:
        """(175, 175) float32: the mat's brightness in blue, or another *channel*, as a logarithm."""
        plane = cv2.extractChannel(image, channel) if image.ndim == 3 else image
        if plane.shape[1] > 400:
            # Two steps: what the lookup does alone would leave out pixels, and noise with them would stay.
            plane = cv2.resize(plane, (plane.shape[1] // 2, plane.shape[0] // 2), interpolation=cv2.INTER_AREA)
        size = (plane.shape[1], plane.shape[0])
        if self._lookup is None or self._lookup_size != size:
            self._lookup, self._lookup_size = _lookup(self.view.scaled(size)), size
        flat = cv2.remap(plane, *self._lookup, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.LUT(flat, _LOGARITHM))

    def _red_now(self) -> np.ndarray:
        if self._red is None:
            assert self._image is not None
            self._red = self.rectified(self._image, 2)
        return self._red

    def see(self, t: float, image: np.ndarray) -> Sight:
        """Take the frame *image* of time *t* and tell what changed."""
        self._image, self._red = image, None
        now = self.rectified(image)
        before = self._maps[-1][1] if self._maps else None
        while len(self._maps) > 1 and self._maps[1][0] <= t - STEP_S:
            self._maps.popleft()
        earlier = self._maps[0][1] if self._maps else None
        self._maps.append((t, now))
        if before is None or earlier is None:
            for place in self._seats.values():
                place.touched_at = t
            self._remember_markers(now)
            return Sight()
        moving = np.maximum(_apart(now, before), _apart(now, earlier))
        self._noise += 0.1 * (_median(moving[::3, ::3]) - self._noise)
        moved = _patches(moving > max(MOVED, NOISES * self._noise))
        covered, off = self._markers(t, now)
        touched, settled, changed = [], [], []
        for seat, place in self._seats.items():
            area = MM_PER_CELL**2 * (int(moved[place.zone].sum()) + int(moved[place.edge].sum()))
            if area >= (TOUCH_MM2 if place.touched_at is None else REST_MM2):
                if place.touched_at is None:
                    place.touched_at = t
                    touched.append(seat)
                place.still_since = None
                continue
            if place.still_since is None:
                place.still_since = t
            if covered or place.touched_at is None or t - place.still_since < STILL_S or self._arm(place, now, t):
                continue
            settled.append(seat)
            if self._differs(place, now):
                changed.append(seat)
        return Sight(tuple(touched), tuple(settled), tuple(changed), covered, off)

    def _differs(self, place: _Seat, now: np.ndarray) -> bool:
        if place.settled_map is None:
            return True
        different = _patches(_apart(now, place.settled_map)[place.zone] > max(CHANGED, NOISES * self._noise))
        return int(different.sum()) * MM_PER_CELL**2 > REST_MM2 / 2

    def _arm(self, place: _Seat, now: np.ndarray, t: float) -> bool:
        """Whether an arm still reaches across the mat's edge: a hand that rests on its cards is no release."""
        if place.settled_map is None:
            return False
        limit = max(CHANGED, NOISES * self._noise)
        apart = _apart(now, place.settled_map)[place.edge]
        if place.settled_red is not None:
            apart = np.maximum(apart, _apart(self._red_now(), place.settled_red)[place.edge])
        area = MM_PER_CELL**2 * int((apart > limit).sum())
        if area < ARM_MM2:
            place.arm_since = None
            return False
        if place.arm_since is None:
            place.arm_since = t
        return t - place.arm_since < ARM_WAIT_S

    def _remember_markers(self, now: np.ndarray) -> None:
        self._marker_maps = {marker: now[_marker_cells(marker)].copy() for marker in self.view.markers}

    def _markers(self, t: float, now: np.ndarray) -> tuple[bool, bool]:
        """Whether the mat is out of view (nearly all markers are), and whether a marker is not in its place."""
        if not self._marker_maps:
            # Touched corners, no markers: out of view when the picture has nothing left in it.
            gone = len(self.view.markers) == 0 and float(now.std()) < 0.08
            self._dark_since = (self._dark_since or t) if gone else None
            return gone and t - (self._dark_since or t) >= COVERED_S, False
        seen = [_alike(now[_marker_cells(marker)], patch) for marker, patch in self._marker_maps.items()]
        lost = sum(likeness < 0.5 for likeness in seen)
        self._dark_since = (t if self._dark_since is None else self._dark_since) if lost >= len(seen) - 1 else None
        self._off_since = (t if self._off_since is None else self._off_since) if lost else None
        covered = self._dark_since is not None and t - self._dark_since >= COVERED_S
        return covered, self._off_since is not None and t - self._off_since >= COVERED_S

    @property
    def dark_since(self) -> float | None:
        """Since when the mat has been out of view."""
        return self._dark_since


_LOGARITHM: Final = np.log(np.arange(256) + 8.0).astype(np.float32)
"""The 8 keeps the noise of a black mat from looking like movement."""


def _apart(now: np.ndarray, then: np.ndarray) -> np.ndarray:
    """Absolute difference of two maps without the change of exposure that both share."""
    difference = now - then
    difference -= _median(difference[::4, ::4])
    return np.abs(difference)


def _patches(cells: np.ndarray) -> np.ndarray:
    """*cells* (bool) as 0 and 1 without single ones, which are noise or a shadow's seam."""
    return np.asarray(cv2.morphologyEx(cells.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))


def _on_map(outline: np.ndarray) -> np.ndarray:
    """Corners in millimetres as the map's cells, for OpenCV's drawing."""
    return np.round(np.asarray(outline) / MM_PER_CELL - 0.5).astype(np.int32)


def _alike(now: np.ndarray, then: np.ndarray) -> float:
    """Correlation of two patches, -1..1; 0 when one of them is flat."""
    a, b = (now - now.mean()).ravel(), (then - then.mean()).ravel()
    own = float(a @ a)
    scale = float(np.sqrt(own * float(b @ b)))
    return float(a @ b) / scale if scale > 1e-3 and own > 0.15**2 * a.size else 0.0


def _median(values: np.ndarray) -> float:
    """What ``np.median`` says of at least two *values*, none of them a NaN, at a third of its cost."""
    half, odd = divmod(values.size, 2)
    ordered = np.partition(values, (half - 1, half), axis=None)
    return float(ordered[half]) if odd else float((ordered[half - 1] + ordered[half]) / 2)


def _cells_of(x0: float, y0: float, x1: float, y1: float) -> tuple[slice, slice]:
    return (
        slice(max(0, int(y0 / MM_PER_CELL)), min(CELLS, int(np.ceil(y1 / MM_PER_CELL)))),
        slice(max(0, int(x0 / MM_PER_CELL)), min(CELLS, int(np.ceil(x1 / MM_PER_CELL)))),
    )


def cells_of(zone: Zone) -> tuple[slice, slice]:
    """Rows and columns of the maps that show *zone*."""
    return _cells_of(zone.x0, zone.y0, zone.x1, zone.y1)


@cache
def _own_cells(seat: str) -> np.ndarray:
    """(175, 175) bool: the cells in which a card of the seat's play may have its centre."""
    own = np.zeros((CELLS, CELLS), bool)
    own[cells_of(PLAY[seat].grown(NEAR_MM))] = True
    for zone in ZONES:
        own[cells_of(zone)] = False
    own[cells_of(PLAY[seat])] = True
    return own


def _edge_cells(seat: str) -> tuple[slice, slice]:
    """The strip between a play zone and its edge of the mat, as wide as the play zone."""
    zone, strip = PLAY[seat], REPORT[seat]
    if seat in "NS":
        return _cells_of(zone.x0, strip.y0 - 5, zone.x1, strip.y1)
    return _cells_of(strip.x0 - 5, zone.y0, strip.x1, zone.y1)


def _marker_cells(marker: int) -> tuple[slice, slice]:
    x, y = MARKERS[marker]
    half = MARKER_MM / 2 + 6
    return _cells_of(x - half, y - half, x + half, y + half)


def _lookup(view: View) -> tuple[np.ndarray, np.ndarray]:
    """Maps for cv2.remap from a picture of *view* to the mat's cells."""
    at = (np.arange(CELLS) + 0.5) * MM_PER_CELL
    x, y = np.meshgrid(at, at)
    pixels = view.to_px(np.column_stack([x.ravel(), y.ravel()])).reshape(CELLS, CELLS, 2).astype(np.float32)
    return cv2.convertMaps(pixels[..., 0], pixels[..., 1], cv2.CV_16SC2)
