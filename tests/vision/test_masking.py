"""What is stored shows the mat's zones and nothing else."""

import numpy as np
import pytest

from vision.camera import Frame, cut
from vision.masking import mask
from vision.mat import PLAY, REPORT, TURNED, View


@pytest.fixture
def view() -> View:
    return View.from_corners([(200, 40), (1400, 60), (1380, 1180), (220, 1160)], (1640, 1232))


def white() -> Frame:
    return Frame(3.0, np.full((1232, 1640, 3), 255, np.uint8))


def brightness(frame: Frame, view: View, x: float, y: float) -> int:
    px, py = np.round(view.to_px([(x, y)])[0]).astype(int) - np.array(frame.origin)
    return int(frame.image[py, px, 0])


def test_zones_stay_and_the_rest_is_black(view: View) -> None:
    masked = mask(white(), view)
    for zone in (*PLAY.values(), *TURNED.values()):
        assert brightness(masked, view, *zone.centre) == 255
    for zone in REPORT.values():
        assert brightness(masked, view, *zone.centre) == 0
    assert brightness(masked, view, 350, 350) == 0
    assert not masked.image[:30].any() and not masked.image[:, :150].any() and not masked.image[:, -200:].any()
    assert masked.t == 3.0


def test_a_part_is_masked_as_the_whole_is(view: View) -> None:
    box = (300, 100, 900, 700)
    part = mask(cut(white(), box), view)
    assert part.origin == (300, 100) and part.full_size == (1640, 1232)
    assert np.array_equal(part.image, mask(white(), view).image[100:700, 300:900])


def test_the_picture_itself_is_left_as_it_was(view: View) -> None:
    frame = white()
    mask(frame, view, [PLAY["S"]])
    assert frame.image.all()


def test_the_small_stream_is_masked_by_the_same_view(view: View) -> None:
    small = Frame(0.0, np.full((481, 640, 3), 255, np.uint8))
    masked = mask(small, view, [PLAY["S"]])
    assert 0.05 < float((masked.image > 0).mean()) < 0.12
