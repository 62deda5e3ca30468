"""Tables over real HTTP against a venue in a process of its own: events a second, acknowledgement and alert latency.

    python -m benchmarks.venue load [--tables 50] [--seconds 20] [--rate 1000] [--database FILE|URL] [--workers 1]
    python -m benchmarks.venue growth [--database URL] [--out FILE]      50 to 2,000 tables
    python -m benchmarks.venue storm …                                   see benchmarks/venue_storm.py

Each table plays real records of robots, gathers plays as the venue asks it to, sends calls at once and holds its ear's
line open. Prints JSON; ``generator_share`` is the load generator's part of all processor time, on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.venue_tables import Measured, Server, Table, more_files, prepare, records
from venue.store import Database, log

CALL_EVERY = 100
"""One event in so many is a call for the referee."""
GROWTH = (50, 100, 200, 500, 1000, 2000)
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
            self.table.seen.called_at[self.table.match, str(line)] = time.monotonic()
            return
        if not self.left:
            self.at += 1
            self.left = self.records[self.at % len(self.records)][::-1]
            self.table.begin(f"m-{self.table.device}-{self.at}")
        self.table.append(self.left.pop())

    async def run(self, until: float) -> None:
        await asyncio.sleep(random.random() / self.rate)
        due = time.monotonic()
        while due < until:
            self.one()
            due += 1 / self.rate
            while (wait := due - time.monotonic()) > 0:
                await self.table.exchange()
                wait = min(due - time.monotonic(), 0.5)
                if wait > 0:
                    await asyncio.sleep(wait)
        while self.table.unsent and time.monotonic() < until + 60:
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


def spent(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


async def load(tables: int, seconds: float, rate: float, address: str, workers: int) -> dict[str, Any]:
    """Run the load and give the figures."""
    played, before = records(4, 4), spent(resource.RUSAGE_CHILDREN)
    paired, chief = prepare(address, tables)
    server, seen, arrived = Server(address, workers), Measured(), {}  # type: ignore[var-annotated]
    cookie = await enter(server.port, chief)
    watching = asyncio.create_task(console(server.port, cookie, arrived))
    halls = [Table(device, token, lambda: server.port, seen) for device, token in paired]
    ears = [asyncio.create_task(table.listen()) for table in halls]
    await asyncio.sleep(1.0)
    own, began = spent(resource.RUSAGE_SELF), time.monotonic()
    until = began + seconds
    playing = [Clocked(table, rate / tables, played, n * 37) for n, table in enumerate(halls)]
    await asyncio.gather(*(each.run(until) for each in playing))
    took = time.monotonic() - began
    await asyncio.sleep(1.0)
    own = spent(resource.RUSAGE_SELF) - own
    for task in (*ears, watching):
        task.cancel()
    await asyncio.gather(*ears, watching, return_exceptions=True)
    for table in halls:
        table.close()
    server.stop()
    other = spent(resource.RUSAGE_CHILDREN) - before
    sent = sum(len(table.log) for table in halls)
    alerts = [arrived[key] - at for key, at in seen.called_at.items() if key in arrived]
    return {
        "engine": "postgresql" if "://" in address else "sqlite", "workers": workers, "tables": tables,
        "offered_per_s": rate, "events": sent, "stored": stored(address), "events_per_s": round(sent / took),
        "requests_per_s": round(seen.requests / took, 1),
        "ack_ms": {"p50": percentile(seen.acked_in, 0.5), "p99": percentile(seen.acked_in, 0.99)},
        "alerts": len(seen.called_at), "alerts_seen": len(alerts),
        "alert_ms": {"p50": percentile(alerts, 0.5), "p99": percentile(alerts, 0.99)},
        "failed_requests": seen.failed, "generator_share": round(own / max(own + other, 1e-9), 2),
        "processor_s": {"generator": round(own, 1), "venue": round(other, 1)}, "seconds": round(took, 1),
        "cores": os.cpu_count(), "load_average": round(os.getloadavg()[0], 1),
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
    parser.add_argument("--database", help="a PostgreSQL URL, emptied first; a new SQLite file by default")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS / "venue.json", help="growth: figures are added here")
    args = parser.parse_args()
    more_files()
    for tables in GROWTH if args.what == "growth" else (args.tables,):
        with tempfile.TemporaryDirectory() as folder:
            address = emptied(args.database, folder, f"venue-{tables}")
            figures = asyncio.run(load(tables, args.seconds, args.rate, address, args.workers))
        print(json.dumps(figures), flush=True)
        if args.what == "growth":
            keep(figures, args.out)


def keep(figures: dict[str, Any], path: Path) -> None:
    """Add *figures* to the results, in place of those of the same engine, workers and tables."""
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    same = ("engine", "workers", "tables")
    kept = [each for each in known.get("growth", []) if any(each[name] != figures[name] for name in same)]
    known["growth"] = sorted([*kept, figures], key=lambda each: (each["engine"], each["workers"], each["tables"]))
    path.write_text(json.dumps(known, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
