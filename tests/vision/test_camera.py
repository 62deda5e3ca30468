"""Cameras: a video plays once in order, and what is no camera says so in one sentence."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import Camera, Frame, VideoCamera, cut
from vision.errors import CannotSee


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "five.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 960))
    for grey in (0, 50, 100, 150, 200):
        writer.write(np.full((960, 1280, 3), grey, np.uint8))
    writer.release()
    return path


def test_a_video_plays_once(video: Path) -> None:
    camera = VideoCamera(video)
    assert isinstance(camera, Camera)
    frames = []
    while (frame := camera.motion()) is not None:
        still = camera.still((100, 50, 300, 250))
        assert frame.image.shape == (480, 640, 3) and still.image.shape == (200, 200, 3)
        assert still.origin == (100, 50) and still.full_size == (1280, 960) and still.t == frame.t
        assert abs(float(frame.image.mean()) - float(still.image.mean())) < 3
        frames.append(frame)
    assert [round(f.t, 3) for f in frames] == [0, 0.1, 0.2, 0.3, 0.4]
    assert [round(float(f.image.mean()), -1) for f in frames] == [0, 50, 100, 150, 200]
    assert camera.motion() is None
    camera.close()


def test_a_video_that_is_no_video(tmp_path: Path) -> None:
    text = tmp_path / "notes.mp4"
    text.write_text("not a video at all")
    empty = tmp_path / "empty.mp4"
    empty.write_bytes(b"")
    missing = tmp_path / "none.mp4"
    for path, why in ((text, "no video"), (empty, "no video"), (missing, "no such"), (tmp_path, "folder")):
        with pytest.raises(CannotSee, match=why) as caught:
            VideoCamera(path)
        assert str(path) in str(caught.value) and "\n" not in str(caught.value)
        assert caught.value.in_language("zh") != str(caught.value)


def test_cut_is_clipped_to_the_picture() -> None:
    frame = Frame(1.0, np.zeros((100, 200, 3), np.uint8))
    part = cut(frame, (-10, 50, 500, 900))
    assert part.image.shape == (50, 200, 3) and part.origin == (0, 50) and part.full_size == (200, 100)
