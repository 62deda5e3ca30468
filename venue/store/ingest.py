"""What tables send, many requests in one transaction: whose it is, what is new of it, what they are told.

A statement costs more than what it does to one batch, so each is said once for all of them. A request that is refused
leaves no trace and harms no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sqlalchemy import Connection

from venue.protocol import Batch, Directive, SyncError, canonical
from venue.store import devices, log, pictures
from venue.store.database import driver_text
from venue.store.devices import STATUS_EVERY, Device


@dataclass(frozen=True, slots=True)
class Sent:
    """One request of a device, with the hash of its *token*; it came at *now*, venue time.

    *listening*: something may be waiting to be told to its table.
    """

    token: str
    batch: Batch
    now: float
    listening: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of it: whose it was, the seq to acknowledge, what to tell the device."""

    device: Device
    acked: int
    told: Sequence[Directive] = ()


def take(connection: Connection, sent: Sequence[Sent]) -> list[Taken | SyncError]:
    """Store what is new of all that was *sent*; gives, in this order, what is to be answered or why it is refused."""
    # Whose token it is each transaction asks anew: it may have been revoked this very moment.
    speakers = _speakers(connection, [(each.token, each.batch.epoch) for each in sent])
    gathering, found = log.Gathering(connection), list[Taken | SyncError]()
    heard: dict[str, tuple[float, str, str]] = {}
    for each in sent:
        batch = each.batch
        try:
            if (speaker := speakers.get((each.token, batch.epoch))) is None:
                raise SyncError("unknown_device", "no device has this token: pair again")
            device, known = speaker
            if batch.device != device.id:
                raise SyncError("other_device", "this token belongs to another device")
            late = device.lease == "replaced"
            acked = gathering.take(device.id, batch.epoch, batch.events, device.place, each.now, late, known)
        except SyncError as error:
            found.append(error)
            continue
        found.append(Taken(device, acked))
        if not device.status or each.now - (device.seen or 0.0) >= STATUS_EVERY:
            heard[device.id] = each.now, canonical(batch.status), device.id
    pictures.announce(connection, gathering.insert())
    if heard:
        connection.exec_driver_sql(driver_text(connection, _SEEN), list(heard.values()))
    for n, (each, taken) in enumerate(zip(sent, found, strict=True)):
        if isinstance(taken, Taken) and (place := taken.device.place) is not None and taken.device.lease == "held":
            devices.answered(connection, place, each.batch.acks, each.now)
            if each.listening:
                found[n] = Taken(taken.device, taken.acked, _told(connection, place, each))
    return found


def _told(connection: Connection, place: str, sent: Sent) -> list[Directive]:
    cursor = sent.batch.cursor
    if cursor > log.last(connection):  # this venue was restored from a backup
        cursor = 0
    told = devices.pending(connection, place, cursor)
    if told:
        devices.sent(connection, [directive.id for directive in told], sent.now)
    return told


def _speakers(connection: Connection, asked: Sequence[tuple[str, str]]) -> dict[tuple[str, str], tuple[Device, int]]:
    """By hashed token and epoch: whose it is, and the highest seq stored. Wrong and revoked tokens are missing."""
    pairs = list(dict.fromkeys(asked))
    values = tuple(value for pair in pairs for value in pair)
    rows = connection.exec_driver_sql(driver_text(connection, _who(len(pairs))), values)
    return {(row.token, row.epoch): (devices.device_of(row), int(row.known or 0)) for row in rows}


@lru_cache(maxsize=256)
def _who(count: int) -> str:
    return (
        f"WITH asked (token, epoch) AS (VALUES {', '.join(['(?, ?)'] * count)}) "
        "SELECT asked.token, asked.epoch, devices.id, devices.name, devices.place, devices.replaced, devices.seen, "
        "devices.status, (SELECT MAX(log.seq) FROM log WHERE log.device = devices.id AND log.epoch = asked.epoch) "
        "AS known FROM asked JOIN devices ON devices.token = asked.token WHERE devices.revoked IS NULL"
    )


_SEEN: Final = "UPDATE devices SET seen = ?, status = ? WHERE id = ?"
