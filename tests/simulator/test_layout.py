"""Cards lie as people lay them, and inside the zones by which the eye tells whose they are."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from engine.cards import parse_cards
from engine.readings import readings
from simulator import layout
from vision import mat


def named(cards: str, wanted: str, level: str) -> list[str]:
    given = parse_cards(cards)
    reading = next(each for each in readings(given, level) if (each.type, each.rank) == tuple(wanted.split()))
    return [card.name for card in layout.in_order(given, reading, level)]


@pytest.mark.parametrize(("cards", "wanted", "level", "order"), [
    ("S7 H9 D5 C6 H8", "straight 9", "2", "D5 C6 S7 H8 H9"),
    ("SA D3 C2 S5 H4", "straight 5", "9", "SA C2 D3 H4 S5"),
    ("S7 H2 D5 C6 H8", "straight 9", "2", "D5 C6 S7 H8 H2"),
    ("S7 H2 D5 C6 H8", "straight 8", "2", "H2 D5 C6 S7 H8"),
    ("S7 H2 D5 C9 H8", "straight 9", "2", "D5 H2 S7 H8 C9"),
    ("SK HK D6 C6 H9", "full_house K", "9", "D6 C6 SK HK H9"),
    ("SK HK D6 C6 H9", "full_house 6", "9", "D6 C6 H9 SK HK"),
    ("S7 C7 S8 D8 H9 H9", "plate 8", "9", "S7 C7 H9 S8 D8 H9"),
    ("S7 C7 S8 D8 H9 H9", "tube 9", "9", "S7 C7 S8 D8 H9 H9"),
    ("SB S9 HR D3", "", "9", "D3 S9 SB HR"),
])  # fmt: skip
def test_small_to_large_with_wilds_in_their_place(cards: str, wanted: str, level: str, order: str) -> None:
    if not wanted:
        assert [card.name for card in layout.in_order(parse_cards(cards), None, level)] == order.split()
    else:
        assert named(cards, wanted, level) == order.split()


@pytest.mark.parametrize("seat", "NESW")
@pytest.mark.parametrize("style", layout.STYLES)
def test_every_card_of_every_fan_belongs_to_its_seat(seat: str, style: str) -> None:
    right = mat.RIGHT[seat]
    for count in range(1, 11):
        for before in range(3):
            for seed in range(6):
                poses = layout.lay(seat, count, Random(seed), before, style)
                for pose in poses:
                    zone = mat.zone_of(pose.x, pose.y, pose.angle)
                    assert zone is not None and (zone.kind, zone.seat) == ("play", seat)
                along = [pose.x * right[0] + pose.y * right[1] for pose in poses]
                assert along == sorted(along), "left to right as the player sees it"
                off = [abs((pose.angle - mat.UP[seat] + 180) % 360 - 180) for pose in poses]
                assert max(off) < 35, "upright for the player"


@pytest.mark.parametrize("style", layout.STYLES)
def test_neighbours_leave_the_left_index_free(style: str) -> None:
    for seed in range(20):
        poses = layout.lay("S", 10, Random(seed), 0, style)
        steps = [((b.x - a.x) ** 2 + (b.y - a.y) ** 2) ** 0.5 for a, b in pairwise(poses)]
        assert min(steps) > 12


def test_turned_cards_lie_in_their_zone() -> None:
    for seat in "NESW":
        for pose in layout.turned(seat, 8, Random(3)):
            zone = mat.zone_of(pose.x, pose.y)
            assert zone is not None and (zone.kind, zone.seat) == ("turned", seat)
