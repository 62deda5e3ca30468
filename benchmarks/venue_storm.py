"""Three hours of 200 tables in minutes, over bad links, with tables and server killed at random: nothing may be lost.

    python -m benchmarks.venue storm [--tables 200] [--minutes 4] [--database URL|postgresql] [--workers 1] [--seed 1]

An organiser draws a round and seats it; every table plays a whole match of robots (some 1,200 events, what three hours
hold) under the name it was told. Links drop, delay, repeat and reorder; tables forget everything but their journal; the
server gets SIGKILL. In the end the venue's log is held against every table's own journal, the boards against a fold of
these journals, and the standings against a fresh fold of the log and against the tables' own results.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from benchmarks.venue import RESULTS, emptied, engine, enter
from benchmarks.venue_tables import Measured, Server, Table, more_files, prepare, records
from engine.errors import GuandanError
from engine.events import Event
from engine.match import Match
from venue.desk.views import view
from venue.protocol import TableSide
from venue.store import Database, log
from venue.web.house import Venue

DROPPED, UNHEARD, TWICE, STALE, SLOW = 0.04, 0.04, 0.02, 0.02, 0.06
"""Shares of requests that never arrive, whose answer never arrives, that arrive twice, after a newer one, or late."""


class Stormy(Table):
    """A table on a bad link, in a building with bad wiring."""

    def __init__(self, device: str, token: str, port: Any, seen: Measured, rng: random.Random) -> None:
        super().__init__(device, token, port, seen)
        self.rng, self.kills, self.stale = rng, 0, b""
        self.mouth.send = self._weather(self.mouth.send)  # type: ignore[method-assign]
        self.disk_cursor = 0

    def _weather(self, send: Any) -> Any:
        async def sent(head: bytes, body: bytes) -> tuple[int, bytes]:
            chance = self.rng.random()
            if chance < DROPPED:
                raise OSError("dropped")
            if chance < DROPPED + SLOW:
                await asyncio.sleep(self.rng.random())
            if self.stale and self.rng.random() < STALE:
                with contextlib.suppress(OSError):
                    await send(head, self.stale)
            answer = await send(head, body)
            if self.rng.random() < TWICE:
                answer = await send(head, body)
            self.stale = body
            if self.rng.random() < UNHEARD:
                raise OSError("the answer got lost")
            return answer

        return sent

    def carry_out(self, directives: Any) -> None:
        super().carry_out(directives)
        self.disk_cursor = self.side.cursor

    async def die(self) -> None:
        """The plug is pulled; the journal is all that is left, and how far it was sent perhaps not even that."""
        self.kills += 1
        acked = self.rng.choice([0, self.side.acked])
        self.close()
        await asyncio.sleep(self.rng.uniform(0.5, 4))
        self.side = TableSide(self.device, self.side.epoch, acked=acked, cursor=self.disk_cursor)

    async def play(self, record: list[dict[str, Any]], seconds: float) -> None:
        """Wait to be seated, then play *record* within *seconds*, and send until all is acknowledged."""
        while not (seat := next((told for told in self.told if told.do == "seat"), None)):
            await self.exchange()
            await asyncio.sleep(0.2)
        self.begin(str(seat.data["match"]))
        lines = [dict(seat.data["record"]), *record[1:]]
        began, done = time.monotonic(), 0
        while done < len(lines) or self.unsent:
            due = len(lines) * (time.monotonic() - began) / seconds
            while done < min(due, len(lines)):
                self.append(lines[done])
                done += 1
            if self.rng.random() < 0.003:
                await self.die()
            await self.exchange()
            await asyncio.sleep(self.rng.uniform(0.1, 0.5))


class Office:
    """The organiser's requests."""

    def __init__(self, port: int, cookie: str) -> None:
        self.root, self.cookie = f"http://127.0.0.1:{port}", cookie
        page = self._ask("GET", "/board", None).decode()
        self.csrf = page.split('name="csrf" content="', 1)[1].split('"', 1)[0]

    def _ask(self, method: str, path: str, body: bytes | None) -> bytes:
        headers = {"cookie": self.cookie, "x-guandan-csrf": getattr(self, "csrf", "")}
        request = urllib.request.Request(self.root + path, body, headers, method=method)
        for patience in range(60):
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return bytes(answer.read())
            except urllib.error.HTTPError as error:
                raise RuntimeError(f"{path}: {error.code} {error.read()[:300]!r}") from None
            except OSError:
                if patience > 50:
                    raise
                time.sleep(0.5)
        raise RuntimeError("unreachable")

    def post(self, path: str, body: Any) -> Any:
        content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        return json.loads(self._ask("POST", path, content))

    def get(self, path: str) -> Any:
        return json.loads(self._ask("GET", path, None))

    def seat_a_round(self, pairs: int) -> str:
        """A competition with *pairs* pairs, its first round drawn and seated; its address."""
        made = self.post("/v1/competitions", {"title": "Storm", "format": "swiss", "options": {"rounds": 1}})
        path = f"/v1/competitions/{made['id']}"
        self.post(f"{path}/entries", "\n".join(f"P{n}a,P{n}b,C{n % 9}" for n in range(pairs)))
        self.post(f"{path}/draw", {"seed": "storm"})
        self.post(f"{path}/seat", {})
        return path


async def storm(tables: int, minutes: float, address: str, workers: int, seed: int) -> dict[str, Any]:
    """Run the storm; what was found afterwards."""
    rng, played = random.Random(seed), records(min(tables, 16))
    paired, chief = prepare(address, tables)
    server, seen = Server(address, workers), Measured()
    office = Office(server.port, await enter(server.port, chief))
    path = await asyncio.to_thread(office.seat_a_round, 2 * tables)
    seconds = minutes * 60
    halls = [Stormy(device, token, lambda: server.port, seen, random.Random(rng.random())) for device, token in paired]
    ears = [asyncio.create_task(table.listen()) for table in halls]
    playing = asyncio.gather(*(table.play(played[n % len(played)], seconds) for n, table in enumerate(halls)))
    began, kills = time.monotonic(), 0
    while not playing.done():
        await asyncio.sleep(rng.uniform(15, 30))
        if time.monotonic() - began < seconds and not playing.done():
            await asyncio.to_thread(server.kill)
            kills += 1
            await asyncio.sleep(rng.uniform(0.5, 3))
            server.start()
    await playing
    took = time.monotonic() - began
    for ear in ears:
        ear.cancel()
    for table in halls:
        table.close()
    shown = await asyncio.to_thread(office.get, path)
    tiles = {
        item["table"]["place"]: item["table"]["board"]
        for item in (await asyncio.to_thread(office.get, "/v1/snapshot"))["items"] if "table" in item
    }  # fmt: skip
    server.stop()
    found = await asyncio.to_thread(compare, address, halls, shown, tiles)
    return {
        "engine": "postgresql" if "://" in address else "sqlite", "workers": workers, "tables": tables,
        "minutes": round(took / 60, 1), "server_kills": kills, "table_kills": sum(table.kills for table in halls),
        "requests": seen.requests, "failed_requests": seen.failed, **found,
    }  # fmt: skip


def compare(address: str, halls: list[Stormy], shown: dict[str, Any], tiles: dict[str, Any]) -> dict[str, Any]:
    """The venue's log, boards and standings against the tables' own journals."""
    database, entries, position = Database(address), [], 0
    with database.reading() as connection:
        while more := log.after(connection, position, 5000):
            entries += more
            position = more[-1].position
    database.close()
    by_device: dict[str, list[log.Entry]] = {}
    for entry in entries:
        by_device.setdefault(entry.device, []).append(entry)
    lost = doubled = other = boards = results = 0
    games = {game["match"]: game for round in shown["rounds"] for game in round["games"]}
    for number, table in enumerate(halls, 1):
        mine = by_device.get(table.device, [])
        numbers = [entry.seq for entry in mine]
        lost += len(set(range(1, len(table.log) + 1)) - set(numbers))
        doubled += len(numbers) - len(set(numbers))
        other += sum(
            entry.seq <= len(table.log) and dict(entry.event) != dict(table.log[entry.seq - 1].event) for entry in mine
        )
        match = fold(table)
        boards += tiles[str(number)]["levels"] != dict(match.levels) or tiles[str(number)]["deals"] != len(match.deals)
        result = games[table.match]["result"]
        winner = {"NS": "one", "EW": "other"}.get((match.result.winner if match.result else None) or "")
        results += result is None or result["winner"] != winner
    again = json.loads(json.dumps(asyncio.run(folded(address, str(shown["id"])))))
    return {
        "events": sum(len(table.log) for table in halls),
        "stored": sum(len(by_device.get(table.device, [])) for table in halls),
        "lost": lost, "doubled": doubled, "other_content": other, "boards_that_differ": boards,
        "results_that_differ": results, "holes_in_positions": len(entries) - (entries[-1].position if entries else 0),
        "standings_equal_recomputation": again["standings"] == shown["standings"] and bool(shown["standings"]),
    }  # fmt: skip


async def folded(address: str, competition: str) -> dict[str, Any]:
    """What the whole log comes to, read from its beginning: the competition as the desk sees it."""
    database = Database(address)
    venue = Venue(database)
    await venue.catch_up()
    found = view(venue.desk.competitions[competition])
    await asyncio.to_thread(venue.writer.close)
    database.close()
    return found


def fold(table: Stormy) -> Match:
    """What the table's own journal comes to."""
    match = Match()
    for event in table.log:
        data = {name: value for name, value in event.event.items() if name not in ("do", "t")}
        with contextlib.suppress(GuandanError):
            match.apply(Event(int(event.line or 0), event.do, data, event.event.get("t")))
    return match


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.venue storm", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--database", help="'postgresql', or a URL, emptied first; a new SQLite file by default")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS / "venue.json")
    args = parser.parse_args(words)
    more_files()
    with tempfile.TemporaryDirectory() as folder, engine(args.database) as (place, _):
        address = emptied(place, folder, "storm")
        figures = asyncio.run(storm(args.tables, args.minutes, address, args.workers, args.seed))
    print(json.dumps(figures), flush=True)
    known = json.loads(args.out.read_text("utf-8")) if args.out.exists() else {}
    kept = [each for each in known.get("storm", []) if each["engine"] != figures["engine"]]
    known["storm"] = sorted([*kept, figures], key=lambda each: str(each["engine"]))
    args.out.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
