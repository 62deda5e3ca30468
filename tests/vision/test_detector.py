"""The detector: peaks become indices, large pictures are tiled, and both models find and name our own designs."""

from __future__ import annotations

import hashlib
import json

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from simulator.art import Deck
from vision import detector as module
from vision.detector import MODELS, Detector, Found, _resized
from vision.reader import Reader

PX_PER_MM = 3.1
CLOTH = (52, 60, 38)
SCALES = {"river": 0.9, "pine": 0.55}
"""Brings each design's indices near the height at which the detector is at its best."""


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def table(deck: Deck, cards: list[Card], columns: int = 9, turn: int = 0, blur: float = 0.6) -> np.ndarray:
    """*cards* laid out in rows on a dark cloth, as the camera sees them; *turn* quarter turns."""
    width, height = (round(side * PX_PER_MM) for side in deck.size_mm)
    step = (width + 24, height + 24)
    rows = -(-len(cards) // columns)
    picture = np.empty((rows * step[1] + 24, columns * step[0] + 24, 3), np.float32)
    picture[:] = CLOTH
    for k, card in enumerate(cards):
        face = cv2.resize(deck.face(card), (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
        x, y = 24 + k % columns * step[0], 24 + k // columns * step[1]
        opacity = face[:, :, 3:] / 255
        area = picture[y : y + height, x : x + width]
        area[:] = area * (1 - opacity) + face[:, :, 2::-1] * opacity
    noise = np.random.default_rng(5).normal(0, 3, picture.shape)
    picture = np.clip(cv2.GaussianBlur(picture, (0, 0), blur) * 0.85 + noise, 0, 255)
    return np.ascontiguousarray(np.rot90(picture.astype(np.uint8), -turn))


@pytest.mark.parametrize("design", ["river", "pine"])
@pytest.mark.parametrize("turn", [0, 1])
def test_every_card_of_our_own_designs_is_read_at_both_corners(
    design: str, turn: int, detector: Detector, reader: Reader
) -> None:
    picture = table(Deck.own(design), list(DECK), turn=turn)
    founds = detector.find(picture, SCALES[design])
    names = [read.card for read in reader.read(picture, founds) if read.confidence >= 0.8]
    for card in DECK:
        if card.is_joker:
            # a tall lettering may give a second peak; the layout joins what has one name along one direction
            assert names.count(card) >= 2, f"{card} of {design} read {names.count(card)} times"
        else:
            assert names.count(card) == 2, f"{card} of {design} read {names.count(card)} times instead of twice"


def test_the_direction_of_an_index_is_its_cards(detector: Detector) -> None:
    deck = Deck.own("river")
    cards = [card for card in DECK if not card.is_joker][:18]
    for turn, expected in ((0, {0.0, 180.0}), (1, {90.0, 270.0})):
        founds = detector.find(table(deck, cards, turn=turn), 0.9, threshold=0.5)
        assert len(founds) == 36
        for found in founds:
            assert min(abs((found.angle - each + 180) % 360 - 180) for each in expected) < 15


@pytest.mark.parametrize("kind", ["black", "white", "noise", "stripes"])
def test_a_picture_without_cards_gives_no_named_index(kind: str, detector: Detector, reader: Reader) -> None:
    rng = np.random.default_rng(6)
    pictures = {
        "black": np.zeros((480, 640, 3)),
        "white": np.full((480, 640, 3), 255),
        "noise": rng.integers(0, 256, (480, 640, 3)),
        "stripes": np.tile((np.arange(640) // 12 % 2 * 200)[None, :, None], (480, 1, 3)),
    }
    picture = pictures[kind].astype(np.uint8)
    reads = reader.read(picture, detector.find(picture))
    assert [read.card for read in reads if read.confidence >= 0.8] == []


@pytest.mark.parametrize("size", [(1, 1), (3, 700), (16, 16), (17, 33)])
def test_any_size_of_picture_is_taken(size: tuple[int, int], detector: Detector) -> None:
    assert detector.find(np.full((*size, 3), 128, np.uint8), 1.0) == []
    detector.find(np.full((*size, 3), 128, np.uint8), 0.3)


def test_tiles_find_what_one_look_finds(detector: Detector, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = table(Deck.own("river"), list(DECK)[:36], columns=6)
    whole = detector.find(picture, threshold=0.5)
    monkeypatch.setattr(module, "_TILE", 512)
    tiled = detector.find(picture, threshold=0.5)
    assert len(whole) == len(tiled) == 72
    for one in whole:
        assert min(np.hypot(one.x - other.x, one.y - other.y) for other in tiled) < 2


def test_answers_are_in_the_pictures_own_pixels(detector: Detector) -> None:
    picture = table(Deck.own("river"), list(DECK)[:8], columns=4)
    double = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    plain, scaled = detector.find(picture, threshold=0.5), detector.find(double, 0.5, threshold=0.5)
    assert len(plain) == len(scaled) == 16
    for one in plain:
        other = min(scaled, key=lambda f: np.hypot(f.x / 2 - one.x, f.y / 2 - one.y))
        assert np.hypot(other.x / 2 - one.x, other.y / 2 - one.y) < 1.5
        assert other.size / 2 == pytest.approx(one.size, rel=0.12)


@pytest.mark.parametrize("scale", [0.93, 0.76, 0.5, 0.41, 0.23, 0.06])
def test_a_smaller_picture_leaves_no_pixel_out(scale: float) -> None:
    """Lines of one pixel come out as the grey that they are together, not as the lines that happened to be met."""
    lines = np.zeros((500, 640, 3), np.uint8)
    lines[:, ::2] = 200
    small = _resized(lines, (round(640 * scale), round(500 * scale)))
    assert small.shape == (round(500 * scale), round(640 * scale), 3)
    tiles = small[: small.shape[0] // 4 * 4, : small.shape[1] // 8 * 8]
    means = tiles.reshape(-1, 4, tiles.shape[1] // 8, 8, 3).mean(axis=(1, 3, 4))
    assert abs(float(means.mean()) - 100) < 3 and float(means.std()) < 25
    spot = np.zeros((500, 640, 3), np.uint8)
    spot[201:205, 301:305] = 255
    assert _resized(spot, (round(640 * scale), round(500 * scale))).max() > 200 * min(1.0, (2 * scale) ** 2) / 4


def peak(x: float, score: float, size: float = 30.0) -> list[float]:
    return [x, 100.0, 0.0, -1.0, size, score]


def test_of_two_peaks_on_one_index_the_better_stays() -> None:
    kept = module._merged(np.array([peak(100, 0.4), peak(104, 0.9), peak(121, 0.8), peak(400, 0.5)]))
    assert kept[:, 0].tolist() == [104, 121, 400]


def test_a_suppressed_peak_suppresses_nothing() -> None:
    kept = module._merged(np.array([peak(100, 0.9), peak(108, 0.8), peak(116, 0.7)]))
    assert kept[:, 0].tolist() == [100, 116]


def test_found_gives_its_angle_clockwise_from_up() -> None:
    assert Found(0, 0, 1.0, 0.0, 30, 1).angle == pytest.approx(90)
    assert Found(0, 0, 0.0, 1.0, 30, 1).angle == pytest.approx(180)
    assert Found(0, 0, -1.0, 0.0, 30, 1).angle == pytest.approx(270)


def test_the_models_are_those_of_the_record_and_small() -> None:
    facts = json.loads((MODELS / "models.json").read_text("utf-8"))
    total = 0
    for kind in ("detector", "reader"):
        content = (MODELS / facts[kind]["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == facts[kind]["sha256"]
        total += len(content)
    assert total < 4 * 2**20
