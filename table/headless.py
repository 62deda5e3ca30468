"""The demo without a window: whole matches on a simulated clock, faster than real time, one line of figures each.

One seed, always the same result; a match never leaves its thread. Every event is on disk before the next input is
taken; killed at any instant, the same command with ``resume`` goes on where the journal stands.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import queue
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.errors import GuandanError
from engine.events import Event
from engine.match import Match
from simulator.gestures import Pace
from table.controller import Controller
from table.evidence import Recorder
from table.evidence_shelf import Shelf
from table.inputs import Input, Tapped
from table.journal import Journal
from table.ledger import Ledger
from table.sync import Link
from table.sync_pairing import Pairing
from table.sync_pictures import ShelfPictures
from table.sync_start import link_for
from table.tally import Journaled, stands_at, tally
from table.virtual import Studio, VirtualTable, record_of, studio_of

PACE = replace(Pace().quicker(0.25), still=0.9)
"""Robots think a quarter as long as people; their hands are as slow as ours."""


TRIES = 4
"""How often a match whose process was killed is taken up again."""


@dataclass(frozen=True)
class Plan:
    """What to play; *jobs* matches at a time, each in a process of its own (0: as many as there are cores)."""

    matches: int = 1
    seed: int = 1
    deals: int | None = None
    profile: str = "championship"
    jobs: int = 0
    venue: tuple[Pairing, ...] = ()
    """Each match is a table of its own in a demo's venue."""
    deck: Path | None = None
    """A folder of card pictures to play with."""
    deck_profile: Path | None = None
    evidence: Path | None = None
    """Folder for the pictures of each match's alerts, a folder each."""


def run(
    plan: Plan,
    path: Path,
    resume: bool = False,
    studio: Studio | None = None,
) -> Iterator[dict[str, Any]]:
    """Play the matches of *plan*, the first journaled at *path*, the others beside it; figures of each, in order.

    :raises JournalRefused: when a journal cannot be used.
    """
    if not resume:
        for number in range(1, plan.matches + 1):
            forget(journal_of(path, number))
    jobs = min(plan.jobs or len(os.sched_getaffinity(0)), plan.matches)
    if jobs <= 1 or studio is not None:
        for number in range(1, plan.matches + 1):
            yield one(plan, path, number, studio)
        return
    yield from _side_by_side(plan, path, jobs)


def _side_by_side(plan: Plan, path: Path, jobs: int) -> Iterator[dict[str, Any]]:
    """Matches in processes of their own; one that dies is taken up again from its journal.

    :raises JournalRefused: when a journal cannot be used.
    """
    done: dict[int, dict[str, Any]] = {}
    told = 0
    for _ in range(TRIES):
        left = [number for number in range(1, plan.matches + 1) if number not in done]
        executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _follow, (os.getpid(),))
        try:
            futures = {number: executor.submit(one, plan, path, number) for number in left}
            for number, future in futures.items():
                done[number] = future.result()
                while told + 1 in done:
                    told += 1
                    yield done[told]
            return
        except BrokenProcessPool:
            for number, future in futures.items():
                if future.done() and not future.cancelled() and future.exception() is None:
                    done[number] = future.result()
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
    raise Interrupted(f"a match's process was killed {TRIES} times: is there enough memory? Go on with --resume")


class Interrupted(GuandanError):
    """The matches could not be played to their end here."""


def one(plan: Plan, path: Path, number: int, studio: Studio | None = None) -> dict[str, Any]:
    """Play match *number* of *plan*, from wherever its journal stands; its figures."""
    record = record_of(plan.seed, number, plan.profile, plan.deals)
    with contextlib.closing(Journal(journal_of(path, number))) as journal:
        ledger = Ledger(journal, time.time, "demo", epoch=number - 1)
        venue = plan.venue[number - 1] if plan.venue else None
        evidence = pictures = None
        if plan.evidence is not None:
            pictures = ShelfPictures(Shelf(plan.evidence / f"match-{number}"))
            evidence = Recorder(pictures.shelf, time.time, threaded=False, ready=pictures.stored)
        studio = studio or studio_of(plan.deck, plan.deck_profile)
        play(record, plan.seed * 1000 + number, ledger, number, plan.profile, studio, venue, evidence, pictures)
        return {"match": number, **figures(record, ledger.match(number))}


def journal_of(path: Path, number: int) -> Path:
    """The journal of match *number*: one writer to a file, so that matches can be played side by side."""
    return path if number == 1 else path.with_name(f"{path.stem}.{number}{path.suffix}")


def _follow(parent: int) -> None:
    """A worker ends with its parent, however that ends."""
    import cv2

    cv2.setNumThreads(1)
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(1)


def play(
    record: Sequence[Event],
    seed: int,
    ledger: Ledger,
    number: int,
    profile: str,
    studio: Studio | None = None,
    venue: Pairing | None = None,
    evidence: Recorder | None = None,
    pictures: ShelfPictures | None = None,
) -> Controller:
    """Play one match to its end, from wherever the journal stands; *venue* hears of it, *evidence* keeps pictures."""
    journaled = ledger.match(number)
    start = stands_at(record, journaled)
    head = record[0].data
    controller = Controller(str(head["ruleset"]), profile, head.get("names"), head.get("options"))
    if journaled and start >= len(record):
        return controller
    table = VirtualTable(record, seed, max(start, 1), PACE, studio, evidence=evidence)
    if evidence is not None:
        evidence.start(lambda: controller.desk, lambda: ledger.epoch)
    told: queue.SimpleQueue[Input] = queue.SimpleQueue()
    link: Link | None = None

    def take(given: Input) -> None:
        try:
            effects = controller.handle(given)
        except GuandanError as refused:  # a ruling on what has been put right meanwhile
            if link is not None:
                link.handled(given, str(refused))
            return
        receipt = ledger.put(effects)
        if receipt is not None:
            receipt.wait()
        table.people.told(effects, table.now)
        if evidence is not None:
            evidence.told(effects)
        if link is not None:
            link.handled(given)
            link.told(effects)

    if venue is not None:
        link = link_for(ledger.journal, told.put, lambda: table.now, pictures=pictures)
        link.join(venue)
    if journaled:
        ledger.epoch = number
        effects = controller.resume(journaled, table.now)
        table.people.told(effects, table.now)
        table.people.ask_again(controller.desk, table.now)
        table.people.recall(start)
    else:
        take(Tapped(table.now, "start"))
    while not table.done:
        for given in table.step(controller.desk):
            take(given)
        while not told.empty():
            take(told.get())
    if evidence is not None:
        evidence.close()
    if link is not None:
        link.flush(10.0)
        link.close()
    return controller


def figures(record: Sequence[Event], journaled: Sequence[Journaled]) -> dict[str, Any]:
    """What the demo prints of a match: all of it follows from the record and the journal."""
    read, true = Match(), Match()
    for event, _ in journaled:
        read.apply(event)
    for event in record:
        true.apply(event)
    count = tally(record, journaled)
    filmed = [alert for alert in true.alerts if alert.route != "count"]
    raised = [alert for alert in read.alerts if alert.route != "count"]
    alerted = _matched([(a.kind, a.seat, a.deal) for a in filmed], [(a.kind, a.seat, a.deal) for a in raised])
    spent = sorted(float(evidence["ms"]) for _, evidence in journaled if "ms" in evidence)
    return {
        "deals": len(read.deals),
        "plays": count.plays,
        "right": count.right,
        "asked": count.asked,
        "silent": count.silent,
        "offences": {"filmed": len(filmed), "alerted": alerted, "false": len(raised) - alerted},
        "levels": dict(read.levels),
        "truth": dict(true.levels),
        "ms_per_play": {"p50": _share(spent, 0.50), "p95": _share(spent, 0.95)},
    }


def _matched(filmed: list[Any], raised: list[Any]) -> int:
    left = list(raised)
    for each in filmed:
        if each in left:
            left.remove(each)
    return len(raised) - len(left)


def _share(values: Sequence[float], share: float) -> float | None:
    return values[min(len(values) - 1, round(share * (len(values) - 1)))] if values else None


def forget(path: Path) -> None:
    """Begin anew: the last demo's journal goes, but nothing that is no journal.

    :raises JournalRefused: when another program uses it, or it is none.
    """
    if path.exists():
        Journal(path).close()
    for tail in (".log", "", "-wal", "-shm"):  # the log first: what is left of a forgotten journal must not come back
        path.with_name(path.name + tail).unlink(missing_ok=True)
