"""Robot players: sensible play, the same for the same seed.

They lead low and in good shape, keep bombs, beat where it is cheap, leave their partner's cards alone and bomb late.
They see what a player sees: the own hand, what lies on the table, how many cards each seat still holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

from engine.cards import BLACK_JOKER, RANKS, RED_JOKER, Card, next_seat, partner_of
from engine.plays import Play, legal_plays
from engine.readings import Disputes, Reading, default_reading, level_tables, power, readings

_HIGH: Final = 11  # from kings on a single card wins tricks more often than it costs one


@dataclass(frozen=True)
class Sight:
    """What a robot decides by."""

    seat: str
    hand: tuple[Card, ...]
    over: Reading | None
    """What must be beaten; None: it leads."""
    by: str | None
    """Whose cards those are."""
    left: Mapping[str, int]
    """Cards in each seat's hand; 0: out."""
    level: str
    ruleset: Disputes | None = None
    barred: str | None = None
    """A kind of combination that this robot may not lead now."""


def choose(sight: Sight, rng: Random) -> Play | None:
    """The play that the robot makes; None when it passes. A leader always plays."""
    plays = [play for play in legal_plays(sight.hand, sight.over, sight.level, sight.ruleset) if _plain(play, sight)]
    if sight.over is None and sight.barred is not None:
        plays = [play for play in plays if play.reading.type != sight.barred] or plays
    if not plays:
        return None
    out = next((play for play in plays if len(play.cards) == len(sight.hand)), None)
    if out is not None:
        return out
    return _lead(sight, plays, rng) if sight.over is None else _follow(sight, plays, rng)


def _plain(play: Play, sight: Sight) -> bool:
    """Whether the cards are taken for this without a word: robots declare nothing."""
    if level_tables(sight.level).wild not in play.cards:
        return True
    found = readings(play.cards, sight.level, sight.ruleset)
    default = default_reading(found, sight.ruleset)
    return default is not None and found[default] == play.reading


def _rests(sight: Sight, plays: Sequence[Play]) -> tuple[float, list[float]]:
    """What the hand still costs (:func:`turns`), and what is left of it after each of *plays*."""
    code, wilds = _counted(sight.hand, sight.level)
    left = []
    for play in plays:
        gone, gone_wilds = _counted(play.cards, sight.level)
        left.append(_turns(code - gone, wilds - gone_wilds, sight.level))
    return _turns(code, wilds, sight.level), left


def _nearest_foe(sight: Sight) -> int:
    """How many cards the opponent holds who is nearest to going out."""
    own = (sight.seat, partner_of(sight.seat))
    return min((count for seat, count in sight.left.items() if seat not in own and count), default=27)


def _lead(sight: Sight, plays: list[Play], rng: Random) -> Play:
    nearest = _nearest_foe(sight)
    partner = sight.left[partner_of(sight.seat)]
    best, best_cost = plays[0], 1e9
    for play, rest in zip(plays, _rests(sight, plays)[1], strict=True):
        cost = rest - 0.06 * len(play.cards) + rng.uniform(0, 0.08)
        value = 6 if play.reading.rank is None else power(play.reading.rank, sight.level)
        if play.reading.is_bomb:
            # A bomb leads only when the way out is clear.
            cost += 2.5 if rest > 1.2 else 0.2
        elif play.reading.size == nearest:
            cost += (15 - value) * 0.12  # they may go out over this: lead it high or not at all
        else:
            cost += value * 0.055
        if partner == play.reading.size and not play.reading.is_bomb and partner <= 2:
            cost -= 0.8 + (12 - value) * 0.05
        if cost < best_cost:
            best, best_cost = play, cost
    return best


def _follow(sight: Sight, plays: list[Play], rng: Random) -> Play | None:
    over, by = sight.over, sight.by
    assert over is not None
    now, rests = _rests(sight, plays)
    nearest = _nearest_foe(sight)
    value = 14 if over.rank is None else power(over.rank, sight.level)
    best: Play | None = None
    best_cost = 1e9
    for play, rest in zip(plays, rests, strict=True):
        cost = rest - now + rng.uniform(0, 0.1)
        if play.reading.is_bomb:
            cost += 1.15 + 0.25 * (play.reading.order[0] - 1) + 0.02 * play.reading.order[1]
            cost -= 0.8 * (rest <= 2.2) + 1.1 * (nearest <= 6) + 0.5 * (nearest <= 10) + 0.4 * (over.size >= 5)
        else:
            high = 0 if play.reading.rank is None else power(play.reading.rank, sight.level)
            cost += 0.035 * max(0, high - value) + 0.03 * max(0, high - 9)
            cost -= 0.5 * (nearest <= 5)
        if cost < best_cost:
            best, best_cost = play, cost
    if best is None:
        return None
    if by == partner_of(sight.seat):
        # The partner's cards stand unless they are low, or one is nearly out oneself.
        helpful = value < 8 and not over.is_bomb and over.size < 5 and sight.left[next_seat(sight.seat)] > 3
        wish = best_cost <= -0.75 if helpful or now <= 2.0 else False
        return best if wish and not best.reading.is_bomb else None
    return best if best_cost <= (0.35 if not best.reading.is_bomb else 0.2) else None


def turns(cards: Sequence[Card], level: str) -> float:
    """About how often the holder must still be let in to play *cards* out: low cards count full, winners little."""
    return _turns(*_counted(cards, level), level)


_RANKS_ONLY: Final = (1 << 60) - 1


def _counted(cards: Sequence[Card], level: str) -> tuple[int, int]:
    """How many of each rank, four bits each, wilds apart; and how many wilds."""
    wild = level_tables(level).wild
    wilds = cards.count(wild)
    return (sum(card.code for card in cards) - wilds * wild.code) & _RANKS_ONLY, wilds


@lru_cache(maxsize=13)
def _powers(level: str) -> tuple[int, ...]:
    """The power of each of the 15 ranks (2 … A, black joker, red joker) at *level*."""
    return tuple(power(rank, level) for rank in [*RANKS, BLACK_JOKER, RED_JOKER])


# Places of each straight and of each three ranks in a row, with the same as a mask of 13 bits.
_FIVES: Final = [(places, sum(1 << place for place in places)) for low in range(-1, 9)
                 for places in [[place % 13 for place in range(low, low + 5)]]]  # fmt: skip
_THREES: Final = [(places, sum(1 << place for place in places)) for low in range(-1, 11)
                  for places in [[place % 13 for place in range(low, low + 3)]]]  # fmt: skip


@lru_cache(maxsize=60_000)
def _turns(counts_code: int, wilds: int, level: str) -> float:
    powers = _powers(level)
    counts = [counts_code >> 4 * place & 15 for place in range(15)]
    held = ones = twos = 0
    for place in range(13):
        count = counts[place]
        if 1 <= count < 4:
            held |= 1 << place
            ones |= (count == 1) << place
            twos |= (count == 2) << place
    best = _loose(list(counts), powers)
    # A run may clear away single cards: try each straight that takes at least three of them, and each tube.
    for places, mask in _FIVES:
        if held & mask == mask and (ones & mask).bit_count() >= 3:
            best = min(best, 0.8 + _loose(_less(counts, places, 1), powers))
    for places, mask in _THREES:
        if twos & mask == mask:
            best = min(best, 0.8 + _loose(_less(counts, places, 2), powers))
    return best - 0.45 * wilds


def _less(counts: list[int], places: list[int], each: int) -> list[int]:
    rest = list(counts)
    for place in places:
        rest[place] -= each
    return rest


def _loose(counts: list[int], powers: tuple[int, ...]) -> float:
    """The cost of *counts* without runs; changes the list."""
    cost, triples, pairs = 0.0, 0, 0
    if counts[13] == 2 and counts[14] == 2:
        counts[13] = counts[14] = 0
        cost -= 0.5
    for place, count in enumerate(counts):
        if not count:
            continue
        if count == 1:
            cost += 1.0 - (0.7 if powers[place] > _HIGH else 0.03 * powers[place])
        elif count == 2:
            pairs += 1
            cost += 1.0 - (0.55 if powers[place] >= _HIGH else 0.02 * powers[place])
        elif count == 3:
            triples += 1
            cost += 0.9 - 0.02 * powers[place]
        else:
            cost -= 0.35 + 0.1 * (count - 4)
    return cost - 0.75 * min(triples, pairs)
