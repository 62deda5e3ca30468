"""The referee's doors: taking a case, ruling on it, an offence he saw himself, words to a table."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from engine.cards import SEATS
from engine.errors import GuandanError
from venue.hall.cases import VERDICTS, Case, escalated
from venue.sentences import Sentence
from venue.store import devices, log
from venue.web.guard import Refusal, Visit, language

STEPS: Final = ("take", "release", "defer", "resolve", "reopen")
OFFENCES: Final = (
    "out_of_turn", "not_a_combination", "does_not_beat", "exposed_card", "report_missed", "turn_time", "looked_back",
    "conduct",
)  # fmt: skip
CHIEF_ONLY: Final = frozenset({"other"})
"""Verdicts that decide a deal or a match, or choose between penalties."""


def _case(visit: Visit) -> Case:
    case = visit.venue.hall.cases.get(visit.request.path_params["case"])
    if case is None:
        raise Refusal(404, "no_such_case", "no_such_call")
    someone = visit.someone
    free = someone.role == "chief" or someone.sees(case.zone)
    free = free or escalated(case.state, case.rang, visit.venue.now())
    if not free and not any(taker["person"] == someone.id for taker in case.taken):
        raise Refusal(403, "other_zone", "other_zone")
    return case


async def step(visit: Visit) -> Response:
    """``POST /v1/cases/{case}/{step}``: how the case stands afterwards, whoever was first."""
    case, wanted = _case(visit), visit.request.path_params["step"]
    if wanted not in STEPS:
        raise Refusal(404, "no_such_step", "steps_are", steps=STEPS)
    note, now, someone = visit.text("note", 300, ""), visit.venue.now(), visit.someone

    def write(connection: Connection) -> None:
        said: dict[str, Any] = {"case": case.id, "step": wanted, "note": note}
        log.note(connection, "case", said, now=now, place=case.place, match=case.match, person=someone.id)
        if case.match and case.alerts and wanted in ("take", "resolve", "defer"):
            told = {"match": case.match, "alert": case.alerts[0], "state": wanted, "who": someone.name}
            devices.direct(connection, case.place, "case", told, now, someone.id)

    await visit.venue.write(write)
    return JSONResponse({"case": case.to_json()})


def _ruling(visit: Visit, case: Case) -> dict[str, Any]:
    verdict = visit.text("verdict", 20)
    if verdict not in VERDICTS:
        raise Refusal(400, "unreadable", "one_of", name="verdict", words=VERDICTS)
    if verdict in CHIEF_ONLY and visit.someone.role != "chief":
        raise Refusal(403, "chief_only", "chief_only")
    if not case.match or not case.alerts:
        raise Refusal(409, "no_alert", "no_alert")
    return {"alert": case.alerts[0], "verdict": verdict}


async def preview(visit: Visit) -> Response:
    """``POST /v1/cases/{case}/preview {verdict}``: what that ruling would change; nothing is changed."""
    case = _case(visit)
    ruling = _ruling(visit, case)
    board = visit.venue.hall.boards.get(case.match or "")
    if board is None:
        return JSONResponse({"preview": None})
    try:
        return JSONResponse({"preview": board.preview(ruling)})
    except GuandanError as error:
        return JSONResponse({"preview": None, "why": error.in_language(language(visit.request))})


async def rule(visit: Visit) -> Response:
    """``POST /v1/cases/{case}/ruling {verdict, note}``: goes to the table as a directive, and comes back as a line.

    Another verdict than the article's has to say what it is: its *note* is the ruling.
    """
    case = _case(visit)
    ruling = _ruling(visit, case)
    note, someone, now = visit.text("note", 300, ""), visit.someone, visit.venue.now()
    if ruling["verdict"] in CHIEF_ONLY and not note:
        raise Refusal(400, "no_words", "other_needs_words")
    if case.ruling is not None and case.ruling.get("state") != "refused":
        raise Refusal(409, "ruled", "ruled_already", who=case.ruling["by"] or Sentence("somebody"))
    alerts = case.alerts if case.kind != "call" else case.alerts[:1]

    def write(connection: Connection) -> None:
        for alert in alerts:
            data = ruling | {"alert": alert, "match": case.match, "note": note, "case": case.id}
            data |= {"by": "chief" if someone.role == "chief" else "table", "who": someone.name}
            devices.direct(connection, case.place, "ruling", data, now, someone.id)

    await visit.venue.write(write)
    return JSONResponse({"case": case.to_json()})


async def cancel(visit: Visit) -> Response:
    """``POST /v1/cases/{case}/cancel {why}``: the chief takes a ruling back; the table appends a ``cancel`` line."""
    case = _case(visit)
    why, someone, now = visit.text("why", 300), visit.someone, visit.venue.now()
    if case.ruling is None or not why:
        raise Refusal(409, "no_ruling", "nothing_to_cancel")
    line = await visit.venue.read(lambda connection: _ruling_line(connection, case))
    if line is None:
        raise Refusal(409, "not_yet", "not_in_record")
    data = {"match": case.match, "ruling": line, "who": someone.name, "why": why}
    await visit.venue.write(lambda connection: devices.direct(connection, case.place, "cancel", data, now, someone.id))
    return JSONResponse({"case": case.to_json()})


def _ruling_line(connection: Connection, case: Case) -> int | None:
    found = None
    for entry in log.of_match(connection, case.match or ""):
        if entry.kind == "ruling" and entry.event.get("alert") in case.alerts:
            found = entry.line
    return found


def _table(visit: Visit) -> str:
    name = visit.request.path_params["place"]
    seat = visit.venue.hall.tables.get(name)
    if seat is None:
        raise Refusal(404, "no_such_table", "no_table", place=name)
    if visit.someone.role == "referee" and not visit.someone.sees(seat.zone):
        raise Refusal(403, "other_zone", "other_zone")
    return str(name)


async def offence(visit: Visit) -> Response:
    """``POST /v1/tables/{place}/offence {seat, kind, note}``: the referee saw it himself."""
    place, kind, seat = _table(visit), visit.text("kind", 40), visit.text("seat", 1)
    board = visit.venue.hall.tables[place].board
    if kind not in OFFENCES or seat not in SEATS:
        raise Refusal(400, "unreadable", "offence_needs", words=OFFENCES)
    if board is None:
        raise Refusal(409, "no_match", "no_match")
    data = {
        "match": board.id,
        "seat": seat,
        "kind": kind,
        "note": visit.text("note", 300, ""),
        "who": visit.someone.name,
    }
    return await _direct(visit, place, "offence", data)


async def message(visit: Visit) -> Response:
    """``POST /v1/tables/{place}/message {text}``: one line on the table's screen."""
    place, text = _table(visit), visit.text("text", 120)
    if not text:
        raise Refusal(400, "unreadable", "empty_message")
    return await _direct(visit, place, "message", {"text": text, "who": visit.someone.name})


async def extra(visit: Visit) -> Response:
    """``POST /v1/tables/{place}/extra {seconds}``: this table plays so much longer."""
    place, seconds = _table(visit), visit.number("seconds", 1, 7200)
    board = visit.venue.hall.tables[place].board
    if board is None or board.match.result is not None:
        raise Refusal(409, "no_match", "no_match")
    # what arrives when this match is over is not given to the next one
    return await _direct(visit, place, "extra", {"seconds": seconds, "match": board.id})


async def blink(visit: Visit) -> Response:
    """``POST /v1/tables/{place}/blink``: the table shows where it stands."""
    return await _direct(visit, _table(visit), "blink", {})


async def _direct(visit: Visit, place: str, kind: str, data: dict[str, Any]) -> Response:
    now, someone = visit.venue.now(), visit.someone
    entry = await visit.venue.write(lambda connection: devices.direct(connection, place, kind, data, now, someone.id))
    return JSONResponse({"directive": entry.position})
