"""The process that holds the camera: ``python -m table.camera_service_worker WHAT SOCKET MEMORY LOCKED``.

It answers two words, ``motion`` and ``still``, the latter also with x0 y0 x1 y1 where only that part is wanted: the
picture goes into the shared memory, its shape and time into the answer. A live camera is read all the time on a
thread of its own, so that an answer is always the newest frame and a hung read shows as a late one. It ends when the
table does.
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from table.camera_service import MEMORY, SMALL_SLOT
from vision.camera import Box, Camera, Frame, VideoCamera
from vision.errors import CannotSee
from vision.exposure import Locked


def opened(what: str) -> Camera:
    """The camera that *what* names.

    :raises CannotSee: when there is none.
    """
    kind, _, rest = what.partition(":")
    if kind == "ribbon":
        from vision.ribbon import RibbonCamera

        return RibbonCamera(int(rest))
    if kind in ("usb", "device"):
        from vision.usb import UsbCamera

        return UsbCamera(int(rest) if kind == "usb" else rest)
    return VideoCamera(rest)


class Newest:
    """The newest frame of a live camera, read without pause; a recorded one is read when it is asked."""

    def __init__(self, camera: Camera) -> None:
        self._camera, self._lock = camera, threading.Lock()
        self._fresh = threading.Condition()
        self._frame: Frame | None = None
        self._error: CannotSee | None = None
        self.live = bool(getattr(camera, "live", False))
        if self.live:
            threading.Thread(target=self._read, name="frames", daemon=True).start()

    def motion(self) -> Frame | None:
        """A frame that was not given before.

        :raises CannotSee: when the camera has gone.
        """
        if not self.live:
            return self._camera.motion()
        with self._fresh:
            self._fresh.wait_for(lambda: self._frame is not None or self._error is not None)
            if self._error is not None:
                raise self._error
            frame, self._frame = self._frame, None
            return frame

    def still(self, box: Box | None = None) -> Frame:
        with self._lock:
            return self._camera.still(box)

    def _read(self) -> None:
        while True:
            try:
                with self._lock:
                    frame = self._camera.motion()
            except CannotSee as gone:
                with self._fresh:
                    self._error = gone
                    self._fresh.notify_all()
                return
            with self._fresh:
                self._frame = frame
                self._fresh.notify_all()


def serve(camera: Camera, words: socket.socket, memory: Any) -> None:
    """Answer until nobody asks any more."""
    newest = Newest(camera)
    while asked := words.recv(64).decode():
        word, *box = asked.split()
        frame = newest.motion() if word == "motion" else newest.still(_box(box))
        if frame is None:
            _say(words, {"end": True})
            return
        image = np.ascontiguousarray(frame.image)
        offset = 0 if word == "motion" else SMALL_SLOT
        memory[offset : offset + image.nbytes] = image.data.cast("B")
        part = {} if frame.full is None else {"origin": frame.origin, "full": frame.full}
        _say(words, {"is": asked, "t": frame.t, "shape": list(image.shape[:2]), **part})


def _box(numbers: Sequence[str]) -> Box | None:
    if not numbers:
        return None
    x0, y0, x1, y1 = map(int, numbers)
    return x0, y0, x1, y1


def _say(words: socket.socket, said: dict[str, Any]) -> None:
    words.send(json.dumps(said).encode())


def main(what: str, handle: str, memory_file: str, locked: str) -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the table ends it
    words = socket.socket(fileno=int(handle))
    memory = mmap.mmap(int(memory_file), MEMORY)
    try:
        camera = opened(what)
        hold = getattr(camera, "lock", None)
        if hold is not None:
            given = json.loads(locked)
            held = hold(Locked.of(given) if given else None)
            _say(words, {"locked": held.to_dict() if held is not None else None})
        serve(camera, words, memory)
    except CannotSee as refused:
        _say(words, {"refused": refused.key, "values": {k: str(v) for k, v in refused.values.items()}})
        while words.recv(64):  # what is closed with a question unread takes the answer with it
            pass
        return 1
    except (BrokenPipeError, ConnectionResetError):
        pass
    except TimeoutError:
        return 1
    os._exit(0)  # a driver that hangs must not keep this process


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
