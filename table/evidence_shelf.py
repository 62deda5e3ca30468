"""Pictures of alerts on this machine's disk: files named by their hash, one index, and the time when each must go.

``<folder>/<sha256>.<ext>`` and ``<folder>/index.jsonl``, a line for each picture (:class:`Kept`). A file that the index
does not name is deleted when the shelf is opened: a power cut leaves no picture that nobody knows of. See
``docs/privacy.md``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

ENDINGS: Final = {"webp": "image/webp", "jpg": "image/jpeg"}
MOST_BYTES: Final = 512 << 20
"""What the shelf takes of the disk; beyond, the oldest that no ruling needs goes, then the oldest."""
UNFINISHED_S: Final = 14 * 24 * 3600.0
"""A match that never came to its end lets go of its pictures after this long."""
_NAME: Final = re.compile(r"[0-9a-f]{64}\.(webp|jpg)")


@dataclass(frozen=True)
class Kept:
    """One picture of the index. Times are seconds since 1970."""

    file: str
    """``<sha256>.<ext>``."""
    kind: str
    """``clip`` or ``crop``."""
    alert: str
    """The alert's id, ``<line>.<n>``."""
    event: int
    """The line of the event it is about."""
    epoch: int
    """The match, as the journal counts them."""
    match: str | None
    """The venue's name of the match."""
    made: float
    expires: float | None
    """When it is to be deleted; None: ruled upon, the organiser decides."""
    ruled: bool = False
    size: int = 0
    seat: str | None = None
    candidates: tuple[tuple[str, float], ...] = ()

    @property
    def sha256(self) -> str:
        return self.file.partition(".")[0]

    @property
    def type(self) -> str:
        """Its media type."""
        return ENDINGS[self.file.rpartition(".")[2]]


class Shelf:
    """The pictures in *folder*; any thread may use it. Times are handed in."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self.folder, self.most_bytes = folder, most_bytes
        self._turn = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):
            folder.chmod(0o700)
        self._kept = self._read()
        named = {kept.file for kept in self._kept}
        for path in folder.iterdir():
            if _NAME.fullmatch(path.name.removeprefix(".").removesuffix(".part")) and path.name not in named:
                path.unlink(missing_ok=True)

    @property
    def index(self) -> Path:
        return self.folder / "index.jsonl"

    def kept(self) -> tuple[Kept, ...]:
        """What is on the shelf, oldest first."""
        with self._turn:
            return tuple(self._kept)

    def path(self, kept: Kept) -> Path:
        return self.folder / kept.file

    def add(self, data: bytes, ending: str, about: Callable[[str], Kept]) -> Kept:
        """Keep *data*; *about* is given the file's name. The file is whole on the disk before the index names it.

        :raises OSError: when the disk does not take it.
        """
        name = f"{hashlib.sha256(data).hexdigest()}.{ending}"
        kept = replace(about(name), size=len(data))
        with self._turn:
            path = self.folder / name
            if not path.exists():
                part = self.folder / f".{name}.part"
                with part.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(path)
            self._kept.append(kept)
            with self.index.open("a", encoding="utf-8") as file:
                file.write(_line(kept))
                file.flush()
                os.fsync(file.fileno())
            self._make_room()
        return kept

    def ruled(self, epoch: int, alert: str) -> None:
        """A referee ruled upon *alert*: its pictures stay until somebody deletes them."""
        self._change(lambda kept: replace(kept, ruled=True, expires=None)
                     if (kept.epoch, kept.alert) == (epoch, alert) else kept)  # fmt: skip

    def final(self, epoch: int, now: float, hours: float) -> None:
        """The match's results are final: what no ruling needs is deleted *hours* later."""
        self._change(lambda kept: replace(kept, expires=now + 3600 * hours)
                     if kept.epoch == epoch and not kept.ruled else kept)  # fmt: skip

    def sweep(self, now: float) -> tuple[str, ...]:
        """Delete what is over; the names of the files that are gone."""
        with self._turn:
            over = [kept for kept in self._kept if kept.expires is not None and kept.expires <= now]
            return self._drop(over)

    def forget(self, epoch: int | None = None) -> tuple[str, ...]:
        """Delete the pictures of one match, or all; the names of the files that are gone."""
        with self._turn:
            return self._drop([kept for kept in self._kept if epoch is None or kept.epoch == epoch])

    # -- within -----------------------------------------------------------------------------------------------------

    def _change(self, change: Callable[[Kept], Kept]) -> None:
        with self._turn:
            changed = [change(kept) for kept in self._kept]
            if changed != self._kept:
                self._kept = changed
                self._write()

    def _make_room(self) -> None:
        total = sum(kept.size for kept in {kept.file: kept for kept in self._kept}.values())
        gone = []
        for kept in sorted(self._kept[:-1], key=lambda each: (each.ruled, each.made)):
            if total <= self.most_bytes:
                break
            total -= kept.size
            gone.append(kept)
        self._drop(gone)

    def _drop(self, gone: list[Kept]) -> tuple[str, ...]:
        """Take *gone* from index and disk: first the files, so that no picture outlives its line."""
        if not gone:
            return ()
        left = [kept for kept in self._kept if kept not in gone]
        files = {kept.file for kept in gone} - {kept.file for kept in left}
        for name in files:
            (self.folder / name).unlink(missing_ok=True)
        self._kept = left
        self._write()
        return tuple(sorted(files))

    def _write(self) -> None:
        part = self.folder / ".index.part"
        with part.open("w", encoding="utf-8") as file:
            file.writelines(map(_line, self._kept))
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.index)

    def _read(self) -> list[Kept]:
        """The index as far as it can be read: a line cut by a power loss is left out, and with it its file."""
        if not self.index.exists():
            return []
        found = []
        for line in self.index.read_text("utf-8", errors="replace").splitlines():
            with contextlib.suppress(ValueError, TypeError, KeyError):
                given: dict[str, Any] = json.loads(line)
                given["candidates"] = tuple((str(card), float(p)) for card, p in given.get("candidates") or ())
                kept = Kept(**given)
                if _NAME.fullmatch(kept.file) and (self.folder / kept.file).is_file():
                    found.append(kept)
        return found


def beside(journal: Path) -> Path:
    """The folder of the pictures that belong to the matches of *journal*: ``evidence/``, by the journal's name."""
    return journal.parent / "evidence" / journal.stem


def _line(kept: Kept) -> str:
    return json.dumps(asdict(kept), ensure_ascii=False) + "\n"
