"""Hearing that another worker wrote: PostgreSQL's notifications are hints, and lost ones are made good by looking."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from venue.store.writer import CHANNEL

LOG = logging.getLogger("guandan.venue")
AGAIN: Final = 3.0
"""Seconds before a line that broke is opened again."""


async def listen(address: str, own: str, heard: Callable[[], None]) -> None:
    """Call *heard* whenever another writer than *own* has written to the database at *address*, until cancelled."""
    import psycopg

    while True:
        try:
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                heard()  # whatever was written before the line stood
                async for hint in connection.notifies():
                    if hint.payload != own:
                        heard()
        except (psycopg.Error, OSError) as error:
            LOG.warning("no hints from the database (%s): looking every second instead", error)
        await asyncio.sleep(AGAIN)
