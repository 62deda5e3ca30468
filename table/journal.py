"""The journal: every event of a table on disk before a screen shows it as final.

SQLite and beside it a log with checksums that is waited for, written by one thread, append only; see
:mod:`table.journal_store`. An event is named by (device, epoch, seq): the epoch is the match's number on this device,
seq the line of the event in that match's record, 1 for the match line. What the eye knew when the event was made (sure
or not, its other candidates, how long reading took) stands beside the payload as ``evidence`` and is never folded.
"""

from __future__ import annotations

import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from table.journal_log import Entry
from table.journal_store import DiskTrouble, JournalRefused, Store, refusal, rows

__all__ = ["Entry", "Journal", "JournalRefused", "Ticket"]

BATCH = 256
"""Appends that wait while another is being written go to disk together, at most this many."""
AGAIN = 1.0
"""Seconds between two tries while the disk refuses."""


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

    def look(self, seconds: float) -> bool:
        """Wait at most *seconds*; whether the disk has answered, whatever it said."""
        return self._done.wait(seconds)

    def settle(self, error: Exception | None = None) -> None:
        self.error = error
        self._done.set()


_Job = tuple[Sequence[Entry] | Callable[[Store], Any] | None, Ticket, list[Any]]


class Journal:
    """An open journal.

    With *survive* it opens whatever the disk is like, and what the disk does not take waits in memory until it does;
    see :attr:`trouble`. *reserve* bytes are kept back for a disk that runs full.

    :raises JournalRefused: when the file is damaged and has no log, is no journal, or another program has it open.
    """

    def __init__(self, path: str | Path, survive: bool = False, reserve: int = 0) -> None:
        self.path = Path(path)
        self._store: Store | None = None
        self._unsaved: list[tuple[Sequence[Entry], Ticket]] = []
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        opened = Ticket()
        self._thread = threading.Thread(target=self._run, args=(opened, survive, reserve), name="journal", daemon=True)
        self._thread.start()
        opened._done.wait()
        if opened.error is not None:
            raise opened.error

    @property
    def trouble(self) -> str | None:
        """What is wrong with the disk now: ``full``, ``readonly``, ``broken``; None when all is well."""
        return self._store.trouble if self._store is not None else None

    @property
    def unsaved(self) -> int:
        """Events that the disk has not taken yet, though it was asked to."""
        return sum(len(entries) for entries, _ in self._unsaved)

    @property
    def rebuilt(self) -> int | None:
        """How many events were put back from the log because the database was damaged; None when it was whole."""
        return self._store.rebuilt if self._store is not None else None

    @property
    def aside(self) -> Path | None:
        """Where a damaged database was moved to."""
        return self._store.aside if self._store is not None else None

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
        return list(self._ask(lambda store: rows(store.db, where, values, most)))

    def epochs(self) -> list[int]:
        """The numbers of the matches in this journal, oldest first."""
        query = "SELECT DISTINCT epoch FROM events ORDER BY 1"
        return list(self._ask(lambda store: [row[0] for row in store.db.execute(query)]))

    def forget(self, last: int) -> int:
        """Let go of all matches but the last *last* and give their space back; how many events went."""
        return int(self._ask(lambda store: store.forget(last)))

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

    def _ask(self, read: Callable[[Store], Any]) -> Any:
        ticket = Ticket()
        answer: list[Any] = []
        self._jobs.put((read, ticket, answer))
        ticket._done.wait()
        if ticket.error is not None:
            raise refusal(self.path, ticket.error)
        return answer[0]

    def _run(self, opened: Ticket, survive: bool, reserve: int) -> None:
        try:
            self._store = store = Store(self.path, survive, reserve)
        except JournalRefused as refused:
            opened.settle(refused)
            return
        opened.settle()
        with contextlib.closing(store):
            while self._step(store):
                pass

    def _step(self, store: Store) -> bool:
        try:
            work, ticket, answer = self._jobs.get(timeout=AGAIN if self._unsaved else None)
        except queue.Empty:
            self._save(store, [])
            return True
        if work is None:
            if self._unsaved:
                self._save(store, [])
            for _, waiting in self._unsaved:
                waiting.settle(JournalRefused("the table was closed before the disk took it"))
            return False
        if callable(work):
            try:
                answer.append(work(store))
                ticket.settle()
            except (sqlite3.Error, ValueError, OSError) as error:
                ticket.settle(error)
            return True
        batches, after = [(work, ticket)], None
        while sum(len(entries) for entries, _ in batches) < BATCH and not self._jobs.empty():
            after = self._jobs.get()
            if after[0] is None or callable(after[0]):
                break
            batches.append((after[0], after[1]))
            after = None
        self._save(store, batches)
        if after is not None:
            self._jobs.put(after)
        return True

    def _save(self, store: Store, batches: list[tuple[Sequence[Entry], Ticket]]) -> None:
        """Write what waits and then *batches*, in this order; a disk that refuses finds them here again."""
        batches = [*self._unsaved, *batches]
        try:
            errors = store.write([entries for entries, _ in batches], len(self._unsaved))
        except DiskTrouble:
            self._unsaved = batches
            return
        self._unsaved = []
        for (_, waiting), error in zip(batches, errors, strict=True):
            waiting.settle(error)
