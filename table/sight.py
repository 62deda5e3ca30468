"""How well a table's camera sees, as the venue's fleet page shows it: an index's height, and the light."""

from __future__ import annotations

from collections import Counter, deque
from typing import Any, Final

import numpy as np

from vision.mat import PLAY, View
from vision.placement import light

LOOKS: Final = 9
"""Looks of which the commonest counts: an arm over a marker makes no dark hall."""


class Sight:
    """Asked now and then, it looks at one frame and tells what there is to tell."""

    def __init__(self) -> None:
        self._lights: deque[str] = deque(maxlen=LOOKS)

    def look(self, image: np.ndarray | None, view: View | None, index_mm: float) -> dict[str, Any]:
        """``index_px`` at the seat where it is smallest and ``light``, by a frame (BGR, of any size) and the view of
        full pictures; what cannot be told yet is left out."""
        if view is None:
            return {}
        found: dict[str, Any] = {
            "index_px": round(min(view.index_px(*zone.centre, index_mm) for zone in PLAY.values()), 1)
        }
        if image is not None:
            height, width = image.shape[:2]
            seen = light(image, view.scaled((width, height)))
            if seen is not None:
                self._lights.append(seen)
        if self._lights:
            found["light"] = Counter(self._lights).most_common(1)[0][0]
        return found
