"""A deck profile that cannot be read: the table starts all the same, says so, and the file is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cli.main import main
from engine.cards import Card
from table import own_deck
from vision.profiles import Crop, DeckProfile


def profile() -> DeckProfile:
    return DeckProfile("Teahouse", (Crop(Card.parse("SA"), np.full((84, 60, 3), 200, np.uint8)),))


def test_a_whole_profile_and_none_at_all_are_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "venue.deck"
    assert own_deck.wear(path) == (None, None) and not own_deck.lost(path)
    profile().save(path)
    worn, why = own_deck.wear(path)
    assert worn is not None and worn.name == "Teahouse" and why is None and not own_deck.lost(path)


@pytest.mark.parametrize("harm", ["garbage", "empty", "cut", "newer", "a folder"])
def test_whatever_is_wrong_with_it_it_lies_aside_whole(tmp_path: Path, harm: str) -> None:
    path = profile().save(tmp_path / "venue.deck")
    whole = path.read_bytes()
    if harm == "a folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes({"garbage": b"\x00" * 999, "empty": b"", "cut": whole[: len(whole) // 2],
                          "newer": whole.replace(b'"format": 1', b'"format": 9')}[harm])  # fmt: skip
    left = path.read_bytes() if path.is_file() else None
    worn, why = own_deck.wear(path)
    assert worn is None and why is not None and own_deck.lost(path) and not path.exists()
    assert left is None or own_deck.aside(path).read_bytes() == left
    assert own_deck.wear(path) == (None, None) and own_deck.lost(path), "said until another has come"
    profile().save(path)
    assert not own_deck.lost(path)


@pytest.mark.parametrize(("tongue", "says"), [("en", "reads common cards meanwhile"), ("zh", "先按普通牌认")])
def test_the_verb_says_one_sentence_and_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tongue: str, says: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    path = tmp_path / "guandan" / "venue.deck"
    path.parent.mkdir()
    path.write_bytes(b"no zip at all")
    # A camera that is not there ends it, after the deck.
    assert main(["--lang", tongue, "table", "--camera", "87", "--journal", str(tmp_path / "t.journal")]) == 2
    told = capfd.readouterr().err.splitlines()
    assert len(told) == 2 and says in told[0] and str(own_deck.aside(path)) in told[0]
    assert own_deck.aside(path).read_bytes() == b"no zip at all"
