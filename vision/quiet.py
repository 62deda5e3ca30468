"""Libraries that print what they think of a file, kept quiet: the one sentence that the user reads is ours."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np

# FFmpeg asks for it once, when the first film is opened or written.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

_TURN = threading.Lock()


def hush() -> None:
    """Keep OpenCV and FFmpeg from printing what they think of a file or a device."""
    logging = getattr(getattr(cv2, "utils", None), "logging", None)
    if logging is not None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)


def decoded(data: Any, flag: int) -> np.ndarray | None:
    """``cv2.imdecode`` of *data* (bytes as uint8), in silence; None for what is no picture, or a damaged one."""
    hush()
    try:
        with _no_words():
            return cv2.imdecode(data, flag)
    except (cv2.error, MemoryError):
        return None


@contextmanager
def _no_words() -> Iterator[None]:
    """libpng and libjpeg write to the process's standard error and ask nobody: it leads nowhere meanwhile."""
    with _TURN:
        try:
            kept = os.dup(2)
        except OSError:  # closed by whoever started us: nobody hears it anyway
            yield
            return
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 2)
            os.close(nowhere)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
