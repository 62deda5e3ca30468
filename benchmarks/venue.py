"""Tables over real HTTP against a venue in a process of its own: events a second, acknowledgement and alert latency.

    python -m benchmarks.venue load [--tables 50] [--seconds 20] [--rate 1000] [--database FILE|URL] [--workers 1]
    python -m benchmarks.venue growth [--database URL|postgresql] [--anew]      50 to 2,000 tables, then venue_plot
    python -m benchmarks.venue storm …                                          see benchmarks/venue_storm.py

Each table plays real records of robots, gathers plays as the venue asks it to, sends calls at once and holds its ear's
line open. Tables arrive one by one and have all found their pace before anything is measured; how long an
acknowledgement takes is counted from the request, an alert's way from the line in the table's journal to the referee's
page. ``postgresql`` starts a server of its own, which forces every commit to the disk as SQLite does here. Generator,
venue and database share the machine: ``shares`` are their parts of all its cores, ``others`` is who else was on it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.venue_share import Shares
from benchmarks.venue_tables import Measured, Server, Table, more_files, prepare, records
from tests.venue import postgresql
from venue.protocol import MAX_PACE
from venue.store import Database, log

CALL_EVERY = 100
"""One event in so many is a call for the referee."""
GROWTH = (50, 100, 200, 500, 1000, 2000)
ARRIVE = 5.0
"""Seconds, and one pace, within which the tables come; another pace later all of them keep to it."""
MOST_LATE = 30.0
"""Seconds after the end for which tables go on sending what is left."""
RESULTS = Path(__file__).parent / "results"


class Clocked:
    """A table's playing: lines of its record at a steady rate, a call now and then, match after match."""

    def __init__(self, table: Table, rate: float, records: list[list[dict[str, Any]]], start: int) -> None:
        self.table, self.rate, self.records, self.at = table, rate, records, start
        self.left: list[dict[str, Any]] = []
        self.calls = start

    def one(self) -> None:
        self.calls += 1
        if self.calls % CALL_EVERY == 0 and self.table.line:
            line = self.table.append({"do": "call", "seat": "NESW"[self.calls % 4]})
            if self.table.seen.measuring:
                self.table.seen.called_at[self.table.match, str(line)] = time.monotonic()
            return
        if not self.left:
            self.at += 1
            self.left = self.records[self.at % len(self.records)][::-1]
            self.table.begin(f"m-{self.table.device}-{self.at}")
        self.table.append(self.left.pop())

    async def run(self, arrive_within: float, until: float) -> None:
        await asyncio.sleep(random.random() * arrive_within)
        due = time.monotonic()
        while due < until:
            self.one()
            due += 1 / self.rate
            while (wait := due - time.monotonic()) > 0:
                await self.table.exchange()
                wait = min(due - time.monotonic(), 0.5)
                if wait > 0:
                    await asyncio.sleep(wait)
        while self.table.unsent and time.monotonic() < until + MOST_LATE:
            self.table.side.pace = 0.0
            await self.table.exchange()


async def console(wire_port: int, cookie: str, arrived: dict[tuple[str, str], float]) -> None:
    """A referee's page: when each call's case arrived."""
    reader, writer = await asyncio.open_connection("127.0.0.1", wire_port, limit=1 << 24)
    writer.write(f"GET /v1/stream HTTP/1.1\r\nhost: venue\r\ncookie: {cookie}\r\n\r\n".encode())
    with contextlib.suppress(asyncio.IncompleteReadError):
        while line := await reader.readline():
            if b'"case"' not in line:
                continue
            now = time.monotonic()
            for item in json.loads(line[line.index(b"{") :]).get("items", []):
                for alert in item.get("case", {}).get("alerts", []):
                    arrived.setdefault((item["case"]["match"], alert.partition(".")[0]), now)


async def enter(port: int, code: str) -> str:
    """The cookie of whoever spends *code*, once the venue answers."""
    for _ in range(300):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            break
        except OSError:
            await asyncio.sleep(0.1)
    body = json.dumps({"code": code}).encode()
    writer.write(b"POST /v1/enter HTTP/1.1\r\nhost: v\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))
    while line := await reader.readline():
        if line.lower().startswith(b"set-cookie:"):
            writer.close()
            return line.split(b":", 1)[1].partition(b";")[0].strip().decode()
    raise RuntimeError("the venue let nobody in")


def percentile(values: list[float], share: float) -> float | None:
    """The value below which *share* of *values* lie, in milliseconds."""
    return round(sorted(values)[min(len(values) - 1, int(share * len(values)))] * 1000, 1) if values else None


async def load(
    tables: int, seconds: float, rate: float, address: str, workers: int, database: int | None = None
) -> dict[str, Any]:
    """Run the load and give the figures; *database* is the process of the database's server."""
    played = records(4, 4)
    paired, chief = prepare(address, tables)
    server, seen, arrived = Server(address, workers), Measured(), {}  # type: ignore[var-annotated]
    cookie = await enter(server.port, chief)
    watching = asyncio.create_task(console(server.port, cookie, arrived))
    halls = [Table(device, token, lambda: server.port, seen) for device, token in paired]
    pace = min(MAX_PACE, tables / 100)
    arriving = ARRIVE + pace  # those that come together would go on sending together
    settling = arriving + pace
    until = time.monotonic() + settling + seconds
    ears = [asyncio.create_task(table.listen(arriving)) for table in halls]
    playing = asyncio.gather(
        *(Clocked(table, rate / tables, played, n * 37).run(arriving, until) for n, table in enumerate(halls))
    )
    await asyncio.sleep(settling)
    shares, before = Shares(server.processes, database), sum(table.side.acked for table in halls)
    seen.measure()
    await asyncio.sleep(max(0.0, until - time.monotonic()))
    seen.measuring, took, found = False, time.monotonic() - shares.began, shares.until_now()
    acked = sum(table.side.acked for table in halls) - before
    loaded = round(os.getloadavg()[0], 1)
    await playing
    await asyncio.sleep(1.0)
    for task in (*ears, watching):
        task.cancel()
    await asyncio.gather(*ears, watching, return_exceptions=True)
    for table in halls:
        table.close()
    server.stop()
    alerts = [arrived[key] - at for key, at in seen.called_at.items() if key in arrived]
    venues = found["processor_s"]["venue"] + found["processor_s"]["database"]
    return {
        "engine": "postgresql" if "://" in address else "sqlite", "workers": workers, "tables": tables,
        "offered_per_s": rate, "acked_per_s": round(acked / took), "requests_per_s": round(seen.requests / took, 1),
        "ack_ms": {"p50": percentile(seen.acked_in, 0.5), "p99": percentile(seen.acked_in, 0.99)},
        "alerts": len(seen.called_at), "alerts_seen": len(alerts),
        "alert_ms": {"p50": percentile(alerts, 0.5), "p99": percentile(alerts, 0.99)},
        "failed_requests": seen.failed, "events_in_all": sum(len(table.log) for table in halls),
        "stored_in_all": stored(address), **found, "venue_us_per_event": round(venues / max(acked, 1) * 1e6),
        "seconds": round(took, 1), "cores": os.cpu_count(), "load_average": loaded,
    }  # fmt: skip


def stored(address: str) -> int:
    """How many events of tables the log holds."""
    database, count, position = Database(address), 0, 0
    with database.reading() as connection:
        while entries := log.after(connection, position, 5000):
            position = entries[-1].position
            count += sum(entry.device != log.VENUE for entry in entries)
    database.close()
    return count


def emptied(address: str | None, folder: str, name: str) -> str:
    """An empty database: a new file, or the server's with everything in it dropped."""
    if address is None:
        return str(Path(folder) / f"{name}.db")
    import sqlalchemy as sa

    engine = sa.create_engine("postgresql+psycopg://" + address.split("://", 1)[1], isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        connection.execute(sa.text("CREATE SCHEMA public"))
    engine.dispose()
    return address


@contextlib.contextmanager
def engine(named: str | None) -> Iterator[tuple[str | None, int | None]]:
    """Where the database is, and its server's process: a file's (None), one that is there, or one of our own."""
    if named != "postgresql":
        yield named, None
        return
    if reason := postgresql.missing():
        raise SystemExit(reason)
    server = postgresql.Server(durable=True)
    try:
        yield server.url, server.process
    finally:
        server.stop()


def main() -> None:
    if sys.argv[1:2] == ["storm"]:
        from benchmarks.venue_storm import main as storm

        storm(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("load", "growth"))
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rate", type=float, default=1000, help="events a second, all tables together")
    parser.add_argument("--database", help="'postgresql', or a URL, emptied first; a new SQLite file by default")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--anew", action="store_true", help="growth: measure again what is known")
    parser.add_argument("--out", type=Path, default=RESULTS / "venue.json", help="growth: figures are added here")
    args = parser.parse_args()
    more_files()
    name = "sqlite" if args.database is None else "postgresql"
    known = set() if args.anew else {row["tables"] for row in kept(args.out, name, args.workers)}
    with engine(args.database) as (place, process):
        for tables in GROWTH if args.what == "growth" else (args.tables,):
            if args.what == "growth" and tables in known:
                continue
            with tempfile.TemporaryDirectory() as folder:
                address = emptied(place, folder, f"venue-{tables}")
                figures = asyncio.run(load(tables, args.seconds, args.rate, address, args.workers, process))
            print(json.dumps(figures), flush=True)
            if args.what == "growth":
                keep(figures, args.out)


def kept(path: Path, engine: str, workers: int) -> list[dict[str, Any]]:
    """What is known of the growth on *engine*."""
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return [row for row in known.get("growth", []) if (row["engine"], row["workers"]) == (engine, workers)]


def keep(figures: dict[str, Any], path: Path) -> None:
    """Add *figures* to the results, in place of those of the same engine, workers and tables."""
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    same = ("engine", "workers", "tables")
    others = [each for each in known.get("growth", []) if any(each[name] != figures[name] for name in same)]
    known["growth"] = sorted([*others, figures], key=lambda each: (each["engine"], each["workers"], each["tables"]))
    path.write_text(json.dumps(known, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
