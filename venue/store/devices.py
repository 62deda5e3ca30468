"""Devices: paired with a code that works once, known by a hashed token, one voice a table; and what they are told."""

from __future__ import annotations

import json
import secrets as random_words
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.protocol import DIRECTIVE_STATES, Acknowledgement, Directive, SyncError, canonical, check_directive, step
from venue.sentences import Impossible
from venue.store import log, schema, secrets

CODE_LIVES: Final = 300.0
"""Seconds that a pairing code works."""
STATUS_EVERY: Final = 5.0
"""Seconds between two writes of a device's health when it has nothing else to say."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device as its token finds it. *lease* is a word of ``venue.protocol.LEASES``."""

    id: str
    name: str
    place: str | None
    lease: str
    seen: float | None
    status: Mapping[str, Any]


def add_place(connection: Connection, name: str, zone: str, now: float, person: str | None) -> log.Entry:
    """A table of the hall, in *zone*; adding it again moves it to that zone."""
    places = schema.places
    if connection.execute(sa.select(places.c.name).where(places.c.name == name)).first():
        connection.execute(sa.update(places).where(places.c.name == name).values(zone=zone))
    else:
        connection.execute(sa.insert(places).values(name=name, zone=zone, device=None))
    return log.note(connection, "place", {"zone": zone}, now=now, place=name, person=person)


def new_code(connection: Connection, place: str, now: float, person: str | None) -> tuple[str, Device | None]:
    """A pairing code for *place*, and the device that would lose the table by it, None when it is free.

    :raises Impossible: when there is no such table.
    """
    row = connection.execute(sa.select(schema.places).where(schema.places.c.name == place)).first()
    if row is None:
        raise Impossible("no_table", place=place)
    codes = schema.pairing_codes
    connection.execute(sa.delete(codes).where((codes.c.place == place) & codes.c.used.is_(None)))
    code = _unused_code(connection)
    connection.execute(
        sa.insert(codes).values(
            code=secrets.hashed(code), place=place, expires=now + CODE_LIVES, used=None, person=person
        )
    )
    log.note(connection, "pairing_code", {}, now=now, place=place, person=person)
    return code, by_id(connection, row.device) if row.device else None


def _unused_code(connection: Connection) -> str:
    """Digits that no table was ever given: in a hall of thousands two draws will be the same one day."""
    while True:
        code = secrets.digits()
        if not connection.execute(_CODE, {"hashed": secrets.hashed(code)}).first():
            return code


def pair(connection: Connection, code: str, name: str, now: float) -> tuple[Device, str, list[log.Entry]]:
    """Spend *code*: a new device with its token, which is told once; the table's device until now is replaced.

    :raises SyncError: ``bad_code``.
    """
    codes = schema.pairing_codes
    spent = connection.execute(
        sa.update(codes)
        .where((codes.c.code == secrets.hashed(code)) & codes.c.used.is_(None) & (codes.c.expires > now))
        .values(used=now)
        .returning(codes.c.place, codes.c.person)
    ).first()
    if spent is None:
        raise SyncError("bad_code", "this code is wrong, used or older than five minutes: ask for a new one")
    device, token = "d-" + random_words.token_hex(6), secrets.token()
    before = connection.execute(sa.select(schema.places.c.device).where(schema.places.c.name == spent.place)).scalar()
    entries = []
    if before is not None:
        old = schema.devices
        connection.execute(sa.update(old).where((old.c.id == before) & old.c.replaced.is_(None)).values(replaced=now))
        status = by_id(connection, before).status
        entries.append(
            log.note(
                connection, "device_replaced", {"device": before, "unsent": status.get("unsent")}, now=now,
                place=spent.place, person=spent.person,
            )
        )  # fmt: skip
    connection.execute(
        sa.insert(schema.devices).values(
            id=device, name=name, place=spent.place, token=secrets.hashed(token), paired=now, revoked=None,
            replaced=None, seen=now, status="{}",
        )
    )  # fmt: skip
    connection.execute(sa.update(schema.places).where(schema.places.c.name == spent.place).values(device=device))
    told = {"device": device, "name": name}
    entries.append(log.note(connection, "device_paired", told, now=now, place=spent.place, person=spent.person))
    return Device(device, name, spent.place, "held", now, {}), token, entries


def by_token(connection: Connection, token: str) -> Device | None:
    """The device that owns *token*, None for a wrong or a revoked one."""
    row = connection.execute(_BY_TOKEN, {"hashed": secrets.hashed(token)}).first()
    return device_of(row) if row else None


def by_id(connection: Connection, device: str) -> Device:
    row = connection.execute(sa.select(schema.devices).where(schema.devices.c.id == device)).first()
    if row is None:
        raise Impossible("no_device", device=device)
    return device_of(row)


def everyone(connection: Connection) -> list[Device]:
    """All devices that may still speak."""
    rows = connection.execute(sa.select(schema.devices).where(schema.devices.c.revoked.is_(None)))
    return [device_of(row) for row in rows]


def device_of(row: Any) -> Device:
    """The device that *row* of its table is."""
    lease = "none" if row.place is None else "replaced" if row.replaced is not None else "held"
    return Device(row.id, row.name, row.place, lease, row.seen, json.loads(row.status))


def revoke(connection: Connection, device: str, now: float, person: str | None) -> log.Entry:
    """*device*'s token opens nothing any more, and its table is free."""
    found = by_id(connection, device)
    connection.execute(sa.update(schema.devices).where(schema.devices.c.id == device).values(revoked=now))
    connection.execute(sa.update(schema.places).where(schema.places.c.device == device).values(device=None))
    return log.note(connection, "device_revoked", {"device": device}, now=now, place=found.place, person=person)


# --- directives ---------------------------------------------------------------------------------------------------


def direct(
    connection: Connection, place: str, kind: str, data: Mapping[str, Any], now: float, person: str | None
) -> log.Entry:
    """Tell the table *place* something; its id is the entry's position.

    :raises SyncError: for a directive that no table could carry out.
    """
    check_directive(kind, data)
    told = {"directive": kind, "data": dict(data)}
    entry = log.note(connection, "directive", told, now=now, place=place, match=data.get("match"), person=person)
    connection.execute(
        sa.insert(schema.directives).values(
            id=entry.position, place=place, kind=kind, data=canonical(dict(data)), state="queued", why=None, made=now,
            changed=now,
        )
    )  # fmt: skip
    return entry


def pending(connection: Connection, place: str, cursor: int) -> list[Directive]:
    """What *place* has not answered yet, after *cursor*, oldest first."""
    rows = connection.execute(_PENDING, {"at": place, "behind": cursor})
    return [Directive(id=row.id, do=row.kind, data=json.loads(row.data)) for row in rows]


def sent(connection: Connection, ids: Sequence[int], now: float) -> None:
    """These directives are on their way for the first time."""
    told = schema.directives
    queued = told.c.id.in_(ids) & (told.c.state == "queued")
    connection.execute(sa.update(told).where(queued).values(state="sent", changed=now))


def answered(connection: Connection, place: str, acks: Iterable[Acknowledgement], now: float) -> list[log.Entry]:
    """Take a table's answers; those that change nothing (repeats, another table's) are let go by."""
    entries = []
    told = schema.directives
    for ack in acks:
        row = connection.execute(sa.select(told).where((told.c.id == ack.id) & (told.c.place == place))).first()
        state = step(DIRECTIVE_STATES, row.state, ack.state) if row else None
        if row is None or state is None or state == row.state:
            continue
        connection.execute(sa.update(told).where(told.c.id == ack.id).values(state=state, why=ack.why, changed=now))
        said = {"id": ack.id, "state": state, "why": ack.why}
        entries.append(log.note(connection, "directive_answered", said, now=now, place=place))
    return entries


# Statements that are asked often are made once.
_CODE: Final = sa.select(schema.pairing_codes.c.code).where(schema.pairing_codes.c.code == sa.bindparam("hashed"))
_BY_TOKEN: Final = sa.select(schema.devices).where(
    (schema.devices.c.token == sa.bindparam("hashed")) & schema.devices.c.revoked.is_(None)
)
_STILL: Final = schema.directives.c.state.in_([state for state, ways in DIRECTIVE_STATES.items() if ways])
_PENDING: Final = (
    sa.select(schema.directives)
    .where(
        (schema.directives.c.place == sa.bindparam("at")) & (schema.directives.c.id > sa.bindparam("behind")) & _STILL
    )
    .order_by(schema.directives.c.id)
    .limit(500)
)
