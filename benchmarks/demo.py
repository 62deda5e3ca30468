"""The demo's figures: robot matches through camera, eye, rules and journal, against what was really played.

``python -m benchmarks.demo [--matches 3] [--deals 6] [--seed 7]``: runs ``guandan demo --headless`` and keeps its
lines, with the time it took, in ``benchmarks/results/demo.json``. Exit status 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "demo.json"
MOST_ASKED = 0.03
MOST_SECONDS = 600.0


def broken(lines: list[dict[str, Any]], seconds: float) -> list[str]:
    """The promises that the figures break, in words."""
    found = []
    plays, asked = sum(line["plays"] for line in lines), sum(line["asked"] for line in lines)
    for line in lines:
        offences = line["offences"]
        told = [
            (line["levels"] != line["truth"], f"levels {line['levels']}, truth {line['truth']}"),
            (line["silent"] > 0, f"{line['silent']} plays read wrong in silence"),
            (offences["alerted"] != offences["filmed"], f"{offences['alerted']} of {offences['filmed']} offences"),
            (offences["filmed"] < line["deals"], f"{offences['filmed']} offences in {line['deals']} deals"),
            (offences["false"] > 0, f"{offences['false']} false offences"),
        ]
        found += [f"match {line['match']}: {words}" for wrong, words in told if wrong]
    if asked > MOST_ASKED * plays:
        found.append(f"{asked} of {plays} plays were asked about")
    if seconds > MOST_SECONDS:
        found.append(f"{seconds:.0f} s")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--deals", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "cli.main", "demo", "--headless", "--matches", str(args.matches),
            "--deals", str(args.deals), "--seed", str(args.seed), "--json", "--journal", f"{folder}/demo.journal",
        ]  # fmt: skip
        began, before = time.monotonic(), os.times()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        seconds, after = time.monotonic() - began, os.times()
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return 1
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    faults = broken(lines, seconds)
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    result = {
        "command": " ".join(["guandan", *command[3:-2]]), "cores": len(os.sched_getaffinity(0)),
        "seconds": round(seconds, 1), "processor_seconds": round(processor, 1), "broken": faults, "matches": lines,
    }  # fmt: skip
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(json.dumps(result, ensure_ascii=False))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
