"""The log: what tables sent and what the venue said, in one order, appended and never changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.protocol import TABLE_EVENTS, SyncEvent, canonical, judge
from venue.store import schema
from venue.store.database import driver_text, take_numbers

VENUE: Final = "venue"
_EPOCH: Final = "1"


class Entry(NamedTuple):
    """One row of the log. *event* is the event's JSON object; *person* is who did it, for the venue's own."""

    position: int
    device: str
    epoch: str
    seq: int
    kind: str
    place: str | None
    match: str | None
    line: int | None
    event: Mapping[str, Any]
    wall: float | None
    received: float
    late: bool
    person: str | None

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._fields} | {"event": dict(self.event)}


class Gathering:
    """What one transaction is about to append of devices' batches: each is judged, all are inserted at once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: list[tuple[Any, ...]] = []
        self._events: list[Mapping[str, Any]] = []
        self._last: dict[tuple[str, str], int] = {}
        self._prints: dict[tuple[str, str], dict[int, str]] = {}

    def take(
        self, device: str, epoch: str, events: Sequence[SyncEvent], place: str | None, now: float, late: bool,
        last_seq: int,
    ) -> int:  # fmt: skip
        """Add what is new of *events*, a device's batch in seq order; gives the seq to acknowledge once it is stored.

        *last_seq*: what :func:`known` says of the database, without what was gathered here.

        :raises SyncError: ``gap`` or ``conflict``; nothing of the batch is added then.
        """
        log = device, epoch
        last_seq = self._last.get(log, last_seq)
        prints = self._prints.get(log, {})
        if events and events[0].seq <= last_seq and events[0].seq not in prints:
            between = {"first": events[0].seq, "last": min(events[-1].seq, last_seq)}
            rows = self._connection.execute(_PRINTS, {"of_device": device, "of_epoch": epoch, **between})
            prints = {row.seq: row.fingerprint for row in rows} | prints
        verdict = judge(events, last_seq, prints.get)
        if verdict.fresh:
            self._last[log] = verdict.acked
            new = self._prints.setdefault(log, {})
            for event in verdict.fresh:
                new[event.seq] = fingerprint = event.fingerprint()
                self._rows.append(
                    (
                        device, epoch, event.seq, event.do, place, event.match, event.line, event.text, fingerprint,
                        event.wall, now, int(late), None,
                    )
                )  # fmt: skip
                self._events.append(event.event)
        return verdict.acked

    def insert(self) -> tuple[Entry, ...]:
        """Write all of it, in the order in which it was taken."""
        if not self._rows:
            return ()
        first = take_numbers(self._connection, "position", len(self._rows))
        rows = [(first + n, *row) for n, row in enumerate(self._rows)]
        insert(self._connection, rows)
        entries = tuple(
            Entry(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], event, row[10], row[11],
                  bool(row[12]), None)
            for row, event in zip(rows, self._events, strict=True)
        )  # fmt: skip
        _note_down(self._connection, entries)
        self._rows, self._events = [], []
        return entries


def append(
    connection: Connection, device: str, epoch: str, events: Sequence[SyncEvent], place: str | None, now: float,
    late: bool,
) -> tuple[tuple[Entry, ...], int]:  # fmt: skip
    """Append what is new of *events*, a device's batch in seq order; gives the new entries and the seq to acknowledge.

    :raises SyncError: ``gap`` or ``conflict``; nothing is appended then.
    """
    gathering = Gathering(connection)
    acked = gathering.take(device, epoch, events, place, now, late, known(connection, device, epoch))
    return gathering.insert(), acked


def known(connection: Connection, device: str, epoch: str) -> int:
    """The highest seq stored of (*device*, *epoch*), 0 when there is none."""
    return int(connection.execute(_KNOWN, {"of_device": device, "of_epoch": epoch}).scalar() or 0)


def note(
    connection: Connection, kind: str, data: Mapping[str, Any], *, now: float, place: str | None = None,
    match: str | None = None, person: str | None = None,
) -> Entry:  # fmt: skip
    """Append something that the venue itself says or that a person did."""
    text = canonical({"do": kind, **data})
    position, seq = take_numbers(connection, "position", 1), take_numbers(connection, "venue_seq", 1)
    fingerprint = hashlib.sha256(text.encode()).hexdigest()
    row = position, VENUE, _EPOCH, seq, kind, place, match, None, text, fingerprint, None, now, 0, person
    insert(connection, [row])
    entry = Entry(
        position, VENUE, _EPOCH, seq, kind, place, match, None, json.loads(text), None, now, False, person
    )  # fmt: skip
    _note_down(connection, (entry,))
    return entry


def after(connection: Connection, position: int, most: int = 1000) -> list[Entry]:
    """The entries after *position*, at most *most*, in order."""
    rows = connection.execute(
        sa.select(schema.log).where(schema.log.c.position > position).order_by(schema.log.c.position).limit(most)
    )
    return [_entry(row._mapping) for row in rows]


def of_match(connection: Connection, match: str) -> list[Entry]:
    """A match's record as it arrived, by line, without what replaced devices sent late."""
    rows = connection.execute(
        sa.select(schema.log)
        .where((schema.log.c.match == match) & (schema.log.c.line.is_not(None)) & (schema.log.c.device != VENUE))
        .order_by(schema.log.c.line, schema.log.c.position)
    )
    return [_entry(row._mapping) for row in rows if not row.late and row.kind not in TABLE_EVENTS]


def last(connection: Connection) -> int:
    """The position of the newest entry, 0 when there is none."""
    return int(connection.execute(_LAST).scalar_one())


def begin_group(connection: Connection) -> list[Entry]:
    """From here on what this transaction appends is noted down in the list."""
    noted: list[Entry] = []
    connection.info["appended"] = noted
    return noted


def _note_down(connection: Connection, entries: Sequence[Entry]) -> None:
    noted = connection.info.get("appended")
    if noted is not None:
        noted.extend(entries)


def insert(connection: Connection, rows: list[tuple[Any, ...]]) -> None:
    """Rows of the log as :data:`schema.log` has its columns. Said to the driver itself: this is most of the work."""
    connection.exec_driver_sql(driver_text(connection, _INSERT), rows)


def _entry(row: Mapping[Any, Any]) -> Entry:
    return Entry(
        position=row["position"], device=row["device"], epoch=row["epoch"], seq=row["seq"], kind=row["kind"],
        place=row["place"], match=row["match"], line=row["line"],
        event=json.loads(row["event"]), wall=row["wall"],
        received=row["received"], late=bool(row["late"]), person=row["person"],
    )  # fmt: skip


# Statements are made once: what they say never changes, and making one costs more than asking it.
_OURS: Final = (schema.log.c.device == sa.bindparam("of_device")) & (schema.log.c.epoch == sa.bindparam("of_epoch"))
_KNOWN: Final = sa.select(sa.func.max(schema.log.c.seq)).where(_OURS)
_PRINTS: Final = sa.select(schema.log.c.seq, schema.log.c.fingerprint).where(
    _OURS & schema.log.c.seq.between(sa.bindparam("first"), sa.bindparam("last"))
)
_INSERT: Final = f"INSERT INTO log ({', '.join(schema.log.c.keys())}) VALUES ({', '.join('?' * len(schema.log.c))})"
_LAST: Final = sa.select(schema.counters.c.value).where(schema.counters.c.name == "position")
