"""What receivers outside were told of which case, how it went, and when to try again: the same for every channel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from venue.store import schema

BUSY: Final = 60.0
"""Seconds for which one worker has a receiver to itself; one that died meanwhile is followed by another."""


@dataclass(frozen=True)
class Ledger:
    """The rows of one channel: *receivers*, and what was *told* to which (*whose* is that table's receiver)."""

    receivers: sa.Table
    told: sa.Table
    whose: sa.Column[Any]

    def claim(self, connection: Connection, receiver: str, cases: Sequence[str], now: float) -> dict[str, str] | None:
        """Take the receiver for this worker: of *cases*, what it was told of them; None while it waits or another
        worker has it.
        """
        table, told = self.receivers, self.told
        free = (table.c.id == receiver) & (table.c.busy_until <= now) & (table.c.next_try <= now)
        if not connection.execute(sa.update(table).where(free).values(busy_until=now + BUSY)).rowcount:
            return None
        which = (self.whose == receiver) & told.c.case_id.in_(cases)
        rows = connection.execute(sa.select(told.c.case_id, told.c.mark).where(which))
        return {row.case_id: row.mark for row in rows}

    def went_well(
        self, connection: Connection, receiver: str, told: Mapping[str, str], now: float, rest: float = 0.0
    ) -> None:
        """It took *told* (case to mark), and has *rest* seconds' peace now."""
        table = self.told
        for case, mark in told.items():
            which = (self.whose == receiver) & (table.c.case_id == case)
            if not connection.execute(sa.update(table).where(which).values(mark=mark)).rowcount:
                connection.execute(sa.insert(table).values({self.whose.name: receiver, "case_id": case, "mark": mark}))
        fine: dict[str, Any] = {"failures": 0, "next_try": now + rest, "busy_until": 0.0, "last_error": None}
        if told:
            fine["last_ok"] = now
        connection.execute(sa.update(self.receivers).where(self.receivers.c.id == receiver).values(fine))

    def let_go(self, connection: Connection, receiver: str) -> None:
        """There was nothing to tell it after all."""
        which = self.receivers.c.id == receiver
        connection.execute(sa.update(self.receivers).where(which).values(busy_until=0.0))

    def went_wrong(self, connection: Connection, receiver: str, error: str, next_try: float) -> None:
        """It did not take it; nothing is told to it before *next_try*."""
        table = self.receivers
        failed = {"failures": table.c.failures + 1, "next_try": next_try, "busy_until": 0.0, "last_error": error[:120]}
        connection.execute(sa.update(table).where(table.c.id == receiver).values(failed))

    def forget(self, connection: Connection, receivers: Sequence[str]) -> int:
        """Forget them and what they were told; gives how many there were."""
        connection.execute(sa.delete(self.told).where(self.whose.in_(receivers)))
        return connection.execute(sa.delete(self.receivers).where(self.receivers.c.id.in_(receivers))).rowcount


HOOKS: Final = Ledger(schema.hooks, schema.hook_told, schema.hook_told.c.hook)
PHONES: Final = Ledger(schema.phones, schema.phone_told, schema.phone_told.c.phone)
