"""The Pi's own camera through picamera2: full-resolution stills beside a small stream, settings locked.

One configuration serves both streams, so that a still costs no switch of modes. Every capture has a time limit: the
stack is known to stop after hours without a word, and whoever asked then starts this process anew
(:mod:`table.camera_service`). The 2304 x 1296 mode and the full one see the whole field; the 1536 x 864 mode of the
Camera Module 3 is a crop, and is never asked for.
"""

from __future__ import annotations

import importlib
import time
from typing import Any, Final

import cv2
import numpy as np

from vision.camera import Box, Frame, cut
from vision.errors import CannotSee
from vision.exposure import Locked, steady

CAPTURE_S: Final = 2.0
"""Seconds that one capture may take."""
SMALL: Final = (640, 360)
WARM_UP_S: Final = 1.5
HELD: Final = 10
"""Frames over which a lock is read back: some versions of libcamera forget it."""
CHANNEL_ORDER: Final = "RGB888"
"""libcamera's name for what arrives as blue, green, red."""


class RibbonCamera:
    """A camera on the Pi's ribbon.

    :raises CannotSee: when there is none, picamera2 is missing, or it gives no picture.
    """

    live = True

    def __init__(self, number: int = 0, open_camera: Any = None) -> None:
        if open_camera is None:
            try:
                open_camera = importlib.import_module("picamera2").Picamera2
            except Exception:  # a system's picamera2 that does not fit this Python raises what it likes
                raise CannotSee("no_picamera2") from None
        try:
            self._camera = open_camera(number)
            full = tuple(self._camera.camera_properties["PixelArraySize"])
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": full, "format": CHANNEL_ORDER},
                    lores={"size": SMALL, "format": "YUV420"},
                    sensor={"output_size": full},
                    buffer_count=3,
                    encode=None,
                    display=None,
                )
            )
            self._camera.start()
            self._request().release()
        except (RuntimeError, IndexError, TimeoutError, OSError):
            raise CannotSee("no_ribbon_camera", number=number) from None
        self._number = number

    def lock(self, locked: Locked | None = None, hertz: int = 50) -> Locked | None:
        """Focus once, let exposure and white balance settle, then hold all three; or hold *locked*.

        None when the camera will not: what was locked is read back over several frames before it is believed.
        """
        camera = self._camera
        focuses = "LensPosition" in camera.camera_controls
        if locked is None:
            if focuses:
                camera.autofocus_cycle(wait=5.0)
            time.sleep(WARM_UP_S)
            chosen = camera.capture_metadata(wait=CAPTURE_S)
            exposure, gain = steady(chosen["ExposureTime"], chosen["AnalogueGain"], hertz)
            red, blue = chosen["ColourGains"]
            locked = Locked(exposure, gain, (red, blue), chosen.get("LensPosition") if focuses else None)
        controls: dict[str, Any] = {
            "AeEnable": False, "AwbEnable": False, "ExposureTime": locked.exposure, "AnalogueGain": locked.gain,
        }  # fmt: skip
        if locked.colours is not None:
            controls["ColourGains"] = locked.colours
        if focuses and locked.focus is not None:
            controls |= {"AfMode": 0, "LensPosition": locked.focus}
        camera.set_controls(controls)
        for frame in range(2 * HELD):
            seen = camera.capture_metadata(wait=CAPTURE_S)
            off = abs(seen["ExposureTime"] - locked.exposure) > 0.02 * locked.exposure
            if off and frame >= HELD:  # it takes a few frames to arrive, and then has to stay
                return None
        return locked

    def _request(self) -> Any:
        return self._camera.capture_request(wait=CAPTURE_S)

    def _taken(self, stream: str) -> Frame:
        try:
            request = self._request()
        except (TimeoutError, RuntimeError):
            raise CannotSee("camera_lost", number=self._number) from None
        try:
            # Sensor time is the same clock as ours, in nanoseconds.
            t = request.get_metadata().get("SensorTimestamp", time.monotonic_ns()) / 1e9
            return Frame(t, np.array(request.make_array(stream)))
        finally:
            request.release()

    def motion(self) -> Frame | None:
        planes = self._taken("lores")
        # 640 is a multiple of what libcamera pads rows to: the three planes lie in the array without gaps.
        return Frame(planes.t, cv2.cvtColor(planes.image, cv2.COLOR_YUV2BGR_I420))

    def still(self, box: Box | None = None) -> Frame:
        return cut(self._taken("main"), box)

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()
