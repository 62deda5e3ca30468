"""The engine against brute force: ``python -m benchmarks.oracle [--sets N] [--pairs N] [--hands N]``.

100,000 wild-heavy sets at all 13 levels, 50,000 pairs of readings, 2,000 hands leading and following ten readings each.
The oracle (``tests/engine/oracle.py``) was written apart from the engine and tries every wild as every card. Each block
of a hundred has its number as its seed; stopped, the run goes on where it was. The counts stand in
``results/oracle.json``, and so does every disagreement.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.cards import RANKS
from tests.engine.against_oracle import check_hand, check_pair, check_set

RESULTS = Path(__file__).parent / "results" / "oracle.json"
BLOCK = 100


def sets(rng: random.Random, at: int) -> None:
    check_set(rng, RANKS[at % 13])


def pairs(rng: random.Random, at: int) -> None:
    check_pair(rng)


def hands(rng: random.Random, at: int) -> None:
    check_hand(rng, RANKS[at % 13])


WORK: dict[str, tuple[Callable[[random.Random, int], None], int]] = {
    "hands": (hands, 2_000), "pairs": (pairs, 50_000), "sets": (sets, 100_000),
}  # fmt: skip


def main() -> None:
    """Go on to the wanted numbers; the counts are saved after each block."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, (_, wanted) in WORK.items():
        parser.add_argument(f"--{name}", type=int, default=wanted)
    parser.add_argument("--results", type=Path, default=RESULTS)
    args = parser.parse_args()
    done: dict[str, Any] = dict.fromkeys(WORK, 0) | {"levels": len(RANKS), "disagreements": [], "seconds": 0.0}
    if args.results.exists():
        done |= json.loads(args.results.read_text())
    for name, (check, _) in WORK.items():
        while done[name] < getattr(args, name):
            began, first = time.monotonic(), done[name]
            rng = random.Random(f"{name} {first}")
            for at in range(first, first + BLOCK):
                try:
                    check(rng, at)
                except AssertionError as error:
                    done["disagreements"].append({name: at, "what": str(error)[:300]})
            done[name] = first + BLOCK
            done["seconds"] = round(done["seconds"] + time.monotonic() - began, 1)
            part = args.results.with_suffix(".part")
            part.write_text(json.dumps(done, indent=1) + "\n")
            part.rename(args.results)
        print(f"{name}: {done[name]}, disagreements {len(done['disagreements'])}, {done['seconds']} s", flush=True)
    raise SystemExit(1 if done["disagreements"] else 0)


if __name__ == "__main__":
    main()
