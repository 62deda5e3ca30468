"""Damaged pictures and films: our one sentence, and not a word from the libraries that tried."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import VideoCamera
from vision.errors import CannotSee
from vision.films import is_cut_short
from vision.pictures import decode

NOISE = np.random.default_rng(3).integers(0, 255, (120, 160, 3)).astype(np.uint8)


def coded(ending: str) -> bytes:
    return cv2.imencode(ending, NOISE)[1].tobytes()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def with_noise(data: bytes, at: int) -> bytes:
    return data[:at] + b"\x5a" * 60 + data[at + 60 :]


PNG, JPEG = coded(".png"), coded(".jpg")
DAMAGED = {
    "a wrong sum": with_noise(PNG, 3000),
    "an end too early": PNG[: len(PNG) // 2] + PNG[-12:],
    "half a TIFF": coded(".tiff")[:20_000],
    "half a bitmap": coded(".bmp")[:20_000],
    "half a JPEG 2000": coded(".jp2")[:9_000],
}
ODD = {
    "an odd colour profile": PNG[:33] + chunk(b"iCCP", b"x\0\0" + zlib.compress(b"junk")) + PNG[33:],
    "a JPEG with noise in it": with_noise(JPEG, len(JPEG) // 2),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_picture_is_one_sentence_of_ours(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CannotSee) as refused:
        decode(DAMAGED[name], "photo")
    assert refused.value.key in ("damaged", "cut_short", "no_picture")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", ODD)
def test_an_odd_picture_is_read_without_a_word(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert decode(ODD[name], "photo").image.shape == NOISE.shape
    os.write(2, b"afterwards\n")
    assert capfd.readouterr().err == "afterwards\n", "only the libraries are silenced"


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("film") / "whole.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), 25, (160, 120))
    for _ in range(12):
        writer.write(NOISE)
    writer.release()
    return path.read_bytes()


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_film_cut_off_before_its_index_is_called_so(
    share: float, film: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cut.mp4"
    path.write_bytes(film[: int(len(film) * share)])
    with pytest.raises(CannotSee) as refused:
        VideoCamera(path)
    assert refused.value.key == "film_cut" and capfd.readouterr().err == ""


@pytest.mark.parametrize("data", [b"\0\0\0\x20ftypisom" + b"\x11" * 400, b"RIFF" + b"\0" * 200, b"", b"\0\0\0\x04ftyp"])
def test_what_is_no_film_is_not_called_a_cut_one(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "none.mp4"
    path.write_bytes(data)
    assert not is_cut_short(path)
    with pytest.raises(CannotSee):
        VideoCamera(path)


def test_a_whole_film_is_whole(film: bytes, tmp_path: Path) -> None:
    path = tmp_path / "whole.mp4"
    path.write_bytes(film)
    assert not is_cut_short(path) and VideoCamera(path).motion() is not None
