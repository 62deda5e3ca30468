"""Simulated tables for the venue's benchmarks: real match records, the protocol's own end, raw HTTP over asyncio.

Written to cost little: a load generator shares the processor with what it measures.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import resource
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.truth import play_match
from venue.protocol import MAX_EVENTS, Acknowledgement, Directive, SyncEvent, TableSide, line_of
from venue.serve import listen, serve
from venue.store import Database, devices, people

EAR = 20.0
"""Seconds that a simulated ear's request is held open."""


def records(
    count: int, deals: int | None = None, options: Mapping[str, Any] | None = None
) -> list[list[dict[str, Any]]]:
    """*count* whole matches of robots as record lines, with their offences and rulings."""
    found = []
    for seed in range(1, count + 1):
        events = play_match(seed, "national", "championship", deals=deals, options=options or {"match_seconds": 0})
        found.append([json.loads(event.to_line()) for event in events])
    return found


def more_files() -> None:
    """Thousands of open lines need thousands of files."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Wire:
    """One HTTP/1.1 connection that is kept open."""

    def __init__(self, port: Callable[[], int]) -> None:
        self.port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def send(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        """Send a request; status and body of the answer.

        :raises OSError: when the line breaks.
        """
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port(), limit=1 << 20)
        reader, writer = self._reader, self._writer  # whoever closes the line meanwhile takes them away from it
        assert reader is not None
        try:
            writer.write(head + b"content-length: %d\r\n\r\n" % len(body) + body)
            status = await reader.readline()
            length = 0
            while (line := await reader.readline()) not in (b"\r\n", b""):
                if line[:15].lower() == b"content-length:":
                    length = int(line[15:])
            if not status or line == b"":
                raise ConnectionResetError("hung up")
            return int(status.split()[1]), await reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError, ValueError, IndexError) as error:
            self._drop(writer)
            raise OSError(str(error)) from error
        except asyncio.CancelledError:
            self._drop(writer)
            raise

    def _drop(self, writer: asyncio.StreamWriter) -> None:
        """Give up the line that broke, not one that was opened since."""
        writer.close()
        if self._writer is writer:
            self._reader = self._writer = None

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


@dataclass
class Measured:
    """What the tables of one run saw; times in seconds. Calls are noted while it is *measuring*."""

    acked_in: list[float] = field(default_factory=list)
    called_at: dict[tuple[str, str], float] = field(default_factory=dict)
    requests: int = 0
    failed: int = 0
    measuring: bool = False
    since: float = 0.0

    def measure(self) -> None:
        """From now on: what was sent before counts no more."""
        self.acked_in.clear()
        self.requests, self.failed, self.measuring, self.since = 0, 0, True, time.monotonic()


class Table:
    """One table: appends the lines of its records as time goes, sends them as a real one does."""

    def __init__(self, device: str, token: str, port: Callable[[], int], seen: Measured) -> None:
        self.device, self.seen = device, seen
        self.side = TableSide(device, os.urandom(8).hex())
        self.log: list[SyncEvent] = []
        self.match, self.line = "", 0
        self.told: list[Directive] = []
        self.mouth, self.ear = Wire(port), Wire(port)
        self._head = (
            f"POST /v1/sync HTTP/1.1\r\nhost: venue\r\nauthorization: Bearer {token}\r\n"
            "content-type: application/json\r\n"
        ).encode()
        self.woken = asyncio.Event()
        self.rng, self.retry = random.Random(), 1.0
        """Chance of its own, and the least seconds after which a line that broke is tried again."""
        self.sent_at = 0.0

    def begin(self, match: str) -> None:
        self.match, self.line = match, 0

    def append(self, event: dict[str, Any]) -> int:
        """Write a line of the record into the journal; its number."""
        self.line += 1
        self.log.append(SyncEvent(seq=len(self.log) + 1, event=event, match=self.match, line=self.line))
        self.woken.set()
        return self.line

    def read(self, after: int, most: int) -> Sequence[SyncEvent]:
        return self.log[after : after + min(most, MAX_EVENTS)]

    @property
    def unsent(self) -> int:
        return len(self.log) - self.side.acked

    def carry_out(self, directives: Sequence[Directive]) -> None:
        for directive in directives:
            self.side.kept(directive.id)
            self.told.append(directive)
            line = line_of(directive)
            if line is not None and directive.data.get("match") == self.match:
                self.append(line)
            self.side.answer(Acknowledgement(id=directive.id, state="done"))
            self.woken.set()

    async def exchange(self) -> None:
        """One request of the mouth's, unless what there is may wait."""
        batch = self.side.batch(self.read, {"unsent": self.unsent}, 0)
        if not batch.events and not batch.acks:
            return
        if self.side.may_wait(batch, time.monotonic() - self.sent_at):
            return
        self.sent_at = began = time.monotonic()
        try:
            status, body = await self.mouth.send(self._head, json.dumps(batch.to_json()).encode())
            if began >= self.seen.since:
                self.seen.acked_in.append(time.monotonic() - began)
                self.seen.requests += 1
            self.seen.failed += status != 200
            self.carry_out(self.side.received(status, json.loads(body)))
        except (OSError, ValueError):
            self.seen.requests += 1
            self.seen.failed += 1
            self.side.failed()
            await asyncio.sleep(self.side.delay(self.rng.random()))

    async def listen(self, arrive_within: float = 5.0) -> None:
        """The ear, for ever."""
        await asyncio.sleep(self.rng.random() * arrive_within)
        while True:
            batch = self.side.ear({"unsent": self.unsent}, EAR)
            try:
                status, body = await self.ear.send(self._head, json.dumps(batch.to_json()).encode())
                self.carry_out(self.side.overheard(batch, status, json.loads(body)))
            except (OSError, ValueError):
                await asyncio.sleep(self.retry + self.rng.random())

    def close(self) -> None:
        self.mouth.close()
        self.ear.close()


class Server:
    """A venue in processes of its own that can be killed and started again on the same port."""

    def __init__(self, address: str, workers: int = 1) -> None:
        self.address, self.workers = address, workers
        self._listening = listen("127.0.0.1", 0)
        self.port = self._listening.getsockname()[1]
        self._running: list[Any] = []
        self.start()

    def start(self) -> None:
        """Start the workers that are not there."""
        fork = multiprocessing.get_context("fork")
        self._running = [process for process in self._running if process.is_alive()]
        for _ in range(self.workers - len(self._running)):
            self._running.append(fork.Process(target=_serve, args=(self.address, self._listening), daemon=True))
            self._running[-1].start()

    @property
    def processes(self) -> list[int]:
        return [process.pid for process in self._running if process.pid is not None]

    def kill(self, only: int | None = None) -> None:
        """As a power cut does; *only* that one of the workers, as a fault of its own would."""
        killed = self._running if only is None else [self._running[only]]
        for process in killed:
            os.kill(process.pid, signal.SIGKILL)
        for process in killed:
            process.join()

    def stop(self) -> None:
        for process in self._running:
            process.terminate()
        for process in self._running:
            process.join(15)


def _serve(address: str, listening: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(Database(address), listening)


def prepare(address: str, tables: int) -> tuple[list[tuple[str, str]], str]:
    """A hall with paired devices (id and token), and the word of a chief's link."""
    database, now, paired = Database(address), time.time(), []
    with database.writing() as connection:
        chief = people.invite(connection, "chief", "Bench", [], now)
        for number in range(1, tables + 1):
            devices.add_place(connection, str(number), f"z{number % 8}", now, None)
            code, _ = devices.new_code(connection, str(number), now, None)
            device, token, _ = devices.pair(connection, code, "simulated", now)
            paired.append((device.id, token))
    database.close()
    return paired, chief
