"""When to look: a new arrangement of cards lies still before the camera."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.camera import Frame

STILL_S: Final = 0.8
"""Nothing has moved for so long."""
MOVES: Final = 0.12
"""Logarithm by which a cell of the coarse picture changes when something moves."""
DARK: Final = 24.0
"""Grey levels that are added before: in the dark the sensor's noise moves all the time."""
CELLS: Final = 3
"""Least cells that must change: a finger is that large."""
OTHERWISE: Final = 0.02
"""Share of the picture that must differ from the last look for another one."""
_WIDTH: Final = 160


class Stillness:
    """Tells when to look; the times are the frames' own."""

    def __init__(self) -> None:
        self._before: np.ndarray | None = None
        self._looked: np.ndarray | None = None
        self._since: float | None = None

    def see(self, frame: Frame) -> bool:
        """Whether the cards lie still now and otherwise than when this last said so."""
        grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        height = max(1, round(_WIDTH * grey.shape[0] / grey.shape[1]))
        small = np.log(cv2.resize(grey, (_WIDTH, height), interpolation=cv2.INTER_AREA).astype(np.float32) + DARK)
        before, self._before = self._before, small
        if before is None or before.shape != small.shape or _changed(before, small) >= CELLS:
            self._since = frame.t
            return False
        if self._since is None or frame.t - self._since < STILL_S:
            return False
        last = self._looked
        if last is not None and last.shape == small.shape and _changed(last, small) < OTHERWISE * small.size:
            return False
        self._looked = small
        return True

    def again(self) -> None:
        """Look at what lies there once more."""
        self._looked = None


def _changed(one: np.ndarray, two: np.ndarray) -> int:
    # The exposure's drift changes all cells alike and is taken off.
    apart = two - one
    return int((np.abs(apart - np.median(apart)) > MOVES).sum())
