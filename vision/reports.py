"""Report cards: which player's lies in the strip at the edge of the mat, told by the marker that is printed on it."""

from __future__ import annotations

from collections import deque
from functools import cache
from typing import Final

import cv2
import numpy as np

from engine.cards import SEATS
from vision.camera import Camera
from vision.mat import MARKER_DICTIONARY, REPORT, REPORT_MARKER, View
from vision.observations import Reported
from vision.settle import CHANGED, MM_PER_CELL, cells_of

STILL_S: Final = 0.4
LEAST_MM2: Final = 300.0
"""What has changed in a strip before it is worth a look."""
MARGIN_MM: Final = 12.0
AT_PX: Final = 2.0
"""Pixels a millimetre at which the marker is looked for: 72 pixels."""


class Reports:
    """Watches the four strips in the maps of :class:`vision.settle.Watch`; looks closely only at one that has changed
    and lies still."""

    def __init__(self) -> None:
        self._checked: dict[str, np.ndarray | None] = dict.fromkeys(SEATS)
        self._shown = dict.fromkeys(SEATS, False)
        self._recent: deque[tuple[float, np.ndarray]] = deque()

    def step(self, camera: Camera, view: View, t: float, look: np.ndarray) -> list[Reported]:
        """Take the map *look* of now; the report cards that have come and gone."""
        while len(self._recent) > 1 and self._recent[1][0] <= t - STILL_S:
            self._recent.popleft()
        told: list[Reported] = []
        if self._recent and self._recent[0][0] <= t - STILL_S + 1e-6:
            before = self._recent[0][1]
            for seat in SEATS:
                cells = cells_of(REPORT[seat])
                checked, now = self._checked[seat], look[cells]
                if (checked is not None and not _differ(now, checked)) or _differ(now, before[cells]):
                    continue
                self._checked[seat] = now.copy()
                shown = marker_in(camera, view, seat)
                if shown != self._shown[seat]:
                    self._shown[seat] = shown
                    told.append(Reported(t, seat, shown))
        self._recent.append((t, look))
        return told


def _differ(now: np.ndarray, then: np.ndarray) -> bool:
    return float((np.abs(now - then) > CHANGED).sum()) * MM_PER_CELL**2 >= LEAST_MM2


def marker_in(camera: Camera, view: View, seat: str) -> bool:
    """Whether a report card's marker is seen in the seat's strip of a full still."""
    still = camera.still(view.box(REPORT[seat], MARGIN_MM))
    if still.full_size != view.size:
        view = view.scaled(still.full_size)
        still = camera.still(view.box(REPORT[seat], MARGIN_MM))
    x0, y0, x1, y1 = view.box(REPORT[seat], MARGIN_MM)
    left, top = max(0, x0 - still.origin[0]), max(0, y0 - still.origin[1])
    part = still.image[top : top + y1 - y0, left : left + x1 - x0]
    if part.size == 0:
        return False
    gray = part if part.ndim == 2 else cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    scale = AT_PX / view.px_per_mm(*REPORT[seat].centre)
    if scale < 0.8:
        gray = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, ids, _ = _detector().detectMarkers(gray)
    return ids is not None and REPORT_MARKER in {int(each) for each in ids.ravel()}


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY))
