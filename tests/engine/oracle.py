"""Brute force, written apart from the engine: every wild is tried as every card, and nothing is counted cleverly."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement, product

ORDER = "23456789TJQKA"
ALL_52 = [suit + rank for suit in "SHCD" for rank in ORDER]
LINES = ["A23456789TJQKA"[start : start + 5] for start in range(10)]
THREES = ["A23456789TJQKA"[start : start + 3] for start in range(12)]
TWOS = ["A23456789TJQKA"[start : start + 2] for start in range(13)]


def rank_of(card):
    return card if card in ("SB", "HR") else card[1]


@lru_cache(maxsize=200_000)
def natural(cards):
    """The one meaning of cards without wilds, or None."""
    ranks = [rank_of(card) for card in cards]
    counts = Counter(ranks)
    size = len(cards)
    jokers = counts["SB"] + counts["HR"]
    if size == 4 and counts["SB"] == 2 and counts["HR"] == 2:
        return ("joker_bomb", 4, None)
    if len(counts) == 1:
        if size <= 2:
            return (("single", "pair")[size - 1], size, ranks[0])
        if jokers:
            return None
        return ("triple", 3, ranks[0]) if size == 3 else ("bomb", size, ranks[0]) if size <= 10 else None
    if size == 5 and sorted(counts.values()) == [2, 3]:
        triple = max(counts, key=lambda rank: counts[rank])
        return None if triple in ("SB", "HR") else ("full_house", 5, triple)
    if jokers:
        return None
    if size == 5 and len(counts) == 5:
        for line in LINES:
            if set(line) == set(ranks):
                return ("straight_flush" if len({card[0] for card in cards}) == 1 else "straight", 5, line[-1])
    if size == 6 and set(counts.values()) == {2}:
        for line in THREES:
            if set(line) == set(ranks):
                return ("tube", 6, line[-1])
    if size == 6 and set(counts.values()) == {3}:
        for line in TWOS:
            if set(line) == set(ranks):
                return ("plate", 6, line[-1])
    return None


def meanings(cards, level):
    """Every (type, size, rank) of *cards*."""
    wild = "H" + level
    others = [card for card in cards if card != wild]
    wilds = len(cards) - len(others)
    if not cards:
        return set()
    if not others:
        found = natural(tuple(sorted(cards)))
        return {found} if found and found[1] <= 2 else set()
    found = set()
    for stand_ins in combinations_with_replacement(ALL_52, wilds):
        meaning = natural(tuple(sorted([*others, *stand_ins])))
        if meaning:
            found.add(meaning)
    return found


def height(rank, level):
    if rank == level:
        return 100
    return {"SB": 200, "HR": 300}.get(rank) or ORDER.index(rank)


def bomb_class(meaning):
    """Where a bomb stands: 4, 5, straight flush, 6, 7 … jokers."""
    kind, size, _ = meaning
    if kind == "joker_bomb":
        return 99.0
    if kind == "straight_flush":
        return 5.5
    return float(size) if kind == "bomb" else 0.0


def stronger(a, b, level):
    """Whether meaning *a* beats meaning *b*."""
    class_a, class_b = bomb_class(a), bomb_class(b)
    if class_a != class_b:
        return class_a > class_b
    if class_a == 0 and (a[0], a[1]) != (b[0], b[1]):
        return False
    if a[2] is None:
        return False
    if a[0] in ("straight", "tube", "plate", "straight_flush"):
        return ORDER.index(a[2]) > ORDER.index(b[2])
    return height(a[2], level) > height(b[2], level)


def shapes():
    """Every combination as the cards it shows: (meaning, ranks, whether of one suit)."""
    for rank in [*ORDER, "SB", "HR"]:
        yield ("single", 1, rank), [rank]
        yield ("pair", 2, rank), [rank] * 2
    for rank in ORDER:
        yield ("triple", 3, rank), [rank] * 3
        for size in range(4, 11):
            yield ("bomb", size, rank), [rank] * size
        for other in [*ORDER, "SB", "HR"]:
            if other != rank:
                yield ("full_house", 5, rank), [rank] * 3 + [other] * 2
    for line in LINES:
        yield ("straight", 5, line[-1]), list(line)
        yield ("straight_flush", 5, line[-1]), list(line)
    for line in THREES:
        yield ("tube", 6, line[-1]), list(line) * 2
    for line in TWOS:
        yield ("plate", 6, line[-1]), list(line) * 3
    yield ("joker_bomb", 4, None), ["SB", "SB", "HR", "HR"]


SHAPES = list(shapes())


def playable(hand, level):
    """Every meaning that some cards of *hand* have, with the fewest wilds that make it."""
    wild = "H" + level
    naturals = [card for card in hand if card != wild]
    wilds = len(hand) - len(naturals)
    by_rank = Counter(rank_of(card) for card in naturals)
    by_card = Counter(naturals)
    best = {}

    def offer(meaning, cost):
        if cost <= wilds and cost < best.get(meaning, 99):
            best[meaning] = cost

    for meaning, ranks in SHAPES:
        kind = meaning[0]
        if kind == "straight_flush":
            for suit in "SHCD":
                offer(meaning, sum(1 for rank in ranks if not by_card[suit + rank] or suit + rank == wild))
            continue
        if kind == "straight":
            options = [
                [*{card[0] for card in naturals if rank_of(card) == rank}, *(["*"] if wilds else [])] for rank in ranks
            ]
            for chosen in product(*options):
                cost = chosen.count("*")
                suits = set(chosen) - {"*"}
                if cost <= wilds and suits and (cost or len(suits) > 1):
                    offer(meaning, cost)
            continue
        need = Counter(ranks)
        cost, used = 0, 0
        for rank, count in need.items():
            have = min(count, by_rank[rank])
            used += have
            missing = count - have
            cost += 99 if missing and rank in ("SB", "HR") else missing
        if not used and not (kind in ("single", "pair") and meaning[2] == level):
            continue  # wilds alone are level cards
        offer(meaning, cost)
    return best
