"""Swiss pairings held against their rules, and timed: 1,000 random events of up to 500 pairs, then the clock.

    python -m benchmarks.pairings [--events 1000] [--out benchmarks/results/pairings.json]

Every round of every event: everybody once, no rematch, no second bye, one bye at most and only of an odd number; the
same seed again gives the same games. Where the pairing refuses, a matching on the bare rules proves that none exists.
Goes on where it was stopped (the file beside the result, one line an event).
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
import time
from pathlib import Path
from typing import Any

from engine.errors import Impossible
from venue.desk import swiss
from venue.desk.matching import best_pairs

HOME = Path(__file__).resolve().parent.parent
CLOCK = ((37, 9), (100, 40), (250, 40), (500, 40), (500, 2))
"""Pairs and clubs of the events that are timed; two clubs are the hardest to keep apart."""


class Event:
    """A Swiss event with random results, withdrawals and clubs."""

    def __init__(self, seed: str, pairs: int, clubs: int, leave: float) -> None:
        self.seed, self.rng, self.leave = seed, random.Random(seed), leave
        self.clubs = {n: f"c{self.rng.randrange(clubs)}" if clubs else "" for n in range(1, pairs + 1)}
        self.points = dict.fromkeys(self.clubs, 0)
        self.met: dict[int, set[int]] = {n: set() for n in self.clubs}
        self.byes: set[int] = set()
        self.way: dict[int, int] = {}
        self.here = list(self.clubs)

    def players(self) -> list[swiss.Player]:
        return [
            swiss.Player(n, self.points[n], frozenset(self.met[n]), self.clubs[n], n in self.byes, self.way.get(n, 0))
            for n in self.here
        ]

    def take(self, games: list[Any]) -> None:
        self.way = swiss.floats(games, self.points)
        for one, other in games:
            if other is None:
                self.byes.add(one)
                self.points[one] += 2
                continue
            self.met[one].add(other)
            self.met[other].add(one)
            result = self.rng.random()
            if result < 0.05:
                self.points[one] += 1
                self.points[other] += 1
            else:
                self.points[one if result < 0.525 else other] += 2
        if len(self.here) > 2:
            self.here = [n for n in self.here if self.rng.random() >= self.leave] or self.here[:2]


def broken(players: list[swiss.Player], games: list[Any]) -> list[str]:
    """Which rules *games* break."""
    known = {player.number: player for player in players}
    found = [what for what, _ in swiss.warnings(games, known) if what in ("rematch", "second_bye", "twice")]
    if sorted(n for game in games for n in game if n is not None) != sorted(known):
        found.append("left_out")
    if sum(other is None for _, other in games) != len(players) % 2:
        found.append("byes")
    return found


def none_exists(players: list[swiss.Player]) -> bool:
    """Whether the bare rules leave no pairing."""
    odd = len(players) % 2
    if len(players) < 2:  # one is left: there is no round
        return True

    def allowed(i: int, j: int) -> int | None:
        if j == len(players):
            return None if players[i].had_bye else 0
        return None if players[j].number in players[i].met else 0

    return best_pairs(len(players) + odd, allowed) is None


def run(number: int) -> dict[str, Any]:
    """Event *number*: its size, its rounds, what broke."""
    rng = random.Random(number)
    pairs = round(2 * 250 ** rng.random())
    rounds, clubs = rng.randint(2, 9), rng.choice([0, 2, 5, 20, 60])
    event = Event(str(number), pairs, clubs, rng.choice([0, 0, 0.02, 0.1]))
    told: dict[str, Any] = {"event": number, "pairs": pairs, "rounds": 0, "refused": 0, "broken": [], "slowest": 0.0}
    for at in range(rounds):
        players, seed = event.players(), f"{number}/{at}"
        begun = time.process_time()
        try:
            games = swiss.pair(players, seed)
        except Impossible:
            told["refused"] += 1
            if not none_exists(players):
                told["broken"].append("refused_a_legal_one")
            break
        told["slowest"] = max(told["slowest"], round(time.process_time() - begun, 3))
        told["rounds"] += 1
        told["broken"] += broken(players, games)
        if pairs <= 60 and swiss.pair(list(reversed(players)), seed) != games:
            told["broken"].append("not_repeatable")
        event.take(games)
    return told


def timed(pairs: int, clubs: int, rounds: int = 7) -> list[float]:
    """CPU seconds of each round of an event of *pairs*."""
    event, found = Event(f"timed/{pairs}", pairs, clubs, 0.0), []
    for at in range(rounds):
        players, begun = event.players(), time.process_time()
        games = swiss.pair(players, f"s{at}")
        found.append(round(time.process_time() - begun, 2))
        event.take(games)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1000)
    parser.add_argument("--out", type=Path, default=HOME / "benchmarks" / "results" / "pairings.json")
    args = parser.parse_args()
    kept = args.out.with_suffix(".jsonl")
    done = [json.loads(line) for line in kept.read_text("utf-8").splitlines()] if kept.exists() else []
    with kept.open("a", encoding="utf-8") as held:
        for number in range(len(done), args.events):
            done.append(run(number))
            held.write(json.dumps(done[-1]) + "\n")
            held.flush()
    clock = {f"{pairs} pairs of {clubs} clubs": timed(pairs, clubs) for pairs, clubs in CLOCK}
    result = {
        "events": len(done), "largest": max(each["pairs"] for each in done),
        "rounds": sum(each["rounds"] for each in done),
        "refused_rightly": sum(each["refused"] for each in done),
        "broken": sum(len(each["broken"]) for each in done),
        "slowest_cpu_seconds": max(each["slowest"] for each in done),
        "cpu_seconds_a_round": clock, "machine": platform.machine(), "python": platform.python_version(),
    }  # fmt: skip
    args.out.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(json.dumps(result))
    return 1 if result["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
