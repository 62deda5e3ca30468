"""A camera's place judged from one picture of the mat, made with its own drawing: each fault, and what is said."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.mat import PLAY, SIZE_MM, View
from vision.mat_drawing import draw
from vision.placement import Remark, judge

SIZE = (2700, 2240)


@pytest.fixture(scope="module")
def mat() -> np.ndarray:
    return draw(3.0)


def seen(mat: np.ndarray, scale: float = 3.0, size: tuple[int, int] = SIZE, tilt: float = 0.0, light: float = 1.0,
         shift: tuple[float, float] = (0, 0)) -> np.ndarray:  # fmt: skip
    """The mat in the middle of a picture at *scale* pixels a millimetre; *tilt* draws the far side in."""
    side, (width, height) = scale * SIZE_MM, size
    left, top = (width - side) / 2 + shift[0], (height - side) / 2 + shift[1]
    far = tilt * side / 2
    corners = np.array([[left + far, top + far], [left + side - far, top + far], [left + side, top + side],
                        [left, top + side]], np.float32)  # fmt: skip
    whole = mat.shape[0]
    source = np.array([[0, 0], [whole, 0], [whole, whole], [0, whole]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners)
    picture = cv2.warpPerspective(mat, matrix, size, flags=cv2.INTER_AREA, borderValue=(60, 70, 80))
    return np.clip(picture * (0.85 * light), 0, 255).astype(np.uint8)


def keys(remarks: list[Remark], *states: str) -> list[str]:
    return [remark.key for remark in remarks if remark.state in (states or ("warn", "bad"))]


def test_a_camera_in_its_place(mat: np.ndarray) -> None:
    remarks = judge(seen(mat))
    assert keys(remarks) == []
    assert {remark.key for remark in remarks} == {"whole", "size", "sharp", "light", "no_glare"}


def test_a_camera_too_far_away_is_told_how_much_closer(mat: np.ndarray) -> None:
    """1.7 px a mm in a 2700 px picture: 122 cm away, 16 px an index; 20 px are seen from 99 cm."""
    remarks = judge(seen(mat, 1.7))
    assert remarks[0] == Remark("size_far", "bad", {"seat": remarks[0].values["seat"], "px": 16, "cm": 25})
    small = judge(seen(mat, 2.5))[0]
    assert (small.key, small.state, small.values["px"]) == ("size_small", "warn", 24)


def test_a_picture_with_too_few_pixels_cannot_be_helped_by_coming_closer(mat: np.ndarray) -> None:
    remark = judge(seen(mat, 1.7, (1500, 1296)))[0]
    assert (remark.key, remark.state) == ("size_pixels", "bad") and remark.values["wanted"] == 1900


def test_the_far_seat_of_a_tilted_camera_is_named(mat: np.ndarray) -> None:
    remarks = judge(seen(mat, tilt=0.5))
    tilted = next(remark for remark in remarks if remark.key == "tilted")
    assert tilted.values == {"seat": "N"}
    assert next(remark for remark in remarks if remark.key.startswith("size")).values["seat"] == "N"


def test_a_mat_that_leaves_the_picture(mat: np.ndarray) -> None:
    assert judge(seen(mat, shift=(0, 95)))[0] == Remark("cut", "bad", {"seat": "S"})
    none = judge(np.full((1000, 1600, 3), 60, np.uint8))
    assert none == [Remark("mat", "bad", {"found": 0})]


@pytest.mark.parametrize(("sigma", "state"), [(0.8, "ok"), (3.0, "warn"), (6.0, "bad")])
def test_blur_is_measured_on_the_markers(mat: np.ndarray, sigma: float, state: str) -> None:
    blurred = cv2.GaussianBlur(seen(mat), (0, 0), sigma)
    found = next(remark for remark in judge(blurred) if remark.key in ("sharp", "blurred"))
    assert found.state == state


def test_light(mat: np.ndarray) -> None:
    assert "light_little" in keys(judge(seen(mat, light=0.35)), "bad")
    assert "light_much" in keys(judge(seen(mat, light=2.0)), "bad")
    picture = seen(mat).astype(np.float32)
    picture *= np.linspace(1.15, 0.45, picture.shape[1])[None, :, None]
    uneven = next(remark for remark in judge(picture.astype(np.uint8)) if remark.key == "light_uneven")
    assert uneven.values["corner"] in ("NE", "SE")


def test_a_lamp_that_mirrors_is_told_by_its_seat(mat: np.ndarray) -> None:
    picture = seen(mat)
    view = View.from_markers(picture)
    assert view is not None
    x, y = view.to_px([PLAY["W"].centre])[0]
    cv2.circle(picture, (int(x), int(y)), 40, (255, 255, 255), -1)
    glare = next(remark for remark in judge(cv2.GaussianBlur(picture, (0, 0), 1.0)) if remark.key == "glare")
    assert glare.values == {"seat": "W"}
