"""The engine's speed: readings of mixed sets, legal plays of random hands, a record of 200 deals.

``python -m benchmarks.engine [--json]``: processor time on one core, medians of five rounds.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from engine.cards import DECK, RANKS, SEATS, Card
from engine.events import Event
from engine.match import Match
from engine.plays import legal_plays
from engine.readings import Reading, readings

TARGETS = {"readings": 100_000, "lead": 5_000, "follow": 15_000}
ROUNDS = 5


def per_second(work: Callable[[], int]) -> float:
    """Items a second of processor time, the median of some rounds."""
    rates = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        items = work()
        rates.append(items / (time.process_time() - begin))
    return statistics.median(rates)


def hands(rng: random.Random, count: int) -> list[tuple[list[Card], str]]:
    """Random hands of 27 cards, each with the level it is played at."""
    return [(rng.sample([*DECK, *DECK], 27), rng.choice(RANKS)) for _ in range(count)]


def mixed_sets(rng: random.Random, count: int) -> list[tuple[list[Card], str]]:
    """Sets of 1 to 10 cards: half of them plays of random hands, half any cards at all."""
    sets: list[tuple[list[Card], str]] = []
    while len(sets) < count:
        for hand, level in hands(rng, 20):
            sets.append((rng.sample(hand, rng.randint(1, 10)), level))
            sets.append((list(rng.choice(legal_plays(hand, None, level)).cards), level))
    return sets[:count]


def record(rng: random.Random, deals: int) -> list[str]:
    """The lines of a record of so many deals, played with random lawful cards; no side ever passes A in it."""
    match = Match()
    lines: list[str] = []

    def note(do: str, **data: Any) -> None:
        event = Event(len(lines) + 1, do, data)
        match.apply(event)
        lines.append(event.to_line())

    note("match", ruleset="national", options={"match_seconds": 0, "must_play": ["A"], "passing_A": ["1-4"]})
    while len(match.deals) < deals and match.result is None:
        pack = [*DECK, *DECK]
        rng.shuffle(pack)
        cards = {seat: pack[27 * at : 27 * at + 27] for at, seat in enumerate(SEATS)}
        note("deal", leader=rng.choice(SEATS))
        deal = match.deal
        assert deal is not None
        while match.phase == "deal":
            seat = deal.turn or deal.leader or "N"
            over = deal.standing.reading if deal.standing else None
            plays = legal_plays(cards[seat], over, deal.level, deal.ruleset)
            if plays and (deal.holder is None or rng.random() < 0.8):
                play = rng.choice(plays[:8])
                note("play", seat=seat, cards=[card.name for card in play.cards])
                for card in play.cards:
                    cards[seat].remove(card)
                if seat in deal.due:
                    note("report", seat=seat, count=deal.remaining[seat])
            else:
                note("pass", seat=seat)
    return lines


def measure(seed: int = 1) -> dict[str, float]:
    """All figures: items a second, and the seconds that a record of 200 deals takes from its text."""
    rng = random.Random(seed)
    sets, dealt = mixed_sets(rng, 20_000), hands(rng, 1_000)
    overs: list[Reading] = [rng.choice(legal_plays(hand, None, level)).reading for hand, level in hands(rng, 1_000)]

    def read() -> int:
        for cards, level in sets:
            readings(cards, level)
        return len(sets)

    def lead() -> int:
        for hand, level in dealt:
            legal_plays(hand, None, level)
        return len(dealt)

    def follow() -> int:
        for (hand, level), over in zip(dealt, overs, strict=True):
            legal_plays(hand, over, level)
        return len(dealt)

    figures = {"readings": per_second(read), "lead": per_second(lead), "follow": per_second(follow)}
    lines: list[str] = []
    deals = 0
    records = []
    while deals < 200:
        lines = record(rng, 200 - deals)
        records.append(lines)
        deals += sum(1 for line in lines if line.startswith('{"do":"deal"'))
    begin = time.process_time()
    for lines in records:
        match = Match()
        for seq, line in enumerate(lines, 1):
            match.apply(Event.from_line(seq, line))
    figures["seconds_for_200_deals"] = time.process_time() - begin
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    figures = measure()
    if args.json:
        print(json.dumps({name: round(value, 3) for name, value in figures.items()}))
        return 0
    for name, value in figures.items():
        target = f"   (at least {TARGETS[name]:,})" if name in TARGETS else "   (under 2)"
        print(f"{name:<24}{value:>12,.2f}{target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
