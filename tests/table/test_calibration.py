"""The camera's place on the screen: a live picture and what is to be done, between matches and for anybody."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from table import screens
from table.calibrating import SHOWN_WIDE, Calibrating
from table.controller import Controller
from table.desk import Desk
from table.effects import Calibrate, Effect
from table.inputs import Calibrated, Directed, Tapped
from table.screens.canvas import Canvas, has_glyphs
from table.screens.gallery import SIZES
from table.sources import CameraSource
from table.theme import theme
from table.view import Calibration, Remark, TableView
from table.words import LANGUAGES, Words
from vision.camera import Frame, small
from vision.errors import words as eye_words

MAT = Path(__file__).resolve().parents[2] / "assets" / "mat" / "mat.png"


@pytest.fixture(scope="module")
def mat() -> np.ndarray:
    """The printed mat in the middle of a picture, large enough."""
    picture = np.full((2592, 4608, 3), 70, np.uint8)
    picture[46:2546, 1054:3554] = cv2.resize(cv2.imread(str(MAT)), (2500, 2500), interpolation=cv2.INTER_AREA)
    return picture


class Hung:
    """A camera that shows one picture for ever."""

    def __init__(self, image: np.ndarray) -> None:
        self.image, self.stills, self.t = image, 0, 0.0

    def motion(self) -> Frame:
        self.t += 0.1
        return Frame(self.t, small(self.image))

    def still(self, box: Any = None) -> Frame:
        self.stills += 1
        return Frame(self.t, self.image)

    def close(self) -> None: ...


def orders(effects: list[Effect]) -> list[str]:
    return [effect.what for effect in effects if isinstance(effect, Calibrate)]


# -- the camera's side ------------------------------------------------------------------------------------------------


def looked(camera: Hung, seconds: float, held: dict[str, Any] | None = None, relight: Any = None) -> list[Calibration]:
    side = Calibrating(relight, held)
    assert not side.wanted
    side.told([Calibrate("begin")])
    found = []
    while camera.t < seconds:
        assert side.wanted
        found += [each.calibration for each in side.step(camera, lambda: 7.0)]
    side.told([Calibrate("stop")])
    assert list(side.step(camera, lambda: 7.0)) == [] and not side.wanted, "the eye has its camera back"
    return found


def test_the_mat_is_shown_live_and_judged_now_and_then(mat: np.ndarray) -> None:
    camera = Hung(mat)
    found = looked(camera, 5.0, {"exposure": 20_000})
    assert 12 <= len(found) <= 17, "about three pictures a second"
    assert 2 <= camera.stills <= 3, "a whole picture is looked at every other second"
    shown = found[-1]
    assert shown.size == (SHOWN_WIDE, 270) and len(shown.picture) == SHOWN_WIDE * 270 * 3 and shown.held == 20
    assert {"whole", "size", "no_glare"} <= {each.key for each in shown.remarks}
    assert all(each.state != "bad" for each in shown.remarks) and not shown.can_hold
    drawn = np.frombuffer(shown.picture, np.uint8).reshape(270, SHOWN_WIDE, 3).astype(int)
    plain = small(camera.motion().image, SHOWN_WIDE).astype(int)
    assert 500 < (abs(drawn - plain).max(axis=2) > 30).sum() < 20_000, "the mat is drawn where it was found"


def test_without_the_mat_in_view_the_picture_is_there_all_the_same(mat: np.ndarray) -> None:
    (remark,) = looked(Hung(mat[:, :2000].copy()), 0.5)[0].remarks
    assert (remark.key, remark.state, remark.values) == ("mat", "bad", (("found", "2"),))


def test_the_exposure_is_found_anew_when_somebody_asks(mat: np.ndarray) -> None:
    side = Calibrating(lambda: {"exposure": 10_000}, {"exposure": 20_000})
    side.told([Calibrate("begin")])
    (before,) = side.step(Hung(mat), lambda: 1.0)
    side.told([Calibrate("light")])
    (after,) = side.step(Hung(mat), lambda: 1.0)
    assert (before.calibration.held, after.calibration.held) == (20, 10) and after.calibration.can_hold


def test_while_the_page_is_open_the_eye_sees_nothing(mat: np.ndarray) -> None:
    class Watcher:
        index_mm, ended, view, steps = 9.5, False, None, 0

        def step(self, camera: Any) -> list[object]:
            self.steps += camera.motion() is not None
            return []

    watcher = Watcher()
    source = CameraSource(Hung(mat), watcher)  # type: ignore[arg-type]
    source.calibrating = Calibrating()
    source.told([Calibrate("begin")])
    source.start(Desk)
    shown = source.inputs.get(timeout=30)
    while not isinstance(shown, Calibrated):
        shown = source.inputs.get(timeout=30)
    assert watcher.steps == 0 and shown.calibration.picture
    source.told([Calibrate("stop")])
    while not watcher.steps:
        threading.Event().wait(0.01)
    source.stop()
    assert source.failed.error is None


# -- the desk's side --------------------------------------------------------------------------------------------------


def test_anybody_may_look_between_matches_and_leaving_gives_the_camera_back() -> None:
    controller = Controller(calibrates=True)
    controller.handle(Tapped(1.0, "diagnosis"))
    assert controller.view.may_calibrate
    assert orders(controller.handle(Tapped(2.0, "calibration"))) == ["begin"]
    seen = Calibration((Remark("whole", "ok"),), can_hold=True)
    controller.handle(Calibrated(3.0, seen))
    assert controller.view.screen == "calibration" and controller.view.calibration == seen
    assert orders(controller.handle(Tapped(4.0, "light"))) == ["light"]
    assert orders(controller.handle(Tapped(5.0, "close"))) == ["stop"]
    assert controller.view.screen == "start" and controller.view.calibration is None
    controller.handle(Calibrated(6.0, seen))
    assert controller.view.calibration is None, "a picture that comes late opens no page"


def test_in_a_match_the_camera_is_not_lent() -> None:
    controller = Controller(calibrates=True)
    controller.handle(Tapped(1.0, "start"))
    controller.handle(Tapped(2.0, "diagnosis"))
    assert orders(controller.handle(Tapped(3.0, "calibration"))) == []
    shown = controller.view.calibration
    assert shown is not None and shown.busy
    controller.handle(Calibrated(4.0, Calibration(picture=b"x")))
    assert controller.view.calibration == shown, "hands and cards are nobody's to see"
    assert orders(controller.handle(Tapped(5.0, "close"))) == []


def test_a_match_that_begins_takes_the_camera() -> None:
    controller = Controller(calibrates=True)
    controller.handle(Tapped(2.0, "calibration"))
    assert orders(controller.handle(Tapped(3.0, "start"))) == ["stop"] and controller.view.screen == "playing"
    hall = Controller(calibrates=True)
    hall.handle(Tapped(1.0, "calibration"))
    record = {"ruleset": "national", "profile": "championship", "names": {}}
    hall.handle(Directed(2.0, "seat", {"match": "M", "record": record}))
    assert orders(hall.handle(Directed(3.0, "start", {"match": "M"}))) == ["stop"]


def test_a_table_without_a_camera_of_its_own_offers_none() -> None:
    controller = Controller()
    controller.handle(Tapped(1.0, "diagnosis"))
    assert not controller.view.may_calibrate
    assert orders(controller.handle(Tapped(2.0, "calibration"))) == [] and controller.view.screen == "diagnosis"


# -- the page ---------------------------------------------------------------------------------------------------------

VALUES = {"seat": "N", "corner": "SW", "px": "16", "cm": "125", "wanted": "12800", "found": "3"}
NO_REMARKS = {"N", "E", "S", "W", "NW", "NE", "SE", "SW", "locked", "unlocked", "good", "bad"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_every_remark_is_said_whole(size: str, language: str) -> None:
    words, canvas = Words(language), Canvas(theme(*map(int, size.split("x"))))
    for key, pattern in eye_words(language, "placement").items():
        if key in NO_REMARKS:
            continue
        values = tuple((name, value) for name, value in VALUES.items() if f"{{{name}}}" in pattern)
        shown = Calibration((Remark(key, "bad", values),), b"\x30" * (480 * 270 * 3), (480, 270), 20, True)
        screens.draw(canvas, TableView(screen="calibration", calibration=shown), words, 0.0)
        told = "".join(written.text for written in canvas.written).replace(" ", "")
        whole = pattern.format(**{name: eye_words(language, "placement").get(value, value) for name, value in values})
        assert whole[1:].replace(" ", "") in told, f"{key}: {told}"
        assert has_glyphs(whole)
