"""Ten thousand random matches over all rulesets, each checked whole: ``python -m benchmarks.matches --matches 10000``.

A match is played to its end by random players, one in three of them honest, the others with offences and rulings. Of
each: 108 cards at every turn, no stall, an end; the record folds to the same state, from any cut on as well; nonsense
is refused and has changed nothing; a correction that is undone restores the state; and where all were honest, no alert,
and no verdict ``violated`` with a share of the cards hidden. Stopped, it goes on where it was; the seed of a match is
its number, so that a fault can be looked at again.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
import traceback
from pathlib import Path
from typing import Any

from engine.events import Event
from engine.match import Match
from engine.rulesets import names
from tests.engine.random_play import Table, hidden_again, nonsense, state

RESULTS = Path(__file__).parent / "results" / "matches.json"
LONGEST = 150
"""Deals after which a match counts as one that does not end."""


def folded(events: list[Event]) -> Match:
    """The match that a written and read record gives."""
    match = Match()
    for seq, event in enumerate(events, 1):
        match.apply(Event.from_line(seq, event.to_line()))
    return match


def limits(rng: random.Random) -> dict[str, Any]:
    """Most matches are a deal or two at any level and end by the limit; some begin near A, one in fifty is whole."""
    kind = rng.random()
    if kind < 0.02:
        return {}
    if kind < 0.1:
        return {"start_level": rng.choice("KA")}
    return {"start_level": rng.choice("23456789TJQKA"), "match_deals": rng.choice([1, 1, 2])}


def check(seed: int) -> dict[str, int]:
    """Play and check match *seed*; what was counted.

    :raises AssertionError: where a property does not hold.
    """
    rng = random.Random(seed)
    ruleset = rng.choice(names())
    honest = seed % 3 == 0
    profile = rng.choice(["championship", "friendly"])
    level = {"options": options} if (options := limits(rng)) else {}
    table = Table(seed, ruleset, profile, 0.0 if honest else rng.choice([0.01, 0.05]), **level)
    match = table.play_match(LONGEST)
    assert match.result is not None, "the match does not end"
    events, end = list(match.events), state(match)
    cut = rng.randrange(1, len(events))
    again = folded(events[:cut])
    for event in events[cut:]:
        again.apply(event)
    assert state(again) == end, f"cut at {cut} the record folds to another state"
    refused = 0
    for _ in range(10):
        trial = folded(events[: rng.randrange(1, min(len(events), 400))])
        event = nonsense(rng, trial.events[-1].seq + 1, trial.clock.now)
        before = state(trial)
        try:
            trial.apply(event)
        except ValueError:
            refused += 1
            assert state(trial) == before, f"{event} was refused and changed something"
            break
    plays = [event for event in events if event.do == "play"]
    if plays:
        target, seq = rng.choice(plays), events[-1].seq
        match.apply(Event(seq + 1, "correct", {"event": target.seq, "cards": ["S3"]}))
        match.apply(Event(seq + 2, "correct", {"event": seq + 1, "void": True}))
        assert state(match) == end, f"the correction of line {target.seq} leaves a trace"
    if honest:
        assert not again.alerts, f"honest players, and {again.alerts[0].kind}"
        hidden = hidden_again(again, rng)
        assert not [alert for alert in hidden.alerts if alert.kind.endswith("_violated")]
        assert all(record.audit != "violated" for record in hidden.deals)
    return {
        "matches": 1, "honest": int(honest), "deals": len(again.deals), "events": len(events), "plays": len(plays),
        "alerts": len(again.alerts), "refused": refused,
    }  # fmt: skip


def rules_as_of() -> str:
    """The commit that last touched the engine: what a run was a run of."""
    command = ["git", "log", "-1", "--format=%h", "--", "engine", "assets/rulesets"]
    return subprocess.run(command, capture_output=True, text=True, cwd=RESULTS.parents[2], check=False).stdout.strip()


def told(error: Exception) -> str:
    """What went wrong, and where: many an assertion has no words."""
    line = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(line.filename).name}:{line.lineno}: {error}"


def main() -> None:
    """Go on to ``--matches``; the counts stand in the results file after each hundred."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--results", type=Path, default=RESULTS)
    args = parser.parse_args()
    done: dict[str, Any] = {"matches": 0, "faults": [], "seconds": 0.0, "rules_as_of": []}
    if args.results.exists():
        done |= json.loads(args.results.read_text())
    if (version := rules_as_of()) not in done["rules_as_of"]:
        done["rules_as_of"].append(version)
    while done["matches"] < args.matches:
        began = time.monotonic()
        for _ in range(min(100, args.matches - done["matches"])):
            seed = done["matches"] + 1
            try:
                counted = check(seed)
            except Exception as error:
                done["faults"].append({"seed": seed, "what": told(error)[:300]})
                counted = {"matches": 1}
                print(done["faults"][-1], flush=True)
            for key, value in counted.items():
                done[key] = done.get(key, 0) + value
        done["seconds"] = round(done["seconds"] + time.monotonic() - began, 1)
        part = args.results.with_suffix(".part")
        part.write_text(json.dumps(done, indent=1) + "\n")
        part.rename(args.results)
        print(json.dumps(done), flush=True)
    raise SystemExit(1 if done["faults"] else 0)


if __name__ == "__main__":
    main()
