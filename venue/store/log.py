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
    last_seq: int | None = None,
) -> tuple[tuple[Entry, ...], int]:
    """Append what is new of *events*, a device's batch in seq order; gives the new entries and the seq to acknowledge.

    *last_seq*: what :func:`known` says, where the caller has asked in this transaction.

    :raises SyncError: ``gap`` or ``conflict``; nothing is appended then.
    """
    if last_seq is None:
        last_seq = known(connection, device, epoch)
    prints: dict[int, str] = {}
    if events and events[0].seq <= last_seq:
        between = {"first": events[0].seq, "last": min(events[-1].seq, last_seq)}
        rows = connection.execute(_PRINTS, {"of_device": device, "of_epoch": epoch, **between})
        prints = {row.seq: row.fingerprint for row in rows}
    verdict = judge(events, last_seq, prints.get)
    if not verdict.fresh:
        return (), verdict.acked
    first = take_numbers(connection, "position", len(verdict.fresh))
    rows_ = [
        {
            "position": first + place_in_batch, "device": device, "epoch": epoch, "seq": event.seq, "kind": event.do,
            "place": place, "match": event.match, "line": event.line, "event": event.text,
            "fingerprint": event.fingerprint(), "wall": event.wall, "received": now, "late": int(late), "person": None,
        }
        for place_in_batch, event in enumerate(verdict.fresh)
    ]  # fmt: skip
    connection.execute(_INSERT, rows_)
    entries = tuple(_entry(row, event.event) for row, event in zip(rows_, verdict.fresh, strict=True))
    _note_down(connection, entries)
    return entries, verdict.acked


def known(connection: Connection, device: str, epoch: str) -> int:
    """The highest seq stored of (*device*, *epoch*), 0 when there is none."""
    return int(connection.execute(_KNOWN, {"of_device": device, "of_epoch": epoch}).scalar() or 0)


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
    connection.execute(_INSERT, [row])
    entry = _entry(row)
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


def _entry(row: Mapping[Any, Any], event: Mapping[str, Any] | None = None) -> Entry:
    return Entry(
        position=row["position"], device=row["device"], epoch=row["epoch"], seq=row["seq"], kind=row["kind"],
        place=row["place"], match=row["match"], line=row["line"],
        event=json.loads(row["event"]) if event is None else event, wall=row["wall"],
        received=row["received"], late=bool(row["late"]), person=row["person"],
    )  # fmt: skip


# Statements are made once: what they say never changes, and making one costs more than asking it.
_OURS: Final = (schema.log.c.device == sa.bindparam("of_device")) & (schema.log.c.epoch == sa.bindparam("of_epoch"))
_KNOWN: Final = sa.select(sa.func.max(schema.log.c.seq)).where(_OURS)
_PRINTS: Final = sa.select(schema.log.c.seq, schema.log.c.fingerprint).where(
    _OURS & schema.log.c.seq.between(sa.bindparam("first"), sa.bindparam("last"))
)
_INSERT: Final = sa.insert(schema.log)
_LAST: Final = sa.select(schema.counters.c.value).where(schema.counters.c.name == "position")
