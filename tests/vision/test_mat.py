"""The mat's geometry: found by its markers in any view, zones and directions as the players sit."""

import cv2
import numpy as np
import pytest

from vision.errors import CannotSee
from vision.mat import MARKERS, PLAY, RIGHT, SIZE_MM, UP, ZONES, View, angle_of, find_markers, zone_of
from vision.mat_drawing import ASSETS, draw, svg


def camera_view(size: tuple[int, int], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The drawn mat through a random perspective: the picture, and the true matrix from mm to its pixels."""
    rng = np.random.default_rng(seed)
    width, height = size
    side = height * 0.8
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * side + np.array([(width - side) / 2, (height - side) / 2])
    corners = (square + rng.uniform(-0.05, 0.05, (4, 2)) * height).astype(np.float32)
    mm = np.array([[0, 0], [SIZE_MM, 0], [SIZE_MM, SIZE_MM], [0, SIZE_MM]], np.float32)
    truth = cv2.getPerspectiveTransform(mm, corners)
    scale = 4.0
    pixels = np.array([[1 / scale, 0, 0.5 / scale], [0, 1 / scale, 0.5 / scale], [0, 0, 1]])
    picture = cv2.warpPerspective(draw(scale), truth @ pixels, size, flags=cv2.INTER_AREA, borderValue=(70, 90, 110))
    noise = rng.normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), truth


@pytest.mark.parametrize("size", [(640, 480), (640, 360), (1640, 1232), (3280, 2464)])
@pytest.mark.parametrize("seed", range(3))
def test_markers_give_the_view(size: tuple[int, int], seed: int) -> None:
    picture, truth = camera_view(size, seed)
    view = View.from_markers(picture)
    assert view is not None and view.markers == (0, 1, 2, 3)
    points = np.array([[350, 350], [62, 225], [638, 475], [10, 690]], float)
    pixels = cv2.perspectiveTransform(points.reshape(-1, 1, 2), truth).reshape(-1, 2)
    assert np.abs(view.to_mm(pixels) - points).max() < 1.5
    assert np.abs(view.to_mm(view.to_px(points)) - points).max() < 1e-6


def test_three_markers_suffice_and_two_do_not() -> None:
    picture, truth = camera_view((1640, 1232), 5)
    for covered, found in ((1, True), (2, False)):
        seen = picture.copy()
        for marker in range(covered):
            x, y = cv2.perspectiveTransform(np.array([[MARKERS[marker]]], float), truth).ravel()
            cv2.circle(seen, (round(x), round(y)), 60, (120, 150, 190), -1)
        view = View.from_markers(seen)
        assert (view is not None) is found
        if view is not None:
            centre = cv2.perspectiveTransform(np.array([[[350.0, 350.0]]]), truth).reshape(1, 2)
            assert np.abs(view.to_mm(centre) - 350).max() < 3


def test_no_markers_in_a_picture_without_a_mat() -> None:
    assert find_markers(np.full((480, 640, 3), 120, np.uint8)) == {}


def test_scaled_view_is_the_view_of_the_scaled_picture() -> None:
    picture, _ = camera_view((3280, 2464), 1)
    full = View.from_markers(picture)
    small = View.from_markers(cv2.resize(picture, (640, 480), interpolation=cv2.INTER_AREA))
    assert full is not None and small is not None
    points = [(100.0, 100.0), (350.0, 350.0), (600.0, 200.0)]
    assert np.abs(full.scaled((640, 480)).to_px(points) - small.to_px(points)).max() < 0.5
    assert full.drift(small) < 3.0


def test_touched_corners() -> None:
    view = View.from_corners([(100, 50), (500, 60), (520, 460), (90, 440)], (640, 480))
    assert np.allclose(view.to_mm([(100, 50), (520, 460)]), [[0, 0], [700, 700]], atol=1e-3)
    with pytest.raises(CannotSee, match="four corners"):
        View.from_corners([(0, 0), (10, 10), (20, 20), (30, 30)], (640, 480))
    with pytest.raises(CannotSee):
        View.from_corners([(0, 0), (500, 500), (500, 0), (0, 500)], (640, 480))


def test_zones_lie_on_the_mat_and_do_not_overlap() -> None:
    for zone in ZONES:
        assert 0 <= zone.x0 < zone.x1 <= SIZE_MM and 0 <= zone.y0 < zone.y1 <= SIZE_MM
        assert zone_of(*zone.centre) == zone
    for one in ZONES:
        for two in ZONES:
            if one is not two:
                assert one.x1 <= two.x0 or two.x1 <= one.x0 or one.y1 <= two.y0 or two.y1 <= one.y0


def test_a_card_over_the_edge_goes_to_the_near_zone_and_to_the_player_it_points_to() -> None:
    assert zone_of(350, 250) == PLAY["N"]
    assert zone_of(350, 350) is None
    # Equally far from north's and west's zones: the way the card lies decides.
    assert zone_of(240, 240, angle=UP["N"]) == PLAY["N"]
    assert zone_of(240, 240, angle=UP["W"]) == PLAY["W"]


def test_right_is_a_quarter_turn_from_up() -> None:
    for seat, up in UP.items():
        assert angle_of(*RIGHT[seat]) == pytest.approx((up + 90) % 360)


def test_the_printed_files_are_the_drawing() -> None:
    assert (ASSETS / "mat.svg").read_text("utf-8") == svg()
    stored = cv2.imread(str(ASSETS / "mat.png"))
    assert stored.shape == (2800, 2800, 3) and np.array_equal(stored, draw(4.0))
