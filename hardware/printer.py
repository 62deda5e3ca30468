"""The receipt printer: slips wait until it is there, and one that was cut off is printed again from its beginning.

Written to as a device file (``/dev/usb/lp0`` or a serial line by its lasting name) and never read from: what
printers say of themselves cannot be relied on. A write that makes no way for ``PATIENCE`` seconds is given up and tried
anew.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import termios
import threading
import tty
from collections import deque
from typing import Final

from hardware.paper import Bitmap, escpos

PATIENCE: Final = 15.0
"""Seconds without a byte taken: out of paper, switched off, or gone. (Printing itself blocks for about two.)"""
AGAIN: Final = 2.0
"""Seconds between two tries."""
MOST: Final = 20
"""Slips that wait at most; beyond, the oldest is forgotten: everything is in the journal."""


class ReceiptPrinter:
    """The printer at the device file *path*, fed by a thread of its own."""

    name = "printer"

    def __init__(self, path: str, cut: bool = True, again: float = AGAIN, patience: float = PATIENCE) -> None:
        self.path, self.cut = path, cut
        self.state = "ok" if os.path.exists(path) else "away"  # noqa: PTH110
        self._again, self._patience = again, patience
        self._slips: deque[bytes] = deque(maxlen=MOST)
        self._wake, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="printer", daemon=True)

    @property
    def waiting(self) -> int:
        """Slips that are not on paper yet."""
        return len(self._slips)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(2.0)

    def print(self, slip: Bitmap) -> None:
        """Put *slip* on paper as soon as the printer is there."""
        self._slips.append(escpos(slip, self.cut))
        self._wake.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.wait()
            self._wake.clear()
            while self._slips and not self._stopped.is_set():
                slip = self._slips[0]
                if self._write(slip):
                    self.state = "ok"
                    if self._slips and self._slips[0] is slip:
                        self._slips.popleft()
                else:
                    self.state = "away"
                    self._stopped.wait(self._again)

    def _write(self, slip: bytes) -> bool:
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return False
        try:
            if os.isatty(handle):
                _raw(handle)
            left = memoryview(slip)
            while left and not self._stopped.is_set():
                if not select.select([], [handle], [], self._patience)[1]:
                    return False
                left = left[os.write(handle, left[:4096]) :]
            return not left and self._drained(handle)
        except OSError:
            return False
        finally:
            with contextlib.suppress(OSError):
                os.close(handle)

    def _drained(self, handle: int) -> bool:
        """Whether what was handed over has left this machine; a cable pulled before that loses the slip's end."""
        if not os.isatty(handle):  # a USB printer takes more once it has the last piece
            return bool(select.select([], [handle], [], self._patience)[1])
        pending, waited = 1, 0.0
        while waited < self._patience and not self._stopped.is_set():
            (pending,) = struct.unpack("i", fcntl.ioctl(handle, termios.TIOCOUTQ, b"\0" * 4))
            if not pending:
                return True
            self._stopped.wait(0.05)
            waited += 0.05
        return False


def _raw(handle: int) -> None:
    """A serial line passes pictures through as they are, without turning line feeds into anything."""
    with contextlib.suppress(OSError, termios.error):
        tty.setraw(handle)
