"""Readings against brute force, through the same path as `classify --batch`; in full: `python -m benchmarks.oracle`."""

from __future__ import annotations

import random

import pytest

from engine.cards import RANKS, parse_cards
from engine.readings import readings, strength
from tests.engine import oracle
from tests.engine.against_oracle import PACK, asked, check_pair, check_set, wild_heavy_set


@pytest.mark.parametrize("seed", range(13))
def test_wild_heavy_sets_agree_with_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    kinds = set()
    for _ in range(100):
        kinds |= check_set(rng, RANKS[seed])
    assert len(kinds) >= 8, "the sets reach most kinds"


def test_random_sets_agree_with_brute_force() -> None:
    rng = random.Random(99)
    for _ in range(300):
        level = rng.choice(RANKS)
        cards = rng.sample(PACK, rng.randint(1, 6))
        assert asked(cards, level) == oracle.meanings(cards, level), (cards, level)


def test_beats_agrees_with_brute_force() -> None:
    rng = random.Random(5)
    alike = sum(check_pair(rng) for _ in range(5000))
    assert alike > 2500, "most pairs are of one type"


def test_readings_come_strongest_first() -> None:
    rng = random.Random(3)
    for _ in range(500):
        level = rng.choice(RANKS)
        found = readings(parse_cards(wild_heavy_set(rng, level)), level)
        assert found == sorted(found, key=strength, reverse=True)
