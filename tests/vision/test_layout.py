"""Two corners of one card joined, two equal cards kept apart, for cards of any shape, size and direction."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from engine.cards import DECK, Card
from vision.detector import Found
from vision.layout import COMMON, Index, Shape, join, lay_out, learn_shape, suppress, to_indices
from vision.reader import Place

POKER = Shape(63.0, 17.0)


@dataclass(frozen=True)
class Said:
    """What a reader said of one index."""

    candidates: tuple[tuple[Card, float], ...]
    reject: float
    place: Place | None


def index(x: float, y: float, angle: float, size: float, card: Card, p: float = 0.99, score: float = 0.9) -> Index:
    turn = np.radians(angle)
    probs = {card: p, DECK[(card.index + 9) % 54]: 1 - p}
    return Index(x, y, float(np.sin(turn)), float(-np.cos(turn)), size, score, probs)


def corners(
    card: Card, x: float, y: float, angle: float, px_per_mm: float = 2.5, shape: Shape = POKER,
    rng: np.random.Generator | None = None, p: float = 0.99,
) -> list[Index]:  # fmt: skip
    """Both indices of a card whose centre is (x, y) px, as a detector of the trial's accuracy finds them."""
    across, down = shape.opposite()
    size = shape.index * px_per_mm
    turn = np.radians(angle)
    right, below = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    both = []
    for sign, turned in ((-1, 0.0), (1, 180.0)):
        at = np.array([x, y]) + sign * size / 2 * (across * right + down * below)
        if rng:
            at = at + rng.normal(0, 0.06 * size, 2)
        off, grown = (rng.normal(0, 4), rng.normal(1, 0.03)) if rng else (0.0, 1.0)
        both.append(index(at[0], at[1], angle + turned + off, size * grown, card, p))
    return both


@pytest.mark.parametrize("shape", [POKER, Shape(57.0, 17.5), Shape(63.0, 26.0), Shape(58.0, 11.0)])
@pytest.mark.parametrize("seed", range(4))
def test_scattered_cards_are_joined_whatever_their_shape(shape: Shape, seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = [(x * 320 + rng.uniform(-30, 30), y * 320 + rng.uniform(-30, 30)) for x in range(5) for y in range(4)]
    cards = [DECK[int(k)] for k in rng.choice(54, len(places), replace=False)]
    angles = rng.uniform(0, 360, len(places))
    found = [
        i
        for card, (x, y), angle in zip(cards, places, angles, strict=True)
        for i in corners(card, x, y, angle, shape=shape, rng=rng)
    ]
    found = [found[int(k)] for k in rng.permutation(len(found))]
    laid = lay_out(found)
    assert sorted(p.card.name for p in laid) == sorted(c.name for c in cards)
    assert all(len(p.indices) == 2 for p in laid)
    for placed in laid:
        x, y = places[cards.index(placed.card)]
        assert np.hypot(placed.x - x, placed.y - y) < 0.25 * placed.size


def test_the_decks_shape_is_learned() -> None:
    rng = np.random.default_rng(3)
    for shape in (Shape(63.0, 26.0), Shape(57.0, 17.0)):
        found = [i for k in range(8) for i in corners(DECK[k * 3], 300 * k, 200, 20 * k, shape=shape, rng=rng)]
        learned = learn_shape(found)
        assert learned is not None and abs(learned.index - shape.index) <= 2
    assert learn_shape([index(0, 0, 0, 40, DECK[0])]) is None


def test_equal_cards_of_two_decks_side_by_side_stay_two() -> None:
    eight = Card.parse("H8")
    for step in (12, 25, 60, 140):
        found = corners(eight, 300, 300, 0) + corners(eight, 300 + step * 2.5, 300, 4)
        laid = lay_out(found)
        assert [p.card.name for p in laid] == ["H8", "H8"], step
        assert all(len(p.indices) == 2 for p in laid)


def test_equal_names_that_point_the_same_way_are_two_cards() -> None:
    eight = Card.parse("H8")
    across, down = POKER.opposite()
    size = POKER.index * 2.5
    # The second index lies exactly where the first card's opposite corner would be, but it is upright.
    found = [index(100, 100, 0, size, eight), index(100 + across * size, 100 + down * size, 0, size, eight)]
    assert len(lay_out(found)) == 2


def test_a_fan_with_equal_neighbours_keeps_its_order() -> None:
    names = ["H3", "H3", "S4", "C4", "D9", "D9", "SB", "SB", "HR"]
    for up in (0.0, 90.0, 180.0, 270.0):
        found = []
        for k, name in enumerate(names):
            turn = np.radians(up)
            x = 600 + (k - 4) * 30 * np.cos(turn)
            y = 600 + (k - 4) * 30 * np.sin(turn)
            both = corners(Card.parse(name), x, y, up + (k - 4) * 3)
            found += both if k == len(names) - 1 else both[:1]
        laid = lay_out(list(reversed(found)))
        assert [p.card.name for p in laid] == names
        assert [len(p.indices) for p in laid] == [1] * 8 + [2]


def test_one_card_that_fills_the_picture() -> None:
    laid = lay_out(corners(Card.parse("SK"), 2000, 1500, 12, px_per_mm=30))
    assert len(laid) == 1 and len(laid[0].indices) == 2


def test_an_index_found_twice_is_one() -> None:
    king = Card.parse("DK")
    found = [
        index(100, 100, 0, 40, king), index(106, 95, 3, 44, king, 0.8),  # twice nearly the same
        index(100, 122, 0, 24, king, 0.9, 0.6),  # its suit alone
        index(140, 100, 0, 40, king),  # the next card of the fan
    ]  # fmt: skip
    assert [(i.x, i.y) for i in suppress(found)] == [(100, 100), (140, 100)]


def test_an_equal_card_half_an_index_lower_is_another_card() -> None:
    seven, jumbo = Card.parse("S7"), Shape(63.0, 24.0)
    for right, down in ((3, 13), (-5, 11), (2, -12)):
        lower, upper = corners(seven, 300, 300, 0, shape=jumbo), corners(seven, 300 + 2.5 * right, 300 + 2.5 * down, 2,
                                                                         shape=jumbo)  # fmt: skip
        found = [replace(i, seen=True) for i in (lower[0] if down > 0 else lower[1], *upper)]
        assert [p.card for p in lay_out(found, jumbo, 2.5)] == [seven, seven]
        # Where nobody but the finder says where they lie, they may be one index, found in parts.
        assert len(suppress([replace(i, seen=False) for i in found])) == 2 < len(suppress(found))


def test_an_index_lies_where_the_reader_saw_it() -> None:
    found = Found(100.0, 100.0, 0.2, -0.98, 40.0, 0.9)
    place = Place(103.0, 98.0, 0.0, -1.0, 43.0)
    (plain,) = to_indices([found], [Said(((Card.parse("S7"), 0.9),), 0.05, place)])
    assert (plain.x, plain.y, plain.dx, plain.dy, plain.size, plain.seen) == (103.0, 98.0, 0.0, -1.0, 43.0, True)
    # A joker's star has no direction that the reader could tell.
    (joker,) = to_indices([found], [Said(((Card.parse("HR"), 0.9),), 0.05, place)])
    assert (joker.x, joker.y, joker.size, joker.seen) == (100.0, 100.0, 40.0, False)


def test_a_misread_corner_is_outvoted_but_doubted() -> None:
    rng = np.random.default_rng(0)
    found = [i for k in range(6) for i in corners(DECK[k], 300 * k, 200, 5 * k, rng=rng)]
    good, _ = corners(Card.parse("S8"), 300, 700, 0)
    _, other = corners(Card.parse("S3"), 300, 700, 0, p=0.55)
    laid = [p for p in lay_out([*found, good, other]) if p.y > 500]
    assert len(laid) == 1 and laid[0].card.name == "S8" and laid[0].confidence < 0.8


def test_false_joins_are_rare_among_many_indices() -> None:
    rng = np.random.default_rng(11)
    singles = [
        index(rng.uniform(0, 3000), rng.uniform(0, 3000), rng.uniform(0, 360), 42, DECK[int(rng.integers(54))])
        for _ in range(150)
    ]
    joined = sum(len(group) == 2 for group in join(singles, COMMON))
    assert joined <= 2


def test_no_indices_no_cards() -> None:
    assert lay_out([]) == []
