"""Where pictures come from: the protocol of every camera, and a recorded video as one.

A camera gives two streams of one view: a small one to watch for motion, and full stills that are asked for only when
the table lies still. Images are BGR uint8, (height, width, 3). Times are the camera's own monotonic seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import cv2
import numpy as np

from vision.errors import CannotSee
from vision.films import is_cut_short
from vision.quiet import hush

MOTION_WIDTH = 640
"""Width of the small stream in pixels; the height follows the camera's shape."""

Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the full still."""


@dataclass(frozen=True)
class Frame:
    """One picture and when it was taken; a part of a still says where it lies in the whole."""

    t: float
    image: np.ndarray
    origin: tuple[int, int] = (0, 0)
    """Where the image's top left pixel lies in the full still."""
    full: tuple[int, int] | None = None
    """Width and height of the full still; None: the image is the whole."""

    @property
    def full_size(self) -> tuple[int, int]:
        return self.full or (self.image.shape[1], self.image.shape[0])


@runtime_checkable
class Camera(Protocol):
    """What the eye looks through."""

    def motion(self) -> Frame | None:
        """The next frame of the small stream; None when there will be no more (a video's end)."""

    def still(self, box: Box | None = None) -> Frame:
        """The full picture of now. With *box* the camera may give that part only (then ``Frame.origin`` and
        ``Frame.full`` say so), or the whole all the same."""

    def close(self) -> None:
        """Give the device back."""


def small(image: np.ndarray, width: int = MOTION_WIDTH) -> np.ndarray:
    """*image* at the small stream's *width*; an image that is not wider comes back as it is."""
    if image.shape[1] <= width:
        return image
    height = max(1, round(image.shape[0] * width / image.shape[1]))
    return cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)


def cut(frame: Frame, box: Box | None) -> Frame:
    """The part of a whole *frame* inside *box*, clipped to the picture (a view, not a copy)."""
    if box is None:
        return frame
    height, width = frame.image.shape[:2]
    x0, y0 = max(0, box[0]), max(0, box[1])
    x1, y1 = min(width, max(x0 + 1, box[2])), min(height, max(y0 + 1, box[3]))
    return Frame(frame.t, frame.image[y0:y1, x0:x1], (x0, y0), (width, height))


_TERMINAL_ART = int.from_bytes(b"ansi", "little")


class VideoCamera:
    """A recorded video as a camera: every frame is motion, the same frame in full is the still.

    :raises CannotSee: when the file is missing, is no video or holds no frame.
    """

    def __init__(self, path: str | Path, every: int = 1) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise CannotSee("no_file", file=path)
        if self.path.is_dir():
            raise CannotSee("folder", file=path)
        hush()
        self._capture = cv2.VideoCapture(str(self.path))
        first = self._read() if self._capture.isOpened() else None
        # FFmpeg shows any long text as a film of terminal art; nobody means that.
        if first is None or int(self._capture.get(cv2.CAP_PROP_FOURCC)) == _TERMINAL_ART:
            self._capture.release()
            raise CannotSee("film_cut" if is_cut_short(self.path) else "no_video", file=path)
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = rate if 0.1 < rate < 1000 else 25.0
        self._every = max(1, every)
        self._next: np.ndarray | None = first
        self._now: Frame | None = None
        self._count = 0

    @property
    def frames(self) -> int:
        """How many frames the file says it has; 0 when it does not say."""
        return max(0, int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)))

    @property
    def t(self) -> float:
        """Seconds of the frame that was given last; 0 before the first."""
        return 0.0 if self._now is None else self._now.t

    def _read(self) -> np.ndarray | None:
        good, image = self._capture.read()
        return image if good and image is not None and image.size else None

    def motion(self) -> Frame | None:
        image = self._next
        if image is None:
            return None
        t = self._count / self.fps
        self._now = Frame(t, image)
        for _ in range(self._every):
            self._next = self._read()
            self._count += 1
        return Frame(t, small(image))

    def still(self, box: Box | None = None) -> Frame:
        if self._now is None:
            assert self._next is not None
            return cut(Frame(0.0, self._next), box)
        return cut(self._now, box)

    def close(self) -> None:
        self._capture.release()
