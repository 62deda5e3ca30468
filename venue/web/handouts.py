"""Doors of the files that tables are handed: brought by the office or by the table that learned a deck, fetched piece
by piece, given out only where somebody says so, and releases never while an event is on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio.to_thread
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from venue.hall.handouts import NONE
from venue.protocol import SyncError
from venue.sentences import Impossible
from venue.store import devices, handouts, log, places, secrets
from venue.store.handout_files import deck_about, release_about
from venue.store.handouts import DECK, RELEASE
from venue.web.guard import Refusal, Visit
from venue.web.house import Venue
from venue.web.sync import speaks, token_of

FIRST = 2
"""Tables that run a new release before all the others get it."""
ABOUT: dict[str, Callable[[Path], dict[str, Any]]] = {DECK: deck_about, RELEASE: release_about}


# --- bringing -----------------------------------------------------------------------------------------------------


async def bring_deck(visit: Visit) -> Response:
    """``POST /v1/uploads/deck/{source}?offset=N&size=S``: as :func:`_bring` says."""
    return await _bring(visit, DECK)


async def bring_release(visit: Visit) -> Response:
    """``POST /v1/uploads/release/{source}?offset=N&size=S``: as :func:`_bring` says."""
    return await _bring(visit, RELEASE)


async def _bring(visit: Visit, kind: str) -> Response:
    """A piece of a file of *size* bytes, which its page calls *source*; an empty one asks from where to go on.

    Whole, it is looked at, and kept under its hash when it is what it should be.
    """
    offset, size = _whole_number(visit, "offset"), _whole_number(visit, "size")
    venue, piece = visit.venue, bytes(visit.body)
    if not size:
        raise Refusal(400, "unreadable", "file_empty")
    if size > handouts.LARGEST[kind]:
        raise Refusal(413, "too_large", "file_large", most=handouts.LARGEST[kind] >> 20)
    store, part = venue.files, venue.files.part(visit.request.path_params["source"])
    if offset + len(piece) > size:
        raise Refusal(400, "unreadable", "file_pieces")
    if not piece:
        return JSONResponse({"have": min(size, await anyio.to_thread.run_sync(store.have, part))})
    have = await anyio.to_thread.run_sync(store.put, part, offset, piece)
    if have < size:
        return JSONResponse({"have": have})
    name = await _keep(venue, kind, part, None, person=visit.someone.id)
    return JSONResponse({"have": have, "file": venue.handouts.files[name]})


def _whole_number(visit: Visit, name: str) -> int:
    text = visit.request.query_params.get(name, "")
    if not text.isdecimal() or len(text) > 12:
        raise Refusal(400, "unreadable", "file_pieces")
    return int(text)


async def _keep(
    venue: Venue, kind: str, part: Path, name: str | None, *, place: str | None = None, person: str | None = None
) -> str:
    """The whole file *part* is looked at and kept; its hash. *name* is the hash it was announced by.

    :raises Unreadable: when it is no file of this kind. :raises Impossible: when there are too many already.
    """

    def look() -> tuple[dict[str, Any], str, int]:
        try:
            about = ABOUT[kind](part)
        except Exception:
            part.unlink(missing_ok=True)
            raise
        return (about, *venue.files.keep(part, name))

    if len(venue.handouts.of_kind(kind)) >= handouts.MOST[kind]:
        part.unlink(missing_ok=True)
        raise Impossible("files_many", most=handouts.MOST[kind])
    about, found, size = await anyio.to_thread.run_sync(look)
    told = {"sha256": found, "size": size, "kind": kind} | about
    now = venue.now()
    await venue.write(lambda connection: handouts.note_here(connection, told, now, place=place, person=person))
    return found


async def take_deck(visit: Visit) -> Response:
    """``POST /v1/decks/{name}?offset=N``: a piece of a deck profile that this table announced; an empty one asks.

    As with pictures: the answer's ``have`` says from where to go on, ``whole`` that nothing is missing.
    """
    venue, name, device = visit.venue, visit.request.path_params["name"], await speaks(visit)
    if name in venue.handouts.files:
        return JSONResponse({"have": venue.handouts.files[name]["size"], "whole": True})
    announced = venue.handouts.announced.get(name)
    text = visit.request.query_params.get("offset", "0")
    if announced is None or announced[0] != device.id or not text.isdecimal() or len(text) > 9:
        raise SyncError("unreadable", "this table announced no such deck profile")
    size, offset, piece = announced[1], int(text), bytes(visit.body)
    part = venue.files.part(name)
    if offset + len(piece) > size:
        raise SyncError("too_large", f"this deck profile was announced with {size} bytes")
    if piece:
        have = await anyio.to_thread.run_sync(venue.files.put, part, offset, piece)
    else:
        have = min(size, await anyio.to_thread.run_sync(venue.files.have, part))
    if have < size:
        return JSONResponse({"have": have, "whole": False})
    try:
        await _keep(venue, DECK, part, name, place=device.place)
    except Impossible as refused:
        raise SyncError("unreadable", str(refused)) from None
    return JSONResponse({"have": size, "whole": True})


# --- fetching -----------------------------------------------------------------------------------------------------


async def fetch(visit: Visit) -> Response:
    """``GET /v1/handouts/{name}?offset=N``: the file's next bytes for a table; none behind its end.

    :raises SyncError: ``gone`` for what this table was not told of, ``not_now`` for a release while an event is on.
    """
    venue, name, device = visit.venue, visit.request.path_params["name"], await speaks(visit)
    for kind, whose in (("file", secrets.hashed(token_of(visit))), ("file_all", "")):
        if wait := venue.limits.wait(kind, whose):
            raise SyncError("slow_down", "the line is shared", retry_after=round(wait, 2))
    text = visit.request.query_params.get("offset", "0")
    if not text.isdecimal() or len(text) > 12:
        raise SyncError("unreadable", "'offset' is a whole number")
    file = venue.handouts.files.get(name)
    told = venue.handouts.told[file["kind"]].get(device.place or "") if file is not None else None
    if file is None or told is None or told.sha256 != name or not told.open or device.lease != "held":
        raise SyncError("gone", "no such file is handed to this table, or not any more")
    if file["kind"] == RELEASE and (titles := venue.underway.titles(venue.now())):
        raise SyncError("not_now", f"an event is on: {titles[0]}")
    try:
        piece = await anyio.to_thread.run_sync(venue.files.read, name, int(text))
    except OSError:
        raise SyncError("gone", "the file is not on the venue's disk any more") from None
    return Response(piece, media_type="application/octet-stream")


# --- giving out ---------------------------------------------------------------------------------------------------


async def everything(visit: Visit) -> Response:
    """``GET /v1/handouts``: the files, what each table was told of them, and the events that hold releases back."""
    venue = visit.venue
    found, hall = venue.handouts, venue.hall
    told = {
        kind: {
            place: {"sha256": each.sha256, "state": each.state, "why": each.why, "at": each.at}
            for place, each in tables.items()
        }
        for kind, tables in found.told.items()
    }

    def brought(each: dict[str, Any]) -> dict[str, Any]:
        by = each["place"] or hall.people.get(each["person"] or "", "")
        shown = {name: value for name, value in each.items() if name != "person"}
        here = venue.files.path(each["sha256"]).exists()  # a database that was restored came without its files
        return shown | {"by": by, "here": here, "running": sorted(found.running.get(each["sha256"], ()))}

    return JSONResponse(
        {
            "decks": [brought(each) for each in found.of_kind(DECK)],
            "releases": [brought(each) for each in found.of_kind(RELEASE)],
            "told": told, "house": found.house, "events": venue.underway.titles(venue.now()), "first": FIRST,
        }
    )  # fmt: skip


async def hand_deck(visit: Visit) -> Response:
    """``POST /v1/decks/{name}/hand {places}``: these tables read with it from their next deal on; without *places* all
    do, and those that are paired tomorrow. The name ``none``: the common cards.
    """
    venue, name = visit.venue, visit.request.path_params["name"]
    if name != "none" and (name not in venue.handouts.files or venue.handouts.files[name]["kind"] != DECK):
        raise Refusal(404, "no_file", "no_file")
    data = dict(NONE) if name == "none" else venue.handouts.data(name)
    wanted = _places(visit)
    told = wanted if wanted is not None else _paired(venue)
    now, by = venue.now(), visit.someone.id

    def work(connection: Connection) -> None:
        if wanted is None:
            log.note(connection, "house_deck", data, now=now, person=by)
        _tell(connection, DECK, told, data, now, by)

    await venue.write(work)
    return JSONResponse({"told": told})


async def hand_release(visit: Visit) -> Response:
    """``POST /v1/releases/{name}/hand {places}``: two tables first; without *places* all that do not run it yet and are
    machines of its kind: a hall may have two kinds, with a file each.

    :raises Refusal: while an event is on, and for more than two tables before two run it.
    """
    venue, name = visit.venue, visit.request.path_params["name"]
    if name not in venue.handouts.files or venue.handouts.files[name]["kind"] != RELEASE:
        raise Refusal(404, "no_file", "no_file")
    if titles := venue.underway.titles(venue.now()):
        raise Refusal(409, "event_on", "event_on", event=titles[0])
    fitting = [place for place in _paired(venue) if _fits(venue, place, name)]
    runs, wanted = venue.handouts.running.get(name, set()), _places(visit)
    told = [place for place in fitting if not _runs(venue, place, name)] if wanted is None else wanted
    if len(runs) < min(FIRST, len(fitting)) and len(venue.handouts.trying(name) | set(told)) > FIRST:
        raise Refusal(409, "two_first", "two_first", first=FIRST)
    data, now, by = venue.handouts.data(name), venue.now(), visit.someone.id
    await venue.write(lambda connection: _tell(connection, RELEASE, told, data, now, by))
    return JSONResponse({"told": told})


def _tell(connection: Connection, kind: str, places: Sequence[str], data: dict[str, Any], now: float, by: str) -> None:
    """What these tables were told before and have not heard is not said any more: the newest word counts."""
    handouts.withdraw(connection, kind, now, places=places)
    for place in places:
        devices.direct(connection, place, handouts.DIRECTIVE[kind], data, now, by)


def _runs(venue: Venue, place: str, name: str) -> bool:
    """Whether the device that is at *place* now says that it runs the release *name*."""
    status = venue.seen.get(place, {}).get("status", {})
    return bool(status.get("release") == venue.handouts.files[name].get("release"))


def _fits(venue: Venue, place: str, name: str) -> bool:
    """Whether the release *name* is made for the device at *place*, as far as that has said what it is."""
    file, platform = venue.handouts.files[name], venue.seen.get(place, {}).get("status", {}).get("platform")
    return platform is None or bool(platform == f"{file['python']} {file['processor']}")


def _paired(venue: Venue) -> list[str]:
    return [seat.name for seat in venue.hall.tables.values() if seat.device is not None]


def _places(visit: Visit) -> list[str] | None:
    """The tables that the body names, ranges written out; None for all."""
    given = visit.body.get("places")
    if given is None:
        return None
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given) or len(given) > places.MOST:
        raise Refusal(400, "unreadable", "place_names")
    names = places.expand(given)
    for place in names:
        if place not in visit.venue.hall.tables:
            raise Refusal(404, "no_such_table", "no_table", place=place)
    return names


async def remove_deck(visit: Visit) -> Response:
    """``POST /v1/decks/{name}/remove``: the file goes; tables that read with it go on with theirs."""
    return await _remove(visit, DECK)


async def remove_release(visit: Visit) -> Response:
    """``POST /v1/releases/{name}/remove``: the file goes; nobody gets it any more."""
    return await _remove(visit, RELEASE)


async def _remove(visit: Visit, kind: str) -> Response:
    venue, name, now, by = visit.venue, visit.request.path_params["name"], visit.venue.now(), visit.someone.id
    if name not in venue.handouts.files or venue.handouts.files[name]["kind"] != kind:
        raise Refusal(404, "no_file", "no_file")

    def work(connection: Connection) -> None:
        handouts.withdraw(connection, kind, now, name=name)
        log.note(connection, "handout_removed", {"sha256": name}, now=now, person=by)

    await venue.write(work)
    await anyio.to_thread.run_sync(venue.files.remove, name)
    return JSONResponse({})
