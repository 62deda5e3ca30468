"""A round's time: the hall's clock and the tables' own limits are started, stopped and changed together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from venue.desk.competition import Competition
from venue.desk.plans import Plan
from venue.desk.rounds import Pairing
from venue.hall.clocks import Clock
from venue.store import devices, log
from venue.web.desk import competition_of
from venue.web.guard import Refusal, Visit
from venue.web.house import Venue

ACTIONS: Final = ("start", "stop", "resume", "extra", "clear")
MOST_EXTRA: Final = 120.0
"""Minutes that may be added or taken away at once."""
LEAST_LEFT: Final = 60.0
"""Seconds that taking time away leaves to everybody, unless the round is to end by it."""


def newest(competition: Competition) -> int:
    """The number of the round that was drawn last."""
    if not competition.rounds:
        raise Refusal(409, "refused", "no_round")
    return len(competition.rounds)


def rules_of(competition: Competition) -> tuple[str, str, dict[str, Any]]:
    """Ruleset, profile and options of the stage that is on."""
    plan = competition.plan
    options = dict(plan.ruleset_options)
    if plan.best_of > 1:
        options["best_of"] = plan.best_of
    if plan.is_knockout:
        options["knockout"] = True
    if (limit := plan.limit_of(*competition.rules)) is not None:
        options["match_seconds"] = limit
    return *competition.rules, options


async def clock(visit: Visit) -> Response:
    """``POST …/clock {action, minutes, zone, end}``: start, stop or resume the newest round in the hall or one zone, or
    give it *minutes* more (fewer when negative; what would ring the bells is refused unless *end* is true).

    The hall's clock and the tables' own hear of it together.
    """
    competition = competition_of(visit)
    newest(competition)
    action, zone = visit.text("action", 10), visit.text("zone", 20, "")
    if action not in ACTIONS:
        raise Refusal(400, "unreadable", "one_of", name="action", words=ACTIONS)
    seconds = 0.0
    if action == "start":
        seconds = visit.number("minutes", 1, 600) * 60
    elif action == "extra":
        seconds = visit.number("minutes", -MOST_EXTRA, MOST_EXTRA) * 60
    said = {"action": action, "zone": zone, "seconds": seconds, "title": visit.text("title", 40, "")}
    end = isinstance(visit.body, dict) and visit.body.get("end") is True
    return JSONResponse({"tables": await of_round(visit, competition, said, end)})


async def of_round(visit: Visit, competition: Competition, said: Mapping[str, Any], end: bool = False) -> int:
    """Do with the newest round's time what *said* says: on the clock of its zone, and on those of all zones where it
    names none; at every table there that still plays. Gives the number of these tables.

    :raises Refusal: when it takes away what there is, and the round is not to *end* by that.
    """
    venue, action, zone = visit.venue, said["action"], said["zone"]
    number = newest(competition)
    now, by = venue.now(), visit.someone.id
    own = [each for each in venue.hall.clocks.values() if (each.competition, each.round) == (competition.id, number)]
    games = [game for game in competition.rounds[-1].games if _plays(venue, game, zone)]
    if action == "extra" and said["seconds"] < 0 and not end:
        lefts = [left for each in own if zone in ("", each.zone) and (left := each.remaining(now)) is not None]
        if any(left + said["seconds"] < LEAST_LEFT for left in lefts):
            raise Refusal(409, "round_would_end", "round_would_end")

    def work(connection: Connection) -> None:
        told = {**said, "competition": competition.id, "round": number}
        log.note(connection, "clock", told, now=now, person=by)
        for each in own if not zone else []:
            if each.zone:  # the whole hall means every zone of it
                rest = told | {"zone": each.zone} | ({"action": "clear"} if action == "start" else {})
                log.note(connection, "clock", rest, now=now, person=by)
        if action == "start":
            started = {"competition": competition.id, "act": "start", "round": number}
            log.note(connection, "desk", started, now=now, person=by)
        for game in games:
            if (order := _order(venue, competition.plan, own, game, said)) is not None:
                devices.direct(connection, game.place or "", order[0], {"match": game.match, **order[1]}, now, by)

    await venue.write(work)
    return len(games)


def _plays(venue: Venue, game: Pairing, zone: str) -> bool:
    table = venue.hall.tables.get(game.place or "")
    return table is not None and not game.done and zone in ("", table.zone)


def _order(
    venue: Venue, plan: Plan, clocks: list[Clock], game: Pairing, said: Mapping[str, Any]
) -> tuple[str, dict[str, Any]] | None:
    """What the game's table is told, and with what; None for nothing. The limit of one of several games is the
    ruleset's: a round's minutes say nothing about it.
    """
    action, seconds = said["action"], said["seconds"]
    table = venue.hall.tables[game.place or ""]
    if action == "stop":
        return "stop", {"why": "round stopped"}
    if action == "extra":
        return ("extra", {"seconds": seconds}) if seconds else None
    if action == "resume":
        left = next((each.left for zone in (table.zone, "") for each in clocks if each.zone == zone), None)
        begins = table.board is None or table.board.id != game.match
        seconds = left if begins and left else 0.0  # who comes only now has what is left to everybody
    if action in ("start", "resume"):
        return "start", {"seconds": seconds} if seconds and plan.best_of == 1 else {}
    return None
