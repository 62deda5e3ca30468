"""Names of tables: a range written out, and a table that nobody ever used renamed or taken off the list."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.sentences import Impossible, Unreadable
from venue.store import log, schema

MOST: Final = 500
"""Tables that are added at once."""
LONGEST: Final = 20
_RANGE: Final = re.compile(r"(\D*?)(\d+)\s*[-–—－~～至到]\s*(\d+)")


def fits(name: str) -> bool:
    """Whether a table may be called *name*: it stands in addresses and on small screens."""
    return 0 < len(name) <= LONGEST and "/" not in name and name.isprintable()


def expand(parts: Iterable[str]) -> list[str]:
    """The names that *parts* stand for: ``1-12`` and ``A1-12`` are twelve each, everything else is itself.

    :raises Unreadable: for a range that goes backwards or is longer than :data:`MOST`, and a name that does not fit.
    """
    names: list[str] = []
    for part in (each.strip() for each in parts):
        found = _RANGE.fullmatch(part)
        if found is None:
            names.append(part)
            continue
        head, first, last = found.group(1), int(found.group(2)[:9]), int(found.group(3)[:9])
        if not first <= last < first + MOST:
            raise Unreadable("place_range", range=part[:LONGEST], most=MOST)
        names += [f"{head}{number}" for number in range(first, last + 1)]
    if not 0 < len(names) <= MOST or not all(map(fits, names)):
        raise Unreadable("place_names")
    return list(dict.fromkeys(names))


def _check_unused(connection: Connection, name: str) -> None:
    """:raises Impossible: when there is no table *name*, or a device is or ever was there."""
    row = connection.execute(sa.select(schema.places).where(schema.places.c.name == name)).first()
    if row is None:
        raise Impossible("no_table", place=name)
    devices, entries = schema.devices, schema.log
    known = connection.execute(sa.select(devices.c.id).where(devices.c.place == name).limit(1)).first()
    heard = sa.select(entries.c.position).where((entries.c.place == name) & (entries.c.device != log.VENUE)).limit(1)
    if row.device is not None or known or connection.execute(heard).first():
        raise Impossible("place_used", place=name)


def remove(connection: Connection, name: str, now: float, person: str | None) -> log.Entry:
    """Take the table *name* off the list; codes and messages for it lead nowhere any more. The log keeps it.

    :raises Impossible: when a device is or was there.
    """
    _check_unused(connection, name)
    _forget(connection, name, now)
    return log.note(connection, "place_removed", {}, now=now, place=name, person=person)


def rename(connection: Connection, name: str, to: str, now: float, person: str | None) -> log.Entry:
    """Call the table *name* something else.

    :raises Impossible: when a device is or was there, or another table is called *to*.
    """
    _check_unused(connection, name)
    places = schema.places
    if connection.execute(sa.select(places.c.name).where(places.c.name == to)).first():
        raise Impossible("place_exists", place=to)
    zone = connection.execute(sa.select(places.c.zone).where(places.c.name == name)).scalar_one()
    _forget(connection, name, now)
    connection.execute(sa.insert(places).values(name=to, zone=zone, device=None))
    return log.note(connection, "place_renamed", {"to": to, "zone": zone}, now=now, place=name, person=person)


def _forget(connection: Connection, name: str, now: float) -> None:
    told = schema.directives
    connection.execute(sa.delete(schema.pairing_codes).where(schema.pairing_codes.c.place == name))
    waiting = (told.c.place == name) & (told.c.state == "queued")
    connection.execute(sa.update(told).where(waiting).values(state="withdrawn", changed=now))
    connection.execute(sa.delete(schema.places).where(schema.places.c.name == name))
