"""What systemd is told: ready, how it goes, and a sign of life that only real progress gives.

The sign goes out from the drawing loop itself, and only while the eye's loop turns too: a hung window or a hung eye
falls silent and the service is started anew. (A camera without a picture is no hang: the eye goes on looking for it.)
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Mapping

STALE = 10.0
"""Seconds after which an eye that has not looked is taken for hung."""


class Watchdog:
    """Speaks the one-datagram protocol of ``sd_notify``; silent where nobody asked for it. *now* is monotonic."""

    def __init__(self, now: Callable[[], float], environment: Mapping[str, str] = os.environ) -> None:
        self._now = now
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        seconds = int(environment.get("WATCHDOG_USEC", "0")) / 1e6 if mine else 0.0
        self._every = seconds / 3 if seconds else None
        self._next = 0.0
        self._status, self._ready = "", False

    def ready(self) -> None:
        """The first picture is on the screen; said once."""
        if not self._ready:
            self._ready = True
            self._say("READY=1")

    def stopping(self) -> None:
        self._say("STOPPING=1")

    def turned(self, looked_at: float, status: str = "") -> None:
        """The drawing loop has gone round once; the eye last looked at *looked_at*."""
        now = self._now()
        if status != self._status:
            self._status = status
            self._say(f"STATUS={status}")
        if self._every is None or now < self._next or now - looked_at > STALE:
            return
        self._next = now + self._every
        self._say("WATCHDOG=1")

    def _say(self, words: str) -> None:
        if not self._address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(words.encode(), self._address)
