"""The office's doors: tables and their devices, clocks, announcements, people and the audit."""

from __future__ import annotations

from typing import Any, Final

import anyio.to_thread
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from venue.addresses import for_others
from venue.desk.competition import Competition
from venue.sentences import Impossible
from venue.store import devices, log, people, places
from venue.web import timing
from venue.web.guard import COOKIE, Refusal, Visit

CLOCK_ACTIONS: Final = ("start", "stop", "resume", "extra", "clear")


async def enter(visit: Visit) -> Response:
    """``POST /v1/enter {code, name}``: spend an invitation; the session goes into a cookie that no script can read."""
    code, name = visit.text("code", 80).replace(" ", ""), visit.text("name", 40, "")
    now, venue = visit.venue.now(), visit.venue

    def work(connection: Connection) -> tuple[people.Person, str] | None:
        accepted = people.accept(connection, code, name, now) or people.accept(connection, code.upper(), name, now)
        if accepted is not None and accepted[0].role != "spectator":
            person = accepted[0]
            said = {"person": person.id, "name": person.name, "role": person.role}
            log.note(connection, "person", said, now=now, person=person.id)
        return accepted

    accepted = await venue.write(work)
    if accepted is None:
        raise Refusal(403, "bad_code", "bad_code")
    person, word = accepted
    response = JSONResponse({"role": person.role, "name": person.name})
    secure = visit.request.url.scheme == "https"
    response.set_cookie(
        COOKIE, word, max_age=int(people.SESSION_LIVES), httponly=True, samesite="lax", secure=secure, path="/"
    )
    return response


async def leave(visit: Visit) -> Response:
    """``POST /v1/leave``: end this session."""
    word, now = visit.request.cookies.get(COOKIE, ""), visit.venue.now()
    await visit.venue.write(lambda connection: people.leave(connection, word, now))
    response = JSONResponse({})
    response.delete_cookie(COOKIE, path="/")
    return response


async def everyone(visit: Visit) -> Response:
    """``GET /v1/people``: who may come in."""
    return JSONResponse({"people": await visit.venue.read(people.everyone)})


async def invite(visit: Visit) -> Response:
    """``POST /v1/people {role, name, zones}``: a link for one person; for spectators a code for all."""
    role, name, now = visit.text("role", 20), visit.text("name", 40, ""), visit.venue.now()
    zones = visit.body.get("zones") or []
    if not isinstance(zones, list) or not all(isinstance(zone, str) and 0 < len(zone) <= 20 for zone in zones):
        raise Refusal(400, "unreadable", "zones_list")
    if visit.someone.role != "chief" and role in ("chief", "referee"):
        raise Refusal(403, "chief_only", "chief_invites")
    many, by = role == "spectator", visit.someone.id
    code = await visit.venue.write(
        lambda connection: people.invite(connection, role, name, zones[:20], now, many=many, person=by)
    )
    url = visit.request.url
    root = await anyio.to_thread.run_sync(for_others, f"{url.scheme}://{url.netloc}")
    told = {"code": code, "path": f"/enter#{code}", "root": root, "hours": people.INVITATION_LIVES / 3600}
    return JSONResponse(told)


async def revoke_person(visit: Visit) -> Response:
    """``POST /v1/people/{person}/revoke``: every session of theirs ends now."""
    person, now = visit.request.path_params["person"], visit.venue.now()
    if person == visit.someone.id:
        raise Refusal(409, "yourself", "not_yourself")
    await visit.venue.write(lambda connection: people.revoke(connection, person, now))
    return JSONResponse({})


async def audit(visit: Visit) -> Response:
    """``GET /v1/audit?before=``: who did what, newest first."""
    before = visit.request.query_params.get("before", "")
    number = int(before) if before.isdecimal() and len(before) < 18 else None
    return JSONResponse({"audit": await visit.venue.read(lambda connection: people.audit(connection, number))})


async def add_places(visit: Visit) -> Response:
    """``POST /v1/places {names, zone}``: tables of a zone, ranges like ``1-12`` written out; one that exists moves."""
    given, zone = visit.body.get("names"), visit.text("zone", 20, "")
    if not isinstance(given, list) or len(given) > places.MOST or not all(isinstance(name, str) for name in given):
        raise Refusal(400, "unreadable", "place_names")
    names = places.expand(given)
    now, by = visit.venue.now(), visit.someone.id

    def work(connection: Connection) -> None:
        for name in names:
            devices.add_place(connection, name, zone, now, by)

    await visit.venue.write(work)
    return JSONResponse({"added": len(names)})


def _unused(visit: Visit) -> str:
    """The table that the path names, as far as no open game is drawn for it."""
    place = str(visit.request.path_params["place"])
    for competition in visit.venue.desk.competitions.values():
        if competition.rounds and any(game.place == place and not game.done for game in competition.rounds[-1].games):
            raise Impossible("place_drawn", place=place)
    return place


async def remove_place(visit: Visit) -> Response:
    """``POST /v1/places/{place}/remove``: a table that never had a device goes off the list."""
    place, now, by = _unused(visit), visit.venue.now(), visit.someone.id
    await visit.venue.write(lambda connection: places.remove(connection, place, now, by))
    return JSONResponse({})


async def rename_place(visit: Visit) -> Response:
    """``POST /v1/places/{place}/rename {name}``: a table that never had a device is called otherwise."""
    place, name, now, by = _unused(visit), visit.text("name", 40), visit.venue.now(), visit.someone.id
    if not places.fits(name):
        raise Refusal(400, "unreadable", "place_names")
    await visit.venue.write(lambda connection: places.rename(connection, place, name, now, by))
    return JSONResponse({})


async def code(visit: Visit) -> Response:
    """``POST /v1/places/{place}/code``: a pairing code, and what the device that is there now still holds."""
    place, now, by = visit.request.path_params["place"], visit.venue.now(), visit.someone.id
    made, holder = await visit.venue.write(lambda connection: devices.new_code(connection, place, now, by))
    told: dict[str, Any] = {"code": made, "seconds": devices.CODE_LIVES, "holder": None}
    if holder is not None:
        age = None if holder.seen is None else now - holder.seen
        told["holder"] = {"device": holder.id, "name": holder.name, "unsent": holder.status.get("unsent"), "age": age}
    return JSONResponse(told)


async def fleet(visit: Visit) -> Response:
    """``GET /v1/devices``: every device that may speak, how it fares and when it was heard."""
    now = visit.venue.now()
    found = await visit.venue.read(devices.everyone)
    return JSONResponse(
        {
            "devices": [
                {
                    "device": device.id, "name": device.name, "place": device.place, "lease": device.lease,
                    "age": None if device.seen is None else now - device.seen, "status": dict(device.status),
                }
                for device in found
            ]
        }
    )  # fmt: skip


async def revoke_device(visit: Visit) -> Response:
    """``POST /v1/devices/{device}/revoke``: its token opens nothing any more."""
    device, now, by = visit.request.path_params["device"], visit.venue.now(), visit.someone.id
    entry = await visit.venue.write(lambda connection: devices.revoke(connection, device, now, by))
    if entry.place is not None:
        visit.venue.seen.pop(entry.place, None)
    return JSONResponse({})


async def clock(visit: Visit) -> Response:
    """``POST /v1/clock {action, zone, seconds, title}``: start, stop, resume, extra, clear.

    What is done with the clock of a round, its tables hear of as well.
    """
    action, zone, title = visit.text("action", 10), visit.text("zone", 20, ""), visit.text("title", 40, "")
    if action not in CLOCK_ACTIONS:
        raise Refusal(400, "unreadable", "one_of", name="action", words=CLOCK_ACTIONS)
    seconds = visit.number("seconds", -7200, 6 * 3600) if action in ("start", "extra") else 0.0
    said = {"action": action, "zone": zone, "seconds": seconds, "title": title}
    if action != "start" and (competition := _round_of(visit, zone)) is not None:
        return JSONResponse({"tables": await timing.of_round(visit, competition, said)})
    return await _note(visit, "clock", said)


def _round_of(visit: Visit, zone: str) -> Competition | None:
    """The competition whose newest round has the clock of *zone*."""
    running = visit.venue.hall.clocks.get(zone)
    competition = visit.venue.desk.competitions.get(running.competition) if running is not None else None
    return competition if competition and running and running.round == len(competition.rounds) else None


async def hide(visit: Visit) -> Response:
    """``POST /v1/hide {hidden}``: results before the ceremony, hidden from hall and spectators."""
    return await _note(visit, "hide", {"hidden": visit.body.get("hidden") is True})


async def notice(visit: Visit) -> Response:
    """``POST /v1/notice {text}``: one line on every hall screen; empty takes it down."""
    return await _note(visit, "notice", {"text": visit.text("text", 120)})


async def _note(visit: Visit, kind: str, data: dict[str, Any]) -> Response:
    now, by = visit.venue.now(), visit.someone.id
    entry = await visit.venue.write(lambda connection: log.note(connection, kind, data, now=now, person=by))
    return JSONResponse({"position": entry.position})
