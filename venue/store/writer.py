"""One thread that writes: works that come while the disk is busy share the next transaction, and one word from it.

Each work has a savepoint of its own, so that one that is refused leaves no trace and the others do not suffer for it.
What a group appended to the log comes back with the results: whoever follows the log need not read it again.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Connection

from venue.store import log
from venue.store.database import Database
from venue.store.log import Entry

T = TypeVar("T")
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
        done: list[tuple[Future[Written[Any]], Any, Exception | None]] = []
        try:
            with self._database.writing() as connection:
                appended = log.begin_group(connection)
                for work, future in group:
                    if not future.set_running_or_notify_cancel():
                        continue
                    done.append((future, *_try(connection, work, appended, alone=len(group) == 1)))
                last = log.last(connection)
        except Exception as error:  # nothing of the group is on the disk
            for _, future in group:
                if not future.done():
                    future.set_exception(error)
            return
        entries = tuple(appended)
        for future, result, refused in done:
            if refused is not None:
                future.set_exception(refused)
            else:
                future.set_result(Written(result, entries, last))


def _try(
    connection: Connection, work: Callable[[Connection], Any], appended: list[Entry], alone: bool
) -> tuple[Any, Exception | None]:
    before = len(appended)
    if alone:
        return work(connection), None  # its refusal undoes the transaction
    try:
        with connection.begin_nested():
            return work(connection), None
    except Exception as error:
        del appended[before:]
        return None, error
