"""The tables' doors: pairing, and the one request that carries events up and directives down."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse, Response

from venue.protocol import VERSION, Batch, Directive, Reply, SyncError
from venue.store import devices, log
from venue.store.devices import Device
from venue.web.guard import Visit
from venue.web.house import LOG


async def pair(visit: Visit) -> Response:
    """``POST /v1/pair {code, name}``: the device's id, its token (told this once), and the match it continues."""
    body = visit.body if isinstance(visit.body, dict) else {}
    if body.get("protocol", VERSION) != VERSION:
        raise SyncError("version", f"this venue speaks version {VERSION}", speaks=[VERSION])
    code, name = visit.text("code", 20), visit.text("name", 60, "table")
    now = visit.venue.now()
    device, token, _ = await visit.venue.write(
        lambda connection: devices.pair(connection, code.replace(" ", ""), name, now)
    )
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


async def _device(visit: Visit) -> Device:
    scheme, _, token = visit.request.headers.get("authorization", "").partition(" ")
    found = None
    if scheme.lower() == "bearer" and token:
        found = await visit.venue.read(lambda connection: devices.by_token(connection, token.strip()))
    if found is None:
        raise SyncError("unknown_device", "no device has this token: pair again")
    return found


async def sync(visit: Visit) -> Response:
    """``POST /v1/sync``: store, acknowledge, and answer with directives; held open up to *wait* when there are none."""
    device = await _device(visit)
    if wait := visit.venue.limits.wait("device", device.id):
        raise SyncError("slow_down", "too many requests", retry_after=round(wait, 2))
    batch = Batch.from_json(visit.body)
    if batch.device != device.id:
        raise SyncError("other_device", "this token belongs to another device")
    venue, place = visit.venue, device.place
    now = venue.now()
    status_due = device.seen is None or now - device.seen >= devices.STATUS_EVERY

    def store(connection: Connection) -> tuple[int, list[Directive], bool]:
        late = device.lease == "replaced"
        entries, acked = log.append(connection, device.id, batch.epoch, batch.events, place, now, late)
        if status_due or entries or batch.acks:
            devices.seen(connection, device, batch.status, now)
        if place is None or late:
            return acked, [], bool(entries)
        devices.answered(connection, place, batch.acks, now)
        cursor = batch.cursor if batch.cursor <= log.last(connection) else 0  # this venue was restored from a backup
        told = devices.pending(connection, place, cursor)
        devices.sent(connection, [directive.id for directive in told], now)
        return acked, told, bool(entries)

    try:
        acked, told, _ = await venue.write(store)
    except SyncError as error:
        if error.code == "conflict":
            await _alarm(visit, device, batch, error)
        raise
    except SQLAlchemyError:
        LOG.exception("a batch could not be stored")
        raise SyncError("unavailable", "the venue cannot store at the moment; nothing was taken") from None
    if place is not None and device.lease == "held":
        venue.heard(place, device.id, now, dict(batch.status))
        if not told and batch.wait > 0:
            told = await _wait(visit, place, batch)
    reply = Reply(acked=acked, directives=tuple(told), time=venue.now(), lease=device.lease)
    return JSONResponse(reply.to_json())


async def _wait(visit: Visit, place: str, batch: Batch) -> list[Directive]:
    """Hold the line until there is something for *place*, or the wait is over, or the table has hung up."""
    venue, until = visit.venue, time.monotonic() + batch.wait
    while not venue.closing and (left := until - time.monotonic()) > 0:
        rang = await venue.told[place].wait(min(left, 5.0))
        if await visit.request.is_disconnected():
            return []
        if rang:

            def look(connection: Connection) -> list[Directive]:
                told = devices.pending(connection, place, batch.cursor)
                devices.sent(connection, [directive.id for directive in told], venue.now())
                return told

            if told := await venue.write(look):
                return told
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
