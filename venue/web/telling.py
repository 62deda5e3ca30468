"""Telling receivers outside of cases, whatever the channel: beside the console, never instead of it, never before it.

What is told is how a case stands, not each thing that happened to it. Only cases that were touched since the last look
are looked at, and those whose time to become everybody's has come.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

import anyio.to_thread
from sqlalchemy import Connection

from venue import outside
from venue.hall import Hall
from venue.hall.cases import ESCALATE_TO_ALL, Case, escalated
from venue.sentences import Sentence
from venue.store.telling import Ledger
from venue.web.house import LOG, Venue
from venue.web.pages import words

LOOK_EVERY: Final = 1.0
BREATH: Final = 0.25
"""Seconds between two looks at the least: a busy hall changes all the time."""
ASK_EVERY: Final = 5.0
"""Seconds between two looks at the list of receivers, which another worker may have changed."""
FIRST_DELAY: Final = 2.0
LONGEST_DELAY: Final = 600.0
AT_ONCE: Final = 1000
"""Cases that are compared with what a receiver was told in one transaction."""


class Gone(Exception):
    """The receiver is no more, and says so: it is forgotten."""


class Receiver(Protocol):
    """Whom a channel tells: of cases that opened since it was *made*."""

    @property
    def id(self) -> str: ...
    @property
    def made(self) -> float: ...
    @property
    def failures(self) -> int: ...
    @property
    def next_try(self) -> float: ...


R = TypeVar("R", bound=Receiver)


class Channel(Protocol[R]):
    """One way of telling. *most* cases go into one message, *rest* seconds lie between two to one receiver."""

    ledger: Ledger
    most: int
    rest: float

    def everyone(self, connection: Connection, now: float) -> list[R]:
        """Whom it tells now."""

    def mark(self, receiver: R, case: Case, now: float) -> str | None:
        """What a message about *case* tells: two equal marks are the same news; None where there is nothing to tell."""

    def letter(self, receiver: R, cases: Sequence[Case], now: float) -> Callable[[], None]:
        """What carries the news there, for a thread.

        It raises :class:`Gone`, or whatever else keeps the news from arriving.
        """

    def shown(self, receiver: R) -> Sentence:
        """The receiver as a log may name it."""


class News:
    """Which cases to look at: those touched since the last look, and those that became everybody's meanwhile."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._position = hall, hall.position
        self._ripe: list[tuple[float, str]] = []

    def look(self, now: float) -> list[str]:
        touched = dict.fromkeys(name for kind, name in self._hall.since(self._position) if kind == "case")
        self._position = self._hall.position
        for name in touched:
            case = self._hall.cases[name]
            if case.state == "launched" and not escalated(case.state, case.rang, now):
                heapq.heappush(self._ripe, (case.rang + ESCALATE_TO_ALL, name))
        while self._ripe and self._ripe[0][0] <= now:
            touched[heapq.heappop(self._ripe)[1]] = None
        return list(touched)


class Teller(Generic[R]):
    """Tells every receiver of *channel* of every case that was opened since it came, and of what became of it."""

    def __init__(self, venue: Venue, channel: Channel[R]) -> None:
        self._venue, self._channel = venue, channel
        self._known: list[R] = []
        self._due: dict[str, dict[str, None]] = {}
        """By receiver: cases that may be news to it, oldest first."""
        self._told: dict[str, dict[str, str]] = {}
        """By receiver: marks that it is known to have, so that a touch that is no news asks no database."""
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._asked = -ASK_EVERY

    async def run(self) -> None:
        """Until the venue closes. Nothing that goes wrong here reaches anybody else."""
        loop, news = asyncio.get_running_loop(), News(self._venue.hall)
        while not self._venue.closing:
            try:
                if loop.time() - self._asked >= ASK_EVERY:
                    self._asked = loop.time()
                    await self._ask()
                fresh, now = news.look(self._venue.now()), self._venue.now()
                for receiver in self._known:
                    self._add(receiver, fresh)
                    if self._due[receiver.id] and receiver.id not in self._busy and receiver.next_try <= now:
                        self._busy[receiver.id] = asyncio.create_task(self._tell(receiver))
            except Exception as error:
                self._venue.complain(error, "messages to outside stumbled")
            await self._venue.changed.wait(LOOK_EVERY)
            await asyncio.sleep(BREATH)

    async def _ask(self) -> None:
        """Who is to be told. A new one may have missed anything; what it was told, the database knows."""
        now = self._venue.now()
        self._known = await self._venue.read(lambda connection: self._channel.everyone(connection, now))
        came = [receiver for receiver in self._known if receiver.id not in self._due]
        self._due = {receiver.id: self._due.get(receiver.id, {}) for receiver in self._known}
        self._told = {receiver.id: self._told.get(receiver.id, {}) for receiver in self._known}
        for receiver in came:
            self._add(receiver, list(self._venue.hall.cases))

    def _add(self, receiver: R, names: Sequence[str]) -> None:
        """Of *names*, what opened since the receiver came and may be told to it, is due."""
        now, cases, known = self._venue.now(), self._venue.hall.cases, self._told[receiver.id]
        for name in names:
            if cases[name].opened >= receiver.made:
                mark = self._channel.mark(receiver, cases[name], now)
                if mark is not None and mark != known.get(name):
                    self._due[receiver.id][name] = None

    async def _tell(self, receiver: R) -> None:
        venue, channel = self._venue, self._channel
        ledger, due, known = channel.ledger, self._due[receiver.id], self._told[receiver.id]
        try:
            names, now = list(itertools.islice(due, AT_ONCE)), venue.now()
            told = await venue.write(lambda connection: ledger.claim(connection, receiver.id, names, now))
            if told is None:  # it waits after a failure, another worker is at it, or it was removed
                await asyncio.sleep(LOOK_EVERY)
                return
            known.update(told)
            now, news, marks = venue.now(), list[Case](), dict[str, str]()
            for name in names:
                case = venue.hall.cases[name]
                mark = channel.mark(receiver, case, now)
                if mark is not None and mark != told.get(name):
                    if len(news) == channel.most:
                        continue  # with the next message
                    news.append(case)
                    marks[name] = mark
                del due[name]  # touched again from here on, it is due again
            if not news:
                await venue.write(lambda connection: ledger.let_go(connection, receiver.id))
                return
            letter = channel.letter(receiver, news, now)
            try:
                # a venue that stops waits for no address: the thread ends by itself
                await anyio.to_thread.run_sync(letter, abandon_on_cancel=True, limiter=venue.outward)
            except Gone:
                await venue.write(lambda connection: ledger.forget(connection, [receiver.id]))
                LOG.info("%s", Sentence("no_more", who=channel.shown(receiver)).in_language(venue.lang))
            except Exception as error:
                due.update(dict.fromkeys(marks))
                why, delay = outside.reason(error), min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(receiver.failures, 12))
                again = venue.now() + max(delay * random.uniform(0.5, 1.0), outside.asked_for(error))
                told_not = Sentence(
                    "not_taken", who=channel.shown(receiver), why=words(venue.lang)["why"].get(why, why)
                )
                LOG.warning("%s", told_not.in_language(venue.lang))
                await venue.write(lambda connection: ledger.went_wrong(connection, receiver.id, why, again))
            else:
                done, rest = venue.now(), channel.rest
                await venue.write(lambda connection: ledger.went_well(connection, receiver.id, marks, done, rest))
                known.update(marks)
            self._asked = -ASK_EVERY  # how it fares has changed
        except Exception as error:
            venue.complain(error, f"a message to {receiver.id} stumbled")
        finally:
            self._busy.pop(receiver.id, None)
