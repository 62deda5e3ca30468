"""The camera in a process of its own: a driver that hangs or dies is started anew, and the table goes on.

Frames come through shared memory, words through a socket. A frame that is late ends the process; until the next one
sees again the table's time stands still, so that no player pays for a cable.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.camera import Box, Frame, cut
from vision.errors import CannotSee
from vision.exposure import Locked

HOME: Final = Path(__file__).resolve().parent.parent
SMALL_SLOT: Final = 4 << 20
STILL_SLOT: Final = 160 << 20
"""Bytes for the largest picture; only what is written is taken from memory."""
MEMORY: Final = SMALL_SLOT + STILL_SLOT
FIRST_S: Final = 20.0
"""Seconds to the first frame of a process: drivers load, exposure settles."""
LATE_S: Final = 3.0
"""Seconds without a frame after which the process is taken for hung."""
STILL_S: Final = 6.0
LOOK_S: Final = 0.5
"""While nothing is seen the table still turns round this often, on the last picture."""
GAP_S: Final = 1.0
"""At most this much of a time without pictures counts as time."""
PAUSES_S: Final = (0.2, 1.0, 3.0, 10.0)
"""Seconds before the first, second … try after a failure."""


class CameraService:
    """A camera that another process holds; *what* it is: ``usb:0``, ``device:/dev/v4l/by-id/…``, ``ribbon:0``,
    ``video:FILE``.

    Any thread may look at :attr:`state`; one thread at a time uses the camera.

    :raises CannotSee: when its first frame does not come.
    """

    def __init__(
        self,
        what: str,
        locked: Mapping[str, Any] | None = None,
        late: float = LATE_S,
        pauses: Sequence[float] = PAUSES_S,
        worker: Sequence[str] = (sys.executable, "-P", "-m", "table.camera_service_worker"),
        wait: bool = True,
    ) -> None:
        self.what, self.locked = what, dict(locked) if locked else None
        """Exposure, white balance and focus as they are held; None while the camera chooses for itself."""
        self.state = "starting"
        """``ok``, ``lost`` while no picture comes, ``ended`` after a video, ``starting``."""
        self.restarts = 0
        self._late, self._pauses, self._worker = late, pauses, tuple(worker)
        self._memory_file = os.memfd_create("guandan-camera", os.MFD_CLOEXEC)
        os.ftruncate(self._memory_file, MEMORY)
        self._memory = mmap.mmap(self._memory_file, MEMORY)
        self._process: subprocess.Popen[bytes] | None = None
        self._words: socket.socket | None = None
        self._last: Frame | None = None
        self._skipped, self._idled = 0.0, 0.0
        self._failures, self._next_try = 0, 0.0
        self._closed = False
        self._asked = False
        self._first: Frame | None = None
        self._start()
        if wait:
            self.ready()

    def ready(self) -> None:
        """Wait for the first frame; everything before can be done while the camera's process comes up.

        :raises CannotSee: when it does not come.
        """
        try:
            self._last = self._first = self._next_frame(FIRST_S)
            if self._last is None and self.state != "ended":
                raise CannotSee("camera_lost", number=self.what.partition(":")[2])
        except BaseException:
            self.close()
            raise

    @property
    def t(self) -> float:
        """The time of the last frame, which the table's clocks go by."""
        return self._last.t if self._last is not None else 0.0

    # -- the camera's protocol ------------------------------------------------------------------------------------

    def motion(self) -> Frame | None:
        """The next frame of the small stream; the last one again, its time standing still, while the camera is away."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        if self.state == "ended":
            return None
        frame = self._next_frame(self._late) if self._process is not None else None
        if frame is not None:
            self._last = frame
            return frame
        if self.state == "ended":
            return None
        self._fail()
        if self._process is None and time.monotonic() >= self._next_try:
            self._start()
            if (frame := self._next_frame(FIRST_S)) is not None:
                self._last = frame
                return frame
            self._fail()
        time.sleep(0 if self._closed else LOOK_S)
        assert self._last is not None
        step = min(LOOK_S, GAP_S - self._idled)
        self._idled += step
        self._last = Frame(self._last.t + step, self._last.image)
        return self._last

    def still(self, box: Box | None = None) -> Frame:
        """The full picture of now, or only what of it is asked for: a whole one is 36 MB to be copied twice.

        While the camera is away, the small one enlarged would mislead: it is waited for.

        :raises CannotSee: when a video is over.
        """
        while not self._closed:
            if self.state == "ended" and self._process is None:
                break
            if self._process is not None:
                said = self._ask("still" if box is None else f"still {' '.join(map(str, box))}", STILL_S)
                if said is not None:
                    return self._part(said, box)
                self._fail()
            self.motion()
        raise CannotSee("camera_lost", number=self.what.partition(":")[2])

    def relight(self) -> Mapping[str, Any] | None:
        """Let the camera find exposure, white balance and focus anew for the light of now, and hold them; what it holds
        then. What that takes is nobody's time."""
        self._end()
        self.locked, self.state = None, "starting"
        self._start()
        if (frame := self._next_frame(FIRST_S)) is not None:
            self._last = frame
        else:
            self._fail()
        return self.locked

    def close(self) -> None:
        self._closed = True
        self._end()
        with contextlib.suppress(BufferError, ValueError):
            self._memory.close()
        with contextlib.suppress(OSError):
            os.close(self._memory_file)
        self._memory_file = -1

    # -- the process ----------------------------------------------------------------------------------------------

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [*self._worker, self.what, str(theirs.fileno()), str(self._memory_file), json.dumps(self.locked)],
                pass_fds=(theirs.fileno(), self._memory_file),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                # Drivers and OpenCV talk on standard error; what matters is said here in one sentence.
                stderr=None if os.environ.get("GUANDAN_DEBUG") else subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(HOME)},
            )  # fmt: skip
        self._words, self._asked = ours, False

    def _end(self) -> None:
        if self._words is not None:
            self._words.close()
            self._words = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _fail(self) -> None:
        if self._process is None:
            return
        self._end()
        # A recording does not go on where it was: what broke it ends it.
        self.state = "ended" if self.what.startswith("video:") else "lost"
        self.restarts += 1
        self._next_try = time.monotonic() + self._pauses[min(self._failures, len(self._pauses) - 1)]
        self._failures += 1

    def _next_frame(self, seconds: float) -> Frame | None:
        said = self._ask("motion", seconds)
        if said is None:
            return None
        if self.state != "ok":
            self.state = "ok"
            if self._last is not None:  # what went by without pictures is nobody's time, but for a second of it
                self._skipped += max(0.0, said["t"] - self._skipped - self._last.t - max(0.0, GAP_S - self._idled))
        self._idled = 0.0
        if self._failures and self._last is not None:
            self._failures = 0
        return Frame(self._timed(said["t"]), self._picture(said, 0))

    def _timed(self, t: float) -> float:
        return float(t) - self._skipped

    def _part(self, said: Mapping[str, Any], box: Box | None) -> Frame:
        """The answer to a question for *box*; a process that gave the whole picture has it cut here."""
        frame = Frame(self._timed(said["t"]), self._picture(said, SMALL_SLOT))
        if "full" not in said:
            return cut(frame, box)
        (x, y), (width, height) = said["origin"], said["full"]
        return Frame(frame.t, frame.image, (x, y), (width, height))

    def _picture(self, said: Mapping[str, Any], offset: int) -> np.ndarray:
        height, width = said["shape"]
        return (
            np.frombuffer(self._memory, np.uint8, height * width * 3, offset).reshape(height, width, 3).copy()
        )  # fmt: skip

    def _ask(self, what: str, seconds: float) -> dict[str, Any] | None:
        """One question to the process; None when it does not answer in time or has died.

        :raises CannotSee: when it says, before any picture, that there is nothing to see.
        """
        words = self._words
        if words is None:
            return None
        try:
            words.send(what.encode())
            until = time.monotonic() + seconds
            while (left := until - time.monotonic()) > 0 and not self._closed:
                if not select.select([words], [], [], min(left, 0.5))[0]:
                    continue
                got = words.recv(4096)
                if not got:
                    return None
                said: dict[str, Any] = json.loads(got)
                if "locked" in said:
                    self.locked = said["locked"]
                elif "refused" in said:
                    if self._last is None:
                        raise CannotSee(said["refused"], **said["values"])
                    return None
                elif "end" in said:
                    self.state = "ended"
                    return None
                elif said["is"] == what:
                    return said
        except CannotSee:
            raise
        except (OSError, ValueError):
            return None
        return None


def service_of(camera: str, locked: Mapping[str, Any] | None = None, wait: bool = True) -> CameraService:
    """The service for what ``--camera`` names: a number, ``ribbon``, a device file, or a video.

    :raises CannotSee: when it gives no picture (without *wait*: when :meth:`CameraService.ready` is called).
    """
    if camera.isdecimal():
        what = f"usb:{int(camera)}"
    elif camera == "ribbon":
        what = "ribbon:0"
    else:
        what = f"{'device' if camera.startswith('/dev/') else 'video'}:{camera}"
    return CameraService(what, locked, wait=wait)


def held_path(journal: Path) -> Path:
    """Where the camera's settings of the table with this journal are kept."""
    return journal.with_name(journal.name + ".camera")


def held(path: Path) -> dict[str, Any] | None:
    """Settings kept at *path*; None where there are none that can be read."""
    try:
        return Locked.of(json.loads(path.read_text("utf-8"))).to_dict()
    except (OSError, ValueError):
        return None


def hold(path: Path, locked: Mapping[str, Any] | None) -> None:
    """Keep the camera's settings, so that a restart in play changes no picture; a disk that refuses is no reason to
    stop."""
    if locked is not None and locked != held(path):
        with contextlib.suppress(OSError):
            path.write_text(json.dumps(dict(locked)), "utf-8")
