"""The mat's geometry as data, and the view of it that a camera has.

Millimetres on the mat: origin at the top left corner seen from above, x right, y down, north at y = 0. This is the
single source: the eye, the virtual table and the printed mat read it. Angles are degrees clockwise from up (north).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import cv2
import numpy as np

from vision.errors import CannotSee
from vision.lens import bend_of, bent, straight

SIZE_MM: Final = 700.0
CARD_MM: Final = (63.0, 88.0)
MARKER_MM: Final = 40.0
MARKER_DICTIONARY: Final = cv2.aruco.DICT_4X4_50
MARKERS: Final[dict[int, tuple[float, float]]] = {0: (35, 35), 1: (665, 35), 2: (665, 665), 3: (35, 665)}
"""Marker id to the centre of its square: NW, NE, SE, SW; printed upright as seen from the south."""
REPORT_MARKER: Final = 7
"""Id of the marker on every report card; whose report it is tells the zone in which it lies."""
REPORT_MARKER_MM: Final = 36.0
REPORT_CARD_MM: Final = (88.0, 50.0)
UP: Final = {"S": 0.0, "W": 90.0, "N": 180.0, "E": 270.0}
"""Where the top of a card points that lies upright for the player of that seat."""
RIGHT: Final = {"S": (1.0, 0.0), "W": (0.0, 1.0), "N": (-1.0, 0.0), "E": (0.0, -1.0)}
"""Left to right as the player sees it, in mat coordinates."""
INDEX_MM: Final = 9.5
"""Height of a common deck's index, rank and suit together; jumbo indices reach 20 mm."""
NEAR_MM: Final = 40.0
"""A card whose centre lies outside every zone belongs to the nearest play zone within this distance."""


@dataclass(frozen=True)
class Zone:
    """A rectangle of the mat: ``kind`` is ``play``, ``turned`` or ``report``."""

    kind: str
    seat: str
    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, x: float, y: float) -> bool:
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def distance(self, x: float, y: float) -> float:
        """Millimetres from the point to the zone's edge; 0 inside."""
        return float(np.hypot(max(self.x0 - x, 0, x - self.x1), max(self.y0 - y, 0, y - self.y1)))

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def grown(self, mm: float) -> Zone:
        """The zone with *mm* more at each side, within the mat."""
        return Zone(
            self.kind, self.seat,
            max(0, self.x0 - mm), max(0, self.y0 - mm), min(SIZE_MM, self.x1 + mm), min(SIZE_MM, self.y1 + mm),
        )  # fmt: skip

    def corners(self) -> np.ndarray:
        """(4, 2) millimetres, clockwise from the top left."""
        return np.array([[self.x0, self.y0], [self.x1, self.y0], [self.x1, self.y1], [self.x0, self.y1]], float)


PLAY: Final = {
    "N": Zone("play", "N", 225, 62, 475, 225), "S": Zone("play", "S", 225, 475, 475, 638),
    "W": Zone("play", "W", 62, 225, 225, 475), "E": Zone("play", "E", 475, 225, 638, 475),
}  # fmt: skip
TURNED: Final = {
    "N": Zone("turned", "N", 62, 62, 225, 225), "W": Zone("turned", "W", 62, 475, 225, 638),
    "S": Zone("turned", "S", 475, 475, 638, 638), "E": Zone("turned", "E", 475, 62, 638, 225),
}  # fmt: skip
REPORT: Final = {
    "N": Zone("report", "N", 290, 5, 410, 58), "S": Zone("report", "S", 290, 642, 410, 695),
    "W": Zone("report", "W", 5, 290, 58, 410), "E": Zone("report", "E", 642, 290, 695, 410),
}  # fmt: skip
ZONES: Final = (*PLAY.values(), *TURNED.values(), *REPORT.values())


def zone_of(x: float, y: float, angle: float | None = None) -> Zone | None:
    """The zone that holds a card whose centre is (x, y) mm; else the nearest play zone within 40 mm, else None.

    *angle* is where the card's top points on the mat: between two play zones the player's direction decides.
    """
    for zone in ZONES:
        if zone.holds(x, y):
            return zone
    near = [zone for zone in PLAY.values() if zone.distance(x, y) <= NEAR_MM]
    return min(near, key=lambda zone: zone.distance(x, y) + _turned_away(angle, zone.seat), default=None)


def _turned_away(angle: float | None, seat: str) -> float:
    """In millimetres, 0 to 20: how far *angle* is from the directions in which a seat's cards lie (either end up)."""
    if angle is None:
        return 0.0
    off = abs((angle - UP[seat] + 90) % 180 - 90)
    return 20.0 * off / 90.0


def marker_corners(marker: int) -> np.ndarray:
    """(4, 2) mm: the corners of a marker's square in ArUco's order (top left, then clockwise)."""
    x, y = MARKERS[marker]
    half = MARKER_MM / 2
    return np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]], float)


@cache
def _marker_detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY), parameters)


def find_markers(image: np.ndarray) -> dict[int, np.ndarray]:
    """The mat's markers in *image*: id to (4, 2) pixel corners. Big stills are searched at about 1600 px."""
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    shrink = max(1.0, max(gray.shape) / 1600)
    if shrink > 1:
        gray = cv2.resize(gray, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    corners, ids, _ = _marker_detector().detectMarkers(gray)
    if ids is None:
        return {}
    found: dict[int, np.ndarray] = {}
    for four, marker in zip(corners, ids.ravel(), strict=True):
        if int(marker) in MARKERS:
            # Pixel centres: a shrunken pixel p covers shrink * (p + 0.5) - 0.5 of the full image.
            found[int(marker)] = (four.reshape(4, 2).astype(float) + 0.5) * shrink - 0.5
    return found


@dataclass(frozen=True)
class View:
    """How one picture sees the mat: pixels to millimetres and back, for pictures of ``size`` (width, height)."""

    to_mm_matrix: np.ndarray
    size: tuple[int, int]
    markers: tuple[int, ...] = ()
    """Ids of the markers it was found by; empty: touched corners."""
    bend: float = 0.0
    """What its lens does to straight lines, as :mod:`vision.lens` has it."""

    @staticmethod
    def from_markers(image: np.ndarray) -> View | None:
        """The view in *image* by its markers; three suffice, None when fewer are seen."""
        found = find_markers(image)
        if len(found) < 3:
            return None
        pixels = np.concatenate([found[marker] for marker in sorted(found)])
        mm = np.concatenate([marker_corners(marker) for marker in sorted(found)])
        size = (image.shape[1], image.shape[0])
        bend = bend_of(pixels, mm, size)
        matrix, _ = cv2.findHomography(straight(pixels, size, bend), mm)
        if matrix is None:
            return None
        return View(matrix, size, tuple(sorted(found)), bend)

    @staticmethod
    def from_corners(corners: Sequence[tuple[float, float]], size: tuple[int, int]) -> View:
        """The view by the mat's (or table's) four corners NW, NE, SE, SW that a person touched in a picture of *size*.

        :raises CannotSee: when the four points do not go round a convex area.
        """
        points = np.array(corners, np.float32)
        if points.shape != (4, 2) or not cv2.isContourConvex(points.reshape(-1, 1, 2)):
            raise CannotSee("corners")
        mat = np.array([[0, 0], [SIZE_MM, 0], [SIZE_MM, SIZE_MM], [0, SIZE_MM]], np.float32)
        return View(cv2.getPerspectiveTransform(points, mat).astype(float), size)

    @cached_property
    def _to_px_matrix(self) -> np.ndarray:
        return np.asarray(np.linalg.inv(self.to_mm_matrix))

    def to_mm(self, points: np.ndarray | Sequence[tuple[float, float]]) -> np.ndarray:
        """(n, 2) pixels to (n, 2) millimetres."""
        return _project(self.to_mm_matrix, straight(points, self.size, self.bend))

    def to_px(self, points: np.ndarray | Sequence[tuple[float, float]]) -> np.ndarray:
        """(n, 2) millimetres to (n, 2) pixels."""
        return bent(_project(self._to_px_matrix, points), self.size, self.bend)

    def scaled(self, size: tuple[int, int]) -> View:
        """The same view in pictures of another *size* (the small stream, or the full still)."""
        if size == self.size:
            return self
        across, down = self.size[0] / size[0], self.size[1] / size[1]
        # Pixel centres stay centres: p_here = (p_there + 0.5) * ratio - 0.5.
        into = np.array([[across, 0, across / 2 - 0.5], [0, down, down / 2 - 0.5], [0, 0, 1]])
        return View(self.to_mm_matrix @ into, size, self.markers, self.bend)

    def px_per_mm(self, x: float = SIZE_MM / 2, y: float = SIZE_MM / 2) -> float:
        """Pixels that a millimetre takes at (x, y) mm, the mean of both directions."""
        here, right, down = self.to_px([(x, y), (x + 1, y), (x, y + 1)])
        return float((np.hypot(*(right - here)) + np.hypot(*(down - here))) / 2)

    def index_px(self, x: float, y: float, index_mm: float = INDEX_MM) -> float:
        """Expected height of an index at (x, y) mm in pixels."""
        return index_mm * self.px_per_mm(x, y)

    def box(self, zone: Zone, margin_mm: float = 0.0) -> tuple[int, int, int, int]:
        """The zone's upright bounding box in pixels (x0, y0, x1, y1), clipped to the picture."""
        corners = self.to_px(zone.grown(margin_mm).corners())
        x0, y0 = np.floor(corners.min(axis=0)).astype(int)
        x1, y1 = np.ceil(corners.max(axis=0)).astype(int) + 1
        width, height = self.size
        return (
            int(np.clip(x0, 0, width)), int(np.clip(y0, 0, height)),
            int(np.clip(x1, 0, width)), int(np.clip(y1, 0, height)),
        )  # fmt: skip

    def up_on_mat(self, x: float, y: float, dx: float, dy: float) -> float:
        """The mat angle of direction (dx, dy), given in pixels at the pixel (x, y)."""
        here, there = self.to_mm([(x, y), (x + dx, y + dy)])
        return angle_of(there[0] - here[0], there[1] - here[1])

    def drift(self, other: View) -> float:
        """How far the mat lies elsewhere in *other*: the largest shift of a marker's centre in pixels of this view."""
        centres = list(MARKERS.values())
        shift = self.to_px(centres) - other.scaled(self.size).to_px(centres)
        return float(np.abs(np.hypot(shift[:, 0], shift[:, 1])).max())


def angle_of(dx: float, dy: float) -> float:
    """Degrees clockwise from up of a direction (x right, y down), 0..360."""
    return float(np.degrees(np.arctan2(dx, -dy)) % 360)


def _project(matrix: np.ndarray, points: np.ndarray | Sequence[tuple[float, float]]) -> np.ndarray:
    points = np.asarray(points, float).reshape(-1, 2)
    w = points @ matrix[2, :2] + matrix[2, 2]
    return (points @ matrix[:2, :2].T + matrix[:2, 2]) / w[:, None]
