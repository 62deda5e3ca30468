"""The reader: patches are cut upright, probabilities become candidates, own designs are read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from vision.detector import Found
from vision.reader import INDEX_HEIGHT, PATCH_HEIGHT, PATCH_WIDTH, IndexRead, Reader, cut_patches, patch_matrix


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
