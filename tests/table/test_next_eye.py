"""The camera's loop and the eye that waits: the one that began a deal ends it, the next one sees the next deal."""

from __future__ import annotations

import queue
from types import SimpleNamespace

import numpy as np

from table.inputs import Seen
from table.sources import CameraSource
from vision.camera import Frame


class Camera:
    """Gives a frame for each word that the test lets through."""

    def __init__(self) -> None:
        self.turns: queue.SimpleQueue[int] = queue.SimpleQueue()

    def motion(self) -> Frame:
        return Frame(np.zeros((2, 2, 3), np.uint8), float(self.turns.get(timeout=30)))

    def still(self, box: object = None) -> Frame:
        raise AssertionError("nobody asked for one")

    def close(self) -> None:
        pass


class Eye:
    """Tells its name at each frame."""

    ended, view, index_mm = False, None, 9.0

    def __init__(self, name: str) -> None:
        self.name = name

    def step(self, camera: Camera) -> list[object]:
        frame = camera.motion()
        return [SimpleNamespace(name=self.name, t=frame.t)]


def test_the_eye_changes_between_two_deals_and_never_in_one() -> None:
    camera, taken = Camera(), []
    desk = SimpleNamespace(match=SimpleNamespace(phase="deal"))
    source = CameraSource(camera, Eye("first"))  # type: ignore[arg-type]
    source.start(lambda: desk)  # type: ignore[arg-type,return-value]

    def look() -> str:
        """The next frame is there; who saw it."""
        camera.turns.put(0)
        while not isinstance(given := source.inputs.get(timeout=30), Seen):
            pass
        return str(given.observation.name)  # type: ignore[attr-defined]

    assert look() == "first"
    source.next_eye.hand(lambda: Eye("second"), lambda: taken.append("second"))
    assert [look() for _ in range(3)] == ["first"] * 3 and not taken
    desk.match.phase = "between"
    look()  # the frame that was waited for already
    assert look() == "second" and taken == ["second"]
    desk.match.phase = "deal"
    assert [look() for _ in range(2)] == ["second"] * 2
    for _ in range(60):
        camera.turns.put(0)  # whoever waits for a frame is let go
    source.stop()
