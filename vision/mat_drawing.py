"""The mat as a picture: for the printer (SVG) and for the virtual table (pixels), both from the geometry in vision.mat.

Run ``python -m vision.mat_drawing`` to write ``assets/mat/mat.svg`` and ``assets/mat/mat.png`` anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.mat import MARKER_DICTIONARY, MARKER_MM, MARKERS, PLAY, REPORT, SIZE_MM, TURNED, marker_corners

ASSETS: Final = Path(__file__).resolve().parent.parent / "assets" / "mat"
GROUND: Final = "#17211f"
PLAY_GROUND: Final = "#1c2826"
PAPER: Final = "#d9d9d4"
INK: Final = "#0b0d0d"
LINES: Final = {"N": "#2f7f7a", "S": "#2f7f7a", "E": "#9a7430", "W": "#9a7430"}
"""Teal north-south, amber east-west, dim: a line must never be brighter than a card's back."""
QUIET_MM: Final = 6.0
"""White round each marker's square; the search for it needs that edge."""


@dataclass(frozen=True)
class Shape:
    """A polygon of the mat in millimetres, filled or drawn as a line of ``line`` mm."""

    points: tuple[tuple[float, float], ...]
    colour: str
    line: float = 0.0


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def shapes() -> Iterator[Shape]:
    """Everything that is printed, from the ground up."""
    yield Shape(_rectangle(0, 0, SIZE_MM, SIZE_MM), GROUND)
    for seat, zone in PLAY.items():
        box = _rectangle(zone.x0, zone.y0, zone.x1, zone.y1)
        yield Shape(box, PLAY_GROUND)
        yield Shape(box, LINES[seat], 1.2)
    for seat, zone in TURNED.items():
        # Corner brackets only: a closed frame of this size would look like a card from far away.
        for x, y, across, down in (
            (zone.x0, zone.y0, 1, 1), (zone.x1, zone.y0, -1, 1), (zone.x1, zone.y1, -1, -1), (zone.x0, zone.y1, 1, -1),
        ):  # fmt: skip
            x, y = x + 6 * across, y + 6 * down
            for to in ((x + 22 * across, y), (x, y + 22 * down)):
                yield Shape(((x, y), to), LINES[seat], 1.0)
    for seat, zone in REPORT.items():
        yield Shape(_rectangle(zone.x0, zone.y0, zone.x1, zone.y1), LINES[seat], 0.8)
    for marker in MARKERS:
        yield from _marker(marker)


def _marker(marker: int) -> Iterator[Shape]:
    """A marker as black cells on paper; six cells a side, the outermost ring always black."""
    (x0, y0), _, (x1, y1), _ = marker_corners(marker)
    yield Shape(_rectangle(x0 - QUIET_MM, y0 - QUIET_MM, x1 + QUIET_MM, y1 + QUIET_MM), PAPER)
    yield Shape(_rectangle(x0, y0, x1, y1), INK)
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    cells = cv2.aruco.generateImageMarker(dictionary, marker, 6)
    cell = MARKER_MM / 6
    for row, column in zip(*np.nonzero(cells), strict=True):
        x, y = x0 + column * cell, y0 + row * cell
        yield Shape(_rectangle(x, y, x + cell, y + cell), PAPER)


def _bgr(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return blue, green, red


def draw(px_per_mm: float = 4.0) -> np.ndarray:
    """The mat as BGR uint8, ``round(700 * px_per_mm)`` pixels a side."""
    side = round(SIZE_MM * px_per_mm)
    image = np.zeros((side, side, 3), np.uint8)
    for shape in shapes():
        # Four fractional bits place the edges between pixels; OpenCV's pixel centres are at whole numbers.
        points = np.round((np.array(shape.points) * px_per_mm - 0.5) * 16).astype(np.int32)
        if shape.line:
            width = max(1, round(shape.line * px_per_mm))
            cv2.polylines(image, [points], len(points) > 2, _bgr(shape.colour), width, cv2.LINE_AA, 4)
        else:
            cv2.fillConvexPoly(image, points, _bgr(shape.colour), cv2.LINE_AA, 4)
    return image


def svg() -> str:
    """The mat for a print shop: one SVG of 700 x 700 mm."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE_MM:g}mm" height="{SIZE_MM:g}mm" '
        f'viewBox="0 0 {SIZE_MM:g} {SIZE_MM:g}" shape-rendering="geometricPrecision">'
    ]
    for shape in shapes():
        points = " ".join(f"{x:g},{y:g}" for x, y in np.round(np.array(shape.points), 3))
        kind = "polygon" if len(shape.points) > 2 else "polyline"
        paint = f'fill="none" stroke="{shape.colour}" stroke-width="{shape.line:g}"'
        lines.append(f'<{kind} points="{points}" {paint if shape.line else f"""fill="{shape.colour}" """}/>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ASSETS
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mat.svg").write_text(svg(), "utf-8")
    cv2.imwrite(str(folder / "mat.png"), draw(4.0), [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
