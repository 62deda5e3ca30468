"""Rectangles of the mat put together."""

from __future__ import annotations

from vision.mat import Zone


def meet(a: Zone, b: Zone) -> bool:
    """Whether two rectangles have a point in common."""
    return a.x0 <= b.x1 and b.x0 <= a.x1 and a.y0 <= b.y1 and b.y0 <= a.y1


def both(a: Zone, b: Zone) -> Zone:
    """The smallest rectangle that holds both."""
    return Zone(a.kind, a.seat, min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1))


def common(a: Zone, b: Zone) -> Zone:
    """What two rectangles that meet have in common."""
    return Zone(a.kind, a.seat, max(a.x0, b.x0), max(a.y0, b.y0), min(a.x1, b.x1), min(a.y1, b.y1))
