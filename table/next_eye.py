"""An eye that waits for its turn: put on between two deals, never while cards are being played."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

PLAYED: Final = "deal"
"""The phase of a match in which the eye that began it also ends it."""


class NextEye:
    """Handed over by one thread, taken by the one that looks. Of two that wait, the later one counts."""

    def __init__(self) -> None:
        self.at_once = False
        """The first one need not wait: this machine takes a deal over, which another one read with the same deck."""
        self._lock = threading.Lock()
        self._waiting: tuple[Callable[[], Any], Callable[[], None]] | None = None

    def hand(self, eye_of: Callable[[], Any], taken: Callable[[], None]) -> None:
        """What *eye_of* makes is to look from the next deal on; *taken* is called when its turn has come."""
        with self._lock:
            self._waiting = eye_of, taken

    def due(self, phase: str) -> Callable[[], Any] | None:
        """What makes the eye to be put on in this *phase* of the match, None while there is none."""
        if self._waiting is None or (phase == PLAYED and not self.at_once):
            return None
        with self._lock:
            waiting, self._waiting, self.at_once = self._waiting, None, False
        if waiting is None:
            return None
        waiting[1]()
        return waiting[0]
