"""Three hours of 200 tables in minutes, over bad links, with machines, workers and database killed at random.

    python -m benchmarks.venue storm [--tables 200] [--minutes 4] [--rounds 3] [--database URL|postgresql]
                                     [--workers 1] [--seed 1]

An organiser draws three rounds of an hour each, seats them, starts their clocks, stops the hall and adds time; every
table plays whole matches of robots under the names it was told. Links drop, hold up, double and overtake requests
(:mod:`benchmarks.venue_weather`); tables forget everything but their journal; some die for good, a spare is paired and
goes on, and what the dead one held comes later. The venue's processes get SIGKILL, all at once or one worker alone; our
own PostgreSQL crashes with them now and then. In the end the venue's log is held against every machine's own journal,
its pages against a fold of the log from its beginning, and the standings against the tables' own records alone
(:mod:`benchmarks.venue_compare`). Anything that differs ends the run with status 1.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from benchmarks import venue_compare as compare
from benchmarks.venue import RESULTS, emptied, enter
from benchmarks.venue_office import Office, Refused
from benchmarks.venue_tables import Measured, Server, Wire, more_files, prepare, records
from benchmarks.venue_weather import DEATHS, Stormy
from tests.venue import postgresql

REPLACED: Final = 0.03
"""Share of the tables whose machine dies for good in the first round."""
OPTIONS: Final = {"start_level": "9", "match_seconds": 0}
"""A match of an hour's length: from 9 on, to its end."""
CRASH: Final = 0.25
"""How often the database goes down together with the venue."""


class Storm:
    """One storm on the venue at *address*; *crash* and *restore* take its database down and bring it up again."""

    def __init__(
        self, tables: int, minutes: float, rounds: int, address: str, workers: int, seed: int,
        database: postgresql.Server | None = None,
    ) -> None:  # fmt: skip
        self.rng, self.rounds, self.seconds = random.Random(seed), rounds, minutes * 60
        self.address, self.database = address, database
        self.weather: Counter[str] = Counter()
        self.played = records(min(tables, 16), options=OPTIONS)
        paired, self.chief = prepare(address, tables)
        self.server, self.seen = Server(address, workers), Measured()
        self.machines: list[Stormy] = []
        self.halls = [self._machine(device, token, place) for place, (device, token) in enumerate(paired)]
        self.taken_over: set[str] = set()
        """Matches that a spare went on with."""
        self._ears: dict[str, asyncio.Task[None]] = {}
        self._late: list[asyncio.Task[None]] = []

    def _machine(self, device: str, token: str, place: int) -> Stormy:
        now = time.monotonic()
        deaths = sum(self.rng.random() < DEATHS / 3 for _ in range(3))
        dies = [now + self.rng.uniform(0.05, 0.95) * self.seconds for _ in range(deaths)]
        seen, port = self.seen, lambda: self.server.port
        made = Stormy(device, token, port, seen, random.Random(self.rng.random()), self.weather, dies)
        self.machines.append(made)
        return made

    # --- what goes on in the hall ---------------------------------------------------------------------------------

    async def run(self) -> dict[str, Any]:
        """Have it rage; what was found afterwards."""
        office = await asyncio.to_thread(Office, self.server.port, await enter(self.server.port, self.chief))
        path = await asyncio.to_thread(office.open_event, 2 * len(self.halls), self.rounds, OPTIONS)
        for table in self.halls:
            self._ears[table.device] = asyncio.create_task(table.listen())
        began = time.monotonic()
        killing = asyncio.create_task(self._kill(began + self.seconds))
        for number in range(1, self.rounds + 1):
            await asyncio.to_thread(office.draw_and_seat, path, number)
            name = f"{path.rpartition('/')[2]}-{number}-"
            organising = asyncio.create_task(self._organise(office, path))
            doomed = self._doomed() if number == 1 else set()
            await asyncio.gather(
                *(self._play(office, place, name, number, place in doomed) for place in range(len(self.halls)))
            )
            organising.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await organising
            await asyncio.to_thread(office.wait_for_results, path, number)
        await asyncio.gather(*self._late)
        await killing
        return await self._reckon(office, path, time.monotonic() - began)

    def _doomed(self) -> set[int]:
        return set(self.rng.sample(range(len(self.halls)), round(REPLACED * len(self.halls))))

    async def _play(self, office: Office, place: int, name: str, number: int, doomed: bool) -> None:
        table, seconds = self.halls[place], self.seconds / self.rounds
        record = self.played[(place + number) % len(self.played)]
        table.inherited = []
        if not doomed:
            await table.play(name, record, seconds)
            return
        await table.play(name, record, seconds, until=len(record) // 2)
        table.leave()
        self._ears[table.device].cancel()
        spare = await self._spare(office, place, table)
        self.halls[place] = spare
        self._ears[spare.device] = asyncio.create_task(spare.listen(0.0))
        self._late.append(asyncio.create_task(self._back(table)))
        await spare.play(name, record, seconds)

    async def _spare(self, office: Office, place: int, dead: Stormy) -> Stormy:
        """Another machine is paired with a code and goes on with what the venue has of the match."""
        self.weather["machines replaced"] += 1
        told = await asyncio.to_thread(office.pair, str(place + 1))
        made = self._machine(told["device"], told["token"], place)
        if (goes_on := told["continues"]) is not None:
            self.taken_over.add(goes_on["match"])
            made.inherit(goes_on["match"], goes_on["lines"])
        else:  # nothing of it had arrived: the people begin anew
            made.know([each for each in dead.told if each.do == "seat"])
        return made

    async def _back(self, table: Stormy) -> None:
        await asyncio.sleep(self.rng.uniform(2, 15))
        await table.comes_to_light()

    async def _organise(self, office: Office, path: str) -> None:
        """The round's clock is started, the hall is stopped for a moment, time is added; words go to tables."""
        await asyncio.to_thread(office.post, f"{path}/clock", {"action": "start", "minutes": 60})
        while True:
            await asyncio.sleep(self.rng.uniform(5, 15))
            step = self.rng.choice(["stop", "extra", "extra", "message"])
            place = str(self.rng.randrange(len(self.halls)) + 1)
            if step == "stop":
                await asyncio.to_thread(office.post, f"{path}/clock", {"action": "stop"})
                await asyncio.to_thread(office.post, f"{path}/clock", {"action": "resume"})
            elif step == "extra":
                with contextlib.suppress(Refused):  # its match is over
                    await asyncio.to_thread(office.post, f"/v1/tables/{place}/extra", {"seconds": 60})
            else:
                await asyncio.to_thread(office.post, f"/v1/tables/{place}/message", {"text": "5"})

    async def _kill(self, until: float) -> None:
        """The venue goes down: all of it, or one worker alone; its database with it now and then."""
        while True:
            await asyncio.sleep(self.rng.uniform(12, 25))
            if time.monotonic() > until:
                return
            crash = self.database is not None and self.rng.random() < CRASH
            alone = self.server.workers > 1 and not crash and self.rng.random() < 0.5
            self.weather["workers killed alone" if alone else "venue killed"] += 1
            which = self.rng.randrange(self.server.workers) if alone else None
            await asyncio.to_thread(self.server.kill, which)
            await asyncio.sleep(self.rng.uniform(0.5, 3))
            if crash and self.database is not None:
                self.weather["database crashed"] += 1
                self.server.start()  # it finds its database in the middle of a crash
                await asyncio.to_thread(self.database.crash)
                await asyncio.sleep(self.rng.uniform(0.5, 2))
                await asyncio.to_thread(self.database.start)
            self.server.start()
            await self._up()

    async def _up(self) -> None:
        """Until the venue has read its log and answers: what never comes up cannot be killed."""
        while True:
            wire = Wire(lambda: self.server.port)
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                await asyncio.wait_for(wire.send(b"GET /enter HTTP/1.1\r\nhost: v\r\n", b""), 30)
                return
            self.server.start()  # a worker that met its database in the middle of a crash is gone again
            await asyncio.sleep(0.3)

    # --- what is left ---------------------------------------------------------------------------------------------

    async def _reckon(self, office: Office, path: str, took: float) -> dict[str, Any]:
        for table in self.halls:
            while not table.answered:  # what it was told last
                await table.exchange()
                await asyncio.sleep(0.1)
        for ear in self._ears.values():
            if ear.done() and not ear.cancelled():
                ear.result()  # it never ends by itself
            ear.cancel()
        for table in self.machines:
            table.close()
        await asyncio.sleep(3.0)  # every worker has looked at what the others wrote
        shown = await asyncio.to_thread(office.get, path)
        pages = [await asyncio.to_thread(office.get, "/v1/snapshot") for _ in range(4 * self.server.workers)]
        self.server.stop()
        return await asyncio.to_thread(self._found, shown, pages, took)

    def _found(self, shown: dict[str, Any], pages: list[dict[str, Any]], took: float) -> dict[str, Any]:
        entries = compare.whole_log(self.address)
        records = {match: lines for table in self.halls for match, lines in table.sent_lines.items()}
        for table in self.machines:
            for match, lines in table.sent_lines.items():
                records.setdefault(match, lines)
        matches = {match: compare.fold(lines) for match, lines in records.items()}
        again = compare.standings_of(entries, matches, str(shown["id"]))
        tables = [item["table"] for item in pages[0]["items"] if "table" in item]
        boards = {table["board"]["match"]: table["board"] for table in tables}
        directives, fresh = compare.directives_of(self.address), compare.read_anew(self.address)
        done = Counter(data.get("match") for kind, data, state in directives if (kind, state) == ("extra", "done"))
        given = {name: sum(line["do"] == "extra" for line in lines) for name, lines in records.items()}
        wrong = asdict(compare.against_journals(entries, self.machines)) | {
            "acknowledged_and_gone": sum(table.taken_back for table in self.machines),
            "wrongly_flagged_late": compare.wrongly_flagged(entries),
            "alarms": sum(entry.kind == "alarm" for entry in entries),
            "boards_that_differ": len(self.halls) - len(boards) + sum(
                (board["levels"], board["deals"]) != (dict(matches[name].levels), len(matches[name].deals))
                for name, board in boards.items()
            ),
            "pages_that_differ": max(compare.differing(page, fresh) for page in pages),
            "games_that_differ": _differing_games(shown, again),
            "standings_that_differ": int(again["standings"] != shown["standings"] or not shown["standings"]),
            "directives_unanswered": sum(state not in ("done", "refused") for _, _, state in directives),
            "times_added_twice_or_never": sum(done[name] != given[name] for name in given.keys() - self.taken_over),
        }  # fmt: skip
        return {
            "engine": "postgresql" if "://" in self.address else "sqlite", "workers": self.server.workers,
            "tables": len(self.halls), "rounds": self.rounds, "minutes": round(took / 60, 1),
            "events": sum(len(table.log) for table in self.machines),
            "stored": sum(entry.device != compare.log.VENUE for entry in entries),
            "late": sum(entry.late for entry in entries),
            "requests": self.seen.requests, "failed_requests": self.seen.failed, "weather": dict(self.weather),
            "directives": len(directives), "wrong": wrong,
        }  # fmt: skip


RESULT = ("levels", "winner", "margin", "points")
"""What of a game's result must be the same again."""


def _differing_games(shown: dict[str, Any], again: dict[str, Any]) -> int:
    def games(told: dict[str, Any]) -> list[Any]:
        return [
            (game["match"], game["one"], game["other"], game["result"] and list(map(game["result"].get, RESULT)))
            for past in told["rounds"] for game in past["games"]
        ]  # fmt: skip

    one, other = games(shown), games(again)
    return sum(a != b for a, b in zip(one, other, strict=False)) + abs(len(one) - len(other))


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="benchmarks.venue storm", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=4, help="for all rounds together")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--database", help="'postgresql', or a URL, emptied first; a new SQLite file by default")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS / "venue.json")
    args = parser.parse_args(words)
    more_files()
    server = None
    if args.database == "postgresql":
        if reason := postgresql.missing():
            raise SystemExit(reason)
        server = postgresql.Server(durable=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            address = emptied(server.url if server else args.database, folder, "storm")
            storm = Storm(args.tables, args.minutes, args.rounds, address, args.workers, args.seed, server)
            figures = asyncio.run(storm.run())
    finally:
        if server is not None:
            server.stop()
    print(json.dumps(figures), flush=True)
    if any(figures["wrong"].values()):
        raise SystemExit(1)
    known = json.loads(args.out.read_text("utf-8")) if args.out.exists() else {}
    kept = [each for each in known.get("storm", []) if each["engine"] != figures["engine"]]
    known["storm"] = sorted([*kept, figures], key=lambda each: str(each["engine"]))
    args.out.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
