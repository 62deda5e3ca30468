"""Which devices have been at this table: only these are missed, and those that the table's own plan names."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Set
from pathlib import Path


class KnownDevices:
    """The names of devices that were there once, in the file at *path*, one a line."""

    def __init__(self, path: Path) -> None:
        self._path, self.names = path, set[str]()
        with contextlib.suppress(OSError, UnicodeDecodeError):
            self.names = set(path.read_text("utf-8").split())

    def meet(self, states: Mapping[str, str]) -> None:
        """Remember those of *states* that are there now; a disk that refuses forgets them with the next start."""
        new = {name for name, state in states.items() if state == "ok"} - self.names
        if not new:
            return
        self.names |= new
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part = self._path.with_name(f".{self._path.name}.part")
            part.write_text("".join(f"{name}\n" for name in sorted(self.names)), "utf-8")
            part.replace(self._path)

    def missed(self, states: Mapping[str, str], maybe: Set[str]) -> dict[str, str]:
        """*states* without those of *maybe*, a plan's for any table, that are away and were never here."""
        return {
            name: state
            for name, state in states.items()
            if state != "away" or name not in maybe or name in self.names
        }  # fmt: skip
