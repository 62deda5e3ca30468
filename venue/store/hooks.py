"""Addresses that hear of calls and alerts: what they were told, how it went, when to try again."""

from __future__ import annotations

import secrets as random_words
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.sentences import Impossible
from venue.store import schema

MOST: Final = 5
BUSY: Final = 60.0
"""Seconds for which one worker has an address to itself; one that died meanwhile is followed by another."""


@dataclass(frozen=True, slots=True)
class Hook:
    """An address with the secret that signs what it is told. *lan*: it may be in the organiser's own network."""

    id: str
    url: str = field(repr=False)
    secret: str = field(repr=False)
    lan: bool
    made: float
    failures: int
    next_try: float
    last_ok: float | None
    last_error: str | None


def add(connection: Connection, url: str, lan: bool, now: float) -> Hook:
    """Keep *url* with a new secret.

    :raises Impossible: when there are enough.
    """
    if len(everyone(connection)) >= MOST:
        raise Impossible("hooks_enough", most=MOST)
    hook = Hook("h-" + random_words.token_hex(4), url, random_words.token_urlsafe(32), lan, now, 0, 0.0, None, None)
    connection.execute(
        sa.insert(schema.hooks).values(
            id=hook.id, url=url, secret=hook.secret, lan=int(lan), made=now, failures=0, next_try=0.0, busy_until=0.0,
            last_ok=None, last_error=None,
        )
    )  # fmt: skip
    return hook


def everyone(connection: Connection) -> list[Hook]:
    """Every address, oldest first."""
    table = schema.hooks
    return [_hook(row) for row in connection.execute(sa.select(table).order_by(table.c.made, table.c.id))]


def one(connection: Connection, hook: str) -> Hook:
    """:raises Impossible: when there is no such address (any more)."""
    row = connection.execute(sa.select(schema.hooks).where(schema.hooks.c.id == hook)).first()
    if row is None:
        raise Impossible("no_hook")
    return _hook(row)


def _hook(row: sa.Row[tuple[object, ...]]) -> Hook:
    return Hook(
        row.id, row.url, row.secret, bool(row.lan), row.made, row.failures, row.next_try, row.last_ok, row.last_error
    )


def remove(connection: Connection, hook: str) -> None:
    """Forget the address, its secret and what it was told.

    :raises Impossible: when there is none.
    """
    one(connection, hook)
    connection.execute(sa.delete(schema.hook_told).where(schema.hook_told.c.hook == hook))
    connection.execute(sa.delete(schema.hooks).where(schema.hooks.c.id == hook))


def claim(connection: Connection, hook: str, now: float) -> dict[str, str] | None:
    """Take the address for this worker: what it was told, by case; None while it waits or another worker has it."""
    table = schema.hooks
    free = (table.c.id == hook) & (table.c.busy_until <= now) & (table.c.next_try <= now)
    taken = connection.execute(sa.update(table).where(free).values(busy_until=now + BUSY))
    if not taken.rowcount:
        return None
    told = schema.hook_told
    rows = connection.execute(sa.select(told.c.case_id, told.c.mark).where(told.c.hook == hook))
    return {row.case_id: row.mark for row in rows}


def went_well(connection: Connection, hook: str, told: Mapping[str, str], now: float) -> None:
    """The address took *told* (case to mark)."""
    table = schema.hook_told
    for case, mark in told.items():
        which = (table.c.hook == hook) & (table.c.case_id == case)
        if not connection.execute(sa.update(table).where(which).values(mark=mark)).rowcount:
            connection.execute(sa.insert(table).values(hook=hook, case_id=case, mark=mark))
    fine = {"failures": 0, "next_try": 0.0, "busy_until": 0.0, "last_error": None}
    connection.execute(
        sa.update(schema.hooks).where(schema.hooks.c.id == hook).values(**fine | ({"last_ok": now} if told else {}))
    )


def went_wrong(connection: Connection, hook: str, error: str, next_try: float) -> None:
    """The address did not take it; nothing is told to it before *next_try*."""
    table = schema.hooks
    connection.execute(
        sa.update(table)
        .where(table.c.id == hook)
        .values(failures=table.c.failures + 1, next_try=next_try, busy_until=0.0, last_error=error[:120])
    )
