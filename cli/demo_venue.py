"""The demo's venue, seen from the demo: started beside it, its links printed, its tables paired; never waited for."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, TextIO

from cli.words import language, say

NEEDED = ("sqlalchemy", "starlette", "uvicorn")
LINKS = ("board", "console", "desk")


def available() -> bool:
    """Whether the venue's packages are installed."""
    return all(importlib.util.find_spec(name) is not None for name in NEEDED)


class DemoVenue:
    """A venue in a process of its own, with a database that is gone when the demo ends."""

    def __init__(self, tables: int = 1) -> None:
        self._folder = tempfile.mkdtemp(prefix="guandan-demo-")
        command = [
            sys.executable, "-P", "-m", "venue.demo", "--database", str(Path(self._folder) / "venue.db"),
            "--tables", str(tables), "--lang", language(),
        ]  # fmt: skip
        house = str(Path(__file__).resolve().parent.parent)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,  # its complaints are for this terminal
            env={**os.environ, "PYTHONPATH": house},
        )  # fmt: skip
        self._told: dict[str, Any] | None = None

    def wait(self) -> dict[str, Any]:
        """What it prints once it listens; empty when it did not start."""
        if self._told is None:
            assert self._process.stdout is not None
            self._told = {}
            with contextlib.suppress(ValueError):
                self._told = json.loads(self._process.stdout.readline())
        return self._told

    def tell(self, out: TextIO) -> None:
        """Print the links."""
        told = self.wait()
        if not told:
            print(say("demo_venue_silent"), file=out, flush=True)
            return
        print(say("demo_venue_open", address=told["urls"][0]), file=out)
        for page in LINKS:
            print(say(f"demo_venue_{page}", link=f"{told['urls'][0]}/enter#{told['links'][page]}"), file=out)
        out.flush()

    def pairings(self) -> list[Any]:
        """A table's place for each code; none when the venue did not start."""
        from table.sync_pairing import NotPaired, pair

        told, found = self.wait(), []
        for code in told.get("codes", []):
            with contextlib.suppress(NotPaired):
                found.append(pair(f"http://127.0.0.1:{told['urls'][0].rpartition(':')[2]}", code, "demo")[0])
        return found

    def close(self) -> None:
        """End it, and its database with it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(8)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)
