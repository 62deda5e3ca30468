"""A deck profile is one file that outlives its models, and a damaged one costs a sentence, not a table."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from vision.errors import CannotSee
from vision.profiles import CROP_HEIGHT, CROP_WIDTH, MOST_BYTES, Crop, DeckProfile, few


def crop(card: str, shade: int = 90, look: int = 1) -> Crop:
    image = np.full((CROP_HEIGHT, CROP_WIDTH, 3), shade, np.uint8)
    cv2.putText(image, card, (4, 50), cv2.FONT_HERSHEY_SIMPLEX, 1, (0, 0, 200), 2)
    return Crop(Card.parse(card), image, look)


@pytest.fixture
def profile() -> DeckProfile:
    crops = (crop("S8"), crop("HT", 120), crop("SB"), crop("HR", 30))
    return DeckProfile("茶馆 广告牌", crops, 14.5, 57.0, "2026-11-30", {"right": 54})


def changed(path: Path, member: str, data: bytes | None) -> Path:
    """The profile at *path* with one member replaced, or without it."""
    held = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(held) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            if name != member:
                new.writestr(name, old.read(name))
        if data is not None:
            new.writestr(member, data)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(CannotSee) as refused:
        DeckProfile.load(path)
    text = refused.value.in_language("en")
    assert str(path) in text and "\n" not in text
    assert refused.value.in_language("zh") != text
    return refused.value.key


def test_a_profile_comes_back_as_it_was(profile: DeckProfile, tmp_path: Path) -> None:
    back = DeckProfile.load(profile.save(tmp_path / "own.deck"))
    assert (back.name, back.index_mm, back.width_mm, back.made, back.proof) == (
        profile.name, profile.index_mm, profile.width_mm, profile.made, profile.proof,
    )  # fmt: skip
    assert [each.card for each in back.crops] == [each.card for each in profile.crops]
    assert all(np.array_equal(a.image, b.image) for a, b in zip(back.crops, profile.crops, strict=True))
    assert len(back.missing) == 50 and Card.parse("S8") not in back.missing


def test_the_same_deck_gives_the_same_file(profile: DeckProfile, tmp_path: Path) -> None:
    assert profile.save(tmp_path / "a").read_bytes() == profile.save(tmp_path / "b").read_bytes()


def test_cut_short_anywhere_it_is_refused_in_a_sentence(profile: DeckProfile, tmp_path: Path) -> None:
    whole = profile.save(tmp_path / "own.deck").read_bytes()
    path = tmp_path / "cut.deck"
    for share in (0.0, 0.01, 0.3, 0.6, 0.95, 0.999):
        path.write_bytes(whole[: int(len(whole) * share)])
        assert refusal(path) in ("profile_none", "profile_damaged")


def test_a_byte_turned_over_is_never_a_trace(profile: DeckProfile, tmp_path: Path) -> None:
    whole = profile.save(tmp_path / "own.deck").read_bytes()
    path, rng = tmp_path / "bad.deck", np.random.default_rng(1)
    for place in rng.integers(0, len(whole), 60):
        data = bytearray(whole)
        data[place] ^= 0x41
        path.write_bytes(bytes(data))
        try:
            DeckProfile.load(path)  # what the checksum does not cover may be harmless
        except CannotSee as refused:
            assert refused.in_language("zh")


def test_what_is_no_profile_is_told_apart(profile: DeckProfile, tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.deck") == "profile_missing"
    assert refusal(tmp_path) == "profile_none"
    large = tmp_path / "large.deck"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert refusal(large) == "profile_large"
    path = profile.save(tmp_path / "own.deck")
    about = json.loads(zipfile.ZipFile(path).read("profile.json"))
    assert refusal(changed(path, "profile.json", json.dumps({**about, "format": 99}).encode())) == "profile_newer"
    assert refusal(changed(path, "profile.json", b'{"kind": "picture book"}')) == "profile_none"
    assert refusal(changed(path, "profile.json", b"\xff\xfe")) == "profile_damaged"
    assert refusal(changed(path, "profile.json", None)) == "profile_damaged"


@pytest.mark.parametrize(
    "change",
    [
        {"crops": []}, {"crops": [{"file": "../../etc/passwd", "card": "S8"}]}, {"index_mm": "tall"}, {"index_mm": 900},
        {"crops": [{"file": "crops/0000.png", "card": "S99"}]}, {"crops": [{"file": "crops/0099.png", "card": "S8"}]},
        {"crops": None},
    ],
)  # fmt: skip
def test_a_profile_that_says_odd_things_is_damaged(
    profile: DeckProfile, tmp_path: Path, change: dict[str, object]
) -> None:
    path = profile.save(tmp_path / "own.deck")
    about = json.loads(zipfile.ZipFile(path).read("profile.json"))
    assert refusal(changed(path, "profile.json", json.dumps({**about, **change}).encode())) == "profile_damaged"


def test_a_crop_that_would_unpack_to_a_huge_picture_is_not_decoded(profile: DeckProfile, tmp_path: Path) -> None:
    path = profile.save(tmp_path / "own.deck")
    huge = cv2.imencode(".png", np.zeros((3000, 3000, 3), np.uint8))[1].tobytes()
    assert len(huge) < 48 << 10
    assert refusal(changed(path, "crops/0000.png", huge)) == "profile_damaged"
    assert refusal(changed(path, "crops/0000.png", b"\0" * (49 << 10))) == "profile_damaged"


def test_few_crops_of_each_face_spread_over_the_looks() -> None:
    card = DECK[5]
    crops = [crop(card.name, look=look) for look in (1, 1, 1, 1, 2, 3)]
    assert sorted(each.look for each in few({card: crops}, most=3)) == [1, 2, 3]
