"""``guandan table`` without playing: the camera's place in words, matches written out, what is refused in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.main import main
from table.journal import Entry, Journal
from vision.mat_drawing import draw

ROOT = Path(__file__).resolve().parents[2]


def film(path: Path, picture: np.ndarray) -> str:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (picture.shape[1], picture.shape[0]))
    for _ in range(8):
        writer.write(picture)
    writer.release()
    return str(path)


def hung(scale: float, light: float = 0.85) -> np.ndarray:
    mat = (draw(scale) * light).astype(np.uint8)
    ground = np.full((mat.shape[0] + 120, mat.shape[1] + 160, 3), 60, np.uint8)
    ground[60 : 60 + mat.shape[0], 80 : 80 + mat.shape[1]] = mat
    return ground


def test_calibration_speaks_plainly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = str(tmp_path / "t.journal")
    path = film(tmp_path / "good.avi", hung(3.0))
    assert main(["--lang", "en", "table", "--calibrate", "--camera", path, "--journal", journal]) == 0
    told = capsys.readouterr()
    assert "the whole mat is in the picture" in told.out and told.out.endswith("The camera is in its place.\n")
    assert told.err == ""
    path = film(tmp_path / "far.avi", hung(1.5))
    assert main(["--lang", "zh", "table", "--calibrate", "--camera", path, "--journal", journal]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("✗ ") and "家的牌太小认不清" in first


def test_a_virtual_table_that_is_closed_does_not_tell_how_a_demo_goes_on(tmp_path: Path) -> None:
    for verb, says in ((["table", "--camera", "virtual", "--windowed"], False), (["demo", "--no-venue"], True)):
        told = subprocess.run(
            [sys.executable, "-P", "-m", "cli.main", *verb, "--journal", str(tmp_path / f"{verb[0]}.journal")],
            cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=120,
            env={**os.environ, "PYTHONPATH": str(ROOT), "SDL_VIDEODRIVER": "dummy", "GUANDAN_DEMO_SECONDS": "0.1"},
        )  # fmt: skip
        assert told.returncode == 0, told.stderr
        assert ("demo --resume" in told.stdout) is says


def test_matches_are_written_out_as_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.journal"
    with Journal(path) as journal:
        for epoch in (1, 2):
            journal.append([
                Entry("match", {"ruleset": "tongsu", "profile": "friendly", "t": 0.0}, epoch=epoch, seq=1),
                Entry("finish", {"order": ["N", "S", "W", "E"], "t": 60.0}, epoch=epoch, seq=2),
            ]).wait()  # fmt: skip
    folder = tmp_path / "out"
    assert main(["--lang", "en", "table", "--export", str(folder), "--journal", str(path)]) == 0
    assert capsys.readouterr().out == f"2 matches are in {folder}\n"
    assert main(["replay", "--json", str(folder / "match-0002.jsonl")]) == 0
    assert json.loads(capsys.readouterr().out)["levels"] == {"NS": "5", "EW": "2"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--camera", "87"], "camera 87 is not there"),
        (["--camera", "none.mp4"], "none.mp4: there is no such file"),
        (["--camera", "--hardware"], ""),
        (["--hardware", "none.toml"], "none.toml: there is no such pin map"),
        (["--hardware", "default", "--camera", "87"], "camera 87 is not there"),
        (["--calibrate", "--camera", "virtual"], "virtual is no camera"),
    ],
)
def test_what_cannot_be_is_one_line_and_nothing_else(
    words: list[str], says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    try:
        status = main(["--lang", "en", "table", *words, "--journal", str(tmp_path / "t.journal")])
    except SystemExit as left:
        status = int(str(left.code))
    told = capfd.readouterr()
    assert status == 2 and told.out == ""
    assert says in told.err and len(told.err.splitlines()) == 1, told.err
