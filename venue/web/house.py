"""The running venue: its database, the hall that follows the log, and the bells that wake those who wait."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
from sqlalchemy import Connection

from venue.desk.desk import Desk
from venue.hall import Hall
from venue.hall.boards import Board
from venue.hall.handouts import Handouts
from venue.protocol import MAX_PACE, SILENT_AFTER
from venue.sentences import Sentence
from venue.store import Database, devices, hints, log
from venue.store.devices import Device
from venue.store.handouts import Handouts as Files
from venue.store.ingest import Sent, Taken
from venue.store.log import Entry
from venue.store.pictures import Shelf
from venue.store.trouble import cause_of
from venue.store.writer import Writer, Written
from venue.web import view
from venue.web.limits import Limits
from venue.web.shown import Shown
from venue.web.underway import Underway

T = TypeVar("T")
DEVICES_EVERY: Final = 5.0
"""Seconds between two looks at how the tables' devices fare, as other workers have heard of them."""
POLL: Final = 1.0
"""Seconds between two looks for what other workers appended: hints may get lost, a look does not."""
SMALL_HALL: Final = 20
"""Tables whose every card may come by itself."""
COMPLAIN_EVERY: Final = 30.0
"""Seconds between two equal sentences on the terminal: a full disk is met a hundred times a second."""
REQUESTS: Final = 100
"""Batches a second that a large hall's tables are asked to keep to, all together."""
GATHER: Final = 0.02
"""Seconds for which a large hall's batches wait for each other, to share a transaction."""
OUTWARD: Final = 8
"""Threads that may speak to machines outside at once: one that hangs there takes none from the venue's own work."""
LOG = logging.getLogger("guandan.venue")


class Bell:
    """Wakes everybody who waits for it. *rings* counts, so that nobody misses a ring between a look and the wait."""

    def __init__(self) -> None:
        self.rings = 0
        self._waiting: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        self.rings += 1
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def wait(self, seconds: float, since: int | None = None) -> bool:
        """Wait for a ring, or for one after the count *since*; False when *seconds* passed without."""
        if since is not None and since != self.rings:
            return True
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            await asyncio.wait_for(future, seconds)
            return True
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(future)


def _outcome(board: Board, at: float) -> tuple[Any, ...]:
    """What the desk is told of a match that is over, as :meth:`Desk.match_over` takes it."""
    match, result = board.match, board.match.result
    if result is None:
        return dict(match.levels), None, at
    margin = (result.small["NS"] - result.small["EW"]) // 2 if any(result.small.values()) else None
    if match.ruleset.best_of == 1:
        return dict(match.levels), result.winner, at, margin
    return dict(match.levels), result.winner, at, sum(match.margins), (result.games["NS"], result.games["EW"])


class Venue:
    """One worker of the venue. *now* is venue time, seconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], float] = time.time, shelf: Path | None = None) -> None:
        self.database, self.now = database, now
        self.writer = Writer(database)
        self.shelf = Shelf(shelf or database.beside("evidence"))
        self.hall = Hall()
        self.desk = Desk()
        self.files = Files(database.beside("handouts"))
        self.handouts = Handouts()
        self.underway = Underway(self.hall, self.desk)
        self.hall.desk_listeners += [self._desk_act, self._follow_files]
        self.hall.result_listeners.append(
            lambda entry, board: self._round_now(self.desk.match_over(board.id, *_outcome(board, entry.received)))
        )
        self.limits = Limits(time.monotonic)
        self.outward = anyio.CapacityLimiter(OUTWARD)
        self.changed = Bell()
        self.written = view.Written()
        self.shown = Shown(self.hall)
        self.hint = Bell()
        """Another worker has written."""
        self.told: defaultdict[str, Bell] = defaultdict(Bell)
        """A bell a table: there is a directive for it."""
        self.seen: dict[str, dict[str, Any]] = {}
        """By table: how its device fares and when it was last heard."""
        self.known_devices: dict[str, Device] = {}
        """By hashed token: whose it was when it last spoke."""
        self.lang = "en"
        """The language of the terminal."""
        self.closing = False
        self._complained: dict[str, float] = {}
        self._following = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    def _desk_act(self, entry: Entry) -> str | None:
        if entry.kind != "desk" or entry.device != log.VENUE:
            return None
        return self._round_now(self.desk.act(entry.event, entry.received, self.hall.people.get(entry.person or "", "")))

    def _follow_files(self, entry: Entry) -> None:
        """What tables are handed follows the same log."""
        self.handouts.take(entry)
        self.underway.note(entry)

    def _round_now(self, changed: str | None) -> str | None:
        """The clock of a round that is over, or was taken back, is not left to the next one."""
        if changed is not None:
            newest = self.desk.competitions[changed].rounds[-1:]
            self.hall.keep_clocks(changed, next((each.number for each in newest if not each.done), None))
        return changed

    @property
    def pace(self) -> float:
        """Seconds for which tables may gather plays: a hundred requests a second are enough for one machine."""
        return 0.0 if len(self.seen) <= SMALL_HALL else min(MAX_PACE, round(len(self.seen) / REQUESTS, 1))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Have *work* written, together with whatever waits as well, then let the hall follow what came of it.

        The caller is answered once it is on the disk and in the hall. Hung up on meanwhile, the work is done all the
        same.
        """
        return await self._followed(self.writer.ask(work))

    async def take(self, sent: Sent) -> Taken:
        """Have what a table *sent* taken, as :meth:`write` has works written.

        :raises SyncError: when it is refused.
        """
        return await self._followed(self.writer.ask(sent))

    async def _followed(self, writing: asyncio.Future[Written[T]]) -> T:
        written = await writing
        if written.entries and written.entries[0].position <= self.hall.position + 1:
            self._fold(written.entries)  # nobody else wrote in between: no need to read it again
        await self.catch_up(written.last)
        return written.result

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run *work* in a reading transaction on a thread."""

        def run() -> T:
            with self.database.reading() as connection:
                return work(connection)

        return await anyio.to_thread.run_sync(run)

    async def catch_up(self, until: int | None = None) -> None:
        """Fold what the log holds beyond the hall's position; at once done when that is *until* or more already.

        Of many writers who come at the same time the first one's look serves them all.
        """
        if until is not None and self.hall.position >= until:
            return
        async with self._following:
            while until is None or self.hall.position < until:
                position = self.hall.position
                entries = await self.read(lambda connection, after=position: log.after(connection, after))  # type: ignore[misc]
                if not entries:
                    return
                self._fold(entries)

    def _fold(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            if entry.position <= self.hall.position:
                continue
            try:
                self.hall.apply(entry)
            except Exception:  # a fold that fails must not stop the hall; the entry stays in the log
                LOG.exception("entry %d could not be folded", entry.position)
            if entry.kind == "directive" and entry.place is not None:
                self.told[entry.place].ring()
        self.changed.ring()

    async def look_at_devices(self) -> None:
        """Read from the database how every table's device fares."""
        rows = await self.read(devices.everyone)
        for device in rows:
            if device.lease == "held" and device.place is not None:
                self.heard(device.place, device.id, device.seen, dict(device.status))

    def heard(self, place: str, device: str, at: float | None, status: dict[str, Any]) -> None:
        """A table's device spoke (to us, or to another worker)."""
        known = self.seen.get(place)
        if known is None or at is None or at >= (known["seen"] or 0) or known["device"] != device:
            self.seen[place] = {"device": device, "seen": at, "status": status}
            self.writer.gather = GATHER if len(self.seen) > SMALL_HALL else 0.0

    def presence(self) -> list[dict[str, Any]]:
        """Of every table: seconds since its device was heard, unsent events, whether it is silent."""
        now, found = self.now(), []
        for place, known in self.seen.items():
            age = None if known["seen"] is None else max(0.0, now - known["seen"])
            silent = age is None or age > SILENT_AFTER
            status = known["status"]
            found.append(
                {"place": place, "age": age, "silent": silent, "unsent": status.get("unsent"), "status": status}
            )
        return found

    async def open(self) -> None:
        """Fold the whole log, then keep following."""
        self.loop = asyncio.get_running_loop()
        await self.catch_up()
        await self.look_at_devices()
        self._tasks = [asyncio.create_task(self._follow())]
        if (address := self.database.listening_address) is not None:
            self._tasks.append(asyncio.create_task(hints.listen(address, self.writer.name, self.hint.ring, self.lang)))

    async def _follow(self) -> None:
        looked = time.monotonic()
        while not self.closing:
            await self.hint.wait(POLL)
            try:
                await self.catch_up()
                if (now := time.monotonic()) - looked >= DEVICES_EVERY:
                    looked = now
                    await self.look_at_devices()
            except Exception as error:
                self.complain(error, "the log could not be read; trying again")

    def complain(self, error: Exception, what: str) -> Sentence | None:
        """Tell the terminal that *what* went wrong: what the machine did in one sentence, once in a while; a fault of
        ours with its trace. Gives the sentence.
        """
        cause, now = cause_of(error, self.database.title), time.monotonic()
        if cause is None:
            LOG.error("%s", Sentence("our_fault", what=what).in_language(self.lang), exc_info=error)
        elif now - self._complained.get(cause.key, -COMPLAIN_EVERY) >= COMPLAIN_EVERY:
            self._complained[cause.key] = now
            LOG.error("%s", cause.in_language(self.lang))
        return cause

    def hang_up(self) -> None:
        """Let everybody go who waits for news: the server stops."""
        self.closing = True
        self.changed.ring()
        for bell in self.told.values():
            bell.ring()

    async def close(self) -> None:
        self.hang_up()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await anyio.to_thread.run_sync(self.writer.close)
