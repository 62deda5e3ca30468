"""The tables' doors: pairing, and the one request that carries events up and directives down."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse, Response

from venue.protocol import VERSION, Batch, Directive, Reply, SyncError
from venue.store import devices, log, secrets
from venue.store.devices import Device
from venue.store.ingest import Sent
from venue.web.guard import Visit
from venue.web.held_back import held_back

MOST_KNOWN = 20_000
LOOK_EVERY = 10.0
"""Seconds between two looks whether a table whose line is held has hung up; it shows as silent only after 25."""


async def pair(visit: Visit) -> Response:
    """``POST /v1/pair {code, name}``: the device's id, its token (told this once), and the match it continues."""
    body = visit.body if isinstance(visit.body, dict) else {}
    if body.get("protocol", VERSION) != VERSION:
        raise SyncError("version", f"this venue speaks version {VERSION}", speaks=[VERSION])
    code, name = visit.text("code", 20), visit.text("name", 60, "table")
    now = visit.venue.now()

    def work(connection: Connection) -> tuple[Device, str]:
        device, token, _ = devices.pair(connection, code.replace(" ", ""), name, now)
        deck = visit.venue.handouts.deck_for(device.place or "")
        if deck is not None and device.place is not None:  # a spare reads with what its table reads with
            devices.direct(connection, device.place, "deck_profile", deck, now, None)
        return device, token

    device, token = await visit.venue.write(work)
    assert device.place is not None
    visit.venue.heard(device.place, device.id, now, {})
    seat = visit.venue.hall.tables.get(device.place)
    goes_on: dict[str, Any] | None = None
    if seat is not None and seat.board is not None and seat.board.match.result is None:
        match = seat.board.id
        lines = await visit.venue.read(lambda connection: log.of_match(connection, match))
        unique = {entry.line or 0: dict(entry.event) for entry in reversed(lines)}
        goes_on = {"match": match, "lines": [unique[line] for line in sorted(unique)]}
    return JSONResponse(
        {
            "protocol": VERSION, "device": device.id, "token": token, "table": device.place, "time": now,
            "continues": goes_on,
        }
    )  # fmt: skip


def token_of(visit: Visit) -> str:
    """The token that this request came with, empty without."""
    scheme, _, token = visit.request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _owner(connection: Connection, token: str) -> Device:
    found = devices.by_token(connection, token) if token else None
    if found is None:
        raise SyncError("unknown_device", "no device has this token: pair again")
    return found


async def speaks(visit: Visit) -> Device:
    """The device whose request this is.

    :raises SyncError: ``unknown_device``.
    """
    return await _who(visit, token_of(visit))


async def _who(visit: Visit, token: str) -> Device:
    return await visit.venue.read(lambda connection: _owner(connection, token))


async def sync(visit: Visit) -> Response:
    """``POST /v1/sync``: store, acknowledge, and answer with directives; held open up to *wait* when there are none."""
    venue, token = visit.venue, token_of(visit)
    hashed = secrets.hashed(token)
    if wait := venue.limits.wait("device", hashed):
        raise SyncError("slow_down", "too many requests", retry_after=round(wait, 2))
    # Only a hint: whose token it is each transaction asks again, for it may have been revoked this very moment.
    device = venue.known_devices.get(hashed) or await _who(visit, token)
    batch = Batch.from_json(visit.body)
    if batch.device != device.id:
        raise SyncError("other_device", "this token belongs to another device")
    now = venue.now()
    rings = venue.told[device.place].rings if device.place is not None else 0

    # What the hall has not heard of will ring the bell; only a table that lost its memory asks for what was answered.
    listening = device.place is None or venue.hall.unanswered(device.place) or batch.cursor > venue.hall.position
    try:
        taken = await venue.take(Sent(hashed, batch, now, listening))
    except SyncError as error:
        venue.known_devices.pop(hashed, None)
        if error.code == "conflict":
            await _alarm(visit, device, batch, error)
        raise
    except SQLAlchemyError as error:
        venue.complain(error, "a batch could not be stored")
        raise SyncError("unavailable", "the venue cannot store at the moment; nothing was taken") from None
    device, told = taken.device, taken.told
    if len(venue.known_devices) < MOST_KNOWN:
        venue.known_devices[hashed] = device
    if device.place is not None and device.lease == "held":
        venue.heard(device.place, device.id, now, dict(batch.status))
        if not told and batch.wait > 0:
            told = await _wait(visit, device.place, Sent(hashed, batch, now, True), rings)
    told = await held_back(venue, device.place, told)
    # Tables that were seated together would speak together for ever: by chance they drift apart.
    pace = round(venue.pace * random.uniform(0.8, 1.0), 2)
    reply = Reply(acked=taken.acked, directives=tuple(told), time=venue.now(), lease=device.lease, pace=pace)
    return JSONResponse(reply.to_json())


async def _wait(visit: Visit, place: str, sent: Sent, rings: int) -> Sequence[Directive]:
    """Hold the line of who *sent* until there is something for *place*, or the wait is over, or the table has hung up.

    *rings* is how often the bell had rung before the log was read: a ring since then is not slept through.
    """
    venue, until = visit.venue, time.monotonic() + sent.batch.wait
    quiet = replace(sent.batch, events=(), acks=())
    bell = venue.told[place]
    while not venue.closing and (left := until - time.monotonic()) > 0:
        rang = await bell.wait(min(left, LOOK_EVERY), rings)
        if await visit.request.is_disconnected():
            return []
        if rang:
            rings = bell.rings
            taken = await venue.take(Sent(sent.token, quiet, venue.now(), True))
            if taken.told:
                return taken.told
        if (seen := venue.seen.get(place)) is not None:
            seen["seen"] = venue.now()  # a held line is a table that is there
    return []


async def _alarm(visit: Visit, device: Device, batch: Batch, error: SyncError) -> None:
    """Somebody must look: two contents under one name. Said once for each name."""
    name = {"alarm": "conflict", "device": device.id, "epoch": batch.epoch, "seq": error.facts.get("seq")}
    if any(all(alarm.get(key) == value for key, value in name.items()) for alarm in visit.venue.hall.alarms):
        return
    now = visit.venue.now()
    await asyncio.shield(
        visit.venue.write(lambda connection: log.note(connection, "alarm", name, now=now, place=device.place))
    )
