"""Web push: the venue's key for it, whether it is on, and the referees' phones that asked to be told."""

from __future__ import annotations

import json
import secrets as random_words
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.sentences import Impossible
from venue.store import schema, secrets
from venue.store.people import Person
from venue.store.telling import PHONES

MOST: Final = 300
"""Phones at one venue, and of one person."""
MOST_OF_ONE: Final = 4
ROLES: Final = ("chief", "referee")


@dataclass(frozen=True, slots=True)
class Switch:
    """The venue's signing key, whom a push service may write to, and since when push is on (None: it is off).

    *lan*: a push service may be in the organiser's own network.
    """

    private: str = field(repr=False)
    contact: str
    lan: bool
    since: float | None


@dataclass(frozen=True, slots=True)
class Phone:
    """A browser that asked to be told: where, sealed with which keys, in which language, and for whom."""

    id: str
    endpoint: str = field(repr=False)
    public: str = field(repr=False)
    auth: str = field(repr=False)
    lang: str
    person: Person
    made: float
    failures: int
    next_try: float
    last_ok: float | None
    last_error: str | None
    switch: Switch


def switch(connection: Connection) -> Switch | None:
    """How it stands; None where it was never turned on."""
    row = connection.execute(sa.select(schema.push)).first()
    return Switch(row.private, row.contact, bool(row.lan), row.since) if row is not None else None


def turn_on(connection: Connection, contact: str, lan: bool, now: float, new_key: Callable[[], str]) -> Switch:
    """Turn it on; the first time with a key of its own, which stays: browsers subscribe to that key."""
    table, told = schema.push, {"contact": contact, "lan": int(lan), "since": now}
    if not connection.execute(sa.update(table).values(told)).rowcount:
        connection.execute(sa.insert(table).values({"id": 1, "private": new_key(), **told}))
    now_on = switch(connection)
    assert now_on is not None
    return now_on


def turn_off(connection: Connection) -> None:
    """Turn it off and forget every phone."""
    connection.execute(sa.update(schema.push).values(since=None))
    PHONES.forget(connection, [row.id for row in connection.execute(sa.select(schema.phones.c.id))])


def subscribe(connection: Connection, word: str, endpoint: str, public: str, auth: str, lang: str, now: float) -> str:
    """Keep a phone for whoever's session *word* is; one that is known is told in the name of this session from now on.

    :raises Impossible: when push is off, or there are enough phones.
    """
    now_on = switch(connection)
    if now_on is None or now_on.since is None:
        raise Impossible("push_off")
    sweep(connection, now)
    table, session = schema.phones, secrets.hashed(word)
    told = {"public": public, "auth": auth, "lang": lang, "session": session, "failures": 0, "next_try": 0.0}
    known = connection.execute(sa.select(table.c.id).where(table.c.endpoint == endpoint)).scalar()
    if known is not None:
        connection.execute(sa.update(table).where(table.c.id == known).values(told))
        return str(known)
    whose = connection.execute(sa.select(schema.sessions.c.person).where(schema.sessions.c.token == session)).scalar()
    phones = everyone(connection, now)
    if len(phones) >= MOST or sum(phone.person.id == whose for phone in phones) >= MOST_OF_ONE:
        raise Impossible("push_enough", most=MOST_OF_ONE)
    name = "w-" + random_words.token_hex(5)
    fresh = {"id": name, "endpoint": endpoint, "made": now, "busy_until": 0.0, "last_ok": None, "last_error": None}
    connection.execute(sa.insert(table).values({**fresh, **told}))
    return name


def unsubscribe(connection: Connection, person: str, endpoint: str, now: float) -> int:
    """Forget the phone of *person* at *endpoint*; gives how many that were."""
    mine = [phone.id for phone in everyone(connection, now) if phone.person.id == person and phone.endpoint == endpoint]
    return PHONES.forget(connection, mine) if mine else 0


def everyone(connection: Connection, now: float) -> list[Phone]:
    """Every phone whose owner is still in and still a referee; none while push is off."""
    now_on = switch(connection)
    if now_on is None or now_on.since is None:
        return []
    rows = connection.execute(_WITH_OWNERS.where(_still_in(now)).order_by(schema.phones.c.made, schema.phones.c.id))
    return [_phone(row, now_on) for row in rows]


def sweep(connection: Connection, now: float) -> int:
    """Forget the phones of those whose session is over; gives how many that were."""
    still = sa.select(schema.phones.c.id).select_from(_JOINED).where(_still_in(now))
    rows = connection.execute(sa.select(schema.phones.c.id).where(schema.phones.c.id.not_in(still)))
    gone = [row.id for row in rows]
    return PHONES.forget(connection, gone) if gone else 0


_JOINED: Final = schema.phones.join(schema.sessions, schema.sessions.c.token == schema.phones.c.session).join(
    schema.people, schema.people.c.id == schema.sessions.c.person
)
_WITH_OWNERS: Final = sa.select(
    schema.phones, schema.people.c.id.label("person"), schema.people.c.name, schema.people.c.role,
    schema.people.c.zones,
).select_from(_JOINED)  # fmt: skip


def _still_in(now: float) -> sa.ColumnElement[bool]:
    sessions, people = schema.sessions, schema.people
    works = (sessions.c.expires > now) & sessions.c.revoked.is_(None) & people.c.revoked.is_(None)
    return works & people.c.role.in_(ROLES)


def _phone(row: sa.Row[Any], now_on: Switch) -> Phone:
    owner = Person(row.person, row.name, row.role, tuple(json.loads(row.zones)), "")
    return Phone(
        row.id, row.endpoint, row.public, row.auth, row.lang, owner, row.made, row.failures, row.next_try, row.last_ok,
        row.last_error, now_on,
    )  # fmt: skip
