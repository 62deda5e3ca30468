"""The pages' line to the hall: a snapshot, then whole changed objects by server-sent events, with a heartbeat."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.responses import JSONResponse, Response, StreamingResponse

from venue.store import log, people
from venue.web import view
from venue.web.guard import COOKIE, Refusal, Visit

HEARTBEAT: Final = 8.0
"""Seconds between two signs of life; a page that hears nothing for 25 turns red."""
BREATH: Final = 0.15
"""Seconds that changes are gathered: a busy hall sends each page a few messages a second, not hundreds."""


def _position(text: str | None) -> int | None:
    if text is None or text == "":
        return None
    if not text.isdecimal() or len(text) > 18:
        raise Refusal(400, "unreadable", "position_whole")
    return int(text)


async def snapshot(visit: Visit) -> Response:
    """``GET /v1/snapshot``: everything that this person may see, the venue's time, and how the tables' devices fare."""
    await visit.venue.catch_up()
    shown = view.snapshot(visit.venue.hall, visit.someone)
    return JSONResponse(shown | {"time": visit.venue.now(), "presence": _presence(visit)})


async def stream(visit: Visit) -> Response:
    """``GET /v1/stream``: the same as server-sent events; ``Last-Event-ID`` or ``?after=`` resumes, else a snapshot."""
    after = _position(visit.request.headers.get("last-event-id")) or _position(visit.request.query_params.get("after"))
    return StreamingResponse(_events(visit, after), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


async def _events(visit: Visit, after: int | None) -> AsyncIterator[str]:
    venue, person = visit.venue, visit.someone
    word = visit.request.cookies.get(COOKIE, "")
    if after is None or after > venue.hall.position:
        shown = view.snapshot(venue.hall, person)
        yield _message("snapshot", shown | {"time": venue.now()}, shown["position"])
    else:
        shown = view.since(venue.hall, after, person)
        yield _message("change", shown | {"time": venue.now()}, shown["position"])
    position, beat = int(shown["position"]), 0.0
    while not venue.closing:
        if time.monotonic() - beat >= HEARTBEAT:
            beat = time.monotonic()
            if await venue.read(lambda connection: people.by_session(connection, word, venue.now())) is None:
                yield _message("leave", {}, None)  # revoked while the page was open
                return
            yield _message("beat", {"time": venue.now(), "presence": _presence(visit)}, None)
        if venue.hall.position == position:
            await venue.changed.wait(max(0.1, HEARTBEAT - (time.monotonic() - beat)))
            continue
        position, items = venue.written.since(venue.hall, position, person)
        if items:
            text = f'{{"position":{position},"items":[{",".join(items)}],"time":{json.dumps(venue.now())}}}'
            yield _written("change", text, position)
            await asyncio.sleep(BREATH)


def _message(kind: str, data: dict[str, Any], position: int | None) -> str:
    return _written(kind, json.dumps(data, ensure_ascii=False, separators=(",", ":")), position)


def _written(kind: str, text: str, position: int | None) -> str:
    number = f"id: {position}\n" if position is not None else "retry: 1500\n"
    return f"{number}event: {kind}\ndata: {text}\n\n"


def _presence(visit: Visit) -> list[dict[str, Any]]:
    return visit.venue.presence() if visit.someone.role in view.OFFICE | view.REFEREES else []


async def feed(visit: Visit) -> Response:
    """``GET /v1/feed?after=N``: the log itself, for scoreboards and tools of others; staff only, it holds the plays."""
    after = _position(visit.request.query_params.get("after")) or 0
    entries = await visit.venue.read(lambda connection: log.after(connection, after, 500))
    last = entries[-1].position if entries else after
    return JSONResponse({"entries": [entry.to_json() for entry in entries], "after": last})
