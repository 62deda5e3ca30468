"""The journal's second copy: an append-only text file with a checksum in every line.

``9a3f01c2 0 ["play",{…},"table",1,17,…]``: CRC-32 of the rest, how many lines of the same batch still follow, the
entry. A line that power or the card has damaged does not fit its checksum; a batch whose end is missing was never
whole. From this file a damaged database is built anew (:func:`rebuild`), and it can be read with any editor.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

Key = tuple[str, int, int]
"""Device, epoch and seq: what names an event."""


@dataclass(frozen=True)
class Entry:
    """One event as the journal holds it; times in seconds, *wall* as the clock of the wall showed it."""

    kind: str
    payload: dict[str, Any]
    device: str = "table"
    epoch: int = 1
    seq: int = 1
    monotonic: float = 0.0
    wall: float = 0.0
    evidence: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return self.device, self.epoch, self.seq


def log_path(journal: Path) -> Path:
    """The second copy of *journal*."""
    return journal.with_name(journal.name + ".log")


def lines_of(entries: Sequence[Entry]) -> bytes:
    """One batch as it stands in the log."""
    made = []
    for place, entry in enumerate(entries):
        words = json.dumps(astuple(entry), ensure_ascii=False, separators=(",", ":"))
        body = f"{len(entries) - 1 - place} {words}".encode()
        made.append(b"%08x %s\n" % (zlib.crc32(body), body))
    return b"".join(made)


_T = TypeVar("_T")


def _good(text: bytes, made: Callable[[bytes], _T]) -> Iterator[_T]:
    """*made* of each line of whole batches, damaged lines left out."""
    batch: list[_T] = []
    for line in text.split(b"\n")[:-1]:
        digits, _, body = line.partition(b" ")
        follow, _, words = body.partition(b" ")
        try:
            if int(digits, 16) != zlib.crc32(body) or len(digits) != 8:
                raise ValueError
            batch.append(made(words))
            whole = int(follow) == 0
        except (ValueError, TypeError):
            batch = []
            continue
        if whole:
            yield from batch
            batch = []


def read(path: Path) -> list[Entry]:
    """Every entry of whole batches, in the order of writing; none when the file is missing."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return []
    return list(_good(text, lambda words: Entry(*json.loads(words))))


def count(path: Path) -> int:
    """How many entries :func:`read` would give, without making them."""
    try:
        return sum(1 for _ in _good(path.read_bytes(), lambda words: None))
    except FileNotFoundError:
        return 0


def joined(entries: Iterable[Entry]) -> list[Entry]:
    """Each match up to its first missing line, every line once: what can be folded again."""
    found: dict[tuple[str, int], dict[int, Entry]] = {}
    for entry in entries:
        found.setdefault((entry.device, entry.epoch), {}).setdefault(entry.seq, entry)
    whole = []
    for match in sorted(found):
        seq = 1
        while seq in found[match]:
            whole.append(found[match][seq])
            seq += 1
    return whole


class Log:
    """The log of one journal, open for appending.

    :raises OSError: when the disk refuses.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        fresh = not path.exists()
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        # A line that was cut off is ended, so that the next one is not spoilt with it.
        size = os.fstat(self._handle).st_size
        if size and os.pread(self._handle, 1, size - 1) != b"\n":
            os.write(self._handle, b"\n")
        if fresh:
            sync_folder(path.parent)

    def append(self, batches: Iterable[Sequence[Entry]]) -> None:
        """Batches on disk; each is there whole or, once read, not at all.

        :raises OSError: when the disk refuses; a torn end is cut off again where that is possible.
        """
        before = os.fstat(self._handle).st_size
        left = memoryview(b"".join(map(lines_of, batches)))
        try:
            while left:
                left = left[os.write(self._handle, left) :]
            os.fdatasync(self._handle)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, before)
            raise

    def replace(self, batches: Iterable[Sequence[Entry]]) -> None:
        """The log anew, in one step that a power cut cannot split."""
        fresh = self.path.with_name(self.path.name + ".new")
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        with os.fdopen(handle, "wb") as file:
            for batch in batches:
                file.write(lines_of(batch))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        sync_folder(self.path.parent)
        os.close(self._handle)
        self._handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)

    def close(self) -> None:
        os.close(self._handle)


def sync_folder(folder: Path) -> None:
    """Names in *folder* that were made or changed outlive a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
