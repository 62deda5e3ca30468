"""Tables over real HTTP against a venue of its own process: events a second, acknowledgement and alert latency.

    python -m benchmarks.venue [--tables 50] [--seconds 10] [--rate 1000] [--batch 20] [--database FILE|URL]

Prints one JSON object; ``generator_share`` is the load generator's part of all processor time.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import resource
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from venue.protocol import MAX_EVENTS, SyncEvent, TableSide
from venue.serve import listen, serve
from venue.store import Database, devices, people

MATCH = {
    "do": "match",
    "ruleset": "national",
    "profile": "championship",
    "names": {"N": "N", "E": "E", "S": "S", "W": "W"},
}


class Table(threading.Thread):
    """One table: events at a steady rate, a call now and then, each batch timed."""

    def __init__(self, port: int, device: str, token: str, rate: float, batch: int, until: float) -> None:
        super().__init__(daemon=True)
        self.port, self.token, self.rate, self.batch, self.until = port, token, rate, batch, until
        self.side = TableSide(device, os.urandom(8).hex())
        self.log: list[SyncEvent] = []
        self.acked_in: list[float] = []
        self.called_at: dict[str, float] = {}
        self.failed = 0

    def append(self, event: dict[str, Any]) -> None:
        seq = len(self.log) + 1
        self.log.append(SyncEvent(seq=seq, event=event, match=f"m-{self.side.device}", line=seq))

    def run(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self.append(MATCH)
        began = time.monotonic()
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        while time.monotonic() < self.until or self.side.acked < len(self.log):
            due = min(time.monotonic(), self.until) - began
            while len(self.log) < due * self.rate:
                called = len(self.log) % 50 == 25
                self.append({"do": "call", "seat": "E"} if called else {"do": "extra", "seconds": 1})
                if called:
                    self.called_at[f"{len(self.log)}.1"] = time.monotonic()
            if self.side.acked == len(self.log):
                time.sleep(self.batch / self.rate)
                continue
            batch = self.side.batch(lambda after, most: self.log[after : after + min(most, MAX_EVENTS)], {}, 0)
            sent = time.monotonic()
            try:
                line.request("POST", "/v1/sync", json.dumps(batch.to_json()), headers)
                answer = line.getresponse()
                self.side.received(answer.status, json.loads(answer.read()))
                self.failed += answer.status != 200
            except (OSError, ValueError, http.client.HTTPException):
                self.failed += 1
                line.close()
            self.acked_in.append(time.monotonic() - sent)
            time.sleep(max(0.0, self.batch / self.rate - (time.monotonic() - sent)))


class Console(threading.Thread):
    """A referee's page: when each call arrived, by device's match and alert."""

    def __init__(self, port: int, cookie: str) -> None:
        super().__init__(daemon=True)
        self.port, self.cookie = port, cookie
        self.arrived: dict[tuple[str, str], float] = {}

    def run(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        line.request("GET", "/v1/stream", headers={"cookie": self.cookie})
        answer = line.getresponse()
        while text := answer.readline():
            if text.startswith(b"data: "):
                now = time.monotonic()
                for item in json.loads(text[6:]).get("items", []):
                    for alert in item.get("case", {}).get("alerts", []):
                        self.arrived.setdefault((item["case"]["match"], alert), now)


def _serve(address: str, listening: Any) -> None:
    serve(Database(address), listening)


def _session(port: int, code: str) -> str:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    for _ in range(200):
        try:
            line.request("POST", "/v1/enter", json.dumps({"code": code}))
            break
        except OSError:
            line.close()
            time.sleep(0.1)
    answer = line.getresponse()
    answer.read()
    return str(answer.getheader("set-cookie")).partition(";")[0]


def percentile(values: list[float], share: float) -> float | None:
    """The value below which *share* of *values* lie, in milliseconds."""
    return round(sorted(values)[min(len(values) - 1, int(share * len(values)))] * 1000, 1) if values else None


def measure(tables: int, seconds: float, rate: float, batch: int, address: str) -> dict[str, Any]:
    """Run the load and give the figures."""
    database, now = Database(address), time.time()
    with database.writing() as connection:
        code = people.invite(connection, "chief", "", [], now)
        paired = []
        for number in range(tables):
            devices.add_place(connection, str(number), f"z{number % 8}", now, None)
            pairing, _ = devices.new_code(connection, str(number), now, None)
            device, token, _ = devices.pair(connection, pairing, "load", now)
            paired.append((device.id, token))
    database.close()
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    server = multiprocessing.get_context("fork").Process(target=_serve, args=(address, listening))
    server.start()
    console = Console(port, _session(port, code))
    console.start()
    until = time.monotonic() + seconds
    running = [Table(port, device, token, rate / tables, batch, until) for device, token in paired]
    began = time.monotonic()
    for table in running:
        table.start()
    for table in running:
        table.join()
    took = time.monotonic() - began
    time.sleep(0.5)
    server.terminate()
    server.join(10)
    mine, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    own, other = mine.ru_utime + mine.ru_stime, theirs.ru_utime + theirs.ru_stime
    sent = sum(len(table.log) for table in running)
    with Database(address).reading() as connection:
        from venue.store import log

        stored, position = 0, 0
        while entries := log.after(connection, position):
            position = entries[-1].position
            stored += sum(entry.device != log.VENUE for entry in entries)
    alerts = [
        console.arrived[key] - at
        for table in running
        for alert, at in table.called_at.items()
        if (key := (f"m-{table.side.device}", alert)) in console.arrived
    ]
    acked = [value for table in running for value in table.acked_in]
    return {
        "engine": "postgresql" if "://" in address else "sqlite", "tables": tables, "events": sent, "stored": stored,
        "events_per_s": round(sent / took), "ack_ms": {"p50": percentile(acked, 0.5), "p99": percentile(acked, 0.99)},
        "alerts": sum(len(table.called_at) for table in running), "alerts_seen": len(alerts),
        "alert_ms": {"p50": percentile(alerts, 0.5), "p99": percentile(alerts, 0.99)},
        "failed_requests": sum(table.failed for table in running),
        "generator_share": round(own / max(own + other, 1e-9), 2), "cores": os.cpu_count(),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=1000, help="events a second, all tables together")
    parser.add_argument("--batch", type=int, default=20, help="events that a table gathers before it sends")
    parser.add_argument("--database", help="a file or a PostgreSQL URL; a new file by default")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        address = args.database or str(Path(folder) / "venue.db")
        print(json.dumps(measure(args.tables, args.seconds, args.rate, args.batch, address)))


if __name__ == "__main__":
    main()
