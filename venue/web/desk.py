"""The desk's doors: competitions from the entries to the prize list, and the tables seated by them."""

from __future__ import annotations

import secrets
from typing import Any, Final

import anyio.to_thread
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from engine.cards import LEVELS
from engine.errors import Impossible
from engine.rulesets import load
from venue.desk import swiss
from venue.desk.competition import Competition, check_options
from venue.desk.desk import sheet
from venue.desk.entries import read_entries, read_table
from venue.desk.knockout import Game
from venue.store import devices, log
from venue.web import pages
from venue.web.guard import Refusal, Visit
from venue.web.view import STAFF

MOST_ENTRANTS: Final = 4096


def _competition(visit: Visit) -> Competition:
    found = visit.venue.desk.competitions.get(visit.request.path_params["competition"])
    if found is None:
        raise Refusal(404, "no_such_competition", "there is no such competition")
    return found


def _hidden(visit: Visit) -> bool:
    return visit.venue.hall.hidden and visit.someone.role not in STAFF


async def everything(visit: Visit) -> Response:
    """``GET /v1/competitions``: their ids and titles."""
    found = visit.venue.desk.competitions.values()
    return JSONResponse({"competitions": [{"id": each.id, "title": each.title} for each in found]})


async def one(visit: Visit) -> Response:
    """``GET /v1/competitions/{competition}``: rounds, standings, prizes; as far as results are shown."""
    return JSONResponse(_competition(visit).view(hidden=_hidden(visit)))


async def export(visit: Visit) -> Response:
    """``GET /v1/competitions/{competition}/sheet``: the standings as CSV."""
    competition = _competition(visit)
    say = pages.words(pages.language(visit))
    text = sheet(competition, say["desk"] | say["chain"])
    headers = {"content-disposition": f'attachment; filename="{competition.id}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


async def _act(visit: Visit, competition: str, act: str, data: dict[str, Any]) -> None:
    now, by = visit.venue.now(), visit.someone.id
    said = {"competition": competition, "act": act, **data}
    await visit.venue.write(lambda connection: log.note(connection, "desk", said, now=now, person=by))


async def create(visit: Visit) -> Response:
    """``POST /v1/competitions {title, format, options}``."""
    title, format, options = visit.text("title", 60), visit.text("format", 20), visit.body.get("options") or {}
    if not title or not isinstance(options, dict):
        raise Refusal(400, "unreadable", "a competition needs a title, and 'options' is an object")
    check_options(format, options)
    load(options.get("ruleset") or "national", options.get("profile") or "championship")
    id = "c-" + secrets.token_hex(4)
    await _act(visit, id, "create", {"title": title, "format": format, "options": options})
    return JSONResponse({"id": id})


async def enter(visit: Visit) -> Response:
    """``POST …/entries`` with a CSV or XLSX file as its body: how many were read, and what is doubtful."""
    competition = _competition(visit)
    if competition.rounds:
        raise Refusal(409, "refused", "the first round is drawn: nobody can be entered any more")
    rows = await anyio.to_thread.run_sync(lambda: read_table(visit.body, "entries"))
    made, doubts = read_entries(rows, competition.entrants.values())
    if len(made) + len(competition.entrants) > MOST_ENTRANTS:
        raise Refusal(413, "too_large", f"a competition holds {MOST_ENTRANTS} entrants at most")
    entrants = [
        {"number": each.number, "names": list(each.names), "club": each.club, "team": each.team} for each in made
    ]
    if entrants:
        await _act(visit, competition.id, "enter", {"entrants": entrants})
    told = [{"line": doubt.line, "what": doubt.what, "value": doubt.value} for doubt in doubts]
    return JSONResponse({"entered": len(entrants), "doubts": told})


async def withdraw(visit: Visit) -> Response:
    """``POST /v1/competitions/{competition}/withdraw {number, why}``."""
    competition = _competition(visit)
    number = int(visit.number("number", 1, 10**7))
    if number not in competition.entrants:
        raise Refusal(404, "no_such_entrant", f"there is no entrant {number}")
    await _act(visit, competition.id, "withdraw", {"number": number, "why": visit.text("why", 200, "")})
    return JSONResponse({})


async def draw(visit: Visit) -> Response:
    """``POST /v1/competitions/{competition}/draw {seed}``: the next round; without a seed a new one is thrown."""
    competition = _competition(visit)
    seed = visit.text("seed", 40, "") or secrets.token_hex(4)
    number = len(competition.rounds) + 1
    games = await anyio.to_thread.run_sync(lambda: competition.next_games(seed))
    await _store_round(visit, competition, number, seed, games)
    return JSONResponse({"round": number, "seed": seed})


async def pair_by_hand(visit: Visit) -> Response:
    """``POST …/pair {games, sure}``: the next round as a person wants it, [north-south, east-west or null] a game.

    What it breaks is answered with 409 and stored only when asked again with *sure*.
    """
    competition = _competition(visit)
    given, number = visit.body.get("games"), len(competition.rounds) + 1
    if not isinstance(given, list) or not 0 < len(given) <= MOST_ENTRANTS or not all(map(_is_game, given)):
        raise Refusal(400, "unreadable", "'games' is a list of two entrants' numbers each, the second null for a bye")
    games = [(one, other) for one, other in given]
    named = {number for game in games for number in game if number is not None}
    if strangers := named - set(competition.playing):
        raise Refusal(404, "no_such_entrant", f"there is no entrant {min(strangers)}, or it has withdrawn")
    competition.check_may_draw()
    found = [{"what": what, "game": list(game)} for what, game in swiss.warnings(games, competition.players())]
    found += [{"what": "left_out", "game": [number, None]} for number in competition.playing if number not in named]
    if any(each["what"] == "twice" for each in found):
        raise Refusal(400, "unreadable", "an entrant stands in two games")
    if found and visit.body.get("sure") is not True:
        return JSONResponse(
            {"error": {"code": "warnings", "detail": "this pairing breaks rules"}, "warnings": found}, 409
        )
    await _store_round(visit, competition, number, "", games, by_hand=True)
    return JSONResponse({"round": number, "warnings": found})


def _is_game(game: Any) -> bool:
    def is_number(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    return isinstance(game, list) and len(game) == 2 and is_number(game[0]) and (game[1] is None or is_number(game[1]))


async def _store_round(
    visit: Visit, competition: Competition, number: int, seed: str, games: list[Game], by_hand: bool = False
) -> None:
    places = iter(sorted(visit.venue.hall.tables, key=_natural))
    told = [
        {
            "one": one, "other": other, "place": next(places, None) if other is not None else None,
            "match": f"{competition.id}-{number}-{place + 1}",
        }
        for place, (one, other) in enumerate(games)
    ]  # fmt: skip
    await _act(visit, competition.id, "draw", {"round": number, "seed": seed, "games": told, "by_hand": by_hand})
    if len(competition.rounds) != number or competition.rounds[-1].seed != seed:
        raise Refusal(409, "refused", "somebody else has drawn this round meanwhile")


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    digits = "".join(letter if letter.isdecimal() else " " for letter in name).split()
    head = name[: name.find(digits[0])] if digits else name
    return ((0, 0, head), (1, int(digits[0]) if digits else 0, name))


async def undraw(visit: Visit) -> Response:
    """``POST /v1/competitions/{competition}/undraw``: take the newest round back, as long as it has no result."""
    competition = _competition(visit)
    number = len(competition.rounds)
    await _act(visit, competition.id, "undraw", {"round": number})
    if number and len(competition.rounds) == number:
        raise Refusal(409, "refused", "this round has results: it cannot be drawn anew")
    return JSONResponse({})


async def seat(visit: Visit) -> Response:
    """``POST …/seat``: tell the tables of the newest round who sits down, and by which rules."""
    competition = _competition(visit)
    if not competition.rounds:
        raise Refusal(409, "refused", "no round is drawn")
    ruleset = competition.options.get("ruleset") or "national"
    profile = competition.options.get("profile") or "championship"
    now, by, seated = visit.venue.now(), visit.someone.id, 0
    games = [game for game in competition.rounds[-1].games if game.place and game.other is not None]

    def work(connection: Connection) -> None:
        for game in games:
            assert game.place is not None and game.other is not None
            north, east = competition.entrants[game.one], competition.entrants[game.other]
            names = dict(zip("NS", north.names, strict=False)) | dict(zip("EW", east.names, strict=False))
            record = {"do": "match", "ruleset": ruleset, "profile": profile, "names": names}
            data = {"match": game.match, "record": record, "teams": {"NS": north.title, "EW": east.title}}
            devices.direct(connection, game.place, "seat", data, now, by)

    await visit.venue.write(work)
    seated = len(games)
    return JSONResponse({"seated": seated})


def _two_levels(levels: Any) -> bool:
    return (
        isinstance(levels, list) and len(levels) == 2
        and all(isinstance(each, str) and len(each) == 1 and each in LEVELS for each in levels)
    )  # fmt: skip


async def result(visit: Visit) -> Response:
    """``POST …/result {round, game, levels, winner, why}``: from paper; a correction needs a reason."""
    competition = _competition(visit)
    number, place = int(visit.number("round", 1, 1000)), int(visit.number("game", 0, 10_000))
    levels, winner = visit.body.get("levels"), visit.body.get("winner")
    if levels is not None and not _two_levels(levels):
        raise Refusal(400, "unreadable", "'levels' are two rank letters: 2 to 9, T, J, Q, K, A")
    if winner not in ("one", "other", "nobody", None):
        raise Refusal(400, "unreadable", "'winner' is one, other, nobody, or null for a draw")
    if number > len(competition.rounds) or place >= len(competition.rounds[number - 1].games):
        raise Refusal(404, "no_such_game", "there is no such game")
    game, why = competition.rounds[number - 1].games[place], visit.text("why", 200, "")
    if game.other is None:
        raise Impossible("a bye has no result")
    if game.result is not None and not why:
        raise Impossible("this game has a result: a correction needs a reason")
    if winner is None and competition.is_knockout:
        raise Impossible("a knock-out needs a winner: play one more deal, or let the referee decide")
    if number < len(competition.rounds) and competition.is_knockout and game.winner is not None:
        survivor = {"one": game.one, "other": game.other}.get(winner or "")
        if survivor != game.winner:
            raise Impossible("the next round was drawn with this game's winner: draw it back first")
    said = {"round": number, "game": place, "levels": levels, "winner": winner, "source": "paper", "why": why}
    await _act(visit, competition.id, "result", said)
    return JSONResponse({"game": competition.view()["rounds"][number - 1]["games"][place]})
