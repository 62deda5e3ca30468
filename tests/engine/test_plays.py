"""Legal plays against brute force: which meanings a hand holds, with how many wilds, and what beats what.

In full: `python -m benchmarks.oracle`.
"""

from __future__ import annotations

import random

import pytest

from engine.cards import RANKS, parse_cards
from engine.plays import legal_plays
from engine.readings import readings
from engine.rulesets import load
from tests.engine.against_oracle import check_hand, hand_of


@pytest.mark.parametrize("seed", range(40))
def test_leading_and_following_agree_with_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    assert check_hand(rng, rng.choice(RANKS))


def test_plays_are_laid_small_to_large_with_the_wild_in_its_place() -> None:
    cards = parse_cards("S4 C5 D7 S8 H9")
    straight = next(play for play in legal_plays(cards, None, "9") if play.reading.type == "straight")
    assert [card.name for card in straight.cards] == ["S4", "C5", "H9", "D7", "S8"]


def test_a_ruleset_that_refuses_disputed_readings_offers_none_of_them() -> None:
    strict = load("national", options={
        "plain_straight_of_suited_wild_run": False, "joker_pair_in_full_house": False,
        "full_house_of_five_level_cards": False,
    })  # fmt: skip
    rng = random.Random(1)
    for seed in range(200):
        level = RANKS[seed % 13]
        cards = parse_cards(hand_of(rng, level))
        for play in legal_plays(cards, None, level, strict):
            assert play.reading in readings(play.cards, level, strict), play
