"""Waiting for what comes when it comes, and hearing Ctrl-C wherever the tests run."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds after which what is waited for will not come."""


def until(condition: Callable[[], T]) -> T:
    """What *condition* says once that is true; it is looked at again and again."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come so far"
        time.sleep(0.01)
    return found


def listen_to_ctrl_c() -> None:
    """For ``preexec_fn``: what a shell starts in the background ignores it, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
