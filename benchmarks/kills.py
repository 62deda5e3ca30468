"""What survives a kill: the headless demo is killed with SIGKILL at random instants and resumed from its journal.

``python -m benchmarks.kills [--kills 20] [--deals 1] [--seed 1]``: match after match until that many kills have struck;
every match must end with the levels of the truth and every event once. Kept in ``benchmarks/results/kills.json``; exit
status 1 when a match ended otherwise.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from table.journal import Journal

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "kills.json"


def _start(folder: str, seed: int, deals: int, resume: bool) -> subprocess.Popen[str]:
    command = [
        sys.executable, "-m", "cli.main", "demo", "--headless", "--matches", "1", "--deals", str(deals),
        "--seed", str(seed), "--json", "--journal", f"{folder}/{seed}.journal", *(["--resume"] if resume else []),
    ]  # fmt: skip
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _events(folder: str, seed: int) -> int:
    path = Path(folder) / f"{seed}.journal"
    if not path.exists():
        return 0
    with Journal(path) as journal:
        numbers = [entry.seq for entry in journal.entries()]
    assert numbers == list(range(1, len(numbers) + 1)), "an event is missing or stands twice"
    return len(numbers)


def match(folder: str, seed: int, deals: int, rng: random.Random, kills: int) -> dict[str, Any]:
    """One match, killed again and again: at most *kills* times, each between one and nine seconds after its start."""
    struck: list[int] = []
    process = _start(folder, seed, deals, False)
    while True:
        patience = rng.uniform(1.5, 9.0) if len(struck) < kills else None
        try:
            out, err = process.communicate(timeout=patience)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            struck.append(_events(folder, seed))
            process = _start(folder, seed, deals, True)
    if process.returncode:
        raise SystemExit(f"match {seed} did not go on after {len(struck)} kills: {err.strip()}")
    line = json.loads(out.splitlines()[-1])
    return {"seed": seed, "killed_at_events": struck, **line}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--deals", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng, began, matches = random.Random(args.seed), time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder:
        seed, left = args.seed, args.kills
        while left > 0:
            matches.append(match(folder, seed, args.deals, rng, left))
            left -= len(matches[-1]["killed_at_events"])
            print(json.dumps(matches[-1]), flush=True)
            seed += 1
    wrong = [each["seed"] for each in matches if each["levels"] != each["truth"]]
    result = {
        "kills": sum(len(each["killed_at_events"]) for each in matches), "matches": len(matches),
        "levels_wrong": wrong, "seconds": round(time.monotonic() - began, 1), "each": matches,
    }  # fmt: skip
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
