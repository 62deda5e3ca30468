"""Cards in photos of any scale: one card that fills the picture, a row, real photos; nothing where there is nothing."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.main import main
from engine.cards import Card
from simulator.art import Deck
from vision.layout import Index, lay_out
from vision.observations import SeenCard
from vision.photo import MODELS, Limits, _in_company, read_photo, seen_card
from vision.scales import LARGEST_PIXELS, Find, find_all, fitting, ladder

trained = pytest.mark.skipif(not (MODELS / "reader.onnx").exists(), reason="no trained models here")
PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"


@pytest.fixture(scope="module")
def networks() -> tuple:
    from vision.detector import Detector
    from vision.reader import Reader

    return Detector(), Reader()


def put(image: np.ndarray, deck: Deck, name: str, x: float, y: float, angle: float, px_per_mm: float) -> None:
    """Draw a card with its centre at (x, y) px."""
    face = deck.face(Card.parse(name))
    scale = px_per_mm / deck.px_per_mm
    face = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    height, width = face.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -angle, 1.0)
    turn[:, 2] += np.array([x - width / 2, y - height / 2])
    laid = cv2.warpAffine(face, turn, (image.shape[1], image.shape[0]), flags=cv2.INTER_LINEAR)
    share = laid[:, :, 3:].astype(np.float32) / 255
    image[:] = (image * (1 - share) + laid[:, :, 2::-1] * share).astype(np.uint8)


def table(width: int, height: int) -> np.ndarray:
    grain = np.random.default_rng(width).normal(0, 5, (height, width, 1))
    return np.clip(np.array([60.0, 90.0, 120.0]) + grain, 0, 255).astype(np.uint8)


def names(cards: list[SeenCard]) -> list[str]:
    return sorted(card.card.name for card in cards)


@pytest.mark.parametrize("size", [(1, 1), (40, 30), (600, 450), (1200, 1200), (4000, 3000), (300, 9000)])
def test_the_ladder_is_bounded(size: tuple[int, int]) -> None:
    scales = ladder(*size)
    assert scales == sorted(scales) and len(scales) <= 14
    assert size[0] * size[1] * scales[-1] ** 2 <= LARGEST_PIXELS * 1.01
    assert scales[-1] >= 1.0


@dataclass
class Flat:
    """Finds two indices of 60 px, as a detector does that is right from 14 to 46 px only."""

    def find(self, image: np.ndarray, scale: float = 1.0) -> list[Find]:
        seen = 60 * scale
        if not 14 <= seen <= 46:
            return []
        score = 0.95 - abs(np.log(seen / 28)) * 0.3
        return [Find(x, 300, 0, -1, 60 * (1 + 0.1 * (scale - 0.45)), score, seen) for x in (200, 300)]


def test_each_index_comes_once_and_from_the_best_step() -> None:
    finds = find_all(np.zeros((800, 1000, 3), np.uint8), Flat())
    assert sorted(find.x for find in finds) == [200, 300]
    assert all(22 <= find.seen_px <= 36 for find in finds)


def test_a_find_of_another_size_is_dropped_and_a_tilted_table_is_not() -> None:
    def index(x: float, y: float, size: float, name: str = "S8", score: float = 0.9) -> Index:
        return Index(x, y, 0.0, -1.0, size, score, {Card.parse(name): 0.95})

    near_to_far = [index(x, y, 60 - y / 40) for x in range(0, 1000, 200) for y in range(0, 1400, 200)]
    assert len(fitting(near_to_far)) == len(near_to_far)
    pip = index(500, 500, 150)
    assert len(fitting([*near_to_far, pip])) == len(near_to_far)
    joker = index(500, 500, 95, "HR")
    assert len(fitting([*near_to_far, joker])) == len(near_to_far) + 1


@trained
@pytest.mark.parametrize("design", ["river", "pine"])
def test_one_card_fills_the_picture(networks: tuple, design: str) -> None:
    image = table(900, 1240)
    put(image, Deck.own(design), "H7", 450, 620, 3, 13.0)
    cards = read_photo(image, *networks)
    assert names(cards) == ["H7"] and cards[0].sure and len(cards[0].indices) == 2


@trained
def test_equal_cards_in_a_row_keep_their_number_and_order(networks: tuple) -> None:
    image = table(1500, 900)
    for k, name in enumerate(["S5", "S5", "DK", "HT", "HT"]):
        put(image, Deck.own("pine"), name, 330 + 190 * k, 450, 3 * k - 6, 4.6)
    cards = read_photo(image, *networks)
    assert [card.card.name for card in cards] == ["S5", "S5", "DK", "HT", "HT"]
    assert all(card.sure for card in cards)


@trained
@pytest.mark.parametrize("size", [(1, 1), (3, 700), (500, 400), (1600, 1200)])
def test_no_cards_in_a_photo_without_cards(networks: tuple, size: tuple[int, int]) -> None:
    assert read_photo(table(*size), *networks) == []
    assert read_photo(np.full((size[1], size[0], 3), 255, np.uint8), *networks) == []


@trained
def test_what_read_prints(networks: tuple, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = table(1000, 800)
    put(image, Deck.own("river"), "C9", 300, 400, 0, 5.0)
    put(image, Deck.own("river"), "DA", 700, 400, 90, 5.0)
    some, none = tmp_path / "some.png", tmp_path / "none.jpg"
    cv2.imwrite(str(some), image)
    cv2.imwrite(str(none), table(700, 500))
    assert main(["read", "--json", str(some), str(none)]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["image"], first["width"], first["height"]) == (str(some), 1000, 800) and first["ms"]["total"] > 0
    assert second["cards"] == []
    assert sorted(card["card"] for card in first["cards"]) == ["C9", "DA"]
    for card in first["cards"]:
        assert set(card) >= {"card", "confidence", "sure", "indices", "angle"} and len(card["indices"]) == 2
        assert all(0 <= part <= 1 for point in card["indices"] for part in point)
        assert ("candidates" in card) is not card["sure"]
        assert bool(np.mean([point[0] for point in card["indices"]]) < 0.5) is (card["card"] == "C9")
    assert main(["read", "--lang", "en", str(none)]) == 0
    assert "no cards" in capsys.readouterr().out
    bad = tmp_path / "bad.jpg"
    bad.write_text("no photo")
    assert main(["read", "--json", str(bad), str(some), str(tmp_path / "gone.jpg"), str(none)]) == 2
    said = capsys.readouterr()
    assert [json.loads(line)["image"] for line in said.out.splitlines()] == [str(some), str(none)]
    first, second = said.err.splitlines()
    assert "bad.jpg" in first and "gone.jpg" in second


@trained
@pytest.mark.skipif(not PHOTOS.exists(), reason="the real photos are not part of the project")
@pytest.mark.parametrize("photo", ["fan-1", "fan-2"])
def test_real_photos_of_a_deck_never_seen(networks: tuple, photo: str) -> None:
    labels = json.loads((PHOTOS / f"{photo}.json").read_text())
    image = cv2.imread(str(PHOTOS / labels["image"]))
    cards = read_photo(image, *networks)
    height, width = image.shape[:2]
    points = [(x / width, y / height, card.card.name) for card in cards for x, y in card.indices]
    right = sum(
        any(max(abs(x - i["x"]), abs(y - i["y"])) <= 0.02 and name == i["card"] for x, y, name in points)
        for i in labels["indices"]
    )
    assert right >= len(labels["indices"]) - 2
    truth = Counter(dict.fromkeys((i["card"] for i in labels["indices"]), 1))
    assert not Counter(card.card.name for card in cards if card.sure) - truth
    assert sum(not card.sure for card in cards) <= 4


def test_limits_come_from_the_models() -> None:
    limits = Limits.load()
    assert 0.5 <= limits.sure < 1 and 0 < limits.score < 1


def test_small_indices_need_more_and_the_smallest_are_never_sure() -> None:
    limits = Limits(0.9, 0.5)
    assert limits.surely(0.91, 0.6, 20.0) and not limits.surely(0.91, 0.6, 14.0)
    assert limits.surely(0.97, 0.6, 14.0) and not limits.surely(0.999, 0.9, 9.0)
    assert not limits.surely(0.99, 0.4, 30.0)


def test_a_joker_by_itself_is_asked_about() -> None:
    """Print resembles a joker's word: only a plain card, or a joker with both corners, shows that cards lie there."""

    def index(name: str, x: float, angle: float = 0.0) -> Index:
        turn = np.radians(angle)
        return Index(x, 100.0, float(np.sin(turn)), float(-np.cos(turn)), 40.0, 0.9, {Card.parse(name): 0.99})

    def seen(*indices: Index) -> list[bool]:
        return [card.sure for card in _in_company([seen_card(placed, Limits(0.9)) for placed in lay_out(indices)])]

    assert seen(index("HR", 100.0)) == [False]
    assert seen(index("HR", 100.0), index("SB", 400.0)) == [False, False]
    assert seen(index("HR", 100.0), index("S5", 400.0)) == [True, True]
