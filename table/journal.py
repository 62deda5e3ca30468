"""The journal: every event of a table on disk before a screen shows it as final.

SQLite in WAL mode with ``synchronous=FULL``, written by one thread of its own, append only. An event is named by
(device, epoch, seq): the epoch is the match's number on this device, seq the line of the event in that match's
record, 1 for the match line. What the eye knew when the event was made (sure or not, its other candidates, how long
reading took) stands beside the payload as ``evidence`` and is never folded.
"""

from __future__ import annotations

import contextlib
import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.errors import GuandanError

SCHEMA = 1
BATCH = 256
"""Appends that wait while another is being written go to disk together, at most this many."""

PATIENCE = 3.0
"""Seconds to wait for a program that still has the file open, as one that was just killed may for a moment."""


class JournalRefused(GuandanError):
    """The journal cannot be used: damaged, of another program, or in use."""


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


class Ticket:
    """The receipt of an append: done once the events are on disk, or failed with the reason."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self.error: Exception | None = None

    @property
    def done(self) -> bool:
        return self._done.is_set()

    def wait(self, seconds: float | None = None) -> None:
        """Block until the events are on disk.

        :raises JournalRefused: when the disk refused them, or *seconds* went by.
        """
        if not self._done.wait(seconds):
            raise JournalRefused(f"the disk did not take the event within {seconds:g} s: check the card or the drive")
        if self.error is not None:
            raise JournalRefused(f"the disk refused the event ({self.error}): check space and the card") from self.error

    def settle(self, error: Exception | None = None) -> None:
        self.error = error
        self._done.set()


_Job = tuple[Sequence[Entry] | Callable[[sqlite3.Connection], Any] | None, Ticket, list[Any]]


class Journal:
    """An open journal file.

    :raises JournalRefused: when the file is damaged, no journal, or another program has it open.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        opened = Ticket()
        self._thread = threading.Thread(target=self._run, args=(opened,), name="journal", daemon=True)
        self._thread.start()
        opened._done.wait()
        if opened.error is not None:
            raise opened.error

    def append(self, entries: Iterable[Entry]) -> Ticket:
        """Put *entries* on disk, all or none; returns at once with the receipt."""
        ticket = Ticket()
        self._jobs.put((tuple(entries), ticket, []))
        return ticket

    def entries(self, epoch: int | None = None) -> list[Entry]:
        """All that is on disk in order, or one match of it."""
        return self._read("", ()) if epoch is None else self._read("WHERE epoch = ?", (epoch,))

    def after(self, epoch: int, seq: int, most: int) -> list[Entry]:
        """What comes behind line *seq* of match *epoch*, at most *most* entries, in order."""
        return self._read("WHERE (epoch, seq) > (?, ?)", (epoch, seq), most)

    def _read(self, where: str, values: tuple[int, ...], most: int = -1) -> list[Entry]:
        query = "SELECT kind, payload, device, epoch, seq, monotonic, wall, evidence FROM events"

        def read(db: sqlite3.Connection) -> list[Entry]:
            rows = db.execute(f"{query} {where} ORDER BY device, epoch, seq LIMIT ?", (*values, most))
            return [
                Entry(kind, json.loads(payload), device, number, seq, monotonic, wall, json.loads(evidence))
                for kind, payload, device, number, seq, monotonic, wall, evidence in rows
            ]

        return list(self._ask(read))

    def epochs(self) -> list[int]:
        """The numbers of the matches in this journal, oldest first."""
        query = "SELECT DISTINCT epoch FROM events ORDER BY 1"
        return list(self._ask(lambda db: [row[0] for row in db.execute(query)]))

    def close(self) -> None:
        """Finish what is queued and let go of the file."""
        if self._thread.is_alive():
            self._jobs.put((None, Ticket(), []))
            self._thread.join()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the journal's thread -------------------------------------------------------------------------------------

    def _ask(self, read: Callable[[sqlite3.Connection], Any]) -> Any:
        ticket = Ticket()
        answer: list[Any] = []
        self._jobs.put((read, ticket, answer))
        ticket._done.wait()
        if ticket.error is not None:
            raise _refusal(self.path, ticket.error)
        return answer[0]

    def _run(self, opened: Ticket) -> None:
        try:
            db = _open(self.path)
        except (sqlite3.Error, OSError) as error:
            opened.settle(_refusal(self.path, error))
            return
        except JournalRefused as refused:
            opened.settle(refused)
            return
        opened.settle()
        with contextlib.closing(db):
            while self._step(db):
                pass

    def _step(self, db: sqlite3.Connection) -> bool:
        work, ticket, answer = self._jobs.get()
        if work is None:
            return False
        if callable(work):
            try:
                answer.append(work(db))
                ticket.settle()
            except (sqlite3.Error, ValueError) as error:
                ticket.settle(error)
            return True
        batches, after = [(work, ticket)], None
        while sum(len(entries) for entries, _ in batches) < BATCH and not self._jobs.empty():
            after = self._jobs.get()
            if after[0] is None or callable(after[0]):
                break
            batches.append((after[0], after[1]))
            after = None
        if _write(db, [entry for entries, _ in batches for entry in entries]) is None:
            for _, waiting in batches:
                waiting.settle()
        else:  # one of them is to blame, and the others must not suffer for it
            for entries, waiting in batches:
                waiting.settle(_write(db, entries))
        if after is not None:
            self._jobs.put(after)
        return True


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        # One program per journal: two writers would give one seq to two events.
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("its pages do not fit together")
        db.execute("BEGIN IMMEDIATE")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise JournalRefused(f"{path} belongs to another program: give another --journal")
            db.execute(
                "CREATE TABLE events (device TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,"
                " kind TEXT NOT NULL, payload TEXT NOT NULL, monotonic REAL NOT NULL, wall REAL NOT NULL,"
                " evidence TEXT NOT NULL, PRIMARY KEY (device, epoch, seq)) WITHOUT ROWID"
            )
            db.execute(f"PRAGMA user_version = {SCHEMA}")
        elif version != SCHEMA:
            raise JournalRefused(f"{path} was written by a newer version of this program: update it to read the match")
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db


def _write(db: sqlite3.Connection, entries: Sequence[Entry]) -> sqlite3.Error | None:
    """All of *entries* on disk, or the error and none of them."""
    try:
        db.execute("BEGIN IMMEDIATE")
        db.executemany(
            "INSERT INTO events (kind, payload, device, epoch, seq, monotonic, wall, evidence)"
            " VALUES (?,?,?,?,?,?,?,?)",
            [
                (e.kind, _json(e.payload), e.device, e.epoch, e.seq, e.monotonic, e.wall, _json(e.evidence))
                for e in entries
            ],
        )
        db.execute("COMMIT")
    except sqlite3.Error as error:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        return error
    return None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _refusal(path: Path, error: Exception) -> JournalRefused:
    text = str(error)
    if "locked" in text or "busy" in text:
        return JournalRefused(f"{path} is in use by another table program: close that one first")
    if isinstance(error, OSError) or "unable to open" in text or "readonly" in text:
        return JournalRefused(f"{path} cannot be opened for writing ({text}): give another --journal")
    return JournalRefused(f"the journal {path} is damaged or is none ({text}): move it aside, then start again")
