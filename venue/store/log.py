"""The log: what tables sent and what the venue said, in one order, appended and never changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.protocol import TABLE_EVENTS, SyncEvent, canonical, judge
from venue.store import schema
from venue.store.database import take_numbers

VENUE: Final = "venue"
_EPOCH: Final = "1"


@dataclass(frozen=True, slots=True)
class Entry:
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
        return {name: getattr(self, name) for name in self.__slots__} | {"event": dict(self.event)}


def append(
    connection: Connection,
    device: str,
    epoch: str,
    events: Sequence[SyncEvent],
    place: str | None,
    now: float,
    late: bool,
) -> tuple[tuple[Entry, ...], int]:
    """Append what is new of *events*, a device's batch in seq order; gives the new entries and the seq to acknowledge.

    :raises SyncError: ``gap`` or ``conflict``; nothing is appended then.
    """
    if connection.dialect.name == "postgresql":  # a device's repeat on another worker waits here for the first
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(f"{device}/{epoch}"))))
    ours = (schema.log.c.device == device) & (schema.log.c.epoch == epoch)
    last_seq = known(connection, device, epoch)
    prints: dict[int, str] = {}
    if events and events[0].seq <= last_seq:
        between = schema.log.c.seq.between(events[0].seq, min(events[-1].seq, last_seq))
        rows = connection.execute(sa.select(schema.log.c.seq, schema.log.c.fingerprint).where(ours & between))
        prints = {row.seq: row.fingerprint for row in rows}
    verdict = judge(events, last_seq, prints.get)
    if not verdict.fresh:
        return (), verdict.acked
    first = take_numbers(connection, "position", len(verdict.fresh))
    rows_ = [
        {
            "position": first + place_in_batch, "device": device, "epoch": epoch, "seq": event.seq, "kind": event.do,
            "place": place, "match": event.match, "line": event.line, "event": canonical(event.event),
            "fingerprint": event.fingerprint(), "wall": event.wall, "received": now, "late": int(late), "person": None,
        }
        for place_in_batch, event in enumerate(verdict.fresh)
    ]  # fmt: skip
    connection.execute(sa.insert(schema.log), rows_)
    return tuple(_entry(row) for row in rows_), verdict.acked


def known(connection: Connection, device: str, epoch: str) -> int:
    """The highest seq stored of (*device*, *epoch*), 0 when there is none."""
    ours = (schema.log.c.device == device) & (schema.log.c.epoch == epoch)
    return int(connection.execute(sa.select(sa.func.max(schema.log.c.seq)).where(ours)).scalar() or 0)


def note(
    connection: Connection, kind: str, data: Mapping[str, Any], *, now: float, place: str | None = None,
    match: str | None = None, person: str | None = None,
) -> Entry:  # fmt: skip
    """Append something that the venue itself says or that a person did."""
    text = canonical({"do": kind, **data})
    row = {
        "position": take_numbers(connection, "position", 1), "device": VENUE, "epoch": _EPOCH,
        "seq": take_numbers(connection, "venue_seq", 1), "kind": kind, "place": place, "match": match, "line": None,
        "event": text, "fingerprint": hashlib.sha256(text.encode()).hexdigest(), "wall": None, "received": now,
        "late": 0, "person": person,
    }  # fmt: skip
    connection.execute(sa.insert(schema.log), [row])
    return _entry(row)


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
    counter = schema.counters
    return int(connection.execute(sa.select(counter.c.value).where(counter.c.name == "position")).scalar_one())


def _entry(row: Mapping[Any, Any]) -> Entry:
    return Entry(
        position=row["position"], device=row["device"], epoch=row["epoch"], seq=row["seq"], kind=row["kind"],
        place=row["place"], match=row["match"], line=row["line"], event=json.loads(row["event"]), wall=row["wall"],
        received=row["received"], late=bool(row["late"]), person=row["person"],
    )  # fmt: skip
