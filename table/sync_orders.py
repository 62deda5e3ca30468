"""What the venue says to this table, carried out at its desk: who sits here next, rulings, words for the players."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.cards import SEATS, SIDES
from engine.rulesets import load
from table import pads, sitting
from table.desk import Desk
from table.effects import Light
from table.inputs import Directed, Linked
from table.refusals import Impossible, Unreadable
from table.timekeeping import match_left
from venue.protocol import RECORD_DIRECTIVES

ROUND_STOPPED = "round stopped"
"""Why a table pauses with its hall, as the venue says it and the journal keeps it."""
MESSAGE_STANDS = 60.0
"""Seconds that a message of the venue's stands on the screen."""
BLINKS = 15.0
"""Seconds for which a table shows where it stands."""


def linked(desk: Desk, line: Linked) -> None:
    """How the line is now."""
    desk.venue = replace(
        desk.venue, state=line.state, unsent=line.unsent, contact=line.contact, place=line.place or desk.venue.place
    )


def directed(desk: Desk, order: Directed) -> None:
    """Carry out *order*.

    :raises GuandanError: when it cannot be carried out here; nothing has changed then.
    """
    data = order.data
    if order.do == "message":
        desk.venue = replace(desk.venue, message=str(data["text"])[:120], message_until=order.t + MESSAGE_STANDS)
    elif order.do == "blink":
        desk.venue = replace(desk.venue, blink_until=order.t + BLINKS)
        desk.effects += [Light(seat, "warning") for seat in SEATS]
    elif order.do == "case":
        state, who = str(data["state"]), str(data.get("who") or "")
        if state == "resolve":
            _dealt_with(desk, order, who)
        desk.venue = replace(desk.venue, referee=None if state == "resolve" else (state, who))
    elif order.do == "seat":
        _seat(desk, order)
    elif order.do == "stop":
        if desk.match.clock.paused:
            desk.paused = True  # it stands for a referee already; when he is gone it stands for the hall
        else:
            pads.directed(desk, Directed(order.t, "pause", {"why": str(data["why"])}, order.id))
        desk.hall_stopped = True
    elif order.do == "deck":
        pads.directed(desk, Directed(order.t, "deck", {"why": str(data["why"])}, order.id))
    elif order.id is None or order.do in RECORD_DIRECTIVES:
        line = {name: value for name, value in data.items() if name not in ("match", "case")}
        pads.directed(desk, Directed(order.t, order.do, line, order.id))
        if order.do == "ruling":
            desk.venue = replace(desk.venue, referee=None)
    else:
        raise Unreadable("no_directive", name=order.do)


def _dealt_with(desk: Desk, order: Directed, who: str) -> None:
    """A referee is done with a call: it ends here as well, and play goes on. Another alert waits for its ruling."""
    about = str(order.data.get("alert") or "")
    if not any(alert.kind == "call" and alert.id == about for alert in desk.match.alerts):
        return
    for alert in desk.standing_alerts():
        if alert.kind == "call":  # one that joined the first is dealt with as well
            line = {"alert": alert.id, "verdict": "waive", "by": "table", "who": who}
            pads.directed(desk, Directed(order.t, "ruling", line))


def _seat(desk: Desk, order: Directed) -> None:
    record = order.data.get("record")
    if not isinstance(record, dict):
        raise Unreadable("seat_record")
    names = record.get("names") or {}
    load(str(record.get("ruleset") or desk.ruleset), str(record.get("profile") or "championship"))
    sitting.seated_anew(desk, str(order.data["match"]))
    desk.seating = {"match": str(order.data["match"]), "record": record}
    seated = tuple((seat, str(names[seat])) for seat in SEATS if names.get(seat))
    desk.venue = replace(desk.venue, seated=seated)
    if desk.match.phase == "before":
        _sit_down(desk)


def _sit_down(desk: Desk) -> None:
    record: dict[str, Any] = desk.seating["record"]
    desk.ruleset = str(record.get("ruleset") or desk.ruleset)
    desk.profile = str(record.get("profile") or "championship")
    desk.names, desk.options = dict(record.get("names") or {}), dict(record.get("options") or {})


def may_start(desk: Desk, order: Directed) -> bool:
    """The venue's start: whether a match begins with it. One that is on already goes on after a stop; where the order
    says so it has that many *seconds* left from now, as everybody in the hall has.

    :raises GuandanError: while another match is on, or nobody was seated.
    """
    seconds = round(float(order.data.get("seconds") or 0))
    if desk.match_name is not None and desk.match_name == order.data["match"] and desk.match.phase != "before":
        _go_on(desk, order, seconds)
        return False
    if desk.seating.get("match") != order.data["match"]:
        raise Impossible("not_seated")
    if desk.match.phase != "before" and not finished(desk):
        raise Impossible("other_match")
    record = desk.seating["record"]
    options = dict(record.get("options") or {})
    if seconds and load(str(record.get("ruleset") or desk.ruleset), options=options).match_seconds:
        desk.seating["record"] = record | {"options": options | {"match_seconds": seconds}}
        if desk.match.phase == "before":
            _sit_down(desk)
    return True


def _go_on(desk: Desk, order: Directed, seconds: int) -> None:
    if desk.match.phase not in ("between", "deal"):
        return
    if desk.paused:
        pads.directed(desk, Directed(order.t, "resume", {}, order.id))
    left = match_left(desk, order.t)
    if seconds and left is not None and (more := round(seconds - left)):
        pads.directed(desk, Directed(order.t, "extra", {"seconds": more}, order.id))


def finished(desk: Desk) -> bool:
    """Whether the match here is over and signed by both sides."""
    return desk.match.result is not None and desk.match.signed == set(SIDES)


def next_desk(desk: Desk) -> Desk:
    """The desk for the next match: the same people again, or those whom the venue has seated."""
    made = Desk(desk.ruleset, desk.profile, desk.names, desk.options, four_colours=desk.four_colours)
    made.venue, made.seating = replace(desk.venue, referee=None), desk.seating
    made.glass = desk.glass.fresh()
    if made.seating:
        _sit_down(made)
    return made


def named(desk: Desk) -> dict[str, Any]:
    """The venue's name of the match that begins, for the journal; it is used up by that."""
    desk.match_name = desk.seating.get("match")
    desk.seating = {}
    desk.venue = replace(desk.venue, seated=())
    return {"match": desk.match_name} if desk.match_name else {}
