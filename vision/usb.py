"""A USB camera through OpenCV: the largest picture it offers, settings held still once they are right."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from vision.camera import Box, Frame, cut, small
from vision.errors import CannotSee
from vision.exposure import Locked, steady
from vision.quiet import hush

LARGEST: Final = (4608, 2592)
WARM_UP: Final = 30
"""Frames in which a camera finds its own settings."""
UNIT_US: Final = 100
"""V4L2 counts exposure in these."""
DARK: Final = 12.0
"""Mean grey level below which a lock has failed."""


def open_device(device: int | str) -> Any:
    """OpenCV's capture of a number or a device file."""
    return cv2.VideoCapture(device, cv2.CAP_V4L2) if isinstance(device, str) else cv2.VideoCapture(device)


class UsbCamera:
    """A USB camera by its number (``/dev/videoN``) or its lasting name (``/dev/v4l/by-id/…``).

    :raises CannotSee: when there is no such camera or it gives no picture.
    """

    live = True

    def __init__(
        self,
        device: int | str = 0,
        size: tuple[int, int] = LARGEST,
        opens: Callable[[int | str], Any] = open_device,
    ) -> None:
        self.device = device
        hush()  # of a missing device the one sentence below is what the user shall read
        self._capture = opens(device)
        good = self._capture.isOpened()
        if good:
            self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
            self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
            good = self._capture.read()[0]
        if not good:
            self._capture.release()
            raise CannotSee("no_camera", number=device)
        self._now: Frame | None = None

    def lock(self, locked: Locked | None = None, hertz: int = 50) -> Locked | None:
        """Hold exposure, white balance and focus where they are, or at *locked*; None when the camera will not.

        Cameras differ in what they understand: what is not read back as it was set is left to the camera again.
        """
        capture = self._capture
        if locked is None:
            for _ in range(WARM_UP):
                capture.read()
            exposure, gain = steady(capture.get(cv2.CAP_PROP_EXPOSURE) * UNIT_US, 1.0, hertz)
            locked = Locked(exposure, gain)
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)  # V4L2's word for manual; some drivers only know 0.25
        units = locked.exposure / UNIT_US
        capture.set(cv2.CAP_PROP_EXPOSURE, units)
        capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        good, image = capture.read()
        held = abs(capture.get(cv2.CAP_PROP_EXPOSURE) - units) < 1
        if good and held and image is not None and float(np.mean(image)) >= DARK:
            return locked
        for automatic in (3, 0.75):
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, automatic)
        capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        return None

    def _grab(self) -> Frame:
        good, image = self._capture.read()
        if not good or image is None:
            raise CannotSee("camera_lost", number=self.device)
        return Frame(time.monotonic(), image)

    def motion(self) -> Frame | None:
        self._now = self._grab()
        return Frame(self._now.t, small(self._now.image))

    def still(self, box: Box | None = None) -> Frame:
        return cut(self._now or self._grab(), box)

    def close(self) -> None:
        self._capture.release()
