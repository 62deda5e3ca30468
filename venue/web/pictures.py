"""Pictures of alerts: tables send them piece by piece, referees look at them, and they go when their time is over."""

from __future__ import annotations

from typing import Any, Final

import anyio.to_thread
from starlette.responses import FileResponse, JSONResponse, Response

from venue.hall.cases import Case
from venue.protocol import SyncError
from venue.store import log, pictures
from venue.web.guard import Refusal, Visit
from venue.web.house import Venue
from venue.web.sync import speaks

UNFINISHED: Final = 7 * 24 * 3600.0
"""Seconds after which the pictures of a match that never came to its end go all the same."""


async def take(visit: Visit) -> Response:
    """``POST /v1/evidence/{name}?offset=N``: a piece of a picture that the table announced; an empty one asks.

    The answer's ``have`` says from where to go on; ``whole`` that nothing is missing.
    """
    venue, name, now = visit.venue, visit.request.path_params["name"], visit.venue.now()
    device = await speaks(visit)
    text = visit.request.query_params.get("offset", "0")
    if not text.isdecimal() or len(text) > 12:
        raise SyncError("unreadable", "'offset' is a whole number")
    row = await venue.read(lambda connection: pictures.known(connection, name))
    if row is None or row.device != device.id or row.gone is not None:
        raise SyncError("unreadable", "this table announced no such picture, or it was deleted")
    offset, piece = int(text), bytes(visit.body)
    if not piece or row.done is not None or offset != row.have:
        return JSONResponse({"have": row.have, "whole": row.done is not None})
    if offset + len(piece) > row.size:
        raise SyncError("too_large", f"this picture was announced with {row.size} bytes")
    have, whole = await anyio.to_thread.run_sync(lambda: venue.shelf.put(name, row.size, offset, piece))

    def work(connection: Any) -> None:
        pictures.received(connection, name, have, whole, now)
        if whole:
            told = {"sha256": name, "alert": row.alert}
            log.note(connection, "evidence_here", told, now=now, place=row.place, match=row.match)

    await venue.write(work)
    return JSONResponse({"have": have, "whole": whole})


def _case_of(visit: Visit, row: Any) -> Case | None:
    cases = visit.venue.hall.cases.values()
    return next((case for case in cases if row.alert in case.alerts and case.match == row.match), None)


async def look(visit: Visit) -> Response:
    """``GET /v1/evidence/{name}``: the picture or clip itself, for the referees of its zone."""
    name, someone = visit.request.path_params["name"], visit.someone
    row = await visit.venue.read(lambda connection: pictures.known(connection, name))
    if row is None or row.done is None or row.gone is not None:
        raise Refusal(404, "no_picture", "no_picture")
    seat, case = visit.venue.hall.tables.get(row.place or ""), _case_of(visit, row)
    at_it = case is not None and any(taker["person"] == someone.id for taker in case.taken)
    if someone.role != "chief" and not at_it and not someone.sees(seat.zone if seat else None):
        raise Refusal(403, "other_zone", "other_zone")
    return FileResponse(visit.venue.shelf.path(name), media_type=row.type, headers={"cache-control": "no-store"})


def overdue(venue: Venue, rows: list[Any], now: float) -> list[Any]:
    """The files whose time is over: the ruleset's hours after the result, unless somebody ruled on their alert."""
    hall = venue.hall
    ruled = {
        (case.match, alert) for case in hall.cases.values() if case.ruling is not None for alert in case.alerts
    }  # fmt: skip
    found = []
    for row in rows:
        if (row.match, row.alert) in ruled:
            continue
        board = hall.boards.get(row.match or "")
        if board is None or board.final is None:
            if now - row.made > UNFINISHED:
                found.append(row)
        elif now - board.final >= board.match.ruleset.clip_hours * 3600.0:
            found.append(row)
    return found


async def sweep(venue: Venue) -> int:
    """Delete what is overdue; how many files that were."""
    now = venue.now()
    rows = overdue(venue, await venue.read(pictures.still_here), now)
    if not rows:
        return 0

    def files() -> None:
        for row in rows:
            venue.shelf.remove(row.sha256)

    def work(connection: Any) -> None:
        pictures.gone(connection, [row.sha256 for row in rows], now)
        for row in rows:
            told = {"sha256": row.sha256, "alert": row.alert}
            log.note(connection, "evidence_gone", told, now=now, place=row.place, match=row.match)

    await anyio.to_thread.run_sync(files)  # the files first: what is said to be gone must be gone
    await venue.write(work)
    return len(rows)
