"""Crops of corrected plays: only with consent, only people's corrections, exported so that training takes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.cards import Card, parse_cards
from engine.errors import Impossible
from engine.events import Event
from table.effects import Append
from table.field import Field, named
from vision.camera import Frame
from vision.mat import PLAY, View
from vision.observations import Laid, SeenCard

VIEW = View.from_corners([(0, 0), (1400, 0), (1400, 1400), (0, 1400)], (1400, 1400))


def seen(name: str, *others: str, at: float = 0.0) -> SeenCard:
    x, y = PLAY["S"].centre
    pixel = VIEW.to_px([(x + at, y)])[0]
    candidates = tuple((Card.parse(each), p) for each, p in zip((name, *others), (0.6, 0.3, 0.05), strict=False))
    return SeenCard(
        Card.parse(name), 0.6, False, candidates, ((float(pixel[0]), float(pixel[1])),), 0.0, (x, y), ((x + at, y),)
    )


@pytest.fixture
def field(tmp_path: Path) -> Field:
    return Field(tmp_path / "field")


def play(field: Field, seq: int, *cards: SeenCard) -> None:
    image = np.random.default_rng(seq).integers(0, 255, (1400, 1400, 3), np.uint8)
    field.noticed([Laid(5.0, "S", cards, 4.0, 3, True, 4.8)], [Frame(5.0, image)], VIEW, 14.0)
    field.told([Append(Event(seq, "play", {"seat": "S", "cards": [each.card.name for each in cards]}, 5.0), 5.0)])


def correct(field: Field, seq: int, *names: str, monotonic: float = 9.0) -> None:
    field.told([Append(Event(seq + 1, "correct", {"event": seq, "cards": list(names)}, monotonic), monotonic)])


def test_without_consent_nothing_is_kept(field: Field) -> None:
    play(field, 3, seen("S8", "S3"))
    correct(field, 3, "S3")
    assert not field.folder.exists() and not field.agreed


def test_a_play_put_right_by_people_leaves_its_corners(field: Field) -> None:
    field.agree("2026-11-30")
    play(field, 3, seen("S8", "S3"), seen("HQ", "HT", at=30))
    correct(field, 3, "S3", "HQ")
    assert [(each["card"], each["read"]) for each in field.labels()] == [("S3", "S8"), ("HQ", "HQ")]
    assert len(list(field.folder.glob("*.png"))) == 2 and field.size > 1000
    field.stop()
    play(field, 5, seen("S8", "S3"))
    correct(field, 5, "S3")
    assert len(field.labels()) == 2
    assert field.forget() == 2 and not field.labels() and not list(field.folder.glob("*.png"))


def test_what_the_eye_puts_right_by_itself_teaches_nothing(field: Field) -> None:
    field.agree("2026-11-30")
    play(field, 3, seen("S8", "S3"))
    correct(field, 3, "S3", monotonic=5.0)
    assert not field.labels()


def test_who_is_who_in_a_corrected_play() -> None:
    def names(cards: list[SeenCard], said: str) -> list[tuple[int, str]]:
        return [(place, card.name) for place, card in named(cards, parse_cards(said.split()))]

    assert names([seen("S8", "S3"), seen("S9", "S6")], "S6 S8") == [(0, "S8"), (1, "S6")]
    assert names([seen("S8"), seen("S9")], "S8 DK") == [(0, "S8"), (1, "DK")]
    # Two that nobody names may be either: neither is kept.
    assert names([seen("S8"), seen("S9")], "DK DQ") == []
    assert names([seen("S8", "S3"), seen("S8", "S5")], "S5 S3") == [(0, "S3"), (1, "S5")]


def test_an_export_is_what_training_takes(field: Field, tmp_path: Path) -> None:
    training = pytest.importorskip("vision.training.field")
    field.agree("2026-11-30")
    play(field, 3, seen("S8", "S3"), seen("SB", "HR", at=30))
    correct(field, 3, "S3", "HR")
    assert field.export(tmp_path / "out") == 2
    crops = training.FieldCrops([tmp_path / "out"])
    patches, classes = crops.batch(np.random.default_rng(1), 16)
    assert patches.shape == (16, 3, 56, 40) and {tuple(row) for row in classes.tolist()} == {(1, 0), (13, 5)}
    assert field.export(tmp_path / "out") == 2, "an export may be made again"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letters.txt").write_text("mine")
    with pytest.raises(Impossible):
        field.export(tmp_path / "full")
    (tmp_path / "out" / "manifest.json").write_text('{"kind": "something else"}')
    with pytest.raises(ValueError, match="manifest"):
        training.FieldCrops([tmp_path / "out"])
