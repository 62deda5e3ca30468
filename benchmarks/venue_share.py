"""Who had the processor in a stretch of time: load generator, venue, its database, and whoever else was there."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TICK = os.sysconf("SC_CLK_TCK")


def spent(process: int) -> float:
    """Processor seconds of *process* and of its children, those that ended included; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    children = [int(each) for task in _tasks(process) for each in (task / "children").read_text("ascii").split()]
    return sum(int(field) for field in fields[11:15]) / TICK + sum(spent(child) for child in children)


def _tasks(process: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{process}/task").iterdir())
    except OSError:
        return []


def _whole() -> tuple[float, float]:
    """Processor seconds of all cores since the start, and the part of them in which there was nothing to do."""
    fields = [int(field) for field in Path("/proc/stat").read_text("ascii").split("\n", 1)[0].split()[1:9]]
    return sum(fields) / TICK, (fields[3] + fields[4]) / TICK


class Shares:
    """Counts from when it is made. *venue* and *database* are process ids."""

    def __init__(self, venue: Iterable[int], database: int | None) -> None:
        self._venue, self._database = list(venue), database
        self.began = time.monotonic()
        self._before = self._now()

    def _now(self) -> dict[str, float]:
        whole, idle = _whole()
        return {
            "generator": time.process_time(),
            "venue": sum(spent(process) for process in self._venue),
            "database": spent(self._database) if self._database is not None else 0.0,
            "whole": whole,
            "idle": idle,
        }

    def until_now(self) -> dict[str, Any]:
        """Processor seconds of each, and shares of all that the machine's cores could give."""
        now = self._now()
        used = {name: value - self._before[name] for name, value in now.items()}
        whole, idle = used.pop("whole"), used.pop("idle")
        shares = {name: value / whole for name, value in used.items()}
        shares["others"] = max(0.0, 1 - idle / whole - sum(shares.values()))
        return {
            "processor_s": {name: round(value, 2) for name, value in used.items()},
            "shares": {name: round(value, 3) for name, value in shares.items()},
        }
