"""Decks with an index in all four corners, jokers lettered more than twice: every card once, equal cards kept apart."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.cards import Card
from tests.vision.test_layout import corners, index
from vision.layout import Index, Shape, lay_out

JUMBO = Shape(57.0, 24.0)
STEP = 26.0


def all_corners(name: str, x: float, y: float, angle: float, scale: float, rng: np.random.Generator) -> list[Index]:
    """The four indices of a card, centre (x, y) px: upper left, lower right, upper right, lower left."""
    across, down = JUMBO.opposite()
    size, turn = JUMBO.index * scale, np.radians(angle)
    right, below = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    found = []
    for side, end in ((-1, -1), (1, 1), (1, -1), (-1, 1)):
        at = np.array([x, y]) + size / 2 * (side * across * right + end * down * below) + rng.normal(0, 0.05 * size, 2)
        turned = angle + (180 if end > 0 else 0) + rng.normal(0, 3)
        found.append(index(at[0], at[1], turned, size * rng.normal(1, 0.02), Card.parse(name)))
    return found


def fan(names: str, angle: float, seed: int, top_left: bool) -> list[Index]:
    """A four-cornered deck's fan: of the card on top all corners, of the others those of one side."""
    rng = np.random.default_rng(seed)
    cards, scale, turn = names.split(), 3.3, np.radians(angle)
    found = []
    for place, name in enumerate(cards):
        at = np.array([1000.0, 800.0]) + place * STEP * scale * np.array([np.cos(turn), np.sin(turn)])
        four = all_corners(name, at[0], at[1], angle + rng.normal(0, 2), scale, rng)
        on_top = place == (0 if top_left else len(cards) - 1)
        shown = (0, 1, 2, 3) if on_top else ((1, 2) if top_left else (0, 3))
        found += [four[each] for each in shown]
    return [found[int(k)] for k in rng.permutation(len(found))]


@pytest.mark.parametrize("angle", [0, 90, 180, 262])
@pytest.mark.parametrize("top_left", [False, True])
@pytest.mark.parametrize("names", ["H3", "S5 S5", "C4 C4 DK CK HK", "D6 D6 C6 C7 C7 H7", "SA CA CA DA DA"])
def test_four_corners_are_one_card_and_equal_neighbours_two(names: str, angle: int, top_left: bool) -> None:
    for seed in range(3):
        laid = lay_out(fan(names, angle, seed, top_left), JUMBO, 3.3, float(angle))
        assert Counter(each.card.name for each in laid) == Counter(names.split())


@pytest.mark.parametrize("shown", [(1, 3), (0, 2), (0, 3), (0, 1, 3)])
def test_a_card_under_another_is_one_card_where_it_lies(shown: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    whole, under = all_corners("HK", 1000, 700, 2, 3.3, rng), all_corners("D7", 1005, 820, 0, 3.3, rng)
    laid = lay_out([*whole, *(under[place] for place in shown)], JUMBO, 3.3)
    assert sorted(each.card.name for each in laid) == ["D7", "HK"]
    lower = next(each for each in laid if each.card.name == "D7")
    assert np.hypot(lower.x - 1005, lower.y - 820) < 25 and abs((lower.angle + 90) % 180 - 90) < 10


def test_two_equal_cards_of_a_common_deck_side_by_side_stay_two() -> None:
    rng = np.random.default_rng(2)
    for gap in (58.0, 64.0, 80.0):
        found = [i for place in (0, 1) for i in corners(Card.parse("C9"), 500 + place * gap * 2.5, 400, 0, rng=rng)]
        assert [each.card.name for each in lay_out(found)] == ["C9", "C9"]


@pytest.mark.parametrize("under", [False, True])
def test_a_joker_with_a_star_in_every_corner_is_one_joker(under: bool) -> None:
    rng, joker, scale = np.random.default_rng(3), Card.parse("SB"), 3.3
    at = [(x, y) for x in (-22, 22) for y in (-36.5, 36.5)]
    found = [index(1000 + x * scale, 800 + y * scale, rng.uniform(0, 360), 40.0, joker) for x, y in at]
    found += corners(Card.parse("C5"), 1400, 800, 0, scale)
    if under:  # another one beneath it shows one side
        found += [index(1000 + (x - 20) * scale, 800 + y * scale, rng.uniform(0, 360), 40.0, joker) for x, y in at[:2]]
    laid = lay_out(found, px_per_mm=scale)
    assert Counter(each.card.name for each in laid) == {"SB": 2 if under else 1, "C5": 1}
    whole = next(each for each in laid if len(each.indices) == 4)
    assert abs(whole.x - 1000) < 2 and abs(whole.y - 800) < 2 and min(whole.angle, 360 - whole.angle) < 2


@pytest.mark.parametrize("high", [24.0, 30.0])
def test_a_joker_with_a_word_down_every_side_is_one_joker(high: float) -> None:
    scale, joker, down = 3.3, Card.parse("SB"), 44.0 - 4.0 - high / 2
    found = [
        index(1000 + x * scale, 800 + y * scale, 0.0 if y < 0 else 180.0, high * scale, joker)
        for x in (-25.0, 25.0) for y in (-down, down)
    ]  # fmt: skip
    laid = lay_out([*found, *corners(Card.parse("C5"), 1500, 800, 0, scale)], px_per_mm=scale)
    assert Counter(each.card.name for each in laid) == {"SB": 1, "C5": 1}


def test_two_equal_jokers_of_a_common_deck_stay_two() -> None:
    scale, joker = 3.3, Card.parse("HR")
    one, two = corners(joker, 1000, 800, 0, scale), corners(joker, 1000 + 20 * scale, 800, 0, scale)
    laid = lay_out([one[0], *two, *corners(Card.parse("C5"), 1600, 800, 0, scale)], px_per_mm=scale)
    assert Counter(each.card.name for each in laid) == {"HR": 2, "C5": 1}


def test_a_misread_corner_leaves_doubt_and_no_second_card() -> None:
    four = all_corners("S5", 1000, 800, 0, 3.3, np.random.default_rng(4))
    odd = replace(four[3], probs={Card.parse("S6"): 0.9, Card.parse("S5"): 0.1})
    laid = lay_out([*four[:3], odd, *all_corners("HK", 1400, 800, 0, 3.3, np.random.default_rng(5))], JUMBO, 3.3)
    assert sorted(each.card.name for each in laid) == ["HK", "S5"]
    assert min(each.confidence for each in laid) < 0.95


@pytest.mark.parametrize("angle", [0, 90, 180])
@pytest.mark.parametrize("step", [20.0, 21.5, 23.0])
def test_equal_cards_two_steps_apart_in_a_fan_stay_two(angle: int, step: float) -> None:
    """As far apart as one card's two sides, but what lies between them lies over the first."""
    rng, turn, scale = np.random.default_rng(7), np.radians(angle), 3.3
    found = []
    for place, name in enumerate(("HJ", "CJ", "HJ", "DJ")):
        at = np.array([1000.0, 800.0]) + place * step * scale * np.array([np.cos(turn), np.sin(turn)])
        corners_of = all_corners(name, at[0], at[1], angle, scale, rng)
        found += corners_of if place == 3 else [corners_of[0], corners_of[3]]
    laid = lay_out(found, JUMBO, scale, float(angle))
    assert sorted(each.card.name for each in laid) == ["CJ", "DJ", "HJ", "HJ"]


@pytest.mark.parametrize("angle", [0, 90])
@pytest.mark.parametrize("names", ["H8 H8 D8 D8", "H8 H8", "S5 H8 H8 D8"])
def test_equal_cards_a_wide_step_apart_stay_two(angle: int, names: str) -> None:
    """Three quarters of a card's width: the card on top tells how wide one is."""
    rng, turn, scale = np.random.default_rng(8), np.radians(angle), 3.3
    found, cards, at = [], names.split(), np.array([1000.0, 800.0])
    for place, name in enumerate(cards):
        four = all_corners(name, at[0], at[1], angle, scale, rng)
        found += four if place == len(cards) - 1 else [four[0], four[3]]
        step = 33.0 if name == "H8" and cards[place + 1 : place + 2] == ["H8"] else 26.0
        at = at + step * scale * np.array([np.cos(turn), np.sin(turn)])
    laid = lay_out(found, JUMBO, scale, float(angle))
    assert sorted(each.card.name for each in laid) == sorted(cards)
