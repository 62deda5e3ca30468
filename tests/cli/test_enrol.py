"""enrol and training-data: whatever they are given, an answer or one clear line."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.main import main
from cli.words import use_language
from engine.cards import Card
from engine.events import Event
from table.effects import Append
from table.field import Field
from table.home import field_directory
from vision.camera import Frame
from vision.mat import PLAY, View
from vision.observations import Laid, SeenCard


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield tmp_path
    use_language("zh")


def outcome(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        status = main(["--lang", "en", *words])
    except SystemExit as stop:
        status = int(stop.code or 0)
    told = capsys.readouterr()
    return status, told.out, told.err


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status, _, told = outcome(capsys, *words)
    assert status == 2 and told.count("\n") == 1 and "Traceback" not in told, told
    return told


def test_enrol_says_what_it_needs(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert "one of the two" in refused(capsys, "enrol")
    assert "one of the two" in refused(capsys, "enrol", "a.jpg", "--camera", "0")
    assert "virtual only" in refused(capsys, "enrol", "a.jpg", "--deck", str(home))
    assert "there is no folder" in refused(capsys, "enrol", "a.jpg", "-o", str(home / "none" / "own.deck"))
    assert "is a folder" in refused(capsys, "enrol", "a.jpg", "-o", str(home))
    assert str(home / "a.jpg") in refused(capsys, "enrol", str(home / "a.jpg"))
    (home / "photos").mkdir()
    assert "no picture in this folder" in refused(capsys, "enrol", str(home / "photos"))
    assert str(home) in refused(capsys, "enrol", "--camera", "virtual", "--deck", str(home))
    (home / "text.mp4").write_text("no video")
    assert "text.mp4" in refused(capsys, "enrol", "--camera", str(home / "text.mp4"))


def test_a_photo_without_cards_teaches_nothing_and_leaves_no_file(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    cv2.imwrite(str(home / "grey.png"), np.full((300, 400, 3), 90, np.uint8))
    assert "no card was recognised" in refused(capsys, "enrol", str(home / "grey.png"), "-o", str(home / "own.deck"))
    assert not (home / "own.deck").exists()


@pytest.mark.parametrize("verb", [("read", "x.jpg"), ("watch", "x.mp4"), ("table",), ("demo", "--headless")])
def test_a_profile_that_is_none_is_told_before_anything_begins(
    capsys: pytest.CaptureFixture[str], home: Path, verb: tuple[str, ...]
) -> None:
    (home / "bad.deck").write_bytes(b"no profile")
    assert "no deck profile" in refused(capsys, *verb, "--deck-profile", str(home / "bad.deck"))
    assert "no such deck profile" in refused(capsys, *verb, "--deck-profile", str(home / "none.deck"))


def test_training_data_from_consent_to_export(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert "keeping: no; 0 crops" in outcome(capsys, "training-data", "status")[1]
    assert "agree first" in refused(capsys, "training-data", "export", str(home / "out"))
    assert "needs a folder" in refused(capsys, "training-data", "export")
    assert "agreed" in outcome(capsys, "training-data", "on")[1]
    view = View.from_corners([(0, 0), (1400, 0), (1400, 1400), (0, 1400)], (1400, 1400))
    place, card = view.to_px([PLAY["S"].centre])[0], Card.parse("S8")
    seen = SeenCard(card, 0.6, False, ((card, 0.6),), ((float(place[0]), float(place[1])),), 0.0, PLAY["S"].centre,
                    (PLAY["S"].centre,))  # fmt: skip
    field = Field(field_directory())
    field.noticed(
        [Laid(1.0, "S", (seen,), 0.0, 3, True, 1.0)], [Frame(1.0, np.zeros((1400, 1400, 3), np.uint8))], view, 14
    )
    field.told([Append(Event(3, "play", {"seat": "S", "cards": ["S8"]}, 1.0), 1.0)])
    field.told([Append(Event(4, "correct", {"event": 3, "cards": ["S3"]}, 2.0), 2.0)])
    assert "keeping: yes; 1 crops" in outcome(capsys, "training-data", "status")[1]
    assert "1 crops exported" in outcome(capsys, "training-data", "export", str(home / "out"))[1]
    assert json.loads((home / "out" / "manifest.json").read_text())["by_card"] == {"S3": 1}
    (home / "mine").mkdir()
    (home / "mine" / "letter.txt").write_text("mine")
    assert "holds other files" in refused(capsys, "training-data", "export", str(home / "mine"))
    assert "1 crops are still there" in outcome(capsys, "training-data", "off")[1]
    assert "1 crops deleted" in outcome(capsys, "training-data", "forget")[1]
    assert not list(field_directory().glob("*.png"))
