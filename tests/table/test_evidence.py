"""Evidence: an alert leaves ten masked seconds and the corners, friends leave nothing, what is over is deleted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import Card
from table.evidence import Recorder
from table.evidence_shelf import Kept, Shelf
from table.inputs import Pressed, Seen
from tests.table.scripted import Scripted
from vision.camera import Box, Frame, cut
from vision.evidence import FPS, Ring
from vision.mat import PLAY, View
from vision.observations import Laid, SeenCard

SIZE = (640, 640)
VIEW = View.from_corners([(20, 20), (620, 20), (620, 620), (20, 620)], SIZE)
HOUR = 3600.0


class Bright:
    """A camera that sees a bright table, another grey each time: whatever is not masked shows."""

    def __init__(self) -> None:
        self.t = 0.0

    def motion(self) -> Frame | None:
        self.t += 0.1
        return Frame(self.t, np.full((SIZE[1], SIZE[0], 3), 160 + round(self.t * 10) * 7 % 90, np.uint8))

    def still(self, box: Box | None = None) -> Frame:
        return cut(Frame(self.t, np.full((SIZE[1], SIZE[0], 3), 250, np.uint8)), box)

    def close(self) -> None:
        pass


class Watched:
    """A scripted table under a camera, with a recorder on a shelf and a wall clock that the test sets."""

    def __init__(self, folder: Path, profile: str = "championship") -> None:
        self.wall = 1_000_000.0
        self.table = Scripted(profile)
        self.shelf = Shelf(folder)
        self.ready: list[str] = []
        self.recorder = Recorder(
            self.shelf, lambda: self.wall, threaded=False, ready=lambda alert, files: self.ready.append(alert)
        )
        self.camera = self.recorder.watch(Bright(), lambda: VIEW)
        self.recorder.start(lambda: self.table.controller.desk, lambda: 1)
        self._told = 0

    def look(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.camera.motion()
            self.recorder.noticed([], VIEW)
        self.tell()

    def tell(self) -> None:
        new, self._told = self.table.effects[self._told :], len(self.table.effects)
        self.recorder.told(new)

    def lay(self, seat: str, *names: str) -> None:
        """Cards settle in the seat's zone, as the eye says it."""
        x, y = PLAY[seat].centre
        place = VIEW.to_px([(x, y)])[0]
        cards = tuple(
            SeenCard(Card.parse(name), 0.999, True, ((Card.parse(name), 0.999),), ((float(place[0]), float(place[1])),),
                     180.0 if seat == "N" else 0.0, (x, y), ((x, y),))
            for name in names
        )  # fmt: skip
        self.camera.motion()
        self.camera.still()
        self.table.t += 3.0
        t = self.table.t
        seen = Laid(t, seat, cards, t - 1.0, 3, True, t - 0.3)
        self.recorder.noticed([seen], VIEW)
        self.table.give(Seen(seen))
        self.tell()

    def kinds(self) -> list[str]:
        return [kept.kind for kept in self.shelf.kept()]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    yield Watched(tmp_path / "evidence")


def call(watched: Watched) -> None:
    watched.table.t += 1.0
    watched.table.give(Pressed(watched.table.t, "E", "call"))
    watched.tell()


def test_an_alert_leaves_the_seconds_around_it(watched: Watched) -> None:
    watched.look(20.0)
    call(watched)
    watched.look(4.0)
    assert not watched.shelf.kept(), "five seconds after it have not gone by"
    watched.look(2.0)
    (kept,) = watched.shelf.kept()
    assert kept.kind == "clip" and kept.type == "image/webp" and watched.ready == [kept.alert]
    data = watched.shelf.path(kept).read_bytes()
    assert hashlib.sha256(data).hexdigest() == kept.sha256 == watched.shelf.path(kept).stem and len(data) == kept.size
    good, moving = cv2.imreadanimation(str(watched.shelf.path(kept)))
    assert good and abs(len(moving.frames) - 10 * FPS) <= 1 and abs(sum(moving.durations) - 10_000) <= 300


def test_what_lies_outside_the_zones_is_black_in_it(watched: Watched) -> None:
    watched.look(6.0)
    call(watched)
    watched.look(6.0)
    (kept,) = watched.shelf.kept()
    _, moving = cv2.imreadanimation(str(watched.shelf.path(kept)))
    for frame in (moving.frames[0], moving.frames[-1]):
        grey = frame[:, :, :3].max(axis=2)
        assert grey[:12].max() < 40 and grey[:, :12].max() < 40 and grey[310:330, 310:330].max() < 40
        x, y = VIEW.to_px([PLAY["S"].centre])[0]
        assert grey[int(y), int(x)] > 150


def test_an_illegal_play_leaves_its_corners_and_those_it_was_to_beat(watched: Watched) -> None:
    watched.look(3.0)
    watched.lay("N", "S8")
    watched.look(2.0)
    watched.lay("W", "H3")
    assert [alert.kind for alert in watched.table.alerts] == ["does_not_beat"]
    watched.look(6.0)
    assert watched.kinds() == ["clip", "crop", "crop"]
    crops = [kept for kept in watched.shelf.kept() if kept.kind == "crop"]
    assert [(kept.seat, kept.candidates[0][0]) for kept in crops] == [("W", "H3"), ("N", "S8")]
    assert {kept.event for kept in watched.shelf.kept()} == {watched.table.did.index("play") + 2}
    assert cv2.imread(str(watched.shelf.path(crops[0]))) is not None


def test_friends_leave_no_picture(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "evidence", "friendly")
    watched.look(6.0)
    watched.lay("N", "S8")
    watched.lay("W", "H3")
    call(watched)
    watched.look(8.0)
    watched.recorder.close()
    assert not watched.shelf.kept() and not list((tmp_path / "evidence").glob("*.*"))


def test_a_camera_that_ends_costs_only_the_seconds_after(watched: Watched) -> None:
    watched.look(7.0)
    call(watched)
    watched.look(1.0)
    watched.recorder.close()
    assert watched.kinds() == ["clip"]


def test_the_memory_of_the_past_is_bounded() -> None:
    ring, rng = Ring(11.0), np.random.default_rng(1)
    noisy = rng.integers(0, 255, (480, 640, 3), np.uint8)
    view = VIEW.scaled((640, 480))
    most = 0
    for k in range(400):
        frame = Frame(0.1 * k, noisy)
        if ring.wants(frame.t):
            ring.add(frame, view)
        most = max(most, ring.size)
    frames = ring.between(0.0, 100.0)
    assert 50 <= len(frames) <= 57 and frames[-1][0] - frames[0][0] <= 11.0
    assert most < 57 * 200_000
    ring.add(Frame(1.0, noisy), view)  # another camera's time
    assert len(ring.between(0.0, 100.0)) <= 1


# -- the shelf --------------------------------------------------------------------------------------------------------


def keep(shelf: Shelf, data: bytes, alert: str = "7.1", epoch: int = 1, made: float = 0.0) -> Kept:
    return shelf.add(data, "jpg", lambda name: Kept(name, "crop", alert, 7, epoch, "A-1", made, made + 14 * 24 * HOUR))


def test_after_the_results_a_day_passes_and_what_was_ruled_upon_stays(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    waived, ruled, other = keep(shelf, b"a"), keep(shelf, b"b", "9.1"), keep(shelf, b"c", epoch=2)
    shelf.ruled(1, "9.1")
    shelf.final(1, 1000.0, 24)
    assert shelf.sweep(1000.0 + 24 * HOUR - 1) == ()
    assert shelf.sweep(1000.0 + 24 * HOUR) == (waived.file,)
    assert not (tmp_path / waived.file).exists() and waived.file not in shelf.index.read_text()
    assert [kept.file for kept in Shelf(tmp_path).kept()] == [ruled.file, other.file]
    assert shelf.sweep(365 * 24 * HOUR) == (other.file,), "a match that never ended lets go as well"
    assert [kept.file for kept in shelf.kept()] == [ruled.file]
    assert shelf.forget() == (ruled.file,)
    assert {path.name for path in tmp_path.iterdir()} == {"index.jsonl"} and not shelf.index.read_text()


def test_the_same_picture_of_two_alerts_goes_with_the_last(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    kept, again = keep(shelf, b"same"), keep(shelf, b"same", epoch=2)
    assert kept.file == again.file
    assert shelf.forget(1) == () and (tmp_path / kept.file).exists()
    assert shelf.forget(2) == (kept.file,) and not (tmp_path / kept.file).exists()


def test_what_a_power_cut_left_half_written_is_gone_at_the_next_start(tmp_path: Path) -> None:
    kept = keep(Shelf(tmp_path), b"whole")
    stray = tmp_path / f"{'0' * 64}.jpg"
    stray.write_bytes(b"nobody knows of me")
    half = tmp_path / f".{'1' * 64}.webp.part"
    half.write_bytes(b"half")
    with (tmp_path / "index.jsonl").open("a") as file:
        file.write('{"file": "' + "2" * 64)
    shelf = Shelf(tmp_path)
    assert [each.file for each in shelf.kept()] == [kept.file]
    assert not stray.exists() and not half.exists()
    shelf.final(1, 0.0, 1)
    assert [json.loads(line)["file"] for line in shelf.index.read_text().splitlines()] == [kept.file]


def test_a_full_shelf_lets_the_oldest_go_but_not_what_was_ruled_upon(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, most_bytes=3000)
    first = keep(shelf, b"1" * 1000, "1.1", made=1.0)
    shelf.ruled(1, "1.1")
    second, third = keep(shelf, b"2" * 1000, made=2.0), keep(shelf, b"3" * 1000, made=3.0)
    fourth = keep(shelf, b"4" * 1000, made=4.0)
    assert [kept.file for kept in shelf.kept()] == [first.file, third.file, fourth.file]
    assert not (tmp_path / second.file).exists()
    assert sum(path.stat().st_size for path in tmp_path.glob("*.jpg")) <= 3000
