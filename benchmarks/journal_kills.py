"""A table's journal against a thousand deaths of its process and a thousand power cuts.

``python -m benchmarks.journal_kills [--kills 1000] [--cuts 1000] [--seed 1]``. A process writes the events of whole
matches through the product's ledger, one input after another, and says what is on disk, which is when a screen shows it
as final; it is killed with SIGKILL at random instants, and the next one goes on from the journal. The cuts are made on
recorded disk calls (``tests/table/lossy_disk.py``): what was not synced is dropped, kept or torn. After each, the fold
of what the journal holds must be the fold of what had been shown as final, or of that and the one input being written.

It can be stopped and goes on where it was; kept in ``benchmarks/results/journal_kills.json``; exit status 1 when
anything was lost.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from engine.events import Event
from engine.match import Match
from engine.record import report_of
from simulator.truth import play_match
from table.effects import Append
from table.journal import Journal
from table.ledger import Ledger, events_of
from tests.table.lossy_disk import Recorder, after_a_cut, usable

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "journal_kills.json"
DEALS = 2


def record(seed: int) -> list[Event]:
    return play_match(seed, "national", "championship", deals=DEALS, offences=True, options={"match_seconds": 0})


def inputs(events: list[Event], seed: int) -> list[list[Event]]:
    """The record as a controller hands it over: mostly one event an input, now and then an implied pass or two too."""
    rng, pieces, at = Random(seed), list[list[Event]](), 0
    while at < len(events):
        size = rng.choice((1, 1, 1, 2, 3))
        pieces.append(events[at : at + size])
        at += size
    return pieces


def write(path: str, played: str, seed: int) -> None:
    """The child: goes on with the match in the file *played* from where the journal stands, and says what is final."""
    events = [
        Event(seq, line.pop("do"), line, None) for seq, line in enumerate(json.loads(Path(played).read_text()), 1)
    ]
    pieces = inputs(events, seed)
    with Journal(path) as journal:
        epochs = journal.epochs()
        there = len(journal.entries(epochs[-1])) if epochs else 0
        ledger = Ledger(journal, lambda: 0.0, epoch=epochs[-1] if epochs else 0)
        print("ready", flush=True)
        done = 0
        for piece in pieces:
            done += len(piece)
            if done <= there:
                continue
            ticket = ledger.put([Append(event, 0.0) for event in piece])
            assert ticket is not None
            ticket.wait()
            print(done, flush=True)


def fold(events: list[Event]) -> dict[str, Any]:
    match = Match()
    for event in events:
        match.apply(event)
    return report_of(match)


def verdict(found: list[Event], shown: int, whole: list[Event], seed: int) -> str:
    """``equal``, ``one input ahead`` (written, not yet shown), or what is wrong."""
    if len(found) < shown:
        return f"lost: {shown} were shown, {len(found)} are there"
    ends, done = [0], 0
    for piece in inputs(whole, seed):
        done += len(piece)
        ends.append(done)
    if len(found) not in ends:
        return f"half an input: {len(found)} events"
    if [event.do for event in found] != [event.do for event in whole[: len(found)]]:
        return "other events"
    if fold(found) != fold(whole[: len(found)]):
        return "another fold"
    if len(found) == shown:
        return "equal"
    ahead = next(end for end in ends if end > shown)
    return "one input ahead" if len(found) == ahead else f"{len(found)} are there, {shown} were shown"


def read(path: Path) -> list[Event]:
    with Journal(path) as journal:
        return [event for event, _ in events_of(journal.entries())]


def kills(count: int, seed: int, told: list[str]) -> None:
    """Kill *count* times; a verdict each in *told*."""
    rng, number = Random(seed), seed
    while count > 0:
        number += 1
        whole = record(number)
        with tempfile.TemporaryDirectory() as folder:
            path, played, shown = Path(folder) / "a.journal", Path(folder) / "match.json", 0
            played.write_text(json.dumps([{"do": event.do, **event.data} for event in whole]), "utf-8")
            while count > 0 and shown < len(whole):
                child = subprocess.Popen(
                    [sys.executable, "-m", "benchmarks.journal_kills", "--write", str(path),
                     "--record", str(played), "--seed", str(number)],
                    cwd=ROOT, stdout=subprocess.PIPE, text=True,
                )  # fmt: skip
                assert child.stdout is not None
                if child.stdout.readline().strip() != "ready":
                    raise SystemExit("the writer did not start")
                time.sleep(rng.uniform(0.0, 0.25))
                child.send_signal(signal.SIGKILL)
                said = [int(line) for line in child.stdout.read().split()]
                child.wait()
                shown = said[-1] if said else shown
                found = read(path)
                told.append(verdict(found, shown, whole, number))
                shown, count = len(found), count - 1


def cuts(count: int, seed: int, told: list[str]) -> None:
    """Cut the power *count* times, fifty times in each of several matches."""
    number = seed
    while count > 0:
        number += 1
        whole, recorder, done = record(number), Recorder(), 0
        with (
            tempfile.TemporaryDirectory() as folder,
            recorder.recording(),
            Journal(Path(folder) / "a.journal") as journal,
        ):
            ledger = Ledger(journal, lambda: 0.0)
            for piece in inputs(whole, number):
                ticket = ledger.put([Append(event, event.t or 0.0) for event in piece])
                assert ticket is not None
                ticket.wait()
                done += len(piece)
                recorder.shown(done)
        rng = Random(number)
        for _ in range(min(50, count)):
            with tempfile.TemporaryDirectory() as folder:
                calls = recorder.calls[: rng.randrange(len(recorder.calls) + 1)]
                shown = after_a_cut(calls, Path(folder), rng)
                told.append(verdict(read(Path(folder) / "a.journal"), shown, whole, number))
            count -= 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", metavar="JOURNAL", help=argparse.SUPPRESS)
    parser.add_argument("--record", metavar="FILE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.write:
        write(args.write, args.record, args.seed)
        return 0
    wanted = {"kills": args.kills, "cuts": args.cuts if usable() else 0}
    told: dict[str, list[str]] = {"kills": [], "cuts": []}
    if RESULTS.exists():
        kept = json.loads(RESULTS.read_text("utf-8"))
        for name in told:
            told[name] = [word for word, count in kept[name].items() for _ in range(count)]
    for name, work in (("cuts", cuts), ("kills", kills)):
        while len(told[name]) < wanted[name]:
            work(min(50, wanted[name] - len(told[name])), args.seed * 10_000 + len(told[name]), told[name])
            _keep(told)
    _keep(told)
    return 1 if any(word not in ("equal", "one input ahead") for words in told.values() for word in words) else 0


def _keep(told: dict[str, list[str]]) -> None:
    found = {name: {word: words.count(word) for word in sorted(set(words))} for name, words in told.items()}
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    sys.exit(main())
