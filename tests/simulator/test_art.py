"""Card art: our own designs are complete and whole, other decks load as they are or are refused in a sentence."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from engine.errors import Unreadable
from simulator.art import OWN_DESIGNS, Deck, round_mask


@cache
def own(name: str) -> Deck:
    return Deck.own(name)


@pytest.mark.parametrize("name", OWN_DESIGNS)
def test_own_design_has_every_face_and_a_back(name: str) -> None:
    deck = own(name)
    pictures = [deck.face(card) for card in DECK] + [deck.back()]
    width, height = (round(side * deck.px_per_mm) for side in deck.size_mm)
    for picture in pictures:
        assert picture.shape == (height, width, 4)
        assert picture.dtype == np.uint8
        assert picture[0, 0, 3] < 40 < 250 < picture[height // 2, width // 2, 3]
    looks = {picture.tobytes() for picture in pictures}
    assert len(looks) == 55


@pytest.mark.parametrize("name", OWN_DESIGNS)
def test_own_faces_read_the_same_both_ways_up(name: str) -> None:
    deck = own(name)
    for card in DECK:
        face = deck.face(card)[:, :, :3]
        corner = face[: face.shape[0] // 4, : face.shape[1] // 5].astype(int)
        opposite = face[::-1, ::-1][: face.shape[0] // 4, : face.shape[1] // 5].astype(int)
        assert np.abs(corner - opposite).mean() < 6, card


@pytest.mark.parametrize("name", OWN_DESIGNS)
def test_red_and_black_differ_in_the_corner(name: str) -> None:
    deck = own(name)

    def redness(card: Card) -> float:
        face = deck.face(card)
        corner = face[: face.shape[0] // 4, : face.shape[1] // 5].astype(float)
        ink = corner[corner[:, :, :3].min(axis=2) < 140]
        return float((ink[:, 0] - ink[:, 2]).mean())

    for card in DECK:
        red = card.name == "HR" or (not card.is_joker and card.suit in "HD")
        assert (redness(card) > 60) == red, card


def test_unknown_own_design_is_refused() -> None:
    with pytest.raises(Unreadable, match="river, pine"):
        Deck.own("oak")


def test_what_is_refused_is_said_in_both_languages(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as refused:
        Deck.load(tmp_path)
    assert refused.value.in_language("zh").startswith(f"{tmp_path}：缺少 S2.png 等 55 张；一副牌面是 S3.png …")
    assert "S2.png and more missing, 55 in all" in refused.value.in_language("en")


def write_deck(directory: Path, ending: str = ".png", size: tuple[int, int] = (90, 126), leave_out: str = "") -> None:
    for number, key in enumerate([card.name for card in DECK] + ["back"]):
        if key != leave_out:
            picture = np.full((size[1], size[0], 3), 4 * number, np.uint8)
            picture[:, :, 2] = 200
            cv2.imwrite(str(directory / f"{key}{ending}"), picture)


def test_any_folder_of_pictures_is_a_deck(tmp_path: Path) -> None:
    write_deck(tmp_path, ".jpg", (90, 126))
    deck = Deck.load(tmp_path)
    face = deck.face(Card.parse("H8"))
    assert face.shape[:2] == (round(88 * deck.px_per_mm), round(63 * deck.px_per_mm))
    assert face[0, 0, 3] == 0 and face[60, 40, 3] == 255
    assert abs(int(face[60, 40, 0]) - 200) < 6, "RGBA: red first"
    assert deck.name == tmp_path.name


def test_tens_may_be_written_as_ten(tmp_path: Path) -> None:
    write_deck(tmp_path)
    for suit in "SHCD":
        (tmp_path / f"{suit}T.png").rename(tmp_path / f"{suit}10.png")
    assert Deck.load(tmp_path).face(Card.parse("ST")).any()


def test_sideways_pictures_are_turned_upright(tmp_path: Path) -> None:
    write_deck(tmp_path, size=(126, 90))
    face = Deck.load(tmp_path).face(Card.parse("S3"))
    assert face.shape[0] > face.shape[1]


def test_transparent_corners_stay_as_they_are(tmp_path: Path) -> None:
    write_deck(tmp_path)
    picture = np.zeros((126, 90, 4), np.uint8)
    picture[20:-20, 20:-20] = 255
    cv2.imwrite(str(tmp_path / "SA.png"), picture)
    face = Deck.load(tmp_path).face(Card.parse("SA"))
    assert face[10, 45, 3] == 0 and face[63, 45, 3] == 255


@pytest.mark.parametrize(("leave_out", "named"), [("D7", "D7.png"), ("back", "back.png")])
def test_missing_picture_is_named(tmp_path: Path, leave_out: str, named: str) -> None:
    write_deck(tmp_path, leave_out=leave_out)
    with pytest.raises(Unreadable, match=named):
        Deck.load(tmp_path)


def test_picture_that_is_none_is_named(tmp_path: Path) -> None:
    write_deck(tmp_path)
    (tmp_path / "HQ.png").write_bytes(b"not a picture at all")
    deck = Deck.load(tmp_path)
    with pytest.raises(Unreadable, match=r"HQ\.png: not a picture"):
        deck.face(Card.parse("HQ"))


def test_tiny_picture_is_refused(tmp_path: Path) -> None:
    write_deck(tmp_path)
    cv2.imwrite(str(tmp_path / "HQ.png"), np.zeros((4, 4, 3), np.uint8))
    with pytest.raises(Unreadable, match="4 x 4"):
        Deck.load(tmp_path).face(Card.parse("HQ"))


def test_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no such folder"):
        Deck.load(tmp_path / "nowhere")


def test_round_mask_is_symmetric_and_round() -> None:
    mask = round_mask(63, 88, 5)
    assert (mask == mask[::-1]).all() and (mask == mask[:, ::-1]).all()
    assert mask[0, 0] == 0 and mask[0, 31] == 255 and mask[44, 0] == 255
