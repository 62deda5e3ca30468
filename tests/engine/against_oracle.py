"""Random sets, pairs of readings and hands put to the engine and to the oracle; each disagreement raises."""

from __future__ import annotations

import json
import random

from cli.classify import classify
from cli.questions import parse_question
from engine.cards import RANKS, parse_cards
from engine.plays import legal_plays
from engine.readings import TYPES, Reading, beats, order_of, readings
from tests.engine import oracle

Meaning = tuple[str, int, str | None]

PACK = [*oracle.ALL_52, "SB", "HR"] * 2
BY_KIND: dict[str, list[tuple[Meaning, list[str]]]] = {
    kind: [shape for shape in oracle.SHAPES if shape[0][0] == kind] for kind in TYPES
}


def wild_heavy_set(rng: random.Random, level: str) -> list[str]:
    """A set of 1 to 10 cards, mostly near a combination, with wilds more often than in life."""
    meaning, ranks = rng.choice(BY_KIND[rng.choice(TYPES)])
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


def asked(cards: list[str], level: str) -> set[Meaning]:
    """What `classify --batch` answers."""
    answer = classify(parse_question(json.dumps({"cards": cards, "level": level})))
    found = [(reading["type"], reading["size"], reading["rank"]) for reading in answer["readings"]]
    assert len(found) == len(set(found)), "a reading is given once"
    assert answer["default"] == (0 if found else None)
    return set(found)


def check_set(rng: random.Random, level: str) -> set[str]:
    """Readings of one wild-heavy set; the kinds it can be."""
    cards = wild_heavy_set(rng, level)
    if not cards:
        return set()
    expected = oracle.meanings(cards, level)
    assert asked(cards, level) == expected, (cards, level)
    return {meaning[0] for meaning in expected}


def check_pair(rng: random.Random) -> bool:
    """Whether one reading beats another, most often of its own type; whether both were of one type."""
    level, other = rng.choice(RANKS), rng.choice(RANKS)
    kind = rng.choice(TYPES)
    second = kind if rng.random() < 0.7 else rng.choice(TYPES)
    a, b = rng.choice(BY_KIND[kind])[0], rng.choice(BY_KIND[second])[0]
    one, two = (Reading(*meaning, order_of(*meaning, level)) for meaning in (a, b))
    assert beats(one, two) == oracle.stronger(a, b, level), (a, b, level)
    assert beats(one, two, other) == oracle.stronger(a, b, other), (a, b, level, other)
    return kind == second


def hand_of(rng: random.Random, level: str) -> list[str]:
    """A hand, mostly of 27 cards, with wilds more often than in life."""
    pack = list(PACK)
    rng.shuffle(pack)
    size = rng.choice([27, 27, 27, 12, 5])
    hand = pack[:size]
    for at in range(rng.choice([0, 1, 2])):
        if hand.count("H" + level) < 2:
            hand[at] = "H" + level
    return [card for at, card in enumerate(hand) if hand[:at].count(card) < 2]


def check_hand(rng: random.Random, level: str, follows: int = 10) -> int:
    """Leads of one hand, and what it plays over *follows* readings; how many plays were compared."""
    hand = hand_of(rng, level)
    cards = parse_cards(hand)
    expected = oracle.playable(hand, level)
    led = legal_plays(cards, None, level)
    assert {tuple(play.reading[:3]) for play in led} == set(expected), (hand, level)
    assert len(led) == len(expected), "one play for each meaning"
    for play in led:
        assert play.reading in readings(play.cards, level), play
        assert sum(card.is_wild(level) for card in play.cards) == expected[tuple(play.reading[:3])], play
        assert all(play.cards.count(card) <= cards.count(card) for card in play.cards)
    compared = len(led)
    for _ in range(follows):
        meaning, _ranks = rng.choice(oracle.SHAPES)
        over = Reading(*meaning, order_of(*meaning, level))
        followed = {tuple(play.reading[:3]) for play in legal_plays(cards, over, level)}
        beating = {found for found in expected if oracle.stronger(found, meaning, level)}
        assert followed == beating, (hand, level, meaning)
        compared += len(followed)
    return compared
