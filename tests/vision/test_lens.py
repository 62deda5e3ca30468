"""A lens that bends straight lines, found out from the mat's own markers."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from simulator.camera import VirtualCamera
from simulator.lens import Lens, Optics
from simulator.world import World
from table.virtual import record_of
from vision.lens import bend_of, bent, straight
from vision.mat import MARKERS, PLAY, View, marker_corners

SIZE = (3280, 2464)
PLACES = np.concatenate([zone.corners() for zone in PLAY.values()])
MM = np.concatenate([marker_corners(marker) for marker in MARKERS])


def test_there_and_back() -> None:
    points = np.random.default_rng(3).uniform((0, 0), SIZE, (50, 2))
    for bend in (-0.02, 0.0, 0.02, 0.2):
        assert np.abs(bent(straight(points, SIZE, bend), SIZE, bend) - points).max() < 0.01


@pytest.mark.parametrize(("bend", "before", "after"), [((-0.055, 0.012), 1.0, 0.3), ((-0.2, 0.04), 5.0, 1.0)])
def test_the_markers_tell_how_the_lens_bends(bend: tuple[float, float], before: float, after: float) -> None:
    lens = Lens(replace(Optics.over_mat(SIZE), bend=bend), SIZE)
    noise = np.random.default_rng(4).normal(0, 0.15, (len(MM), 2))
    pixels = lens.to_px(MM) + noise
    found = bend_of(pixels, MM, SIZE)
    flat, _ = cv2.findHomography(straight(pixels, SIZE, found), MM)
    plain, _ = cv2.findHomography(pixels, MM)

    def off(view: View) -> float:
        return float(np.hypot(*(view.to_mm(lens.to_px(PLACES)) - PLACES).T).max())

    seen = View(flat, SIZE, tuple(MARKERS), found)
    assert off(View(plain, SIZE)) > before and off(seen) < after
    small = seen.scaled((820, 616))
    assert np.abs(small.to_mm(small.to_px(PLACES)) - PLACES).max() < 0.01
    assert np.abs(small.to_px(PLACES) * 4 + 1.5 - seen.to_px(PLACES)).max() < 0.05


def test_a_lens_that_bends_nothing_is_left_alone() -> None:
    lens = Lens(replace(Optics.over_mat(SIZE), bend=(0.0, 0.0)), SIZE)
    for seed in range(5):
        noise = np.random.default_rng(seed).normal(0, 0.3, (len(MM), 2))
        assert bend_of(lens.to_px(MM) + noise, MM, SIZE) == 0.0


def test_the_view_of_a_still_knows_its_lens() -> None:
    world = World(record_of(9, 1, "championship", 1)[:2], seed=1)
    optics = replace(Optics.over_mat(SIZE), bend=(-0.12, 0.02))
    image = VirtualCamera(world, lambda: 0.5, SIZE, optics).still().image
    for hidden, most in ((None, 1.0), (0, 1.5), (2, 1.5)):
        seen = image.copy()
        if hidden is not None:
            x, y = (int(each) for each in Lens(optics, SIZE).to_px(np.array([MARKERS[hidden]]))[0])
            seen[y - 60 : y + 60, x - 60 : x + 60] = 90
        view = View.from_markers(seen)
        assert view is not None and view.bend > 0.02 and len(view.markers) == (4 if hidden is None else 3)
        assert np.hypot(*(view.to_mm(Lens(optics, SIZE).to_px(PLACES)) - PLACES).T).max() < most
