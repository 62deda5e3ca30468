"""What pages show of an event: written once for everybody who may see the same of it, packed once, and off the loop.

A result makes every screen and phone of the hall ask anew; of five hundred pairs the answer is a megabyte.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import Final

import anyio.to_thread
from starlette.responses import Response

from venue.desk.competition import Competition
from venue.desk.views import view
from venue.hall import Hall

SMALL: Final = 2000
"""Bytes that are not worth packing."""
TRIES: Final = 3


@dataclass(frozen=True)
class Written:
    """An event as JSON, as it was at *version*; *packed* with gzip where that is worth it."""

    version: int
    plain: bytes
    packed: bytes | None

    def response(self, accepts: str) -> Response:
        """For somebody whose browser *accepts* these encodings."""
        if self.packed is None or "gzip" not in accepts:
            return Response(self.plain, media_type="application/json", headers={"vary": "accept-encoding"})
        headers = {"vary": "accept-encoding", "content-encoding": "gzip"}
        return Response(self.packed, media_type="application/json", headers=headers)


class Shown:
    """The events of *hall* as they were written last."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._known: dict[tuple[str, bool, bool], Written] = {}
        self._turns: defaultdict[tuple[str, bool, bool], asyncio.Lock] = defaultdict(asyncio.Lock)

    async def of(self, event: Competition, *, hidden: bool, staff: bool) -> Written:
        """*event* as :func:`venue.desk.views.view` shows it now."""
        key = event.id, hidden, staff
        async with self._turns[key]:  # who asks while it is written is answered with the same
            for _ in range(TRIES):
                version = self._version(event)
                known = self._known.get(key)
                if known is not None and known.version == version:
                    return known
                try:
                    made = await anyio.to_thread.run_sync(partial(_write, event, version, hidden, staff))
                except Exception:
                    if self._version(event) == version:
                        raise  # nothing changed under its hands: the fault is its own
                    continue
                if self._version(event) == version:
                    self._known[key] = made
                    return made
            # it changes faster than it is written; on the loop nothing changes meanwhile
            made = self._known[key] = _write(event, self._version(event), hidden, staff)
            return made

    def _version(self, event: Competition) -> int:
        return self._hall.touched(("desk", event.id))


def _write(event: Competition, version: int, hidden: bool, staff: bool) -> Written:
    told = view(event, hidden=hidden, staff=staff)
    plain = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
    return Written(version, plain, gzip.compress(plain, 5, mtime=0) if len(plain) > SMALL else None)
