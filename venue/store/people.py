"""People: invited by a link that works once, known by a session; what each may do is their role. And the audit."""

from __future__ import annotations

import json
import secrets as random_words
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.protocol import canonical
from venue.sentences import Impossible
from venue.store import schema, secrets
from venue.store.database import take_numbers

ROLES: Final = ("chief", "referee", "desk", "announcer", "spectator")
INVITATION_LIVES: Final = 24 * 3600.0
FIRST_LIVES: Final = 3600.0
"""Seconds that the link of the first start works."""
SESSION_LIVES: Final = 18 * 3600.0
"""Seconds: a long day at the hall, and not a second one."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a session. *zones* empty means every zone; *csrf* must come back with everything that changes."""

    id: str
    name: str
    role: str
    zones: tuple[str, ...]
    csrf: str

    def sees(self, zone: str | None) -> bool:
        """Whether a table of *zone* is this person's to look after."""
        return not self.zones or zone is None or zone in self.zones


def invite(
    connection: Connection, role: str, name: str, zones: Sequence[str], now: float, *, lives: float = INVITATION_LIVES,
    many: bool = False, person: str | None = None,
) -> str:  # fmt: skip
    """The word of a link that makes its opener *role*. Only spectators' links may open *many* times.

    :raises Impossible: for a role that does not exist, or *many* for another role.
    """
    if role not in ROLES:
        raise Impossible("no_role", role=role, roles=ROLES)
    if many and role != "spectator":
        raise Impossible("many_spectators")
    code = secrets.letters() if many else secrets.token()
    connection.execute(
        sa.insert(schema.invitations).values(
            code=secrets.hashed(code), name=name, role=role, zones=canonical(list(zones)), expires=now + lives,
            many=int(many), used=None, person=person,
        )
    )  # fmt: skip
    return code


def accept(connection: Connection, code: str, name: str | None, now: float) -> tuple[Person, str] | None:
    """Spend an invitation: who one is now, and the session's word; None when it does not open (any more)."""
    table = schema.invitations
    works = (table.c.code == secrets.hashed(code)) & (table.c.expires > now)
    works &= (table.c.used.is_(None)) | (table.c.many == 1)
    row = connection.execute(
        sa.update(table).where(works).values(used=now).returning(table.c.name, table.c.role, table.c.zones)
    ).first()
    if row is None:
        return None
    person = Person(
        "p-" + random_words.token_hex(5), (name or row.name)[:40], row.role, tuple(json.loads(row.zones)),
        random_words.token_urlsafe(18),
    )  # fmt: skip
    connection.execute(
        sa.insert(schema.people).values(
            id=person.id,
            name=person.name,
            role=person.role,
            zones=canonical(list(person.zones)),
            made=now,
            revoked=None,
        )
    )
    word = secrets.token()
    connection.execute(
        sa.insert(schema.sessions).values(
            token=secrets.hashed(word), person=person.id, csrf=person.csrf, made=now, expires=now + SESSION_LIVES,
            revoked=None,
        )
    )  # fmt: skip
    return person, word


def by_session(connection: Connection, word: str, now: float) -> Person | None:
    """Whose session *word* is, None for none, an old or a revoked one."""
    sessions, people = schema.sessions, schema.people
    row = connection.execute(
        sa.select(people, sessions.c.csrf)
        .join(sessions, sessions.c.person == people.c.id)
        .where(
            (sessions.c.token == secrets.hashed(word)) & (sessions.c.expires > now)
            & sessions.c.revoked.is_(None) & people.c.revoked.is_(None)
        )
    ).first()  # fmt: skip
    return Person(row.id, row.name, row.role, tuple(json.loads(row.zones)), row.csrf) if row else None


def leave(connection: Connection, word: str, now: float) -> None:
    """End the session *word*."""
    table = schema.sessions
    connection.execute(sa.update(table).where(table.c.token == secrets.hashed(word)).values(revoked=now))


def revoke(connection: Connection, person: str, now: float) -> None:
    """End every session of *person*.

    :raises Impossible: when there is nobody of that id.
    """
    table = schema.people
    if not connection.execute(sa.update(table).where(table.c.id == person).values(revoked=now)).rowcount:
        raise Impossible("nobody_named", person=person)


def anybody(connection: Connection, role: str) -> bool:
    """Whether somebody has *role*."""
    table = schema.people
    found = sa.select(table.c.id).where((table.c.role == role) & table.c.revoked.is_(None))
    return connection.execute(found).first() is not None


def everyone(connection: Connection) -> list[dict[str, Any]]:
    """Those who may still come in, newest first; spectators are counted elsewhere."""
    table = schema.people
    still = table.c.revoked.is_(None) & (table.c.role != "spectator")
    rows = connection.execute(sa.select(table).where(still).order_by(table.c.made.desc()).limit(500))
    return [{"id": row.id, "name": row.name, "role": row.role, "zones": json.loads(row.zones)} for row in rows]


def record(
    connection: Connection, person: Person | None, address: str, action: str, outcome: int, detail: str, now: float
) -> None:
    """Write one line of the audit. *detail* must hold nothing that opens a door."""
    connection.execute(
        sa.insert(schema.audit).values(
            id=take_numbers(connection, "audit", 1), at=now, person=person.id if person else None,
            role=person.role if person else None, address=address[:60], action=action, outcome=outcome,
            detail=detail[:500],
        )
    )  # fmt: skip


def audit(connection: Connection, before: int | None = None, most: int = 200) -> list[dict[str, Any]]:
    """Lines of the audit with names, newest first."""
    table, people = schema.audit, schema.people
    query = sa.select(table, people.c.name).join(people, people.c.id == table.c.person, isouter=True)
    if before is not None:
        query = query.where(table.c.id < before)
    return [dict(row._mapping) for row in connection.execute(query.order_by(table.c.id.desc()).limit(most))]
