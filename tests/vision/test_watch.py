"""The verb watch: plays and alerts of a recorded video, one line each."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.main import main
from simulator.art import Deck
from tests.vision.card_table import Table
from vision.photo import MODELS


def film(path: Path) -> None:
    """North leads two fives; west, without a word between, lays two threes."""
    table = Table(Deck.own("river"))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 8, (2070, 1665))

    def show(frames: int) -> None:
        for _ in range(frames):
            writer.write(table.still().image)

    show(5)
    for seat, cards, hand in (("N", "S5 H5", (350, 140)), ("W", "C3 D3", (140, 350))):
        for away in (250, 0, 250):
            table.arm = (hand[0], hand[1] + away)
            if away == 0:
                table.fan(seat, cards)
            show(1)
        table.arm = None
        show(9)
    writer.release()


@pytest.mark.skipif(not (MODELS / "reader.onnx").exists(), reason="no trained models here")
def test_plays_and_alerts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    video = tmp_path / "two plays.avi"
    film(video)
    assert main(["watch", "--json", str(video)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    plays = [(line["seat"], line["cards"]) for line in lines if line["do"] == "play"]
    assert plays == [("N", ["S5", "H5"]), ("W", ["C3", "D3"])]
    assert all(line["sure"] and line["touched"] < line["t"] for line in lines if line["do"] == "play")
    alerts = [(line["kind"], line["seat"], line["certain"]) for line in lines if line["do"] == "alert"]
    assert alerts == [("does_not_beat", "W", True)]


def test_what_is_no_video(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "notes.mp4"
    notes.write_text("no video")
    for path in (notes, tmp_path / "none.mp4", tmp_path):
        assert main(["watch", str(path)]) == 2
        said = capsys.readouterr()
        assert said.out == "" and said.err.count("\n") == 1 and str(path) in said.err


def test_corners_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    video = tmp_path / "grey.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 8, (640, 480))
    writer.write(np.full((480, 640, 3), 90, np.uint8))
    writer.release()
    for corners in (["0,0", "1,0", "x", "0,1"], ["0,0", "0.5,0.5", "1,1", "0,1"], ["0,0", "1", "1,1", "0,1"]):
        assert main(["watch", str(video), "--corners", *corners]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def _still_film(path: Path, size: tuple[int, int], code: str = "MJPG") -> None:
    table = Table(Deck.own("river"))
    table.fan("S", "S4 D4")
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), 8, size)
    for _ in range(16):
        writer.write(cv2.resize(table.still().image, size, interpolation=cv2.INTER_AREA))
    writer.release()


def test_a_film_too_small_to_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _still_film(tmp_path / "small.avi", (640, 514))
    assert main(["watch", str(tmp_path / "small.avi"), "--lang", "en"]) == 2
    told = capsys.readouterr()
    assert not told.out and "too small" in told.err and len(told.err.splitlines()) == 1


@pytest.mark.skipif(not (MODELS / "reader.onnx").exists(), reason="no trained models here")
def test_a_film_of_middling_size_is_never_sure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _still_film(tmp_path / "middling.avi", (1200, 964))
    assert main(["watch", "--json", str(tmp_path / "middling.avi")]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    plays = [line for line in lines if line["do"] == "play"]
    assert plays and not any(line["sure"] for line in plays) and not any(line["do"] == "alert" for line in lines)


def test_nothing_but_our_sentence_is_printed_of_a_broken_film(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.mp4"
    path.write_bytes(b"\x00\x00\x00\x20ftypisom" + bytes(300))
    assert main(["watch", str(path)]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1
