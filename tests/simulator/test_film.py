"""A film can be read by others, and its truth is beside it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.main import main
from engine.events import Event
from simulator.art import Deck
from simulator.film import film, truth_path
from simulator.gestures import Pace
from simulator.truth import play_match
from vision import mat
from vision.camera import VideoCamera

SIZE = (960, 720)


@pytest.fixture(scope="module")
def record() -> list[Event]:
    """A deal's beginning, up to a staged offence and what follows."""
    for seed in range(100):
        events = play_match(seed, deals=1)
        ruled = next(place for place, event in enumerate(events) if event.do == "take_back")
        if ruled < 9:
            return events[: ruled + 1]
    raise AssertionError("no early offence")


@pytest.fixture(scope="module")
def written(record: list[Event], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "record.jsonl"
    path.write_text("\n".join(event.to_line() for event in record) + "\n", "utf-8")
    return path


def test_round_trip(written: Path, record: list[Event], capsys: pytest.CaptureFixture[str]) -> None:
    out = written.with_name("deal.mp4")
    size = f"{SIZE[0]}x{SIZE[1]}"
    assert main(["film", str(written), "-o", str(out), "--size", size, "--fps", "8", "--think", "0.2", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    capture = cv2.VideoCapture(str(out))
    assert capture.isOpened() and abs(capture.get(cv2.CAP_PROP_FPS) - 8) < 0.01
    frames = 0
    while True:
        good, image = capture.read()
        if not good:
            break
        frames += 1
        assert image.shape == (SIZE[1], SIZE[0], 3)
    assert frames == said["frames"] > 100
    lines = [json.loads(line) for line in truth_path(out).read_text("utf-8").splitlines()]
    assert lines[0]["do"] == "film" and lines[0]["frames"] == frames
    plays = [line for line in lines if line["do"] == "play"]
    assert [(line["seat"], sorted(line["cards"])) for line in plays] == [
        (event.data["seat"], sorted(event.data["cards"])) for event in record if event.do == "play"
    ]
    assert [line["t"] for line in lines[1:]] == sorted(line["t"] for line in lines[1:])
    assert all(line["touched"] < line["released"] < line["clear"] < frames / 8 for line in plays)
    alerts = [line for line in lines if line["do"] == "alert"]
    assert len(alerts) == said["offences"] == 1 and alerts[0]["certain"] is True
    offender = next(line for line in plays if line["line"] == alerts[0]["line"])
    assert offender["seat"] == alerts[0]["seat"] and alerts[0]["t"] == offender["released"]


def test_the_mat_and_the_cards_are_in_the_film(written: Path, tmp_path: Path, record: list[Event]) -> None:
    out = tmp_path / "deal.avi"
    play = next(place for place, event in enumerate(record) if event.do == "play")
    deck, pace = Deck.own("pine"), Pace().quicker(0.1)
    filmed = film(record[: play + 1], out, deck, seed=2, fps=5, size=(1280, 960), pace=pace)
    truth = [json.loads(line) for line in filmed.truth.read_text("utf-8").splitlines()]
    clear = next(line["clear"] for line in truth if line["do"] == "play")
    camera = VideoCamera(out)
    images = []
    while (frame := camera.motion()) is not None:
        images.append((frame.t, camera.still().image))
    t, last = images[-1]
    assert t > clear and mat.View.from_markers(last) is not None
    bright = [int((image > 150).all(axis=2).sum()) for _, image in images]
    assert bright[-1] > bright[0] + 3000, "white cards lie on the dark mat"
    assert np.abs(images[-1][1].astype(int) - images[-2][1]).mean() < 4, "and lie still"


@pytest.mark.parametrize(("change", "words"), [
    (["--size", "12"], "12"),
    (["--size", "100000x2"], "100000x2"),
    (["--fps", "0"], "frames"),
    (["--deck", "DECK"], "C9.png"),
    (["--think", "-1"], "--think"),
    (["-o", "FOLDER/film.txt"], ".mp4"),
    (["-o", "FOLDER/none/film.mp4"], "none"),
])  # fmt: skip
def test_one_clear_sentence(
    change: list[str], words: str, written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    own = Path(__file__).resolve().parents[2] / "assets" / "cards" / "river"
    for path in own.glob("*.png"):
        if path.name != "C9.png":
            (deck / path.name).symlink_to(path)
    change = [each.replace("DECK", str(deck)).replace("FOLDER", str(tmp_path)) for each in change]
    arguments = ["film", str(written), "-o", str(tmp_path / "film.mp4"), *change]
    assert main(["--lang", "en", *arguments]) == 2
    told = capsys.readouterr()
    assert words in told.err and told.err.count("\n") == 1 and not told.out
    assert not list(tmp_path.glob("film*")), "nothing is left lying about"


@pytest.mark.parametrize(("lines", "words"), [
    ("\n\n", "no match"),
    ('{"do":"match","ruleset":"national"}\n{"do":"play","seat":"X","cards":["S3"]}\n', "line 2"),
    ('{"do":"match","ruleset":"national"}\nnonsense\n', "line 2"),
    ('{"do":"match","ruleset":"national"}\n{"do":"finish","order":["N","S","E","W"]}\n', "nothing to film"),
])  # fmt: skip
def test_bad_records(lines: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(lines)
    assert main(["--lang", "en", "film", str(path), "-o", str(tmp_path / "film.mp4")]) == 2
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1


def test_a_record_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "film", str(tmp_path / "no.jsonl"), "-o", str(tmp_path / "film.mp4")]) == 2
    assert "no.jsonl" in capsys.readouterr().err
