"""A display of the turn clock on a serial line (``firmware/shot_clock``): told when it changes and when it is back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardware.serial_line import SerialLine


class ShotClock:
    """The clock at the device file *path*."""

    name = "clock"

    def __init__(self, path: str, line: Callable[..., SerialLine] = SerialLine, **how: Any) -> None:
        self._words = "T - stop"
        self._line = line(path, self._heard, self._opened, "clock", **how)

    @property
    def state(self) -> str:
        return self._line.state

    def start(self) -> None:
        self._line.start()

    def stop(self) -> None:
        self._line.say("T - stop")
        self._line.stop()

    def show(self, seconds: int | None, state: str) -> None:
        words = f"T {'-' if seconds is None else max(0, min(9999, seconds))} {state}"
        if words != self._words:
            self._words = words
            self._line.say(words)

    def _opened(self) -> None:
        self._line.say(self._words)

    def _heard(self, words: str) -> None:
        if words.startswith("HELLO"):  # it has just woken up and shows nothing yet
            self._line.say(self._words)
