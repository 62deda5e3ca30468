"""What a table tells of its camera: the height of an index, and the light of the hall."""

from __future__ import annotations

import threading

import cv2
import numpy as np
import pytest

from table.desk import Desk
from table.sight import Sight
from table.sources import CameraSource
from venue.protocol import LIGHTS, STATUS
from vision.camera import Frame
from vision.mat import INDEX_MM, SIZE_MM, View
from vision.mat_drawing import draw

FULL, SMALL = (2700, 2240), (820, 680)


@pytest.fixture(scope="module")
def mat() -> np.ndarray:
    return draw(1.0)


def picture(mat: np.ndarray, bright: float, shadow: float = 1.0) -> tuple[np.ndarray, View]:
    """A small frame of the mat in this light, its left half in a shadow, and how full pictures see it."""
    side = 0.9 * SMALL[1]
    left, top = (SMALL[0] - side) / 2, (SMALL[1] - side) / 2
    corners = [(left, top), (left + side, top), (left + side, top + side), (left, top + side)]
    size = mat.shape[0]
    source = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.array(corners, np.float32))
    seen = cv2.warpPerspective(mat, matrix, SMALL, flags=cv2.INTER_AREA, borderValue=(60, 70, 80)) * bright
    seen[:, : SMALL[0] // 2] *= shadow
    scale = FULL[0] / SMALL[0]
    return np.clip(seen, 0, 255).astype(np.uint8), View.from_corners([(x * scale, y * scale) for x, y in corners], FULL)


@pytest.mark.parametrize(
    ("bright", "shadow", "word"), [(0.8, 1.0, "fine"), (0.25, 1.0, "dark"), (1.3, 1.0, "bright"), (0.85, 0.5, "uneven")]
)
def test_the_light_is_told_in_a_word(mat: np.ndarray, bright: float, shadow: float, word: str) -> None:
    image, view = picture(mat, bright, shadow)
    told = Sight().look(image, view, INDEX_MM)
    assert told["light"] == word and word in LIGHTS and set(told) <= set(STATUS)


def test_the_index_is_measured_in_the_full_picture(mat: np.ndarray) -> None:
    image, view = picture(mat, 0.8)
    told = Sight().look(image, view, INDEX_MM)["index_px"]
    expected = INDEX_MM * 0.9 * SMALL[1] * (FULL[0] / SMALL[0]) / SIZE_MM
    assert told == pytest.approx(expected, rel=0.02)
    assert Sight().look(image, view, 2 * INDEX_MM)["index_px"] == pytest.approx(2 * told, rel=0.01)


def test_an_arm_over_the_mat_makes_no_dark_hall(mat: np.ndarray) -> None:
    image, view = picture(mat, 0.8)
    covered = np.zeros_like(image)
    sight = Sight()
    for frame in (image, image, covered, image, covered):
        told = sight.look(frame, view, INDEX_MM)
        assert told["light"] == "fine"
    for _ in range(20):
        told = sight.look(covered, view, INDEX_MM)
    assert told["light"] == "dark"


def test_what_is_not_known_is_left_out() -> None:
    assert Sight().look(None, None, INDEX_MM) == {}
    view = View.from_corners([(0, 0), (900, 0), (900, 900), (0, 900)], (900, 900))
    assert set(Sight().look(None, view, INDEX_MM)) == {"index_px"}


def test_a_real_tables_loop_tells_what_its_camera_sees_now(mat: np.ndarray) -> None:
    image, view = picture(mat, 0.25)

    class Camera:
        """Gives one frame, then the video is over."""

        left = 1

        def motion(self) -> Frame | None:
            self.left -= 1
            return Frame(1.0, image) if self.left >= 0 else None

        def close(self) -> None:
            pass

    class Watcher:
        """An eye that knows where the mat lies."""

        index_mm, ended = INDEX_MM, False

        def __init__(self) -> None:
            self.view = view

        def step(self, camera: Camera) -> list[object]:
            self.ended = camera.motion() is None
            return []

    source = CameraSource(Camera(), Watcher())  # type: ignore[arg-type]
    assert source.sees()[0] is None
    source.start(Desk)
    while not source.ended and source.failed.error is None:
        threading.Event().wait(0.01)
    source.stop()
    assert source.failed.error is None
    told = Sight().look(*source.sees())
    assert told["light"] == "dark" and told["index_px"] > 0
