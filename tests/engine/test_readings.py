"""Readings against brute force, through the same path as `classify --batch`."""

from __future__ import annotations

import json
import os
import random

import pytest

from cli.classify import classify
from cli.questions import parse_question
from engine.cards import RANKS, parse_cards
from engine.readings import TYPES, Reading, beats, order_of, readings, strength
from tests.engine import oracle

SCALE = int(os.environ.get("GUANDAN_ORACLE", "1"))
"""How many times the usual number of sets, pairs and hands is tried; 77 is a hundred thousand sets."""
PACK = [*oracle.ALL_52, "SB", "HR"] * 2


def wild_heavy_set(rng: random.Random, level: str) -> list[str]:
    """A set of 1 to 10 cards, mostly near a combination, with wilds more often than in life."""
    kind = rng.choice(TYPES)
    meaning, ranks = rng.choice([shape for shape in oracle.SHAPES if shape[0][0] == kind])
    pack = list(PACK)
    rng.shuffle(pack)
    chosen = []
    suit = rng.choice("SHCD") if meaning[0] == "straight_flush" or rng.random() < 0.2 else None
    for rank in ranks:
        fits = [card for card in pack if oracle.rank_of(card) == rank and (suit is None or card[0] == suit)]
        if fits:
            chosen.append(fits[0])
            pack.remove(fits[0])
    for _ in range(rng.choice([0, 1, 1, 2, 2])):
        if "H" + level in pack:
            pack.remove("H" + level)
            if chosen and rng.random() < 0.85:
                chosen[rng.randrange(len(chosen))] = "H" + level
            else:
                chosen.append("H" + level)
    if rng.random() < 0.15 and chosen:
        chosen[rng.randrange(len(chosen))] = pack[0]
    return [card for at, card in enumerate(chosen) if chosen[:at].count(card) < 2][:10]


def asked(cards: list[str], level: str) -> set[tuple[str, int, str | None]]:
    answer = classify(parse_question(json.dumps({"cards": cards, "level": level})))
    found = [(reading["type"], reading["size"], reading["rank"]) for reading in answer["readings"]]
    assert len(found) == len(set(found)), "a reading is given once"
    assert answer["default"] == (0 if found else None)
    return set(found)


@pytest.mark.parametrize("seed", range(13))
def test_wild_heavy_sets_agree_with_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    level = RANKS[seed]
    kinds = set()
    for _ in range(100 * SCALE):
        cards = wild_heavy_set(rng, level)
        if cards:
            expected = oracle.meanings(cards, level)
            assert asked(cards, level) == expected, (cards, level)
            kinds |= {meaning[0] for meaning in expected}
    assert len(kinds) >= 8, "the sets reach most kinds"


def test_random_sets_agree_with_brute_force() -> None:
    rng = random.Random(99)
    for _ in range(300 * SCALE):
        level = rng.choice(RANKS)
        cards = rng.sample(PACK, rng.randint(1, 6))
        assert asked(cards, level) == oracle.meanings(cards, level), (cards, level)


def test_beats_agrees_with_brute_force() -> None:
    rng = random.Random(5)
    by_kind: dict[str, list[tuple[str, int, str | None]]] = {}
    for meaning, _ in oracle.SHAPES:
        by_kind.setdefault(meaning[0], []).append(meaning)
    for _ in range(5000 * SCALE):
        level = rng.choice(RANKS)
        kind = rng.choice(TYPES)
        a = rng.choice(by_kind[kind])
        b = rng.choice(by_kind[kind if rng.random() < 0.7 else rng.choice(TYPES)])
        reading_a, reading_b = (Reading(*meaning, order_of(*meaning, level)) for meaning in (a, b))
        assert beats(reading_a, reading_b) == oracle.stronger(a, b, level), (a, b, level)
        other = rng.choice(RANKS)
        assert beats(reading_a, reading_b, other) == oracle.stronger(a, b, other)


def test_readings_come_strongest_first() -> None:
    rng = random.Random(3)
    for _ in range(500):
        level = rng.choice(RANKS)
        found = readings(parse_cards(wild_heavy_set(rng, level)), level)
        assert found == sorted(found, key=strength, reverse=True)
