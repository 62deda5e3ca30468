"""One thread that writes: works that come while the disk is busy share the next transaction, and one word from it.

When one of a group is refused the whole is undone and each is done by itself, so that the others do not suffer for it:
a work may run twice, and what it does must all be in the transaction. What tables sent is taken first and together
(:mod:`venue.store.ingest`), where a refusal undoes nothing. What a group appended to the log comes back with the
results: whoever follows the log need not read it again.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import secrets as random_words
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, overload

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.store import ingest, log
from venue.store.database import Database
from venue.store.ingest import Sent, Taken
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


Work = Callable[[Connection], T]
_Job = tuple["Work[Any] | Sent", "Future[Written[Any]] | asyncio.Future[Written[Any]]"]
_Outcome = Written[Any] | Exception


class Writer:
    """Writes to *database* until it is closed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.name = random_words.token_hex(6)
        """Who wrote, for the other workers."""
        self.gather = 0.0
        """Seconds for which a work waits for others to share its transaction with: fewer and larger ones cost less."""
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    @overload
    def submit(self, work: Work[T]) -> Future[Written[T]]: ...
    @overload
    def submit(self, work: Sent) -> Future[Written[Taken]]: ...
    def submit(self, work: Work[Any] | Sent) -> Future[Written[Any]]:
        """Have *work* done, or what a table sent taken; what it raises is the future's."""
        future: Future[Written[Any]] = Future()
        self._jobs.put((work, future))
        return future

    @overload
    def ask(self, work: Work[T]) -> asyncio.Future[Written[T]]: ...
    @overload
    def ask(self, work: Sent) -> asyncio.Future[Written[Taken]]: ...
    def ask(self, work: Work[Any] | Sent) -> asyncio.Future[Written[Any]]:
        """The same for the running loop. Once asked it is done, whether somebody still waits for it or not."""
        future: asyncio.Future[Written[Any]] = asyncio.get_running_loop().create_future()
        self._jobs.put((work, future))
        return future

    def close(self) -> None:
        """Finish what waits."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if self.gather:
                time.sleep(self.gather)
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
        group = [(w, f) for w, f in group if isinstance(f, asyncio.Future) or f.set_running_or_notify_cancel()]
        try:
            outcomes = self._together([work for work, _ in group])
        except Exception as error:
            if len(group) == 1:
                outcomes = [error]
            else:  # nothing is on the disk: each by itself, so that only one is refused
                outcomes = [self._alone(work) for work, _ in group]
        _tell([(future, outcome) for (_, future), outcome in zip(group, outcomes, strict=True)])

    def _alone(self, work: Work[Any] | Sent) -> _Outcome:
        try:
            return self._together([work])[0]
        except Exception as error:
            return error

    def _together(self, works: list[Work[Any] | Sent]) -> list[_Outcome]:
        with self._database.writing() as connection:
            appended = log.begin_group(connection)
            sent = [work for work in works if isinstance(work, Sent)]
            taken = iter(ingest.take(connection, sent) if sent else ())
            results = [next(taken) if isinstance(work, Sent) else work(connection) for work in works]
            if appended and self._database.kind == "postgresql":
                connection.execute(_HINT, {"channel": CHANNEL, "who": self.name})
            entries, last = tuple(appended), appended[-1].position if appended else log.last(connection)
        return [each if isinstance(each, Exception) else Written(each, entries, last) for each in results]


def _tell(outcomes: list[tuple[Future[Written[Any]] | asyncio.Future[Written[Any]], _Outcome]]) -> None:
    """Give everybody what they wait for: those of one loop together, for waking it costs."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Written[Any]], _Outcome]]] = {}
    for future, outcome in outcomes:
        if isinstance(future, asyncio.Future):
            loops.setdefault(future.get_loop(), []).append((future, outcome))
        else:
            _set(future, outcome)
    for loop, theirs in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop has ended, and with it whoever waited
            loop.call_soon_threadsafe(_set_all, theirs)


def _set_all(outcomes: list[tuple[asyncio.Future[Written[Any]], _Outcome]]) -> None:
    for future, outcome in outcomes:
        if not future.done():
            _set(future, outcome)


def _set(future: Future[Written[Any]] | asyncio.Future[Written[Any]], outcome: _Outcome) -> None:
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
