"""Legal plays against brute force: which meanings a hand holds, with how many wilds, and what beats what."""

from __future__ import annotations

import os
import random

import pytest

from engine.cards import RANKS, parse_cards
from engine.plays import legal_plays
from engine.readings import Reading, order_of, readings
from engine.rulesets import load
from tests.engine import oracle

SCALE = int(os.environ.get("GUANDAN_ORACLE", "1"))
PACK = [*oracle.ALL_52, "SB", "HR"] * 2


def hand_of(rng: random.Random, level: str) -> list[str]:
    pack = list(PACK)
    rng.shuffle(pack)
    size = rng.choice([27, 27, 27, 12, 5])
    hand = pack[:size]
    for at in range(rng.choice([0, 1, 2])):  # wilds oftener than in life
        if hand.count("H" + level) < 2:
            hand[at] = "H" + level
    return [card for at, card in enumerate(hand) if hand[:at].count(card) < 2]


@pytest.mark.parametrize("seed", range(40 * SCALE))
def test_leading_and_following_agree_with_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    level = rng.choice(RANKS)
    hand = hand_of(rng, level)
    cards = parse_cards(hand)
    expected = oracle.playable(hand, level)
    led = legal_plays(cards, None, level)
    assert {tuple(play.reading[:3]) for play in led} == set(expected)
    assert len(led) == len(expected), "one play for each meaning"
    for play in led:
        assert play.reading in readings(play.cards, level), play
        assert sum(card.is_wild(level) for card in play.cards) == expected[tuple(play.reading[:3])], play
        assert all(play.cards.count(card) <= cards.count(card) for card in play.cards)
    for _ in range(10):
        meaning, _ranks = rng.choice(oracle.SHAPES)
        over = Reading(*meaning, order_of(*meaning, level))
        followed = {tuple(play.reading[:3]) for play in legal_plays(cards, over, level)}
        assert followed == {found for found in expected if oracle.stronger(found, meaning, level)}


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
