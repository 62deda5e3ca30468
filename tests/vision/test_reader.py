"""The reader: patches are cut upright, probabilities become candidates, own designs are read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from simulator.art import Deck
from vision.detector import Detector, Found
from vision.reader import (
    INDEX_HEIGHT,
    PATCH_HEIGHT,
    PATCH_WIDTH,
    IndexRead,
    Place,
    Reader,
    cut_patches,
    patch_matrix,
    straightened,
)
from vision.training.reader_data import residual


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def up(degrees: float) -> tuple[float, float]:
    return float(np.sin(np.deg2rad(degrees))), float(-np.cos(np.deg2rad(degrees)))


def index_picture(side: int = 200) -> np.ndarray:
    """Something with a top, a bottom, a left and a right, 42 px high in the middle."""
    picture = np.full((side, side, 3), 230, np.uint8)
    middle = side // 2
    cv2.putText(picture, "7", (middle - 10, middle + 2), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (20, 20, 20), 2)
    cv2.circle(picture, (middle + 2, middle + 14), 6, (30, 30, 200), -1)
    return picture


@pytest.mark.parametrize("angle", [0, 37, 90, 135, 180, 251, 359])
def test_a_turned_index_gives_the_upright_patch(angle: float) -> None:
    picture = index_picture()
    middle = 100.0
    turn = cv2.getRotationMatrix2D((middle, middle), -angle, 1.0)  # OpenCV turns anticlockwise
    turned = cv2.warpAffine(picture, turn, (200, 200), borderValue=(230, 230, 230))
    straight = cut_patches(picture, [Found(middle, middle, 0.0, -1.0, INDEX_HEIGHT, 1.0)])[0]
    patch = cut_patches(turned, [Found(middle, middle, *up(angle), INDEX_HEIGHT, 1.0)])[0]
    assert np.abs(patch.astype(int) - straight.astype(int)).mean() < 6
    assert np.abs(patch[::-1, ::-1].astype(int) - straight.astype(int)).mean() > 12


def test_the_patch_is_scaled_to_the_index() -> None:
    picture = index_picture()
    straight = cut_patches(picture, [Found(100, 100, 0.0, -1.0, INDEX_HEIGHT, 1.0)])[0]
    for factor in (0.5, 2.0, 5.0):
        side = round(200 * factor)
        scaled = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
        middle = (100 + 0.5) * factor - 0.5
        patch = cut_patches(scaled, [Found(middle, middle, 0.0, -1.0, INDEX_HEIGHT * factor, 1.0)])[0]
        assert np.abs(patch.astype(int) - straight.astype(int)).mean() < 6


def test_the_index_centre_is_the_patch_centre() -> None:
    matrix = patch_matrix(321.0, 123.0, *up(70), 30.0)
    centre = matrix @ np.array([321.0, 123.0, 1.0])
    assert centre == pytest.approx([(PATCH_WIDTH - 1) / 2, (PATCH_HEIGHT - 1) / 2])
    top = matrix @ np.array([321.0 + 15 * up(70)[0], 123.0 + 15 * up(70)[1], 1.0])
    assert top - centre == pytest.approx([0, -INDEX_HEIGHT / 2])


def probabilities(rank: str | None, share: float, suit: str | None = None, suit_share: float = 1.0) -> IndexRead:
    ranks, suits, colours = np.zeros(13), np.zeros(4), np.zeros(2)
    joker = 0.0
    if rank == "joker":
        joker, colours[1] = share, 0.7
        colours[0] = 0.1
        suits[0] = 0.2
    elif rank:
        ranks["23456789TJQKA".index(rank)] = share
        suits["SHCD".index(suit or "S")] = suit_share
    return IndexRead(ranks, suits, colours, joker, 1 - share)


def test_candidates_are_rank_times_suit() -> None:
    read = probabilities("8", 0.9, "H", 0.8)
    assert read.card is Card.parse("H8")
    assert read.confidence == pytest.approx(0.72)


def test_a_jokers_colour_is_asked_among_jokers() -> None:
    read = probabilities("joker", 0.96)
    assert [card.name for card, _ in read.candidates] == ["HR", "SB"]
    assert read.candidates[0][1] == pytest.approx(0.96 * 0.7 / 0.8)


def test_candidates_are_sorted_and_at_most_certain(reader: Reader) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (20, PATCH_HEIGHT, PATCH_WIDTH, 3)).astype(np.uint8)
    for read in reader.read_patches(noise):
        shares = [share for _, share in read.candidates]
        assert shares == sorted(shares, reverse=True)
        assert 0 < sum(shares) <= 1 + 1e-6
        assert read.rank_probs.sum() + read.joker + read.reject == pytest.approx(1, abs=1e-5)
        assert all(card in DECK for card, _ in read.candidates)


def test_noise_and_blank_paper_are_rejected(reader: Reader) -> None:
    rng = np.random.default_rng(4)
    blank = np.full((8, PATCH_HEIGHT, PATCH_WIDTH, 3), 235, np.uint8)
    noisy = np.clip(blank + rng.normal(0, 4, blank.shape), 0, 255).astype(np.uint8)
    assert all(read.confidence < 0.5 for read in reader.read_patches(noisy))


def test_nothing_found_reads_nothing(reader: Reader) -> None:
    assert reader.read(np.zeros((40, 40, 3), np.uint8), []) == []


def test_features_tell_likeness_before_names(reader: Reader) -> None:
    """Two looks at one index lie closer together than two indices: what a deck can be learned by."""
    rng = np.random.default_rng(5)
    seven, other = index_picture(), np.full((200, 200, 3), 230, np.uint8)
    cv2.putText(other, "K", (88, 102), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (30, 30, 200), 2)
    cv2.rectangle(other, (96, 108), (108, 120), (30, 30, 200), -1)
    again = np.clip(seven + rng.normal(0, 5, seven.shape), 0, 255).astype(np.uint8)
    pose = [Found(100, 100, 0.0, -1.0, INDEX_HEIGHT, 1.0)]
    one, two, three = reader.features(np.concatenate([cut_patches(each, pose) for each in (seven, again, other)]))
    assert one.shape == (144,) and (one >= 0).all()
    assert np.linalg.norm(one - two) < 0.5 * np.linalg.norm(one - three)


@pytest.mark.parametrize("off", [(3.0, -2.0, 8.0, 1.1), (-4.0, 1.0, -12.0, 0.9), (0.0, 5.0, 0.0, 1.0)])
@pytest.mark.parametrize("angle", [0.0, 75.0, 200.0, 351.0])
def test_a_pose_is_put_straight_by_what_training_calls_its_error(
    angle: float, off: tuple[float, float, float, float]
) -> None:
    right, down, turn, grown = off
    true = (100 + right, 50 + down, angle + turn, 30 * grown)
    place = straightened(Place(100.0, 50.0, *up(angle), 30.0), residual((100.0, 50.0, angle, 30.0), true))
    assert (place.x, place.y, place.size) == pytest.approx((true[0], true[1], true[3]))
    assert (place.dx, place.dy) == pytest.approx(up(true[2]))


def test_a_second_look_puts_a_crooked_pose_straight(reader: Reader) -> None:
    """The finder is often ten degrees off: what the reader makes of it lies nearer to the index."""
    deck = Deck.own("river")
    face = cv2.cvtColor(cv2.resize(deck.face(Card.parse("H8")), (252, 352), interpolation=cv2.INTER_AREA)[:, :, :3],
                        cv2.COLOR_RGB2BGR)  # fmt: skip
    picture = cv2.copyMakeBorder(face, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(60, 70, 40))
    straight = max(Detector().find(picture), key=lambda found: -found.y - found.x)
    straight = reader.read(picture, [straight])[0].place
    for turn in (-14.0, 14.0):
        crooked = Place(straight.x + 2, straight.y, *up(turn), straight.size)
        read = reader.read(picture, [crooked])[0]
        assert read.card is Card.parse("H8")
        assert abs(np.degrees(np.arctan2(read.place.dx, -read.place.dy))) < 6
