"""The jokers of a play: each once, wherever and in which direction it says its name; faint signs count together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.cards import Card
from tests.vision.test_layout import corners, index
from vision.jokers import without_pictures
from vision.layout import Index, lay_out
from vision.photo import Limits, seen_card

SCALE = 3.0
SB, HR = Card.parse("SB"), Card.parse("HR")
OPPOSITE, ALL = ((-1, -1), (1, 1)), ((-1, -1), (1, 1), (1, -1), (-1, 1))


def signs(
    card: Card,
    x: float,
    y: float,
    at: tuple[tuple[int, int], ...] = OPPOSITE,
    half: tuple[float, float] = (22.0, 34.0),
    turn: float = 0.0,
    seed: int = 1,
) -> list[Index]:
    """Stars of a joker whose centre is (x, y) mm, in directions that mean nothing; *turn* as its player sees it."""
    rng, angle = np.random.default_rng(seed), np.radians(turn)
    right, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    found = []
    for aside, below in at:
        place = (np.array([x, y]) + aside * half[0] * right + below * half[1] * down) * SCALE + rng.normal(0, 1.5, 2)
        tilt = turn + (180 if below > 0 else 0) + rng.uniform(-36, 36)
        found.append(index(float(place[0]), float(place[1]), tilt, 8 * SCALE, card, 0.95))
    return found


def faint(found: list[Index], score: float, confidence: float) -> list[Index]:
    return [replace(each, score=score, probs={each.card: confidence}, reject=1 - confidence) for each in found]


def around(found: list[Index], up: float) -> list[Index]:
    """*found* as they lie before a player towards whom the picture is turned by *up* degrees."""
    turn = np.radians(up)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return [
        replace(each, x=float(at[0]), y=float(at[1]), dx=float(way[0]), dy=float(way[1]))
        for each in found
        for at, way in [(matrix @ [each.x, each.y], matrix @ [each.dx, each.dy])]
    ]


@pytest.mark.parametrize("up", [0.0, 90.0, 180.0, 271.0])
@pytest.mark.parametrize("turn", [-12.0, 0.0, 12.0])
@pytest.mark.parametrize(("at", "half"), [(OPPOSITE, (18.0, 33.0)), (ALL, (23.0, 28.0)), (ALL[:3], (23.0, 28.0))])
def test_one_joker_is_one_wherever_its_stars_point(
    up: float, turn: float, at: tuple[tuple[int, int], ...], half: tuple[float, float]
) -> None:
    for seed in range(4):
        laid = lay_out(around(signs(SB, 200, 150, at, half, turn, seed), up), px_per_mm=SCALE, up=up)
        assert [card.card for card in laid] == [SB]
        off = (laid[0].angle - up - turn + 180) % 360 - 180
        assert abs(off) <= (13 if at is OPPOSITE else 5) and seen_card(laid[0], Limits(0.9), up).sure
        centre = around([index(200 * SCALE, 150 * SCALE, 0, 20, SB)], up)[0]
        assert np.hypot(laid[0].x - centre.x, laid[0].y - centre.y) < 4 * SCALE


@pytest.mark.parametrize("step", [16.0, 23.0])
@pytest.mark.parametrize(("aside", "turn"), [(22.0, 0.0), (16.0, 8.0), (24.0, -8.0)])
def test_two_jokers_of_one_name_in_a_fan_are_two(step: float, aside: float, turn: float) -> None:
    """The lower one's star lies on the upper one's diagonal, or nearly so, and may not be taken for its figure."""
    for seed in range(6):
        under = signs(HR, 200, 150, OPPOSITE[:1], (aside, 34.0), turn, seed)
        over = signs(HR, 200 + step, 151, OPPOSITE, (aside, 34.0), turn, seed + 10)
        words = [index((200 + step) * SCALE, (151 + y) * SCALE, 0, 40 * SCALE, HR, 0.9) for y in (-20, 20)]
        for found in ([*under, *over], [*under, *over, *words]):
            assert [card.card for card in lay_out(found, px_per_mm=SCALE)] == [HR, HR]


def test_two_jokers_one_over_the_other_are_two() -> None:
    """The lower one shows its lower left corner: of a two-cornered deck that is the lower right one seen from there."""
    under, over = signs(SB, 205, 172, ((1, 1),)), signs(SB, 200, 150)
    assert [card.card for card in lay_out([*under, *over], px_per_mm=SCALE)] == [SB, SB]
    four = signs(SB, 205, 172, ((1, 1), (-1, 1)), (23.0, 28.0)), signs(SB, 200, 150, ALL, (23.0, 28.0))
    assert [card.card for card in lay_out([*four[0], *four[1]], px_per_mm=SCALE)] == [SB, SB]


def test_signs_too_faint_by_themselves_are_a_joker_together() -> None:
    dim = faint(signs(SB, 200, 150, ALL, (23.0, 28.0)), 0.4, 0.85)
    seen = [seen_card(card, Limits(0.9), 0.0) for card in lay_out(dim, px_per_mm=SCALE)]
    assert [card.card for card in seen] == [SB] and seen[0].sure
    assert lay_out(dim[:1], px_per_mm=SCALE) == []
    scattered = [replace(each, x=500.0 + 90 * k, y=450.0) for k, each in enumerate(dim)]
    assert lay_out(scattered, px_per_mm=SCALE) == []


def test_faint_signs_in_the_picture_of_another_card_are_no_joker() -> None:
    dim = faint(signs(SB, 200, 150, OPPOSITE, (22.0, 28.0)), 0.42, 0.9)
    assert [card.card for card in lay_out(dim, px_per_mm=SCALE)] == [SB]
    king = index(200 * SCALE, 140 * SCALE, 0, 17 * SCALE, Card.parse("SK"))
    assert [card.card.name for card in lay_out([*dim, king], px_per_mm=SCALE)] == ["SK"]


def test_a_colour_that_the_signs_do_not_agree_on_stays_in_doubt() -> None:
    one, two = signs(SB, 200, 150)
    two = replace(two, probs={HR: 0.8, SB: 0.15})
    (laid,) = lay_out([one, two], px_per_mm=SCALE)
    assert laid.confidence < 0.8 and {card for card, _ in laid.probs} > {SB, HR}
    assert not seen_card(laid, Limits(0.9), 0.0).sure


def test_a_word_in_the_rim_belongs_to_its_joker() -> None:
    rims = [index(200 * SCALE, (150 + side * 39) * SCALE, 0 if side < 0 else 180, 12.0, SB, 0.9) for side in (-1, 1)]
    laid = lay_out([*signs(SB, 200, 150, half=(24.0, 17.0)), *rims], px_per_mm=SCALE)
    assert [card.card for card in laid] == [SB] and len(laid[0].indices) == 4


def test_a_faint_joker_in_a_court_cards_picture_is_none() -> None:

    def named(found: list[Index]) -> list[str]:
        return sorted(card.card.name for card in without_pictures(lay_out(found, px_per_mm=SCALE)))

    jack = corners(Card.parse("DJ"), 200 * SCALE, 150 * SCALE, 0, SCALE)
    head = index(210 * SCALE, 170 * SCALE, 80, 110, HR, 0.95, 0.45)
    assert named([*jack, head]) == ["DJ"]
    assert named([*jack, replace(head, score=0.8, probs={HR: 0.85})]) == ["DJ"]
    beside, clear = replace(head, x=300 * SCALE), replace(head, score=0.8)
    for joker in (beside, clear):
        assert named([*jack, joker]) == ["DJ", "HR"]
    assert named([jack[0], head]) == ["DJ", "HR"]
    jester = replace(index(205 * SCALE, 158 * SCALE, 40, 60, SB), probs={SB: 0.85})
    assert named([*signs(HR, 200, 150), jester]) == ["HR"]


def test_a_sign_within_a_joker_that_shows_its_corners_is_asked_about() -> None:
    whole, strange = signs(SB, 200, 150), index(193 * SCALE, 165 * SCALE, 20, 8 * SCALE, SB)
    seen = [seen_card(card, Limits(0.9), 0.0) for card in lay_out([*whole, strange], px_per_mm=SCALE)]
    assert sorted(card.sure for card in seen) == [False, True]


def test_a_joker_that_lies_across_keeps_its_own_direction() -> None:
    (card,) = lay_out([index(300, 300, 85, 60, SB)], px_per_mm=SCALE)
    assert abs(card.angle - 85) < 1
    (card,) = lay_out([index(300, 300, 30, 24, SB)], px_per_mm=SCALE)
    assert card.angle == 0


def test_a_small_word_in_one_rim_is_no_second_joker() -> None:
    """Found at one end only, and farther out than the card's edge as its place is known."""
    corners_of = signs(SB, 200, 150, half=(26.0, 18.0))
    words = [replace(each, size=size) for each, size in zip(corners_of, (75.0, 120.0), strict=True)]
    rim = index(200 * SCALE, 195 * SCALE, 80, 47, SB, 0.97)
    assert [card.card for card in lay_out([*words, rim], px_per_mm=SCALE)] == [SB]
    near = replace(rim, y=199 * SCALE, size=80)
    seen = [seen_card(card, Limits(0.9), 0.0) for card in lay_out([*words, near], px_per_mm=SCALE)]
    assert sorted(card.sure for card in seen) == [False, True]


def test_two_faint_signs_alone_are_asked_about() -> None:
    """Each may be the only one that was found of a joker of its own."""
    two = faint(signs(SB, 200, 150), 0.38, 0.94)
    (one,) = lay_out(two, px_per_mm=SCALE)
    assert one.card is SB and not seen_card(one, Limits(0.9), 0.0).sure
    (one,) = lay_out([two[0], replace(two[1], score=0.6)], px_per_mm=SCALE)
    assert seen_card(one, Limits(0.9), 0.0).sure
