"""A running match is killed with SIGKILL again and again; from its journal it goes on to the end it would have had."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from table.journal import Journal

ROOT = Path(__file__).resolve().parents[2]
MATCH = """
import json, sys
from pathlib import Path
from table.headless import Plan, run
from tests.table.perfect_eye import studio
for figures in run(Plan(1, 9, 1), Path(sys.argv[1]), True, studio()):
    print(json.dumps(figures))
"""
KILLS = 3


def _start(path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", MATCH, str(path)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _written(path: Path) -> int:
    log = path.with_name(path.name + "-wal")
    return log.stat().st_size if log.exists() else 0


def test_a_match_killed_at_random_instants_ends_as_the_truth_does(tmp_path: Path) -> None:
    path, rng = tmp_path / "demo.journal", Random(4)
    process, struck = _start(path), 0
    while struck < KILLS and process.poll() is None:
        before, target = _written(path), rng.randint(2, 12) * 4096
        while process.poll() is None and _written(path) - before < target:
            time.sleep(0.01)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        struck += 1
        with Journal(path) as journal:
            numbers = [entry.seq for entry in journal.entries()]
        assert numbers == list(range(1, len(numbers) + 1)), "every event once, none missing"
        process = _start(path)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    figures = json.loads(out)
    assert struck >= 1
    assert figures["levels"] == figures["truth"] and figures["silent"] == 0 and figures["deals"] == 1
    offences = figures["offences"]
    assert offences["alerted"] == offences["filmed"] and not offences["false"]
