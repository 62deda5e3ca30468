"""USB and ribbon cameras on stand-ins: a video file behind OpenCV's interface, picamera2 as its pages describe it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.camera import Camera
from vision.errors import CannotSee
from vision.exposure import Locked, steady
from vision.ribbon import SMALL, RibbonCamera
from vision.usb import UsbCamera


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "five.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 960))
    for grey in (0, 50, 100, 150, 200):
        writer.write(np.full((960, 1280, 3), grey, np.uint8))
    writer.release()
    return path


@pytest.mark.parametrize(("chosen", "held"), [(9_000, 10_000), (14_000, 10_000), (16_000, 20_000), (33_000, 30_000),
                                              (90_000, 40_000), (500, 10_000)])  # fmt: skip
def test_exposure_is_whole_half_waves_and_the_picture_as_bright(chosen: int, held: int) -> None:
    exposure, gain = steady(chosen, 2.0)
    assert exposure == held
    assert gain == pytest.approx(min(12, max(1, 2.0 * chosen / held)))
    assert steady(chosen, 2.0, 60)[0] % 8_333 == 0


def test_settings_come_back_as_they_were_kept() -> None:
    locked = Locked(20_000, 1.5, (1.8, 2.1), 0.9)
    assert Locked.of(locked.to_dict()) == locked
    for wrong in ({}, {"exposure": 1}, {**locked.to_dict(), "colours": 5}):
        with pytest.raises(ValueError, match="no camera settings"):
            Locked.of(wrong)


def test_a_usb_camera_gives_both_streams_of_one_view(film: Path) -> None:
    camera = UsbCamera(3, opens=lambda number: cv2.VideoCapture(str(film)))
    assert isinstance(camera, Camera) and camera.live
    frame = camera.motion()
    assert frame is not None and frame.image.shape == (480, 640, 3)
    still = camera.still((100, 50, 300, 250))
    assert still.t == frame.t and still.image.shape == (200, 200, 3) and still.full_size == (1280, 960)
    for _ in range(3):
        assert camera.motion() is not None
    with pytest.raises(CannotSee, match="camera 3 gives no picture any more"):
        camera.motion()
    camera.close()


def test_a_usb_camera_that_is_not_there(capfd: pytest.CaptureFixture[str]) -> None:
    """Its one sentence is all that is said: OpenCV's own warnings about the device are kept back."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_WARNING)
    for device in (87, "/dev/video87"):
        with pytest.raises(CannotSee, match=r"camera .*87"):
            UsbCamera(device)
    assert capfd.readouterr() == ("", "")


class Capture:
    """OpenCV's capture of a camera that obeys, or does not."""

    def __init__(self, obeys: bool = True, dark: bool = False) -> None:
        self.values = {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0}
        self.obeys, self.dark = obeys, dark

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, np.ndarray]:
        locked = self.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
        return True, np.full((960, 1280, 3), 2 if locked and self.dark else 120, np.uint8)

    def set(self, name: int, value: float) -> bool:
        if name != cv2.CAP_PROP_EXPOSURE or self.obeys:
            self.values[name] = value
        return True

    def get(self, name: int) -> float:
        return self.values.get(name, 0.0)

    def release(self) -> None: ...


def test_a_usb_camera_is_locked_at_whole_half_waves() -> None:
    capture = Capture()
    locked = UsbCamera(0, opens=lambda number: capture).lock()
    assert locked == Locked(20_000, 1.0)
    assert capture.values[cv2.CAP_PROP_EXPOSURE] == 200 and capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    again = Capture()
    assert UsbCamera(0, opens=lambda number: again).lock(Locked(10_000)) == Locked(10_000)
    assert again.values[cv2.CAP_PROP_EXPOSURE] == 100


@pytest.mark.parametrize("capture", [Capture(obeys=False), Capture(dark=True)])
def test_a_usb_camera_that_will_not_be_locked_chooses_for_itself_again(capture: Capture) -> None:
    assert UsbCamera(0, opens=lambda number: capture).lock() is None
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] != 1


class Picamera2:
    """As much of picamera2 as is used, with the camera's own way of failing: a capture that never ends."""

    def __init__(self, number: int, forgets: bool = False) -> None:
        if number:
            raise IndexError("list index out of range")
        self.camera_properties = {"PixelArraySize": (1280, 720)}
        self.camera_controls = {"LensPosition": (0.0, 15.0, 1.0)}
        self.controls: dict[str, Any] = {}
        self.configuration: dict[str, Any] = {}
        self.out, self.stalled, self.forgets, self.closed = 0, False, forgets, False
        self.frames = 0

    def create_video_configuration(self, **asked: Any) -> dict[str, Any]:
        return asked

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def close(self) -> None:
        self.closed = True

    def autofocus_cycle(self, wait: float) -> bool:
        return True

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls.update(controls)

    def capture_metadata(self, wait: float) -> dict[str, Any]:
        self.frames += 1
        exposure = 14_800 if not self.controls or (self.forgets and self.frames > 8) else self.controls["ExposureTime"]
        return {"ExposureTime": exposure, "AnalogueGain": 2.0, "ColourGains": (1.9, 2.2), "LensPosition": 0.91}

    def capture_request(self, wait: float) -> Picamera2:
        assert 0 < wait < 10, "a capture without a limit may never come back"
        if self.stalled:
            raise TimeoutError
        self.out += 1
        return self

    def get_metadata(self) -> dict[str, Any]:
        return {"SensorTimestamp": 12_500_000_000}

    def make_array(self, stream: str) -> np.ndarray:
        if stream == "lores":
            grey = np.full((SMALL[1] * 3 // 2, SMALL[0]), 128, np.uint8)
            grey[: SMALL[1]] = 90
            return grey
        return np.full((720, 1280, 3), 90, np.uint8)

    def release(self) -> None:
        self.out -= 1


def test_a_ribbon_camera_gives_full_stills_beside_a_small_coloured_stream() -> None:
    fake = Picamera2(0)
    camera = RibbonCamera(0, lambda number: fake)
    assert isinstance(camera, Camera) and fake.configuration["main"] == {"size": (1280, 720), "format": "RGB888"}
    assert fake.configuration["sensor"] == {"output_size": (1280, 720)}, "the full field, never the cropped mode"
    frame = camera.motion()
    assert frame is not None and frame.t == 12.5 and frame.image.shape == (SMALL[1], SMALL[0], 3)
    assert camera.still((10, 20, 110, 70)).image.shape == (50, 100, 3) and fake.out == 0
    fake.stalled = True
    with pytest.raises(CannotSee, match="no picture any more"):
        camera.motion()
    camera.close()
    assert fake.closed


def test_a_ribbon_cameras_lock_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.ribbon.WARM_UP_S", 0)
    fake = Picamera2(0)
    locked = RibbonCamera(0, lambda number: fake).lock()
    assert locked == Locked(10_000, 2.0 * 14_800 / 10_000, (1.9, 2.2), 0.91)
    assert fake.controls["AeEnable"] is False and fake.controls["AfMode"] == 0
    forgetful = Picamera2(0, forgets=True)
    assert RibbonCamera(0, lambda number: forgetful).lock() is None


def test_no_ribbon_camera_is_one_sentence() -> None:
    with pytest.raises(CannotSee, match="ribbon camera 1 gives no picture"):
        RibbonCamera(1, Picamera2)
    with pytest.raises(CannotSee, match=r"needs picamera2|gives no picture"):
        RibbonCamera(0)
