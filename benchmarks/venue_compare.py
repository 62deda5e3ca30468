"""What a storm has left: log, pages and standings against the tables' own journals and a fold from nothing."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import sqlalchemy as sa

from engine.errors import GuandanError
from engine.events import Event
from engine.match import Match
from venue.desk.competition import Competition
from venue.desk.desk import Desk
from venue.desk.views import view
from venue.protocol import SyncEvent
from venue.store import Database, log, schema
from venue.store.log import Entry
from venue.store.people import Person
from venue.web import view as pages
from venue.web.house import Venue


class Machine(Protocol):
    """What is asked of a table: its name at the venue and its journal."""

    device: str
    log: list[SyncEvent]


@dataclass
class Found:
    """The venue's log held against every machine's journal; all of it must be 0."""

    lost: int = 0
    """Events of a journal that the log does not hold."""
    doubled: int = 0
    """Events that it holds twice."""
    invented: int = 0
    """Events that no machine has."""
    changed: int = 0
    """Events that are not what the machine wrote, or stand in another match or line."""
    out_of_order: int = 0
    """Events of a machine that stand before an older one of it."""
    holes: int = 0
    """Positions that are missing, or are there twice."""


def against_journals(entries: Sequence[Entry], machines: Iterable[Machine]) -> Found:
    """Every entry of every machine, each once, as it was written, in the order in which it was written."""
    found, of_device = Found(), defaultdict(list)
    for entry in entries:
        of_device[entry.device].append(entry)
    found.holes = sum(entry.position != at for at, entry in enumerate(entries, 1))
    for machine in machines:
        mine = of_device.pop(machine.device, [])
        numbers = [entry.seq for entry in mine]
        known = set(numbers)
        found.doubled += len(numbers) - len(known)
        found.out_of_order += sum(later < earlier for earlier, later in pairwise(numbers))
        written = {event.seq: event for event in machine.log}
        found.lost += len(set(written) - known)
        found.invented += len(known - set(written))
        for entry in mine:
            event = written.get(entry.seq)
            if event is not None and (dict(entry.event), entry.match, entry.line) != (
                dict(event.event), event.match, event.line
            ):  # fmt: skip
                found.changed += 1
    found.invented += sum(len(rest) for device, rest in of_device.items() if device != log.VENUE)
    return found


def wrongly_flagged(entries: Iterable[Entry]) -> int:
    """Events of machines whose table has another one since that were taken as if they still spoke for it, and events of
    others that were not.
    """
    holds: dict[str | None, str] = {}
    gone: set[str] = set()
    wrong = 0
    for entry in entries:
        if entry.kind == "device_paired":
            if (before := holds.get(entry.place)) is not None:
                gone.add(before)
            holds[entry.place] = str(entry.event["device"])
        elif entry.device != log.VENUE:
            wrong += entry.late != (entry.device in gone)
    return wrong


def whole_log(address: str) -> list[Entry]:
    """Every entry of the database at *address*."""
    database, entries = Database(address), list[Entry]()
    with database.reading() as connection:
        while more := log.after(connection, entries[-1].position if entries else 0, 5000):
            entries += more
    database.close()
    return entries


def directives_of(address: str) -> list[tuple[str, Mapping[str, Any], str]]:
    """Every directive: kind, data, and how it ended."""
    database = Database(address)
    told = schema.directives
    with database.reading() as connection:
        rows = connection.execute(sa.select(told.c.kind, told.c.data, told.c.state)).all()
    database.close()
    return [(row.kind, json.loads(row.data), row.state) for row in rows]


def fold(lines: Iterable[Mapping[str, Any]]) -> Match:
    """What a table's own record comes to."""
    match = Match()
    for number, event in enumerate(lines, 1):
        data = {name: value for name, value in event.items() if name not in ("do", "t")}
        with contextlib.suppress(GuandanError):
            match.apply(Event(number, str(event["do"]), data, event.get("t")))
    return match


def standings_of(entries: Iterable[Entry], matches: Mapping[str, Match], competition: str) -> dict[str, Any]:
    """The competition by the organiser's acts and the tables' own records alone, as pages would show it: no result
    that the venue came to has a part in it.
    """
    desk = Desk()

    def results(event: Competition) -> None:
        for game in event.rounds[-1].games:
            match = matches.get(game.match)
            if match is not None and match.result is not None:
                small = match.result.small  # of a match of one game: both sides' level differences
                margin = (small["NS"] - small["EW"]) // 2 or None
                desk.match_over(game.match, match.levels, match.result.winner, 0.0, margin)

    for entry in entries:
        if entry.kind == "desk" and entry.event.get("competition") == competition:
            if entry.event.get("act") == "draw" and desk.competitions[competition].rounds:
                results(desk.competitions[competition])
            desk.act(entry.event, entry.received, "")
    results(desk.competitions[competition])
    return as_json(view(desk.competitions[competition], staff=False))


async def _read_anew(address: str) -> dict[str, Any]:
    database = Database(address)
    venue = Venue(database)
    await venue.catch_up()
    told = pages.snapshot(venue.hall, Person("", "", "chief", (), ""))
    await asyncio.to_thread(venue.writer.close)
    database.close()
    return as_json(told)


def read_anew(address: str) -> dict[str, Any]:
    """The chief referee's snapshot of a venue that has just read the whole log from its beginning."""
    return asyncio.run(_read_anew(address))


def as_json(told: Any) -> dict[str, Any]:
    """*told* as it comes out at the other end of a line."""
    return dict(json.loads(json.dumps(told)))


def differing(shown: Mapping[str, Any], again: Mapping[str, Any]) -> int:
    """How many tables and cases of two snapshots are not the same."""

    def items(told: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
        keys = (("table", "place"), ("case", "id"))
        return {(kind, item[kind][name]): item[kind] for item in told["items"] for kind, name in keys if kind in item}

    one, other = items(shown), items(again)
    return sum(one.get(key) != other.get(key) for key in one.keys() | other.keys())
