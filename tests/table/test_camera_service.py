"""The camera's process: frames through shared memory, a hung or dead one started anew, no second charged for it."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from table import camera_service
from table.camera_service import CameraService, service_of
from table.controller import Controller
from table.effects import Append
from table.sources import CameraSource
from tests.table.scripted import Scripted
from vision.errors import CannotSee

WORKER = """
import json, mmap, os, socket, sys, time
from pathlib import Path
what, handle, memory_file, locked = sys.argv[1:5]
words = socket.socket(fileno=int(handle))
memory = mmap.mmap(int(memory_file), {memory})
orders = Path(what.partition(":")[2])
given = 0
words.send(json.dumps(dict(locked=dict(exposure=20000, gain=1.0, colours=None, focus=None))).encode())
while asked := words.recv(64).decode():
    order = orders.read_text().split()[0] if orders.exists() else "go"
    if order == "die":
        os._exit(1)
    if order == "hang":
        orders.unlink()
        time.sleep(1000)
    given += 1
    size = (2, 4) if asked == "motion" else (20, 40)
    offset = 0 if asked == "motion" else {slot}
    count = size[0] * size[1] * 3
    memory[offset:offset + count] = bytes([given % 256]) * count
    words.send(json.dumps({{"is": asked, "t": time.monotonic(), "shape": size}}).encode())
"""


@pytest.fixture
def orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(camera_service, "LOOK_S", 0.02)
    monkeypatch.setattr(camera_service, "FIRST_S", 2.0)
    return tmp_path / "orders"


def service(orders: Path, late: float = 5.0) -> CameraService:
    code = WORKER.format(memory=camera_service.MEMORY, slot=camera_service.SMALL_SLOT)
    return CameraService(f"usb:{orders}", late=late, pauses=(0.0, 0.4), worker=(sys.executable, "-S", "-c", code))


def test_a_process_that_dies_is_started_anew_and_nobody_pays_for_it(orders: Path) -> None:
    camera = service(orders)
    first = camera.motion()
    assert first is not None and camera.state == "ok" and first.image.shape == (2, 4, 3)
    assert camera.locked == {"exposure": 20000, "gain": 1.0, "colours": None, "focus": None}
    orders.write_text("die")
    seen = []
    while camera.restarts < 3 or len(seen) < 60:
        frame = camera.motion()
        assert frame is not None and (frame.image == first.image).all()
        seen.append(frame.t)
    assert camera.state == "lost"
    gap = [t for t in seen if t > seen[0]]
    assert seen == sorted(seen) and seen[-1] - first.t < camera_service.GAP_S + 0.2
    assert gap, "the table turns round meanwhile"
    camera._last = camera_service.Frame(seen[-1], first.image)
    camera._skipped -= 60.0  # as if a minute had gone by
    orders.unlink()
    while camera.state != "ok":
        frame = camera.motion()
    assert frame is not None and 0 <= frame.t - seen[-1] < 0.5
    later = camera.motion()
    assert later is not None and later.t >= frame.t
    assert camera.still((0, 0, 10, 5)).image.shape == (5, 10, 3)
    camera.close()


def test_the_exposure_is_found_anew_in_a_process_of_its_own_and_costs_nobody_time(orders: Path) -> None:
    camera = service(orders)
    first, process = camera.motion(), camera._process
    assert first is not None and process is not None
    camera.locked = {"exposure": 5000}
    camera._skipped -= 60.0  # as if finding it took a minute
    assert camera.relight() == {"exposure": 20000, "gain": 1.0, "colours": None, "focus": None}
    assert process.poll() is not None and camera.state == "ok"
    after = camera.motion()
    assert after is not None and 0 <= after.t - first.t < camera_service.GAP_S + 0.5
    orders.write_text("die")
    assert camera.relight() is not None and camera.state == "lost", "a camera that does not come back is looked for"
    camera.close()


def test_a_match_goes_on_with_the_clock_it_had(orders: Path) -> None:
    """A camera's clock began when the machine was switched on: the match must not lose that time when it is resumed."""
    table = Scripted()
    table.lay("N", "S9 H9")
    left = table.view.match_clock.left(table.t)  # type: ignore[union-attr]
    journal = [(each.event, each.evidence) for each in table.effects if isinstance(each, Append)]
    camera = service(orders)
    assert camera.t > 60
    source = CameraSource(camera, object())  # type: ignore[arg-type]
    source.begins(camera.t)
    again = Controller("national", "championship")
    again.resume(journal, source.now())
    source._t = camera.motion().t  # type: ignore[union-attr] # the eye's loop has its first frame
    clock = again.view.match_clock
    assert clock is not None and left is not None
    assert abs(clock.left(source.now()) - left) < 5  # type: ignore[operator]
    camera.close()


def test_a_process_that_hangs_is_late_and_ended(orders: Path) -> None:
    camera = service(orders, late=0.1)
    assert camera.motion() is not None
    hung = camera._process
    assert hung is not None
    orders.write_text("hang")
    while camera.restarts < 1:
        assert camera.motion() is not None
    assert hung.returncode == -signal.SIGKILL
    while camera.state != "ok":
        camera.motion()
    camera.close()


def test_the_table_that_ends_takes_the_process_with_it(orders: Path) -> None:
    camera = service(orders)
    process = camera._process
    camera.close()
    assert process is not None and process.returncode is not None


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "five.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 960))
    for grey in (0, 50, 100, 150, 200):
        writer.write(np.full((960, 1280, 3), grey, np.uint8))
    writer.release()
    return path


def test_a_video_through_the_real_process(film: Path, capfd: pytest.CaptureFixture[str]) -> None:
    camera = service_of(str(film))
    greys = []
    while (frame := camera.motion()) is not None:
        greys.append(round(float(frame.image.mean()), -1))
        still = camera.still((100, 50, 300, 250))
        assert still.image.shape == (200, 200, 3) and still.full_size == (1280, 960) and still.origin == (100, 50)
        assert abs(float(still.image.mean()) - float(frame.image.mean())) < 3
        behind = camera_service.SMALL_SLOT + still.image.nbytes
        assert not any(camera._memory[behind : behind + 10_000])  # no more than was asked for went from there to here
    assert greys == [0, 50, 100, 150, 200] and camera.state == "ended" and camera.motion() is None
    camera.close()
    assert capfd.readouterr().err == ""


def test_a_usb_camera_through_the_real_process(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A video file stands in for the device, behind OpenCV's own interface."""
    stand_in = (
        "import cv2, sys; from vision import usb;"
        f"usb.open_device = lambda number: cv2.VideoCapture({str(film)!r});"
        "usb.UsbCamera.__init__.__defaults__ = (0, usb.LARGEST, usb.open_device); usb.WARM_UP = 1;"
        "from table.camera_service_worker import main; sys.exit(main(*sys.argv[1:5]))"
    )
    camera = CameraService("usb:7", pauses=(0.0,), worker=(sys.executable, "-P", "-c", stand_in))
    frames = [camera.motion() for _ in range(3)]
    assert all(frame is not None and frame.image.shape == (480, 640, 3) for frame in frames)
    assert camera.locked is None, "a film cannot be locked, and says so"
    camera.close()


def test_a_camera_that_is_not_there_is_one_sentence_and_no_noise(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CannotSee, match="camera 87 is not there"):
        service_of("87")
    with pytest.raises(CannotSee, match="no such file"):
        service_of("none.mp4")
    assert capfd.readouterr().err == ""
