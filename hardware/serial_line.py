"""A serial device that may be unplugged at any moment: opened again by its lasting name as soon as it is back.

A handle of a device that has gone keeps its name busy, so it is let go at the first sign of trouble. Opening a port
restarts many boards; they say HELLO when they are awake, and nothing is assumed before.
"""

from __future__ import annotations

import contextlib
import termios
import threading
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from hardware.errors import HardwareRefused
from hardware.frames import LONGEST, frame, parse

AGAIN: Final = 0.5
"""Seconds between two tries to open a device that is away."""
SILENT: Final = 4.0
"""Seconds without a word (boxes say something every second) after which the line is opened anew."""


GONE: Final = (OSError, ValueError, TypeError, termios.error)
"""What comes of a port that was pulled: pyserial lets through what its calls raise, in openings too."""


class Port(Protocol):
    """What is needed of a serial port."""

    def read(self, size: int) -> bytes: ...
    def write(self, data: bytes) -> int | None: ...
    def close(self) -> None: ...


def open_port(path: str, baud: int = 115_200) -> Port:
    """The device file *path* as a port that nobody else may open; reads wait a fifth of a second at most.

    :raises OSError: when it is away or taken. :raises HardwareRefused: without pyserial.
    """
    try:
        import serial
    except ImportError:
        raise HardwareRefused("no_package", package="pyserial") from None
    port: Any = serial.Serial(path, baud, timeout=0.2, write_timeout=0.5, exclusive=True)
    return _Ready(port)


class _Ready:
    """pyserial waits for as many bytes as it is asked for: this one gives what is there."""

    def __init__(self, port: Any) -> None:
        self._port = port

    def read(self, size: int) -> bytes:
        return bytes(self._port.read(min(size, max(1, self._port.in_waiting))))

    def write(self, data: bytes) -> int | None:
        written: int | None = self._port.write(data)
        return written

    def close(self) -> None:
        self._port.close()


class SerialLine:
    """One device at *path*; *heard* is called with the words of each good line, *opened* after each opening."""

    def __init__(
        self,
        path: str,
        heard: Callable[[str], None],
        opened: Callable[[], None] = lambda: None,
        name: str = "serial",
        again: float = AGAIN,
        silent: float | None = SILENT,
        open_port: Callable[[str], Port] = open_port,
    ) -> None:
        self.path, self.name = path, name
        self._heard, self._opened, self._open_port = heard, opened, open_port
        self._again, self._silent = again, silent
        self._port: Port | None = None
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def state(self) -> str:
        return "away" if self._port is None else "ok"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(3.0)
        self._close()

    def say(self, words: str) -> bool:
        """Send a line; false when the device is away (it is told everything anew once it is back)."""
        with self._lock:
            if self._port is None:
                return False
            try:
                self._port.write(frame(words))
                return True
            except GONE:
                return False

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                port = self._open_port(self.path)
            except GONE:
                self._stopped.wait(self._again)
                continue
            with self._lock:
                self._port = port
            with contextlib.suppress(*GONE):
                self._opened()
                self._listen(port)
            self._close()

    def _listen(self, port: Port) -> None:
        waiting, last = b"", time.monotonic()
        while not self._stopped.is_set():
            got = port.read(256)
            if not got:
                if self._silent is not None and time.monotonic() - last > self._silent:
                    return
                continue
            *lines, waiting = (waiting + got).split(b"\n")
            waiting = waiting[-LONGEST:]
            for line in lines:
                words = parse(line)
                if words is not None:
                    last = time.monotonic()
                    self._heard(words)

    def _close(self) -> None:
        with self._lock:
            port, self._port = self._port, None
        if port is not None:
            with contextlib.suppress(*GONE):
                port.close()
