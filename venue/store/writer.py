"""One thread that writes: works that come while the disk is busy share the next transaction, and one word from it.

When one of a group is refused the whole is undone and each is done by itself, so that the others do not suffer for it:
a work may run twice, and what it does must all be in the transaction. What a group appended to the log comes back with
the results: whoever follows the log need not read it again.
"""

from __future__ import annotations

import queue
import secrets as random_words
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.store import log
from venue.store.database import Database
from venue.store.log import Entry

T = TypeVar("T")
CHANNEL: Final = "guandan"
_HINT: Final = sa.text("SELECT pg_notify(:channel, :who)")
MOST: Final = 128
"""Works in one transaction."""


@dataclass(frozen=True, slots=True)
class Written(Generic[T]):
    """A work's result, and everything that its transaction appended, in order."""

    result: T
    entries: tuple[Entry, ...]
    last: int
    """The position of the newest entry of the log."""


_Job = tuple[Callable[[Connection], Any], "Future[Written[Any]]"]


class Writer:
    """Writes to *database* until it is closed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.name = random_words.token_hex(6)
        """Who wrote, for the other workers."""
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[Connection], T]) -> Future[Written[T]]:
        """Have *work* done; what it raises is the future's."""
        future: Future[Written[T]] = Future()
        self._jobs.put((work, future))
        return future

    def close(self) -> None:
        """Finish what waits."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            group, ended = [job], False
            while len(group) < MOST and not self._jobs.empty():
                more = self._jobs.get()
                if more is None:
                    ended = True
                    break
                group.append(more)
            self._write(group)
            if ended:
                return

    def _write(self, group: list[_Job]) -> None:
        group = [job for job in group if job[1].set_running_or_notify_cancel()]
        try:
            results, entries, last = self._together([work for work, _ in group])
        except Exception as error:
            if len(group) == 1:
                group[0][1].set_exception(error)
                return
            for job in group:  # nothing is on the disk: each by itself, so that only one is refused
                self._alone(*job)
            return
        for (_, future), result in zip(group, results, strict=True):
            future.set_result(Written(result, entries, last))

    def _alone(self, work: Callable[[Connection], Any], future: Future[Written[Any]]) -> None:
        try:
            (result,), entries, last = self._together([work])
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(Written(result, entries, last))

    def _together(self, works: list[Callable[[Connection], Any]]) -> tuple[list[Any], tuple[Entry, ...], int]:
        with self._database.writing() as connection:
            appended = log.begin_group(connection)
            results = [work(connection) for work in works]
            if appended and self._database.kind == "postgresql":
                connection.execute(_HINT, {"channel": CHANNEL, "who": self.name})
            return results, tuple(appended), appended[-1].position if appended else log.last(connection)
