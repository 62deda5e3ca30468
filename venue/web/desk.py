"""The desk's doors before and around play: events from templates, entries, check-in, partners, files and papers."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import anyio.to_thread
from starlette.responses import HTMLResponse, JSONResponse, Response

from engine.rulesets import load, names
from venue.desk import drawing, exports, printing
from venue.desk.competition import Competition, check_options
from venue.desk.entries import free_number, read_entries
from venue.desk.sheets import read_table
from venue.desk.templates import templates
from venue.sentences import Impossible, Sentence
from venue.store import log
from venue.web import pages
from venue.web.guard import Refusal, Visit
from venue.web.view import STAFF

MOST_ENTRANTS: Final = 4096


def competition_of(visit: Visit) -> Competition:
    """The competition that the path names."""
    found = visit.venue.desk.competitions.get(visit.request.path_params["competition"])
    if found is None:
        raise Refusal(404, "no_such_competition", "no_such_competition")
    return found


async def act(visit: Visit, competition: str, name: str, data: Mapping[str, Any]) -> None:
    """Write an act of the desk into the log; the fold follows before this returns."""
    now, by = visit.venue.now(), visit.someone.id
    said = {"competition": competition, "act": name, **data}
    await visit.venue.write(lambda connection: log.note(connection, "desk", said, now=now, person=by))


def number_of(visit: Visit, competition: Competition) -> int:
    """The entrant that the body's ``number`` names."""
    number = int(visit.number("number", 1, 10**7))
    if number not in competition.entrants:
        raise Refusal(404, "no_such_entrant", "no_entrant", number=number)
    return number


def words_of(visit: Visit) -> dict[str, Any]:
    """The catalogue in the visitor's language."""
    return pages.words(pages.language(visit))


async def everything(visit: Visit) -> Response:
    """``GET /v1/competitions?at=POSITION``: their ids and titles, as they are at that position at least."""
    await _caught_up(visit)
    found = visit.venue.desk.competitions.values()
    return JSONResponse(
        {
            "competitions": [
                {
                    "id": each.id, "title": each.title, "template": each.options.get("template"),
                    "finished": each.finished,
                }
                for each in found
            ]
        }
    )  # fmt: skip


async def one(visit: Visit) -> Response:
    """``GET /v1/competitions/{competition}?at=POSITION``: rounds, standings, prizes; as far as results are shown."""
    await _caught_up(visit)
    staff = visit.someone.role in STAFF
    hidden = visit.venue.hall.hidden and not staff
    shown = await visit.venue.shown.of(competition_of(visit), hidden=hidden, staff=staff)
    return shown.response(visit.request.headers.get("accept-encoding", ""))


async def _caught_up(visit: Visit) -> None:
    """Whoever has heard of a change from one worker is not shown less by another."""
    at = visit.request.query_params.get("at", "")
    if at.isdecimal() and len(at) < 19:
        await visit.venue.catch_up(int(at))


async def list_templates(visit: Visit) -> Response:
    """``GET /v1/templates``: the events that one can start from and the rulesets, in the visitor's language."""
    lang = pages.language(visit)
    known = await anyio.to_thread.run_sync(lambda: [load(name) for name in names()])
    told = [{"id": each.id, "name": each.name_zh if lang == "zh" else each.name_en} for each in known]
    return JSONResponse({"templates": [each.to_json(lang) for each in templates().values()], "rulesets": told})


async def create(visit: Visit) -> Response:
    """``POST /v1/competitions {title, template | format, options}``; *options* stand on top of the template's."""
    title, options = visit.text("title", 60), visit.body.get("options") or {}
    if not title or not isinstance(options, dict):
        raise Refusal(400, "unreadable", "title_needed")
    named = visit.text("template", 40, "")
    if named:
        template = templates().get(named)
        if template is None:
            raise Refusal(404, "no_such_template", "no_template", name=named)
        format, options = template.format, template.options(pages.language(visit)) | options
    else:
        format = visit.text("format", 20)
    check_options(format, options)
    ruleset, profile = options.get("ruleset") or "national", options.get("profile") or "championship"
    for stage in options.get("stages") or [{}]:
        load(ruleset, profile, stage.get("ruleset_options") or None)
    id = "c-" + secrets.token_hex(4)
    await act(visit, id, "create", {"title": title, "format": format, "options": options})
    return JSONResponse({"id": id})


# --- entries ----------------------------------------------------------------------------------------------------------


def _open_for_entries(competition: Competition, late: bool = False) -> None:
    """:raises Refusal: after the draw, unless who comes *late* may still play."""
    if not competition.open_for_entries and not (late and competition.takes_latecomers and not competition.singles):
        raise Refusal(409, "refused", "drawn_already")


def check_doubts(visit: Visit, competition: Competition) -> None:
    """Before the first draw: lines that nobody has looked at, and people who have not checked in where others have, are
    asked about once (*sure* in the body).

    :raises Refusal: when there are some, and the body does not say that it is meant so.
    """
    if not competition.open_for_entries or visit.body.get("sure") is True:
        return
    lines, here = len(competition.aside), [each for each in competition.playing if each in competition.here]
    absent = len(competition.playing) - len(here) if here else 0
    if lines and absent:
        raise Refusal(409, "doubts", "aside_and_absent", n=lines, absent=absent)
    if lines:
        raise Refusal(409, "doubts", "aside_open", n=lines)
    if absent:
        raise Refusal(409, "doubts", "absent_open", absent=absent)


async def enter(visit: Visit) -> Response:
    """``POST …/entries?file=NAME`` with a CSV or XLSX file as its body: how many came in, and which lines wait.

    A line that is doubtful is kept aside until somebody settles or drops it.
    """
    competition = competition_of(visit)
    _open_for_entries(competition, late=True)
    named = visit.request.query_params.get("file", "")[-60:]
    rows = await anyio.to_thread.run_sync(lambda: read_table(visit.body, Sentence("the_entries"), named))
    made, aside = read_entries(
        rows, competition.entrants.values(), competition.aside.values(), singles=competition.entry != "pairs"
    )
    if len(made) + len(aside) + len(competition.entrants) + len(competition.aside) > MOST_ENTRANTS:
        raise Refusal(413, "too_large", "most_entrants", most=MOST_ENTRANTS)
    entrants = [
        {"number": each.number, "names": list(each.names), "club": each.club, "team": each.team} for each in made
    ]
    if entrants or aside:
        kept = {"aside": [row.to_json() for row, _ in aside]} if aside else {}
        await act(visit, competition.id, "enter", {"entrants": entrants, **kept})
    told = [{"line": each.line, "what": each.what, "value": each.value} for _, doubts in aside for each in doubts]
    return JSONResponse({"entered": len(entrants), "aside": len(aside), "doubts": told})


async def settle(visit: Visit) -> Response:
    """``POST …/entries/settle {aside, names, club, team}``: a line that waited comes in as it is said here."""
    competition = competition_of(visit)
    _open_for_entries(competition, late=True)
    id, names = int(visit.number("aside", 1, 10**7)), visit.body.get("names")
    row = competition.aside.get(id)
    if row is None:
        raise Refusal(404, "no_such_line", "no_aside")
    most = 2 if competition.entry == "pairs" else 1
    if not isinstance(names, list) or not 0 < len(names) <= most or not all(map(_is_name, names)):
        raise Refusal(400, "unreadable", "names_needed")
    entrant = {
        "number": free_number(row.number, competition.entrants), "names": [name.strip() for name in names],
        "club": visit.text("club", 40, ""), "team": visit.text("team", 40, ""),
    }  # fmt: skip
    await act(visit, competition.id, "enter", {"entrants": [entrant], "settles": id})
    return JSONResponse({"number": entrant["number"]})


async def drop(visit: Visit) -> Response:
    """``POST …/entries/drop {asides}``: these lines are not entered."""
    competition, asides = competition_of(visit), visit.body.get("asides")
    if not isinstance(asides, list) or not all(type(each) is int for each in asides):
        raise Refusal(400, "unreadable", "numbers_list")
    await act(visit, competition.id, "drop", {"asides": asides})
    return JSONResponse({"waiting": len(competition.aside)})


async def edit(visit: Visit) -> Response:
    """``POST …/entries/edit {number, names, club, team}``: one entrant as it should stand on the list."""
    competition = competition_of(visit)
    _open_for_entries(competition)
    number, names = number_of(visit, competition), visit.body.get("names")
    if not isinstance(names, list) or not 0 < len(names) <= 2 or not all(map(_is_name, names)):
        raise Refusal(400, "unreadable", "names_needed")
    entrant = {
        "number": number, "names": [name.strip() for name in names], "club": visit.text("club", 40, ""),
        "team": visit.text("team", 40, ""),
    }  # fmt: skip
    await act(visit, competition.id, "enter", {"entrants": [entrant]})
    return JSONResponse({})


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and 0 < len(name.strip()) <= 40 and name.isprintable()


async def remove(visit: Visit) -> Response:
    """``POST …/entries/remove {number}``: before the draw; afterwards entrants withdraw."""
    competition = competition_of(visit)
    _open_for_entries(competition)
    await act(visit, competition.id, "remove", {"number": number_of(visit, competition)})
    return JSONResponse({})


async def enter_from(visit: Visit) -> Response:
    """``POST …/entries/from {competition, best}``: another event's best come in (weeks into a month)."""
    competition = competition_of(visit)
    _open_for_entries(competition)
    other = visit.venue.desk.competitions.get(visit.text("competition", 40))
    best = int(visit.number("best", 1, 64))
    if other is None or other is competition:
        raise Refusal(404, "no_such_competition", "no_such_competition")
    if not other.finished:
        raise Impossible("not_over_yet", title=other.title)
    coming: list[int] = []
    for sharing in other.ranks():
        if len(coming) < best:
            coming += sharing
    known = {name for each in competition.entrants.values() for name in each.names}
    free = max(competition.entrants, default=0)
    entrants = []
    for number in coming:
        each = other.entrants[number]
        if not known & set(each.names):
            free += 1
            entrants.append({"number": free, "names": list(each.names), "club": each.club, "team": each.team})
    if entrants:
        await act(visit, competition.id, "enter", {"entrants": entrants})
    return JSONResponse({"entered": len(entrants)})


async def check_in(visit: Visit) -> Response:
    """``POST …/checkin {numbers, here}``: who is in the hall."""
    competition, numbers = competition_of(visit), visit.body.get("numbers")
    if not isinstance(numbers, list) or len(numbers) > MOST_ENTRANTS or not all(type(each) is int for each in numbers):
        raise Refusal(400, "unreadable", "numbers_list")
    await act(visit, competition.id, "checkin", {"numbers": numbers, "here": visit.body.get("here") is not False})
    return JSONResponse({"here": len(competition.here)})


async def withdraw(visit: Visit) -> Response:
    """``POST …/withdraw {number | numbers, why}``: plays no more from the next round on."""
    competition, numbers = competition_of(visit), visit.body.get("numbers")
    if numbers is None:
        numbers = [number_of(visit, competition)]
    if not isinstance(numbers, list) or not all(type(each) is int for each in numbers):
        raise Refusal(400, "unreadable", "numbers_list")
    if strangers := set(numbers) - set(competition.entrants):
        raise Refusal(404, "no_such_entrant", "no_entrant", number=min(strangers))
    await act(visit, competition.id, "withdraw", {"numbers": numbers, "why": visit.text("why", 200, "")})
    return JSONResponse({})


async def come_back(visit: Visit) -> Response:
    """``POST …/return {number}``: the withdrawal was a mistake, or they are back."""
    competition = competition_of(visit)
    await act(visit, competition.id, "return", {"number": number_of(visit, competition)})
    return JSONResponse({})


async def partners(visit: Visit) -> Response:
    """``POST …/partners {seed, sure}``: singles drawn into pairs, with tags and colours where the event has them."""
    competition = competition_of(visit)
    check_doubts(visit, competition)
    seed = visit.text("seed", 40, "") or secrets.token_hex(4)
    await act(visit, competition.id, "partners", {"seed": seed, "pairs": drawing.next_partners(competition, seed)})
    return JSONResponse({"seed": seed, "pairs": len(competition.entrants)})


async def unpartner(visit: Visit) -> Response:
    """``POST …/unpartner``: take that draw back, before the first round is drawn."""
    competition = competition_of(visit)
    if competition.rounds or not competition.partners_seed:
        raise Impossible("partners_before_first")
    await act(visit, competition.id, "unpartner", {})
    return JSONResponse({})


# --- files and papers -------------------------------------------------------------------------------------------------


def _attached(visit: Visit, event: Competition, content: bytes | str, ending: str, kind: str) -> Response:
    """A file to keep, called as the event is and by the day (RFC 6266; what cannot read that gets the event's id)."""
    day = time.strftime("%Y-%m-%d", time.localtime(visit.venue.now()))
    title = "".join(" " if letter in '\\/:*?"<>|' or not letter.isprintable() else letter for letter in event.title)
    name = quote(f"{' '.join(title.split()) or event.id} {day}.{ending}", safe="")
    told = f"attachment; filename=\"{event.id}.{ending}\"; filename*=UTF-8''{name}"
    return Response(content, media_type=kind, headers={"content-disposition": told})


async def export(visit: Visit) -> Response:
    """``GET …/sheet``: the standings as CSV."""
    event = competition_of(visit)
    return _attached(visit, event, exports.sheet(event, words_of(visit)), "csv", "text/csv; charset=utf-8")


async def workbook(visit: Visit) -> Response:
    """``GET …/workbook``: every table as XLSX."""
    event, words = competition_of(visit), words_of(visit)
    content = await anyio.to_thread.run_sync(lambda: exports.workbook(event, words))
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return _attached(visit, event, content, "xlsx", kind)


async def archive(visit: Visit) -> Response:
    """``GET …/archive``: one ZIP that opens anywhere: a page, JSON, CSV, XLSX."""
    event, words = competition_of(visit), words_of(visit)
    style = (pages.ASSETS / "web" / "print.css").read_text("utf-8")
    content = await anyio.to_thread.run_sync(lambda: exports.archive(event, words, printing.whole(event, words, style)))
    return _attached(visit, event, content, "zip", "application/zip")


async def paper(visit: Visit) -> Response:
    """``GET …/print/{sheet}``: a sheet for A4: entries, pairings, scoresheets, standings, bracket, prizes, …"""
    event, name = competition_of(visit), visit.request.path_params["sheet"]
    if name not in printing.SHEETS:
        raise Refusal(404, "no_such_sheet", "sheets_are", sheets=list(printing.SHEETS))
    return HTMLResponse(printing.page(event, words_of(visit), [name], link="/assets/web/print.css"))
