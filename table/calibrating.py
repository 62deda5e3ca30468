"""The camera's side of the calibration page: while it is open it has the camera, and tells what the mat looks like.

Whole pictures are judged only now and then: between them the small stream shows what somebody's hands just did.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import cv2
import numpy as np

from table.effects import Calibrate, Effect
from table.inputs import Calibrated
from table.view import Calibration, Remark
from vision.camera import Camera, Frame, small
from vision.mat import PLAY, SIZE_MM, View
from vision.placement import judge

SHOWN_WIDE: Final = 480
"""Pixels across of the picture on the page."""
SHOWN_EVERY: Final = 0.3
"""Seconds between two pictures."""
JUDGED_EVERY: Final = 2.0
"""Seconds between two looks at a whole picture: on a Pi 4 one takes the better part of a second."""
LINE: Final = (180, 198, 47)
"""BGR of the lines that show where the mat was found."""


class Calibrating:
    """What a source asks for when the page may have its camera; *relight* lets the camera find its exposure anew and
    gives what it holds then, None where nothing can be held."""

    def __init__(
        self, relight: Callable[[], Mapping[str, Any] | None] | None = None, held: Mapping[str, Any] | None = None
    ) -> None:
        self._relight, self._held = relight, held
        self._orders: deque[Calibrate] = deque()
        self._open = False
        self._shown_at = self._judged_at = -1e9
        self._remarks: tuple[Remark, ...] = ()
        self._view: View | None = None

    def told(self, effects: Iterable[Effect]) -> None:
        """Orders of the page, from any thread."""
        for effect in effects:
            if isinstance(effect, Calibrate):
                self._orders.append(effect)

    @property
    def wanted(self) -> bool:
        """Whether the camera is needed: the page is open, or about to be."""
        return self._open or bool(self._orders)

    def step(self, camera: Camera, now: Callable[[], float]) -> Sequence[Calibrated]:
        """Carry out what was ordered and take the next frame; what the page shows, if that has changed.

        :raises CannotSee: when the camera is lost.
        """
        while self._orders:
            order = self._orders.popleft().what
            self._open = order != "stop"
            self._shown_at = self._judged_at = -1e9
            if order == "begin":
                self._remarks, self._view = (), None
            elif order == "light" and self._relight is not None:
                self._held = self._relight()
        if not self._open:
            return ()
        frame = camera.motion()
        if frame is None or frame.t - self._shown_at < SHOWN_EVERY:
            return ()
        if frame.t - self._judged_at >= JUDGED_EVERY:
            self._judge(camera.still().image)
            self._judged_at = frame.t
        self._shown_at = frame.t
        return (Calibrated(now(), self._standing(frame)),)

    def _judge(self, image: np.ndarray) -> None:
        self._view = View.from_markers(image)
        self._remarks = tuple(
            Remark(each.key, each.state, tuple(sorted((name, str(value)) for name, value in each.values.items())))
            for each in judge(image, self._view)
        )

    def _standing(self, frame: Frame) -> Calibration:
        picture = small(frame.image, SHOWN_WIDE).copy()
        high, wide = picture.shape[:2]
        if self._view is not None:
            _outline(picture, self._view.scaled((wide, high)))
        held = round(self._held["exposure"] / 1000) if self._held else None
        return Calibration(self._remarks, picture.tobytes(), (wide, high), held, self._relight is not None)


def _outline(picture: np.ndarray, view: View) -> None:
    """Draw where the mat and each seat's zone were found."""
    mat = np.array([[0, 0], [SIZE_MM, 0], [SIZE_MM, SIZE_MM], [0, SIZE_MM]], float)
    for corners in (mat, *(zone.corners() for zone in PLAY.values())):
        points = np.round(view.to_px(corners)).astype(np.int32)
        cv2.polylines(picture, [points], True, LINE, 1, cv2.LINE_AA)
