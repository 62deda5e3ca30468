"""Hearing that another worker wrote: PostgreSQL's notifications are hints, and lost ones are made good by looking."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from venue.sentences import Sentence
from venue.store.writer import CHANNEL

LOG = logging.getLogger("guandan.venue")
AGAIN: Final = 3.0
"""Seconds before a line that broke is opened again."""


async def listen(address: str, own: str, heard: Callable[[], None], lang: str = "en") -> None:
    """Call *heard* whenever another writer than *own* has written to the database at *address*, until cancelled.

    *lang* is the terminal's.
    """
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
            LOG.warning("%s", Sentence("no_hints", why=str(error)).in_language(lang))
        await asyncio.sleep(AGAIN)
