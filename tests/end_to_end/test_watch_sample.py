"""A sample of ``benchmarks/watch.py``: 500 plays on the held-out designs, filmed, read and judged."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from engine.events import Event
from vision.photo import MODELS

SEED = 2
"""The benchmark's own deals are of seed 1."""
Task = tuple[int, list[Event]]


def _ready() -> bool:
    if shutil.which("fc-list") is None or shutil.which("rsvg-convert") is None:
        return False
    try:
        from benchmarks.watch import designs

        return bool(designs())
    except ImportError:  # no drawing packages on this machine
        return False


def _tasks(plays: int) -> list[Task]:
    """Deals from the first on, the last one cut short, that have so many plays together."""
    from table.virtual import record_of

    tasks: list[Task] = []
    while plays > 0:
        record = []
        for event in record_of(SEED * 100_000 + len(tasks), 1, "championship", 1):
            record.append(event)
            plays -= event.do == "play"
            if plays == 0:
                break
        tasks.append((len(tasks), record))
    return tasks


def _film(task: Task) -> dict[str, Any]:
    import cv2

    from benchmarks.watch import film_deal

    cv2.setNumThreads(1)
    return film_deal(task[0], SEED, task[1])


@pytest.mark.skipif(not (MODELS / "reader.onnx").exists() or not _ready(), reason="no models or held-out designs here")
def test_a_sample_of_plays_on_held_out_designs() -> None:
    """``GUANDAN_WATCH_PLAYS`` asks for another number than 500."""
    plays = int(os.environ.get("GUANDAN_WATCH_PLAYS", "500"))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with ProcessPoolExecutor(min(cores, 4), multiprocessing.get_context("spawn")) as pool:
        deals = list(pool.map(_film, _tasks(plays)))
    sums = {key: sum(deal[key] for deal in deals) for key in ("plays", "right", "asked", "silent", "aloud")}
    said = {deal["deal"]: deal.get("faults") for deal in deals if deal["right"] < deal["plays"]}
    assert sums["plays"] == plays
    assert sums["silent"] == 0 and sums["aloud"] == 0, said
    assert sums["asked"] <= max(1, plays // 50), said
    assert all(deal["alerted"] == deal["filmed"] and deal["levels"] for deal in deals), deals
