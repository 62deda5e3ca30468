"""Addresses outside that hear of calls and alerts, each with the secret that signs what it is told."""

from __future__ import annotations

import secrets as random_words
from dataclasses import dataclass, field
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.sentences import Impossible
from venue.store import schema
from venue.store.telling import HOOKS

MOST: Final = 5


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
    if not HOOKS.forget(connection, [hook]):
        raise Impossible("no_hook")
