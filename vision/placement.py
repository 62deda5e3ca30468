"""Whether a camera hangs so that cards can be read, and what to do if not: one picture in, remarks out. Pure.

Everything is measured against what the reader needs: an index at least ``LEAST_PX`` tall at every seat, edges as sharp
as the printed markers allow, light that is neither dark nor mirrored.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from vision.mat import INDEX_MM, MARKER_MM, MARKERS, PLAY, SIZE_MM, View, find_markers

LEAST_PX: Final = 20.0
GOOD_PX: Final = 28.0
FIELD_DEG: Final = 66.0
"""Width of a Camera Module 3's field; most webcams are within a tenth of it. Only the centimetres rest on it."""
TILTED: Final = 1.35
"""The nearest seat's scale against the farthest one's."""
BLURRED: Final = 0.075
"""Blur (one sigma) as a share of an index's height above which strokes run together."""
DARK, BRIGHT = 90.0, 250.0
"""Grey levels of the markers' white: below, noise; above, nothing is left for the cards' white."""
UNEVEN: Final = 1.8
MIRRORED: Final = 0.004
"""Share of a play zone of the empty mat that may shine."""
SHINES: Final = 235


@dataclass(frozen=True)
class Remark:
    """One thing that was looked at: *state* is ``ok``, ``warn`` or ``bad``; *key* names its words."""

    key: str
    state: str
    values: Mapping[str, object] = field(default_factory=dict)


def judge(image: np.ndarray, view: View | None = None, index_mm: float = INDEX_MM) -> list[Remark]:
    """What a full picture (BGR) of the empty mat says of camera and light, the worst first."""
    view = view or View.from_markers(image)
    if view is None:
        return [Remark("mat", "bad", {"found": len(find_markers(image))})]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found = [*_whole(view), *_size(view, index_mm), *_tilt(view), *_sharp(grey, view, index_mm), *_light(grey, view),
             *_glare(grey, view)]  # fmt: skip
    return sorted(found, key=lambda remark: ("bad", "warn", "ok").index(remark.state))


def light(image: np.ndarray, view: View) -> str | None:
    """The light in a picture (BGR) seen as *view*, whatever lies on the mat: ``fine``, ``dark``, ``bright`` or
    ``uneven``; None where no marker is in the picture."""
    found = _light(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), view)
    words = {"light": "fine", "light_little": "dark", "light_much": "bright", "light_uneven": "uneven"}
    return words[found[0].key] if found else None


def _whole(view: View) -> list[Remark]:
    """All of the mat in the picture?"""
    width, height = view.size
    edges: dict[str, list[tuple[float, float]]] = {
        "N": [(0, 0), (SIZE_MM, 0)], "S": [(0, SIZE_MM), (SIZE_MM, SIZE_MM)],
        "W": [(0, 0), (0, SIZE_MM)], "E": [(SIZE_MM, 0), (SIZE_MM, SIZE_MM)],
    }  # fmt: skip
    for seat, ends in edges.items():
        px = view.to_px(ends)
        if (px < -1).any() or (px[:, 0] > width).any() or (px[:, 1] > height).any():
            return [Remark("cut", "bad", {"seat": seat})]
    return [Remark("whole", "ok")]


def _size(view: View, index_mm: float) -> list[Remark]:
    """Indices tall enough at the seat where they are smallest?"""
    heights = {seat: view.index_px(*PLAY[seat].centre, index_mm) for seat in PLAY}
    seat, least = min(heights.items(), key=lambda pair: pair[1])
    values: dict[str, object] = {"seat": seat, "px": round(least)}
    if least >= GOOD_PX:
        return [Remark("size", "ok", values)]
    away = view.size[0] / (2 * math.tan(math.radians(FIELD_DEG / 2))) / view.px_per_mm()  # mm from lens to mat
    wanted = LEAST_PX if least < LEAST_PX else GOOD_PX
    closer = max(5, 5 * math.ceil(away * (1 - least / wanted) / 50))
    # Closer is no help where the mat already fills the picture.
    corners = view.to_px([(0, 0), (SIZE_MM, 0), (SIZE_MM, SIZE_MM), (0, SIZE_MM)])
    filled = max(np.ptp(corners, axis=0) / np.array(view.size))
    values["cm"] = closer
    state = "bad" if least < LEAST_PX else "warn"
    if filled * wanted / least > 1.0:
        values["wanted"] = math.ceil(view.size[0] * wanted / least / 100) * 100
        return [Remark("size_pixels", state, values)]
    return [Remark("size_far" if state == "bad" else "size_small", state, values)]


def _tilt(view: View) -> list[Remark]:
    scales = {seat: view.px_per_mm(*PLAY[seat].centre) for seat in PLAY}
    far, near = min(scales, key=lambda s: scales[s]), max(scales, key=lambda s: scales[s])
    if scales[near] / scales[far] <= TILTED:
        return []
    return [Remark("tilted", "warn", {"seat": far})]


def _patch(grey: np.ndarray, view: View, marker: int, margin_mm: float = 4.0) -> np.ndarray:
    x, y = MARKERS[marker]
    half = MARKER_MM / 2 + margin_mm
    px = view.to_px([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
    (x0, y0), (x1, y1) = np.floor(px.min(axis=0)).astype(int), np.ceil(px.max(axis=0)).astype(int)
    return grey[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]


def _sharp(grey: np.ndarray, view: View, index_mm: float) -> list[Remark]:
    """The blur of the markers' edges: a step blurred by sigma is never steeper than contrast / (sigma * sqrt(2 pi))."""
    worst, where = 0.0, 0
    for marker in MARKERS:
        patch = _patch(grey, view, marker).astype(np.float32)
        if patch.size < 400:
            continue
        contrast = float(np.percentile(patch, 95) - np.percentile(patch, 5))
        across, down = cv2.Sobel(patch, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(patch, cv2.CV_32F, 0, 1) / 8
        steep = float(np.percentile(np.hypot(across, down), 99.5))
        blur = contrast / max(steep, 0.1) / math.sqrt(2 * math.pi)
        share = blur / view.index_px(*MARKERS[marker], index_mm)
        if share > worst:
            worst, where = share, marker
    state = "ok" if worst < BLURRED else "warn" if worst < 1.6 * BLURRED else "bad"
    return [Remark("sharp" if state == "ok" else "blurred", state, {"corner": _corner(where)})]


def _light(grey: np.ndarray, view: View) -> list[Remark]:
    whites = {}
    for marker in MARKERS:
        patch = _patch(grey, view, marker)
        if patch.size >= 400:
            whites[marker] = float(np.percentile(patch, 90))
    if not whites:
        return []
    dark, bright = min(whites, key=lambda m: whites[m]), max(whites, key=lambda m: whites[m])
    if whites[bright] >= BRIGHT:
        return [Remark("light_much", "bad", {"corner": _corner(bright)})]
    if whites[dark] < DARK:
        return [Remark("light_little", "bad", {"corner": _corner(dark)})]
    if whites[bright] / whites[dark] > UNEVEN:
        return [Remark("light_uneven", "warn", {"corner": _corner(dark)})]
    return [Remark("light", "ok")]


def _glare(grey: np.ndarray, view: View) -> list[Remark]:
    """Where a lamp mirrors in the empty mat it mirrors in glossy cards the more."""
    shares = {}
    for seat, zone in PLAY.items():
        x0, y0, x1, y1 = view.box(zone)
        part = grey[y0:y1, x0:x1]
        if part.size:
            shares[seat] = float(np.mean(part >= SHINES))
    seat = max(shares, key=lambda s: shares[s], default="")
    if seat and shares[seat] > MIRRORED:
        return [Remark("glare", "bad" if shares[seat] > 10 * MIRRORED else "warn", {"seat": seat})]
    return [Remark("no_glare", "ok")]


def _corner(marker: int) -> str:
    """A corner of the mat by the seats that meet there."""
    return {0: "NW", 1: "NE", 2: "SE", 3: "SW"}[marker]
